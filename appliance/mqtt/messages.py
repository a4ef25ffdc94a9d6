"""Messages to a broker (docs/mqtt.md), made from what other processes are sent."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.resources import files
from string import Template
from typing import Any

from appliance.config.settings import MqttConfig
from appliance.service.broadcast import MAX_ENDED_GAMES
from appliance.words import say

Message = tuple[str, str, int, bool]
"""Topic, payload, quality of service, whether it is retained."""


def message_of(settings: MqttConfig, what: object, *parts: object) -> Message:
    """A message of this tray: a word as it is, anything else as JSON."""
    text = what if isinstance(what, str) else json.dumps(what, ensure_ascii=False)
    return "/".join(map(str, (settings.prefix, settings.tray, *parts))), text, 1, True


LEAST_SEATS = 2


def discovery(
    settings: MqttConfig, version: str, seats: int = LEAST_SEATS, page: str = ""
) -> Message:
    """A tray and everything it has, described for Home Assistant (its "MQTT device discovery").

    Names are in the chosen language, identities in English whatever that is, so that cards and
    automations stay as they are.

    Args:
        settings: the tray's and the broker's.
        version: the program's.
        seats: how many players have a sensor of their own.
        page: address of the score page; empty for none.
    """
    device, base = f"{settings.prefix}-{settings.tray}", f"{settings.prefix}/{settings.tray}"
    entity = settings.tray.replace("-", "_")
    places = {"device": device, "base": base, "entity": entity, "version": version}
    text = files("appliance.mqtt").joinpath("device.json").read_text("utf-8")
    what = json.loads(Template(text).substitute(places))
    what["dev"]["name"] = say("Dice tray {tray}", tray=settings.tray)
    if page:
        what["dev"]["cu"] = page
    for name, shown in _names().items():
        what["cmps"][name]["name"] = shown
    for seat in range(seats):
        what["cmps"][f"seat-{seat + 1}"] = _seat(device, entity, base, seat)
    topic = f"{settings.discovery}/device/{device}/config"
    return topic, json.dumps(what, ensure_ascii=False), 1, True


def _names() -> dict[str, str]:
    """What Home Assistant calls each part that it shows."""
    return {
        "game": say("Game"),
        "player": say("Player"),
        "round": say("Round"),
        "scores": say("Scores"),
        "dice": say("Dice"),
        "winners": say("Winners"),
        "board": say("Scoreboard"),
        "health": say("Health"),
        "happens": say("Event"),
    }


def _seat(device: str, entity: str, base: str, seat: int) -> dict[str, object]:
    """The points of whoever sits there, with the name; unknown where nobody does."""
    here = f"value_json.players | length > {seat}"
    player = f"{{'player': value_json.players[{seat}], 'turn': value_json.turn == {seat}}}"
    return {
        "p": "sensor",
        "qos": 1,
        "ic": "mdi:account",
        "name": say("Seat {n}", n=seat + 1),
        "uniq_id": f"{device}-seat-{seat + 1}",
        "def_ent_id": f"sensor.dice_tray_{entity}_seat_{seat + 1}",
        "val_tpl": f"{{{{ value_json.totals[{seat}] if {here} else None }}}}",
        "json_attr_t": f"{base}/state",
        "json_attr_tpl": f"{{{{ ({player} if {here} else {{}}) | tojson }}}}",
    }


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

    @property
    def seats(self) -> int:
        """How many play; 0 before the first snapshot."""
        return len(self._stands.get("players", ()))

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
