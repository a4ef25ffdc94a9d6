"""Parameters for the start of `run`, `play` and `look`: one value, which each of them fills."""

import argparse
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from shlex import join
from shutil import which
from typing import TYPE_CHECKING, Any, Self

from appliance.cli.shared.starting import GameOptions
from appliance.config import Config
from appliance.config.paths import TRAY_FILE, journal_path
from appliance.devices.camera.kinds import is_film

if TYPE_CHECKING:
    from appliance.cli.shared.looking import Wish

SIMULATED = "sim"
"""The camera over a rendered tray."""
SCRIPT_VARIABLE = "DICETRAY_PLAY_SCRIPT"
"""Has the name of the script that somebody typed in place of `dicetray play`."""
PLAY_LOG = "play.log"
"""Log file beside the simulated games: what happened in the last one drawn, frame by frame."""
TUTORIAL_GAME = GameOptions("classic", ("YOU",), new=True)
"""The game that the tutorial plays."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """How a rendered tray is played with.

    With `tutorial` a person is shown how, and the game is not kept. With `menu` the simulated
    player begins at the menu, with `calibrate` whoever plays begins by calibrating. The seed is
    None for a new one each time, the speed in simulated seconds per second, 0 for as fast as
    possible.
    """

    tutorial: bool = False
    menu: bool = False
    calibrate: bool = False
    seed: int | None = None
    speed: float = 0.0
    clumsy: float = 0.0
    small: bool = False

    @classmethod
    def of(cls, args: argparse.Namespace) -> Self:
        """The options on the command line."""
        given = {name: vars(args)[name] for name in cls.__slots__ if name in vars(args)}
        return cls(**given, small=args.picture == "small")


@dataclass(frozen=True, slots=True)
class Launch:
    """Options for a start; None leaves one to the configuration and the kind of camera.

    The camera is empty for one that is still to be tried. The buttons are `gpio`, `keyboard`,
    `browser` or `none`. With `json`, events are printed as JSON; with `log`, what happens is drawn,
    too. `config` is the file of the configuration. A game that is begun with a camera that somebody
    has tried begins as they wish: nothing is known of the tray then before it is calibrated.
    """

    game: GameOptions
    camera: str
    profile: Path | None = None
    board: str | None = None
    buttons: str | None = None
    journal: str | None = None
    json: bool = False
    log: bool = False
    config: Path | None = field(default=None, compare=False)
    simulation: Simulation = field(default_factory=Simulation)
    wish: "Wish | None" = None

    @classmethod
    def of(cls, args: argparse.Namespace, camera: str, **chosen: Any) -> Self:
        """The options on the command line; `chosen` are those that do not stand there."""
        names = ("profile", "board", "buttons", "journal", "json", "log", "config")
        given = {name: vars(args)[name] for name in names if name in vars(args)}
        return cls(GameOptions.of(args), camera, **{**given, **chosen})

    @property
    def film(self) -> bool:
        """True if the camera is a film or pictures: they set the time, and they end."""
        return is_film(self.camera)

    @property
    def pressed(self) -> bool:
        """True if there are buttons."""
        return (self.buttons or ("none" if self.film else "gpio")) != "none"

    @property
    def keyboard(self) -> bool:
        """True if the buttons are keys of a terminal or page, so the machine is somebody's own."""
        return self.buttons in ("keyboard", "browser")

    @property
    def drawn(self) -> bool:
        """True if the board is drawn, here or on a page."""
        return self.browser or self.drawn_here

    @property
    def drawn_here(self) -> bool:
        """True if it is drawn in this terminal; with `json`, or without a terminal, it is not."""
        return self.board == "terminal" and sys.stdout.isatty() and not self.json

    @property
    def browser(self) -> bool:
        """True if a page is drawn, and may have the buttons."""
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

    @property
    def guided(self) -> bool:
        """True if a simulated user goes through the menu."""
        return not self.keyboard and (self.simulation.calibrate or self.simulation.menu)

    @property
    def by_computers(self) -> bool:
        """True if computers play where nobody is named: only people go through menus and slip."""
        return not (self.keyboard or self.guided or self.simulation.clumsy)

    @property
    def program(self) -> str:
        """The command that starts this program, as somebody types it."""
        typed = sys.argv[0]
        found = which(Path(typed).name)
        # A name that was typed comes as the path at which the shell found it.
        return Path(typed).name if found and Path(found) == Path(typed) else typed

    @property
    def command(self) -> str:
        """The command that resumes a game in a rendered tray."""
        script = os.environ.get(SCRIPT_VARIABLE)
        words = [
            *([script] if script else [self.program, "play"]),
            *(["--human"] if self.keyboard else []),
        ]
        clumsy = self.simulation.clumsy
        words += ["--clumsy", f"{clumsy:g}"] if clumsy else []
        return join([*words, *(["--journal", self.journal] if self.journal else [])])
