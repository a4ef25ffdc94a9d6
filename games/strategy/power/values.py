"""The points a sheet of Power still brings under best play, bonus and all, in a file of 1.1 MB.

`scripts/solve_power.py` computes it exactly for each of the 580,608 sheets and each upper sum. The
best rank-24 approximation of that table is shipped: the product of a factor by upper section (open
slots and sum) and one by lower section. It is off by 0.17 points (root mean square) for sheets that
occur in games.
"""

from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from games.dice import FACES, FIVE_DICE
from games.power.sheet import SLOTS_OF, UPPER_SLOTS, Kind, Sheet, upper_bonus

Ints = NDArray[np.int64]

POWER_VALUES_FILE = "power_values.npz"
UPPER_SUMS = 301
"""Distinct sums of the upper section: from 300 on, all bring the same bonus."""
SUMS_PER_ROW = 448
"""Sums in a row: beyond 300 there is room for what the two halves of a Double can add."""
UPPER_MASKS = 1 << UPPER_SLOTS
LOWER_KINDS = tuple(kind for kind in Kind if SLOTS_OF[kind][0] >= UPPER_SLOTS)
_MAX_SLOT_POINTS = tuple(FIVE_DICE * 3 * number for number in (*FACES, FACES[-1]))
"""The most points of each upper slot."""


def highest_sum(mask: int) -> int:
    """The highest sum that a sheet with these upper slots open can have."""
    filled = (points for slot, points in enumerate(_MAX_SLOT_POINTS) if not mask >> slot & 1)
    return min(UPPER_SUMS - 1, sum(filled))


@dataclass(frozen=True, slots=True)
class Lower:
    """All states of the lower section; `open` (n,) is how many slots are open.

    `score` and `cross` (n, 8) are the state after a score and an X of a kind, -1 where none is
    open; `five` (n,) is the slot that five alike goes into, from 0; `place` holds, by kind, what a
    span of open slots adds to the number of a state.
    """

    open: Ints
    score: Ints
    cross: Ints
    five: Ints
    place: tuple[dict[tuple[int, int], int], ...]


def _spans(kind: Kind) -> list[tuple[int, int]]:
    """The states of a kind: its first open slot, and the one after the last.

    Only the slots of five alike differ; for other kinds only the number counts.
    """
    slots = len(SLOTS_OF[kind])
    if kind is not Kind.FIVE_ALIKE:
        return [(0, high) for high in range(slots + 1)]
    return [(0, 0), *((a, b) for a in range(slots) for b in range(a + 1, slots + 1))]


@cache
def lower_states() -> Lower:
    """All 4,536 states of the lower section."""
    every = [_spans(kind) for kind in LOWER_KINDS]
    digits = np.indices([len(spans) for spans in every]).reshape(len(every), -1)
    number = np.arange(digits.shape[1])
    opened, moved, place = np.zeros_like(number), [], []
    step = len(number)
    for kind, spans, digit in zip(LOWER_KINDS, every, digits, strict=True):
        step //= len(spans)
        at = {span: step * i for i, span in enumerate(spans)}
        five = kind is Kind.FIVE_ALIKE
        for first in (five, False):
            after = [(low + first, high - (not first)) for low, high in spans]
            to = np.array([at.get(span, 0) for span in after])[digit]
            moved.append(np.where(digit > 0, number - step * digit + to, -1))
        opened += np.array([high - low for low, high in spans])[digit]
        place.append(at)
    firsts = np.array([low for low, _ in every[LOWER_KINDS.index(Kind.FIVE_ALIKE)]])
    five_at = firsts[digits[LOWER_KINDS.index(Kind.FIVE_ALIKE)]]
    score, cross = np.array(moved[::2]).T, np.array(moved[1::2]).T
    return Lower(opened, score, cross, five_at, tuple(place))


@lru_cache(maxsize=4096)
def mask_and_state(slots: int) -> tuple[int, int]:
    """The upper mask and the lower state of open slots, as `Sheet.open` has them."""
    state = 0
    for kind, place in zip(LOWER_KINDS, lower_states().place, strict=True):
        left = [i for i, slot in enumerate(SLOTS_OF[kind]) if slots >> slot & 1] or [-1]
        first = left[0] if kind is Kind.FIVE_ALIKE and left[-1] >= 0 else 0
        state += place[first, first + len(left) if left[-1] >= 0 else 0]
    return slots & (UPPER_MASKS - 1), state


class Values(Protocol):
    """The points that sheets will still bring; compared by identity."""

    def __hash__(self) -> int: ...

    def row(self, mask: int, state: int) -> NDArray[np.floating]:
        """(448,) points by upper sum, for an upper mask and a lower state."""
        ...


def points_to_come(values: Values, sheet: Sheet) -> float:
    """The points that a sheet will still bring before its next turn."""
    return float(values.row(*mask_and_state(sheet.open))[min(sheet.upper, UPPER_SUMS - 1)])


class LastTurn:
    """Nothing but the bonus that is earned: the game ends with this turn."""

    def row(self, mask: int, state: int) -> NDArray[np.floating]:
        """(448,) the bonus by upper sum."""
        return _BONUS_BY_SUM


_BONUS_BY_SUM = np.array([float(upper_bonus(total)) for total in range(SUMS_PER_ROW)])


class Packed:
    """The shipped values, as two factors whose products are multiplied by `scale` (24,).

    `steps` (25403, 24) are the row-to-row differences of the factor by mask and sum; `lower` (4536,
    24) is the other factor.
    """

    def __init__(
        self, steps: NDArray[np.int16], lower: NDArray[np.int16], scale: NDArray[np.float32]
    ) -> None:
        upper = np.cumsum(steps, axis=0, dtype=np.int16)
        ends = np.cumsum([highest_sum(mask) + 1 for mask in range(UPPER_MASKS)])
        self._upper = [part * scale for part in np.split(upper, ends[:-1])]
        self._lower = lower.astype(np.float32)
        self._rows = lru_cache(maxsize=512)(self._row)

    def row(self, mask: int, state: int) -> NDArray[np.floating]:
        """(448,) points by upper sum."""
        return self._rows(mask, state)

    def _row(self, mask: int, state: int) -> NDArray[np.floating]:
        known = self._upper[mask] @ self._lower[state]
        return np.concatenate([known, np.full(SUMS_PER_ROW - len(known), known[-1])])


@cache
def load_values() -> Packed:
    """The values in the shipped file, read once."""
    source = files("games.strategy.power") / POWER_VALUES_FILE
    with source.open("rb") as stream, np.load(stream) as arrays:
        return Packed(arrays["steps"], arrays["lower"], arrays["scale"])
