"""The terminal, or a page, as the board and buttons of `run`."""

import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from appliance.cli.shared.stopping import StopRequests
from appliance.service.appliance import Appliance
from appliance.service.view import Viewer
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


class RunTerminal:
    """A terminal that is the board, whose keys are the buttons, or both; the stack restores it.

    A page, if there is one, is drawn and read in its place. The log keeps what happens meanwhile,
    and its last `shown` lines are displayed; without a log nothing is drawn.
    """

    def __init__(
        self,
        stack: ExitStack,
        viewer: Viewer,
        keyboard: bool,
        page: "BrowserPage | None",
        log: Path | None,
        shown: int,
        requests: StopRequests | None = None,
    ) -> None:
        self._stack = stack
        self._page = page
        self._keyboard = page or stack.enter_context(closing(Keyboard())) if keyboard else None
        if page is not None:
            page.occasion = lambda: viewer.occasion
        self.keys = None if self._keyboard is None else KeyboardButtons(self._typed)
        self.draws = log is not None
        self._log = TerminalLog(log or Path(), shown)
        self._viewer = viewer
        self._requests = requests or StopRequests()
        self._shown: tuple[Appliance, TerminalView | BrowserPage] | None = None
        self._trouble: Callable[[], str] = str

    def _typed(self, naming: bool) -> list[str]:
        """What was typed; a signal counts as the key to leave, also while nothing is drawn yet."""
        if self._keyboard is None or self._requests.stop:
            return [QUIT_ACTION]
        return self._keyboard.poll(naming)

    def begin(self, appliance: Appliance, trouble: Callable[[], str] = str) -> None:
        """Takes over the terminal to draw an appliance.

        Args:
            appliance: what is drawn.
            trouble: what is said above it, that the board has no words for; empty for nothing.
        """
        self._trouble = trouble
        if self.draws:
            self._stack.enter_context(self._requests.caught())
            screen = self._page or self._stack.enter_context(
                closing(TerminalView(sys.stdout, REAL_DICE_HELP))
            )
            self._stack.enter_context(self._log.taken())
            self._shown = appliance, screen
        if self.keys is not None:
            self.keys.naming = lambda: appliance.naming
            self.keys.others = partial(self._obey, appliance)

    def _obey(self, appliance: Appliance, actions: Sequence[str]) -> None:
        if self._shown is not None:
            self._shown[1].obey(actions)
        for action in actions:
            if action.startswith(TYPED_PREFIX):
                appliance.type(action.removeprefix(TYPED_PREFIX))
            elif (pick := pick_of(action)) is not None:
                appliance.pick(pick)

    def write(self, line: str) -> None:
        """Keeps a line that says what happened."""
        self._log.write(line)

    def show(self) -> None:
        """Draws the current state, if anything; KeyboardInterrupt if a signal has asked to stop."""
        if self._requests.stop:
            raise KeyboardInterrupt
        if self._shown is not None:
            appliance, screen = self._shown
            if self._requests.pause:
                suspend_program(self._requests, screen, self._keyboard)
            view = self._viewer.view(appliance)
            screen.draw(view, first=self._trouble(), log=self._log.recent)


def suspend_program(requests: StopRequests, *taken: object) -> None:
    """Restores the terminal, suspends the program until it is continued, takes it over again."""
    parts = [part for part in taken if isinstance(part, Keyboard | TerminalView)]
    for part in parts:
        part.close()
    requests.suspend()
    for part in reversed(parts):
        part.open()
