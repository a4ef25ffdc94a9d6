"""`dicetray run`: the appliance itself, with the camera, board and buttons that are named."""

import argparse
import logging
import time
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Self

from appliance.alerts import Alert, most_urgent
from appliance.cli.starting import (
    GameOptions,
    add_game_arguments,
    around_from,
    open_session,
    session_or_menu,
)
from appliance.cli.stopping import stopping_on_signals
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


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What is run with; what is None is as the configuration, and the kind of camera, have it.

    Attributes:
        game: the game that is wanted.
        camera: the camera's name.
        profile: what calibration knows of this tray.
        board: the scoreboard's port or name.
        buttons: `gpio` or `none`.
        journal: file that keeps the games.
        json: whether events are printed as JSON.
    """

    game: GameOptions
    camera: str
    profile: Path | None = None
    board: str | None = None
    buttons: str | None = None
    journal: str | None = None
    json: bool = False

    @classmethod
    def of(cls, args: argparse.Namespace, config: Config) -> Self:
        """Those of the command line."""
        return cls(
            GameOptions.of(args),
            args.camera or config.camera.source,
            args.profile or (Path(config.camera.profile) if config.camera.profile else None),
            args.board,
            args.buttons,
            args.journal,
            args.json,
        )


def main(args: argparse.Namespace) -> int:
    """Runs until the frames end or a signal comes."""
    config = load(args.config) if args.config else Config()
    options = RunOptions.of(args, config)
    if options.camera == "sim":
        from appliance.cli.play import PlayOptions, play

        return play(
            PlayOptions(
                options.game, journal=args.journal, profile=args.profile, json=options.json
            ),
            config,
        )
    return run(options, config)


def run(options: RunOptions, config: Config) -> int:
    """Wires all parts together: camera, tray, games, buttons and board."""
    notifier = Notifier.from_environment()
    phases = Phases(notifier)
    phases.begin("loads the program")
    from appliance.cli.boards import open_board
    from appliance.cli.dataset import CORRECTIONS
    from appliance.devices.buzzer import Silence
    from appliance.devices.camera import open_camera
    from appliance.devices.camera.feed import Feed
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

    parse_spec(options.camera)
    film = options.camera.startswith(FILE_KINDS)
    pressed = (options.buttons or ("none" if film else "gpio")) == "gpio"
    text = to_json if options.json else to_text
    # Films have no tray that could be calibrated, and nobody to tell of a damaged profile.
    path = Path(options.journal or (":memory:" if film else journal_path(config)))
    profile = options.profile or (None if film else path.parent / TRAY_FILE)

    def report(happened: Happened) -> None:
        print(text(happened), flush=True)

    with ExitStack() as stack:
        stack.enter_context(stopping_on_signals())
        phases.begin("reads what it knows of the tray")
        tray = KnownTray(profile, strict=film)
        board = open_board(options.board or ("text" if film else ""), config, stack)
        # Cameras take a second or two to start: meanwhile all else is made ready.
        feed = Feed(lambda: tray.opened(open_camera(options.camera, tray.controls)))
        stack.callback(feed.close)
        if not film:
            feed.start()
        phases.begin("opens the games")
        journal, salvage = open_games(path, board, notifier)
        stack.enter_context(journal)
        session = (session_or_menu if pressed else open_session)(options.game, config, journal)
        pictures = stack.enter_context(closing(open_camera(options.camera))) if film else None
        phases.begin("takes the buttons")
        keys, sounds = _buttons(config, stack) if pressed else (None, Silence())
        phases.begin("shows the first prompt")
        corrections = Corrections(path.parent / CORRECTIONS)
        appliance = Appliance(
            session,
            journal,
            tray.guard.watcher(),
            board,
            keys,
            report if film else listening(report, corrections, tray.put_right),
            around=replace(
                around_from(config),
                dim=board.set_brightness,
                sounds=sounds,
                power=SystemPower(),
                health=lambda: (
                    *tray.about(),
                    *about(board.status, appliance.frames_s, path.parent),
                ),
                calibrate=None if film else tray.calibrate,
                watch=tray.guard.watcher,
            ),
        )
        # What passes by itself is up for its time, however long the machine has been on.
        appliance.start(0.0 if film else time.monotonic())
        if salvage is not None:
            log.error("%s", salvage.sentence)
            appliance.say(*salvage.pages)
        tray.speak(appliance.say)
        phases.ready()

        def look(frame: "Frame") -> None:
            phases.delivers()
            corrections.look(frame)

        try:
            if pictures is not None:
                _watch_film(pictures, appliance, tray.guard.alerts)
            else:
                Loop(feed, appliance, notifier, time.monotonic, look, tray.guard.alerts).run()
        except KeyboardInterrupt:
            log.info("stopped; the game is saved")
        tray.put_right.finish()
        notifier.stopping()
    return 0


def _buttons(config: Config, stack: ExitStack) -> "tuple[Keys, Sounds]":
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
