"""Reports of tables to a club's page: each message read into typed values, or refused.

Whoever may publish to the broker may send anything. So nothing here is passed on as it came: a
message that is too large is not even decoded, only the fields listed here are taken, and each has
its type and its limit. The interpreter itself limits how deep JSON may be nested.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from reprlib import repr as shortened
from typing import Any, TypeVar

from appliance.errors import ReportError
from appliance.service.broadcast import MAX_ENDED_GAMES, MAX_LINE_BYTES

Item = TypeVar("Item")

MAX_BYTES_BY_KIND = {
    "available": 16,
    "state": 16_384,
    "log": 16_384,
    "ended": MAX_LINE_BYTES,
    "game": 16_384,
}
"""Of a payload, and of a line of a kept game; long games of bets take 100,000."""
MAX_LOG_LINES = 9999
"""More than a game will ever have."""
MAX_SEATS = 8
MAX_DICE = 32
MAX_ALERTS = 16
MAX_ENDED_LISTED = 4 * MAX_ENDED_GAMES
MAX_NAME_CHARS = 32
"""Of a player; trays take 12."""
MAX_WORD_CHARS = 64
MAX_TABLE_CHARS = 65
"""Of `HALL/TRAY`, each of 32 at most."""
"""Of a label or title."""
MAX_TEXT_CHARS = 300
"""Of a line."""
MAX_NUMBER = 1_000_000_000
"""No number of a game, and no score, is further from 0."""

_NOT_IN_A_LINE = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\u202a-\u202e\u2066-\u2069]"
)
"""Control characters, separators of lines and paragraphs, surrogates (categories Cc, Zl, Zp, Cs),
and what reverses the text around it (bidirectional classes from LRE to PDI), as in Unicode 14.0."""


@dataclass(frozen=True, slots=True)
class PublishedStanding:
    """How a table's game stands, as `Composer` publishes it; `at` is Unix time in seconds."""

    game: int | None
    title: str
    round: int
    turn: int | None
    winners: tuple[int, ...]
    events: int
    players: tuple[str, ...]
    totals: tuple[int, ...]
    dice: tuple[int | str | None, ...]
    board: str
    alerts: tuple[str, ...]
    ended: tuple[int, ...]
    at: float


@dataclass(frozen=True, slots=True)
class Logged:
    """An event of a table's game."""

    game: int
    number: int
    verb: str
    text: str
    seat: int | None
    label: str
    points: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class Ended:
    """A finished game with its log; `over` is False while its last choice is taken back."""

    game: int
    title: str
    players: tuple[str, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    over: bool
    log: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Game:
    """A finished game as it is kept; `winners` are seats, `events` how many it had."""

    id: str
    table: str
    title: str
    players: tuple[str, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    over: bool
    events: int


def read_available(payload: bytes) -> bool:
    """True if a table is online; ReportError if it says neither."""
    _check_size(payload, "available")
    if payload not in (b"online", b"offline"):
        raise ReportError(f"available: expected online or offline, found {shortened(payload)}")
    return payload == b"online"


def read_standing(payload: bytes) -> PublishedStanding:
    """How a game stands; ReportError if that is not what the payload says."""
    fields = _Fields("state", payload)
    players = fields.players()
    return PublishedStanding(
        game=fields.take("game", _optional(_serial)),
        title=fields.take("title", _word),
        round=fields.take("round", _number),
        turn=fields.take("turn", _optional(_one_of(range(len(players))))),
        winners=fields.take("winners", _list(_one_of(range(len(players))), MAX_SEATS)),
        events=fields.take("events", _count),
        players=players,
        totals=fields.take("totals", _scores(len(players))),
        dice=fields.take("dice", _list(_face, MAX_DICE)),
        board=fields.take("board", _text),
        alerts=fields.take("alerts", _list(_text, MAX_ALERTS)),
        ended=fields.take("ended", _list(_serial, MAX_ENDED_LISTED)),
        at=fields.take("at", _seconds),
    )


def read_logged(payload: bytes) -> Logged:
    """An event; ReportError if that is not what the payload says."""
    fields = _Fields("log", payload)
    return Logged(
        game=fields.take("game", _serial),
        number=fields.take("number", _serial),
        verb=fields.take("verb", _word),
        text=fields.take("text", _text),
        seat=fields.take("seat", _optional(_one_of(range(MAX_SEATS)))),
        label=fields.take("label", _word),
        points=fields.take("points", _optional(_number)),
        reason=fields.take("reason", _word),
    )


def read_ended(payload: bytes) -> Ended:
    """A finished game; ReportError if that is not what the payload says."""
    fields = _Fields("ended", payload)
    players = fields.players()
    return Ended(
        game=fields.take("game", _serial),
        title=fields.take("title", _word),
        players=players,
        scores=fields.take("scores", _scores(len(players))),
        winners=fields.take("winners", _list(_one_of(range(len(players))), MAX_SEATS)),
        over=fields.take("over", _flag),
        log=fields.take("log", _list(_text, MAX_LOG_LINES)),
    )


def read_game(line: bytes) -> Game:
    """A game as a line of the file keeps it; ReportError if the line is something else."""
    fields = _Fields("game", line)
    players = fields.players()
    return Game(
        id=fields.take("id", _word),
        table=fields.take("table", _table),
        title=fields.take("title", _word),
        players=players,
        scores=fields.take("scores", _scores(len(players))),
        winners=fields.take("winners", _list(_one_of(range(len(players))), MAX_SEATS)),
        over=fields.take("over", _flag),
        events=fields.take("events", _count),
    )


class _Fields:
    """The fields of an object in JSON, taken one by one; ReportError says which is wrong."""

    def __init__(self, kind: str, payload: bytes) -> None:
        _check_size(payload, kind)
        try:
            values = json.loads(payload.decode())
        except (ValueError, RecursionError) as error:
            raise ReportError(f"{kind}: expected JSON in UTF-8, found: {error}") from error
        if not isinstance(values, dict):
            raise ReportError(f"{kind}: expected an object, found {shortened(values)}")
        self._kind, self._values = kind, values

    def take(self, name: str, read: Callable[[Any], Item]) -> Item:
        """A field, as `read` makes it of what came; it says with a ValueError what it expects."""
        if name not in self._values:
            raise ReportError(f"{self._kind}: the field {name} is missing")
        value = self._values[name]
        try:
            return read(value)
        except ValueError as error:
            found = f"{self._kind}.{name}: expected {error}, found {shortened(value)}"
            raise ReportError(found) from error

    def players(self) -> tuple[str, ...]:
        """The names of the players in seat order."""
        return self.take("players", _list(_name, MAX_SEATS))


def _check_size(payload: bytes, kind: str) -> None:
    most = MAX_BYTES_BY_KIND[kind]
    if len(payload) > most:
        raise ReportError(f"{kind}: expected at most {most} bytes, found {len(payload)}")


def _whole(value: Any, low: int, high: int) -> int:
    # True and False are whole numbers in Python.
    if type(value) is not int or not low <= value <= high:
        raise ValueError(f"a whole number from {low} to {high}")
    return value


def _number(value: Any) -> int:
    return _whole(value, -MAX_NUMBER, MAX_NUMBER)


def _count(value: Any) -> int:
    return _whole(value, 0, MAX_NUMBER)


def _serial(value: Any) -> int:
    return _whole(value, 1, MAX_NUMBER)


def _one_of(seats: range) -> Callable[[Any], int]:
    return lambda value: _whole(value, seats.start, seats.stop - 1)


def _seconds(value: Any) -> float:
    if type(value) not in (int, float) or not 0 <= value <= 100 * MAX_NUMBER:
        raise ValueError("seconds of Unix time")
    return float(value)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("true or false")
    return value


def _line(value: Any, longest: int) -> str:
    if not isinstance(value, str) or len(value) > longest:
        raise ValueError(f"a text of at most {longest} characters")
    if _NOT_IN_A_LINE.search(value):
        raise ValueError("a line of text without control characters")
    return value


def _name(value: Any) -> str:
    return _line(value, MAX_NAME_CHARS)


def _word(value: Any) -> str:
    return _line(value, MAX_WORD_CHARS)


def _table(value: Any) -> str:
    return _line(value, MAX_TABLE_CHARS)


def _text(value: Any) -> str:
    return _line(value, MAX_TEXT_CHARS)


def _face(value: Any) -> int | str | None:
    return value if value is None else _word(value) if isinstance(value, str) else _number(value)


def _optional(read: Callable[[Any], Item]) -> Callable[[Any], Item | None]:
    return lambda value: None if value is None else read(value)


def _list(read: Callable[[Any], Item], most: int) -> Callable[[Any], tuple[Item, ...]]:
    def read_list(value: Any) -> tuple[Item, ...]:
        if not isinstance(value, list) or len(value) > most:
            raise ValueError(f"a list of at most {most}")
        return tuple(map(read, value))

    return read_list


def _scores(players: int) -> Callable[[Any], tuple[int, ...]]:
    def read_scores(value: Any) -> tuple[int, ...]:
        scores = _list(_number, MAX_SEATS)(value)
        if len(scores) != players:
            raise ValueError(f"a score for each of {players} players")
        return scores

    return read_scores
