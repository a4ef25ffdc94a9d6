"""The configuration as it may leave the house: key by key what is shown; all else is `(set)`.

What is wrong is named with its line, so that whoever helps sees a wrong key or a wrong type.
"""

import json
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import fields
from difflib import get_close_matches
from typing import Any

from appliance.config.parsing import read_toml
from appliance.config.settings import Config
from appliance.devices.camera.kinds import OWN_KINDS
from appliance.diagnostics.own_words import SET
from appliance.errors import ConfigError
from appliance.inputs import Button
from appliance.words import languages
from games.registry import OWN_GAMES
from games.toml_lines import lines_of_toml, nearest_line

_HEAD = f"# What of the configuration may leave the house; the rest is {SET}.\n"
_MAX_NUMBER = 99_999
"""More digits than any setting needs could be somebody's PIN."""

_TYPES = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}
_PLACE = re.compile(r"\(at line (\d{1,6}), column (\d{1,6})\)")
_DEVICE = re.compile(r"/dev/(?:dicetray-(?:board|camera)|video\d{1,3}|tty(?:ACM|USB|AMA|S)\d{1,3})")
_OPTION = re.compile(r"(?:fps|hold|view)=\d{1,4}(?:\.\d{1,3})?|size=\d{1,4}x\d{1,4}")
_SCHEME = re.compile(r"(mqtts?|https?|rtsps?):")

Show = Callable[[Any], str | None]
"""How a value is shown; None for what stays."""


def shared_settings(text: str, *, names: bool = False) -> str:
    """A configuration without anything private.

    Args:
        text: the file's, complete or not.
        names: whether the names of players may go.
    """
    try:
        found = read_toml(text, "")
    except ConfigError as error:
        place = _PLACE.search(str(error.__cause__))
        where = f"line {place[1]}, column {place[2]}" if place else "an unknown place"
        return f"{_HEAD}# This is not TOML; wrong at {where}.\n"
    return _HEAD + "".join(f"{line}\n" for line in _Listing(text, names).lines(found))


class _Listing:
    def __init__(self, text: str, names: bool) -> None:
        self._at = lines_of_toml(text)
        self._names = names

    def lines(self, found: Mapping[str, Any]) -> list[str]:
        defaults = Config()
        known = [field.name for field in fields(defaults)]
        lines: list[str] = []
        for section, values in found.items():
            if section not in known:
                lines += [
                    "",
                    self._remark((section,), f"unknown section{_perhaps(section, known)}"),
                ]
            elif not isinstance(values, dict):
                lines += ["", self._remark((section,), f"[{section}] is {_type_of(values)}")]
            else:
                lines += ["", f"[{section}]"]
                lines += self._section(section, values, getattr(defaults, section))
        return lines

    def _section(self, section: str, values: Mapping[str, Any], default: Any) -> list[str]:
        known = [field.name for field in fields(default)]
        lines: list[str] = []
        for key, value in values.items():
            if key not in known:
                lines.append(self._remark((section, key), f"unknown key{_perhaps(key, known)}"))
                continue
            usual = dict(default.pins) if key == "pins" else getattr(default, key)
            shown = self._shown(section, key, value, usual)
            remark = "" if _is_like(value, usual) else self._wrong((section, key), value, usual)
            lines.append(f"{key} = {shown}{remark}")
        return lines

    def _shown(self, section: str, key: str, value: Any, usual: Any) -> str:
        if not _is_like(value, usual):
            return json.dumps(SET)
        default = list(usual) if isinstance(usual, tuple) else usual
        if not isinstance(value, dict) and value in (default, ""):
            return _toml(value)
        if (section, key) == ("games", "players"):
            return _toml(value if self._names else [SET] * len(value))
        shown = MAY_GO.get(f"{section}.{key}", _nothing)(value)
        return json.dumps(SET) if shown is None else shown

    def _wrong(self, path: tuple[str, ...], value: Any, usual: Any) -> str:
        line = nearest_line(self._at, path) or 0
        return f"  # line {line}: expected {_type_of(usual)}, found {_type_of(value)}"

    def _remark(self, path: tuple[str, ...], text: str) -> str:
        return f"# line {nearest_line(self._at, path) or 0}: {text}"


def _perhaps(name: str, known: Collection[str]) -> str:
    near = get_close_matches(name, known, 1)
    return f", perhaps {near[0]}" if near else ""


def _is_like(value: Any, usual: Any) -> bool:
    """True if a value has the type of the default."""
    if isinstance(usual, tuple):
        inner = type(usual[0])
        return isinstance(value, list) and all(type(item) is inner for item in value)
    return type(value) is type(usual)


def _type_of(value: Any) -> str:
    if isinstance(value, dict):
        return "a table"
    return "a list" if isinstance(value, list | tuple) else _TYPES.get(type(value), "a date")


def _toml(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _nothing(_: Any) -> str | None:
    return None


def _number(value: int) -> str | None:
    return str(value) if abs(value) <= _MAX_NUMBER else None


def _numbers(values: list[int]) -> str | None:
    shown = [_number(value) for value in values]
    return None if None in shown else f"[{', '.join(filter(None, shown))}]"


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _pins(value: Mapping[str, Any]) -> str:
    names = [button.value for button in Button]
    shown = [
        f"{name} = {_number(pin) or json.dumps(SET)}" if type(pin) is int else f"{name} = {SET!r}"
        for name, pin in value.items()
        if name in names
    ]
    unknown = len(value) - len(shown)
    return f"{{ {', '.join(shown)} }}" + (f"  # and {unknown} unknown" if unknown else "")


def _one_of(*words: str) -> Show:
    return lambda value: json.dumps(value) if value in words else None


def _language(value: str) -> str | None:
    # Asked for now: languages have the labels of all games, those of other packages too.
    return json.dumps(value) if value in languages() else None


def _device(value: str) -> str | None:
    return json.dumps(value) if _DEVICE.fullmatch(value) else None


def _source(value: str) -> str | None:
    """Of an address the scheme; of another camera its kind, a device's number, and its options."""
    if scheme := _SCHEME.match(value):
        return json.dumps(f"{scheme[1]}:{SET}")
    named, _, options = value.partition("?")
    kind, colon, where = named.partition(":")
    if kind not in {*OWN_KINDS, "sim"}:
        return None
    plain = not where or re.fullmatch(r"\d{1,3}", where) or _DEVICE.fullmatch(where)
    shown = [option for option in options.split("&") if _OPTION.fullmatch(option)]
    return json.dumps(f"{kind}{colon}{where if plain else SET}{'?' * bool(shown)}{'&'.join(shown)}")


def _schemes(value: str) -> str:
    found = [_SCHEME.match(address) for address in value.split()]
    return json.dumps(" ".join(f"{scheme[1]}:{SET}" if scheme else SET for scheme in found))


MAY_GO: Mapping[str, Show] = {
    "camera.source": _source,
    "tray.rim_mm": _number,
    "scoreboard.port": _device,
    "scoreboard.language": _language,
    "scoreboard.brightness": _number,
    "scoreboard.dim_after_min": _number,
    "scoreboard.dark_after_min": _number,
    "buttons.pins": _pins,
    "buttons.lights": _numbers,
    "buzzer.fitted": _flag,
    "buzzer.pin": _number,
    "sound.voice": _flag,
    "games.game": _one_of(*OWN_GAMES),
    "web.serve": _one_of("off", "here", "network"),
    "web.port": _number,
    "mqtt.broker": _schemes,
    "mqtt.names": _flag,
}
"""Settings that may leave the house besides defaults, by section and key, and how each is shown."""
