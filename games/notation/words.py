"""The words of a line of text, and the error that says where one is not as expected."""

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, NoReturn, TypeVar

from games.values import RulesError

T = TypeVar("T")

MAX_SEATS = 6
"""The most players of any game."""

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\];|#]|[^\s\[\];|#"]+|"')


class RecordError(RulesError):
    """Text that is not a record: says where, what was expected and what was found.

    Attributes:
        line: from 1.
        column: from 1.
        expected: what the text should have had there.
        found: what it has.
    """

    def __init__(self, line: int, column: int, expected: str, found: str) -> None:
        super().__init__(f"line {line:d}, column {column:d}: expected {expected}, found {found}")
        self.line = line
        self.column = column
        self.expected = expected
        self.found = found


class Word(NamedTuple):
    """A word of a line and the column (from 1) that it starts in."""

    text: str
    column: int


def split_words(text: str) -> list[Word]:
    """The words of a line; quoted text is one word."""
    return [Word(m[0], m.start() + 1) for m in _TOKEN.finditer(text)]


class Words:
    """Walks along the words of one line; its errors say where it stands.

    Args:
        words: the words to walk along.
        line: the number of the line, from 1.
        end: the column (from 1) just after the text.
    """

    def __init__(self, words: Sequence[Word], line: int, end: int) -> None:
        self._words = words
        self._next = 0
        self.line = line
        self._end = end

    @classmethod
    def of(cls, text: str, line: int = 1) -> "Words":
        """The words of a one-line text."""
        return cls(split_words(text), line, len(text) + 1)

    def __bool__(self) -> bool:
        """True if a word is left."""
        return self._next < len(self._words)

    def peek(self, ahead: int = 0) -> str:
        """The next word, or one further ahead; empty at the end."""
        at = self._next + ahead
        return self._words[at].text if at < len(self._words) else ""

    @property
    def column(self) -> int:
        """The column of the next word, or just after the text."""
        return self._words[self._next].column if self else self._end

    def fail(self, expected: str) -> NoReturn:
        """Raises the error for the next word."""
        found = repr(self.peek()) if self else "the end"
        raise RecordError(self.line, self.column, expected, found)

    def take(self, expected: str) -> str:
        """Takes the next word, whatever it is."""
        if not self:
            self.fail(expected)
        self._next += 1
        return self._words[self._next - 1].text

    def literal(self, text: str) -> None:
        """Takes exactly this word."""
        if self.peek() != text:
            self.fail(repr(text))
        self._next += 1

    def number(self, low: int, high: int, expected: str) -> int:
        """Takes a whole number from low to high."""
        word = self.peek()
        # ASCII only: int() would also accept other scripts' digits and underscores.
        digits = word.isascii() and word.isdecimal() and len(word) <= 9
        if not digits or not low <= int(word) <= high:
            self.fail(f"{expected} from {low} to {high}")
        self._next += 1
        return int(word)

    def one_of(self, table: Mapping[str, T], expected: str) -> T:
        """Takes one of the words of a table and returns what the table has for it."""
        if self.peek() not in table:
            self.fail(f"{expected} ({', '.join(table)})")
        return table[self.take(expected)]

    def quoted(self, expected: str) -> str:
        """Takes a text in double quotes, with the escapes of JSON."""
        try:
            value = json.loads(self.peek())
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, str):
            self.fail(f"{expected} in double quotes")
        self._next += 1
        return value

    def end(self, expected: str = "the end") -> None:
        """Makes sure that no word is left."""
        if self:
            self.fail(expected)


@lru_cache(maxsize=64)
def quote(text: str) -> str:
    """A text in double quotes, as `Words.quoted` reads it."""
    return json.dumps(text, ensure_ascii=False)
