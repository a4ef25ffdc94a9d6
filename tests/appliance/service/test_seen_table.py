"""What pages are told of a table, beside the board: here, what a choice would do."""

from dataclasses import replace

import pytest

from appliance.inputs import Button, Pressed
from appliance.service.seen_table import Offer, SeenUndo, seen_question, seen_table
from appliance.table.session.modes import EnteringFace
from appliance.table.session.recording import choose, undo
from appliance.table.session.session import Session, Setup, new_session
from appliance.table.session.step import step
from appliance.words import Label
from games.values import DieKind, Slot
from tests.builders import throw
from vision.events import Cleared
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


def test_an_undo_says_what_it_takes_back() -> None:
    session = new_session(Setup("classic", ("ANNA", "BOB"), FIRST))
    assert seen_table(session, TrayState.EMPTY).undo is None
    rolled = step(session, throw(3, 3, 3, 5, 5))
    scored = choose(rolled, next(c for c in rolled.record.choices if c.key == "full-house"))
    assert seen_table(scored, TrayState.STILL).undo == SeenUndo("ANNA", "FULL HOUSE")
    back = seen_table(undo(scored, 1), TrayState.STILL).undo
    assert back == SeenUndo("ANNA", "FULL HOUSE", again=True)
    held = step(step(rolled, Pressed(Button.HOLD1)), Pressed(Button.HOLD2))
    again = seen_table(step(held, throw(3, 3, 1, 2, 6, new={2, 3, 4})), TrayState.STILL).undo
    assert again is not None
    assert (again.player, again.kept) == ("ANNA", (3, 3))


def test_dice_that_lie_there_and_count_no_more_are_somebodys() -> None:
    rolled = step(new_session(Setup("classic", ("ANNA", "BOB"), FIRST)), throw(3, 3, 3, 5, 5))
    assert seen_table(rolled, TrayState.STILL).left is None
    scored = choose(rolled, next(c for c in rolled.record.choices if c.key == "full-house"))
    assert seen_table(scored, TrayState.STILL).turn == 1
    assert seen_table(scored, TrayState.STILL).left == 0
    assert seen_table(step(scored, Cleared(0, 0.0)), TrayState.EMPTY).left is None
    thrown = step(scored, throw(1, 2, 3, 4, 6))
    assert seen_table(thrown, TrayState.STILL).left is None


def test_whose_dice_a_finished_game_leaves_is_told() -> None:
    session = new_session(Setup("classic", ("ANNA", "BOB"), FIRST))
    while seen_table(session, TrayState.STILL).end is None:
        session = step(session, throw(1, 2, 3, 4, 6))
        session = choose(session, next(iter(session.record.choices)))
    assert seen_table(session, TrayState.STILL).left == 1
