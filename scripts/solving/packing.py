"""Packs the worth of positions into the file that `games.strategy.classic.values` reads."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from games.boxes import UPPER_BOXES
from games.dice import FIVE_DICE
from games.strategy.classic.values import (
    BITS_PER_BYTE,
    FIVE_ALIKE_FILLED_MASKS,
    OPEN_MASKS,
    STEPS_PER_POINT,
    UPPER_SUMS,
)


def pack(values: NDArray[np.float64]) -> dict[str, NDArray[np.uint8]]:
    """The arrays of the file.

    Args:
        values: (2, 8192, 64) as `Solution.values`.
    """
    rows = np.concatenate([values[0], values[1, FIVE_ALIKE_FILLED_MASKS]])
    masks = np.concatenate([np.arange(OPEN_MASKS), FIVE_ALIKE_FILLED_MASKS])
    for row, mask in zip(rows, masks, strict=True):
        highest = sum(FIVE_DICE * (box + 1) for box in range(UPPER_BOXES) if not mask >> box & 1)
        row[highest + 1 :] = row[min(highest, UPPER_SUMS - 1)]
    whole = np.round(rows * STEPS_PER_POINT)
    if whole.min() < 0 or whole.max() >= 1 << 2 * BITS_PER_BYTE:
        raise ValueError(
            f"expected values from 0 to {65535 / STEPS_PER_POINT:.1f}, got up to {rows.max()}"
        )
    steps = whole.astype(np.uint16)
    # Differences wrap around in 16 bits, and so do the sums that undo them.
    columns = np.diff(steps, axis=1, prepend=np.uint16(0))
    columns[:, 0] = np.diff(steps[:, 0], prepend=np.uint16(0))
    flat = np.ascontiguousarray(columns.T)
    return {"low": flat.astype(np.uint8), "high": (flat >> BITS_PER_BYTE).astype(np.uint8)}


def save(values: NDArray[np.float64], path: Path) -> None:
    """Writes the file; equal values give equal bytes."""
    np.savez_compressed(path, allow_pickle=False, **pack(values))
