"""Which scoreboard a command shows its pictures on."""

import logging
import os
import sys
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from appliance.cli.shared.extras import how_to_add
from appliance.cli.shared.output import stream_for_words
from appliance.config import Config
from appliance.config.paths import state_folder
from appliance.devices.scoreboard import NullScoreboard, Scoreboard, SerialScoreboard
from appliance.errors import ConfigError, ScoreboardError
from appliance.picture import Picture

if TYPE_CHECKING:
    from appliance.web.page import BrowserPage

NO_PORTS = "the simulated scoreboard has a serial port of its own, which Windows cannot make"

log = logging.getLogger(__name__)


class TextBoard(NullScoreboard):
    """Prints every new screen as rows of half blocks."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def show(self, picture: Picture) -> None:
        """Prints the screen."""
        from appliance.terminal.screen import board_lines

        for line in board_lines(picture):
            print(f"    |{line}|", file=self._out)
        self._out.flush()


def open_board(name: str, config: Config, stack: ExitStack, *, as_json: bool = False) -> Scoreboard:
    """Opens the board named on the command line; what it needs is closed with the stack.

    `as_json` says that standard output is for JSON alone.

    The name is `text`, `none`, `terminal`, `browser`, `sim`, a serial port, or empty for the
    configured one. ScoreboardError if the simulated board does not start.
    """
    if name == "text" or (name == "terminal" and (as_json or not sys.stdout.isatty())):
        return TextBoard(stream_for_words(as_json))
    if name in ("none", "terminal", "browser"):
        # More than the board's pictures is drawn there.
        return NullScoreboard()

    port = name or config.scoreboard.port
    if name == "sim":
        if sys.platform == "win32":
            raise ScoreboardError(NO_PORTS, "play with --board terminal or --board browser")
        from appliance.simulator.devices import start_board

        simulated = start_board(stack)
        print(simulated.interpreter.sentence, file=sys.stderr)
        port = simulated.device
    board = SerialScoreboard(port, brightness=config.scoreboard.brightness)
    return stack.enter_context(closing(board))


def open_page(stack: ExitStack, *, show: bool = True, as_json: bool = False) -> "BrowserPage":
    """Serves the page until the stack ends, says where, and opens it if there is a display.

    `as_json` says that standard output is for JSON alone.
    """
    try:
        from appliance.web.page import BrowserPage
    except ModuleNotFoundError as error:
        missing = f"a package that serves pages is missing: {error.name}"
        raise ConfigError(missing, how_to_add("web")) from None
    page = stack.enter_context(closing(BrowserPage(state_folder() / "browser")))
    said = f"The page is at {page.address}\nCtrl-C ends it."
    print(said, file=stream_for_words(as_json), flush=True)
    if show and (sys.platform == "darwin" or {"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys()):
        try:
            import webbrowser

            webbrowser.open(page.write_redirect(_folder_that_browsers_read()))
        except OSError as error:
            log.warning("the page cannot be opened by itself: %s", error)
    return page


def _folder_that_browsers_read() -> Path:
    """Browsers in snaps may read no hidden folder of a user, and have a /tmp of their own.

    Source: https://snapcraft.io/docs/home-interface.
    """
    return Path.home() if Path("/snap/bin").is_dir() else state_folder()
