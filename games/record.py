"""The record of a whole game as text that people can read and compare.

Tags say what is played, an empty line ends them, then comes a line for each turn:

    [Game "classic"]
    [Edition "2009"]
    [Version "0.1.0"]
    [Option first "roll-off"]
    [Players "Ann" "Bob"]

    0.1: roll 3 5 5 1 2  # who begins
    0.2: roll 6 6 1 1 1
    1.1: roll 1 3 3 5 6; hold 2 3; roll 3 2 2; score full-house  # 25 0

A line begins with the number of the turn and the seat from 1; a new one begins where either
changes. Events are separated by `;` (see `notation`). `#` begins a comment: the writer
puts the points of all seats there when they have changed.

The record is the truth: `replay` returns the state. A record that was cut off mid-line is read as
far as it is certain: an event counts once the `;` or the end of line after it is there.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from games import values as rules
from games.computers import strength_of
from games.game import Game
from games.lots import draw_lot
from games.notation.events import event_to_text as event_to_text
from games.notation.events import read_event
from games.notation.words import RecordError, Word, Words, quote, split_words
from games.registry import GAMES, find_game


@dataclass(frozen=True, slots=True)
class Record:
    """A game, complete or not.

    Attributes:
        game: its name in the registry.
        edition: the edition of its rules.
        players: the names by seat.
        options: the options it was started with, by name.
        events: everything that happened, in order.
        version: the version of the program that wrote it.
        seed: the seed of its lots, once the game is over; empty for none.
        cut: what was dropped from the end of a record that was cut off.
    """

    game: str
    edition: str
    players: tuple[str, ...]
    options: tuple[tuple[str, rules.OptionValue], ...] = ()
    events: tuple[rules.Event, ...] = ()
    version: str = ""
    seed: str = ""
    cut: str = field(default="", compare=False)


def game_states(record: Record) -> Iterator[Any]:
    """The state at the start, then the state after each event.

    Raises:
        IllegalEvent: at an event that is not legal; BadOptions, UnknownGame at the start.
    """
    game = find_game(record.game)
    state = game.start(record.players, dict(record.options))
    yield state
    for event in record.events:
        state = game.apply(state, event)
        yield state


def replay(record: Record) -> Any:
    """The state after all events; raises as `game_states` does."""
    state = None
    for state in game_states(record):  # noqa: B007
        pass
    return state


def drawn_fairly(record: Record) -> bool | None:
    """True if everything drawn follows from the seed; None where nothing was drawn.

    That means every lot, and the hidden dice that computers have shown. Raises as `game_states`
    does.
    """
    game, drawn, shown = find_game(record.game), 0, 0
    for event, state in zip(record.events, game_states(record), strict=False):
        ask = game.ask(state)
        if isinstance(ask, rules.Draw):
            if event != draw_lot(record.seed, drawn, ask.lots):
                return False
            drawn += 1
        elif isinstance(ask, rules.Reveal) and strength_of(record.players[ask.seat]):
            if event != rules.Shown(game.hidden_dice(record.seed, state, ask.seat)):
                return False
            shown += 1
    return True if drawn or shown else None


def position_to_text(game: Game[Any], state: Any) -> str:
    """The state in one line, without the events that led to it."""
    return f"{game.name} {game.position_to_text(state)}"


def position_from_text(text: str) -> tuple[Game[Any], Any]:
    """The game and the state of a position; the inverse of `position_to_text`.

    Raises:
        RecordError: for a text that is not a position.
        RulesError: for a position that cannot arise.
    """
    words = Words.of(text)
    game = words.one_of(GAMES, "a game")
    state = game.position_from_text(words)
    words.end()
    return game, state


def write_record(record: Record) -> str:
    """The text of a record; raises as `game_states` does."""
    game = find_game(record.game)
    lines = [
        f"[Game {quote(record.game)}]",
        f"[Edition {quote(record.edition)}]",
        f"[Version {quote(record.version)}]",
        *([f"[Seed {quote(record.seed)}]"] if record.seed else ()),
        *(f"[Option {name} {json.dumps(value)}]" for name, value in record.options),
        f"[Players {' '.join(quote(name) for name in record.players)}]",
        "",
    ]
    walk = list(game_states(record))
    written = game.scores(walk[0])
    steps = zip(record.events, walk, walk[1:], strict=False)
    for heading, group in groupby(steps, key=lambda step: _heading(game, step[1])):
        turn = list(group)
        scores = game.scores(turn[-1][2])
        comment = f"  # {' '.join(map(str, scores))}" if scores != written else ""
        events = "; ".join(event_to_text(game, event) for event, _, _ in turn)
        lines.append(f"{heading} {events}{comment}")
        written = scores
    return "\n".join(lines) + "\n"


def _heading(game: Game[Any], state: Any) -> str:
    """How the line of the next event begins."""
    asked = game.ask(state)
    return f"{game.turn(state)}.{asked.seat + 1}:" if asked else ""


def read_record(text: str) -> Record:
    """The record that a text stands for, with every event legal; the inverse of `write_record`.

    Raises:
        RecordError: with line and column; also for an event that is not legal there, for unknown
            games, players or options that the game cannot be started with.
    """
    whole, _, rest = text.rpartition("\n")
    lines = whole.split("\n") if whole or text.startswith("\n") else []
    reader = _Reader()
    for number, line in enumerate(lines, start=1):
        reader.line(line, number)
    if rest:
        reader.cut_line(rest, len(lines) + 1)
    return reader.finish(len(lines) + 1)


class _Reader:
    """Reads a record line by line and plays it as it goes."""

    def __init__(self) -> None:
        self._tags: dict[str, str] = {}
        self._at: dict[str, tuple[int, int]] = {}
        self._options: dict[str, rules.OptionValue] = {}
        self._players: list[str] = []
        self._events: list[rules.Event] = []
        self._game: Game[Any] | None = None
        self._state: Any = None
        self._cut = ""

    def line(self, text: str, number: int) -> None:
        words = split_words(text)
        words = words[: next((i for i, w in enumerate(words) if w.text == "#"), len(words))]
        end = len(text.rstrip()) + 1
        if self._game is None:
            if not words:
                # An empty line ends the tags, but neither a comment nor an empty first line does.
                if self._tags and not text.strip():
                    self._start(number)
            else:
                self._tag(Words(words, number, end))
        elif words:
            self._turn(self._game, words, number, end)

    def cut_line(self, text: str, number: int) -> None:
        """Reads the last line, of which only what is certain counts."""
        self._cut = text
        if self._game is None:
            return
        words = split_words(text)
        comments = [word.column for word in words if word.text == "#"]
        semicolons = [word.column for word in words if word.text == ";"]
        if comments:
            self.line(text, number)
            self._cut = ""
        elif semicolons:
            self.line(text[: semicolons[-1] - 1], number)
            self._cut = text[semicolons[-1] :]

    def finish(self, number: int) -> Record:
        if self._game is None:
            raise RecordError(number, 1, "an empty line after the tags", "the end")
        return Record(
            self._game.name,
            self._game.edition,
            tuple(self._players),
            tuple(sorted(self._options.items())),
            tuple(self._events),
            self._tags["Version"],
            self._tags.get("Seed", ""),
            self._cut.strip(),
        )

    def _tag(self, words: Words) -> None:
        words.literal("[")
        name = words.peek()
        if name in self._tags:
            words.fail("each tag once")
        self._at[name] = (words.line, words.column)
        if name in ("Game", "Edition", "Version", "Seed"):
            words.take("a tag")
            self._tags[name] = words.quoted("a text")
        elif name == "Players":
            words.take("a tag")
            self._tags[name] = ""
            self._players.append(words.quoted("a name"))
            while words.peek() != "]":
                self._players.append(words.quoted("a name"))
        elif name == "Option":
            words.take("a tag")
            self._option(words)
        else:
            words.fail("a tag (Game, Edition, Version, Seed, Option, Players)")
        words.literal("]")
        words.end("the end of the line")

    def _option(self, words: Words) -> None:
        if words.peek() in self._options:
            words.fail("each option once")
        option = words.take("the name of an option")
        try:
            value = json.loads(words.peek())
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, bool | int | str):
            words.fail('a value: a text in double quotes, a whole number, "true" or "false"')
        words.take("a value")
        self._options[option] = value

    def _start(self, number: int) -> None:
        for tag in ("Game", "Edition", "Version", "Players"):
            if tag not in self._tags:
                raise RecordError(number, 1, f"a tag {tag} before the empty line", "none")
        name, edition = self._tags["Game"], self._tags["Edition"]
        if name not in GAMES:
            raise RecordError(*self._at["Game"], f"a game ({', '.join(GAMES)})", repr(name))
        game = GAMES[name]
        if edition != game.edition:
            at = self._at["Edition"]
            raise RecordError(*at, f"edition {game.edition!r} of {name}", repr(edition))
        try:
            self._state = game.start(self._players, self._options)
        except rules.BadOptions as error:
            at = self._at["Players"]
            raise RecordError(*at, "players and options to start with", str(error)) from error
        self._game = game

    def _turn(self, game: Game[Any], all_words: list[Word], number: int, end: int) -> None:
        heading = _heading(game, self._state)
        if not heading:
            Words(all_words, number, end).fail("the end, for the game is over")
        Words(all_words[:1], number, end).literal(heading)
        for words in split_events(all_words[1:], number, end):
            column = words.column
            event = read_event(game, words)
            try:
                self._state = game.apply(self._state, event)
            except rules.IllegalEvent as error:
                found = f"an illegal event ({error})"
                raise RecordError(number, column, "a legal event", found) from error
            self._events.append(event)


def split_events(words: list[Word], line: int, end: int) -> list[Words]:
    """The words of each event on a line."""
    parts: list[Words] = []
    start = 0
    for i, word in enumerate(words):
        if word.text == ";":
            parts.append(Words(words[start:i], line, word.column))
            start = i + 1
    parts.append(Words(words[start:], line, end))
    return parts
