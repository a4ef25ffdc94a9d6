"""The worth of every position of Classic between two turns, in a file of less than half a MB.

The values of `scripts.solving.solver.Solution` are rounded to steps of 1/224 point. Rows are
positions (the mask of open boxes, and whether the five-alike box holds 50), columns upper sums.
Stored are the differences between columns and between rows, low and high bytes separately, which
packs well. Upper sums that a row cannot have repeat the highest it can.

A value is wrong by at most half a step. A turn ends with one value, so play by rounded values gives
away at most one step, 0.0045 points, in each of the thirteen turns: less than 0.06 of the 254.59
points of a game.
"""

from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from appliance.rules.classic.game import Box, Sheet

BOXES = len(Box)
MASKS = 1 << BOXES
SUMS = 64
"""Upper sums 0 to 63; the last stands for all above it, too."""
OPEN, ZERO, FIFTY = range(3)
"""What the five-alike box holds."""
FILLED: tuple[int | None, ...] = (None, 0, 50)

STEPS = 224
"""Steps per point: the greatest value, 288.1, still fits into 16 bits."""
FILE = "classic_values.npz"
FREE = np.array([mask for mask in range(MASKS) if not mask >> Box.FIVE_ALIKE & 1])
"""The masks in which the five-alike box is filled: only there can it hold 50."""
BYTE = 8


def holds(sheet: Sheet) -> int:
    """What the five-alike box of a sheet holds: `OPEN`, `ZERO` or `FIFTY`."""
    return FILLED.index(sheet.boxes[Box.FIVE_ALIKE])


def unpack(low: NDArray[np.uint8], high: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """Values in steps, (2, 8192, 64) as `Solution.values`; 0 where the box cannot hold 50."""
    columns = low | high.astype(np.uint16) << BYTE
    columns[0] = np.cumsum(columns[0], dtype=np.uint16)
    rows = np.cumsum(columns, axis=0, dtype=np.uint16).T
    steps = np.zeros((2, MASKS, SUMS), np.uint16)
    steps[0] = rows[:MASKS]
    steps[1, FREE] = rows[MASKS:]
    return steps


@cache
def load() -> NDArray[np.uint16]:
    """The values in the shipped file, in steps; 2 MB, read once."""
    source = files("appliance.strategy.classic") / FILE
    with source.open("rb") as stream, np.load(stream) as arrays:
        return unpack(arrays["low"], arrays["high"])
