"""Tells of games that were damaged or gone, again and again until somebody has read it.

Somebody has if a page of it was up for a second, and a button was pressed then. The word of it is
deleted from the disk only once that button can no longer turn out to be stuck.
"""

from contextlib import suppress
from dataclasses import replace

from appliance.errors import JournalError
from appliance.inputs import Pressed
from appliance.journal.library import Library
from appliance.journal.mending import Mended
from appliance.service.display import Display
from appliance.service.presses import Presses
from appliance.service.tick import Tick
from appliance.table.menu.console import Console, Notice
from appliance.table.menu.modules import Modules
from appliance.table.menu.upkeep import Off

UP_S = 1.0
"""Seconds for which a page must be up without a break. A choice of our own."""

SURE_S = 12.0
"""Seconds after a press by when its button is known to be stuck, if it is: those of
`devices.buttons.STUCK_S`, and some more."""


class Losses:
    """News of losses that is to be told, and who has read it.

    Args:
        library: keeps on the disk what nobody has been told of.
    """

    def __init__(self, library: Library, display: Display, presses: Presses, now: Tick) -> None:
        self._library = library
        self._display = display
        self._presses = presses
        self._now = now
        self._telling: tuple[Notice, Mended] | None = None
        self._read: tuple[float, Pressed] | None = None

    def takes(self, console: Console, press: Pressed) -> bool:
        """True if a press may take away what is told of a loss, which somebody has read then."""
        if self._telling is None or console.notice is not self._telling[0]:
            return True
        if self._display.up_s < UP_S:
            return False
        self._read = self._now.time_s, press
        return True

    def work(self, console: Console) -> Console:
        """The console with what is to be told of, unless it tells something else already."""
        if self._read is not None:
            self._forget_what_was_read(*self._read)
            return console
        if console.notice is not None or isinstance(console.page, Off | Modules):
            return console
        with suppress(JournalError):
            if (untold := self._library.untold()) is not None:
                self._telling = Notice(untold.pages, passing=False), untold
                return replace(console, notice=self._telling[0])
        return console

    def _forget_what_was_read(self, read_s: float, press: Pressed) -> None:
        if self._telling is not None and not self._presses.is_stuck(press.button):
            if self._now.time_s - read_s < SURE_S:
                return
            with suppress(JournalError):
                self._library.note_told(self._telling[1])
        self._telling = self._read = None
