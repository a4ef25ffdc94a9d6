"""Whether dice have come to rest: nothing moves from frame to frame, and nothing creeps."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame, Image
from vision.motion import Mask, Small, changed
from vision.tremble import STEADY, Trembling, carried, trembling

_CREEP_PX = 0.35  # twice what noise and compression feign
_CREEP = 0.014  # of the die's edge
_HELD = 10  # frames of a rest that are remembered
_EXPLAINED = 0.75  # share of the mismatch that a shift must leave to be believed
_NOISY = 4.0
_STEP = 0.05  # share of a die's area: a movement
_SHADOW = 0.6
_MUCH = 0.03  # share of the small copy; more than the edges of a trembling picture


@dataclass(frozen=True, slots=True)
class Rest:
    """How long the tray has been quiet.

    Attributes:
        frames: quiet steps from one frame to the next since the last movement.
        seconds: time since the first frame of the rest.
    """

    frames: int
    seconds: float


class Settling:
    """Counts quiet frames; forgets them at the first movement.

    Each frame is compared with the one before it and with the first of the rest: a slow movement
    is too small for the one and adds up in the other. A frame that a camera delivers twice looks
    quiet once, so one quiet step never means rest.

    Args:
        die_px: edge of a die on the small copy, pixels; sets how large a change is a movement.
        region: where movement counts.
    """

    def __init__(self, die_px: float, region: Mask | None = None) -> None:
        self.die_px = die_px
        self.region = region
        self._rest: list[tuple[Small, Frame]] = []
        self._last: Small | None = None
        self._frames = 0
        self.drifted = False
        """Whether the last rest ended by what had gathered slowly, not by a step."""
        self.moving = 0
        """Pixels of the small copy that moved in the last step."""
        self.where: Mask = np.zeros((1, 1), np.uint8)
        """Where they are."""

    @property
    def first(self) -> Frame | None:
        """First frame of the present rest."""
        return self._rest[0][1] if self._rest else None

    @property
    def first_small(self) -> Small | None:
        """Small copy of that frame."""
        return self._rest[0][0] if self._rest else None

    def later(self, frame: Frame) -> Rest:
        """Lets the rest begin one frame later, as the first one still showed movement."""
        if self._frames >= len(self._rest):  # the frame after the first is no longer held
            del self._rest[:-1]
        else:
            del self._rest[0]
        self._frames = max(0, min(self._frames - 1, len(self._rest) - 1))
        return self._span(frame)

    def step(self, frame: Frame, small: Small, around: Mask | None = None) -> Rest:
        """Takes the next frame with its small copy and says how long it has been quiet.

        Args:
            frame: the next frame.
            small: its small copy.
            around: where dice are known to lie in this rest, with their surroundings.
        """
        last, self._last = self._last, small
        if last is None or last.log.shape != small.log.shape:
            self._rest, self._frames = [(small, frame)], 0
            self._see(np.zeros(small.log.shape[:2], np.uint8))
            return Rest(0, 0.0)
        self._look(last, small)
        moved = self._moved(_STEP)
        self.drifted = not moved
        if not moved and self._frames > 0:
            self._look(self._rest[0][0], small)
            # Away from dice, what gathers this slowly is a shadow.
            moved = self._moved(_STEP if around is None else _SHADOW)
            if around is not None and not moved:
                self._see(cv2.bitwise_and(self.where, around).astype(np.uint8))
                moved = self._moved(_STEP)
        if moved or not self._rest:
            self._rest, self._frames = [(small, frame)], 0
        else:
            self._frames += 1
            if len(self._rest) < _HELD:
                self._rest.append((small, frame))
        return self._span(frame)

    def _span(self, frame: Frame) -> Rest:
        seconds = frame.time_s - self._rest[0][1].time_s if self._rest else 0.0
        return Rest(self._frames, seconds)

    def _moved(self, share: float) -> bool:
        return self.moving > max(3.0, share * self.die_px * self.die_px)

    def _look(self, before: Small, after: Small) -> None:
        self._see(changed(before, after, self.region))
        # Worth the time only where it may turn movement into rest.
        if self._moved(_STEP) and self.moving < _MUCH * after.log.shape[0] * after.log.shape[1]:
            camera = trembling(before, after)
            if camera is not STEADY:
                self._see(changed(carried(before, camera), after, self.region))

    def _see(self, where: Mask) -> None:
        self.where = where
        self.moving = int(np.count_nonzero(where))


def crept(
    before: Image,
    after: Image,
    outlines: list[NDArray[np.float64]],
    camera: Trembling = STEADY,
    scale: float = 1.0,
) -> tuple[bool, ...]:
    """Tells for each die whether it moved a fraction of a pixel against the camera.

    A die that stands on an edge creeps before it falls, far too slowly for the small copy. Each
    die's surroundings are registered by phase correlation (Kuglin and Hines, 1975).

    Args:
        before: full picture.
        after: full picture some frames later, same shape.
        outlines: corners of the dice in `before`, each (n, 2), pixels.
        camera: how the whole picture moved.
        scale: pixels of the small copy, on which the camera's movement is given, for one of these.
    """
    noise = _noise(before, after)
    return tuple(_crept(before, after, outline, camera, scale, noise) for outline in outlines)


def _noise(before: Image, after: Image) -> float:
    """Mean squared difference that noise makes, from the median over the whole picture."""
    sparse = (slice(None, None, 8), slice(None, None, 8), 1)
    difference = before[sparse].astype(np.float32) - after[sparse]
    # The median of the square of a normal variable is 0.455 of its variance.
    return max(1.0, float(np.median(difference * difference)) / 0.455)


def _crept(
    before: Image,
    after: Image,
    outline: NDArray[np.float64],
    camera: Trembling,
    scale: float,
    noise: float,
) -> bool:
    center = outline.mean(axis=0)
    reach = float(np.max(np.linalg.norm(outline - center, axis=1))) * 1.25
    height, width = before.shape[:2]
    x0, y0 = (max(0, int(v - reach)) for v in center)
    x1, y1 = min(width, int(center[0] + reach) + 1), min(height, int(center[1] + reach) + 1)
    if x1 - x0 < 8 or y1 - y0 < 8:
        return False
    a, b = (
        cv2.cvtColor(p[y0:y1, x0:x1], cv2.COLOR_BGR2GRAY).astype(np.float32)
        for p in (before, after)
    )
    # A flat patch correlates with its own noise: it has no position.
    if float(a.std()) < 4.0:
        return False
    window = cv2.createHanningWindow((x1 - x0, y1 - y0), cv2.CV_32F)
    shift = np.array(cv2.phaseCorrelate(a, b, window)[0])
    ground = camera.shift_at(*(float(c) * scale for c in center)) / scale
    edge = float(np.sqrt(max(1.0, cv2.contourArea(outline.astype(np.float32)))))
    # The camera's movement is known to about a third of itself.
    allowed = max(_CREEP_PX, _CREEP * edge) + 0.35 * float(np.hypot(*ground))
    if float(np.hypot(*(shift - ground))) <= allowed:
        return False
    # Noise has peaks too, but the patches differ little, and no less when shifted there. A die
    # that tilts in front of a floor that stays is not made alike by a shift, but differs much.
    stayed = _mismatch(a, b, ground)
    return stayed > _NOISY * noise + 10.0 or _mismatch(a, b, shift) < _EXPLAINED * stayed


def _mismatch(a: NDArray[np.float32], b: NDArray[np.float32], shift: NDArray[np.float64]) -> float:
    """Mean squared difference of two patches, the first one shifted."""
    height, width = a.shape
    matrix = np.array([[1.0, 0.0, shift[0]], [0.0, 1.0, shift[1]]])
    moved = cv2.warpAffine(a, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
    rim = max(2, min(height, width) // 10)
    difference = (moved - b)[rim:-rim, rim:-rim]
    difference -= float(difference.mean())
    return float(np.mean(difference * difference))
