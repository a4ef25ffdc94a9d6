"""The median of each channel of some pixels, several times as fast as NumPy's own."""

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Number = TypeVar("Number", bound=np.floating[Any])


def median(pixels: NDArray[Number]) -> NDArray[Number]:
    """The median of each column of (n, channels), n >= 1.

    NumPy's own looks for NaN and orders columns that lie apart in memory.
    """
    columns = np.ascontiguousarray(pixels.T)
    low, high = (len(pixels) - 1) // 2, len(pixels) // 2
    ordered = np.partition(columns, (low, high), axis=1)
    return np.asarray((ordered[:, low] + ordered[:, high]) / 2, dtype=pixels.dtype)
