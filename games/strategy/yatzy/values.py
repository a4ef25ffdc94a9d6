"""The worth of every position of Yatzy between two turns.

Between turns only two things matter: the open boxes, and the upper sum up to 63. A position is
worth the best expected number of points still to come, the upper bonus among them until it is
earned. Values are rounded to steps of 1/200 point: a turn ends with one value, so play by them
gives away at most one step, 0.005 points, in each of the fifteen turns.

Stored are the differences between columns and between rows, low and high bytes separately, which
packs well. `scripts/solve_yatzy.py` makes the file.
"""

from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from games.boxes import UPPER_BONUS_FROM
from games.yatzy import Box

OPEN_MASKS = 1 << len(Box)
UPPER_SUMS = UPPER_BONUS_FROM + 1
"""Upper sums 0 to 63; the last stands for all above it, too."""
STEPS_PER_POINT = 200
YATZY_VALUES_FILE = "yatzy_values.npz"
_BITS_PER_BYTE = 8


def pack_values(values: NDArray[np.float64]) -> dict[str, NDArray[np.uint8]]:
    """The arrays of the file.

    Args:
        values: (32768, 64) points to come, by mask of open boxes and upper sum.
    """
    steps = np.round(values * STEPS_PER_POINT).astype(np.uint16)
    # Differences wrap around in 16 bits, and so do the sums that undo them.
    columns = np.diff(steps, axis=1, prepend=np.uint16(0))
    columns[:, 0] = np.diff(steps[:, 0], prepend=np.uint16(0))
    flat = np.ascontiguousarray(columns.T)
    return {"low": flat.astype(np.uint8), "high": (flat >> _BITS_PER_BYTE).astype(np.uint8)}


def unpack_values(low: NDArray[np.uint8], high: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """(32768, 64) values in steps."""
    columns = low | high.astype(np.uint16) << _BITS_PER_BYTE
    columns[0] = np.cumsum(columns[0], dtype=np.uint16)
    return np.cumsum(columns, axis=0, dtype=np.uint16).T


@cache
def load_values() -> NDArray[np.uint16]:
    """The values in the shipped file, in steps; 4 MB, read once."""
    source = files("games.strategy.yatzy") / YATZY_VALUES_FILE
    with source.open("rb") as stream, np.load(stream) as arrays:
        return unpack_values(arrays["low"], arrays["high"])
