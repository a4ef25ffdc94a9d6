"""A turn of five dice, any of which may be thrown again: the arithmetic of what to keep.

A *hand* is five dice, a *keep* any number of them from none to five, both without order. All
arrays have keeps along their first axis, in the order of `KEEPS`: by number of dice, so that the
hands are the last `len(HANDS)` of them. A keep with the rest thrown again is worth the mean over
the six faces of one more die: so the worth of all keeps follows from that of the hands in five
steps, and the best keep within a hand in five more.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.dice import FACES, FIVE_DICE, rolls
from games.values import Choice, Keep

KEEPS: tuple[tuple[int, ...], ...] = tuple(
    faces for dice in range(FIVE_DICE + 1) for faces, _ in rolls(dice)
)
"""All 462 keeps, ascending faces."""
HANDS: tuple[tuple[int, ...], ...] = tuple(faces for faces, _ in rolls(FIVE_DICE))
"""All 252 hands, ascending faces."""
FIRST_HAND_INDEX = len(KEEPS) - len(HANDS)
KEEP_INDEX = {faces: i for i, faces in enumerate(KEEPS)}

Floats = NDArray[np.float64]
_Steps = tuple[tuple[slice, tuple[NDArray[np.intp], ...]], ...]


def _keeps_with_one_more_die(faces: Sequence[int]) -> list[int]:
    """The six keeps with one more die."""
    return [KEEP_INDEX[tuple(sorted((*faces, face)))] for face in FACES]


def _keeps_with_one_die_fewer(faces: Sequence[int]) -> list[int]:
    """The keeps with one die fewer, one for each die, some of them equal."""
    return [KEEP_INDEX[(*faces[:i], *faces[i + 1 :])] for i in range(len(faces))]


def _steps_by_size(
    sizes: Sequence[int], neighbours: Callable[[Sequence[int]], list[int]]
) -> _Steps:
    steps = []
    for size in sizes:
        block = [i for i, faces in enumerate(KEEPS) if len(faces) == size]
        table = np.array([neighbours(KEEPS[i]) for i in block], dtype=np.intp)
        steps.append((slice(block[0], block[-1] + 1), tuple(table.T)))
    return tuple(steps)


_THROW_STEPS = _steps_by_size(range(FIVE_DICE - 1, -1, -1), _keeps_with_one_more_die)
FEWER_DICE_STEPS = _steps_by_size(range(1, FIVE_DICE + 1), _keeps_with_one_die_fewer)


def expected_worth(hands: NDArray[Any], out: NDArray[Any] | None = None) -> NDArray[Any]:
    """(462, ...) what each keep is worth when the other dice are thrown, into `out` if given."""
    worth = np.empty((len(KEEPS), *hands.shape[1:]), hands.dtype) if out is None else out
    worth[FIRST_HAND_INDEX:] = hands
    for block, one_more in _THROW_STEPS:
        total = worth[one_more[0]]
        for index in one_more[1:]:
            total += worth[index]
        worth[block] = total / len(FACES)
    return worth


def best_keep_worth(keeps: NDArray[Any]) -> NDArray[Any]:
    """(252, ...) what each hand is worth by its best keep; `keeps` is used as scratch space."""
    for block, one_less in FEWER_DICE_STEPS:
        most = keeps[block]
        for index in one_less:
            np.maximum(most, keeps[index], out=most)
    return keeps[FIRST_HAND_INDEX:]


SLOT_SUBSETS: tuple[tuple[int, ...], ...] = tuple(
    slots for n in range(FIVE_DICE, -1, -1) for slots in combinations(range(FIVE_DICE), n)
)
"""All ways to hold some of five dice by slot, most dice first."""


def keep_worth(hands: Floats, throws: int) -> Floats:
    """(462, ...) what keeps are worth under best play with `throws` throws left, one or more.

    A hand may be used as it lies after any throw, so its worth never falls.
    """
    worth = expected_worth(hands)
    for _ in range(throws - 1):
        worth = expected_worth(best_keep_worth(worth).copy())
    return worth


def weighed_keeps(worth: Floats, dice: Sequence[int]) -> dict[Choice, float]:
    """The worth of each way to hold some of five dice for the next throw, by `keep_worth`."""
    kept = {
        slots: KEEP_INDEX[tuple(sorted(dice[slot] for slot in slots))] for slots in SLOT_SUBSETS[1:]
    }
    return {Keep(slots): float(worth[keep]) for slots, keep in kept.items()}


def best_use_worth(uses: Iterable[tuple[Any, Any]], least: float = 0.0) -> Floats:
    """(252,) what hands are worth in their best use; a use is which hands, and their worth."""
    most = np.full(len(HANDS), least)
    for hands, worth in uses:
        most[hands] = np.maximum(most[hands], worth)
    return most
