"""Work behind the menu: the file with the games, a stick, records, reviews of decisions.

Each round does a little of it, so that no press has to wait.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace

from appliance.devices.stick import ANSWER_FILE, OFFER_FILE, StickFolder
from appliance.errors import JournalError
from appliance.journal.library import Library
from appliance.service.backlog import Backlog
from appliance.service.past_games import review_session
from appliance.service.saved_console import SavedConsole
from appliance.service.tick import Tick
from appliance.table.menu.console import Notice
from appliance.table.menu.main_menu import with_stick
from appliance.table.menu.played import Records, Review
from appliance.table.menu.reviewing import Reviewed

MAX_BACKGROUND_S = 0.05
"""After this a round counts no more games and reviews no more decisions."""

FILE_CHECK_INTERVAL_S = 2.0
"""How often to check whether the file with the games is still there, and a stick plugged in."""

SCRUB_AFTER_S = 10.0
"""Seconds without a press or a movement after which nobody waits for the disk."""

NO_COPY_LINES = ("NO COPY OF", "THE GAMES", "PLUG IN A", "USB STICK")


class Background:
    """Works for the pages of the menu, and watches the disk and the stick.

    Args:
        stick: where sticks are offered; None where there are none.
        begin_alert: called with the time when the file with the games is found gone.
        idle_s: for how many seconds nobody has pressed anything, and nothing has moved.
    """

    def __init__(
        self,
        saved: SavedConsole,
        library: Library,
        backlog: Backlog,
        stick: StickFolder | None,
        now: Tick,
        begin_alert: Callable[[float], None],
        idle_s: Callable[[float], float],
    ) -> None:
        self._saved = saved
        self._library = library
        self._backlog = backlog
        self._stick = stick
        self._now = now
        self._begin_alert = begin_alert
        self._idle_s = idle_s
        self._checked_s = 0.0
        self._review: Iterator[tuple[Reviewed, ...] | None] | None = None

    def work(self) -> None:
        """Does as much of everything as this round has time for."""
        self._check_file_and_stick()
        self._count_games()
        self._review_decisions()
        self._scrub()

    def copy_what_was_shown(self) -> None:
        """Writes to its second place what the board shows by now; nobody waits for that."""
        if self._backlog.fault is not None:
            return
        try:
            self._library.copy()
        except JournalError as error:
            self._backlog.note_refusal(error, self._now.time_s)
            self._begin_alert(self._now.time_s)

    def _check_file_and_stick(self) -> None:
        """Checks now and then whether the file with the games is still there."""
        time_s = self._now.time_s
        if self._backlog.fault is not None or time_s - self._checked_s < FILE_CHECK_INTERVAL_S:
            return
        self._checked_s = time_s
        try:
            self._library.look()
            if self._stick is not None:
                self._handle_stick(self._stick)
        except JournalError as error:
            self._backlog.note_refusal(error, time_s)
            self._begin_alert(time_s)

    def _handle_stick(self, stick: StickFolder) -> None:
        """Offers a stick that was plugged in, says what was done with it, or asks for one."""
        saved = self._saved
        saved.console = with_stick(saved.console, stick.lines(OFFER_FILE))
        said = stick.lines(ANSWER_FILE, take=True)
        if said:
            # Games and settings may have been restored from it.
            settings = self._library.settings(saved.console.settings)
            saved.console = self._library.with_aside(replace(saved.console, settings=settings))
        elif saved.console.over and stick.reminds():
            said = NO_COPY_LINES
        if said:
            pages = tuple(zip(said[::2], said[1::2], strict=False))
            saved.console = replace(saved.console, notice=Notice(pages))

    def _count_games(self) -> None:
        """Counts as many games as a round has time for: for the records while their page is open.

        Else for the list of those that were put aside, then for the index.
        """
        if self._backlog.fault is not None:
            return
        console = self._saved.console
        try:
            if isinstance(console.page, Records) and console.kept.records is None:
                self._saved.console = self._library.with_records(console, self._is_out_of_time)
            elif not self._library.knows_aside:
                self._saved.console = self._library.with_aside(console)
            else:
                self._library.index(self._is_out_of_time)
        except JournalError as error:
            self._backlog.note_refusal(error, self._now.time_s)

    def _review_decisions(self) -> None:
        """Reviews the game while the review is open, as much of it as a round has time for."""
        saved = self._saved
        session = self._saved.console.session
        if session is None or not isinstance(saved.console.page, Review):
            self._review = None
            return
        if self._review is None:
            self._review = review_session(session)
        while saved.console.kept.review is None:
            kept = replace(saved.console.kept, review=next(self._review))
            saved.console = replace(saved.console, kept=kept)
            if self._is_out_of_time():
                break

    def _scrub(self) -> None:
        """Reads a little of all that is kept, and compares, while nothing is played."""
        time_s = self._now.time_s
        idle = self._backlog.fault is None and self._idle_s(time_s) >= SCRUB_AFTER_S
        if idle and not self._is_out_of_time():
            with suppress(JournalError):
                self._library.scrub(time_s)

    def _is_out_of_time(self) -> bool:
        return self._now.taken_s >= MAX_BACKGROUND_S
