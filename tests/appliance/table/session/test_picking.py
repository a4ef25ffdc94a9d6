"""Choosing on a page: what was pointed at counts as it was shown, and else not at all."""

from dataclasses import replace

import pytest

from appliance.inputs import Button, Picked, Pressed
from appliance.service.seen_table import seen_table
from appliance.table.session.modes import Browsing, Hinting, Playing, Undoing
from appliance.table.session.picking import moment_of, pickable_choices
from appliance.table.session.session import Advised, Hinted, Session, Setup, new_session
from appliance.table.session.step import step
from appliance.terminal.keyboard import pick_of
from appliance.words import Label
from games.boxes import Score
from games.classic import Box
from games.values import Hint, Keep, Measure
from tests.builders import die
from tests.builders import roll as settled
from tests.builders import throw as roll
from vision.reading import Kind, TrayState

SETUP = Setup("classic", ("ANNA", "BOB"), (("first", 0),))


def rolled(*faces: int) -> Session:
    return step(new_session(SETUP, serial=7), roll(*faces))


def pick(session: Session, label: str, *, confirmed: bool = False) -> Picked:
    labels: list[str] = [Label(choice.key) for choice in pickable_choices(session)]
    return Picked(session.record.serial, moment_of(session).number, labels.index(label), confirmed)


def test_what_is_picked_is_scored_and_on_record() -> None:
    session = rolled(3, 3, 3, 5, 5)
    after = step(session, pick(session, "FULL HOUSE"))
    assert after.record.events[-1] == Score(Box.FULL_HOUSE)
    assert after.record.rules.scores(after.record.state) == (25, 0)
    assert after.scored is not None
    assert after.scored.points == 25


def test_a_zero_is_asked_about_and_taken_only_when_confirmed() -> None:
    session = rolled(3, 3, 3, 5, 5)
    zero = pick(session, "SIXES")
    # Even confirmed, it must have been asked about first: two quick clicks are no yes.
    for first in (zero, replace(zero, confirmed=True)):
        asking = step(session, first)
        assert asking.mode == Browsing(zero.index, confirm=True)
        assert asking.record.events == session.record.events
        assert step(asking, zero).record.events == session.record.events
        assert seen_table(asking, TrayState.STILL).confirm
    taken = step(asking, replace(zero, confirmed=True))
    assert taken.record.events[-1] == Score(Box.SIXES)
    # Another box meanwhile is asked about, or taken, by itself.
    assert step(asking, pick(asking, "FULL HOUSE")).record.events[-1] == Score(Box.FULL_HOUSE)
    other = pick(asking, "TWOS", confirmed=True)
    assert step(asking, other).mode == Browsing(other.index, confirm=True)


def test_a_page_that_is_behind_changes_nothing() -> None:
    session = rolled(3, 3, 3, 5, 5)
    old = pick(session, "FULL HOUSE")
    later = step(session, old)
    assert step(later, old) == later
    bens = step(later, roll(1, 1, 2, 2, 2))
    assert step(bens, old) == bens
    undone = step(step(later, Pressed(Button.BACK, long=True)), Pressed(Button.OK))
    assert undone.record.events == session.record.events
    assert step(undone, old) == undone, "undone: asked anew, by another number"
    for wrong in (replace(old, game=8), replace(old, index=99), replace(old, index=-1)):
        assert step(session, wrong) == session


def test_what_was_picked_before_the_list_was_sorted_anew_changes_nothing() -> None:
    session = step(rolled(1, 1, 2, 6, 6), Pressed(Button.OK))
    assert Label(pickable_choices(session)[0].key) == "CHANCE"
    old = pick(session, "CHANCE")
    advised = step(session, Advised(Score(Box.ACES)))
    assert Label(pickable_choices(advised)[0].key) == "ACES"
    assert step(advised, old) == advised
    assert step(advised, pick(advised, "CHANCE")).record.events[-1] == Score(Box.CHANCE)


def test_holding_a_die_leaves_what_is_shown_as_it_is() -> None:
    session = rolled(3, 3, 3, 5, 5)
    old = pick(session, "FULL HOUSE")
    held = step(session, Pressed(Button.HOLD1))
    assert held.record.holds == {0}
    assert step(held, old).record.events[-1] == Score(Box.FULL_HOUSE)


def test_nothing_is_picked_while_something_else_is_asked() -> None:
    session = rolled(3, 3, 3, 5, 5)
    full = pick(session, "FULL HOUSE")
    undoing = step(session, Pressed(Button.BACK, long=True))
    undoing = replace(undoing, mode=Undoing())
    assert step(undoing, full) == undoing
    assert seen_table(undoing, TrayState.STILL).offers == ()
    assert pickable_choices(new_session(SETUP)) == ()


def test_a_hint_marks_the_best_choice_and_hinders_nobody() -> None:
    session = rolled(3, 3, 3, 5, 5)
    hinting = step(session, Pressed(Button.HINT))
    hinting = step(hinting, Hinted(Hint(Score(Box.FULL_HOUSE), 250.0, Measure.TOTAL)))
    assert seen_table(hinting, TrayState.STILL).best == "FULL HOUSE"
    after = step(hinting, pick(hinting, "FULL HOUSE"))
    assert (after.record.events[-1], after.mode) == (Score(Box.FULL_HOUSE), Playing())


def test_a_hint_says_which_dice_are_best_held() -> None:
    session = rolled(3, 3, 3, 5, 6)
    assert seen_table(session, TrayState.STILL).best_hold is None
    hinting = step(session, Pressed(Button.HINT))
    hinting = step(hinting, Hinted(Hint(Keep((0, 1, 2)), 250.0, Measure.TOTAL)))
    seen = seen_table(hinting, TrayState.STILL)
    assert (seen.best, seen.best_hold) == ("HOLD 123", (0, 1, 2))
    assert seen.why == ""
    why = Hint(Keep((0, 1, 2)), 250.0, Measure.TOTAL, reason="for twos")
    hinting = replace(hinting, mode=Hinting(Playing(), why))
    assert seen_table(hinting, TrayState.STILL).why == "FOR TWOS"
    assert (seen.roll, seen.rolls) == (1, 3)


def test_powers_choice_fills_its_row_whatever_number_is_chosen() -> None:
    thrown = settled(*(die(n, 3 + 2 * (n % 2)) for n in range(5)), die(5, "double", Kind.POWER))
    session = step(new_session(Setup("power", ("ANNA", "BOB"), (("first", 0),))), thrown)
    offers = seen_table(session, TrayState.STILL).offers
    filling = {offer.label for offer in offers if offer.row == "CHOICE"}
    assert filling == {"CHOICE 3", "CHOICE 5", "X CHOICE"}


def test_a_computer_plays_for_itself() -> None:
    setup = Setup("classic", ("ROBO ***", "BOB"), (("first", 0),))
    session = step(new_session(setup), roll(3, 3, 3, 5, 5))
    assert pickable_choices(session) == ()
    assert step(session, Picked(session.record.serial, moment_of(session).number, 0)) == session


def test_the_table_says_which_row_each_choice_fills_and_who_leads() -> None:
    session = rolled(3, 3, 3, 5, 5)
    seen = seen_table(session, TrayState.STILL)
    rows = {offer.row: offer.points for offer in reversed(seen.offers)}
    assert set(rows) == {
        Label(row.key) for row in session.record.rules.sheet(session.record.state, 0).rows
    }
    assert rows["FULL HOUSE"] == 25
    assert [die.face for die in seen.dice] == [3, 3, 3, 5, 5]
    assert (seen.leaders, seen.ahead, seen.turn) == ((), 0, 0)
    after = seen_table(step(session, pick(session, "FULL HOUSE")), TrayState.MOVING)
    assert (after.leaders, after.ahead, after.turn, after.busy) == ((0,), 25, 1, True)
    assert [goal.needed for goal in after.goals[0]] == [63]


@pytest.mark.parametrize(
    ("action", "meant"),
    [
        ("pick:7:3:12", Picked(7, 3, 12)),
        ("pick:7:3:0:yes", Picked(7, 3, 0, confirmed=True)),
        ("pick:7:3", None),
        ("pick:7:3:-1", None),
        ("pick:7:3:1:no", None),
        ("pick:7:3:99999999999", None),
        ("typed:pick:7:3:1", None),
    ],
)
def test_an_action_is_read_as_it_is_written_and_nothing_else(
    action: str, meant: Picked | None
) -> None:
    assert pick_of(action) == meant
