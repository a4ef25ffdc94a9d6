"""The game in Hold'em's booklet, and its chart of hands.

The booklet's pictures of the dice are lost; the dice here fit everything it says about them. The
bets are the booklet's.
"""

from functools import partial

import pytest

from games import holdem
from games.holdem import State
from games.holdem.evaluator import Rank, best_five
from games.holdem.state import Stage
from games.values import Choose, IllegalEvent, Outcome, Points, Reveal, Throw
from tests.builders import coloured as dice
from tests.builders import play_text

A, B, C = range(3)
PLAYERS = ["A", "B", "C"]


play = partial(play_text, holdem.GAME)


def asked(state: State) -> int:
    now = holdem.GAME.ask(state)
    assert isinstance(now, Choose)
    return now.seat


def paid(state: State) -> list[int]:
    return [seat.paid for seat in state.seats]


def start() -> State:
    """Player A sits to the left of the dealer, C."""
    return holdem.GAME.start(PLAYERS, {"dealer": C})


def after_open() -> State:
    return play("check; bet 10; raise 10; call 20; call 10", start())


def after_flop() -> State:
    state = play("show red 4 yellow 4 red 2", after_open())
    return play("bet 10; call 10; raise 10; call 10; fold", state)


def after_turn() -> State:
    return play("show white 1; bet 20; raise 10; call 10", after_flop())


def test_holdem_10_the_open_as_told() -> None:
    state = start()
    assert paid(state) == [10, 10, 10]
    for text, seat, put_in in [
        ("check", A, 0),
        ("bet 10", B, 10),
        ("raise 10", C, 20),
        ("call 20", A, 20),
        ("call 10", B, 10),
    ]:
        assert asked(state) == seat
        before = state.seats[seat]
        state = play(text, state)
        assert state.seats[seat].paid - before.paid == put_in
    assert state.stage is Stage.FLOP
    assert paid(state) == [30, 30, 30]
    now = holdem.GAME.ask(state)
    assert isinstance(now, Throw)
    assert (now.seat, len(now.dice), now.purpose, now.coloured) == (C, 3, "flop", True)


def test_holdem_10_the_flop_as_told() -> None:
    state = play("show red 4 yellow 4 red 2", after_open())
    for text, seat, put_in in [
        ("bet 10", A, 10),
        ("call 10", B, 10),
        ("raise 10", C, 20),
        ("call 10", A, 10),
        ("fold", B, 0),
    ]:
        assert asked(state) == seat
        before = state.seats[seat]
        state = play(text, state)
        assert state.seats[seat].paid - before.paid == put_in
    assert state.stage is Stage.TURN
    assert paid(state) == [50, 40, 50]


def test_holdem_10_the_turn_as_told() -> None:
    state = play("show white 1", after_flop())
    for text, seat, put_in in [("bet 20", A, 20), ("raise 10", C, 30), ("call 10", A, 10)]:
        assert asked(state) == seat
        before = state.seats[seat]
        state = play(text, state)
        assert state.seats[seat].paid - before.paid == put_in
    assert state.stage is Stage.RIVER
    assert paid(state) == [80, 40, 80]


def test_holdem_10_the_river_and_the_showdown_as_told() -> None:
    state = play("show black 5; bet 10; call 10", after_turn())
    assert paid(state) == [90, 40, 90]
    now = holdem.GAME.ask(state)
    assert isinstance(now, Reveal)
    assert (now.seat, len(now.dice)) == (A, 2)
    state = play("show white 2 black 3", state)
    assert [c.key for c in holdem.GAME.choices(state)] == ["straight"]
    state = play("declare straight; show red 1 black 1", state)
    assert [c.key for c in holdem.GAME.choices(state)] == ["full-house"]
    state = play("declare full-house", state)
    assert asked(state) == A
    (take,) = holdem.GAME.choices(state)
    assert holdem.GAME.preview(state, take) == Points(220, "straight")
    state = play("take-pot", state)
    assert holdem.GAME.scores(state) == (420, 250, 200)
    assert (state.hand, state.dealer) == (2, A)


def test_holdem_10_what_is_said_of_the_dice_while_they_come() -> None:
    flop, a, b, c = dice("r4 y4 r2"), dice("w2 k3"), dice("y6 y1"), dice("r1 k1")
    assert best_five((*flop, *a))[0].faces[:4] == (4, 4, 2, 2)
    assert best_five((*flop, *b))[0].rank is Rank.PAIR
    assert best_five((*flop, *c))[0].faces[:4] == (4, 4, 1, 1)
    four = (*flop, *dice("w1"))
    assert best_five((*four, *a))[0].rank is Rank.TWO_PAIRS
    assert best_five((*four, *c))[0].rank is Rank.FULL_HOUSE
    assert best_five((*four, *c))[0].faces == (1, 1, 1, 4, 4)


def test_holdem_10_players_who_bet_before_put_in_only_the_rest() -> None:
    state = play("check; bet 10; raise 10", start())
    assert [c.key for c in holdem.GAME.choices(state)] == ["call 20", "raise 10", "fold"]
    state = play("call 20", state)
    assert [c.key for c in holdem.GAME.choices(state)] == ["call 10", "raise 10", "fold"]


def test_holdem_10_the_chart_of_hands_from_the_highest_down() -> None:
    chart = ["five-flush", "straight-flush", "five-alike", "flush", "four-alike", "straight"]
    chart += ["full-house", "three-alike", "two-pairs"]
    assert [rank.word for rank in sorted(Rank, reverse=True)][:9] == chart


def test_holdem_10_a_tie_is_won_by_the_higher_dice_4s_over_3s_beats_2s_over_6s() -> None:
    fours = best_five(dice("r4 k4 w4 r3 k3"))[0]
    twos = best_five(dice("r2 k2 w2 r6 k6"))[0]
    assert fours.rank is twos.rank is Rank.FULL_HOUSE
    assert fours > twos


def test_holdem_10_the_community_dice_alone_may_be_the_hand() -> None:
    lying = dice("r6 k5 w4 y3 k2")
    made, five = best_five((*lying, *dice("w1 y1")))
    assert made.rank is Rank.STRAIGHT
    assert set(five) == set(lying)


def test_holdem_10_a_bet_is_at_most_10_at_first_and_20_from_the_turn_on() -> None:
    bets = [c.key for c in holdem.GAME.choices(start())]
    assert bets == ["check", "bet 10", "fold"]
    flop = play("show red 4 yellow 4 red 2", after_open())
    assert [c.key for c in holdem.GAME.choices(flop)] == bets
    turn = play("show white 1", after_flop())
    assert [c.key for c in holdem.GAME.choices(turn)] == ["check", "bet 10", "bet 20", "fold"]
    turn = play("bet 20", turn)
    assert [c.key for c in holdem.GAME.choices(turn)] == ["call 20", "raise 10", "raise 20", "fold"]


def test_holdem_10_the_turn_and_the_river_are_not_thrown_again() -> None:
    state = play("show white 1; check; check", after_flop())
    assert state.stage is Stage.RIVER
    state = play("show black 5; check; check", state)
    assert state.stage is Stage.SHOWDOWN


def test_holdem_10_a_yahtzee_flush_ends_the_game_and_takes_the_pot() -> None:
    state = play("show red 4 red 4 red 4; bet 10; call 10; call 10", after_open())
    state = play("show black 1; check; check; check; show black 2; check; check; check", state)
    state = play("show white 6 white 5; declare three-alike", state)
    state = play("show red 4 red 4; declare five-flush", state)
    state = play("show white 1 white 1; declare full-house; take-pot", state)
    assert holdem.GAME.outcome(state) == Outcome((260, 380, 260), (B,), "five-flush")
    assert holdem.GAME.ask(state) is None


def test_holdem_10_folding_saves_chips_and_takes_the_player_out_of_the_hand() -> None:
    state = after_flop()
    assert not state.seats[B].live
    with pytest.raises(IllegalEvent):
        play("show white 1; bet 10; call 10; call 10", state)
