"""The lines of a session's log as text, the way the journal keeps them."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from appliance.table.session.session import Holding, LogLine, Played, Seeded, Setup, Undone
from games.game import Game
from games.lots import SEED_PATTERN
from games.notation.events import event_to_text, read_event
from games.notation.words import RecordError, Words
from games.registry import find_game

_UNDO = "undo"
_HOLDING = "holding"
_SEED = "seed"
_BLANK = re.compile(rf"{_SEED} {SEED_PATTERN.pattern}")


def line_to_text(setup: Setup, line: LogLine) -> str:
    """One line: an event as the record writes it, `undo 3`, `holding 1 4` or `seed 5f3a…`."""
    match line:
        case Played(event):
            return event_to_text(setup.rules, event)
        case Undone(events):
            return f"{_UNDO} {events}"
        case Holding(slots):
            return f"{_HOLDING} {' '.join(str(s + 1) for s in slots) or 'none'}"
        case Seeded(seed):
            return f"{_SEED} {seed}"


def blank_seeds(text: str) -> str:
    """Text of a journal with its seeds blanked out, at the same length."""
    return _BLANK.sub(lambda found: f"{_SEED} {'-' * (len(found.group()) - len(_SEED) - 1)}", text)


def lines_from_text(setup: Setup, texts: Iterable[str]) -> tuple[LogLine, ...]:
    """The lines that these texts stand for, oldest first.

    A RecordError names line and column of the first text that is not a log line.
    """
    lines = []
    for number, text in enumerate(texts, start=1):
        try:
            lines.append(_known_line(setup.game, text))
        except RecordError:
            lines.append(_parse_line(setup.rules, text, number))
    return tuple(lines)


@lru_cache(maxsize=2048)
def _known_line(game: str, text: str) -> LogLine:
    """The line that a text stands for; the same come in every game, such as 6**5 rolls."""
    return _parse_line(find_game(game), text, 0)


def _parse_line(rules: Game[Any], text: str, number: int) -> LogLine:
    words = Words.of(text, number)
    if words.peek() == _UNDO:
        words.take(_UNDO)
        count = words.number(1, 999_999, "a number of events")
        words.end()
        return Undone(count)
    if words.peek() == _HOLDING:
        words.take(_HOLDING)
        if words.peek() == "none":
            words.take("none")
            words.end()
            return Holding(())
        slots: list[int] = []
        while words or not slots:
            slots.append(words.number(1, 6, "a die or 'none',") - 1)
        return Holding(tuple(slots))
    if words.peek() == _SEED:
        words.take(_SEED)
        seed = words.take("a seed")
        words.end()
        return Seeded(seed)
    return Played(read_event(rules, words))
