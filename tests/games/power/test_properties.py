"""Properties of every game of Power, whatever is thrown and chosen."""

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import power
from games.chance import random_event, random_game, throw
from games.checks import is_exactly
from games.power import CROSSED_SLOT, Cross, Kind, Score, Slot, State
from games.power.sheet import SLOTS_OF
from games.record import read_record, write_record
from games.record import replay as record_replay
from games.values import Choose, Corrected, Event, Face, IllegalEvent, Keep, Rolled, Throw
from tests.builders import record_for
from tests.rigs.examples import examples
from tests.rigs.random_play import choice_counts

SEEDS = st.integers(0, 2**32)
PLAYERS = st.integers(1, 6)
POWER_FACES = ("1", "2", "3", "double", "freeze", "power")


def names(players: int) -> list[str]:
    return [f"P{seat}" for seat in range(players)]


def walk(seed: int, players: int) -> list[tuple[State, Event | None]]:
    """Every state of a random game with the event that follows it."""
    random = Random(seed)
    state = power.GAME.start(names(players), {})
    steps: list[tuple[State, Event | None]] = []
    while (event := random_event(power.GAME, state, random)) is not None:
        steps.append((state, event))
        state = power.GAME.apply(state, event)
    return [*steps, (state, None)]


def any_state(data: st.DataObject) -> State:
    steps = walk(data.draw(SEEDS), data.draw(PLAYERS))
    return steps[data.draw(st.integers(0, len(steps) - 1))][0]


@settings(max_examples=examples(10, 40))
@given(SEEDS, PLAYERS)
def test_random_play_ends_and_is_never_stuck(seed: int, players: int) -> None:
    for state, event in walk(seed, players):
        asked = power.GAME.ask(state)
        assert bool(power.GAME.choices(state)) == isinstance(asked, Choose)
        assert (asked is None) == (event is None) == (power.GAME.outcome(state) is not None)
        full = [not sheet.open for sheet in state.sheets]
        assert any(full) == (asked is None)
        if isinstance(asked, Throw | Choose):
            assert asked.roll <= 4
        if isinstance(asked, Throw) and state.first is not None:
            assert power.GAME.dice(state).count(None) == len(asked.dice)
            assert asked.roll <= asked.rolls
        if isinstance(asked, Choose):
            again = any(isinstance(choice, Keep) for choice in power.GAME.choices(state))
            assert again == (asked.roll < asked.rolls)


@settings(max_examples=examples(10, 40))
@given(SEEDS, PLAYERS)
def test_scores_grow_by_the_preview(seed: int, players: int) -> None:
    for (before, event), (after, _) in pairwise(walk(seed, players)):
        growth = [
            b - a for a, b in zip(power.GAME.scores(before), power.GAME.scores(after), strict=True)
        ]
        expected = [0] * players
        if isinstance(event, Score | Cross):
            preview = power.GAME.preview(before, event)
            assert preview is not None
            assert (preview.points == 0) == isinstance(event, Cross)
            expected[before.seat] = preview.points
        assert growth == expected


@settings(max_examples=examples(10, 40))
@given(SEEDS, PLAYERS)
def test_every_line_is_what_its_roll_says(seed: int, players: int) -> None:
    """Each turn fills one slot, a Double two if two are open; kinds fill from both ends."""
    steps = walk(seed, players)
    for (before, event), (after, _) in pairwise(steps):
        if isinstance(event, Score | Cross):
            old, new = before.sheets[before.seat], after.sheets[before.seat]
            changed = [s for s in Slot if old.lines[s] != new.lines[s]]
            assert [slot.kind for slot in changed] == [event.kind]
            assert new.filled == old.filled + 1
        if after.turns > before.turns:
            double = before.power == "double"
            second = before.undoubled is not None
            last_one = not after.sheets[before.seat].open
            assert second == (double and not (last_one and before.undoubled is None))
    for sheet in steps[-1][0].sheets:
        for slots in SLOTS_OF:
            lines = [sheet.lines[slot] for slot in slots]
            order = [1 if mark is None else 2 * (mark == CROSSED_SLOT) for mark in lines]
            assert order == sorted(order)


FACES = st.one_of(st.integers(-1, 8), st.sampled_from((*POWER_FACES, "4", "")))
KINDS = st.one_of(st.sampled_from(Kind), st.integers(-3, 17))
EVENTS = st.one_of(
    st.builds(Rolled, st.lists(FACES, max_size=7).map(tuple)),
    st.builds(Rolled, st.tuples(*[st.integers(1, 6)] * 5, st.sampled_from(POWER_FACES))),
    st.builds(Keep, st.lists(st.integers(-1, 6), max_size=6).map(tuple)),
    st.builds(Keep, st.sets(st.integers(0, 5)).map(lambda s: tuple(sorted(s)))),
    st.builds(Score, KINDS, st.sampled_from((0, 0, 0, -1, 1, 4, 6, 7))),
    st.builds(Score, st.just(Kind.CHOICE), st.integers(0, 7)),
    st.builds(Cross, KINDS),
    st.builds(Corrected, st.integers(-1, 7), FACES),
    st.just(Event()),
)


@settings(max_examples=examples(25, 300))
@given(st.data(), EVENTS)
def test_only_what_is_offered_is_accepted(data: st.DataObject, event: Event) -> None:
    state = any_state(data)
    before = (hash(state), repr(state))
    asked = power.GAME.ask(state)
    if isinstance(event, Rolled):
        legal = isinstance(asked, Throw) and len(event.faces) == len(asked.dice)
        if legal and isinstance(asked, Throw):
            pairs = zip(asked.dice, event.faces, strict=True)
            legal = all(fits(die.slot, face) for die, face in pairs)
    elif isinstance(event, Corrected):
        legal = event.slot in range(6) and fits(event.slot, event.face)
        settled = bool(state.roll or state.turns)
        rolled_off = bool(state.roll_off) and not settled and event.slot == 0
        legal = legal and (isinstance(asked, Choose) or rolled_off)
    else:
        legal = any(is_exactly(event, choice) for choice in power.GAME.choices(state))
    if legal:
        assert power.GAME.apply(state, event) != state or isinstance(event, Corrected)
    else:
        with pytest.raises(IllegalEvent):
            power.GAME.apply(state, event)
    assert (hash(state), repr(state)) == before


def fits(slot: int, face: Face) -> bool:
    return face in (POWER_FACES if slot == 5 else range(1, 7))


@settings(max_examples=examples(10, 40))
@given(SEEDS, PLAYERS, SEEDS)
def test_a_corrected_reading_equals_one_read_right(seed: int, players: int, other: int) -> None:
    random = Random(other)
    for state, event in walk(seed, players):
        if not isinstance(event, Rolled) or random.random() < 0.7:
            continue
        right = power.GAME.apply(state, event)
        asked = power.GAME.ask(state)
        assert isinstance(asked, Throw)
        read_wrong = power.GAME.apply(state, throw(asked.dice, random))
        if read_wrong.power == "double" and read_wrong.undoubled is None and random.random() < 0.5:
            # Even with the first half scored, if there is anything to put right.
            choices = [c for c in power.GAME.choices(read_wrong) if isinstance(c, Score | Cross)]
            if read_wrong != right and len(choices) > 1:
                halved = power.GAME.apply(read_wrong, random.choice(choices))
                read_wrong = halved if halved.turns == read_wrong.turns else read_wrong
        for die, face in zip(asked.dice, event.faces, strict=True):
            read_wrong = power.GAME.apply(read_wrong, Corrected(die.slot, face))
        assert read_wrong == right


@settings(max_examples=examples(10, 25))
@given(SEEDS, PLAYERS)
def test_replay_equals_live_at_every_event(seed: int, players: int) -> None:
    events, state = random_game(power.GAME, names(players), {}, Random(seed))
    assert replay(players, events) == state
    record = record_for(power.GAME, names(players), {}, events)
    again = read_record(write_record(record))
    assert again == record
    assert record_replay(again) == state


def replay(players: int, events: list[Event]) -> State:
    state = power.GAME.start(names(players), {})
    for event in events:
        state = power.GAME.apply(state, event)
    return state


@settings(max_examples=examples(10, 25))
@given(SEEDS, PLAYERS, st.data())
def test_undo_then_redo_is_the_identity(seed: int, players: int, data: st.DataObject) -> None:
    steps = walk(seed, players)
    at = data.draw(st.integers(1, len(steps) - 1))
    events = [event for _, event in steps[:at] if event is not None]
    undone = replay(players, events[:-1])
    assert undone == steps[at - 1][0]
    assert power.GAME.apply(undone, events[-1]) == steps[at][0]


@settings(max_examples=examples(10, 25))
@given(SEEDS, PLAYERS)
def test_every_choice_that_is_offered_can_be_played(seed: int, players: int) -> None:
    random = Random(seed)
    for state, _ in random.sample(walk(seed, players), 10):
        choices = power.GAME.choices(state)
        assert len(set(choices)) == len(choices)
        for choice in choices:
            assert power.GAME.apply(state, choice) != state


LINES = Path(__file__).with_name("choice_counts.txt").read_text(encoding="ascii").splitlines()


@pytest.mark.parametrize("line", LINES, ids=[line.partition(":")[0] for line in LINES])
def test_golden_counts_along_a_seeded_game(line: str) -> None:
    head, _, counts = line.partition(": ")
    _, _, players, _, seed = head.split()
    found = choice_counts(
        power.GAME, [f"P{s + 1}" for s in range(int(players))], {}, Random(int(seed))
    )
    assert found == [int(count) for count in counts.split()]


def test_many_random_games() -> None:
    for seed in range(examples(36, 300)):
        _, state = random_game(power.GAME, names(seed % 6 + 1), {}, Random(seed))
        assert max(sheet.filled for sheet in state.sheets) == 21
        assert min(power.GAME.scores(state)) >= 0
