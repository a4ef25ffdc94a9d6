"""Properties of every game of Free for All, whatever is thrown, drawn and chosen."""

from collections import Counter
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import free_for_all as ffa
from games.chance import random_event, random_game, throw
from games.checks import is_exactly
from games.free_for_all import Bank, Card, Kind, State, Steal, Step, Take, TakeFive, TurnUp
from games.free_for_all.deck import DEFAULT_DECK
from games.record import read_record, write_record
from games.record import replay as record_replay
from games.values import (
    Choose,
    Corrected,
    Draw,
    Event,
    IllegalEvent,
    Keep,
    Options,
    Pass,
    Rolled,
    Throw,
)
from tests.builders import record_for
from tests.rigs.examples import examples
from tests.rigs.random_play import choice_counts

SEEDS = st.integers(0, 2**32)
PLAYERS = st.integers(2, 6)
DECKS: st.SearchStrategy[Options] = st.sampled_from(
    (
        {},
        {"deck": "table"},
        {"first": 1},
        {"cards": "9*chance:4 4*ones:1 1*five-alike:10"},
        {"cards": "30*ones:1 30*fours:4 30*sixes:6 6*five-alike:10"},
        {"cards": "30*ones:1 30*fours:4 2*five-alike:10 2*five-alike:12 1*five-alike:99"},
        {"bank": "when-full"},
        {"bank": "when-full", "cards": "30*chance:4 30*ones:1 6*five-alike:10"},
    )
)


def names(players: int) -> list[str]:
    return [f"P{seat}" for seat in range(players)]


def chance(state: State, random: Random) -> Event | None:
    """Plays at random, but takes and steals more often than it passes or rolls on."""
    asked = ffa.GAME.ask(state)
    if isinstance(asked, Draw):
        return random.choice(asked.lots)
    bold = [c for c in ffa.GAME.choices(state) if isinstance(c, Take | Steal | TakeFive)]
    return (
        random.choice(bold)
        if bold and random.random() < 0.4
        else random_event(ffa.GAME, state, random)
    )


def walk(seed: int, players: int, options: Options) -> list[tuple[State, Event | None]]:
    """Every state of a random game with the event that follows it."""
    random = Random(seed)
    state = ffa.GAME.start(names(players), options)
    steps: list[tuple[State, Event | None]] = []
    while (event := chance(state, random)) is not None:
        steps.append((state, event))
        state = ffa.GAME.apply(state, event)
    return [*steps, (state, None)]


def any_state(data: st.DataObject) -> State:
    steps = walk(data.draw(SEEDS), data.draw(PLAYERS), data.draw(DECKS))
    return steps[data.draw(st.integers(0, len(steps) - 1))][0]


def cards(state: State) -> Counter[Card]:
    """Every card, wherever it is."""
    found = [*state.deck, *state.apart, *(card for card in state.centre if card is not None)]
    found += [lying.card for homes in state.homes for lying in homes if lying is not None]
    return Counter(found + [card for banked in state.banked for card in banked])


@settings(max_examples=examples(25, 60))
@given(SEEDS, PLAYERS, DECKS)
def test_random_play_ends_and_is_never_stuck(seed: int, players: int, options: Options) -> None:
    steps = walk(seed, players, options)
    for state, event in steps:
        asked = ffa.GAME.ask(state)
        assert bool(ffa.GAME.choices(state)) == isinstance(asked, Choose)
        assert (asked is None) == (event is None) == (ffa.GAME.outcome(state) is not None)
        if isinstance(asked, Throw):
            assert ffa.GAME.dice(state).count(None) == len(asked.dice)
        if isinstance(asked, Draw):
            assert tuple(dict.fromkeys(asked.lots)) == ffa.GAME.choices(state)
        else:
            assert (state.step is Step.TURN_UP) == (
                isinstance(asked, Choose) and not state.virtual and asked.purpose == "new-card"
            )
    if options.get("bank") == "when-full":
        asked_to_bank = [state for state, _ in steps if state.step is Step.BANK]
        assert all(None not in state.homes[state.seat] for state in asked_to_bank)
        assert players < 4 or not asked_to_bank
    else:
        assert all(state.step is not Step.BANK for state, _ in steps)
    last = steps[-1][0]
    # Each turn uses up a card of the deck or three chips.
    assert last.turns + 1 <= len(steps[0][0].deck) - 3 + 12 + 1


@settings(max_examples=examples(25, 60))
@given(SEEDS, PLAYERS, DECKS)
def test_chips_and_cards_are_conserved(seed: int, players: int, options: Options) -> None:
    steps = walk(seed, players, options)
    every = cards(steps[0][0])
    for state, _ in steps:
        assert state.pile + sum(state.chips) + sum(state.banked_chips) == 36
        assert min(state.pile, *state.chips, *state.banked_chips) >= 0
        assert cards(state) == every
        # A state never holds the order of the cards to come.
        assert state.deck == tuple(sorted(state.deck))
        empty = [space for space, card in enumerate(state.centre) if card is None]
        assert all(state.chips[space] == 0 for space in empty)
        assert len(empty) <= (3 if ffa.GAME.turn(state) == 0 else 1)


@settings(max_examples=examples(25, 60))
@given(SEEDS, PLAYERS, DECKS)
def test_what_is_banked_stays_and_only_what_is_banked_counts(
    seed: int, players: int, options: Options
) -> None:
    for (before, event), (after, _) in pairwise(walk(seed, players, options)):
        for seat in range(players):
            assert not Counter(before.banked[seat]) - Counter(after.banked[seat])
            assert before.banked_chips[seat] <= after.banked_chips[seat]
            points = sum(card.points for card in after.banked[seat]) + after.banked_chips[seat]
            assert ffa.GAME.scores(after)[seat] == points == ffa.GAME.sheet(after, seat).total
            assert sum(row.points or 0 for row in ffa.GAME.sheet(after, seat).rows) == points
        for seat, homes in enumerate(after.homes):
            if after.late:
                continue
            # A card is banked before one is taken, so there is never a second card at home.
            assert sum(lying is not None for lying in homes) <= 1
            if after.step is Step.ROLL and seat == after.seat:
                assert homes == (None,) * len(homes)
        if isinstance(event, Take):
            won = before.chips[event.space]
            assert after.banked_chips[before.seat] == before.banked_chips[before.seat] + won


CARDS = st.sampled_from(
    (*dict.fromkeys(DEFAULT_DECK.cards), Card(Kind.FIVE_ALIKE, 10), Card(Kind.ONES, 9))
)
SPACES = st.integers(-1, 3)
EVENTS = st.one_of(
    st.builds(Rolled, st.lists(st.integers(-1, 8), max_size=6).map(tuple)),
    st.builds(Rolled, st.lists(st.integers(1, 6), min_size=5, max_size=5).map(tuple)),
    st.builds(Keep, st.lists(st.integers(-1, 5), max_size=5).map(tuple)),
    st.builds(Keep, st.sets(st.integers(0, 4)).map(lambda s: tuple(sorted(s)))),
    st.builds(Take, SPACES, CARDS),
    st.builds(Steal, st.integers(-1, 6), SPACES, CARDS),
    st.builds(Bank, SPACES, CARDS),
    st.builds(TurnUp, CARDS),
    st.sampled_from((Pass(), Event())),
    st.builds(Corrected, st.integers(-1, 6), st.integers(-1, 8)),
)


@settings(max_examples=examples(25, 300))
@given(st.data(), EVENTS)
def test_only_what_is_offered_is_accepted(data: st.DataObject, event: Event) -> None:
    state = any_state(data)
    before = (hash(state), repr(state))
    asked = ffa.GAME.ask(state)
    if isinstance(event, Rolled):
        legal = isinstance(asked, Throw) and len(event.faces) == len(asked.dice)
        legal = legal and all(face in range(1, 7) for face in event.faces)
    elif isinstance(event, Corrected):
        legal = event.slot in range(5) and event.face in range(1, 7) and state.step is Step.USE
    else:
        legal = any(is_exactly(event, choice) for choice in ffa.GAME.choices(state))
    if legal:
        assert ffa.GAME.apply(state, event) != state or isinstance(event, Corrected)
    else:
        with pytest.raises(IllegalEvent):
            ffa.GAME.apply(state, event)
    assert (hash(state), repr(state)) == before


@settings(max_examples=examples(25, 60))
@given(SEEDS, PLAYERS, SEEDS)
def test_a_corrected_reading_equals_one_read_right(seed: int, players: int, other: int) -> None:
    random = Random(other)
    for state, event in walk(seed, players, {}):
        if not isinstance(event, Rolled) or random.random() < 0.7:
            continue
        asked = ffa.GAME.ask(state)
        assert isinstance(asked, Throw)
        read_wrong = ffa.GAME.apply(state, throw(asked.dice, random))
        for die, face in zip(asked.dice, event.faces, strict=True):
            read_wrong = ffa.GAME.apply(read_wrong, Corrected(die.slot, face))
        assert read_wrong == ffa.GAME.apply(state, event)


def replay(players: int, options: Options, events: list[Event]) -> State:
    state = ffa.GAME.start(names(players), options)
    for event in events:
        state = ffa.GAME.apply(state, event)
    return state


@settings(max_examples=examples(10, 30))
@given(SEEDS, PLAYERS, DECKS)
def test_replay_equals_live(seed: int, players: int, options: Options) -> None:
    steps = walk(seed, players, options)
    events = [event for _, event in steps if event is not None]
    assert replay(players, options, events) == steps[-1][0]
    record = record_for(ffa.GAME, names(players), options, events)
    again = read_record(write_record(record))
    assert again == record
    assert record_replay(again) == steps[-1][0]


@settings(max_examples=examples(10, 30))
@given(SEEDS, PLAYERS, DECKS, st.data())
def test_undo_then_redo_is_the_identity(
    seed: int, players: int, options: Options, data: st.DataObject
) -> None:
    steps = walk(seed, players, options)
    at = data.draw(st.integers(1, len(steps) - 1))
    events = [event for _, event in steps[:at] if event is not None]
    undone = replay(players, options, events[:-1])
    assert undone == steps[at - 1][0]
    assert ffa.GAME.apply(undone, events[-1]) == steps[at][0]


@settings(max_examples=examples(10, 30))
@given(SEEDS, PLAYERS, DECKS)
def test_every_choice_that_is_offered_can_be_played(
    seed: int, players: int, options: Options
) -> None:
    random = Random(seed)
    for state, _ in random.sample(walk(seed, players, options), 10):
        choices = ffa.GAME.choices(state)
        assert len(set(choices)) == len(choices)
        assert len({choice.key for choice in choices}) == len(choices)
        for choice in choices:
            assert ffa.GAME.apply(state, choice) != state
            points = ffa.GAME.preview(state, choice)
            assert (points is None) == isinstance(choice, Keep)
            assert points is None or len(points.reason) <= 12


LINES = Path(__file__).with_name("choice_counts.txt")


@pytest.mark.parametrize("line", LINES.read_text(encoding="ascii").splitlines())
def test_golden_counts_along_a_seeded_game(line: str) -> None:
    head, _, counts = line.partition(": ")
    _, _, players, _, seed = head.split()
    found = choice_counts(
        ffa.GAME, [f"P{s + 1}" for s in range(int(players))], {}, Random(int(seed))
    )
    assert found == [int(count) for count in counts.split()]


def test_many_random_games() -> None:
    ends = Counter[str]()
    games, short = examples(80, 600), examples(20, 100)
    for seed in range(games):
        steps_to = random_game(ffa.GAME, names(seed % 5 + 2), {}, Random(seed))[1]
        ends["chips" if steps_to.pile < 3 else "deck"] += 1
    assert ends["chips"] + ends["deck"] == games
    for seed in range(short):
        last = walk(seed, 2, {"cards": "6*chance:4 6*five-alike:10"})[-1][0]
        ends["short deck"] += None in last.centre
    assert ends["short deck"] > short / 2
