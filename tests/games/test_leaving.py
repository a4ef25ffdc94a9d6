"""Players who leave mid-game: they hold nobody up, cost nobody points, and can be recorded."""

from contextlib import suppress
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import classic, free_for_all, holdem, power, record, showdown
from games.chance import random_event
from games.game import Game
from games.registry import GAMES
from games.strategy import advice
from games.strategy.power.hint import is_last_turn
from games.values import Choose, Draw, IllegalEvent, Left, Outcome
from tests.builders import play_text, record_for
from tests.rigs.examples import examples

OPTIONS: dict[str, dict[str, bool | int | str]] = {"holdem": {"stack": 50}}
LONGEST = 3000
games = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
seeds = st.integers(0, 2**32 - 1)


def may_leave(game: Game[Any], state: Any) -> list[int]:
    """The seats that may leave now."""
    seats = []
    for seat in range(len(state.players)):
        with suppress(IllegalEvent):
            game.apply(state, Left(seat))
            seats.append(seat)
    return seats


def play(game: Game[Any], seed: int) -> list[tuple[Any, Any]]:
    """A random game played to its end, with players leaving now and then: states and events."""
    random = Random(seed)
    seats = random.randint(max(2, game.min_players), game.max_players)
    state = game.start(list("ABCDEF"[:seats]), OPTIONS.get(game.name, {}))
    course = []
    while game.ask(state) is not None:
        may = may_leave(game, state)
        leaves = may and random.random() < 0.03
        event = Left(random.choice(may)) if leaves else random_event(game, state, random)
        assert event is not None
        course.append((state, event))
        assert len(course) < LONGEST
        state = game.apply(state, event)
    return [*course, (state, None)]


@games
@settings(max_examples=examples(5, 12))
@given(seed=seeds)
def test_who_leaves_is_never_waited_for_and_the_game_comes_to_its_end(
    game: Game[Any], seed: int
) -> None:
    course = play(game, seed)
    out: set[int] = set()
    for state, event in course:
        ask = game.ask(state)
        assert ask is None or ask.seat not in out
        assert out.isdisjoint(may_leave(game, state))
        assert bool(game.choices(state)) == isinstance(ask, Choose)
        if isinstance(event, Left):
            out.add(event.seat)
    end = game.outcome(course[-1][0])
    assert end is not None
    assert end.winners


@games
@settings(max_examples=examples(5, 12))
@given(seed=seeds)
def test_leaving_changes_nobodys_score(game: Game[Any], seed: int) -> None:
    for state, event in play(game, seed):
        if isinstance(event, Left):
            after = game.apply(state, event)
            # A card at home when its owner's turn begins is banked, as always.
            at_home = getattr(state, "homes", ())
            for seat, score in enumerate(game.scores(state)):
                banks = any(at_home[seat]) if at_home else False
                assert game.scores(after)[seat] == score or banks


@settings(max_examples=examples(5, 15))
@given(seed=seeds)
def test_no_chips_are_made_or_lost_by_leaving(seed: int) -> None:
    for state, _ in play(holdem.GAME, seed):
        assert sum(seat.chips + seat.paid for seat in state.seats) == 50 * len(state.players)


@games
@settings(max_examples=examples(3, 6))
@given(seed=seeds)
def test_records_and_positions_keep_who_has_left(game: Game[Any], seed: int) -> None:
    course = play(game, seed)
    for state, _ in course[:: 1 + len(course) // 60]:
        assert record.position_from_text(record.position_to_text(game, state))[1] == state
    last, events = course[-1][0], [event for _, event in course[:-1]]
    written = record_for(game, last.players, OPTIONS.get(game.name, {}), events)
    assert record.replay(record.read_record(record.write_record(written))) == last


@games
def test_a_hint_is_there_for_those_who_stay(game: Game[Any]) -> None:
    random = Random(7)
    state = game.start(["A", "B", "C"], OPTIONS.get(game.name, {}))
    while not isinstance(game.ask(state), Choose) or not may_leave(game, state):
        event = random_event(game, state, random)
        assert event is not None
        state = game.apply(state, event)
    asked = game.ask(state)
    assert asked is not None
    state = game.apply(state, Left((asked.seat + 1) % 3))
    assert not isinstance(game.ask(state), Draw)
    hint = advice.hint(game, state)
    assert hint is not None
    assert hint.choice is None or hint.choice in game.choices(state)


@games
def test_the_last_one_in_and_strangers_cannot_leave(game: Game[Any]) -> None:
    random = Random(3)
    state = game.start(["A", "B"], OPTIONS.get(game.name, {}))
    assert bool(may_leave(game, state)) == (game.name in ("showdown", "holdem"))
    while not may_leave(game, state):
        event = random_event(game, state, random)
        assert event is not None
        state = game.apply(state, event)
    for seat in (-1, 2, 5):
        with pytest.raises(IllegalEvent, match=r"one of the seats \(0, 1\)"):
            game.apply(state, Left(seat))
    left = game.apply(state, Left(0))
    assert may_leave(game, left) == []
    with pytest.raises(IllegalEvent, match="no player may leave"):
        game.apply(left, Left(1))


def test_in_classic_the_boxes_of_who_left_stay_open_and_the_rest_counts() -> None:
    text = "roll 1 1 1 2 3; score aces; roll 6 6 6 6 6; leave 2; roll 1 2 3 4 5; leave 1"
    state = play_text(classic.GAME, text, players=3, first=0)
    assert (state.seat, state.roll) == (2, 1)
    assert classic.GAME.scores(state) == (3, 0, 0)
    for box in classic.Box:
        state = play_text(
            classic.GAME, f"{'' if box == 0 else 'roll 1 2 3 4 5; '}score {box.word}", state
        )
    outcome = classic.GAME.outcome(state)
    assert outcome is not None
    assert outcome.scores[:2] == (3, 0)
    assert outcome.winners == (2,)


def test_in_power_half_a_double_counts_and_the_turn_is_over() -> None:
    text = "roll 4 4 4 4 6 double; score fours; leave 1"
    state = play_text(power.GAME, text, players=2, first=0)
    assert state.seat == 1
    assert power.GAME.scores(state) == (32, 0)


def test_who_has_left_ends_no_game_of_power_in_a_hint() -> None:
    full = power.Sheet().lines
    almost = power.Sheet.of((None, *(power.CROSSED_SLOT,) * (len(full) - 1)))
    empty = power.Sheet()
    sheets, dice = (empty, almost, empty), (1, 2, 3, 4, 5)
    state = power.State(("A", "B", "C"), sheets, 0, 0, roll=1, dice=dice, power="1", held=None)
    assert is_last_turn(state)
    assert not is_last_turn(power.GAME.apply(state, Left(1)))


def test_in_showdown_the_last_one_in_wins_whatever_lies_there() -> None:
    text = "roll 1; roll 5 5 5 5 2; place fives; leave 1"
    state = play_text(showdown.GAME, text, players=2)
    assert showdown.GAME.outcome(state) == Outcome((40, 0), (1,), "last-one-in")


def test_the_showdown_round_passes_over_who_has_left() -> None:
    random = Random(11)
    state = showdown.GAME.start(["A", "B", "C"], {})
    while not state.in_showdown:
        event = random_event(showdown.GAME, state, random)
        assert event is not None
        state = showdown.GAME.apply(state, event)
    second = (state.seat + 1) % 3
    third = (state.seat + 2) % 3
    state = showdown.GAME.apply(state, Left(second))
    while state.seat != third:
        event = random_event(showdown.GAME, state, random)
        assert event is not None
        state = showdown.GAME.apply(state, event)
    # The one who placed the last card is still the last to have a turn.
    state = showdown.GAME.apply(state, Left(third))
    assert showdown.GAME.ask(state) is None


def test_in_free_for_all_a_turn_broken_off_puts_no_chips_and_cards_at_home_can_be_stolen() -> None:
    text = "turn-up ones:1; turn-up twos:2; turn-up chance:4; "
    text += "roll 1 1 1 2 3; take ones:1 from 1; turn-up sixes:6; leave 1; roll 6 6 6 6 6; leave 2"
    state = play_text(free_for_all.GAME, text, players=4)
    assert state.seat == 2
    assert state.chips == (0, 0, 0)
    state = play_text(free_for_all.GAME, "roll 1 1 1 1 2; steal ones:1 from 1 a", state)
    assert state.homes[0][0] is None
    assert state.chips == (1, 1, 1)
    assert state.seat == 3


def test_in_holdem_who_leaves_folds_and_the_chips_in_the_pot_stay() -> None:
    state = play_text(holdem.GAME, "bet 10; leave 1; call 10", players=3, stack=50)
    assert holdem.GAME.scores(state) == (40, 30, 30)
    ask = holdem.GAME.ask(state)
    assert ask is not None
    # The dealer has left: the next player throws.
    assert (state.dealer, ask.seat) == (0, 1)
    state = play_text(holdem.GAME, "leave 3; take-pot", state)
    outcome = holdem.GAME.outcome(state)
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == ((1,), "last-one-in")
    assert outcome.scores == (40, 80, 30)
