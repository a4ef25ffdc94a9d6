"""Properties of every game, whatever its rules."""

from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.words import Label
from games import record
from games.chance import random_event
from games.game import Game
from games.notation.events import event_to_text
from games.registry import GAMES
from games.values import (
    Choice,
    Choose,
    Corrected,
    Event,
    Face,
    IllegalEvent,
    Keep,
    Reveal,
    Rolled,
    Throw,
)
from tests.rigs.event_texts import event_from_text
from tests.rigs.examples import examples

OPTIONS: dict[str, dict[str, bool | int | str]] = {"holdem": {"stack": 50}}
STEPS = 120
games = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
seeds = st.integers(0, 2**32 - 1)


@dataclass(frozen=True, slots=True)
class Foreign(Choice):
    """A choice that no game has."""

    @property
    def label(self) -> str:
        return "NO"


def begin(game: Game[Any], seed: int) -> tuple[Any, Random]:
    random = Random(seed)
    players = "ABCDEF"[: random.randint(game.min_players, min(game.max_players, 4))]
    return game.start(list(players), OPTIONS.get(game.name, {})), random


def play(game: Game[Any], seed: int, steps: int = STEPS) -> list[tuple[Any, Event]]:
    """States of random play, each with the event that happened then."""
    state, random = begin(game, seed)
    course = []
    for _ in range(steps):
        event = random_event(game, state, random)
        if event is None:
            break
        course.append((state, event))
        state = game.apply(state, event)
    return course


@games
@settings(max_examples=examples(3, 8))
@given(seed=seeds)
def test_a_choice_can_always_be_made_when_one_is_asked_for(game: Game[Any], seed: int) -> None:
    for state, _ in play(game, seed):
        ask = game.ask(state)
        assert isinstance(ask, Throw | Choose | Reveal)
        assert bool(game.choices(state)) == isinstance(ask, Choose)
        assert game.outcome(state) is None
        for choice in game.choices(state):
            assert 1 <= len(Label(choice.key)) <= 10
            assert choice.key == choice.key.lower()
            points = game.preview(state, choice)
            assert points is None or len(points.reason) <= 20


@games
@settings(max_examples=examples(3, 6))
@given(seed=seeds)
def test_what_is_not_offered_is_refused_and_changes_nothing(game: Game[Any], seed: int) -> None:
    course = play(game, seed, 60)
    every = [event for _, event in course]
    for state, _ in course:
        before = hash(state)
        offered = set(game.choices(state))
        wrong: list[Event] = [Foreign(), Keep((0, 1, 2, 3, 4, 5, 6)), Rolled(()), Rolled((7,) * 5)]
        wrong += [e for e in every if isinstance(e, Choice) and e not in offered]
        for event in wrong:
            with pytest.raises(IllegalEvent):
                game.apply(state, event)
        assert hash(state) == before


@games
@settings(max_examples=examples(3, 6))
@given(seed=seeds)
def test_undo_and_redo_are_replays_and_lead_back(game: Game[Any], seed: int) -> None:
    course = play(game, seed)
    first, _ = begin(game, seed)
    for cut in range(0, len(course), 17):
        state = first
        for _, event in course[:cut]:
            state = game.apply(state, event)
        assert state == course[cut][0]
        # Redo: playing the undone events again leads to the same states.
        for expected, event in course[cut:]:
            assert state == expected
            state = game.apply(state, event)


@games
@settings(max_examples=examples(3, 5))
@given(seed=seeds)
def test_record_and_position_give_the_same_state(game: Game[Any], seed: int) -> None:
    course = play(game, seed)
    for state, event in course:
        assert event_from_text(game, event_to_text(game, event)) == event
        text = record.position_to_text(game, state)
        assert "\n" not in text
        assert record.position_from_text(text)[1] == state


@games
@settings(max_examples=examples(3, 6))
@given(seed=seeds)
def test_a_corrected_throw_is_as_good_as_one_read_right(game: Game[Any], seed: int) -> None:
    random = Random(seed)
    for state, event in play(game, seed):
        ask = game.ask(state)
        if not (isinstance(event, Rolled) and isinstance(ask, Throw) and len(ask.dice) > 1):
            continue
        right = game.apply(state, event)
        if not isinstance(game.ask(right), Choose):
            continue
        which = random.randrange(len(event.faces))
        face = event.faces[which]
        if isinstance(face, str):
            continue
        misread = Rolled((*event.faces[:which], face % 6 + 1, *event.faces[which + 1 :]))
        wrong = game.apply(state, misread)
        assert game.apply(wrong, Corrected(ask.dice[which].slot, face)) == right


@games
@settings(max_examples=examples(3, 8))
@given(seed=seeds)
def test_what_may_be_corrected_is_on_the_table_or_aside(game: Game[Any], seed: int) -> None:
    """So that a button, which knows only these dice, reaches each of them."""
    for state, _ in play(game, seed):
        known = {slot for slot, face in enumerate(game.dice(state)) if face is not None}
        aside = game.aside(state)
        for slot in range(10):
            legal = set[Face]()
            for face in (1, 2, "double", "freeze"):
                with suppress(IllegalEvent):
                    game.apply(state, Corrected(slot, face))
                    legal.add(face)
            assert slot in known or bool(legal) is (slot in aside), (state, slot)
