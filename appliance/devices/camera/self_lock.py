"""Locks a camera that nobody has calibrated, once it has adjusted itself; frames in, orders out.

A camera that goes on adjusting itself changes under every hand and every throw. What a driver
reports while it does that need not be what the frames are taken with. So the picture is the
measure: after locking, the exposure is corrected until it is as bright as before, and where that
fails the camera is left to itself. A lens that was focused by itself stays where it is; if the
picture is soft all the same, all distances are tried and the sharpest is kept.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise

import cv2
import numpy as np

from calibration.quality.focus import softness
from vision.frame import Image
from vision.image.arrays import FloatArray

ADJUSTS_S = 2.0
"""Seconds that a camera adjusts itself."""
_FRAMES_TO_SHOW = 8
"""Frames after which a value that was set is seen: four buffers, and the camera's own."""
_LIGHT_RANGE = (0.8, 1.25)
"""As bright as before, as a share."""
_MAX_CORRECTIONS = 4
_MAX_FACTOR = 4.0
MAX_SOFT_PX = 3.2
"""Width of the sharpest edges, pixels of a picture 960 wide, above which the focus is looked for;
cameras in focus have 1.9 to 2.9."""
_COARSE = 11
"""Distances that are tried over the whole range."""
_FINE = 2
"""Distances that are tried on either side of the best."""


@dataclass(frozen=True, slots=True)
class Lock:
    """Exposure and the rest stay as they are now."""


@dataclass(frozen=True, slots=True)
class Expose:
    """The locked exposure was wrong by this factor of light."""

    factor: float


@dataclass(frozen=True, slots=True)
class GiveUp:
    """The camera adjusts itself for ever: it cannot be locked without spoiling its pictures."""


@dataclass(frozen=True, slots=True)
class Focus:
    """Moves the lens to this value of its control."""

    value: float


Order = Lock | Expose | GiveUp | Focus


@dataclass(slots=True)
class SelfLock:
    """Looks at the frames of a camera that nobody has set, and says what to do, a step at a time.

    Attributes:
        focus_range: least and greatest value of the lens; None if it does not move.
    """

    focus_range: tuple[int, int] | None = None
    _steps: Iterator[Order | None] | None = field(default=None, init=False)
    _now: tuple[float, float, Callable[[], Image]] = field(
        default=(0.0, 0.0, lambda: np.zeros(0, np.uint8)), init=False
    )

    def see(self, time_s: float, light: float, image: Callable[[], Image]) -> Order | None:
        """The order after this frame, if there is one.

        Args:
            time_s: when it was taken, seconds on a monotonic clock.
            light: how bright it is, linear.
            image: makes the picture, which most frames are not asked for.
        """
        self._now = time_s, light, image
        if self._steps is None:
            self._steps = self._go()
        return next(self._steps, None)

    def _go(self) -> Iterator[Order | None]:
        begun_s = self._now[0]
        while self._now[0] - begun_s < ADJUSTS_S:
            yield None
        usual = self._now[1]
        yield Lock()
        for _ in range(_MAX_CORRECTIONS):
            yield from [None] * _FRAMES_TO_SHOW
            share = self._now[1] / max(usual, 1e-9)
            if _LIGHT_RANGE[0] <= share <= _LIGHT_RANGE[1]:
                yield from self._sharpen()
                return
            yield Expose(float(np.clip(1 / max(share, 1e-9), 1 / _MAX_FACTOR, _MAX_FACTOR)))
        yield GiveUp()

    def _sharpen(self) -> Iterator[Order | None]:
        # Where there are no edges at all, nothing says where it is sharp.
        if self.focus_range is None or not MAX_SOFT_PX < softness(self._now[2]()) < np.inf:
            return
        seen = dict[float, float]()
        yield from self._try(np.linspace(*self.focus_range, _COARSE), seen)
        best = max(seen, key=seen.__getitem__)
        step = min(b - a for a, b in pairwise(sorted(seen)))
        beside = np.linspace(-step, step, 2 * _FINE + 3)[1:-1] + best
        yield from self._try(np.clip(beside, *self.focus_range), seen)
        yield Focus(max(seen, key=seen.__getitem__))

    def _try(self, values: FloatArray, seen: dict[float, float]) -> Iterator[Order | None]:
        for value in map(float, np.rint(values)):
            if value not in seen:
                yield Focus(value)
                yield from [None] * _FRAMES_TO_SHOW
                seen[value] = steepness(self._now[2]())


def steepness(image: Image) -> float:
    """How steep brightness changes in a picture, as a measure of focus: the most is the sharpest.

    The mean square of the gradient (Tenengrad; Krotkov 1987, Focusing).
    """
    grey = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (3, 3), 0)
    across, down = (cv2.Sobel(grey, cv2.CV_32F, *way) for way in ((1, 0), (0, 1)))
    return float((across**2 + down**2).mean())


def is_incomplete(image: Image, block_px: int = 8) -> bool:
    """True if the end of a JPEG is missing: its last rows are blocks of one colour each.

    libjpeg reads zeroes after the end, so that every block there is as the last one, and says only
    in its log that data were missing (jdhuff.c: "stuff zeroes into the data stream"). A sensor's
    picture is never so even, unless it is all black or all white there. One without the mark of its
    end OpenCV refuses as a whole.

    Args:
        image: the picture.
        block_px: side of a block in it; in one that was decoded smaller, less than 8. There what is
            found may also be detail that got lost.
    """
    end, rest = image[-block_px:], image[: -2 * block_px]
    step = 2 * block_px
    if len(rest) == 0 or (end != end[0]).any() or rest[::step, ::step].std() < 1.0:
        return False
    columns = end[0, : end.shape[1] // block_px * block_px].reshape(-1, block_px, 3)
    return bool((columns == columns[:, :1]).all()) and end[0].min() > 0 and end[0].max() < 255
