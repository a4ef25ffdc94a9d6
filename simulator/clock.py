"""The clock of a simulated appliance: so many frames a second, and faster where nobody acts."""

COMPUTER_HASTE = 6.0
"""How much faster time passes for a person who watches a computer throw: a turn takes 3 s."""
LONGEST_STEP_S = 0.2
"""Simulated seconds between two frames, at most: with more, dice come to rest unseen."""


class SimulatedClock:
    """Counts frames, and the seconds that they take.

    Args:
        fps: frames a second of simulated time.

    Attributes:
        frames: counted so far.
    """

    def __init__(self, fps: float) -> None:
        self._frame_s = 1 / fps
        self._fps = fps
        self.frames = 0
        # How much further simulated time, and then the time of whoever watches, is than the frames.
        self._more_s = self._less_s = 0.0

    @property
    def time_s(self) -> float:
        """Simulated seconds since the start."""
        return self.frames / self._fps + self._more_s

    @property
    def paced_s(self) -> float:
        """Seconds that somebody has watched, at normal speed: a computer's turn passes quickly."""
        return self.frames / self._fps - self._less_s

    def step_s(self, *, hastens: bool) -> float:
        """Simulated seconds from this frame to the next."""
        if not hastens:
            return self._frame_s
        step_s = max(min(COMPUTER_HASTE * self._frame_s, LONGEST_STEP_S), self._frame_s)
        self._more_s += step_s - self._frame_s
        self._less_s += self._frame_s - step_s / COMPUTER_HASTE
        return step_s
