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

from games.classic import Box, Sheet

BOXES = len(Box)
OPEN_MASKS = 1 << BOXES
UPPER_SUMS = 64
"""Upper sums 0 to 63; the last stands for all above it, too."""
OPEN, ZERO, FIFTY = range(3)
"""The states of the five-alike box, by what it holds."""
FIVE_ALIKE_SCORES: tuple[int | None, ...] = (None, 0, 50)

STEPS_PER_POINT = 224
"""The greatest value, 288.1, still fits into 16 bits."""
CLASSIC_VALUES_FILE = "classic_values.npz"
FIVE_ALIKE_FILLED_MASKS = np.array(
    [mask for mask in range(OPEN_MASKS) if not mask >> Box.FIVE_ALIKE & 1]
)
"""Of open boxes; only in these can the five-alike box hold 50."""
BITS_PER_BYTE = 8


def five_alike_state(sheet: Sheet) -> int:
    """The state of a sheet's five-alike box: `OPEN`, `ZERO` or `FIFTY`."""
    return FIVE_ALIKE_SCORES.index(sheet.boxes[Box.FIVE_ALIKE])


def unpack_values(low: NDArray[np.uint8], high: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """Values in steps, (2, 8192, 64) as `Solution.values`; 0 where the box cannot hold 50."""
    columns = low | high.astype(np.uint16) << BITS_PER_BYTE
    columns[0] = np.cumsum(columns[0], dtype=np.uint16)
    rows = np.cumsum(columns, axis=0, dtype=np.uint16).T
    steps = np.zeros((2, OPEN_MASKS, UPPER_SUMS), np.uint16)
    steps[0] = rows[:OPEN_MASKS]
    steps[1, FIVE_ALIKE_FILLED_MASKS] = rows[OPEN_MASKS:]
    return steps


@cache
def load_values() -> NDArray[np.uint16]:
    """The values in the shipped file, in steps; 2 MB, read once."""
    source = files("games.strategy.classic") / CLASSIC_VALUES_FILE
    with source.open("rb") as stream, np.load(stream) as arrays:
        return unpack_values(arrays["low"], arrays["high"])
