"""Places in a picture where the top of a die may be."""

import numpy as np

from vision.image.arrays import FloatArray, IndexArray

Places = tuple[FloatArray, FloatArray]
"""Centres (n, 2) and edges (n,), pixels."""
_PLACES_PER_BATCH = 16


def distinct_indices(
    centers: FloatArray, edges: FloatArray, reach: float, ratio: float = np.inf
) -> IndexArray:
    """Indices of places that are not close, within `reach` edges, to any kept before.

    Places whose edges' logarithms differ by more than `ratio` are not close. A few at a time are
    compared with all that are left, so that all pairs are never held at once.
    """
    reaches, sizes = reach * edges, np.log(edges)
    left = np.arange(len(centers))
    kept: list[int] = []
    while len(left):
        some = left[:_PLACES_PER_BATCH]
        gap = centers[left] - centers[some, None]
        close = gap[..., 0] ** 2 + gap[..., 1] ** 2 < reaches[left] ** 2
        close &= np.abs(sizes[left] - sizes[some, None]) < ratio
        free = np.ones(len(left), np.bool_)
        for place, near in enumerate(close):
            if free[place]:
                kept.append(int(left[place]))
                free &= ~near
        left = left[len(some) :][free[len(some) :]]
    return np.array(kept, np.intp)
