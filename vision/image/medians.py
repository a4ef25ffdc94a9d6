"""The median of each channel of some pixels; for few, NumPy's own takes twice as long."""

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Number = TypeVar("Number", bound=np.floating[Any])


def median(rows: NDArray[Number]) -> NDArray[Number]:
    """The median of each row of (channels, n), n >= 1.

    NumPy's own looks for NaN as well, and orders rows that lie apart in memory.
    """
    count = rows.shape[1]
    low, high = (count - 1) // 2, count // 2
    ordered = np.partition(np.ascontiguousarray(rows), (low, high), axis=1)
    return np.asarray((ordered[:, low] + ordered[:, high]) / 2, dtype=rows.dtype)
