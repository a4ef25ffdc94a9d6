"""Hands of Hold'em: ranks, ties, and the fast evaluator against a slow, obvious one."""

from collections import Counter
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from games.dice import rolls
from games.holdem.evaluator import (
    DICE_PER_SUIT,
    SUITS,
    Hand,
    Rank,
    best_five,
    hand_of_five,
    is_bag_die,
    surplus_colour,
)
from games.strategy.holdem.vectorised import from_hand, strengths, to_hand
from games.values import DieKind, RulesError, ShownDie
from tests.builders import coloured as dice
from tests.rigs.examples import examples

ORDER = "nothing, pair, two pairs, three, full house, straight, four, flush, five, sf, ff"
RANKS = ORDER.split(", ")


def made(text: str) -> Hand:
    return best_five(dice(text))[0]


# 6. Ranks.


@pytest.mark.parametrize(
    ("text", "rank"),
    [
        ("r4 r4 r4 r4 r4", Rank.FIVE_FLUSH),
        ("w2 w3 w4 w5 w6", Rank.STRAIGHT_FLUSH),
        ("w5 w3 w1 w4 w2", Rank.STRAIGHT_FLUSH),
        ("r4 r4 r4 r4 k4", Rank.FIVE_ALIKE),
        ("k1 k1 k3 k6 k6", Rank.FLUSH),
        ("k1 k1 k1 k1 k6", Rank.FLUSH),
        ("k1 k1 k1 k6 k6", Rank.FLUSH),
        ("r1 k1 k1 k1 k6", Rank.FOUR_ALIKE),
        ("r1 k2 w3 y4 r5", Rank.STRAIGHT),
        ("r6 k2 w3 y4 r5", Rank.STRAIGHT),
        ("r2 k2 w2 y6 r6", Rank.FULL_HOUSE),
        ("r2 k2 w2 y6 r5", Rank.THREE_ALIKE),
        ("r2 k2 w3 y3 r5", Rank.TWO_PAIRS),
        ("r2 k2 w3 y4 r5", Rank.PAIR),
        ("r1 k2 w3 y4 r6", Rank.NOTHING),
        ("r1 k3 w4 y5 r6", Rank.NOTHING),
    ],
)
def test_holdem_6_rank_of_five_dice(text: str, rank: Rank) -> None:
    assert hand_of_five(dice(text)).rank is rank


def test_holdem_6_every_rank_beats_the_next() -> None:
    ladder = [
        "r1 r1 r1 r1 r1",
        "r1 r2 r3 r4 r5",
        "r1 r1 r1 r1 k1",
        "r1 r1 r2 r2 r3",
        "r1 r1 r1 k1 k2",
        "r1 k2 k3 k4 k5",
        "r1 k1 k1 k2 k2",
        "r1 k1 k1 k2 k3",
        "r1 r1 r2 k2 r3",
        "r1 r1 k2 k3 k4",
        "r1 r2 k3 k4 k6",
    ]
    hands = [made(text) for text in ladder]
    assert hands == sorted(hands, reverse=True)
    assert [h.rank for h in hands] == sorted(Rank, reverse=True)


def test_holdem_6_seven_dice_always_make_two_pairs_or_more() -> None:
    least = min(
        to_hand(int(strengths([[0, 1, 2, 3, 0, 1, 2]], [faces])[0])).rank for faces, _ in rolls(7)
    )
    assert least is Rank.TWO_PAIRS


# 7. Ties.


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        # The dice of the combination, most significant first.
        ("r3 k3 w3 y3 r1", "r2 k2 w2 y2 r6"),
        ("r3 k3 w3 y3 r2", "r3 k3 w3 y3 r1"),
        ("r4 k4 w4 y3 r3", "r2 k2 w2 y6 r6"),
        ("r4 k4 w4 y3 r3", "r4 k4 w4 y2 r2"),
        ("r6 k6 w1 y1 r2", "r5 k5 w4 y4 r6"),
        ("r6 k6 w2 y2 r1", "r6 k6 w1 y1 r5"),
        ("r6 k6 w2 y2 r3", "r6 k6 w2 y2 r1"),
        ("r6 k5 w4 y3 r2", "r5 k4 w3 y2 r1"),
        ("r6 r5 r1 r1 r1", "k6 k4 k4 k4 k4"),
        ("r6 r5 r4 r1 r1", "k6 k5 k3 k3 k3"),
        ("r3 k3 w3 y6 r1", "r3 k3 w3 y5 r4"),
        ("r3 k3 w3 y6 r2", "r3 k3 w3 y6 r1"),
        ("r6 r6 r6 r6 k6", "r5 r5 r5 r5 k5"),
        ("r6 r5 r4 r3 r2", "k1 k2 k3 k4 k5"),
        # Then the most dice of one colour.
        ("r4 r4 r4 r3 k3", "r4 r4 k4 w3 k3"),
        ("r6 r5 r4 y3 y2", "r6 r5 k4 y3 w2"),
        ("r6 r6 r6 r6 k6", "r6 r6 r6 k6 k6"),
    ],
)
def test_holdem_7_ties(better: str, worse: str) -> None:
    assert made(better) > made(worse)


def test_holdem_7_equal_hands_split() -> None:
    assert made("r6 r5 k4 y3 w2") == made("w6 k5 y4 k3 r2")
    assert not made("r6 r5 k4 y3 w2") > made("w6 k5 y4 k3 r2")


def test_holdem_7_only_colours_within_the_five_count() -> None:
    # Four red dice, but only two of them can be in the straight.
    assert made("r6 k5 w4 y3 r2 r1 r1").alike == 2


def test_holdem_7_of_equal_fives_the_best_for_the_player_counts() -> None:
    # Either 4 makes the straight: the red one makes it four of a colour.
    found, five = best_five(dice("r6 r5 k4 r4 r3 w2 w1"))
    assert found == Hand(Rank.STRAIGHT, (6, 5, 4, 3, 2), 4)
    assert ShownDie(DieKind.RED, 4) in five
    # Three pairs: the fifth die may be of either colour.
    assert made("r6 k6 r5 k5 k1 w4 k4").alike == 3


def test_holdem_7_three_pairs_leave_the_third_as_the_fifth_die() -> None:
    assert made("r6 k6 r5 k5 w4 y4 r1").faces == (6, 6, 5, 5, 4)


def test_holdem_7_two_threes_make_a_full_house_of_the_higher() -> None:
    assert made("r5 k5 w5 r6 k6 w6 y1") == Hand(Rank.FULL_HOUSE, (6, 6, 6, 5, 5), 2)


def test_a_bag_has_five_of_each_colour() -> None:
    assert surplus_colour(dice("r1 r2 r3 r4 r5 k1")) is None
    assert surplus_colour(dice("r1 r2 r3 r4 r5 r6")) is DieKind.RED


@pytest.mark.parametrize(
    "die",
    [
        ShownDie(DieKind.POWER, 1),
        ShownDie(DieKind.RED, 0),
        ShownDie(DieKind.RED, 7),
        ShownDie(DieKind.RED, True),
        (DieKind.RED, 1),
        ShownDie("red", 1),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_die_of_the_bag(die: object) -> None:
    assert not is_bag_die(die)


# The oracle: every five of the seven, evaluated by the wording of the rules alone.


@cache
def evaluated(five: tuple[tuple[int, int], ...]) -> tuple[int, tuple[int, ...], int]:
    """The worth of five dice (colour, face): index in `RANKS`, deciding faces, most of a colour."""
    faces = sorted(face for _, face in five)
    colours = Counter(colour for colour, _ in five)
    of_face = Counter(faces)
    flush = len(colours) == 1
    straight = faces in ([1, 2, 3, 4, 5], [2, 3, 4, 5, 6])
    shape = sorted(of_face.values())
    down = tuple(reversed(faces))
    grouped = tuple(sorted(faces, key=lambda face: (-of_face[face], -face)))
    if shape == [5] and flush:
        name, decides = "ff", down
    elif straight and flush:
        name, decides = "sf", down
    elif shape == [5]:
        name, decides = "five", down
    elif flush:
        name, decides = "flush", down
    elif shape == [1, 4]:
        name, decides = "four", grouped
    elif straight:
        name, decides = "straight", down
    elif shape == [2, 3]:
        name, decides = "full house", grouped
    elif shape == [1, 1, 3]:
        name, decides = "three", grouped
    elif shape == [1, 2, 2]:
        name, decides = "two pairs", grouped
    else:
        name, decides = ("pair" if 2 in shape else "nothing"), grouped
    return RANKS.index(name), decides, max(colours.values())


def slow(suits: NDArray[np.int64], faces: NDArray[np.int64]) -> tuple[int, tuple[int, ...], int]:
    # Sorted, so that each five is evaluated once for all hands that contain it.
    seven = sorted(zip(suits.tolist(), faces.tolist(), strict=True))
    return max(evaluated(five) for five in combinations(seven, 5))


def random_hands(count: int, seed: int, size: int = 7) -> tuple[NDArray[np.int64], ...]:
    """Colours and faces of dice drawn from the bag and thrown."""
    rng = np.random.default_rng(seed)
    bag = np.repeat(np.arange(len(SUITS)), DICE_PER_SUIT)
    drawn = np.argsort(rng.random((count, len(bag))), axis=1)[:, :size]
    return bag[drawn], rng.integers(1, 7, (count, size))


def check_all(suits: NDArray[np.int64], faces: NDArray[np.int64]) -> None:
    for worth, *row in zip(strengths(suits, faces).tolist(), suits, faces, strict=True):
        found = to_hand(worth)
        assert (found.rank, found.faces, found.alike) == slow(*row), row


@pytest.mark.parametrize("size", [5, 6, 7])
def test_fast_against_slow(size: int) -> None:
    check_all(*random_hands(2_000, seed=size, size=size))


@pytest.mark.slow
def test_fast_against_slow_on_many_hands() -> None:
    check_all(*random_hands(examples(10_000, 100_000), seed=11))


def test_fast_against_slow_where_flushes_are() -> None:
    # Flushes are rare in random draws: here every hand has five dice of one colour.
    suits, faces = random_hands(1_000, seed=5)
    suits[:, :5] = suits[:, :1]
    suits[:, 5:] = (suits[:, :1] + 1 + np.arange(2)) % 4
    faces[::3, :4] = faces[::3, :1]
    faces[1::3, :5] = np.arange(1, 6) + (faces[1::3, :1] > 3)
    check_all(suits, faces)


DICE = st.builds(ShownDie, st.sampled_from(SUITS), st.integers(1, 6))
SEVEN = st.lists(DICE, min_size=7, max_size=7).map(tuple)


@given(SEVEN, st.integers(5, 7))
def test_one_by_one_is_the_same_as_by_the_array(seven: tuple[ShownDie, ...], size: int) -> None:
    some = seven[:size]
    suits = [[SUITS.index(die.kind) for die in some]]
    worth = strengths(suits, [[die.face for die in some]])[0]
    found, five = best_five(some)
    assert to_hand(int(worth)) == found == hand_of_five(five)
    assert from_hand(found) == worth


@given(SEVEN, SEVEN)
def test_numbers_compare_as_hands_do(one: tuple[ShownDie, ...], two: tuple[ShownDie, ...]) -> None:
    a, b = best_five(one)[0], best_five(two)[0]
    assert (a > b) == (from_hand(a) > from_hand(b))
    assert (a == b) == (from_hand(a) == from_hand(b))


def test_the_order_of_the_dice_and_the_names_of_the_colours_do_not_matter() -> None:
    suits, faces = random_hands(5_000, seed=3)
    worth = strengths(suits, faces)
    turned = np.random.default_rng(4).permuted(np.arange(7))
    assert np.array_equal(worth, strengths(suits[:, turned], faces[:, turned]))
    assert np.array_equal(worth, strengths((suits + 1) % 4, faces))


@pytest.mark.parametrize(
    ("suits", "faces", "words"),
    [
        ([0, 1, 2, 3, 0], [1, 2, 3, 4, 5], "one shape"),
        ([[0] * 4], [[1] * 4], "one shape"),
        ([[0] * 8], [[1] * 8], "one shape"),
        ([[0] * 5], [[1] * 6], "one shape"),
        ([[0, 1, 2, 3, 4]], [[1] * 5], "colours from 0 to 3"),
        ([[0] * 5], [[0, 1, 2, 3, 4]], "faces from 1 to 6"),
        ([[0] * 5], [[1.0] * 5], "whole numbers"),
    ],
)
def test_the_fast_evaluator_refuses_what_is_no_dice(
    suits: list[list[int]], faces: list[list[int]], words: str
) -> None:
    with pytest.raises(RulesError, match=words):
        strengths(suits, faces)


def test_no_hands_are_no_error() -> None:
    none = np.zeros((0, 7), int)
    assert strengths(none, none).shape == (0,)
