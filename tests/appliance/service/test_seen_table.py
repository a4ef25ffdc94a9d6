"""What pages are told of a table, beside the board: here, what a choice would do."""

from dataclasses import replace

import pytest

from appliance.service.seen_table import Offer, seen_question, seen_table
from appliance.table.session.modes import EnteringFace
from appliance.table.session.session import Session, Setup, new_session
from appliance.table.session.step import step
from appliance.words import Label
from games.values import DieKind, Slot
from tests.builders import throw
from vision.reading import TrayState

FIRST = (("first", 0),)


def offers(session: Session) -> dict[str, Offer]:
    return {str(offer.label): offer for offer in seen_table(session, TrayState.STILL).offers}


def test_an_offer_names_the_row_of_the_sheet_that_it_fills() -> None:
    session = step(new_session(Setup("classic", ("ANNA", "BOB"), FIRST)), throw(3, 3, 3, 5, 5))
    ask = session.record.ask
    assert ask is not None
    sheet = session.record.rules.sheet(session.record.state, ask.seat)
    offered = offers(session)
    # Thirteen boxes, and five that pay but may be struck out.
    assert len(offered) == 13 + 5
    assert {offer.row for offer in offered.values()} == {Label(row.key) for row in sheet.rows[:13]}
    assert offered["FULL HOUSE"].row == offered["0 FULL H"].row == "FULL HOUSE"
    assert offered["FOURS"].row == "FOURS"


def test_an_offer_that_fills_no_row_names_none() -> None:
    session = step(new_session(Setup("free-for-all", ("ANNA", "BOB"), FIRST)), throw(3, 3, 3, 5, 5))
    possible = [offer for offer in offers(session).values() if offer.possible]
    assert {offer.row for offer in possible} == {""}


@pytest.mark.parametrize(
    ("game", "slot", "kind"),
    [
        # Each die of these has its slot for good.
        ("showdown", 0, DieKind.BLACK),
        ("showdown", 5, DieKind.RED),
        ("showdown", 6, None),
        # Those come from a bag.
        ("holdem", 0, None),
    ],
)
def test_who_is_asked_about_a_die_that_was_not_thrown_yet_is_told_its_kind_where_it_is_known(
    game: str, slot: int, kind: DieKind | None
) -> None:
    session = new_session(Setup(game, ("ANNA", "BOB")))
    session = replace(session, mode=EnteringFace(None, (), Slot(slot), 3))
    asked = seen_question(session)
    assert asked is not None
    assert (asked.slot, asked.kind) == (slot, kind)
