"""Hands of Hold'em by the hundred thousand: the best five of each row of an array, with NumPy.

All that matters is how many dice show each face, in total and in each colour. The best hand by
faces alone is looked up by the counts of the faces; so is the best flush, by the counts within the
one colour that has five dice. Of many equal fives the one with the most dice of one colour counts:
with `need[f]` dice of face f in the hand, colour s can contribute `min(need[f], have[s, f])`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, combinations_with_replacement

import numpy as np
from numpy.typing import ArrayLike, NDArray

from games.dice import FACES, FIVE_DICE, face_counts
from games.holdem.evaluator import SUITS, Hand, Rank, hand_of_five
from games.values import DieKind, RulesError, ShownDie

MAX_DICE = 7
"""How many a player chooses five from."""

_COUNT_BITS = 3
"""A count of up to seven dice fits into three bits, and so does a face."""
_COUNT_CODES = 1 << _COUNT_BITS * len(FACES)
_COUNT_WEIGHTS = 1 << _COUNT_BITS * np.arange(len(FACES))


def strengths(suits: ArrayLike, faces: ArrayLike) -> NDArray[np.int32]:
    """(hands,) the worth of the best five dice of each row: the greater wins, equal ones tie.

    Takes (hands, 5 to 7) colours, from 0 in the order of `SUITS`, and faces; `to_hand` says what a
    number stands for. RulesError for another shape, or for impossible colours and faces.
    """
    suit, face = np.asarray(suits), np.asarray(faces)
    _check_arrays(suit, face)
    rows = len(face)
    cells = len(FACES) * len(SUITS)
    where = np.arange(rows)[:, None] * cells + suit * len(FACES) + (face - 1)
    have = np.bincount(where.ravel(), minlength=rows * cells).reshape(rows, len(SUITS), len(FACES))
    tables = _lookup_tables()
    found = tables.row[have.sum(axis=1) @ _COUNT_WEIGHTS]
    alike = np.minimum(have, tables.need[found][:, None, :]).sum(axis=2).max(axis=1)
    worth: NDArray[np.int32] = tables.plain[found] + alike.astype(np.int32)
    in_suit = have.sum(axis=2)
    flushes = np.flatnonzero(in_suit.max(axis=1) >= FIVE_DICE)
    if len(flushes):
        # At most seven dice: no second colour can have five.
        suited = have[flushes, in_suit[flushes].argmax(axis=1)]
        flush = tables.suited[tables.row[suited @ _COUNT_WEIGHTS]]
        worth[flushes] = np.maximum(worth[flushes], flush)
    return worth


def to_hand(strength: int) -> Hand:
    """The hand that a number of `strengths` stands for."""
    mask = (1 << _COUNT_BITS) - 1
    faces = tuple(strength >> _COUNT_BITS * (FIVE_DICE - i) & mask for i in range(FIVE_DICE))
    return Hand(Rank(strength >> _COUNT_BITS * (FIVE_DICE + 1)), faces, strength & mask)


def from_hand(hand: Hand) -> int:
    """The number that stands for a hand; greater for the better hand."""
    number = int(hand.rank)
    for face in hand.faces:
        number = number << _COUNT_BITS | face
    return number << _COUNT_BITS | hand.alike


def _check_arrays(suits: NDArray[np.generic], faces: NDArray[np.generic]) -> None:
    if suits.shape != faces.shape or faces.ndim != 2 or not FIVE_DICE <= faces.shape[1] <= MAX_DICE:
        raise RulesError(
            f"expected colours and faces of one shape (hands, {FIVE_DICE} to {MAX_DICE}), "
            f"got {suits.shape} and {faces.shape}"
        )
    for name, values, low, high in (("colours", suits, 0, len(SUITS) - 1), ("faces", faces, 1, 6)):
        if not np.issubdtype(values.dtype, np.integer):
            raise RulesError(f"expected {name} as whole numbers, got {values.dtype}")
        if values.size and not low <= int(values.min()) <= int(values.max()) <= high:
            raise RulesError(f"expected {name} from {low} to {high}, got others")


@dataclass(frozen=True, slots=True)
class _Tables:
    """Hands by counts of faces: `row`, by three bits for each face, finds the row in the others.

    `plain` is the best hand whatever the colours, as a number with no dice of one colour; it takes
    `need` (rows, 6) dice of each face. `suited` is the best one when all dice have one colour.
    """

    row: NDArray[np.int16]
    plain: NDArray[np.int32]
    need: NDArray[np.int64]
    suited: NDArray[np.int32]


@cache
def _lookup_tables() -> _Tables:
    sizes = range(FIVE_DICE, MAX_DICE + 1)
    rolls = [roll for dice in sizes for roll in combinations_with_replacement(FACES, dice)]
    row = np.zeros(_COUNT_CODES, np.int16)
    row[np.array([face_counts(roll) for roll in rolls]) @ _COUNT_WEIGHTS] = np.arange(len(rolls))
    # Five dice of four colours are not a flush.
    plain = [
        number >> _COUNT_BITS << _COUNT_BITS for number in _best_hands(rolls, (*SUITS, SUITS[0]))
    ]
    need = np.array([face_counts(to_hand(number).faces) for number in plain])
    suited = _best_hands(rolls, (SUITS[0],) * FIVE_DICE)
    return _Tables(row, np.array(plain, np.int32), need, np.array(suited, np.int32))


def _best_hands(rolls: Sequence[tuple[int, ...]], kinds: Sequence[DieKind]) -> list[int]:
    """The best hand of each roll (ascending faces), as a number; five dice get these colours."""
    made = {
        five: from_hand(hand_of_five([ShownDie(*die) for die in zip(kinds, five, strict=True)]))
        for five in combinations_with_replacement(FACES, FIVE_DICE)
    }
    return [max(made[five] for five in combinations(roll, FIVE_DICE)) for roll in rolls]
