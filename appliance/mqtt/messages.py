"""Messages to a broker (docs/mqtt.md), made from what other processes are sent."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.resources import files
from string import Template
from typing import Any

from appliance.config.settings import MqttConfig
from appliance.service.broadcast import MAX_ENDED_GAMES

Message = tuple[str, str, int, bool]
"""Topic, payload, quality of service, whether it is retained."""


def message_of(settings: MqttConfig, what: object, *parts: object) -> Message:
    """A message of this tray: a word as it is, anything else as JSON."""
    text = what if isinstance(what, str) else json.dumps(what, ensure_ascii=False)
    return "/".join(map(str, (settings.prefix, settings.tray, *parts))), text, 1, True


def discovery(settings: MqttConfig, version: str) -> Message:
    """A tray and everything it has, described for Home Assistant (its "MQTT device discovery")."""
    device, base = f"{settings.prefix}-{settings.tray}", f"{settings.prefix}/{settings.tray}"
    names = {"device": device, "base": base, "tray": settings.tray, "version": version}
    text = files("appliance.mqtt").joinpath("device.json").read_text("utf-8")
    return f"{settings.discovery}/device/{device}/config", Template(text).substitute(names), 1, True


def players(named: Sequence[str], names: bool) -> list[str]:
    """The players in seat order, by name only if that may be published."""
    return [name if names else f"PLAYER {n}" for n, name in enumerate(named, start=1)]


def state(snapshot: Mapping[str, Any], names: bool) -> dict[str, Any]:
    """How the game stands, with the names of players only if they may be published."""
    sheets = snapshot["sheets"]
    kept = ("game", "kind", "title", "round", "turn", "winners", "alerts")
    return {key: snapshot[key] for key in kept} | {
        "events": snapshot["state"],
        "players": players([sheet["player"] for sheet in sheets], names),
        "totals": [sheet["total"] for sheet in sheets],
        "dice": [face for face, _, _ in snapshot["dice"]],
        # It has names, in menus even other people's. Home Assistant takes 255 characters.
        "board": snapshot["line"][:255] if names else "",
    }


def triggers(event: Mapping[str, Any], faces: list[object]) -> list[str]:
    """The triggers that an event sends, such as to a lamp, given the dice on the table after it."""
    thrown = event["verb"] in ("roll", "fix") and len(faces) >= 5 and faces[0] is not None
    happens = {
        "game-begins": event["number"] == 1,
        "five-alike": thrown and len({*faces[:5]}) == 1,
        "celebration": event["celebrated"],
        "game-over": event["over"],
    }
    return [word for word, it_does in happens.items() if it_does]


class Composer:
    """Turns the appliance's lines into messages, from its first snapshot on; `clock`: Unix time."""

    def __init__(self, settings: MqttConfig, clock: Callable[[], float]) -> None:
        self._settings, self._clock = settings, clock
        self._begun: tuple[int | None, int] | None = None
        self._stands: dict[str, Any] = {}
        # By the place in which the broker keeps it.
        self._ended_by_place: dict[int, int] = {}
        self._log: list[str] = []
        self._was_over = False

    def messages(self, line: Mapping[str, Any]) -> Iterator[Message]:
        """The messages to be published, in order."""
        if "hello" in line:
            yield message_of(self._settings, "online", "available")
        elif "snapshot" in line:
            yield from self._state_messages(state(line["snapshot"], self._settings.names))
            self._begun = self._begun or (self._stands["game"], self._stands["events"])
        elif "event" in line:
            yield from self._event_messages(line["event"])
        elif "ended" in line:
            ended = line["ended"]
            named = players(ended["players"], self._settings.names)
            yield from self._ended_messages(ended | {"players": named})
            yield from self._state_messages(self._stands)

    def _state_messages(self, stands: Mapping[str, Any]) -> Iterator[Message]:
        """How the game stands and which games are over, if that is new."""
        now = {**stands, "ended": sorted(self._ended_by_place.values())}
        if now != self._stands:
            self._stands = now
            yield message_of(self._settings, now | {"at": round(self._clock(), 3)}, "state")

    def _ended_messages(self, ended: Mapping[str, Any]) -> Iterator[Message]:
        """A game that is over, unless a later one has taken its place."""
        place = ended["game"] % MAX_ENDED_GAMES
        if self._ended_by_place.get(place, 0) <= ended["game"]:
            self._ended_by_place[place] = ended["game"]
            yield message_of(self._settings, ended, "ended", place)

    def _event_messages(self, event: Mapping[str, Any]) -> Iterator[Message]:
        game, number, stands = event["game"], event["number"], self._stands
        if number == 1:
            self._log, self._was_over = [], False
        self._log.append(event["text"])
        self._was_over |= event["over"]
        yield message_of(self._settings, event, "log", number)
        if self._was_over and (game, number) == (stands["game"], stands["events"]):
            # Also when its last choice was taken back: then it is no longer over.
            ended = {key: stands[key] for key in ("game", "title", "players", "winners")}
            ended |= {"scores": event["scores"], "over": event["over"], "log": self._log}
            yield from self._ended_messages(ended)
        if self._begun and (game != self._begun[0] or number > self._begun[1]):
            for word in triggers(event, stands["dice"]):
                yield *message_of(self._settings, word, "trigger")[:3], False
