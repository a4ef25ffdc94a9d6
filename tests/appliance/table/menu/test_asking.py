"""A question stays the same until something happens in the game, or another page is up."""

from dataclasses import replace

from appliance.inputs import Button, Pressed
from appliance.table.menu.asking import asked_of, question_of
from appliance.table.menu.console import Console, Notice
from appliance.table.menu.main_menu import Menu
from appliance.table.menu.step import Happening, advance
from appliance.table.session.session import Setup, new_session
from tests.builders import throw
from vision.events import TrayChanged
from vision.reading import TrayState

OK = Pressed(Button.OK)


def after(console: Console, *happened: Happening) -> Console:
    for one in happened:
        console, _ = advance(console, one)
    return console


def console_with_throw() -> Console:
    setup = Setup("classic", ("ANNA", "BOB"), (("first", 0),))
    return after(Console(session=new_session(setup)), throw(3, 3, 3, 5, 5))


def test_what_players_do_meanwhile_makes_no_other_question() -> None:
    console = console_with_throw()
    asked = asked_of(console)
    held = after(console, Pressed(Button.HOLD1))
    hand = after(console, TrayChanged(0, 0.0, TrayState.HAND))
    for now in (held, hand):
        assert asked_of(now) != asked
        assert asked_of(now).is_same_as(asked)


def test_whatever_happens_in_the_game_makes_another_question() -> None:
    console = console_with_throw()
    thrown = after(console, throw(3, 3, 3, 5, 5, new=(3, 4)), OK)
    listed = after(console, OK)
    # Taken back, the same dice lie there, but what was pressed before was meant for another time.
    again = after(listed, OK, Pressed(Button.BACK), OK)
    assert again.session is not None
    assert console.session is not None
    assert again.session.record.events == console.session.record.events
    for now in (thrown, listed, again, console.push(Menu())):
        assert question_of(now) != question_of(console)
        assert not asked_of(now).is_same_as(asked_of(console))


def test_a_notice_covers_what_is_asked_but_changes_nothing_of_it() -> None:
    console = console_with_throw()
    covered = replace(console, notice=Notice((("CAMERA WORKS", "PLAY ON"),)))
    assert question_of(covered) == question_of(console)
    assert not asked_of(covered).is_same_as(asked_of(console))


def test_left_and_right_go_through_one_list() -> None:
    first = after(console_with_throw(), OK)
    second = after(first, Pressed(Button.RIGHT))
    assert not asked_of(second).is_same_as(asked_of(first))
    assert asked_of(second).is_in_list_of(asked_of(first))
    assert not asked_of(first).is_in_list_of(asked_of(console_with_throw()))
