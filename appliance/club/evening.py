"""A club's evening: all tables that a broker has, the league of their games, and the page."""

import json
import logging
import os
import re
import socket
import time
from array import array
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import asdict, dataclass, field
from functools import partial
from hashlib import sha256
from math import inf
from pathlib import Path
from typing import Any

from paho.mqtt.client import Client, MQTTMessage
from starlette.routing import Route

from appliance.club.reports import (
    Ended,
    Game,
    PublishedStanding,
    read_available,
    read_ended,
    read_game,
    read_logged,
    read_standing,
)
from appliance.config.parsing import TOPIC
from appliance.config.settings import MqttConfig
from appliance.errors import ApplianceError, ReportError
from appliance.journal.totals import Group
from appliance.mqtt.broker import keep_connected, make_client
from appliance.service.broadcast import MAX_ENDED_GAMES, MAX_LINE_BYTES
from appliance.stats.tally import standings
from appliance.web.serving import Channel, Server, guarded_app, is_own_host, page_routes
from vision.files.ordinary import open_to_append

log = logging.getLogger(__name__)

# More than there will ever be.
MAX_TABLES = 1000
MAX_GAMES = 50_000
"""In a league."""

MAX_PACKET_BYTES = MAX_LINE_BYTES + 1024
"""Brokers send no larger one: a finished game, and its topic."""
TABLE_LIFETIME_S = 86_400.0
"""A table that has sent nothing for so long goes from the page, until it sends something."""
LEAGUE_INTERVAL_S = 1.0
"""Between two leagues that pages are sent."""

POLL_INTERVAL_S = 0.05
"""Between asking two tables for what is missing."""
RESYNC_AFTER_S = 2.0
"""How long something may be missing before its table is asked; twice as long each time that nothing
more came, up to `MAX_RESYNC_AFTER_S`."""
MAX_RESYNC_AFTER_S = 64.0
BUSY_MESSAGES = 500
"""This many between two polls keep the next table from being asked."""
DISCOVERY_INTERVAL_S = 30.0
"""Between asking which tables there are: while one sends too much, a broker drops messages of the
others, too, even their first."""

MAX_GAMES_AT_ONCE = 2 * MAX_ENDED_GAMES
"""A table may report this many, as after an absence; then one more each `GAME_INTERVAL_S`."""
GAME_INTERVAL_S = 60.0
"""Nobody plays faster."""

_TOPIC_NUMBER = re.compile("0|[1-9][0-9]{0,3}")
"""The last level of a topic: the number of an event, or the place of a finished game."""
_TABLE = re.compile(f"(?:{TOPIC.pattern}/)?{TOPIC.pattern}")
_MAX_PORT = 65535
_KINDS = ("state", "available", "log", "whole", "unreadable")
"""The kinds of news that pages are sent of each table."""


def _hall(table: str) -> str:
    """The hall of a table; empty for one of this broker's own."""
    return table.rpartition("/")[0]


def game_id(table: str, game: int, log: Sequence[str]) -> str:
    """The identity of a game of a table: how it began differs, and never changes."""
    begun = "\n".join((table, str(game), *log[:10]))
    return sha256(begun.encode()).hexdigest()[:16]


def game_of(table: str, ended: Ended) -> Game:
    """The record to keep of a game that a table reports."""
    return Game(
        id=game_id(table, ended.game, ended.log),
        table=table,
        title=ended.title,
        players=ended.players,
        scores=ended.scores,
        winners=ended.winners,
        over=ended.over,
        events=len(ended.log),
    )


def league(games: Iterable[Game]) -> list[dict[str, Any]]:
    """By title, the most wins first; if a game was reported twice, the last report counts."""
    played = Group()
    for game in {game.id: game for game in games}.values():
        for seat, player in enumerate(game.players if game.over else ()):
            points = game.scores[seat]
            played.player(game.title, player).add(1, seat in game.winners, points, points)
    lines = sorted(standings(played.players), key=lambda s: (s.game, -s.wins, -s.mean, s.player))
    return [asdict(line) for line in lines]


class Games(dict[str, Game]):
    """The games by their id, each a line of their file; OSError if that cannot be used."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._file = open_to_append(path)
        self._file.seek(0)
        for line in self._file.read().split(b"\n"):
            # What a power cut left of a line is not a game.
            with suppress(ReportError):
                game = read_game(line)
                self[game.id] = game
        self.changes, self._full = 0, False

    def close(self) -> None:
        """Closes the file; no game is counted any more."""
        self._file.close()

    def is_counted(self, game: Game) -> bool:
        """True if it is counted as it is."""
        return self.get(game.id) == game

    def count(self, game: Game) -> bool:
        """Counts a game, after writing it to disk; False if there are too many already."""
        if game.id not in self and len(self) >= MAX_GAMES:
            if not self._full:
                self._full = True
                log.error(
                    "there are already %d games, the most that fit; name another --games", MAX_GAMES
                )
            return False
        if not self.is_counted(game):
            self._file.write(b"\n" + json.dumps(asdict(game)).encode())
            os.fsync(self._file.fileno())
            self[game.id] = game
            self.changes += 1
        return True


@dataclass(slots=True)
class Allowance:
    """How many games a table may still report: a token bucket."""

    tokens: float = MAX_GAMES_AT_ONCE
    at_s: float = inf

    def allow_one(self, now_s: float) -> bool:
        """True if one more is allowed now; seconds of a clock."""
        earned = max(0.0, now_s - self.at_s) / GAME_INTERVAL_S
        self.tokens = min(MAX_GAMES_AT_ONCE, self.tokens + earned)
        self.at_s = now_s
        allowed = self.tokens >= 1
        self.tokens -= allowed
        return allowed


class LogLines:
    """Which game the log lines of a table are of, by their number.

    A line takes eight bytes, so a table that sends one of each number takes 80 kB.
    """

    def __init__(self) -> None:
        self._games = array("q")

    def note(self, number: int, game: int) -> None:
        """Takes down a line, from 1 to `MAX_LOG_LINES`; games count from 1."""
        missing = number + 1 - len(self._games)
        self._games.extend([0] * missing)
        self._games[number] = game

    def game_of(self, number: int) -> int | None:
        """The game of a line, or None if none has come."""
        return self._games[number] or None if number < len(self._games) else None


@dataclass(slots=True)
class Table:
    """The state of a table: what it plays, and how much of it is here.

    Attributes:
        game: the one that is played; None if there is none.
        events: how many it has had.
        wanted: numbers of games that are over.
        log: the log lines that the broker has.
        ended: numbers of finished games that have come.
        whole: how many lines of the log have no gap.
        asked_s: when it was last asked for everything.
        resync_after_s: it is asked again once so long has passed.
        stale: what it has may be other than before, so it is asked even if nothing is missing.
        unreadable: kinds of messages whose last one could not be read.
        logged: kinds of messages of which one could ever not be read.
        sent_at_s: when it last sent something, in Unix time, as far as is known here.
        heard_live: whether a message of it came that the broker had not kept.
        allowance: how many games it may still report.
    """

    online: bool = False
    game: int | None = None
    events: int = 0
    wanted: frozenset[int] = frozenset()
    log: LogLines = field(default_factory=LogLines)
    ended: set[int] = field(default_factory=set)
    whole: int = 0
    asked_s: float = -inf
    resync_after_s: float = RESYNC_AFTER_S
    stale: bool = True
    unreadable: set[str] = field(default_factory=set)
    logged: set[str] = field(default_factory=set)
    sent_at_s: float = inf
    heard_live: bool = False
    allowance: Allowance = field(default_factory=Allowance)

    @property
    def complete(self) -> bool:
        """True if everything that it has reported is here."""
        return self.whole >= self.events and self.wanted <= self.ended


class Tables(dict[str, Table]):
    """The tables below a prefix of topics, by name: `TRAY`, or `HALL/TRAY` if a bridge brings them.

    `ask` subscribes to a topic filter, whereupon the broker resends what it retains; `show` gets
    what was reported of which table, and the value, which is never the received text; `forget`
    gets the name of a table that has gone. `unix_s` is a clock. A new connection to the broker
    begins with `ask_again`. What bridges say of themselves (`PREFIX/HALL/bridge`) is believed of
    their tables: the broker keeps the last that came of a hall, however long that is away.
    """

    def __init__(
        self,
        prefix: str,
        games: Games,
        ask: Callable[[str], object],
        show: Callable[[str, object], object],
        forget: Callable[[str], object] = lambda _: None,
        unix_s: Callable[[], float] = time.time,
    ) -> None:
        super().__init__()
        self._forget, self._unix_s = forget, unix_s
        self._gone = set[str]()
        self._prefix, self._games, self._ask, self._show = prefix, games, ask, show
        self._messages_since_tick = 0
        self._now_s = -inf
        self._discovered_s = inf
        self._away = set[str]()
        self._shown_away: set[str] | None = None
        self._discover()

    def _discover(self) -> None:
        for topics in ("+/available", "+/+/available", "+/bridge"):
            self._ask(f"{self._prefix}/{topics}")

    def ask_again(self, ask: Callable[[str], object]) -> None:
        """Asks for all tables by another connection; what is known of them stays."""
        self._ask = ask
        for table in list(self.values()):
            table.stale, table.asked_s = True, -inf
        self._discover()

    def ask_next_table(self, now_s: float) -> None:
        """Asks for one table that lacks something; a broker drops what is asked for too fast."""
        self._now_s, self._discovered_s = now_s, min(self._discovered_s, now_s)
        if now_s - self._discovered_s > DISCOVERY_INTERVAL_S:
            self._discovered_s = now_s
            self._discover()
        self._drop_silent_tables()
        for name, table in list(self.items()):
            wait_s = RESYNC_AFTER_S if table.stale else table.resync_after_s
            if table.complete and not table.stale:
                table.asked_s, table.resync_after_s = now_s, RESYNC_AFTER_S
            elif self._messages_since_tick < BUSY_MESSAGES and now_s - table.asked_s > wait_s:
                doubled_s = min(2 * wait_s, MAX_RESYNC_AFTER_S)
                table.resync_after_s = RESYNC_AFTER_S if table.stale else doubled_s
                table.asked_s, table.stale = now_s, False
                self._ask(f"{self._prefix}/{name}/#")
                break
        self._messages_since_tick = 0

    def _drop_silent_tables(self) -> None:
        latest_s = self._unix_s() - TABLE_LIFETIME_S
        silent = [name for name, table in list(self.items()) if table.sent_at_s < latest_s]
        for name in silent:
            del self[name]
            self._forget(name)
        if silent:
            if len(self._gone) + len(silent) > MAX_TABLES:
                self._gone.clear()
            self._gone.update(silent)
            self._show("tables", sorted(self))
            self._show_away()

    def take_message(self, topic: str, payload: bytes, *, retained: bool = False) -> None:
        """Takes in a message; of one that no tray sends, only that it came is shown.

        `retained` says that the broker has kept it, perhaps for long.

        OSError if a game cannot be written to disk.
        """
        self._messages_since_tick += 1
        match topic.split("/")[1:]:
            case [hall, "bridge"]:
                self._take_bridge(hall, payload)
                return
            case [*names, "available" | "state" as kind]:
                number = 0
            case [*names, "log" | "ended" as kind, place] if _TOPIC_NUMBER.fullmatch(place):
                number = int(place)
            case _:
                return
        name = "/".join(names)
        if retained and name in self._gone:
            return
        if not _TABLE.fullmatch(name) or (name not in self and len(self) >= MAX_TABLES):
            return
        self._gone.discard(name)
        now_s = self._unix_s()
        table = self.setdefault(name, Table(sent_at_s=now_s))
        if not retained:
            table.heard_live, table.sent_at_s = True, now_s
        # First, as a page listens to no table that it does not know yet.
        self._show("tables", sorted(self))
        self._show_away()
        try:
            self._apply(name, table, kind, number, payload)
            table.unreadable.discard(kind)
        except ReportError as error:
            table.unreadable.add(kind)
            if kind not in table.logged:
                table.logged.add(kind)
                log.warning("%s/%s: cannot be read: %s", self._prefix, name, error)
            if kind == "state":
                # What it showed before is no longer so.
                self._show(f"state {name}", None)
        self._show(f"unreadable {name}", sorted(table.unreadable))

    def _take_bridge(self, hall: str, payload: bytes) -> None:
        """Takes in whether a hall's bridge is here; nothing and what no bridge sends means that."""
        here = payload != b"0"
        if not TOPIC.fullmatch(hall) or here == (hall not in self._away):
            return
        if here:
            self._away.discard(hall)
        elif len(self._away) < MAX_TABLES:
            self._away.add(hall)
        for name, table in list(self.items()):
            if name.startswith(f"{hall}/"):
                # Meanwhile it may have done anything.
                table.stale |= here
                self._show(f"available {name}", self._is_online(name))
        self._show_away()

    def _is_online(self, name: str) -> bool:
        return self[name].online and _hall(name) not in self._away

    def _show_away(self) -> None:
        """Tells which halls with tables are away, if that is new."""
        away = {_hall(name) for name in list(self)} & self._away if self._away else set[str]()
        if away != self._shown_away:
            self._shown_away = away
            self._show("away", sorted(away))

    def _apply(self, name: str, table: Table, kind: str, number: int, payload: bytes) -> None:
        had = table.whole, len(table.ended)
        match kind:
            case "available":
                # Nothing retained is nothing there.
                online = payload != b"" and read_available(payload)
                table.stale |= online and not table.online
                table.online = online
                self._show(f"available {name}", self._is_online(name))
            case _ if not payload:
                return
            case "state":
                standing = read_standing(payload)
                self._apply_standing(table, standing)
                if not table.heard_live:
                    # A clock that is ahead makes no table stay for longer.
                    table.sent_at_s = min(standing.at, self._unix_s())
                self._show(f"state {name}", asdict(standing))
            case "log":
                logged = read_logged(payload)
                if logged.number != number:
                    raise ReportError(f"log: expected event {number}, found {logged.number}")
                table.log.note(number, logged.game)
                self._show(f"log {name}", asdict(logged))
            case _:
                ended = read_ended(payload)
                if self._count_game(table, game_of(name, ended)):
                    table.ended.add(ended.game)
                else:
                    # It is asked for again, and counted then.
                    table.ended.discard(ended.game)
        while table.log.game_of(table.whole + 1) == table.game is not None:
            table.whole += 1
        if had != (table.whole, len(table.ended)):
            table.resync_after_s = RESYNC_AFTER_S
        self._show(f"whole {name}", table.whole)

    def _apply_standing(self, table: Table, now: PublishedStanding) -> None:
        over = [now.game] if now.winners and now.game is not None else []
        table.events, table.wanted = now.events, frozenset((*now.ended, *over))
        if now.game != table.game or table.events < table.whole:
            # The end of the previous game may be missing, too.
            table.game, table.whole, table.stale = now.game, 0, True

    def _count_game(self, table: Table, game: Game) -> bool:
        """Counts a game if it may be; True if it is counted now."""
        if self._games.is_counted(game):
            return True
        return table.allowance.allow_one(self._now_s) and self._games.count(game)


def evening(settings: MqttConfig, file: Path, host: str, port: int) -> None:
    """Follows the tables, and serves the page that shows them, until a signal comes."""
    # `create_server` would leave a socket open.
    if not 0 <= port <= _MAX_PORT:
        raise ApplianceError(f"expected a port from 0 to {_MAX_PORT}, found {port}")
    with ExitStack() as stack:
        try:
            games = stack.enter_context(closing(Games(file)))
            listening = stack.enter_context(socket.create_server((host, port)))
        except OSError as error:
            expected = f"expected a file {file} that is yours, and {host}:{port} free"
            raise ApplianceError(f"{expected}, found: {error}") from error
        _follow(settings, games, listening, host, port)


def _follow(
    settings: MqttConfig, games: Games, listening: socket.socket, host: str, port: int
) -> None:
    own_name = socket.gethostname()
    shown_host = f"{own_name}.local" if host == "0.0.0.0" else host
    log.info("http://%s:%d/ shows the tables; Ctrl-C ends it", shown_host, port)
    channel = Channel()
    events = Route("/events", lambda _: channel.response())
    routes = events, *page_routes("shared", "/shared"), *page_routes("club")

    def forget(name: str) -> None:
        channel.forget(*(f"{kind} {name}" for kind in _KINDS))

    tables = Tables(settings.prefix, games, lambda _: None, channel.publish, forget)

    def follow(client: Client) -> None:
        # A full disk is logged; what was not written is asked for again.
        client.suppress_exceptions = True
        client.enable_logger(log)

        def on_message(_: object, __: object, message: MQTTMessage) -> None:
            # Some brokers pass on topics that are not in UTF-8.
            with suppress(UnicodeDecodeError):
                tables.take_message(message.topic, bytes(message.payload), retained=message.retain)

        client.on_message = on_message
        tables.ask_again(lambda topics: client.subscribe(topics, 1))
        shown, shown_s = -1, -inf
        while client.is_connected():
            now_s = time.monotonic()
            tables.ask_next_table(now_s)
            if shown != games.changes and now_s - shown_s >= LEAGUE_INTERVAL_S:
                shown, shown_s = games.changes, now_s
                channel.publish("league", league(list(games.values())))
            time.sleep(POLL_INTERVAL_S)

    def is_own(asked: str) -> bool:
        return asked == f"{host}:{port}" or is_own_host(asked, port, own_name)

    with closing(Server(guarded_app(routes, is_own), listening, channel)):
        keep_connected(settings, partial(make_client, settings), follow, MAX_PACKET_BYTES)
