"""What `dicetray play` is to play, and how it is shown."""

import argparse
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from shlex import join
from shutil import which
from typing import Self

from appliance.cli.shared import starting

SCRIPT_VARIABLE = "DICETRAY_PLAY_SCRIPT"
"""Has the name of the script that somebody typed in place of `dicetray play`."""

PLAY_LOG = "play.log"
"""Log file beside the simulated games: what happened in the last one drawn, frame by frame."""


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """What is played, and how it is shown; None for the usual file, or a new seed each time.

    With `look` the dice and the camera are real. With `human` a person throws and presses; with
    `tutorial` that person is shown how, and the game is not kept. Otherwise two computers play,
    unless somebody is named or `clumsy`. With `menu` the simulated player begins at the menu, with
    `calibrate` whoever plays begins by calibrating. The speed is in simulated seconds per second, 0
    for as fast as possible. `config` is the file of the configuration.
    """

    game: starting.GameOptions
    human: bool = False
    tutorial: bool = False
    look: bool = False
    browser: bool = False
    menu: bool = False
    calibrate: bool = False
    journal: str | None = None
    profile: Path | None = None
    seed: int | None = None
    speed: float = 0.0
    clumsy: float = 0.0
    small: bool = False
    view: bool = False
    json: bool = False
    log: bool = False
    config: Path | None = field(default=None, compare=False)

    @property
    def guided(self) -> bool:
        """Whether a simulated user goes through the menu."""
        return not self.human and (self.calibrate or self.menu)

    @property
    def by_computers(self) -> bool:
        """Whether computers play where nobody is named: only people go through menus and slip."""
        return not (self.human or self.guided or self.clumsy)

    @property
    def program(self) -> str:
        """What somebody types to start this program."""
        typed = sys.argv[0]
        found = which(Path(typed).name)
        # A name that was typed comes as the path at which the shell found it.
        return Path(typed).name if found and Path(found) == Path(typed) else typed

    @property
    def command(self) -> str:
        """The command that resumes the game."""
        script = os.environ.get(SCRIPT_VARIABLE)
        words = [
            *([script] if script else [self.program, "play"]),
            *(["--human"] if self.human else []),
        ]
        words += ["--clumsy", f"{self.clumsy:g}"] if self.clumsy else []
        return join([*words, *(["--journal", self.journal] if self.journal else [])])

    @classmethod
    def of(cls, args: argparse.Namespace) -> Self:
        """The options on the command line."""
        given = {name: vars(args)[name] for name in cls.__slots__ if name in vars(args)}
        given |= {"game": starting.GameOptions.of(args), "view": not args.no_view}
        return cls(**given, small=args.picture == "small")


DEFAULT_OPTIONS = PlayOptions(starting.GameOptions(), speed=1.0, view=True)
"""The options when none is given."""
TUTORIAL_GAME = starting.GameOptions("classic", ("YOU",), new=True)
"""The game that the tutorial plays."""
