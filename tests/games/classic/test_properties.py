"""Properties of every game of Classic, whatever is thrown and chosen."""

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import classic
from games.boxes import Score, Zero
from games.chance import random_event, random_game
from games.classic import Box, State
from games.record import game_states, read_record, replay, write_record
from games.values import Choose, Corrected, Event, IllegalEvent, Keep, Rolled, Throw
from tests.builders import record_for
from tests.rigs.examples import examples

SEEDS = st.integers(0, 2**32)
PLAYERS = st.integers(1, 6)


def names(players: int) -> list[str]:
    return [f"P{seat}" for seat in range(players)]


def walk(seed: int, players: int) -> list[tuple[State, Event | None]]:
    """Every state of a random game with the event that follows it."""
    random = Random(seed)
    state = classic.GAME.start(names(players), {})
    steps: list[tuple[State, Event | None]] = []
    while (event := random_event(classic.GAME, state, random)) is not None:
        steps.append((state, event))
        state = classic.GAME.apply(state, event)
    return [*steps, (state, None)]


def any_state(data: st.DataObject) -> State:
    steps = walk(data.draw(SEEDS), data.draw(PLAYERS))
    return steps[data.draw(st.integers(0, len(steps) - 1))][0]


@settings(max_examples=examples(25, 60))
@given(SEEDS, PLAYERS)
def test_random_play_ends_and_is_never_stuck(seed: int, players: int) -> None:
    for state, event in walk(seed, players):
        asked = classic.GAME.ask(state)
        assert bool(classic.GAME.choices(state)) == isinstance(asked, Choose)
        assert (asked is None) == (event is None) == (classic.GAME.outcome(state) is not None)
        if isinstance(asked, Throw):
            assert asked.dice
            assert classic.GAME.dice(state).count(None) == len(asked.dice)


@settings(max_examples=examples(25, 60))
@given(SEEDS, PLAYERS)
def test_scores_grow_by_the_preview(seed: int, players: int) -> None:
    steps = walk(seed, players)
    for (before, event), (after, _) in pairwise(steps):
        growth = [
            b - a
            for a, b in zip(classic.GAME.scores(before), classic.GAME.scores(after), strict=True)
        ]
        preview = classic.GAME.preview(before, event) if isinstance(event, Score) else None
        expected = [0] * players
        if preview is not None:
            expected[before.seat] = preview.points
        assert growth == expected
    totals = classic.GAME.scores(steps[-1][0])
    assert all(0 <= total <= 1575 for total in totals)


EVENTS = st.one_of(
    st.builds(Rolled, st.lists(st.integers(-1, 8), max_size=6).map(tuple)),
    st.builds(Rolled, st.lists(st.integers(1, 6), min_size=5, max_size=5).map(tuple)),
    st.builds(Keep, st.lists(st.integers(-1, 5), max_size=5).map(tuple)),
    st.builds(Score, st.sampled_from(Box)),
    st.builds(Score, st.integers(-3, 15)),
    st.builds(Zero, st.sampled_from(Box)),
    st.builds(Zero, st.integers(-3, 15)),
    st.builds(Corrected, st.integers(-1, 6), st.integers(-1, 8)),
    st.just(Event()),
)


@settings(max_examples=examples(25, 300))
@given(st.data(), EVENTS)
def test_only_what_is_offered_is_accepted(data: st.DataObject, event: Event) -> None:
    state = any_state(data)
    copy = classic.GAME.position(
        players=state.players,
        sheets=state.sheets,
        seat=state.seat,
        first=state.first,
        roll=state.roll,
        dice=state.dice,
        held=state.held,
        roll_off=state.roll_off,
    )
    asked = classic.GAME.ask(state)
    if isinstance(event, Rolled):
        legal = isinstance(asked, Throw) and len(event.faces) == len(asked.dice)
        legal = legal and all(face in range(1, 7) for face in event.faces)
    elif isinstance(event, Corrected):
        there = event.slot in range(5) and event.face in range(1, 7)
        settled = bool(state.roll) or any(sheet.filled for sheet in state.sheets)
        rolled_off = bool(state.roll_off) and not settled
        legal = there and (isinstance(asked, Choose) or rolled_off)
    else:
        legal = event in classic.GAME.choices(state)
    if legal:
        assert classic.GAME.apply(state, event) != state or isinstance(event, Corrected)
    else:
        with pytest.raises(IllegalEvent):
            classic.GAME.apply(state, event)
    assert state == copy


@settings(max_examples=examples(25, 60))
@given(SEEDS, PLAYERS, SEEDS)
def test_a_corrected_reading_equals_one_read_right(seed: int, players: int, other: int) -> None:
    random = Random(other)
    for state, event in walk(seed, players):
        if not isinstance(event, Rolled):
            continue
        right = classic.GAME.apply(state, event)
        if random.random() < 0.7:
            continue
        asked = classic.GAME.ask(state)
        assert isinstance(asked, Throw)
        wrong = tuple(random.randint(1, 6) for _ in event.faces)
        read_wrong = classic.GAME.apply(state, Rolled(wrong))
        for die, face in zip(asked.dice, event.faces, strict=True):
            read_wrong = classic.GAME.apply(read_wrong, Corrected(die.slot, face))
        assert read_wrong == right


@settings(max_examples=examples(10, 30))
@given(SEEDS, PLAYERS)
def test_replay_equals_live_at_every_event(seed: int, players: int) -> None:
    events, state = random_game(classic.GAME, names(players), {}, Random(seed))
    record = record_for(classic.GAME, names(players), {}, events)
    assert replay(record) == state
    assert replay(read_record(write_record(record))) == state
    live = classic.GAME.start(names(players), {})
    for event, replayed in zip(events, list(game_states(record))[1:], strict=True):
        live = classic.GAME.apply(live, event)
        assert live == replayed


@settings(max_examples=examples(10, 30))
@given(SEEDS, PLAYERS, st.data())
def test_undo_then_redo_is_the_identity(seed: int, players: int, data: st.DataObject) -> None:
    steps = walk(seed, players)
    at = data.draw(st.integers(1, len(steps) - 1))
    events = [event for _, event in steps[:at] if event is not None]
    undone = replay(record_for(classic.GAME, names(players), {}, events[:-1]))
    assert undone == steps[at - 1][0]
    assert classic.GAME.apply(undone, events[-1]) == steps[at][0]


@settings(max_examples=examples(10, 30))
@given(SEEDS, PLAYERS)
def test_every_choice_that_is_offered_can_be_played(seed: int, players: int) -> None:
    random = Random(seed)
    steps = walk(seed, players)
    for state, _ in random.sample(steps, 10):
        choices = classic.GAME.choices(state)
        assert len(set(choices)) == len(choices)
        for choice in choices:
            assert classic.GAME.apply(state, choice) != state
