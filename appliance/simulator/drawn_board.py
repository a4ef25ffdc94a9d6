"""A scoreboard that is only drawn, where the firmware cannot be run behind a simulated port."""

from threading import Lock

from appliance.devices.scoreboard import NullScoreboard
from appliance.picture import Picture

SENTENCE = "The scoreboard is drawn without its firmware, which is simulated on Linux only."


class DrawnBoard(NullScoreboard):
    """Keeps the last picture; methods may be called from any thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._picture = Picture()

    def show(self, picture: Picture) -> None:
        """Shows a picture."""
        with self._lock:
            self._picture = picture

    @property
    def picture(self) -> Picture:
        """The picture that is shown; dark at first."""
        with self._lock:
            return self._picture
