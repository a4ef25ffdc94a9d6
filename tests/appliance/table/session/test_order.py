"""In which order choices are listed, and passing where nothing else is possible."""

from dataclasses import replace
from random import Random

import pytest

from appliance.inputs import Button, Pressed
from appliance.screens.draw import pages
from appliance.table.prompts.looking import TablePrompt
from appliance.table.prompts.turn import ChoicePrompt, DicePrompt
from appliance.table.session.hinting import wants_advice
from appliance.table.session.listing import count_of_entries, only_passes, ranked_choices
from appliance.table.session.modes import Browsing
from appliance.table.session.prompting import prompt
from appliance.table.session.recording import play
from appliance.table.session.session import Advised, Session, Setup, new_session
from appliance.table.session.step import step
from appliance.words import Label
from games.chance import random_event
from games.registry import GAMES
from games.values import Choose, Draw, Keep, Pass, Rolled
from tests.builders import steps, throw

OK = Pressed(Button.OK)


@pytest.mark.parametrize(
    ("faces", "first"),
    [
        ((2, 2, 2, 2, 3), ["4 ALIKE", "3 ALIKE", "CHANCE", "TWOS"]),
        ((6, 6, 6, 6, 6), ["FIVE ALIKE", "4 ALIKE", "3 ALIKE", "SIXES", "CHANCE"]),
        ((5, 5, 5, 6, 6), ["3 ALIKE", "CHANCE", "FULL HOUSE"]),
    ],
)
def test_of_equals_the_rarer_box_comes_first(faces: tuple[int, ...], first: list[str]) -> None:
    session = new_session(Setup("classic", ("ANNA", "BOB"), (("first", 0),)))
    session = step(session, throw(*faces))
    labels = [Label(choice.key) for choice in ranked_choices(session)]
    assert labels[: len(first)] == first


def test_advice_is_only_for_the_dice_that_it_was_about() -> None:
    session = new_session(Setup("classic", ("ANNA", "BOB"), (("first", 0),)))
    session = step(step(session, throw(1, 1, 2, 6, 6)), OK)
    aces = next(c for c in ranked_choices(session) if Label(c.key) == "ACES")
    session = step(session, Advised(aces))
    assert ranked_choices(session)[0] == aces
    # As many events as before, but the die was corrected to another face than at first.
    other = session.record.undone(1).played(Rolled((1, 6, 6, 6, 6)))
    session = replace(session, record=other)
    assert wants_advice(session)
    assert Label(ranked_choices(session)[0].key) == "4 ALIKE"


@pytest.mark.parametrize("game", GAMES)
def test_the_most_points_come_first_in_every_game(game: str) -> None:
    chance, session = Random(2), new_session(Setup(game, ("ANNA", "BOB")))
    for _ in range(150):
        event = random_event(session.record.rules, session.record.state, chance)
        if event is None:
            break
        session = play(session, event)
        ranked = ranked_choices(session)
        worth = [session.record.rules.preview(session.record.state, choice) for choice in ranked]
        points = [0 if p is None else max(0, p.points) for p in worth]
        entries = count_of_entries(session)
        for some in (points[:entries], points[entries:]):
            assert some == sorted(some, reverse=True)
        if session.record.rules.bets(session.record.state) is None:
            boxes = [choice.entry for choice in ranked]
            assert len({*boxes[:entries]}) == entries
            assert {*boxes[entries:]} <= {*boxes[:entries]}
        every = session.record.choices
        assert set(ranked) == {c for c in every if not isinstance(c, Keep)}


def with_nothing_to_take(game: str) -> Session:
    """A turn at its end in which the dice make nothing."""
    chance, session = Random(7), new_session(Setup(game, ("ANNA", "BOB")))
    while not only_passes(session):
        event = random_event(session.record.rules, session.record.state, chance)
        assert event is not None
        session = play(session, event)
    ask = session.record.ask
    assert isinstance(ask, Choose)
    assert not isinstance(ask, Draw)
    return session


@pytest.mark.parametrize("game", ["showdown", "free-for-all"])
def test_where_only_passing_is_left_one_ok_passes(game: str) -> None:
    session = with_nothing_to_take(game)
    shown = prompt(session)
    assert isinstance(shown, DicePrompt)
    assert (shown.purpose, shown.may_roll) == ("PASS", False)
    assert pages(shown)
    assert shown.can_do().line == f"{shown.player}: ENTER passes"
    after = step(session, OK)
    assert after.record.events == (*session.record.events, Pass())
    # Who looks at the list first needs no second OK either.
    looked = step(session, Pressed(Button.RIGHT))
    assert isinstance(prompt(looked), TablePrompt)
    listed = step(looked, Pressed(Button.RIGHT))
    assert isinstance(prompt(listed), ChoicePrompt)
    assert step(listed, OK).record.events == after.record.events


def test_passing_is_asked_about_where_something_else_is_possible() -> None:
    chance, session = Random(1), new_session(Setup("showdown", ("ANNA", "BOB")))
    while Pass() not in ranked_choices(session) or len(ranked_choices(session)) < 2:
        event = random_event(session.record.rules, session.record.state, chance)
        assert event is not None
        session = play(session, event)
    index = ranked_choices(session).index(Pass())
    browsing = replace(session, mode=Browsing(index))
    assert step(browsing, OK).record.events == session.record.events
    assert steps(browsing, OK, OK).record.events == (*session.record.events, Pass())
