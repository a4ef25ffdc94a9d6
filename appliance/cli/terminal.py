"""The terminal as the board of `run`, and the keyboard as its buttons."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from appliance.cli.stopping import StopRequests
from appliance.service.appliance import Appliance
from appliance.service.ports import Happened
from appliance.service.view import Viewer
from appliance.terminal.keyboard import REAL_DICE_HELP, Keyboard, KeyboardButtons
from appliance.terminal.log import TerminalLog
from appliance.terminal.screen import TerminalView
from vision.frame import Frame
from vision.geometry.profile import Profile


class RunTerminal:
    """A terminal that is taken while the loop runs.

    Args:
        stack: gives the keyboard back.
        log: the file that keeps what happens.
        keyboard: whether keys are read.
        shown: how many lines of the log are drawn.

    Attributes:
        keys: the buttons; None without a keyboard.
        log: what happens, while it is drawn.
    """

    def __init__(self, stack: ExitStack, log: Path, *, keyboard: bool, shown: int = 0) -> None:
        self._viewer: Viewer | None = None
        self._keyboard = stack.enter_context(Keyboard()) if keyboard else None
        self.keys = None if self._keyboard is None else KeyboardButtons(self._keyboard)
        self.log = TerminalLog(log, shown)

    def look(self, frame: Frame) -> None:
        """Takes note of the frame that the appliance gets next."""
        if self._viewer is not None:
            self._viewer.look(frame)

    def hear(self, happened: Happened) -> None:
        """Takes note of what happened."""
        if self._viewer is not None:
            self._viewer.hear(happened)

    @contextmanager
    def drawn(
        self, appliance: Appliance, profile: Callable[[], Profile | None]
    ) -> Iterator[Callable[[], None]]:
        """Gives what draws the appliance in place, until the end of the block.

        It raises KeyboardInterrupt once a signal has asked for the end.
        """
        viewer = self._viewer = Viewer(appliance, profile)
        with (
            StopRequests().heard() as requests,
            closing(TerminalView(sys.stdout, REAL_DICE_HELP)) as screen,
            self.log.taken(),
        ):
            if self.keys is not None:
                self.keys.others = screen.obey

            def show() -> None:
                if requests.stop:
                    raise KeyboardInterrupt
                if requests.pause:
                    rest(requests, self._keyboard, screen)
                screen.draw(viewer.view(), log=self.log.recent)

            yield show


def rest(requests: StopRequests, keyboard: Keyboard | None, view: TerminalView | None) -> None:
    """Gives the terminal back as it was, waits until the program is continued, takes it again."""
    if view is not None:
        view.close()
    if keyboard is not None:
        keyboard.close()
    requests.suspend()
    if keyboard is not None:
        keyboard.again()
    if view is not None:
        view.open()
