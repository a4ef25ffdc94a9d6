"""All settings as values, each with its default."""

import re
from dataclasses import dataclass, field

from appliance.inputs import Button
from appliance.words import ENGLISH
from games.registry import OWN_GAMES

HIGHEST_PIN = 27
"""BCM pins 0 to 27 are on the Pi's header."""

PINS: tuple[tuple[Button, int], ...] = (
    (Button.HOLD1, 5),
    (Button.HOLD2, 6),
    (Button.HOLD3, 13),
    (Button.HOLD4, 19),
    (Button.HOLD5, 26),
    (Button.HOLDP, 21),
    (Button.LEFT, 17),
    (Button.RIGHT, 27),
    (Button.OK, 4),
    (Button.BACK, 25),
    (Button.HINT, 18),
)
"""The default wiring of the buttons, BCM numbers."""

_HOST = r"(?:[A-Za-z0-9_-]{1,63}\.)*[A-Za-z0-9_-]{1,63}"
_BROKER = re.compile(rf"mqtt(s?)://({_HOST})(?::([0-9]{{1,5}}))?")


@dataclass(frozen=True, slots=True)
class CameraConfig:
    """Which camera, as `devices.camera.open_camera` takes it, and the vision profile's file.

    `password_file` has what stands for `{password}` in the address of a network camera.
    """

    source: str = "pi"
    password_file: str = ""
    profile: str = ""


@dataclass(frozen=True, slots=True)
class TrayConfig:
    """The tray beyond the camera's sight: the rim's height above the floor (0: not known)."""

    rim_mm: int = 0


@dataclass(frozen=True, slots=True)
class ScoreboardConfig:
    """The scoreboard's port, language and brightness, and minutes until it rests (0: never)."""

    port: str = "/dev/dicetray-board"
    language: str = ENGLISH
    brightness: int = 3
    dim_after_min: int = 5
    dark_after_min: int = 20


@dataclass(frozen=True, slots=True)
class ButtonsConfig:
    """BCM pins of the buttons by name, and of the lights beside the hold buttons in slot order."""

    pins: tuple[tuple[Button, int], ...] = PINS
    lights: tuple[int, ...] = (12, 16, 20, 22, 23, 24)


@dataclass(frozen=True, slots=True)
class BuzzerConfig:
    """The buzzer, if one is fitted, and its BCM pin."""

    fitted: bool = False
    pin: int = 10


@dataclass(frozen=True, slots=True)
class SoundConfig:
    """A voice that says what the board shows, on or off until somebody chooses in the menu."""

    voice: bool = False


@dataclass(frozen=True, slots=True)
class GamesConfig:
    """Where the journal is, and what a fresh appliance plays."""

    journal: str = "/var/lib/dicetray/games.sqlite3"
    game: str = next(iter(OWN_GAMES))
    players: tuple[str, ...] = ("PLAYER 1", "PLAYER 2")
    deck: str = ""


@dataclass(frozen=True, slots=True)
class WebConfig:
    """To whom the score page is served ("off", "here" or "network"), and on which port."""

    serve: str = "off"
    port: int = 8080

    @property
    def host(self) -> str:
        """The address that the score page's server binds to."""
        return "127.0.0.1" if self.serve == "here" else "0.0.0.0"


@dataclass(frozen=True, slots=True)
class MqttConfig:
    """The brokers that are told how the game stands, and by whom; `default.toml` explains each."""

    broker: str = ""
    user: str = ""
    password_file: str = ""
    ca_file: str = ""
    prefix: str = "dicetray"
    tray: str = "tray-1"
    discovery: str = "homeassistant"
    names: bool = False

    @property
    def addresses(self) -> tuple[tuple[str, int, bool], ...] | None:
        """Host, port and whether to use TLS for each broker; None if any is not valid."""
        found = [_BROKER.fullmatch(address) for address in self.broker.split()]
        usual = {"": 1883, "s": 8883}
        hosts = tuple((m[2], int(m[3] or usual[m[1]]), m[1] == "s") for m in found if m)
        alike = len({tls for _, _, tls in hosts}) < 2 and all(port < 65536 for _, port, _ in hosts)
        return hosts if alike and len(hosts) == len(found) else None


@dataclass(frozen=True, slots=True)
class Config:
    """All settings, each with its default."""

    camera: CameraConfig = field(default_factory=CameraConfig)
    tray: TrayConfig = field(default_factory=TrayConfig)
    scoreboard: ScoreboardConfig = field(default_factory=ScoreboardConfig)
    buttons: ButtonsConfig = field(default_factory=ButtonsConfig)
    buzzer: BuzzerConfig = field(default_factory=BuzzerConfig)
    sound: SoundConfig = field(default_factory=SoundConfig)
    games: GamesConfig = field(default_factory=GamesConfig)
    web: WebConfig = field(default_factory=WebConfig)
    mqtt: MqttConfig = field(default_factory=MqttConfig)
