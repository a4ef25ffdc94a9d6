"""Clause 8 of Hold'em, and the split of clause 7: all-in, side pots, who gets what."""

from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import holdem
from games.holdem import State
from games.holdem.betting import Award, Pot, award_pots, payments, split_into_pots
from games.holdem.course import awards, begin_hand
from games.holdem.evaluator import Hand, Rank
from games.holdem.state import Seat, Stage
from games.holdem.view import view
from games.values import Points
from tests.builders import play_text

BEST, GOOD, FAIR, POOR = (Hand(Rank.TWO_PAIRS, (f, f, 2, 2, 1), 2) for f in (6, 5, 4, 3))


play = partial(play_text, holdem.GAME)


def deal(*chips: int, dealer: int = 0) -> State:
    """The first hand of players who have these chips before the ante."""
    names = tuple("ABCDEF"[: len(chips)])
    fresh = State(names, tuple(map(Seat, chips)), pockets=(None,) * len(chips))
    return holdem.GAME.position(begin_hand(fresh, dealer))


# The pots.


def test_holdem_8_without_all_in_there_is_one_pot() -> None:
    assert split_into_pots([40, 40, 40], [True] * 3) == (Pot(120, (0, 1, 2)),)


def test_holdem_8_chips_of_those_who_folded_stay_in_the_pot() -> None:
    assert split_into_pots([40, 20, 40], [True, False, True]) == (Pot(100, (0, 2)),)


def test_holdem_8_what_is_put_in_beyond_an_all_in_is_a_side_pot() -> None:
    assert split_into_pots([40, 20, 40], [True] * 3) == (Pot(60, (0, 1, 2)), Pot(40, (0, 2)))


def test_holdem_8_several_all_ins_make_several_side_pots() -> None:
    assert split_into_pots([80, 20, 50, 80, 10], [True, True, True, True, False]) == (
        Pot(90, (0, 1, 2, 3)),
        Pot(90, (0, 2, 3)),
        Pot(60, (0, 3)),
    )


def test_holdem_8_equal_all_ins_share_a_pot() -> None:
    assert split_into_pots([20, 20, 50, 50], [True] * 4) == (Pot(80, (0, 1, 2, 3)), Pot(60, (2, 3)))


def test_holdem_8_chips_that_nobody_matched_come_back() -> None:
    found = split_into_pots([80, 20, 20], [True] * 3)
    assert found == (Pot(60, (0, 1, 2)), Pot(60, (0,)))
    assert payments(award_pots(found, [POOR, BEST, GOOD], 0), 3) == (60, 60, 0)


def test_holdem_8_folded_chips_go_into_the_pots_they_were_put_in_for() -> None:
    assert split_into_pots([60, 20, 60, 40], [True, True, True, False]) == (
        Pot(80, (0, 1, 2)),
        Pot(100, (0, 2)),
    )


# Who gets them.


def test_holdem_8_the_all_in_player_wins_only_the_main_pot() -> None:
    found = split_into_pots([40, 20, 40], [True] * 3)
    assert award_pots(found, [FAIR, BEST, GOOD], 0) == (
        Award(found[0], (1,), (60,)),
        Award(found[1], (2,), (40,)),
    )


def test_holdem_8_who_beats_the_all_in_player_wins_both_pots() -> None:
    found = split_into_pots([40, 20, 40], [True] * 3)
    assert payments(award_pots(found, [BEST, GOOD, FAIR], 0), 3) == (100, 0, 0)


def test_holdem_8_each_side_pot_goes_to_the_best_hand_with_a_share_in_it() -> None:
    found = split_into_pots([80, 20, 50, 80], [True] * 4)
    assert payments(award_pots(found, [POOR, BEST, GOOD, FAIR], 0), 4) == (0, 80, 90, 60)
    assert payments(award_pots(found, [FAIR, POOR, BEST, GOOD], 0), 4) == (0, 0, 170, 60)


def test_holdem_7_equal_hands_split_each_pot() -> None:
    found = split_into_pots([40, 20, 40], [True] * 3)
    assert payments(award_pots(found, [BEST, BEST, BEST], 0), 3) == (40, 20, 40)


@pytest.mark.parametrize(
    ("dealer", "paid"),
    [(0, (60, 70, 0)), (1, (70, 60, 0)), (2, (70, 60, 0))],
)
def test_holdem_7_the_odd_ten_goes_to_the_nearest_winner_left_of_the_dealer(
    dealer: int, paid: tuple[int, ...]
) -> None:
    assert payments(award_pots([Pot(130, (0, 1, 2))], [BEST, BEST, GOOD], dealer), 3) == paid


@pytest.mark.parametrize(
    ("dealer", "paid"), [(0, (20, 40, 20)), (1, (20, 20, 40)), (2, (40, 20, 20))]
)
def test_holdem_7_all_odd_tens_go_to_that_winner(dealer: int, paid: tuple[int, ...]) -> None:
    assert payments(award_pots([Pot(80, (0, 1, 2))], [BEST] * 3, dealer), 3) == paid


# The same in play.


def all_in_game() -> State:
    """Seats 1 and 2 are all-in with 20 and 50; 3 and 0 bet up to 60; seat 4 folded after 20."""
    state = deal(300, 20, 50, 300, 300)
    state = play("bet 10; call 10; call 10; call 10; call 10", state)
    state = play("show red 6 black 1 yellow 2; bet 10; raise 10; fold; call 20; call 10", state)
    assert [s.paid for s in state.seats] == [40, 20, 40, 40, 20]
    return play("show white 3; check; bet 20; call 20; all-in", state)


def test_holdem_8_a_hand_with_two_side_pots() -> None:
    state = all_in_game()
    assert [s.paid for s in state.seats] == [60, 20, 50, 60, 20]
    assert view(state, 0).pots == (
        Pot(100, (0, 1, 2, 3)),
        Pot(90, (0, 2, 3)),
        Pot(20, (0, 3)),
    )
    state = play("show white 5; check; check", state)
    # The board is 1 2 3 5 6: seat 1 makes a straight to 6, seat 2 one to 5, 3 and 0 two pairs.
    state = play("show yellow 4 yellow 6; declare straight", state)
    state = play("show black 4 red 1; declare straight", state)
    state = play("show black 5 red 2; declare two-pairs", state)
    state = play("show black 2 red 3; declare two-pairs", state)
    assert state.stage is Stage.PAY
    given = awards(state)
    assert [a.winners for a in given] == [(1,), (2,), (3,)]
    assert holdem.GAME.preview(state, holdem.GAME.choices(state)[0]) == Points(100, "straight")
    state = play("take-pot", state)
    assert [s.chips + s.paid for s in state.seats] == [240, 100, 90, 260, 280]


def test_holdem_8_those_with_chips_go_on_betting_for_the_side_pot() -> None:
    state = play("show white 5", all_in_game())
    assert [c.key for c in holdem.GAME.choices(state)] == ["check", "bet 10", "bet 20", "fold"]
    state = play("bet 20; fold", state)
    # Seat 3 is alone in the last pot, but must show for the others.
    assert state.stage is Stage.SHOWDOWN
    assert state.order == (1, 2, 3)
    assert view(state, 0).pots[-1] == Pot(40, (3,))


def test_holdem_8_a_seat_alone_with_all_ins_is_not_asked_about_nothing() -> None:
    state = play("check; bet 10; call 10; call 10", deal(300, 300, 20))
    state = play("show red 6 black 1 yellow 2; fold", state)
    # Seat 0 has nothing to call and nobody to bet against.
    assert (state.stage, state.due) == (Stage.TURN, 1)


def test_holdem_8_a_bet_must_still_be_answered_when_the_bettor_is_all_in() -> None:
    state = play("check; bet 10", deal(300, 300, 20))
    assert state.betting.queue == (0, 1)
    state = play("fold", state)
    assert [c.key for c in holdem.GAME.choices(state)] == ["call 10", "fold"]


TENS = st.integers(1, 12).map(lambda n: 10 * n)


@st.composite
def settled(draw: st.DrawFn) -> tuple[list[int], list[bool], list[Hand | None], int]:
    """The chips that each seat has put in, who is live, their hands, the dealer."""
    players = draw(st.integers(2, 6))
    live = draw(st.lists(st.booleans(), min_size=players, max_size=players).filter(any))
    paid = draw(st.lists(TENS, min_size=players, max_size=players))
    most = max(p for p, stays in zip(paid, live, strict=True) if stays)
    paid = [p if stays else min(p, most) for p, stays in zip(paid, live, strict=True)]
    hands = [draw(st.sampled_from((BEST, GOOD, FAIR, POOR))) if stays else None for stays in live]
    return paid, live, hands, draw(st.integers(0, players - 1))


def ten_by_ten(paid: list[int], live: list[bool]) -> list[tuple[int, tuple[int, ...]]]:
    """The pots built by taking a ten from everybody until nothing is left."""
    found: list[tuple[int, tuple[int, ...]]] = []
    left = list(paid)
    while any(left):
        takes = [seat for seat, chips in enumerate(left) if chips]
        seats = tuple(seat for seat in takes if live[seat])
        if found and found[-1][1] == seats:
            found[-1] = (found[-1][0] + 10 * len(takes), seats)
        else:
            found.append((10 * len(takes), seats))
        for seat in takes:
            left[seat] -= 10
    return found


@given(settled())
def test_pots_are_those_built_ten_by_ten(
    case: tuple[list[int], list[bool], list[Hand | None], int],
) -> None:
    paid, live, _, _ = case
    assert [(pot.chips, pot.seats) for pot in split_into_pots(paid, live)] == ten_by_ten(paid, live)


@given(settled())
def test_what_goes_in_comes_out(
    case: tuple[list[int], list[bool], list[Hand | None], int],
) -> None:
    paid, live, hands, dealer = case
    given_out = award_pots(split_into_pots(paid, live), hands, dealer)
    got = payments(given_out, len(paid))
    assert sum(got) == sum(paid)
    assert all(chips % 10 == 0 for chips in got)
    for seat, chips in enumerate(got):
        # Nobody wins more from another than they put in themselves; a folded seat wins nothing.
        assert chips <= sum(min(paid[seat], other) for other in paid)
        assert live[seat] or not chips
    for one in given_out:
        top = max(hand for s in one.pot.seats if (hand := hands[s]) is not None)
        assert all(hands[s] == top for s in one.winners)
        assert max(one.chips) - min(one.chips) < 10 * len(one.winners)


@given(settled(), st.integers(0, 5))
def test_turning_the_table_turns_the_payments(
    case: tuple[list[int], list[bool], list[Hand | None], int], by: int
) -> None:
    paid, live, hands, dealer = case
    by %= len(paid)
    got = payments(award_pots(split_into_pots(paid, live), hands, dealer), len(paid))
    turned = payments(
        award_pots(
            split_into_pots(paid[by:] + paid[:by], live[by:] + live[:by]),
            hands[by:] + hands[:by],
            (dealer - by) % len(paid),
        ),
        len(paid),
    )
    assert turned == got[by:] + got[:by]


def test_chips_that_only_folded_seats_matched_are_not_lost() -> None:
    # This never arises in play, but no chip may vanish.
    assert split_into_pots([20, 60, 20], [True, False, True]) == (Pot(100, (0, 2)),)


def test_a_lone_seat_takes_all_pots_whatever_it_put_in() -> None:
    state = replace(deal(100, 100), stage=Stage.PAY)
    seats = (state.seats[0], replace(state.seats[1], live=False))
    assert payments(awards(replace(state, seats=seats)), 2) == (20, 0)
