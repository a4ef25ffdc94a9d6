"""The table in a game of Power: what is specific to the Power die."""

from collections.abc import Collection
from dataclasses import replace

import pytest

from appliance.inputs import Button, Pressed
from appliance.table.prompts.trouble import ClashPrompt, CountPrompt, FacePrompt
from appliance.table.prompts.turn import DicePrompt
from appliance.table.session.prompting import prompt
from appliance.table.session.recording import play
from appliance.table.session.session import Session, Setup, new_session
from appliance.table.session.step import step
from appliance.table.session.tray import TrackedDice
from games.values import Keep, Rolled, Slot
from tests.builders import die, roll
from vision.events import TrackId
from vision.reading import Kind


def before_the_fourth_roll() -> Session:
    session = new_session(Setup("power", ("ANNA",)))
    all_six, keep_power = Rolled((1, 1, 1, 5, 5, "power")), Keep((0, 1, 2, 5))
    session = play(session, all_six, keep_power, Rolled((5, 4)), keep_power, Rolled((5, 5)))
    places = {TrackId(slot): Slot(slot) for slot in range(5)}
    return replace(session, tracked=TrackedDice().placed(places))


def test_in_the_fourth_roll_the_power_die_is_held_and_is_not_let_go() -> None:
    session = step(before_the_fourth_roll(), Pressed(Button.HOLD2))
    for button, held, remark in ((Button.HOLDP, (1, 5), "MUST STAY"), (Button.HOLD2, (5,), "")):
        shown = prompt(session)
        assert isinstance(shown, DicePrompt)
        assert (shown.held, shown.can_do().keys[0].does) == ((1, 5), "hold (now 2 6)")
        session = step(session, Pressed(button))
        shown = prompt(session)
        assert isinstance(shown, DicePrompt)
        assert (shown.held, shown.remark) == (held, remark)
    places = {TrackId(slot): Slot(slot) for slot in range(6)}
    session = replace(session, tracked=TrackedDice().placed(places))
    lying = die(5, "power", Kind.POWER, thrown=False)
    session = step(session, roll(*(die(slot, 3) for slot in range(5)), lying))
    assert session.record.events[-2:] == (Keep((5,)), Rolled((3, 3, 3, 3, 3)))


def test_a_power_die_that_is_not_seen_was_not_thrown_in_the_fourth_roll() -> None:
    session = before_the_fourth_roll()
    lying = [die(slot, 1, thrown=False) for slot in (1, 2)]
    session = step(session, roll(die(0, 6), *lying, die(3, 2), die(4, 4)))
    assert prompt(session) == CountPrompt("ANNA", 5, 6, ("POWER DIE",))
    session = step(session, Pressed(Button.OK))
    assert session.record.events[-2:] == (Keep((1, 2, 5)), Rolled((6, 2, 4)))
    shown = prompt(session)
    assert isinstance(shown, DicePrompt)
    assert shown.dice == (6, 1, 1, 2, 4, "power")


def thrown_with_the_power_die(*held: Button, thrown: Collection[int]) -> Session:
    """The session after these were thrown before the fourth roll, the Power die among them."""
    session = before_the_fourth_roll()
    places = {TrackId(slot): Slot(slot) for slot in range(6)}
    session = replace(session, tracked=TrackedDice().placed(places))
    for button in held:
        session = step(session, Pressed(button))
    lying = [die(s, 3 if s in thrown else (1, 1, 1, 5, 5)[s], thrown=s in thrown) for s in range(5)]
    return step(session, roll(*lying, die(5, "1", Kind.POWER)))


def test_a_power_die_thrown_before_the_fourth_roll_stays_as_it_was() -> None:
    # Without holds nothing is asked; its new face does not count.
    session = thrown_with_the_power_die(thrown=(2, 3, 4))
    assert session.record.events[-2:] == (Keep((0, 1, 5)), Rolled((3, 3, 3)))
    # With holds it is, and OK counts the others: at first OK did nothing there.
    session = thrown_with_the_power_die(Button.HOLD2, thrown=(0, 1, 2, 3, 4))
    asked = prompt(session)
    assert isinstance(asked, ClashPrompt)
    session = step(session, Pressed(Button.OK))
    assert session.record.events[-2:] == (Keep((5,)), Rolled((3, 3, 3, 3, 3)))


@pytest.mark.parametrize("held", [(), (Button.HOLD2,)])
def test_a_power_die_thrown_alone_before_the_fourth_roll_is_to_be_turned_back(
    held: tuple[Button, ...],
) -> None:
    session = thrown_with_the_power_die(*held, thrown=())
    before = session.record.events
    if held:
        assert isinstance(prompt(session), ClashPrompt)
        session = step(session, Pressed(Button.OK))
    shown = prompt(session)
    assert isinstance(shown, FacePrompt)
    assert (shown.turned, session.record.events) == ("power", before)
