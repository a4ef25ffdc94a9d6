"""Starts what a `Launch` says: a game with real dice or in a rendered tray, here or on a page."""

import os
import sys
import time
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING

from appliance.cli.shared.boards import open_board
from appliance.cli.shared.launch import Launch
from appliance.cli.shared.output import stream_for_words
from appliance.cli.shared.starting import GameOptions
from appliance.cli.shared.stopping import StopRequests
from appliance.config import Config
from appliance.service.phase import Phase
from appliance.service.phases import Phases, process_age_s
from appliance.service.systemd import Notifier

if TYPE_CHECKING:
    from appliance.cli.shared.cameras import Cameras
    from appliance.web.page import BrowserPage


def run(
    launch: Launch,
    config: Config,
    page: "BrowserPage | None" = None,
    requests: StopRequests | None = None,
    phases: Phases | None = None,
    cameras: "Cameras | None" = None,
) -> int:
    """Runs until the frames end, or somebody leaves or asks to stop; on a page that is open.

    `phases` are those of a start that has begun. `cameras` may have a phone's page open.
    """
    if phases is None:
        begun_s = time.monotonic()
        # Who looked at a camera first has not waited for the game meanwhile.
        since = (lambda: time.monotonic() - begun_s) if requests else process_age_s
        phases = Phases(Notifier.from_environment(), age_s=since)
    phases.watch(partial(open_board, launch.board_name, config))
    phases.begin(Phase.PROGRAM)
    # Imported here so that `dicetray --help` does not wait for OpenCV.
    from appliance.cli.shared.wiring import wire

    wire(launch, config, phases, page, requests, cameras)
    return 0


def play(launch: Launch, config: Config) -> int:
    """Plays in a rendered tray, on a page if one is wanted."""
    if launch.browser:
        return play_on_page(launch, config)
    with StopRequests().caught() as requests:
        print(_play_to_end(launch, config, requests), file=stream_for_words(launch.json))
    return 0


def play_on_page(launch: Launch, config: Config, *, show: bool = True) -> int:
    """Plays on a page: first what the launch names, then whatever people choose there."""
    from appliance.cli.shared.boards import open_page

    tutorial = launch.simulation.tutorial
    chosen = launch.keyboard or tutorial or launch.guided or launch.game.named
    with ExitStack() as stack:
        page = open_page(stack, show=show, as_json=launch.json)
        requests = stack.enter_context(StopRequests().caught())
        ended = _play_to_end(launch, config, requests, page) if chosen else ""
        simulation = replace(launch.simulation, menu=False, calibrate=False)
        launch = replace(launch, game=GameOptions(), simulation=simulation)
        while choice := page.ask(ended, lambda: requests.stop):
            if choice == "look":
                look_and_play(Launch(GameOptions(), ""), config, requests, page)
                ended = ""
                continue
            ended = _play_to_end(_chosen(launch, choice), config, requests, page)
    print(ended, file=stream_for_words(launch.json))
    return 0


def _chosen(launch: Launch, choice: str) -> Launch:
    """The launch that somebody has chosen on the page."""
    simulation = replace(launch.simulation, tutorial=choice == "tutorial")
    buttons = "browser" if choice == "human" else "none"
    return replace(launch, buttons=buttons, simulation=simulation)


def _play_to_end(
    launch: Launch, config: Config, requests: StopRequests, page: "BrowserPage | None" = None
) -> str:
    with requests.raising():
        # Imported here so that `dicetray --help` does not wait for OpenCV.
        from appliance.cli.shared.simulated_game import play_to_end

    return play_to_end(launch, config, requests, page)


def has_browser() -> bool:
    """True if a page can be served, and shown here."""
    shown = sys.platform == "darwin" or {"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys()
    return bool(shown) and serves_pages()


def serves_pages() -> bool:
    """True if the packages are there that serve pages."""
    return find_spec("starlette") is not None


def look(launch: Launch, config: Config, *, paged: bool, show: bool = True) -> int:
    """Tries cameras over real dice, on a page or here, and plays with one."""
    with ExitStack() as stack:
        page = None
        if paged:
            from appliance.cli.shared.boards import open_page

            page = open_page(stack, show=show)
        requests = stack.enter_context(StopRequests().caught())
        look_and_play(launch, config, requests, page)
    return 0


def look_and_play(
    launch: Launch, config: Config, requests: StopRequests, page: "BrowserPage | None"
) -> None:
    """Tries cameras here or on the page, and plays with the one that somebody decides for."""
    with requests.raising():
        # Imported here so that `dicetray --help` does not wait for OpenCV.
        from appliance.cli.shared.cameras import Cameras
        from appliance.cli.shared.looking import Looking
        from appliance.devices.camera.naming import parse_spec
        from appliance.terminal.keyboard import REAL_DICE_HELP, Keyboard
        from appliance.terminal.screen import TerminalView

    if launch.camera:
        # Typing mistakes are reported before a page is opened.
        parse_spec(launch.camera)
    with ExitStack() as served:
        cameras = Cameras(served, password_file=config.camera.password_file)
        if launch.camera:
            with requests.raising():
                cameras.open(launch.camera).close()
        with ExitStack() as stack:
            keyboard = page or stack.enter_context(closing(Keyboard()))
            screen = page or stack.enter_context(closing(TerminalView(sys.stdout, REAL_DICE_HELP)))
            if page is not None:
                page.help = REAL_DICE_HELP
            looking = Looking(
                keyboard, screen, lambda: requests.stop, cameras.open, phone=serves_pages()
            )
            wish = looking.look(launch.camera)
        if wish is None:
            return
        where = "browser" if page is not None else ""
        playing = replace(
            launch,
            game=replace(launch.game, count=wish.players or launch.game.count),
            camera=wish.camera,
            board=where or "terminal",
            buttons=where or "keyboard",
            wish=wish,
        )
        run(playing, config, page, requests, cameras=cameras)
