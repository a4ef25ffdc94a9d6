"""The appliance's connections to the world: its devices, and its tray; real or simulated."""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random, SystemRandom
from typing import Protocol

from appliance.devices.buzzer import Silence, Sounds
from appliance.devices.camera.connectors import Connectors
from appliance.devices.camera.feed import Failure
from appliance.devices.stick import StickFolder
from appliance.devices.voice import Mute, Voice
from appliance.service.ports import Activity, Keys, Layouts, PictureBoard, Power
from vision.frame import Frame
from vision.reading import DieReading, Face
from vision.watch.watching import Watching


class Frames(Protocol):
    """The port to a live camera."""

    def next(self, patience_s: float) -> Frame | Failure | None:
        """The newest frame, a failure, or None when neither came in time."""

    def restart(self) -> None:
        """Abandons whatever hangs, and starts again."""


@dataclass(frozen=True, slots=True)
class Devices:
    """The devices at hand; None is one that is not there.

    Attributes:
        board: shows the pictures.
        keys: the buttons.
        camera: gives frames; None where the loop is given them.
        missing_board: why pictures do not reach the board; empty while they do.
        dim: sets the board's brightness.
        layouts: how the scoreboard's modules are mounted.
        sounds: the buzzer.
        voice: says what the board shows.
        power: switches the machine off; without it only the program ends.
        stick: where a USB stick is offered, and what was chosen for it.
        connectors: which of a Pi's own cameras are there, and which one is used.
        chance: draws lots, such as the cards of a deck that the appliance shuffles.
        clock: monotonic seconds, the same as those of a live camera's frames; by default it stands
            still, and no round is ended that a slow disk makes long.
    """

    board: PictureBoard
    keys: Keys | None = None
    camera: Frames | None = None
    missing_board: Callable[[], str] = str
    dim: Callable[[int], None] | None = None
    layouts: Layouts | None = None
    sounds: Sounds = field(default_factory=Silence)
    voice: Voice = field(default_factory=Mute)
    power: Power | None = None
    stick: StickFolder | None = None
    connectors: Connectors | None = None
    chance: Random = field(default_factory=SystemRandom)
    clock: Callable[[], float] = lambda: 0.0


@dataclass(frozen=True, slots=True)
class Tray:
    """The tray that is watched, and what can be learnt of it; None is what cannot be done.

    Attributes:
        watcher: the first one.
        watch: makes a new watcher, with the present calibration; None keeps the first.
        calibrate: begins the calibration; it gets all frames and presses until it is done.
        answer_dice: keeps whether dice of another size or colour are new ones.
        judge_face: keeps what an own die shows, as people say, and returns why it was not read.
    """

    watcher: Watching
    watch: Callable[[], Watching] | None = None
    calibrate: Callable[[], Activity] | None = None
    answer_dice: Callable[[bool], None] | None = None
    judge_face: Callable[[DieReading, Face], str] | None = None
