"""The configuration: one TOML file, checked whole before anything starts."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from appliance.errors import ConfigError
from appliance.table.inputs import HOLDS, Button

HIGHEST_PIN = 27
"""BCM pins 0 to 27 are on the Pi's header."""

_PINS: tuple[tuple[Button, int], ...] = (
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


@dataclass(frozen=True, slots=True)
class CameraConfig:
    """Which camera, as `appliance.cameras.open_camera` takes it, and the vision profile's file."""

    source: str = "pi"
    profile: str = ""


@dataclass(frozen=True, slots=True)
class ScoreboardConfig:
    """The scoreboard's serial port and its brightness (0 to 15)."""

    port: str = "/dev/dicetray-board"
    brightness: int = 3


@dataclass(frozen=True, slots=True)
class ButtonsConfig:
    """BCM pins of the buttons by name, and of the lights beside the hold buttons in slot order."""

    pins: tuple[tuple[Button, int], ...] = _PINS
    lights: tuple[int, ...] = (12, 16, 20, 22, 23, 24)


@dataclass(frozen=True, slots=True)
class GamesConfig:
    """Where the journal lies, and what a fresh appliance plays."""

    journal: str = "/var/lib/dicetray/games.sqlite3"
    game: str = "classic"
    players: tuple[str, ...] = ("PLAYER 1", "PLAYER 2")


@dataclass(frozen=True, slots=True)
class Config:
    """All settings, each with its default."""

    camera: CameraConfig = field(default_factory=CameraConfig)
    scoreboard: ScoreboardConfig = field(default_factory=ScoreboardConfig)
    buttons: ButtonsConfig = field(default_factory=ButtonsConfig)
    games: GamesConfig = field(default_factory=GamesConfig)


def load(path: Path) -> Config:
    """Reads a configuration file.

    Raises:
        ConfigError: it cannot be read, is no TOML, or holds something unknown or impossible.
    """
    try:
        text = path.read_bytes().decode()
    except OSError as error:
        raise ConfigError(f"{path}: expected a configuration file, {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: expected text in UTF-8, found other bytes") from error
    return parse(text, str(path))


def parse(text: str, name: str = "configuration") -> Config:
    """The configuration in this text; `name` is used in errors.

    Raises:
        ConfigError: the text is no TOML, or holds something unknown or impossible.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{name}: {error}") from error
    config = Config()
    sections: dict[str, Any] = {f.name: getattr(config, f.name) for f in fields(config)}
    for key, value in data.items():
        if key not in sections:
            raise ConfigError(f"{name}: unknown section [{key}]; there are {_list(sections)}")
        if not isinstance(value, dict):
            raise ConfigError(f"{name}: {key} must be a section, written [{key}]")
        sections[key] = _section(sections[key], value, f"{name}: [{key}]")
    checked = Config(**sections)
    _check(checked, name)
    return checked


def _list(names: Mapping[str, object] | list[str]) -> str:
    return ", ".join(sorted(names))


def _section(default: Any, values: dict[str, Any], where: str) -> Any:
    known = {f.name: getattr(default, f.name) for f in fields(default)}
    changes: dict[str, Any] = {}
    for key, value in values.items():
        if key not in known:
            raise ConfigError(f"{where} unknown key {key!r}; there are {_list(known)}")
        if key == "pins":
            changes[key] = _pins(value, where)
            continue
        changes[key] = _typed(known[key], value, f"{where} {key}")
    return replace(default, **changes)


def _typed(default: Any, value: Any, where: str) -> Any:
    if isinstance(default, tuple):
        inner = type(default[0])
        if not isinstance(value, list) or not all(type(item) is inner for item in value):
            raise ConfigError(f"{where}: expected a list of {inner.__name__}, found {value!r}")
        return tuple(value)
    if type(value) is not type(default):
        raise ConfigError(f"{where}: expected {type(default).__name__}, found {value!r}")
    return value


def _pins(value: Any, where: str) -> tuple[tuple[Button, int], ...]:
    pins = dict(_PINS)
    if not isinstance(value, dict):
        raise ConfigError(f"{where} pins: expected a table such as {{ ok = 4 }}, found {value!r}")
    for name, pin in value.items():
        if name not in [b.value for b in Button]:
            names = _list([b.value for b in Button])
            raise ConfigError(f"{where} pins: unknown button {name!r}; there are {names}")
        if type(pin) is not int:
            raise ConfigError(f"{where} pins {name}: expected a BCM pin number, found {pin!r}")
        pins[Button(name)] = pin
    return tuple(pins.items())


def _check(config: Config, name: str) -> None:
    owners: dict[int, str] = {}
    named = [(f"pins {b.value}", pin) for b, pin in config.buttons.pins]
    named += [(f"lights {i + 1}", pin) for i, pin in enumerate(config.buttons.lights)]
    for owner, pin in named:
        if not 0 <= pin <= HIGHEST_PIN:
            raise ConfigError(
                f"{name}: [buttons] {owner}: expected a BCM pin from 0 to {HIGHEST_PIN}, "
                f"found {pin}"
            )
        if pin in owners:
            raise ConfigError(
                f"{name}: [buttons] {owner}: pin {pin} is taken by {owners[pin]}; give each its own"
            )
        owners[pin] = owner
    if len(config.buttons.lights) > len(HOLDS):
        raise ConfigError(
            f"{name}: [buttons] lights: expected at most {len(HOLDS)} pins, "
            f"found {len(config.buttons.lights)}"
        )
    if not 0 <= config.scoreboard.brightness <= 15:
        raise ConfigError(
            f"{name}: [scoreboard] brightness: expected 0 to 15, "
            f"found {config.scoreboard.brightness}"
        )
