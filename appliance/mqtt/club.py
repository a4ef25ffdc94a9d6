"""A club's evening: all tables that a broker has, the league of their games, and the page."""

import json
import logging
import os
import socket
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from math import inf
from pathlib import Path
from typing import Any

from paho.mqtt.client import Client
from starlette.routing import Mount, Route

from appliance.config.parsing import TOPIC
from appliance.config.settings import MqttConfig
from appliance.errors import ApplianceError
from appliance.mqtt.broker import client_of, keep_connected
from appliance.stats.tally import Result, standings
from appliance.web.serving import Channel, Server, files, guarded
from vision.ordinary import check_ordinary

log = logging.getLogger(__name__)

Game = Mapping[str, Any]
"""A finished game: id, table, title, players, scores, winners (seats), whether it counts."""
NO_GAME = (AttributeError, IndexError, KeyError, TypeError, ValueError)
"""What anything other than a game raises."""
MOST, LINES = 1000, 9999
"""Tables of a club, and lines of a log: more than there will ever be."""
TICK_S, AGAIN_S, FLOOD = 0.05, 2.0, 500
"""Seconds between asking two tables; for which something may be missing before its table is asked;
messages in between that keep the next table from being asked."""


def counted(table: str, ended: Mapping[str, Any]) -> Game:
    """What is kept of a game that a table reports; raises one of `NO_GAME` if it is not a game."""
    # How it began differs from game to game, and never changes.
    begun = "\n".join((table, str(ended["game"]), *ended["log"][:10]))
    kept = {key: ended[key] for key in ("title", "players", "scores", "winners", "over")}
    kept |= {"table": table, "events": len(ended["log"])}
    return kept | {"id": sha256(begun.encode()).hexdigest()[:16]}


def league(games: Iterable[Game]) -> list[dict[str, Any]]:
    """By title, the most wins first; if a game was reported twice, the last report counts."""
    results = [
        Result(str(game["title"]), str(player), int(game["scores"][seat]), seat in game["winners"])
        for game in {game["id"]: game for game in games}.values()
        if game["over"]
        for seat, player in enumerate(game["players"])
    ]
    lines = sorted(standings(results), key=lambda s: (s.game, -s.wins, -s.mean, s.player))
    return [asdict(line) for line in lines]


class Games(dict[str, Game]):
    """The games by their id, each a line of their file; OSError if that cannot be used."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        check_ordinary(path)
        self._file = path.open("a+b", buffering=0)
        self._file.seek(0)
        for line in self._file.read().split(b"\n"):
            # What a power cut left of a line is not a game.
            with suppress(*NO_GAME):
                game = json.loads(line)
                league((game,))
                self[game["id"]] = game

    def count(self, game: Game) -> None:
        """Counts a game, after writing it to disk."""
        if self.get(game["id"]) != game:
            league((game,))
            self._file.write(b"\n" + json.dumps(game).encode())
            os.fsync(self._file.fileno())
            self[game["id"]] = game


@dataclass(slots=True)
class Table:
    """What a table plays; the game of each log line that the broker has; how many have no gap."""

    online: bool = False
    game: int | None = None
    events: int = 0
    wanted: frozenset[int] = frozenset()
    log: dict[int, int] = field(default_factory=dict)
    ended: set[int] = field(default_factory=set)
    whole: int = 0
    asked_s: float = -inf


class Tables(dict[str, Table]):
    """The tables below a prefix of topics, by name.

    `ask` subscribes to a topic filter, whereupon the broker resends what it retains; `show` gets
    what was reported of which table, and the text.
    """

    def __init__(
        self, prefix: str, games: Games, ask: Callable[[str], object], show: Callable[..., object]
    ) -> None:
        super().__init__()
        self._prefix, self._games, self._ask, self._show = prefix, games, ask, show
        self._came = 0
        ask(f"{prefix}/+/available")

    def tick(self, now_s: float) -> None:
        """Asks for one table that lacks something; a broker drops what is asked for too fast."""
        for name, table in list(self.items()):
            there = table.whole >= table.events and table.wanted <= table.ended
            if table.asked_s > -inf and there:
                table.asked_s = now_s
            elif self._came < FLOOD and now_s - table.asked_s > AGAIN_S:
                table.asked_s = now_s
                self._ask(f"{self._prefix}/{name}/#")
                break
        self._came = 0

    def received(self, topic: str, payload: bytes) -> None:
        """Takes in a message; one that no tray has sent is ignored."""
        self._came += 1
        _, name, kind, *rest = topic.split("/")
        if not TOPIC.fullmatch(name) or (name not in self and len(self) >= MOST):
            return
        table = self.setdefault(name, Table())
        with suppress(*NO_GAME):
            value: Any = payload == b"online" if kind == "available" else json.loads(payload)
            match kind, *rest:
                case ["available"]:
                    table.asked_s = -inf if value and not table.online else table.asked_s
                    table.online = value
                case ["state"]:
                    game = None if value["game"] is None else int(value["game"])
                    over = [game] if value["winners"] else []
                    wanted = frozenset(value["ended"] + over)
                    table.events, table.wanted = int(value["events"]), wanted
                    if game != table.game or table.events < table.whole:
                        # The end of the previous game may be missing, too.
                        table.game, table.whole, table.asked_s = game, 0, -inf
                case ["log", number] if 0 < int(number) <= LINES:
                    table.log[int(number)] = value["game"]
                case ["ended", _]:
                    self._games.count(counted(name, value))
                    table.ended.add(value["game"])
            while table.log.get(table.whole + 1, -1) == table.game:
                table.whole += 1
            self._show("tables", json.dumps(sorted(self)))
            self._show(f"{kind} {name}", payload.decode())
            self._show(f"whole {name}", str(table.whole))


def evening(settings: MqttConfig, file: Path, host: str, port: int) -> None:
    """Follows the tables, and serves the page that shows them, until a signal comes."""
    names = {f"{name}:{port}" for name in (host, "localhost", socket.gethostname())}
    try:
        games, listening = Games(file), socket.create_server((host, port))
    except (OSError, OverflowError) as error:
        expected = f"expected a file {file} that is yours, and {host}:{port} free"
        raise ApplianceError(f"{expected}, found: {error}") from error
    log.info("http://%s:%d/ shows the tables; Ctrl-C ends it", host, port)
    channel = Channel()
    events = Route("/events", lambda _: channel.response())
    routes = events, Mount("/shared", files("shared")), Mount("/", files("club"))

    def follow(client: Client) -> None:
        tables = Tables(settings.prefix, games, lambda f: client.subscribe(f, 1), channel.publish)
        # A full disk is logged; what was not written is asked for again.
        client.suppress_exceptions = True
        client.enable_logger(log)
        client.on_message = lambda *came: tables.received(came[2].topic, came[2].payload)
        while client.is_connected():
            tables.tick(time.monotonic())
            channel.publish("league", json.dumps(league(list(games.values()))))
            time.sleep(TICK_S)

    with closing(Server(guarded(routes, names.__contains__), listening, channel)):
        keep_connected(settings, lambda: client_of(settings), follow)
