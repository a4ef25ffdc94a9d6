"""Round spots that touch each other or what lies beside them, told apart by their shape.

Large pips of one face run into each other, and into those of a side face, where a lens has blurred
them or they shine. In the distance transform of such a blob each disc keeps a peak of its own, as
high as its radius; a band, a letter or a sheet of paper has a ridge or a plateau.
"""

import cv2
import numpy as np

from vision.image.arrays import FloatArray, Mask

RIDGE = 0.88
"""Share of a peak's height: what is as high belongs to its top."""
TOP_AREA = 0.4
"""Most of a disc's top, in squares of its radius: a band of the same width has twice as much."""
APART = 1.2
"""Least distance of two discs, radii of the larger one."""

MOST = 1000
"""Where more peaks are found than this they are those of a texture, and no discs."""


def discs(mask: Mask, least: float, most: float) -> FloatArray:
    """Discs within the blobs of a mask: middle x, y and radius, (n, 3), the largest first.

    Their radii are from `least` to `most`; all in pixels.
    """
    # Beyond the border of a picture nothing is known: half a disc there is none.
    height = np.asarray(cv2.distanceTransform(mask, cv2.DIST_L2, 5), np.float32)
    peaks = (height >= least) & (height <= most + 1) & (height >= cv2.dilate(height, _AROUND))
    count, _, _, middles = cv2.connectedComponentsWithStats(peaks.view(np.uint8), connectivity=8)
    if count - 1 > MOST:
        return np.zeros((0, 3))
    kept = np.zeros((0, 3))
    rows, columns = mask.shape
    ranked = sorted(
        ((float(height[round(y), round(x)]), x, y) for x, y in middles[1:count]), reverse=True
    )
    for value, x, y in ranked:
        # A pixel at the border of a blob has a distance of one: the border is half of it beside.
        radius = value - 0.5
        if not least <= radius <= most:
            continue
        reach = round(1.2 * value)
        part = height[
            max(0, round(y) - reach) : min(rows, round(y) + reach + 1),
            max(0, round(x) - reach) : min(columns, round(x) + reach + 1),
        ]
        if np.count_nonzero(part >= RIDGE * value) > TOP_AREA * value * value + 2:
            continue
        if np.all(np.hypot(x - kept[:, 0], y - kept[:, 1]) >= APART * kept[:, 2]):
            kept = np.concatenate([kept, [(x, y, radius)]])
    return kept


_AROUND = np.ones((5, 5), np.uint8)
