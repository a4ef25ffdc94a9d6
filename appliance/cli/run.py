"""`dicetray run`: the appliance itself, with the camera, board and buttons that are named."""

import argparse
import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self

from appliance.cli.shared.boards import open_board
from appliance.cli.shared.starting import GameOptions, add_game_arguments, with_deck
from appliance.cli.shared.stopping import StopRequests
from appliance.config import Config, load
from appliance.config.paths import TRAY_FILE, journal_path
from appliance.devices.camera.kinds import is_film
from appliance.errors import ConfigError
from appliance.service.phase import Phase
from appliance.service.phases import Phases, process_age_s
from appliance.service.systemd import Notifier
from appliance.words import set_language
from vision.ordinary import ordinary_path

if TYPE_CHECKING:
    from appliance.cli.shared.cameras import Cameras
    from appliance.devices.camera.exposure import Values
    from appliance.devices.scoreboard import Scoreboard
    from appliance.web.page import BrowserPage
    from calibration.calibration import Calibration
    from vision.frame import Frame


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


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What to run with; None leaves it to the configuration and the kind of camera.

    The buttons are `gpio`, `keyboard`, `browser` or `none`. With `json`, events are printed as
    JSON; with `log`, what happens is drawn, too. With `begins`, a game begins without the menu;
    with `as_it_is`, nothing is known of the tray before it is calibrated, but the `geometry` of the
    view that is read with until then. `seen` are frames that the camera gave just before: what lies
    in the tray there was not thrown in the game. A camera of an uncalibrated tray is `locked` to
    these values.
    """

    game: GameOptions
    camera: str
    profile: Path | None = None
    board: str | None = None
    buttons: str | None = None
    journal: str | None = None
    json: bool = False
    log: bool = False
    begins: bool = False
    as_it_is: bool = False
    geometry: "Calibration | None" = None
    seen: "tuple[Frame, ...]" = ()
    locked: "Values | None" = None

    @classmethod
    def of(cls, args: argparse.Namespace, config: Config) -> Self:
        """The options on the command line."""
        camera = args.camera or config.camera.source
        profile = args.profile or (Path(config.camera.profile) if config.camera.profile else None)
        others = {name: vars(args)[name] for name in ("board", "buttons", "journal", "json", "log")}
        return cls(GameOptions.of(args), camera, profile, **others)

    @property
    def film(self) -> bool:
        """Whether the camera is a film or pictures: they set the time, and they end."""
        return is_film(self.camera)

    @property
    def pressed(self) -> bool:
        """Whether there are buttons."""
        return (self.buttons or ("none" if self.film else "gpio")) != "none"

    @property
    def keyboard(self) -> bool:
        """Whether the buttons are keys of a terminal or page, so the machine is somebody's own."""
        return self.buttons in ("keyboard", "browser")

    @property
    def drawn(self) -> bool:
        """Whether the board is drawn, here or on a page; output that is no terminal gets text.

        With `json` this terminal is not drawn on either.
        """
        terminal = self.board == "terminal" and sys.stdout.isatty() and not self.json
        return self.browser or terminal

    @property
    def browser(self) -> bool:
        """Whether a page is drawn, and may have the buttons."""
        return "browser" in (self.board, self.buttons)

    @property
    def board_name(self) -> str:
        """The scoreboard; empty for the configured one."""
        return self.board or ("text" if self.film else "")

    def journal_file(self, config: Config) -> Path:
        """The file that keeps the games."""
        return Path(self.journal or (":memory:" if self.film else journal_path(config)))

    def profile_file(self, config: Config) -> Path | None:
        """The tray's profile; films have no tray that could be calibrated."""
        if self.profile is not None or self.film:
            return self.profile
        return self.journal_file(config).parent / TRAY_FILE


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
        options = RunOptions.of(args, config)
        if options.camera == "sim":
            phases.close()
            return _play_simulated(options, config, args)
        return run(options, config, phases=phases)
    finally:
        phases.close()


def _play_simulated(options: RunOptions, config: Config, args: argparse.Namespace) -> int:
    """Plays in a rendered tray: a person with the keys of this terminal or of a page, or nobody."""
    from appliance.cli.play import in_browser, play
    from appliance.cli.shared.play_options import PlayOptions

    boards = ("browser", "terminal", "sim", "text", "none")
    if options.board not in (None, *boards) or options.buttons == "gpio":
        found = options.board if options.buttons != "gpio" else "--buttons gpio"
        raise ConfigError(
            f"expected for a simulated camera a --board of {', '.join(boards)}, and --buttons of "
            f"keyboard, browser or none, found {found}"
        )
    wanted = PlayOptions(
        options.game,
        human=options.keyboard,
        browser=options.browser,
        journal=options.journal,
        # The configured profile is that of a real tray.
        profile=args.profile,
        speed=1.0 if options.keyboard or options.drawn else 0.0,
        view=options.keyboard or options.board == "terminal",
        json=options.json,
        log=options.log,
        config=args.config,
    )
    return in_browser(wanted, config) if wanted.browser else play(wanted, config)


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


def run(
    options: RunOptions,
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
    phases.watch(partial(open_board, options.board_name, config))
    phases.begin(Phase.PROGRAM)
    # Imported here so that `dicetray --help` does not wait for OpenCV.
    from appliance.cli.shared.wiring import wire

    wire(options, config, phases, page, requests, cameras)
    return 0
