"""The ports of the appliance: what it needs from the world, each behind one small protocol."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from appliance.guidance import Guidance
from appliance.inputs import Button, Chord, Pressed
from appliance.picture import Picture
from appliance.table.menu.board_modules import BoardModules
from appliance.table.menu.step import Happening
from appliance.table.session.session import Session
from vision.frame import Frame

if TYPE_CHECKING:
    from appliance.service.view import View


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

    def guidance(self, *, hands: bool) -> Guidance:
        """What people can do now; `hands` is as in `Prompt.can_do`."""

    def view(self, frame: Frame | None, board: Picture | None, *, hands: bool) -> "View":
        """What screens show, with the present frame and the lights."""

    @property
    def done(self) -> bool:
        """True once it is over, so that the game goes on."""

    @property
    def private(self) -> bool:
        """True while its frames are nobody else's: they are not shown, kept or passed on."""


@runtime_checkable
class Exposing(Protocol):
    """The port to a camera whose exposure, gains, white balance and focus can be locked."""

    def unlock(self) -> None:
        """Lets the camera adjust itself, from the next frames on."""

    def expose(self, factor: float) -> None:
        """Makes pictures brighter by this factor of light."""

    def lock(self) -> Mapping[str, float]:
        """Locks everything as it is now; returns the values by the camera's control names."""

    def keep(self) -> None:
        """Makes what is set now what `restore` goes back to."""

    def restore(self) -> None:
        """Puts everything back to what was kept."""


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
