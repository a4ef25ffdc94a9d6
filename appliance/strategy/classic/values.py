"""The worth of every position of Classic between two turns, in a file of less than half a MB.

The values of `classic_solver.Solution` are rounded to steps of 1/224 point. Rows are positions (the
mask of open boxes, and whether the five-alike box holds 50), columns upper sums; what is stored is
the differences from column to column and from row to row, low and high bytes apart, which packs
well. Upper sums that a row cannot have repeat the highest it can.

A value is wrong by at most half a step. A turn ends with one value, so that play by the rounded
ones gives away at most one step, 0.0045 points, in each of the thirteen turns: less than 0.06 of
the 254.59 points of a game.
"""

from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from appliance.rules.classic.game import Box
from appliance.rules.classic.sheet import UPPER
from appliance.rules.dice import FIVE
from appliance.strategy.classic.table import MASKS, SUMS

STEPS = 224
"""Steps to a point: the greatest value, 288.1, still fits into 16 bits."""
FILE = "classic_values.npz"
_FREE = np.array([mask for mask in range(MASKS) if not mask >> Box.FIVE_ALIKE & 1])
"""The masks in which the five-alike box is filled: only there can it hold 50."""
_BYTE = 8


def pack(values: NDArray[np.float64]) -> dict[str, NDArray[np.uint8]]:
    """The arrays of the file.

    Args:
        values: (2, 8192, 64) as `Solution.values`.
    """
    rows = np.concatenate([values[0], values[1, _FREE]])
    masks = np.concatenate([np.arange(MASKS), _FREE])
    for row, mask in zip(rows, masks, strict=True):
        highest = sum(FIVE * (box + 1) for box in range(UPPER) if not mask >> box & 1)
        row[highest + 1 :] = row[min(highest, SUMS - 1)]
    whole = np.round(rows * STEPS)
    if whole.min() < 0 or whole.max() >= 1 << 2 * _BYTE:
        raise ValueError(f"expected values from 0 to {65535 / STEPS:.1f}, got up to {rows.max()}")
    steps = whole.astype(np.uint16)
    # Differences wrap around in 16 bits, and so do the sums that undo them.
    columns = np.diff(steps, axis=1, prepend=np.uint16(0))
    columns[:, 0] = np.diff(steps[:, 0], prepend=np.uint16(0))
    flat = np.ascontiguousarray(columns.T)
    return {"low": flat.astype(np.uint8), "high": (flat >> _BYTE).astype(np.uint8)}


def unpack(low: NDArray[np.uint8], high: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """Values in steps, (2, 8192, 64) as `Solution.values`; 0 where the box cannot hold 50."""
    columns = low | high.astype(np.uint16) << _BYTE
    columns[0] = np.cumsum(columns[0], dtype=np.uint16)
    rows = np.cumsum(columns, axis=0, dtype=np.uint16).T
    steps = np.zeros((2, MASKS, SUMS), np.uint16)
    steps[0] = rows[:MASKS]
    steps[1, _FREE] = rows[MASKS:]
    return steps


def save(values: NDArray[np.float64], path: Path) -> None:
    """Writes the file, so that equal values give equal bytes."""
    np.savez_compressed(path, allow_pickle=False, **pack(values))


@cache
def load() -> NDArray[np.uint16]:
    """The values of the file that is shipped, in steps; 2 MB, read once."""
    source = files("appliance.strategy.classic") / FILE
    with source.open("rb") as stream, np.load(stream) as arrays:
        return unpack(arrays["low"], arrays["high"])
