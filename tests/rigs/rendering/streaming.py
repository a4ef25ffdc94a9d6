"""The camera over the simulated tray as a stream of frames that advances the tray's time."""

from collections.abc import Callable, Iterator

from simulator.camera import SMALL_SIZE_PX
from simulator.motion.simulated_tray import SimulatedTray
from vision.frame import Frame


class StreamingCamera:
    """Takes frames of a simulated tray and advances its time.

    Args:
        tray: what it looks at.
        fps: frames per simulated second.
        size: width and height of the frames.
        pace: called with the frame's simulated time before each frame is yielded; a live program
            waits in it, a test leaves it out.
    """

    def __init__(
        self,
        tray: SimulatedTray,
        fps: float = 30.0,
        size: tuple[int, int] = SMALL_SIZE_PX,
        pace: Callable[[float], None] | None = None,
    ) -> None:
        if fps <= 0:
            raise ValueError(f"expected more than 0 frames a second, got {fps:g}")
        self._tray = tray
        self._step_s = 1.0 / fps
        self._size = size
        self._pace = pace
        self._open = True

    def frames(self) -> Iterator[Frame]:
        """Yields frames until it is closed."""
        while self._open:
            frame = self._tray.frame(self._size)
            if self._pace is not None:
                self._pace(frame.time_s)
            yield frame
            self._tray.advance(self._step_s)

    def close(self) -> None:
        """Ends the frames; may be called twice."""
        self._open = False
