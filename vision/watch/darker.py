"""Darker frames of dice washed out by a lamp: requested as dice come to rest, read, and ended.

A camera responds some frames after a request, a Pi after eight, and each frame carries the exposure
it was taken with. From the request to the return of the usual exposure, movement goes unseen, so
this time is kept short, and frames are compared only with others of the same exposure.
"""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np

from vision.exposures import DARKER_EXPOSURE_SHARE, may_be_in_glare
from vision.frame import Frame, Image
from vision.reading import DieReading, TrayReading
from vision.watch.consensus import is_conclusive
from vision.watch.motion import Small, changed_pixels, shrink

MAX_WAIT_FRAMES = 24
"""Frames to wait for darker ones, and after which a camera that stays dark is told to brighten."""
_MAX_VAIN_REQUESTS = 2  # in a row
_DARK_FRAMES_NEEDED = 2  # a claim needs this many readings
_MAX_NOISE_SHARE = 0.01  # of a die's area, that noise changes between two dark frames


class TrayReader(Protocol):
    """The part of a reader that the watcher needs."""

    def read(self, image: Image) -> TrayReading:
        """Reads a full picture (height, width, 3) of a tray at rest.

        Raises:
            Unreadable: nothing can be claimed about this picture.
        """


class DarkReader(TrayReader, Protocol):
    """A tray reader that can also use darker pictures."""

    def read_again(
        self, image: Image, reading: TrayReading, darker: Sequence[Image]
    ) -> TrayReading:
        """A reading of a picture, supplemented by darker pictures of the same scene."""


@runtime_checkable
class Exposure(Protocol):
    """The port to a camera whose exposure can be reduced for a while."""

    def darken(self, share: float) -> bool:
        """Requests frames at this share of the usual exposure; returns whether the camera can."""

    def brighten(self) -> None:
        """Requests the usual exposure again; does nothing if it is already set."""


class DarkFrames:
    """Darker frames of a scene in which nothing moves, requested once.

    Args:
        camera: takes them.
    """

    def __init__(self, camera: Exposure) -> None:
        self._camera = camera
        self._frames: list[tuple[Frame, Small]] = []
        self._asked: int | None = None  # index of the frame at which they were requested
        self._spent = False
        self._vain = 0
        self._stray = 0  # darker frames that nobody is waiting for

    @property
    def images(self) -> tuple[Image, ...]:
        """The pictures of these frames."""
        return tuple(frame.image for frame, _ in self._frames)

    def rest_anew(self) -> None:
        """Forgets what was seen: something moves, or a hand is in the tray."""
        self._stop_waiting()
        self._frames, self._spent = [], False

    def request(self, frame: Frame) -> None:
        """Requests darker frames unless already done in this rest or known to be in vain."""
        if not self._spent and self._vain < _MAX_VAIN_REQUESTS:
            self._spent = True
            self._asked = frame.index if self._camera.darken(DARKER_EXPOSURE_SHARE) else None

    def waits(self, frame: Frame) -> bool:
        """True while darker frames are still awaited at this frame."""
        if self._asked is not None and frame.index - self._asked > MAX_WAIT_FRAMES:
            self._vain += not self._frames
            self._stop_waiting()
            self._frames = []
        return self._asked is not None

    def take(self, frame: Frame, die_px: float) -> bool:
        """Takes a darker frame; returns whether there are now enough in which nothing moved.

        `die_px` is the edge of a die on a small copy, pixels.
        """
        if not self.waits(frame):
            self._stray += 1
            if self._stray % MAX_WAIT_FRAMES == 0:
                self._camera.brighten()
            return False
        if frame.exposure == 0.0:
            return False
        small = shrink(frame.image)
        if self._frames:
            moved = int(np.count_nonzero(changed_pixels(self._frames[-1][1], small)))
            if moved > max(3.0, _MAX_NOISE_SHARE * die_px * die_px):
                self._frames = []
        self._frames.append((frame, small))
        if len(self._frames) < _DARK_FRAMES_NEEDED:
            return False
        self._vain = 0
        self._stop_waiting()
        return True

    def _stop_waiting(self) -> None:
        if self._asked is not None:
            self._asked = None
            self._camera.brighten()


class Darker(DarkFrames):
    """Requests darker frames from a camera once per rest, and reads them.

    Args:
        reader: reads them.
        camera: takes them.
    """

    def __init__(self, reader: DarkReader, camera: Exposure) -> None:
        super().__init__(camera)
        self._reader = reader

    def ask(self, frame: Frame, dice: Sequence[DieReading], missing: bool) -> None:
        """Requests darker frames if they may help; `missing`: whether expected dice are absent."""
        doubts = (die for die in dice if not is_conclusive(die))
        if missing or any(may_be_in_glare(frame.image, die) for die in doubts):
            self.request(frame)

    def read(self, lit: Sequence[tuple[Image, TrayReading]]) -> list[TrayReading]:
        """Reads the last usual pictures, at least two, each together with a darker one.

        Raises:
            Unreadable: nothing can be claimed about a darker one.
        """
        pairs = zip(lit[-_DARK_FRAMES_NEEDED:], self.images, strict=True)
        return [self._reader.read_again(*seen, (dark,)) for seen, dark in pairs]
