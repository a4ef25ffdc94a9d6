"""Takes in what happens, in order: a disk that refuses is tried again, and nothing overtakes."""

import logging
from collections import deque
from collections.abc import Callable

from appliance.alerts import Alert
from appliance.errors import JournalError
from appliance.inputs import Chord, Pressed
from appliance.journal.library import Library
from appliance.service.backlog import Backlog
from appliance.service.saved_console import SavedConsole
from appliance.service.tick import Tick
from appliance.table.menu.console import Console
from appliance.table.menu.modules import Modules
from appliance.table.menu.step import Happening
from appliance.table.menu.upkeep import Off

log = logging.getLogger(__name__)

MAX_ROUND_S = 1.0
"""After this a round of the loop, which must feed the watchdog, begins nothing more."""


class Inbox:
    """Where everything arrives that happens: events of the tray, presses, what is over.

    It passes to the saved console as much as the round has time for; the rest waits its turn. What
    the disk refuses waits in the backlog, and everything after it queues up behind it.

    Args:
        begin_alert: called with the time when the disk begins to refuse.
    """

    def __init__(
        self,
        saved: SavedConsole,
        library: Library,
        backlog: Backlog,
        now: Tick,
        begin_alert: Callable[[float], None],
    ) -> None:
        self._saved = saved
        self._library = library
        self._backlog = backlog
        self._now = now
        self._begin_alert = begin_alert
        self._waiting: deque[Happening] = deque()

    def take(self, *happened: Happening) -> None:
        """Takes in what has happened, as far as time and the disk allow; the rest waits."""
        fault_before = self._backlog.fault
        self._waiting.extend(happened)
        while self._waiting:
            if self._backlog.fault is not None:
                self._take_without_disk(self._waiting.popleft())
            elif self._now.taken_s < MAX_ROUND_S:
                self._take_waiting()
            else:
                break
        self._alert_new_fault(fault_before)

    def leave_out_late_presses(self) -> None:
        """Leaves out presses that wait, if they cannot have meant what is about to be shown.

        So are those after them: nobody has seen yet what they would do.
        """
        late = False
        kept = deque[Happening]()
        for happened in self._waiting:
            if isinstance(happened, Pressed):
                late = late or not self._saved.may_answer(happened)
            if not (late and isinstance(happened, Pressed)):
                kept.append(happened)
        self._waiting = kept

    def _alert_new_fault(self, before: Alert | None) -> None:
        if self._backlog.fault is not None and self._backlog.fault is not before:
            self._begin_alert(self._now.time_s)

    def _take_without_disk(self, happened: Happening) -> None:
        asked = isinstance(self._saved.console.page, Off | Modules)
        if isinstance(happened, Chord) or (asked and isinstance(happened, Pressed)):
            # None of it is written, so it need not wait for a disk that may stay as it is.
            self._saved.take(happened)
        else:
            self._backlog.add(happened)

    def _take_waiting(self) -> None:
        """Takes in what waits, up to where the game needs an answer from the appliance."""
        waiting = iter(self._waiting)

        def pull(console: Console) -> Happening | None:
            return None if self._saved.awaits_appliance(console) else next(waiting, None)

        try:
            for _ in range(self._saved.take_all(pull)):
                self._waiting.popleft()
        except JournalError as error:
            self._backlog.add(self._waiting.popleft())
            self._backlog.note_refusal(error, self._now.time_s)
        else:
            self.take_consequences()

    def take_consequences(self) -> None:
        """Takes in what follows from what was just taken in."""
        try:
            self._saved.take_consequences()
        except JournalError as error:
            self._backlog.note_refusal(error, self._now.time_s)
        else:
            self._backlog.note_success()

    def retry_disk(self) -> None:
        """Tries to write what waits for the disk, when it is time to."""
        if isinstance(self._saved.console.page, Off | Modules):
            # What waits was not meant as an answer to that question.
            return
        backlog = self._backlog
        if not backlog.is_retry_due(self._now.time_s):
            return
        if backlog.damaged:
            try:
                self._mend_journal()
            except JournalError as error:
                backlog.note_refusal(error, self._now.time_s)
                return
            backlog.note_repair()
        self._waiting.extendleft(reversed(backlog.release()))
        self.take_consequences()
        # If one is refused again, the others queue up behind it.
        self.take()
        backlog.note_retry()

    def _mend_journal(self) -> None:
        self._saved.console, done = self._library.mend(self._saved.console)
        if done is not None:
            log.error("%s", done.sentence)
