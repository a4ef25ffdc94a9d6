"""`dicetray run`: the appliance itself, with the camera, board and buttons that are named."""

import argparse
import logging
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from appliance.commands.starting import (
    add_game_arguments,
    around_from,
    journal_path,
    open_session,
    session_or_menu,
    stopping_on_signals,
)
from appliance.config import Config, load
from appliance.errors import CameraError
from appliance.notify import Notifier

if TYPE_CHECKING:
    from appliance.cameras import Camera
    from appliance.corrections import Corrections
    from appliance.service import Appliance

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
    command.set_defaults(func=main)


def main(args: argparse.Namespace) -> int:
    """Runs until the frames end or a signal comes."""
    config = load(args.config) if args.config else Config()
    spec = args.camera or config.camera.source
    if spec == "sim":
        from appliance.commands.play import run_simulated

        return run_simulated(args, config)
    from appliance.cameras import open_camera
    from appliance.commands.boards import open_board
    from appliance.commands.dataset import CORRECTIONS
    from appliance.corrections import Corrections, listening
    from appliance.health import about
    from appliance.journal import Journal
    from appliance.power import SystemPower
    from appliance.service import Appliance, Happened
    from appliance.telling import to_json, to_text
    from vision.profile import load_profile
    from vision.reader import Reader
    from vision.watch import Watcher

    files = spec.startswith(FILE_KINDS)
    profile_path = args.profile or (config.camera.profile and Path(config.camera.profile))
    with ExitStack() as stack:
        stack.enter_context(stopping_on_signals())
        profile = load_profile(profile_path) if profile_path else None
        default = ":memory:" if files else journal_path(config)
        path = args.journal or default
        journal = stack.enter_context(Journal(path))
        pressed = (args.buttons or ("none" if files else "gpio")) == "gpio"
        session = (session_or_menu if pressed else open_session)(args, config, journal)
        camera = stack.enter_context(closing(open_camera(spec)))
        board = open_board(args.board or ("text" if files else ""), config, stack)
        keys = None
        if pressed:
            from appliance.buttons import Buttons

            keys = stack.enter_context(Buttons(dict(config.buttons.pins), config.buttons.lights))

        def tell(happened: Happened) -> None:
            print(to_json(happened) if args.json else to_text(happened), flush=True)

        corrections = None if files else Corrections(Path(path).parent / CORRECTIONS)
        watcher = Watcher(Reader(profile), profile.tray_pixels() if profile else None)
        around = replace(
            around_from(config),
            dim=board.set_brightness,
            power=SystemPower(),
            health=lambda: about(board.status, appliance.frames_s, Path(path).parent),
        )
        listen = tell if corrections is None else listening(tell, corrections)
        appliance = Appliance(session, journal, watcher, board, keys, listen, around=around)
        notifier = Notifier.from_environment()
        appliance.start()
        notifier.ready()
        try:
            _watch(camera, appliance, corrections, notifier)
        except KeyboardInterrupt:
            log.info("stopped; the game is saved")
        notifier.stopping()
    return 0


def _watch(
    camera: "Camera",
    appliance: "Appliance",
    corrections: "Corrections | None",
    notifier: Notifier,
) -> None:
    """Feeds frames until they end; a live camera that fails is opened again, for ever.

    Only what live cameras saw is kept where players put it right.
    """
    while True:
        try:
            for frame in camera.frames():
                if corrections is not None:
                    corrections.look(frame)
                appliance.feed(frame)
                # Fed by frames alone: a driver may hang so that only a new start helps.
                notifier.alive()
        except CameraError as error:
            if corrections is None:
                raise
            # The camera waits longer from try to try; the game waits with it.
            log.warning("%s", error)
            appliance.lose_camera()
            continue
        appliance.finish()
        return
