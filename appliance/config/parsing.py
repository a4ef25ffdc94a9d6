"""Reads and checks the configuration and deck files: errors name file, line and what was expected.

The contents of a deck file are checked by the game that has one.
"""

import errno
import re
import tomllib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import fields, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from appliance.config.settings import HIGHEST_PIN, PINS, Config, MqttConfig
from appliance.errors import ApplianceError, ConfigError
from appliance.inputs import HOLD_BUTTONS, Button
from appliance.picture import BRIGHTNESS_LEVELS, BRIGHTNESS_TEXT
from appliance.table.names import check_names
from appliance.words import can_be_read, languages
from games.notation.words import MAX_SEATS
from games.registry import GAMES
from games.toml_lines import lines_of_toml, nearest_line
from games.values import OptionFile, RulesError
from vision.files.bounded import read_bounded
from vision.files.ordinary import NotOrdinary

MOST_BYTES = 65_536
"""The most bytes that a configuration or deck file may have."""

LONGEST_LINE = 1000

MOST_MISTAKES = 20
"""Most that are reported; nobody reads more."""

DAY_MIN = 24 * 60

RIM_RANGE_MM = (5, 60)

TOPIC = re.compile("[a-z0-9-]{1,32}")
_WORDS = {str: "a text in quotes", int: "a whole number", bool: "true or false"}
_PLURALS = {str: "texts in quotes", int: "whole numbers", bool: "true or false"}


def _decks() -> tuple[OptionFile, ...]:
    """The files with cards that games can be played with, in the order of the games."""
    return tuple(game.deck for game in GAMES.values() if game.deck is not None)


def default_deck_text() -> str:
    """The deck file that ships with the program, to be copied and edited."""
    package, name = _decks()[0].usual
    return (files(package) / name).read_text(encoding="utf-8")


def read_deck(path: Path) -> Mapping[str, str]:
    """The deck that a file describes, as the option of the game, or games, that can play with it.

    A ConfigError names the file, and the line and field where it says something wrong.
    """
    try:
        data = read_bounded(path, MOST_BYTES)
    except OSError as error:
        expected, found = "a file to read", error.strerror
        if isinstance(error, NotOrdinary):
            found = error.found
        if error.errno == errno.EFBIG:
            expected = f"{MOST_BYTES} bytes at most"
        raise ConfigError(f"deck {path}: expected {expected}, found {found}") from error
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ConfigError(f"deck {path}: this is not UTF-8 text") from error
    values: dict[str, str] = {}
    wrong: list[RulesError] = []
    for deck in _decks():
        try:
            values[deck.option] = deck.read(text)
        except RulesError as error:
            wrong.append(error)
    if wrong and not values:
        raise ConfigError(f"deck {path}: {wrong[0]}") from wrong[0]
    return values


def load(path: Path) -> Config:
    """Reads a configuration file; ConfigError if it, or a deck that it names, cannot be used."""
    config, found = load_with_mistakes(path)
    if found:
        raise found[0]
    return config


def mistakes(path: Path) -> tuple[ConfigError, ...]:
    """Everything wrong with a configuration file (the first of many), in the order of checking."""
    return load_with_mistakes(path)[1]


def parse_text(text: str, name: str) -> Config:
    """The configuration in a text, named like this in errors; ConfigError if anything is wrong."""
    config, found = _parse_config(text, name)
    if found:
        raise found[0]
    return config


def load_with_mistakes(path: Path) -> tuple[Config, tuple[ConfigError, ...]]:
    """The sound part of a configuration file, the rest as by default, and everything wrong."""
    config, found = Config(), tuple[ConfigError, ...]()
    try:
        config, found = _parse_config(config_text(path), str(path))
        if config.games.deck:
            # A relative path to a deck starts from the configuration's folder.
            deck = path.parent / config.games.deck
            read_deck(deck)
            config = replace(config, games=replace(config.games, deck=str(deck)))
    except ConfigError as error:
        found = (*found, error)
    return config, found


def config_text(path: Path) -> str:
    """The text of a configuration file; ConfigError if it cannot be read."""
    try:
        return read_bounded(path, MOST_BYTES).decode()
    except NotOrdinary as error:
        found = f"{path}: this is not a configuration file, but {error.found}"
        raise ConfigError(found) from error
    except OSError as error:
        raise ConfigError(f"{path}: the configuration cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: this is not UTF-8 text") from error


def read_toml(text: str, name: str) -> dict[str, Any]:
    """The values in a text, whatever they are; ConfigError, with its cause, if it is no TOML."""
    for number, line in enumerate(text.splitlines(), start=1):
        if len(line) > LONGEST_LINE:
            # A dotted key with thousands of parts takes minutes to parse.
            raise ConfigError(f"{name}, line {number}: longer than {LONGEST_LINE} characters")
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise ConfigError(f"{name}: brackets are nested too deeply") from error
    except ValueError as error:
        # Also a number with more digits than Python reads.
        raise ConfigError(f"{name}: this is not TOML: {error}") from error


def _parse_config(text: str, name: str) -> tuple[Config, tuple[ConfigError, ...]]:
    """The configuration in this text, and everything wrong with it; raises if it is no TOML."""
    data = read_toml(text, name)
    config, parser = Config(), _Parser(text, name)
    with suppress(ConfigError):  # too many to list
        config = parser.config(data)
    return config, tuple(parser.found)


class _Parser:
    """Continues after a mistake, with the default in its place; `found` has all of them."""

    def __init__(self, text: str, name: str) -> None:
        self._lines = lines_of_toml(text)
        self._name = name
        self.found: list[ConfigError] = []

    def _note_mistake(self, path: tuple[str, ...], message: str) -> None:
        line = nearest_line(self._lines, path)
        where = self._name if line is None else f"{self._name}, line {line}"
        section, *keys = path
        setting = f"[{section}] {' '.join(keys)}".strip()
        error = ConfigError(f"{where}: {setting}: {message}")
        if len(self.found) == MOST_MISTAKES:
            raise error
        self.found.append(error)

    def config(self, data: dict[str, Any]) -> Config:
        config = Config()
        sections: dict[str, Any] = {f.name: getattr(config, f.name) for f in fields(config)}
        for key, value in data.items():
            if key not in sections:
                self._note_mistake((key,), f"unknown section; there are {_list_of_names(sections)}")
            elif not isinstance(value, dict):
                self._note_mistake((key,), f"expected a section, written [{key}]")
            else:
                sections[key] = self._parse_section(sections[key], value, key)
        checked = Config(**sections)
        # A default that replaces a mistake may clash with another pin.
        if not self.found:
            self._check_pins(checked)
        self._check_camera(checked)
        self._check_tray(checked)
        self._check_scoreboard(checked)
        self._check_games(checked)
        if checked.web.serve not in ("off", "here", "network"):
            message = f"expected off, here or network, found {checked.web.serve!r}"
            self._note_mistake(("web", "serve"), message)
        if not 1024 <= checked.web.port <= 65535:
            self._note_mistake(("web", "port"), f"expected 1024 to 65535, found {checked.web.port}")
        self._check_mqtt(checked.mqtt)
        return checked

    def _parse_section(self, default: Any, values: dict[str, Any], section: str) -> Any:
        known = {f.name: getattr(default, f.name) for f in fields(default)}
        changes: dict[str, Any] = {}
        for key, value in values.items():
            if key not in known:
                self._note_mistake(
                    (section, key), f"unknown key; there are {_list_of_names(known)}"
                )
            elif key == "pins":
                changes[key] = self._parse_pins(value)
            else:
                changes[key] = self._parse_value(known[key], value, (section, key))
        return replace(default, **changes)

    def _parse_value(self, default: Any, value: Any, path: tuple[str, ...]) -> Any:
        if isinstance(default, tuple):
            inner = type(default[0])
            if isinstance(value, list) and all(type(item) is inner for item in value):
                return tuple(value)
            self._note_mistake(path, f"expected a list of {_PLURALS[inner]}, found {value!r}")
        elif type(value) is type(default):
            return value
        else:
            self._note_mistake(path, f"expected {_WORDS[type(default)]}, found {value!r}")
        return default

    def _parse_pins(self, value: Any) -> tuple[tuple[Button, int], ...]:
        pins = dict(PINS)
        path = ("buttons", "pins")
        if not isinstance(value, dict):
            self._note_mistake(path, f"expected a table such as {{ ok = 4 }}, found {value!r}")
            return PINS
        names = [b.value for b in Button]
        for name, pin in value.items():
            if name not in names:
                self._note_mistake(
                    (*path, name), f"unknown button; there are {_list_of_names(names)}"
                )
            elif type(pin) is not int:
                self._note_mistake((*path, name), f"expected a BCM pin number, found {pin!r}")
            else:
                pins[Button(name)] = pin
        return tuple(pins.items())

    def _check_pins(self, config: Config) -> None:
        lights = config.buttons.lights
        if len(lights) > len(HOLD_BUTTONS):
            most = len(HOLD_BUTTONS)
            message = f"expected at most {most} pins, one per hold button, found {len(lights)}"
            self._note_mistake(("buttons", "lights"), message)
        named: list[tuple[tuple[str, ...], int]] = [
            (("buttons", "pins", b.value), pin) for b, pin in config.buttons.pins
        ]
        named += [(("buttons", "lights", str(i + 1)), pin) for i, pin in enumerate(lights)]
        if config.buzzer.fitted:
            named.append((("buzzer", "pin"), config.buzzer.pin))
        owners: dict[int, str] = {}
        for path, pin in named:
            if not 0 <= pin <= HIGHEST_PIN:
                self._note_mistake(path, f"expected a BCM pin from 0 to {HIGHEST_PIN}, found {pin}")
            elif pin in owners:
                self._note_mistake(path, f"pin {pin} is taken by {owners[pin]}; give each its own")
            else:
                owners[pin] = f"[{path[0]}] {' '.join(path[1:])}"

    def _check_camera(self, config: Config) -> None:
        # Imported here, because it imports camera drivers.
        from appliance.devices.camera.naming import parse_spec

        if config.camera.source == "sim":
            return
        try:
            parse_spec(config.camera.source)
        except ApplianceError as error:
            self._note_mistake(("camera", "source"), str(error))

    def _check_tray(self, config: Config) -> None:
        rim, (low, high) = config.tray.rim_mm, RIM_RANGE_MM
        if rim and not low <= rim <= high:
            self._note_mistake(("tray", "rim_mm"), f"expected 0 or {low} to {high}, found {rim}")

    def _check_scoreboard(self, config: Config) -> None:
        brightness = config.scoreboard.brightness
        if brightness not in BRIGHTNESS_LEVELS:
            self._note_mistake(
                ("scoreboard", "brightness"), f"expected {BRIGHTNESS_TEXT}, found {brightness}"
            )
        for key in ("dim_after_min", "dark_after_min"):
            minutes = getattr(config.scoreboard, key)
            if not 0 <= minutes <= DAY_MIN:
                expected = f"expected 0 to {DAY_MIN} minutes"
                self._note_mistake(("scoreboard", key), f"{expected}, found {minutes}")
        if not can_be_read(config.scoreboard.language):
            known, found = _list_of_names(languages()), config.scoreboard.language
            self._note_mistake(
                ("scoreboard", "language"), f"expected one of {known}, found {found!r}"
            )
        if not config.scoreboard.port:
            self._note_mistake(("scoreboard", "port"), "name a serial port")

    def _check_games(self, config: Config) -> None:
        games = config.games
        if games.game not in GAMES:
            message = f"expected one of {', '.join(GAMES)}, found {games.game!r}"
            self._note_mistake(("games", "game"), message)
        if not games.journal:
            self._note_mistake(("games", "journal"), "name a file")
        if not 1 <= len(games.players) <= MAX_SEATS:
            message = f"expected 1 to {MAX_SEATS} names, found {len(games.players)}"
            self._note_mistake(("games", "players"), message)
            return
        try:
            check_names(games.players)
        except ConfigError as error:
            self._note_mistake(("games", "players"), str(error))

    def _check_mqtt(self, mqtt: MqttConfig) -> None:
        if mqtt.addresses is None:
            self._note_mistake(
                ("mqtt", "broker"), f"expected mqtt(s)://HOST:PORT, found {mqtt.broker!r}"
            )
        for key in ("prefix", "tray", "discovery"):
            if not TOPIC.fullmatch(name := getattr(mqtt, key)) and (name or key != "discovery"):
                self._note_mistake(
                    ("mqtt", key), f"expected small letters, digits, dashes, found {name!r}"
                )


def _list_of_names(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))
