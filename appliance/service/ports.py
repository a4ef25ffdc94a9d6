"""The ports of the appliance: what it needs from the world, each behind one small protocol."""

from dataclasses import dataclass
from typing import Protocol

from appliance.inputs import Button, Chord, Pressed
from appliance.picture import Picture
from appliance.table.menu.board_modules import BoardModules
from appliance.table.menu.step import Happening
from appliance.table.session.session import Session
from vision.frame import Frame


class PictureBoard(Protocol):
    """The port to a scoreboard."""

    def show(self, picture: Picture) -> None:
        """Shows a picture as soon as it can; never waits."""


class Keys(Protocol):
    """The port to the buttons."""

    def poll(self) -> tuple[Pressed | Chord, ...]:
        """The presses and chords since the last call, oldest first; never waits."""

    def stuck(self) -> frozenset[Button]:
        """The buttons whose contacts have been closed for longer than anybody presses."""

    def light(self, slots: frozenset[int]) -> None:
        """Lights the lamps of these hold slots."""


class Activity(Protocol):
    """Something that takes over board, buttons and frames for a while, such as the calibration."""

    def feed(self, frame: Frame) -> None:
        """Takes in one frame."""

    def press(self, press: Pressed) -> None:
        """Takes in one press."""

    def picture(self, time_s: float) -> Picture:
        """The picture for the board; `time_s` is the time of the last frame in seconds."""

    @property
    def done(self) -> bool:
        """True once it is over, so that the game goes on."""


class Layouts(Protocol):
    """The port to how a scoreboard's modules are mounted."""

    def look(self) -> BoardModules | None:
        """The modules as the board describes them; None while it is not linked."""

    def try_layout(self, name: str | None) -> None:
        """Draws pictures for this layout from now on; None for the board's own."""

    def store(self, name: str) -> None:
        """Makes it the board's own; ScoreboardError if that fails."""


class Power(Protocol):
    """The port to the machine's power supply."""

    def off(self) -> None:
        """Begins to shut the machine down and returns; PowerError if the machine refuses."""


@dataclass(frozen=True, slots=True)
class Happened:
    """Something that happened, for listeners: a log, a test, a simulated player.

    It was noticed in the frame with that index and time; the session is the game after it.
    """

    frame: int
    time_s: float
    input: Happening
    session: Session | None
