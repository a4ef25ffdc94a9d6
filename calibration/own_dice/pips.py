"""The pips on a die's top, measured in its picture without the reader's opinion of the face."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.frame import Image
from vision.geometry.axes import axes_of
from vision.image.arrays import FloatArray
from vision.image.warping import square_patch
from vision.reading import DieReading

_SIDE_PX = 48
_MIN_CONTRAST = 30.0  # grey levels of the channel that differs most, between body and pips
_MIN_PIP_AREA = 0.004  # of the top
_MAX_PIP_AREA = 0.14
_MIN_FILLED = 0.55  # of the rectangle around a pip
_EDGE_OF_TOP = 0.43  # edges from the middle: what lies further out is the rim, or a side


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredPips:
    """The pips as they were measured.

    Attributes:
        contrast: between pips and body, grey levels of the channel that differs most.
        places: of the pips, (n, 2), edges from the middle of the top.
        widths: of the pips, (n,), edges.
    """

    contrast: float
    places: FloatArray
    widths: FloatArray

    @property
    def count(self) -> int:
        """How many pips stand out."""
        return len(self.places)

    @property
    def width(self) -> float | None:
        """Of the usual pip, in edges; None without any."""
        return float(np.median(self.widths)) if self.count else None

    @property
    def six_rows(self) -> float | None:
        """Distance of the two rows over their length; None where these are not the pips of a 6."""
        if self.count != 6:
            return None
        _, _, directions = np.linalg.svd(self.places - self.places.mean(axis=0))
        spread = np.abs((self.places - self.places.mean(axis=0)) @ directions.T)
        rows = [
            (2 * float(across.mean()), 2 * float(np.sort(along)[2:].mean()))
            for along, across in (spread.T, spread.T[::-1])
            # In the rows two pips lie in the middle of four, beside the rows there are none.
            if across.min() > 0.5 * across.mean() and np.sort(along)[1] < 0.3 * along.max()
        ]
        return None if not rows else rows[0][0] / max(rows[0][1], 1e-6)


def face_picture(image: Image, die: DieReading) -> Image:
    """The top as it lies, seen from straight above, (48, 48, 3)."""
    axes = axes_of(die.outline) / _SIDE_PX
    patch = square_patch(image, np.array(die.center, np.float64), axes, _SIDE_PX)
    return np.clip(patch, 0, 255).astype(np.uint8)


def measure_pips(picture: Image) -> MeasuredPips:
    """Measures the pips in a picture of a top as `face_picture` makes it."""
    face = picture.astype(np.float32)
    inner = face[6:-6, 6:-6].reshape(-1, 3)
    body = np.median(inner, axis=0)
    away = np.abs(face - body).max(axis=2)
    contrast = float(np.percentile(away[6:-6, 6:-6], 97.5))
    none = MeasuredPips(contrast, np.zeros((0, 2)), np.zeros(0))
    if contrast < _MIN_CONTRAST:
        return none
    mask = (away > contrast / 2).astype(np.uint8)
    _, _, boxes, middles = cv2.connectedComponentsWithStats(mask, connectivity=4)
    side = len(face)
    places, widths = [], []
    for (_, _, width, height, area), middle in zip(boxes[1:], middles[1:], strict=True):
        place = (middle + 0.5) / side - 0.5
        share = float(area) / side**2
        if np.abs(place).max() > _EDGE_OF_TOP or not _MIN_PIP_AREA < share < _MAX_PIP_AREA:
            continue
        if area < _MIN_FILLED * width * height or max(width, height) > 1.8 * min(width, height):
            continue
        places.append(place)
        widths.append(2 * np.sqrt(share / np.pi))
    if not places:
        return none
    return MeasuredPips(contrast, np.array(places), np.array(widths))
