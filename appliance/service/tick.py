"""The present tick of the loop: which frame it is about, what time it is, how long it takes."""

from collections import deque
from collections.abc import Callable

from vision.frame import Frame

FRAME_RATE_FRAMES = 60
"""How many frames the frame rate is measured over."""


class Tick:
    """The present tick, on the clock of the frames.

    Args:
        clock: seconds, for ending ticks that a slow disk makes long; it need not be the clock of
            the frames.

    Attributes:
        frame: index of the last frame.
        time_s: time of the last frame, or later where none has come.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._began_s = 0.0
        self._frame_times_s: deque[float] = deque(maxlen=FRAME_RATE_FRAMES)
        self.frame = 0
        self.time_s = 0.0

    def begin_with_frame(self, frame: Frame) -> None:
        """A tick begins because a frame has come."""
        self._began_s = self._clock()
        self.frame = frame.index
        self.time_s = frame.time_s
        self._frame_times_s.append(frame.time_s)

    def begin_without_frame(self, time_s: float) -> None:
        """A tick begins though no frame has come."""
        self._began_s = self._clock()
        self.time_s = max(self.time_s, time_s)

    @property
    def taken_s(self) -> float:
        """How long this tick has taken so far."""
        return self._clock() - self._began_s

    @property
    def frames_a_second(self) -> float | None:
        """Over the last few frames; None before there are two."""
        times_s = self._frame_times_s
        took_s = times_s[-1] - times_s[0] if times_s else 0.0
        return (len(times_s) - 1) / took_s if took_s > 0 else None
