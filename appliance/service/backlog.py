"""What happened while the disk refused: it waits in its order and is tried again."""

import logging

from appliance.alerts import Alert
from appliance.errors import JournalError
from appliance.table.menu.step import Happening

log = logging.getLogger(__name__)

RETRY_S = 1.0
"""Seconds between tries."""

MEND_S = 60.0
"""Seconds from one mending to the next: each keeps a damaged file, and a card has room for few."""


class Backlog:
    """What happened and is not on disk yet, why (`fault`), and when to try again.

    With `damaged`, the file must be mended before anything can be written.
    """

    def __init__(self) -> None:
        self.fault: Alert | None = None
        self._waiting: list[Happening] = []
        self.damaged = False
        self._mended_s: float | None = None
        self._tried_s = 0.0
        self._logged = ""

    def add(self, happened: Happening) -> None:
        """Lets something wait, behind all that waits already."""
        self._waiting.append(happened)

    def refused(self, error: JournalError, time_s: float) -> None:
        """The disk has refused: it is tried again in a while."""
        if str(error) != self._logged:
            # Tried again every second, logged once.
            self._logged = str(error)
            log.error("not saved: %s", error)
        self.fault, self._tried_s = error.alert, time_s
        # A file that could not be mended for want of room is as damaged as before.
        self.damaged |= error.damaged

    def accepted(self) -> None:
        """The disk takes what is written."""
        self.fault = None

    def due(self, time_s: float) -> bool:
        """Whether it is time to try again."""
        if self.fault is None or time_s - self._tried_s < RETRY_S:
            return False
        rests = self._mended_s is not None and time_s - self._mended_s < MEND_S
        return not (self.damaged and rests)

    def mended(self, time_s: float) -> None:
        """The file was mended."""
        self.damaged, self._mended_s = False, time_s

    def release(self) -> tuple[Happening, ...]:
        """What waits, oldest first; it waits no longer."""
        waiting, self._waiting = self._waiting, []
        return tuple(waiting)

    def tried(self) -> None:
        """All that waited was tried again."""
        if self.fault is None:
            self._logged = ""
            log.info("everything is saved again")
