"""The terminal, or a page in its place: what a game is drawn on, and whose keys are read."""

import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from appliance.cli.shared.stopping import StopRequests
from appliance.inputs import Key
from appliance.service.appliance import Appliance
from appliance.service.view import View
from appliance.terminal.keyboard import (
    QUIT_ACTION,
    REAL_DICE_HELP,
    TYPED_PREFIX,
    Keyboard,
    KeyboardButtons,
    pick_of,
)
from appliance.terminal.log import TerminalLog
from appliance.terminal.screen import TerminalView

if TYPE_CHECKING:
    from appliance.web.page import BrowserPage


class GameTerminal:
    """A terminal that a game is drawn on, whose keys are read, or both; the stack restores it.

    A page, if there is one, is drawn and read in its place.

    Args:
        stack: closes what is opened.
        page: in place of the terminal; None for the terminal.
        requests: what signals have asked for.
        reads: whether keys are read.
        log: the file that keeps what happens while it is drawn; None where nothing is drawn.
        shown: how many of the last lines of that are displayed.

    Attributes:
        draws: whether it is drawn on.
        keys: its keys as an appliance's buttons; None where they are not read.
    """

    def __init__(
        self,
        stack: ExitStack,
        page: "BrowserPage | None",
        requests: StopRequests,
        *,
        reads: bool,
        log: Path | None,
        shown: int,
    ) -> None:
        self._stack = stack
        self._page = page
        self._requests = requests
        self._keyboard = page or stack.enter_context(closing(Keyboard())) if reads else None
        self._screen: TerminalView | BrowserPage | None = None
        self._log = TerminalLog(log or Path(), shown)
        self.draws = log is not None
        self.keys = KeyboardButtons(self.poll) if reads else None

    def open(self, keys: Mapping[Key, str]) -> None:
        """Takes over what it is drawn on, if it is; the help says what these keys do."""
        if not self.draws:
            return
        if self._page is None:
            view = TerminalView(sys.stdout, keys)
            self._screen = self._stack.enter_context(closing(view))
        else:
            self._screen, self._page.help = self._page, keys
        self._stack.enter_context(self._log.taken())

    def begin(self, appliance: Appliance) -> None:
        """Takes it over as the board, the buttons, or both, of an appliance with real dice."""
        if self.draws:
            self._stack.enter_context(self._requests.caught())
        self.open(REAL_DICE_HELP)
        if self.keys is not None:
            self.keys.naming = lambda: appliance.naming
            self.keys.others = partial(_obey, appliance)

    def poll(self, naming: bool = False) -> list[str]:
        """The actions typed since the last call, as `Keyboard.poll`; what is drawn follows them.

        A signal counts as the key to leave, also while nothing is drawn yet.
        """
        if self._requests.stop:
            return [QUIT_ACTION]
        actions = [] if self._keyboard is None else self._keyboard.poll(naming)
        if self._screen is not None:
            self._screen.obey(actions)
        return actions

    def pause(self, seconds: float) -> bool:
        """Waits; whether that ended early, as something was pressed, which only a page can say."""
        if self._page is not None:
            return self._page.pause(seconds)
        time.sleep(seconds)
        return False

    def write(self, line: str) -> None:
        """Keeps a line that says what happened."""
        self._log.write(line)

    def draw(self, view: View, first: str = "") -> None:
        """Draws a view, if anything, and above it what is to be said `first`."""
        if self._screen is not None:
            self._screen.draw(view, first, self._log.recent)

    def obey_signals(self) -> bool:
        """True once a signal asks to stop; one that asks to suspend the program is obeyed first.

        Meanwhile the terminal is as it was before.
        """
        if self._requests.pause:
            both = self._screen, self._keyboard
            parts = [part for part in both if isinstance(part, Keyboard | TerminalView)]
            for part in parts:
                part.close()
            self._requests.suspend()
            for part in reversed(parts):
                part.open()
        return self._requests.stop


def _obey(appliance: Appliance, actions: Sequence[str]) -> None:
    """Does what is typed or clicked that no button does."""
    for action in actions:
        if action.startswith(TYPED_PREFIX):
            appliance.type(action.removeprefix(TYPED_PREFIX))
        elif (pick := pick_of(action)) is not None:
            appliance.pick(pick)
