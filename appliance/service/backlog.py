"""What happened while the disk refused: it waits in its order and is tried again."""

import logging
from collections import deque
from collections.abc import Callable

from appliance.alerts import Alert
from appliance.errors import JournalError
from appliance.table.menu.step import Happening

log = logging.getLogger(__name__)

RETRY_S = 1.0
"""Seconds between tries."""

MEND_S = 60.0
"""Seconds from one mending to the next: each keeps a damaged file, and a card has room for few."""


class Unsaved:
    """Takes what happens, and holds it back while it cannot be written.

    Args:
        take: takes one thing that happened in; raises JournalError and changes nothing where it
            cannot be written.
        follow: takes in what follows by itself, such as lots; may be called again at any time.
        mend: makes a damaged file whole; raises JournalError where that is not possible now.

    Attributes:
        fault: why not all is on disk; None while it is.
    """

    def __init__(
        self,
        take: Callable[[Happening], None],
        follow: Callable[[], None],
        mend: Callable[[], None],
    ) -> None:
        self._take = take
        self._follow = follow
        self._mend = mend
        self._damaged = False
        self._mended_s: float | None = None
        self._waiting: deque[Happening] = deque()
        self._tried_s = 0.0
        self._told = ""
        self.fault: Alert | None = None

    def hear(self, happened: Happening, time_s: float) -> None:
        """One thing that happened; it waits, and all after it, while the disk refuses."""
        if self.fault is not None:
            self._waiting.append(happened)
            return
        try:
            self._take(happened)
        except JournalError as error:
            self._waiting.append(happened)
            self._blame(error, time_s)
        else:
            self.go_on(time_s)

    def again(self, time_s: float) -> None:
        """Tries again what waits, once a second."""
        if self.fault is None or time_s - self._tried_s < RETRY_S:
            return
        if self._damaged and not self._mends(time_s):
            return
        waiting, self._waiting = self._waiting, deque()
        self.go_on(time_s)
        for happened in waiting:
            # The first that is refused again has the others queue up behind it.
            self.hear(happened, time_s)
        self._tell_if_saved()

    def go_on(self, time_s: float) -> None:
        """Takes in what follows from what was taken."""
        try:
            self._follow()
        except JournalError as error:
            self._blame(error, time_s)
        else:
            self.fault = None

    def _blame(self, error: JournalError, time_s: float) -> None:
        if str(error) != self._told:
            # Tried again every second, told once.
            self._told = str(error)
            log.error("not saved: %s", error)
        self.fault, self._tried_s = error.alert, time_s
        # A file that could not be mended for want of room is as damaged as before.
        self._damaged |= error.damaged

    def _mends(self, time_s: float) -> bool:
        if self._mended_s is not None and time_s - self._mended_s < MEND_S:
            return False
        try:
            self._mend()
        except JournalError as error:
            self._blame(error, time_s)
            return False
        self._damaged, self._mended_s = False, time_s
        return True

    def _tell_if_saved(self) -> None:
        if self.fault is None:
            self._told = ""
            log.info("what was not saved is saved now")
