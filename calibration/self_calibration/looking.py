"""Watches frames of a tray that is not known until four markers in them tell where it is.

Nothing here reads a clock; times are those of the frames.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.calibration import Calibration
from calibration.errors import RefusedError
from calibration.markers.aruco import Marker, find_all, to_gray
from calibration.markers.bundle import RimHeight
from calibration.markers.lens import MeasuredLens
from calibration.markers.rim import all_four
from calibration.problems import Problem
from calibration.quality.light import exposure_change
from calibration.quality.quality import cause_of
from calibration.self_calibration.solving import calibration_from_frames, find_boards
from calibration.self_calibration.telling import MIN_SEEN, TELL_AFTER_S, Look, Telling
from vision.frame import Frame, Image
from vision.geometry.sight import Sight
from vision.image.arrays import FloatArray

LOOK_INTERVAL_S = 0.5
"""Between two looks at first, and while markers are in view, until it is said what is amiss."""
SEARCH_INTERVAL_S = 2.0
"""Between two looks else: most of those who have none play without."""
_LOOKS = 4
_MAX_SHIFT_PX = 0.6  # of a corner between looks: the noise of frames, but no hand that moves a tray
_CARRIED_SHARE = 0.02
"""Of the picture's width, by which a tray is carried; a focus that hunts changes only its size."""
_MAX_EXPOSURES = 10  # changes of the exposure, after which the light is taken as it is
_CROWDED_OUTLINES = 1000
"""Outlines of some size: a patterned cloth has thousands, in which a search takes many seconds."""
_OUTLINE_POINTS = 12
_MOVES = RefusedError(
    Problem.NOT_STEADY, "the markers move from one look to the next; hands off, camera fixed?"
)


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
        self._places: dict[int, FloatArray] = {}
        self._refusal: RefusedError | None = None
        self._telling = Telling()
        self._since_s: float | None = None

    @property
    def trouble(self) -> RefusedError | None:
        """Why markers in view cannot be used, once that has lasted; None where nothing is amiss."""
        return self._telling.trouble

    def feed(self, frame: Frame) -> Calibration | Brighter | None:
        """Looks at a frame, if it is time to; the calibration once it is known."""
        if self._next_s is not None and frame.time_s < self._next_s:
            return None
        look, markers = self._look(frame)
        before, self._markers = self._markers, markers
        if markers is None:
            self._frames.clear()
            self._note(look)
            return None
        if self._exposures_left:
            factor = exposure_change(frame.image, markers)
            if factor != 1.0:
                self._exposures_left -= 1
                self._frames.clear()
                self._note(look)
                return Brighter(factor)
        if before is None or _shift_px(before, markers) > _MAX_SHIFT_PX:
            self._frames.clear()
            self._refusal = None if before is None else _MOVES
        elif self._refusal is _MOVES:
            self._refusal = None
        self._frames.append(frame)
        found = self._measured(frame) if len(self._frames) == _LOOKS else None
        self._note(replace(look, refused=self._refusal))
        return found

    def _look(self, frame: Frame) -> tuple[Look, tuple[Marker, ...] | None]:
        """One look, and the four markers in order if they are all as they should be."""
        image, nothing = frame.image, (Look(frame.time_s, 0), None)
        if (self._board and not find_boards(image)) or is_patterned(image):
            return nothing
        found = find_all(image)
        look = replace(Look.of(frame.time_s, found), carried=self._were_carried(found, image))
        try:
            return look, all_four(found, (image.shape[1], image.shape[0]))
        except RefusedError as error:
            if look.seen < MIN_SEEN and not self._telling.waits:
                return nothing
            why = cause_of(image, found, error)
            # Where there is no marker there may be none.
            told = look.seen >= MIN_SEEN or why.problem is Problem.BLURRED
            return replace(look, refused=why if told else None), None

    def _were_carried(self, found: Sequence[Marker], image: Image) -> bool:
        """True if markers lie elsewhere than where each was seen last."""
        places = {marker.corner: marker.corners.mean(axis=0) for marker in found}
        moved = [at - self._places[k] for k, at in places.items() if k in self._places]
        self._places |= places
        if not moved:
            return False
        return bool(np.hypot(*np.mean(moved, axis=0)) > _CARRIED_SHARE * image.shape[1])

    def _measured(self, frame: Frame) -> Calibration | None:
        """The tray by the last frames, in which four markers lie still."""
        frames, self._frames = tuple(self._frames), []
        sight = self._sight if frame.sight is None else frame.sight
        try:
            found = calibration_from_frames(frames, sight=sight, rim=self._rim, lens=self._lens)
        except RefusedError as error:
            self._refusal = error
            return None
        self._refusal = None
        return found if found.rim_known or not self._board else None

    def _note(self, look: Look) -> None:
        """Takes note of a look, and says when the next one is due."""
        self._telling.note(look)
        if self._since_s is None:
            self._since_s = look.time_s
        # A focus that hunts shows them only now and then.
        begins = not self._board and look.time_s - self._since_s < TELL_AFTER_S
        soon = begins or self._telling.waits
        self._next_s = look.time_s + (LOOK_INTERVAL_S if soon else SEARCH_INTERVAL_S)


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
