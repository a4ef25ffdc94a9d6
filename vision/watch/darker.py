"""Darker frames of dice that a lamp outshines: asked for as dice come to rest, read, and ended.

A camera answers some frames after it was asked, a Pi after eight, and each frame says for itself
with which exposure it was taken. Between asking and the return of the usual exposure nobody can see
what moves, so it is kept short, and frames of one exposure are compared with each other only.
"""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np

from vision.exposures import DARKER, glares
from vision.frame import Frame, Image
from vision.reading import DieReading, TrayReading
from vision.watch.consensus import clear
from vision.watch.motion import Small, changed, shrink

PATIENCE = 24
"""Frames for which darker ones are waited for, and after which a camera that stays dark is told."""
_VAIN = 2  # times in a row that no darker frame comes before no more are asked for
_ENOUGH = 2  # darker frames, as many as a claim needs readings
_STILL = 0.01  # share of a die's area that noise makes differ between two dark frames, at most


class TrayReader(Protocol):
    """What the watcher needs of a reader."""

    def read(self, image: Image) -> TrayReading:
        """Reads a full picture (height, width, 3) of a tray at rest.

        Raises:
            Unreadable: nothing can be claimed of this picture.
        """


class DarkReader(TrayReader, Protocol):
    """One that knows what darker pictures show."""

    def read_again(
        self, image: Image, reading: TrayReading, darker: Sequence[Image]
    ) -> TrayReading:
        """A reading of a picture, with what darker pictures of the same scene show."""


@runtime_checkable
class Exposure(Protocol):
    """The port to a camera whose exposure can be less than usual for a while."""

    def darken(self, share: float) -> bool:
        """Asks for frames with this share of the usual exposure; whether the camera can."""

    def brighten(self) -> None:
        """Asks for the usual exposure again; does nothing where that is set."""


class DarkFrames:
    """Darker frames of a scene in which nothing moves, asked for once.

    Args:
        camera: takes them.
    """

    def __init__(self, camera: Exposure) -> None:
        self._camera = camera
        self._frames: list[tuple[Frame, Small]] = []
        self._asked: int | None = None  # the frame with which they were asked for
        self._spent = False
        self._vain = 0
        self._stray = 0  # darker frames that nobody waits for

    @property
    def images(self) -> tuple[Image, ...]:
        """What they show."""
        return tuple(frame.image for frame, _ in self._frames)

    def rest_anew(self) -> None:
        """Forgets what was seen: something moves, or a hand is in."""
        self._end()
        self._frames, self._spent = [], False

    def request(self, frame: Frame) -> None:
        """Asks for darker frames unless that was done in this rest, or is known to be in vain."""
        if not self._spent and self._vain < _VAIN:
            self._spent = True
            self._asked = frame.index if self._camera.darken(DARKER) else None

    def waits(self, frame: Frame) -> bool:
        """Whether darker frames are still to be waited for, as of this frame."""
        if self._asked is not None and frame.index - self._asked > PATIENCE:
            self._vain += not self._frames
            self._end()
            self._frames = []
        return self._asked is not None

    def take(self, frame: Frame, die_px: float) -> bool:
        """Takes a darker frame; whether with it there are enough in which nothing moved.

        `die_px` is the edge of a die on a small copy, pixels.
        """
        if not self.waits(frame):
            self._stray += 1
            if self._stray % PATIENCE == 0:
                self._camera.brighten()
            return False
        if frame.exposure == 0.0:
            return False
        small = shrink(frame.image)
        if self._frames:
            moved = int(np.count_nonzero(changed(self._frames[-1][1], small)))
            if moved > max(3.0, _STILL * die_px * die_px):
                self._frames = []
        self._frames.append((frame, small))
        if len(self._frames) < _ENOUGH:
            return False
        self._vain = 0
        self._end()
        return True

    def _end(self) -> None:
        if self._asked is not None:
            self._asked = None
            self._camera.brighten()


class Darker(DarkFrames):
    """Asks a camera for darker frames once in each rest, and reads them.

    Args:
        reader: reads them.
        camera: takes them.
    """

    def __init__(self, reader: DarkReader, camera: Exposure) -> None:
        super().__init__(camera)
        self._reader = reader

    def ask(self, frame: Frame, dice: Sequence[DieReading], missing: bool) -> None:
        """Asks for darker frames if they may help; `missing` says that dice should be there."""
        doubts = (die for die in dice if not clear(die))
        if missing or any(glares(frame.image, die) for die in doubts):
            self.request(frame)

    def read(self, lit: Sequence[tuple[Image, TrayReading]]) -> list[TrayReading]:
        """Readings of the last usual pictures, two or more, each with a darker one.

        Raises:
            Unreadable: nothing can be claimed of a darker one.
        """
        pairs = zip(lit[-_ENOUGH:], self.images, strict=True)
        return [self._reader.read_again(*seen, (dark,)) for seen, dark in pairs]
