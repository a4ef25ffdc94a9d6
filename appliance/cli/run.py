"""`dicetray run`: the appliance itself, with the camera, board and buttons that are named."""

import argparse
import logging
import time
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from appliance.alerts import Alert, most_urgent
from appliance.cli.starting import (
    add_game_arguments,
    around_from,
    open_session,
    session_or_menu,
    stopping_on_signals,
)
from appliance.config import Config, load
from appliance.config.paths import TRAY_FILE, journal_path
from appliance.service.systemd import Notifier, Phases

if TYPE_CHECKING:
    from collections.abc import Callable

    from appliance.devices.buzzer import Sounds
    from appliance.devices.camera import Camera
    from appliance.service.appliance import Appliance
    from appliance.service.ports import Keys
    from vision.frame import Frame

log = logging.getLogger(__name__)

FILE_KINDS = ("file:", "dir:")


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Adds the subcommand."""
    command = subparsers.add_parser(
        "run",
        help="watch a tray and keep the score",
        description="Watches a tray and keeps the score. With a file or folder as the camera, time "
        "is that of the frames and the program ends with the last one.",
    )
    command.add_argument("--config", type=Path, help="configuration file (TOML)")
    command.add_argument(
        "--camera",
        metavar="SPEC",
        help="file:PATH, dir:PATH, v4l2:N, pi or sim; default from the configuration",
    )
    command.add_argument("--profile", type=Path, help="what calibration knows of this tray")
    command.add_argument(
        "--board",
        metavar="PORT",
        help="serial port of the scoreboard; `sim` runs the firmware here, `text` prints the "
        "screens, `none` shows nothing; default: text for files, else from the configuration",
    )
    command.add_argument(
        "--buttons",
        choices=("gpio", "none"),
        help="default: none for files, else gpio",
    )
    add_game_arguments(command)
    command.add_argument("--journal", help="file that keeps the games; default: none for files")
    command.add_argument("--json", action="store_true", help="print one JSON object for each event")
    command.set_defaults(func=main, plays=True, serves=True)


def main(args: argparse.Namespace) -> int:
    """Runs until the frames end or a signal comes."""
    config = load(args.config) if args.config else Config()
    spec = args.camera or config.camera.source
    if spec == "sim":
        from appliance.cli.play import run_simulated

        return run_simulated(args, config)
    return _run(args, config, spec)


def _run(args: argparse.Namespace, config: Config, spec: str) -> int:
    notifier = Notifier.from_environment()
    phases = Phases(notifier)
    phases.begin("loads the program")
    from appliance.cli.boards import open_board
    from appliance.cli.dataset import CORRECTIONS
    from appliance.devices.buzzer import Silence
    from appliance.devices.camera import open_camera
    from appliance.devices.camera.feed import Pump
    from appliance.devices.camera.spec import parse_spec
    from appliance.devices.power import SystemPower
    from appliance.diagnostics.about import about
    from appliance.service.appliance import Appliance
    from appliance.service.corrections import Corrections, listening
    from appliance.service.event_text import to_json, to_text
    from appliance.service.installation import KnownTray
    from appliance.service.loop import Loop
    from appliance.service.opening import open_games
    from appliance.service.ports import Happened

    parse_spec(spec)
    files = spec.startswith(FILE_KINDS)
    configured = Path(config.camera.profile) if config.camera.profile else None
    with ExitStack() as stack:
        stack.enter_context(stopping_on_signals())
        path = args.journal or (":memory:" if files else journal_path(config))
        # Films have no tray that could be calibrated, and nobody to tell of a damaged profile.
        beside = None if files else Path(path).parent / TRAY_FILE
        phases.begin("reads what it knows of the tray")
        tray = KnownTray(args.profile or configured or beside, strict=files)
        board = open_board(args.board or ("text" if files else ""), config, stack)
        pump = None
        if not files:
            # Cameras take a second or two to start: meanwhile all else is made ready.
            pump = Pump(lambda: tray.opened(open_camera(spec, tray.controls)))
            stack.callback(pump.close)
            pump.start()
        phases.begin("opens the games")
        journal, salvage = open_games(path, board, notifier)
        stack.enter_context(journal)
        pressed = (args.buttons or ("none" if files else "gpio")) == "gpio"
        session = (session_or_menu if pressed else open_session)(args, config, journal)
        film = stack.enter_context(closing(open_camera(spec))) if files else None
        phases.begin("takes the buttons")
        keys, sounds = _fingers(config, stack) if pressed else (None, Silence())
        phases.begin("shows the first prompt")

        def tell(happened: Happened) -> None:
            print(to_json(happened) if args.json else to_text(happened), flush=True)

        corrections = None if files else Corrections(Path(path).parent / CORRECTIONS)
        around = replace(
            around_from(config),
            dim=board.set_brightness,
            sounds=sounds,
            power=SystemPower(),
            health=lambda: (
                *tray.about(),
                *about(board.status, appliance.frames_s, Path(path).parent),
            ),
            calibrate=None if files else tray.calibrate,
            watch=tray.watcher,
        )
        listen = tell if corrections is None else listening(tell, corrections, tray)
        appliance = Appliance(session, journal, tray.watcher(), board, keys, listen, around=around)
        # What passes by itself is up for its time, however long the machine has been on.
        appliance.start(0.0 if files else time.monotonic())
        if salvage is not None:
            log.error("%s", salvage.sentence)
            appliance.say(*salvage.pages)
        tray.speak(appliance.say)
        phases.ready()

        def look(frame: "Frame") -> None:
            phases.delivers()
            if corrections is not None:
                corrections.look(frame)

        try:
            if film is not None:
                _watch_film(film, appliance, tray.alerts)
            elif pump is not None:
                Loop(pump, appliance, notifier, time.monotonic, look, tray.alerts).run()
        except KeyboardInterrupt:
            log.info("stopped; the game is saved")
        tray.finish()
        notifier.stopping()
    return 0


def _fingers(config: Config, stack: ExitStack) -> "tuple[Keys, Sounds]":
    """Buttons and buzzer, which are given back with the stack."""
    from appliance.devices.buttons import Buttons
    from appliance.devices.buzzer import Buzzer, Silence

    keys = stack.enter_context(Buttons(dict(config.buttons.pins), config.buttons.lights))
    if not config.buzzer.fitted:
        return keys, Silence()
    return keys, stack.enter_context(Buzzer(config.buzzer.pin))


def _watch_film(
    camera: "Camera",
    appliance: "Appliance",
    watch_over: "Callable[[Frame], frozenset[Alert]]" = lambda _: frozenset(),
) -> None:
    """Feeds the frames of a film or of pictures until they end; time is theirs."""
    for frame in camera.frames():
        appliance.feed(frame)
        appliance.warn(most_urgent(watch_over(frame)))
    appliance.finish()
