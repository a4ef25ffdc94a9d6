"""Happenings from while the disk refused writes: they wait in order and are tried again."""

import logging

from appliance.alerts import Alert
from appliance.errors import JournalError
from appliance.table.menu.step import Happening

log = logging.getLogger(__name__)

RETRY_AFTER_S = 1.0


class Backlog:
    """Happenings that are not on disk yet, why (`fault`), and when to try again.

    With `damaged`, the file must be repaired before anything can be written.
    """

    def __init__(self) -> None:
        self.fault: Alert | None = None
        self._waiting: list[Happening] = []
        self.damaged = False
        self._tried_s = 0.0
        self._logged = ""

    def add(self, happened: Happening) -> None:
        """Queues something behind everything that waits already."""
        self._waiting.append(happened)

    def note_refusal(self, error: JournalError, time_s: float) -> None:
        """The disk has refused a write: it is tried again in a while."""
        if str(error) != self._logged:
            # Tried again every second, logged once.
            self._logged = str(error)
            log.error("not saved: %s", error)
        if self.fault is not Alert.GAMES_GONE or error.alert is not Alert.DISK_FAULT:
            # That files are gone says more than that they cannot be made.
            self.fault = error.alert
        self._tried_s = time_s
        # A file that could not be repaired for lack of space is as damaged as before.
        self.damaged |= error.damaged

    def note_success(self) -> None:
        """The disk accepts writes."""
        self.fault = None

    def is_retry_due(self, time_s: float) -> bool:
        """True once it is time to try again."""
        return self.fault is not None and time_s - self._tried_s >= RETRY_AFTER_S

    def note_repair(self) -> None:
        """The file was repaired."""
        self.damaged = False

    def release(self) -> tuple[Happening, ...]:
        """Empties the queue; returns what waited, oldest first."""
        waiting, self._waiting = self._waiting, []
        return tuple(waiting)

    def note_retry(self) -> None:
        """Everything that waited was tried again."""
        if self.fault is None:
            self._logged = ""
            log.info("everything is saved again")
