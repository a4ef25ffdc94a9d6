"""Properties of every game of Hold'em, however it is played."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.words import Label
from games import holdem
from games.chance import random_event, random_game
from games.dice import FACES
from games.holdem import State
from games.holdem.betting import payments
from games.holdem.course import awards, current_pots
from games.holdem.evaluator import SUITS, Rank
from games.holdem.state import (
    COMMUNITY_BY_STAGE,
    AllIn,
    Bet,
    Call,
    Check,
    Declare,
    Fold,
    Raise,
    Stage,
    TakePot,
)
from games.holdem.view import view
from games.notation.words import Words
from games.record import Record, read_record, write_record
from games.values import (
    Choice,
    Choose,
    Corrected,
    DieKind,
    Event,
    IllegalEvent,
    Keep,
    Recoloured,
    Reveal,
    Rolled,
    Shown,
    ShownDie,
    Throw,
)
from tests.builders import record_for
from tests.rigs.examples import examples

SEEDS = st.integers(0, 10_000)
STAKES = range(0, 100, 10)
EVERY_CHOICE: tuple[Choice, ...] = (
    Check(),
    Fold(),
    AllIn(),
    TakePot(),
    *(make(chips) for make in (Bet, Call, Raise) for chips in STAKES),
    *map(Declare, Rank),
    Keep(()),
    Keep((0, 1)),
)


def setting(seed: int) -> tuple[list[str], dict[str, int | str]]:
    """Players and options that vary with the seed; short stacks, for all-ins and short games."""
    random = Random(seed)
    players = ["A", "B", "C", "D", "E", "F"][: random.randint(2, 6)]
    options: dict[str, int | str] = {
        "stack": random.choice((50, 50, 100)),
        "dealer": random.choice((0, 1, "roll-off")),
        "flop_again": random.choice(("always", "once", "never")),
    }
    return players, options


@cache
def game(seed: int) -> tuple[tuple[Event, ...], tuple[State, ...]]:
    """The events of a random game and its states, including the first."""
    players, options = setting(seed)
    events, last = random_game(holdem.GAME, players, options, Random(seed))
    states = [holdem.GAME.start(players, options)]
    for event in events:
        states.append(holdem.GAME.apply(states[-1], event))
    assert states[-1] == last
    return tuple(events), tuple(states)


def some_states(seed: int, count: int = 40) -> list[State]:
    states = game(seed % 50)[1]
    return Random(seed).sample(states, min(count, len(states)))


def chips_of(state: State) -> int:
    return sum(seat.chips + seat.paid for seat in state.seats)


@settings(max_examples=examples(10, 25))
@given(st.integers(0, 49))
def test_random_play_reaches_the_end_and_keeps_every_chip(seed: int) -> None:
    events, states = game(seed)
    total = chips_of(states[0])
    out: set[int] = set()
    for event, before, after in zip(events, states, states[1:], strict=False):
        assert chips_of(after) == total
        assert all(seat.chips >= 0 and seat.chips % 10 == 0 for seat in after.seats)
        assert sum(pot.chips for pot in current_pots(after)) == sum(s.paid for s in after.seats)
        if before.stage is Stage.PAY:
            assert isinstance(event, TakePot)
            paid = sum(seat.paid for seat in before.seats)
            assert sum(payments(awards(before), len(before.seats))) == paid
            out |= {i for i, seat in enumerate(after.seats) if not seat.chips and not seat.paid}
        assert not any(after.seats[i].chips or after.seats[i].paid for i in out)
    outcome = holdem.GAME.outcome(states[-1])
    assert outcome is not None
    assert sum(outcome.scores) == total
    assert holdem.GAME.ask(states[-1]) is None


@settings(max_examples=examples(10, 25))
@given(st.integers(0, 49))
def test_what_is_asked_can_be_answered(seed: int) -> None:
    for state in game(seed)[1][:-1]:
        now = holdem.GAME.ask(state)
        choices = holdem.GAME.choices(state)
        assert bool(choices) == isinstance(now, Choose)
        assert len(set(choices)) == len(choices)
        for choice in choices:
            assert 0 < len(Label(choice.key)) <= 10
            assert choice.key.lower() == choice.key
            points = holdem.GAME.preview(state, choice)
            assert points is not None
            assert len(points.reason) <= 12
        assert holdem.GAME.outcome(state) is None
        if isinstance(now, Throw | Reveal):
            assert len(now.purpose) <= 10
            slots = {die.slot for die in now.dice}
            assert slots.isdisjoint(holdem.GAME.held(state))
            assert all(
                (face is None) == (slot not in holdem.GAME.held(state))
                for slot, face in enumerate(holdem.GAME.dice(state))
            )
        assert len(holdem.GAME.dice(state)) == len(holdem.GAME.kinds(state))


@settings(max_examples=examples(10, 30))
@given(SEEDS)
def test_what_is_not_a_choice_is_refused_and_changes_nothing(seed: int) -> None:
    for state in some_states(seed, 12):
        copy = replace(state)
        legal = holdem.GAME.choices(state)
        now = holdem.GAME.ask(state)
        for choice in EVERY_CHOICE:
            if choice in legal:
                assert holdem.GAME.apply(state, choice) != state
            else:
                with pytest.raises(IllegalEvent):
                    holdem.GAME.apply(state, choice)
                with pytest.raises(IllegalEvent):
                    holdem.GAME.preview(state, choice)
        die = ShownDie(DieKind.RED, 1)
        for count in range(5):
            if not isinstance(now, Throw | Reveal) or count != len(now.dice):
                with pytest.raises(IllegalEvent):
                    holdem.GAME.apply(state, Shown((die,) * count))
            if state.stage is not Stage.ROLL_OFF or count != 1:
                with pytest.raises(IllegalEvent):
                    holdem.GAME.apply(state, Rolled((1,) * count))
        assert state == copy


@settings(max_examples=examples(5, 15))
@given(st.integers(0, 49))
def test_the_record_replays_to_the_same_game(seed: int) -> None:
    players, options = setting(seed)
    events, states = game(seed)
    record = record_for(holdem.GAME, players, options, events, "1.0")
    assert read_back(record) == (events, states[-1])


def read_back(record: Record) -> tuple[tuple[Event, ...], State]:
    again = read_record(write_record(record))
    state = holdem.GAME.start(again.players, dict(again.options))
    for event in again.events:
        state = holdem.GAME.apply(state, event)
    return again.events, state


@settings(max_examples=examples(10, 30))
@given(SEEDS)
def test_a_position_round_trips(seed: int) -> None:
    for state in some_states(seed):
        text = holdem.GAME.position_to_text(state)
        assert "\n" not in text
        words = Words.of(text)
        assert holdem.GAME.position_from_text(words) == state
        assert not words
        assert hash(state) == hash(replace(state))


@settings(max_examples=examples(10, 25))
@given(SEEDS, st.data())
def test_undo_and_redo_are_the_identity(seed: int, data: st.DataObject) -> None:
    players, options = setting(seed % 50)
    events, states = game(seed % 50)
    back = data.draw(st.integers(0, min(60, len(events))))
    undone = holdem.GAME.start(players, options)
    for event in events[: len(events) - back]:
        undone = holdem.GAME.apply(undone, event)
    assert undone == states[len(events) - back]
    for event in events[len(events) - back :]:
        undone = holdem.GAME.apply(undone, event)
    assert undone == states[-1]


@settings(max_examples=examples(10, 40))
@given(SEEDS, st.data())
def test_a_corrected_reading_is_as_if_read_right_at_once(seed: int, data: st.DataObject) -> None:
    events, states = game(seed % 50)
    shown = [i for i, event in enumerate(events) if isinstance(event, Shown)]
    if not shown:
        return
    at = data.draw(st.sampled_from(shown))
    event = events[at]
    assert isinstance(event, Shown)
    asked = holdem.GAME.ask(states[at])
    assert isinstance(asked, Throw | Reveal)
    which = data.draw(st.integers(0, len(event.dice) - 1))
    right = event.dice[which]
    face = data.draw(st.sampled_from(FACES))
    kind = data.draw(st.sampled_from(SUITS))
    dice = (*event.dice[:which], ShownDie(kind, face), *event.dice[which + 1 :])
    slot = asked.dice[which].slot
    try:
        wrong = holdem.GAME.apply(states[at], Shown(dice))
    except IllegalEvent:
        # The bag has no more of that colour, or the dice are not those thrown before.
        return
    fixes = [Corrected(slot, right.face), Recoloured(slot, right.kind)]
    for fix in data.draw(st.permutations(fixes)):
        wrong = holdem.GAME.apply(wrong, fix)
    assert wrong == states[at + 1]


# What is hidden stays hidden.


def hand_of(seed: int, hidden: int, instead: int) -> Iterator[State]:
    """The first hand of three players; the seed decides the bag and the players' choices.

    If `instead` is 1, the seat `hidden` has other dice from the bag under its cup.
    """
    random = Random(seed)
    kinds = [kind for kind in SUITS for _ in range(5)]
    random.shuffle(kinds)
    bag = [ShownDie(kind, random.choice(FACES)) for kind in kinds]
    pockets = [(bag.pop(), bag.pop()) for _ in range(3)]
    other = (bag.pop(), bag.pop())
    if instead:
        pockets[hidden] = other
    state = holdem.GAME.start(["A", "B", "C"], {"stack": 50, "flop_again": "never"})
    while state.hand == 1 and (now := holdem.GAME.ask(state)) is not None:
        yield state
        choices = holdem.GAME.choices(state)
        if isinstance(now, Reveal):
            event: Event = Shown(pockets[now.seat])
        elif isinstance(now, Throw):
            event = Shown(tuple(bag.pop() for _ in now.dice))
        else:
            # Folding is the last choice; without it there is a showdown.
            event = random.choice(choices[:-1] or choices)
        state = holdem.GAME.apply(state, event)


@settings(max_examples=examples(25, 100))
@given(SEEDS, st.integers(0, 2))
def test_no_view_changes_with_the_hidden_dice_of_another_seat(seed: int, hidden: int) -> None:
    states = list(hand_of(seed, hidden, 0))
    assert any(state.pockets[hidden] for state in states)
    compared = 0
    for a, b in zip(states, hand_of(seed, hidden, 1), strict=False):
        if a.pockets[hidden] is not None:
            assert (a == b) == (a.pockets[hidden] == b.pockets[hidden])
            break
        compared += 1
        for seat in range(3):
            assert view(a, seat) == view(b, seat)
            assert holdem.GAME.sheet(a, seat) == holdem.GAME.sheet(b, seat)
        # Nor does anything else that the table could show.
        assert a == b
    assert compared >= 6


@settings(max_examples=examples(5, 20))
@given(SEEDS)
def test_a_view_has_only_what_is_shown(seed: int) -> None:
    for state in some_states(seed):
        for seat in range(len(state.seats)):
            seen = view(state, seat)
            for other, player in enumerate(seen.players):
                shown = state.pockets[other]
                hidden = (None, None) if state.seats[other].live else ()
                assert player.pocket == (shown or hidden)
                assert (player.hand is None) == (shown is None)
            sheet = holdem.GAME.sheet(state, seat)
            assert sheet.total == holdem.GAME.scores(state)[seat]
            assert all(0 < len(Label(row.key)) <= 10 for row in sheet.rows)
        assert all(line.isprintable() for line in holdem.GAME.describe(state))


@settings(max_examples=examples(5, 20))
@given(SEEDS)
def test_every_bet_is_within_the_limits(seed: int) -> None:
    for state in some_states(seed):
        if state.stage not in COMMUNITY_BY_STAGE or not state.betting.queue:
            continue
        limit = 10 if state.stage in (Stage.OPEN, Stage.FLOP) else 20
        assert state.betting.high <= 4 * limit
        assert state.betting.raises <= 3
        live = [seat for seat in state.seats if seat.live]
        assert all(seat.bet == state.betting.high or not seat.chips for seat in live) or any(
            state.seats[s].bet < state.betting.high for s in state.betting.queue
        )


@pytest.mark.slow
@pytest.mark.parametrize("players", range(2, 7))
def test_many_random_games_end(players: int) -> None:
    names = ["A", "B", "C", "D", "E", "F"][:players]
    random = Random(players)
    ends: set[str] = set()
    for _ in range(examples(8, 40)):
        state = holdem.GAME.start(names, {"stack": 50})
        while (event := random_event(holdem.GAME, state, random)) is not None:
            state = holdem.GAME.apply(state, event)
            assert chips_of(state) == 50 * players
        outcome = holdem.GAME.outcome(state)
        assert outcome is not None
        ends.add(outcome.reason)
    assert "last-one-in" in ends
