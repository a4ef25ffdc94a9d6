"""Hands of Hold'em by the hundred thousand: the best five of each row of an array, with NumPy.

What matters of some dice is how many show each face, in all and in each colour. The best hand by
faces alone is looked up by the counts of the faces; so is the best flush by the counts within the
one colour that has five dice. Of the many equal fives the one with the most dice of a colour
counts: with `need[f]` dice of face f in the hand, colour s can give `min(need[f], have[s, f])`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import ArrayLike, NDArray

from appliance.rules.dice import FACES, FIVE, counts
from appliance.rules.game import RulesError
from appliance.rules.holdem.evaluator import SUITS, Hand, Rank

MOST = 7
"""The most dice that a player can choose five from."""

_BITS = 3
"""A count of up to seven dice and a face fit into three bits."""
_CODES = 1 << _BITS * len(FACES)
_WEIGHTS = 1 << _BITS * np.arange(len(FACES))


def strengths(suits: ArrayLike, faces: ArrayLike) -> NDArray[np.int32]:
    """(hands,) the worth of the best five dice of each row: the greater wins, equal ones tie.

    Of (hands, 5 to 7) colours, from 0 in the order of `SUITS`, and faces; `to_hand` says what a
    number stands for. RulesError for another shape, or for colours and faces that cannot be.
    """
    suit, face = np.asarray(suits), np.asarray(faces)
    _check(suit, face)
    rows = len(face)
    cells = len(FACES) * len(SUITS)
    where = np.arange(rows)[:, None] * cells + suit * len(FACES) + (face - 1)
    have = np.bincount(where.ravel(), minlength=rows * cells).reshape(rows, len(SUITS), len(FACES))
    tables = _tables()
    found = tables.row[have.sum(axis=1) @ _WEIGHTS]
    alike = np.minimum(have, tables.need[found][:, None, :]).sum(axis=2).max(axis=1)
    worth: NDArray[np.int32] = tables.plain[found] + alike.astype(np.int32)
    in_suit = have.sum(axis=2)
    flushes = np.flatnonzero(in_suit.max(axis=1) >= FIVE)
    if len(flushes):
        # At most seven dice: no second colour can have five.
        suited = have[flushes, in_suit[flushes].argmax(axis=1)]
        flush = tables.suited[tables.row[suited @ _WEIGHTS]]
        worth[flushes] = np.maximum(worth[flushes], flush)
    return worth


def to_hand(strength: int) -> Hand:
    """The hand that a number of `strengths` stands for."""
    mask = (1 << _BITS) - 1
    faces = tuple(strength >> _BITS * (FIVE - i) & mask for i in range(FIVE))
    return Hand(Rank(strength >> _BITS * (FIVE + 1)), faces, strength & mask)


def from_hand(hand: Hand) -> int:
    """The number that stands for a hand; greater for the better hand."""
    number = int(hand.rank)
    for face in hand.faces:
        number = number << _BITS | face
    return number << _BITS | hand.alike


def _check(suits: NDArray[np.generic], faces: NDArray[np.generic]) -> None:
    if suits.shape != faces.shape or faces.ndim != 2 or not FIVE <= faces.shape[1] <= MOST:
        raise RulesError(
            f"expected colours and faces of one shape (hands, {FIVE} to {MOST}), "
            f"got {suits.shape} and {faces.shape}"
        )
    for name, values, low, high in (("colours", suits, 0, len(SUITS) - 1), ("faces", faces, 1, 6)):
        if not np.issubdtype(values.dtype, np.integer):
            raise RulesError(f"expected {name} as whole numbers, got {values.dtype}")
        if values.size and not low <= int(values.min()) <= int(values.max()) <= high:
            raise RulesError(f"expected {name} from {low} to {high}, got others")


@dataclass(frozen=True, slots=True)
class _Tables:
    """What counts of faces make: the row of the other tables, by three bits for each face.

    `plain` is the best hand whatever the colours, as a number with no dice of one colour; it takes
    `need` (rows, 6) dice of each face. `suited` is the best one when all dice have one colour.
    """

    row: NDArray[np.int16]
    plain: NDArray[np.int32]
    need: NDArray[np.int64]
    suited: NDArray[np.int32]


@cache
def _tables() -> _Tables:
    rolls = [
        roll for n in range(FIVE, MOST + 1) for roll in combinations_with_replacement(FACES, n)
    ]
    row = np.zeros(_CODES, np.int16)
    row[np.array([counts(roll) for roll in rolls]) @ _WEIGHTS] = np.arange(len(rolls))
    plain = [_by_faces(roll) for roll in rolls]
    return _Tables(
        row,
        np.array([from_hand(hand) for hand in plain], np.int32),
        np.array([counts(hand.faces) for hand in plain]),
        np.array([from_hand(_by_suit(roll)) for roll in rolls], np.int32),
    )


def _by_faces(roll: Sequence[int]) -> Hand:
    """The best hand of five to seven dice when the colours are all different."""
    groups = sorted(((roll.count(face), face) for face in set(roll)), reverse=True)
    most, face = groups[0]
    pairs = [f for n, f in groups[1:] if n >= 2]
    if most >= FIVE:
        return Hand(Rank.FIVE_ALIKE, (face,) * FIVE, 0)
    if most == 4:
        return Hand(Rank.FOUR_ALIKE, _filled(roll, face, face, face, face), 0)
    if straight := _straight(roll):
        return Hand(Rank.STRAIGHT, straight, 0)
    if most == 3:
        if pairs:
            return Hand(Rank.FULL_HOUSE, (face,) * 3 + (max(pairs),) * 2, 0)
        return Hand(Rank.THREE_ALIKE, _filled(roll, face, face, face), 0)
    if most == 2:
        rank = Rank.TWO_PAIRS if pairs else Rank.PAIR
        return Hand(rank, _filled(roll, face, face, *pairs[:1] * 2), 0)
    return Hand(Rank.NOTHING, _filled(roll), 0)


def _by_suit(roll: Sequence[int]) -> Hand:
    """The best hand of five to seven dice of one colour."""
    plain = _by_faces(roll)
    if plain.rank is Rank.FIVE_ALIKE:
        return Hand(Rank.FIVE_FLUSH, plain.faces, FIVE)
    if straight := _straight(roll):
        return Hand(Rank.STRAIGHT_FLUSH, straight, FIVE)
    return Hand(Rank.FLUSH, tuple(sorted(roll, reverse=True)[:FIVE]), FIVE)


def _straight(roll: Sequence[int]) -> tuple[int, ...]:
    """The highest five in sequence, from the highest down; empty when there is none."""
    for high in (6, 5):
        run = tuple(range(high, high - FIVE, -1))
        if set(run) <= set(roll):
            return run
    return ()


def _filled(roll: Sequence[int], *fixed: int) -> tuple[int, ...]:
    """Five faces: the fixed ones, then the highest of the others."""
    left = sorted((face for face in roll if face not in fixed), reverse=True)
    return (*fixed, *left[: FIVE - len(fixed)])
