"""Watches frames of a tray that is not known until four markers in them tell where it is.

Nothing here reads a clock; times are those of the frames.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.calibration import Calibration
from calibration.errors import RefusedError
from calibration.markers.aruco import Marker, all_four, find_markers, to_gray
from calibration.markers.bundle import RimHeight
from calibration.markers.lens import MeasuredLens
from calibration.quality.light import exposure_change
from calibration.self_calibration.solving import calibration_from_frames, find_boards
from vision.frame import Frame, Image
from vision.geometry.sight import Sight

LOOK_INTERVAL_S = 0.5
"""Between two looks while the markers are in view."""
SEARCH_INTERVAL_S = 2.0
"""Between two looks while they are not: most of those who have none play without."""
_LOOKS = 4
_MAX_SHIFT_PX = 0.6  # of a corner between looks: the noise of frames, but no hand that moves a tray
_MAX_EXPOSURES = 10  # changes of the exposure, after which the light is taken as it is
_CROWDED_OUTLINES = 1000
"""Outlines of some size: a patterned cloth has thousands, in which a search takes many seconds."""
_OUTLINE_POINTS = 12


@dataclass(frozen=True, slots=True)
class Brighter:
    """The camera should be set to this factor of its light before the tray is measured."""

    factor: float


class SelfCalibration:
    """Looks for the four markers now and then, and measures the tray once they lie still.

    Args:
        rim: the rim's height as it was entered; None where nobody has.
        sight: what pictures show of which camera's sensor where frames do not say.
        exposes: whether the camera's exposure can be set: then the markers' paper is first
            brought to a good level.
        board: whether to wait for the printed board, which makes places exact.
        lens: the camera's, where it was measured.

    Attributes:
        refusal: why the last four markers could not be used; None if they could.
    """

    def __init__(
        self,
        rim: RimHeight | None = None,
        sight: Sight | None = None,
        *,
        exposes: bool = False,
        board: bool = False,
        lens: MeasuredLens | None = None,
    ) -> None:
        self._rim = rim
        self._sight = sight
        self._board = board
        self._lens = lens
        self._exposures_left = _MAX_EXPOSURES if exposes else 0
        self._next_s: float | None = None
        self._frames: list[Frame] = []
        self._markers: tuple[Marker, ...] | None = None
        self.refusal: RefusedError | None = None

    def feed(self, frame: Frame) -> Calibration | Brighter | None:
        """Looks at a frame, if it is time to; the calibration once it is known."""
        if self._next_s is not None and frame.time_s < self._next_s:
            return None
        markers = None
        if not self._board or find_boards(frame.image):
            markers = _four_markers(frame.image)
        away = SEARCH_INTERVAL_S if markers is None else LOOK_INTERVAL_S
        self._next_s = frame.time_s + away
        before, self._markers = self._markers, markers
        if markers is None:
            self._frames.clear()
            return None
        if self._exposures_left:
            factor = exposure_change(frame.image, markers)
            if factor != 1.0:
                self._exposures_left -= 1
                self._frames.clear()
                return Brighter(factor)
        if before is None or _shift_px(before, markers) > _MAX_SHIFT_PX:
            self._frames.clear()
        self._frames.append(frame)
        if len(self._frames) < _LOOKS:
            return None
        frames, self._frames = tuple(self._frames), []
        sight = self._sight if frame.sight is None else frame.sight
        try:
            found = calibration_from_frames(frames, sight=sight, rim=self._rim, lens=self._lens)
        except RefusedError as error:
            self.refusal = error
            self._next_s = frame.time_s + SEARCH_INTERVAL_S
            return None
        self.refusal = None
        return found if found.rim_known or not self._board else None


def _four_markers(image: Image) -> tuple[Marker, ...] | None:
    """The four markers in order; None if they are not all seen as they should be."""
    if is_patterned(image):
        return None
    try:
        return all_four(find_markers(image), (image.shape[1], image.shape[0]))
    except RefusedError:
        return None


def is_patterned(image: Image) -> bool:
    """True if a picture is full of small outlines, as of a checked cloth."""
    dark = cv2.adaptiveThreshold(
        to_gray(image), 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, 23, 7
    )
    # Squares of a check touch at their corners.
    apart = cv2.erode(dark, np.ones((3, 3), np.uint8))
    outlines, _ = cv2.findContours(apart, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    return sum(len(outline) >= _OUTLINE_POINTS for outline in outlines) > _CROWDED_OUTLINES


def _shift_px(before: tuple[Marker, ...], now: tuple[Marker, ...]) -> float:
    """How far the corner that moved most is from where it was, pixels."""
    moved = [a.corners - b.corners for a, b in zip(before, now, strict=True)]
    return float(np.linalg.norm(np.concatenate(moved), axis=1).max())
