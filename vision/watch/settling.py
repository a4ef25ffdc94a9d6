"""Tells when dice have come to rest: nothing moves from frame to frame, and nothing creeps."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.frame import Frame, Image
from vision.image.arrays import FloatArray, Mask
from vision.image.warping import warped
from vision.watch.motion import Small, changed_pixels
from vision.watch.shake import NO_SHAKE, Shake, camera_shake, shift_with_camera

_MAX_STILL_SHIFT_PX = 0.2  # three times the apparent shift from noise and compression
_MAX_STILL_SHIFT_EDGES = 0.007
_MAX_FRAMES_HELD = 10  # of a rest
_MOTION_THRESHOLD = 0.05  # share of a die's area that counts as movement
_SHADOW_THRESHOLD = 0.6  # the same for what builds up slowly and may be a shadow
_MAX_ONE_DIE_EXTENT_EDGES = 3.5  # where it was and where it is, with its shadow
_MIN_PLAIN_MOTION = 0.2  # share of a die's area; a shaking camera leaves less of a difference
_MAX_SHAKE_SHARE = 0.008  # share of the small copy; the edges of a shaking picture cover less


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

    Each frame is compared with the previous one and with the first of the rest: a slow movement
    is too small to show in the former and adds up in the latter. A frame that a camera
    delivers twice looks quiet once, so one quiet step never means rest.

    Args:
        die_px: edge of a die on the small copy, pixels; sets how large a change counts as movement.
        region: where movement counts.
    """

    def __init__(self, die_px: float, region: Mask | None = None) -> None:
        self.die_px = die_px
        self.region = region
        self._rest: list[tuple[Small, Frame]] = []
        self._is_reported = False
        self._last: Small | None = None
        self._frames = 0
        self.drifted = False
        """Whether the last rest ended through slowly accumulated change, not a sudden step."""
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

    def let_go(self) -> None:
        """Holds no frame but the first: this rest is reported, and begins no later any more."""
        self._is_reported = True
        del self._rest[1:]

    def later(self, frame: Frame) -> Rest:
        """Starts the rest one frame later, as its first frame still showed movement."""
        if self._frames >= len(self._rest):  # the frame after the first is no longer held
            del self._rest[:-1]
        else:
            del self._rest[0]
        self._frames = max(0, min(self._frames - 1, len(self._rest) - 1))
        return self._rest_at(frame)

    def pass_over(self, small: Small) -> None:
        """Takes the last of some frames as quiet that nobody compared."""
        self._last = small
        self._frames += 1

    def step(self, frame: Frame, small: Small, around: Mask | None = None) -> Rest:
        """Takes the next frame with its small copy and says how long it has been quiet.

        Args:
            frame: the next frame.
            small: its small copy.
            around: where dice are known to lie in this rest, with their surroundings.
        """
        last, self._last = self._last, small
        if last is None or last.log.shape != small.log.shape:
            self._rest, self._frames, self._is_reported = [(small, frame)], 0, False
            self._set_motion(np.zeros(small.log.shape[:2], np.uint8))
            return Rest(0, 0.0)
        self._detect_motion(last, small)
        moved = self._moved_more_than(_MOTION_THRESHOLD)
        self.drifted = not moved
        if not moved and self._frames > 0:
            self._detect_motion(self._rest[0][0], small)
            # Away from dice, what accumulates this slowly is a shadow.
            moved = self._moved_more_than(
                _MOTION_THRESHOLD if around is None else _SHADOW_THRESHOLD
            )
            if around is not None and not moved:
                self._set_motion(cv2.bitwise_and(self.where, around).astype(np.uint8))
                moved = self._moved_more_than(_MOTION_THRESHOLD)
        if moved or not self._rest:
            self._rest, self._frames, self._is_reported = [(small, frame)], 0, False
        else:
            self._frames += 1
            if len(self._rest) < _MAX_FRAMES_HELD and not self._is_reported:
                self._rest.append((small, frame))
        return self._rest_at(frame)

    def _rest_at(self, frame: Frame) -> Rest:
        seconds = frame.time_s - self._rest[0][1].time_s if self._rest else 0.0
        return Rest(self._frames, seconds)

    def _moved_more_than(self, share: float) -> bool:
        return self.moving > max(3.0, share * self.die_px * self.die_px)

    def _detect_motion(self, before: Small, after: Small) -> None:
        self._set_motion(changed_pixels(before, after, self.region))
        # Worth the time only where it may turn movement into rest.
        some = self.moving < _MAX_SHAKE_SHARE * after.log.shape[0] * after.log.shape[1]
        if some and self._moved_more_than(_MOTION_THRESHOLD) and not self._is_plainly_one_die():
            camera = camera_shake(before, after)
            if camera is not NO_SHAKE:
                self._set_motion(
                    changed_pixels(shift_with_camera(before, camera), after, self.region)
                )

    def _is_plainly_one_die(self) -> bool:
        """True if plainly one die moved, whose movement is never taken for the camera's."""
        _, _, width, height = cv2.boundingRect(self.where)
        return (
            self._moved_more_than(_MIN_PLAIN_MOTION)
            and max(width, height) < _MAX_ONE_DIE_EXTENT_EDGES * self.die_px
        )

    def _set_motion(self, where: Mask) -> None:
        self.where = where
        self.moving = int(np.count_nonzero(where))


def dice_that_crept(
    before: Image,
    after: Image,
    outlines: list[FloatArray],
    camera: Shake = NO_SHAKE,
    scale: float = 1.0,
) -> tuple[bool, ...]:
    """Says for each die whether it moved a fraction of a pixel relative to the camera.

    A die that stands on an edge creeps before it falls, far too slowly for the small copy. The
    shift of each top face is estimated by Lucas and Kanade's (1981) method, with the uncertainty
    that noise leaves.

    Args:
        before: full picture.
        after: full picture some frames later, same shape.
        outlines: corners of the dice in `before`, each (n, 2), pixels.
        camera: how the whole picture moved.
        scale: pixels of the small copy, which `camera` refers to, per pixel of these pictures.
    """
    results = []
    for outline in outlines:
        center = outline.mean(axis=0)
        ground = camera.shift_at(*(float(c) * scale for c in center)) / scale
        edge = float(np.sqrt(max(1.0, cv2.contourArea(outline.astype(np.float32)))))
        # The camera's movement is known to within about a third.
        allowed = max(_MAX_STILL_SHIFT_PX, _MAX_STILL_SHIFT_EDGES * edge) + 0.35 * float(
            np.hypot(*ground)
        )
        found = _estimate_shift(before, after, outline)
        if found is None:
            results.append(False)
            continue
        shift, sigma = found
        results.append(float(np.hypot(*(shift - ground))) > allowed + 4 * sigma)
    return tuple(results)


def _estimate_shift(
    before: Image, after: Image, outline: FloatArray
) -> tuple[FloatArray, float] | None:
    """How far a top face moved, pixels, and its standard deviation; None if too small or bare."""
    height, width = before.shape[:2]
    x0, y0 = (max(0, int(v) - 3) for v in outline.min(axis=0))
    x1, y1 = (
        min(side, int(v) + 4) for v, side in zip(outline.max(axis=0), (width, height), strict=True)
    )
    if x1 - x0 < 10 or y1 - y0 < 10:
        return None
    a, b = (
        cv2.GaussianBlur(cv2.cvtColor(p[y0:y1, x0:x1], cv2.COLOR_BGR2GRAY), (3, 3), 0).astype(
            np.float32
        )
        for p in (before, after)
    )
    mask = np.zeros(a.shape, np.uint8)
    cv2.fillPoly(mask, [np.round(outline - (x0, y0)).astype(np.int32)], 255)
    where = cv2.dilate(mask, np.ones((3, 3), np.uint8)) > 0
    shift, moved, sigma = np.zeros(2), a, 0.0
    for _ in range(3):
        mean = (moved + b) / 2
        gx = cv2.Sobel(mean, cv2.CV_32F, 1, 0, scale=1 / 8)[where]
        gy = cv2.Sobel(mean, cv2.CV_32F, 0, 1, scale=1 / 8)[where]
        dt = (b - moved)[where]
        # A flickering lamp is not movement.
        gradients = np.stack([gx - gx.mean(), gy - gy.mean()]).astype(np.float64)
        normal = gradients @ gradients.T
        if float(np.linalg.eigvalsh(normal)[0]) < 4.0 * dt.size:
            return None
        step = -np.linalg.solve(normal, gradients @ (dt - dt.mean()))
        left = dt - dt.mean() + step @ gradients
        sigma = float(np.sqrt(np.mean(left**2) * np.trace(np.linalg.inv(normal))))
        shift = shift + step
        matrix = np.array([[1.0, 0.0, shift[0]], [0.0, 1.0, shift[1]]])
        moved = warped(a, matrix, (a.shape[1], a.shape[0]), replicated=True)
        if float(np.hypot(*step)) < 0.02:
            break
    return shift, sigma
