"""`dicetray look`: tries a camera over real dice, says what would help, and begins a game."""

import argparse
import os
import sys
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from typing import TYPE_CHECKING

from appliance.cli.shared.starting import GameOptions, add_game_arguments, with_deck
from appliance.cli.shared.stopping import StopRequests
from appliance.config import Config, load
from appliance.words import set_language
from vision.ordinary import ordinary_path

if TYPE_CHECKING:
    from appliance.web.page import BrowserPage

BOARDS = ("browser", "terminal")


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Describes the command and its arguments."""
    command.description = (
        "Shows what a camera sees, each die outlined with its value or its doubt, and one sentence "
        "on what to do. Enter begins a game with it, a number one for as many players: no "
        "calibration is needed. Without --camera the only USB camera is taken, or you choose; "
        "never the one in a laptop's lid."
    )
    add = command.add_argument
    add("--camera", metavar="SPEC", help="v4l2:N, phone, http://... or rtsp://...")
    add("--board", choices=BOARDS, help="where; default: the browser, if there is a display")
    add("--no-open", action="store_true", help="with the browser: do not open the page")
    add("--config", type=ordinary_path, help="configuration file (TOML)")
    add_game_arguments(command)
    command.set_defaults(func=main, plays=True)


@dataclass(frozen=True, slots=True)
class LookOptions:
    """The game to begin, and the camera to begin with if one was named."""

    game: GameOptions = field(default_factory=GameOptions)
    camera: str = ""


def main(args: argparse.Namespace) -> int:
    """Looks, and plays if somebody wants to."""
    config = with_deck(load(args.config) if args.config else Config(), args.deck)
    set_language(args.language or config.scoreboard.language)
    options = LookOptions(GameOptions.of(args), args.camera or "")
    paged = args.board == "browser" if args.board else has_browser()
    with ExitStack() as stack:
        page = None
        if paged:
            from appliance.cli.shared.boards import open_page

            page = open_page(stack, show=not args.no_open)
        requests = stack.enter_context(StopRequests().caught())
        look_and_play(options, config, requests, page)
    return 0


def has_browser() -> bool:
    """Whether a page can be served, and shown here."""
    shown = sys.platform == "darwin" or {"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys()
    return bool(shown) and serves_pages()


def serves_pages() -> bool:
    """Whether the packages are there that serve pages."""
    return find_spec("starlette") is not None


def look_and_play(
    options: LookOptions, config: Config, requests: StopRequests, page: "BrowserPage | None"
) -> None:
    """Tries cameras here or on the page, and plays with the one that somebody decides for."""
    with requests.raising():
        # Imported here so that `dicetray --help` does not wait for OpenCV.
        from appliance.cli.run import RunOptions, run
        from appliance.cli.shared.cameras import Cameras
        from appliance.cli.shared.looking import Looking
        from appliance.devices.camera.naming import parse_spec
        from appliance.terminal.keyboard import REAL_DICE_HELP, Keyboard
        from appliance.terminal.screen import TerminalView

    if options.camera:
        # Typing mistakes are reported before a page is opened.
        parse_spec(options.camera)
    with ExitStack() as served:
        cameras = Cameras(served, password_file=config.camera.password_file)
        if options.camera:
            with requests.raising():
                cameras.open(options.camera).close()
        with ExitStack() as stack:
            keyboard = page or stack.enter_context(closing(Keyboard()))
            screen = page or stack.enter_context(closing(TerminalView(sys.stdout, REAL_DICE_HELP)))
            if page is not None:
                page.help = REAL_DICE_HELP
            looking = Looking(
                keyboard, screen, lambda: requests.stop, cameras.open, phone=serves_pages()
            )
            wish = looking.look(options.camera)
        if wish is None:
            return
        playing = RunOptions(
            replace(options.game, count=wish.players or options.game.count),
            wish.camera,
            board="terminal" if page is None else "browser",
            buttons="keyboard" if page is None else "browser",
            begins=not wish.menu,
            as_it_is=True,
            geometry=looking.geometry,
            seen=wish.seen,
            locked=wish.locked,
        )
        run(playing, config, page, requests, cameras=cameras)
