"""What a sheet of Power will still bring under best play, bonus and all, in a file of 1.1 MB.

`scripts/solve_power.py` knows it exactly for each of the 580,608 sheets and each upper sum. Shipped
is the best approximation of rank 24 to that table: the product of a factor by upper section (open
slots and sum) and one by lower section. It is off by 0.17 points (root mean square) where games
come by.
"""

from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import product
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from appliance.rules.dice import FACES, FIVE
from appliance.rules.power.sheet import SLOTS_OF, UPPER, Kind, Sheet, upper_bonus

Ints = NDArray[np.int64]

FILE = "power_values.npz"
SUMS = 301
"""Sums of the upper section that differ: from 300 on, all bring the same bonus."""
LENGTH = 448
"""Sums that a row has: behind 300 there is room for what the two halves of a Double can add."""
MASKS = 1 << UPPER
LOWER_KINDS = tuple(kind for kind in Kind if SLOTS_OF[kind][0] >= UPPER)
_MOST = tuple(FIVE * 3 * number for number in (*FACES, FACES[-1]))
"""The most points of each upper slot."""


def highest_sum(mask: int) -> int:
    """The highest sum that can stand on a sheet with these upper slots open."""
    filled = (points for slot, points in enumerate(_MOST) if not mask >> slot & 1)
    return min(SUMS - 1, sum(filled))


@dataclass(frozen=True, slots=True)
class Lower:
    """All states of the lower section: which slots of each kind are open.

    Attributes:
        open: (n,) how many slots are open.
        score: (n, 8) the state after a score of a kind, -1 where no slot is open.
        cross: (n, 8) the state after an X of a kind, the same.
        five: (n,) which slot five alike goes into, from 0.
        index: where a state stands, by the first open slot of each kind and that behind the last.
    """

    open: Ints
    score: Ints
    cross: Ints
    five: Ints
    index: dict[tuple[tuple[int, int], ...], int]


def _spans(kind: Kind) -> list[tuple[int, int]]:
    """The states of one kind. Only the slots of five alike differ; of others the number counts."""
    slots = len(SLOTS_OF[kind])
    if kind is not Kind.FIVE_ALIKE:
        return [(0, high) for high in range(slots + 1)]
    return [(0, 0), *((a, b) for a in range(slots) for b in range(a + 1, slots + 1))]


@cache
def lower() -> Lower:
    """All 4,536 states of the lower section."""
    every = list(product(*map(_spans, LOWER_KINDS)))
    index = {state: at for at, state in enumerate(every)}
    score, cross = (np.full((len(every), len(LOWER_KINDS)), -1) for _ in range(2))
    for at, state in enumerate(every):
        for kind, (low, high) in enumerate(state):
            if low == high:
                continue
            scored = (low + 1, high) if LOWER_KINDS[kind] is Kind.FIVE_ALIKE else (low, high - 1)
            for table, left in ((score, scored), (cross, (low, high - 1))):
                left = left if left[0] < left[1] else (0, 0)
                table[at, kind] = index[(*state[:kind], left, *state[kind + 1 :])]
    opened = np.array([sum(high - low for low, high in state) for state in every])
    five = np.array([state[LOWER_KINDS.index(Kind.FIVE_ALIKE)][0] for state in every])
    return Lower(opened, score, cross, five, index)


@lru_cache(maxsize=4096)
def index_of(slots: int) -> tuple[int, int]:
    """The upper mask and the lower state of open slots, as `Sheet.open` has them."""
    spans = []
    for kind in LOWER_KINDS:
        left = [i for i, slot in enumerate(SLOTS_OF[kind]) if slots >> slot & 1]
        span = (left[0], left[-1] + 1) if left else (0, 0)
        spans.append(span if kind is Kind.FIVE_ALIKE else (0, span[1] - span[0]))
    return slots & (MASKS - 1), lower().index[tuple(spans)]


class Values(Protocol):
    """What sheets will still bring; compared by identity."""

    def __hash__(self) -> int: ...

    def row(self, mask: int, state: int) -> NDArray[np.floating]:
        """(448,) points by upper sum, for an upper mask and a lower state."""
        ...


def to_come(values: Values, sheet: Sheet) -> float:
    """What a sheet will still bring before its next turn."""
    return float(values.row(*index_of(sheet.open))[min(sheet.upper, SUMS - 1)])


class LastTurn:
    """Nothing but the bonus that is earned: the game ends with this turn."""

    def row(self, mask: int, state: int) -> NDArray[np.floating]:
        """(448,) the bonus by upper sum."""
        return _bonus()


@cache
def _bonus() -> NDArray[np.float64]:
    return np.array([float(upper_bonus(total)) for total in range(LENGTH)])


class Packed:
    """The values that are shipped.

    Args:
        steps: (25403, 24) the differences, from row to row, of the factor by mask and sum.
        lower: (4536, 24) the factor by lower state.
        scale: (24,) what their products are multiplied by.
    """

    def __init__(
        self, steps: NDArray[np.int16], lower: NDArray[np.int16], scale: NDArray[np.float32]
    ) -> None:
        upper = np.cumsum(steps, axis=0, dtype=np.int16)
        ends = np.cumsum([highest_sum(mask) + 1 for mask in range(MASKS)])
        self._upper = [part * scale for part in np.split(upper, ends[:-1])]
        self._lower = lower.astype(np.float32)
        self._rows = lru_cache(maxsize=2048)(self._row)

    def row(self, mask: int, state: int) -> NDArray[np.floating]:
        """(448,) points by upper sum."""
        return self._rows(mask, state)

    def _row(self, mask: int, state: int) -> NDArray[np.floating]:
        known = self._upper[mask] @ self._lower[state]
        return np.concatenate([known, np.full(LENGTH - len(known), known[-1])])


@cache
def load() -> Packed:
    """The values of the file that is shipped, read once."""
    source = files("appliance.strategy.power") / FILE
    with source.open("rb") as stream, np.load(stream) as arrays:
        return Packed(arrays["steps"], arrays["lower"], arrays["scale"])
