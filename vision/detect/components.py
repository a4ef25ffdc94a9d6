"""Connected components of a mask that is nearly empty.

OpenCV labels every pixel of a picture, twice. Where few are set, their runs along the rows are
linked instead, at a fifth of the instructions.
"""

import cv2
import numpy as np

from vision.image.arrays import BoolArray, FloatArray, IndexArray

MAX_SPARSE_PIXELS = 65_000
"""Where more are set, as in noise, linking takes longer than labelling the whole picture."""

_WORD = 8
"""Pixels of a mask in 64 bits."""
MIN_SPARSE_WORD_RATIO = 16
"""At least so many such words to each in which a pixel is set: otherwise this is slower."""


def components(
    mask: BoolArray, least: float, most: float
) -> tuple[IndexArray, IndexArray, FloatArray]:
    """The components of a mask, by side neighbours, that have `least` to `most` pixels.

    Returns:
        The number of its component for each of their pixels, (n,); where in the flat mask those
        pixels are, (n,), in an order that `np.bincount` may rely on; and how many each has, (m,).
        Components are in the order of their first pixels.
    """
    places = _set_places(mask.ravel())
    if len(places) > MAX_SPARSE_PIXELS:
        # Of OpenCV's algorithms this one is the fastest for small components.
        how = (4, cv2.CV_32S, cv2.CCL_WU)
        labels = cv2.connectedComponentsWithAlgorithm(mask.view(np.uint8), *how)[1]
        return _of_size(labels.ravel()[places].astype(np.intp), places, least, most)
    # One more than the width, so that the end of a row does not touch the next one.
    stride = mask.shape[1] + 1
    at = places + places // mask.shape[1]
    begins = np.flatnonzero(np.diff(at, prepend=-2) != 1)
    lengths = np.diff(begins, append=len(at))
    first = at[begins]
    last = first + lengths - 1
    low = np.searchsorted(last, first - stride)
    high = np.searchsorted(first, last - stride, "right")
    labels = _joined(low, high)
    return _of_size(np.repeat(labels, lengths), places, least, most)


def _set_places(mask: BoolArray) -> IndexArray:
    """As `np.flatnonzero`, in half its time where few are set: eight at a time are passed over."""
    whole = len(mask) // _WORD * _WORD
    words = np.flatnonzero(mask[:whole].view(np.uint64) != 0)
    if len(words) * MIN_SPARSE_WORD_RATIO > whole // _WORD:
        return np.flatnonzero(mask)
    within = np.flatnonzero(mask[:whole].reshape(-1, _WORD)[words])
    inside = words[within // _WORD] * _WORD + within % _WORD
    return np.concatenate([inside, whole + np.flatnonzero(mask[whole:])])


def _joined(low: IndexArray, high: IndexArray) -> IndexArray:
    """The first run of the component of each run, which touches those from `low` to `high`."""
    touching = high - low
    label = _followed(np.where(touching > 0, low, np.arange(len(low))))
    several = np.flatnonzero(touching > 1)
    more = touching[several] - 1
    one = np.repeat(several, more)
    other = low[one] + 1 + np.arange(len(one)) - np.repeat(np.cumsum(more) - more, more)
    while len(one):
        ends = np.stack([label[one], label[other]])
        apart = ends[0] != ends[1]
        one, other, ends = one[apart], other[apart], ends[:, apart]
        np.minimum.at(label, ends.max(axis=0, initial=0), ends.min(axis=0, initial=len(label)))
        label = _followed(label)
    return label


def _followed(label: IndexArray) -> IndexArray:
    """Labels that name the last of a chain of labels."""
    while True:
        further = label[label]
        if np.array_equal(further, label):
            return label
        label = further


def _of_size(
    label: IndexArray, places: IndexArray, least: float, most: float
) -> tuple[IndexArray, IndexArray, FloatArray]:
    size = np.bincount(label)
    kept = (size >= least) & (size <= most)
    inside = np.flatnonzero(kept[label])
    number = np.cumsum(kept) - 1
    return number[label[inside]], places[inside], size[kept].astype(np.float64)
