"""`dicetray run`: the appliance itself, with the camera, board and buttons that are named."""

import argparse
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from appliance.cli.shared.boards import open_board
from appliance.cli.shared.launch import SIMULATED, Launch, Simulation
from appliance.cli.shared.launching import play, run
from appliance.cli.shared.starting import add_game_arguments, with_deck
from appliance.config import Config, load
from appliance.errors import ConfigError
from appliance.service.phase import Phase
from appliance.service.phases import Phases
from appliance.words import set_language
from vision.files.ordinary import ordinary_path

if TYPE_CHECKING:
    from appliance.devices.scoreboard import Scoreboard


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Describes the command and its arguments."""
    command.description = (
        "Watches a tray and keeps the score. With a file or folder as the camera the "
        "frames set the time, and the program ends with the last one."
    )
    add = command.add_argument
    add("--config", type=Path, help="configuration file (TOML)")
    camera = "file:PATH, dir:PATH, v4l2:N, phone, pi or sim; default: the configured one"
    add("--camera", metavar="SPEC", help=camera)
    add("--profile", type=ordinary_path, help="calibration profile of this tray")
    board = (
        "serial port of the scoreboard; `terminal` draws it here with the camera's picture, "
        "`browser` on a page, `sim` runs the firmware here, `text` prints the screens, `none` "
        "shows nothing; default: text for files, else the configured one"
    )
    add("--board", metavar="PORT", help=board)
    buttons = (
        "`keyboard` takes the keys of this terminal, `browser` those of the page that is the "
        "board; default: none for files, else gpio"
    )
    add("--buttons", choices=("gpio", "keyboard", "browser", "none"), help=buttons)
    add("--log", action="store_true", help="with `--board terminal`: show the log below it")
    add_game_arguments(command)
    add("--journal", help="file to keep games in; default: none for files")
    add(
        "--json",
        action="store_true",
        help="print one JSON object for each event; words go to stderr",
    )
    command.set_defaults(func=main, ends_when_told=True, plays=True, serves=True)


def usual_board(stack: ExitStack) -> "Scoreboard":
    """The scoreboard where it is for most, before the configuration says where it is."""
    return open_board("", Config(), stack)


def main(args: argparse.Namespace) -> int:
    """Runs until the frames end or a signal comes."""
    phases: Phases = args.phases
    try:
        phases.begin(Phase.SETTINGS)
        config = Config()
        if args.config and not phases.leaves_out(Phase.SETTINGS):
            config = _load_config(args.config, phases)
        config = with_deck(config, args.deck)
        set_language(args.language or config.scoreboard.language)
        launch = Launch.of(args, args.camera or config.camera.source)
        if launch.camera == SIMULATED:
            phases.close()
            return play(_in_rendered_tray(launch), config)
        if launch.profile is None and config.camera.profile:
            launch = replace(launch, profile=Path(config.camera.profile))
        return run(launch, config, phases=phases)
    finally:
        phases.close()


def _in_rendered_tray(launch: Launch) -> Launch:
    """A person plays with the keys of this terminal or of a page, or nobody.

    The configured profile is that of a real tray.
    """
    boards = ("browser", "terminal", "sim", "text", "none")
    if launch.board not in (None, *boards) or launch.buttons == "gpio":
        found = launch.board if launch.buttons != "gpio" else "--buttons gpio"
        raise ConfigError(
            f"expected for a simulated camera a --board of {', '.join(boards)}, and --buttons of "
            f"keyboard, browser or none, found {found}"
        )
    speed = 1.0 if launch.keyboard or launch.drawn else 0.0
    if launch.keyboard and not launch.browser:
        launch = replace(launch, board="terminal")
    return replace(launch, simulation=Simulation(speed=speed))


def _load_config(path: Path, phases: Phases) -> Config:
    """The configuration; under systemd nobody reads an error, so the board says what is wrong."""
    try:
        return load(path)
    except ConfigError:
        if not phases.notifier.listened_to:
            raise
    from appliance.service.opening import retry_until_done

    phases.release_board()
    with ExitStack() as stack:
        return retry_until_done(lambda: load(path), usual_board(stack), phases)
