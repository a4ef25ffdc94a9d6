"""The board's rest: it dims when nobody plays, and goes dark later."""

from collections.abc import Callable

DIMMED_DIVISOR = 4
"""A dimmed board has a quarter of its brightness."""


class Rest:
    """Dims the board a while after the last press or movement in the tray, and brightens it again.

    Args:
        dim: sets the board's brightness; None where that cannot be done.

    Attributes:
        dark: whether the board was dark when it was last looked at: presses only wake it.
    """

    def __init__(
        self, dim_after_s: float, dark_after_s: float, dim: Callable[[int], None] | None
    ) -> None:
        self._dim_after_s = dim_after_s
        self._dark_after_s = dark_after_s
        self._dim = dim
        self._dimmed = False
        self._active_s = 0.0
        self.dark = False

    def wake(self, time_s: float) -> None:
        """Somebody pressed a button, or something moved in the tray."""
        self._active_s = time_s

    def idle_s(self, time_s: float) -> float:
        """Seconds since then."""
        return time_s - self._active_s

    def update(self, time_s: float, brightness: int) -> bool:
        """Dims or wakes a board of this brightness when it is time to; returns whether it did."""
        idle_s = self.idle_s(time_s)
        dark = idle_s >= self._dark_after_s
        dimmed = idle_s >= self._dim_after_s
        if (dark, dimmed) == (self.dark, self._dimmed):
            return False
        self.dark = dark
        self._dimmed = dimmed
        if self._dim is not None:
            self._dim(brightness // DIMMED_DIVISOR if dimmed else brightness)
        return True
