"""What the appliance has around it: settings, and what the menu can do besides the games."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from appliance.devices.buzzer import Silence, Sounds
from appliance.devices.stick import StickFolder
from appliance.devices.voice import Mute, Voice
from appliance.rules.game import OptionValue
from appliance.rules.registry import GAMES
from appliance.service.ports import Activity, Layouts, Power, Watching
from appliance.table.menu.settings import Settings
from vision.reading import DieReading, Face


@dataclass(frozen=True, slots=True)
class Environment:
    """What the menu can do besides the games. Whatever is None cannot be done here.

    Attributes:
        games: those that the menu offers, by name.
        settings: the settings to use while the journal has none.
        house: the house rules, for every new game that has them.
        brightness: of the board at the start, where none is remembered.
        language: the language to use, whatever is remembered; None for the remembered one.
        dim: sets the board's brightness.
        layouts: how the scoreboard's modules are mounted.
        power: switches the machine off; without it only the program ends.
        health: lines about versions and the state of everything.
        calibrate: begins the calibration; it gets all frames and presses until it is done.
        answer_dice: keeps whether dice of another size or colour are new ones.
        judge_face: keeps what an own die shows, as people say, and returns why it was not read.
        watch: makes a new watcher afterwards, with the new calibration.
        sounds: the buzzer.
        voice: says what the board shows.
        advises: whether beginners may see the best choice first.
        guided: whether a line beside the board tells what each button does now.
        speaks: whether it does if nobody has chosen in the menu; None where it cannot.
        dim_after_s: seconds without a press or a movement in the tray until the board dims.
        dark_after_s: the same until it goes dark.
        stick: where a USB stick is offered, and what was chosen for it.
        network: a new PIN for the score page, and lines about the network that it is on.
        page: whether there is a score page if nobody has chosen at the board.
    """

    games: tuple[str, ...] = tuple(GAMES)
    settings: Settings = field(default_factory=Settings)
    house: Mapping[str, OptionValue] = field(default_factory=dict)
    brightness: int = 3
    language: str | None = None
    dim: Callable[[int], None] | None = None
    layouts: Layouts | None = None
    power: Power | None = None
    health: Callable[[], tuple[tuple[str, str], ...]] | None = None
    calibrate: Callable[[], Activity] | None = None
    answer_dice: Callable[[bool], None] | None = None
    judge_face: Callable[[DieReading, Face], str] | None = None
    watch: Callable[[], Watching] | None = None
    sounds: Sounds = field(default_factory=Silence)
    voice: Voice = field(default_factory=Mute)
    guided: bool = False
    speaks: bool | None = None
    advises: bool = False
    dim_after_s: float = math.inf
    dark_after_s: float = math.inf
    stick: StickFolder | None = None
    network: Callable[[], tuple[tuple[str, str], ...]] = tuple
    page: bool = False
