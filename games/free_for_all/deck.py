"""The deck of Free for All: its default, its text in one line, and the file that owners edit.

Nothing here reads a file: `deck_from_toml` takes the text.
"""

import re
import reprlib
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from games.free_for_all.cards import (
    KIND_BY_WORD,
    MAX_CARD_POINTS,
    Card,
    Kind,
    card_from_word,
)
from games.toml_lines import Lines, lines_of_toml, nearest_line
from games.values import RulesError

CENTRE_SPACES = 3
"""How many cards lie open in the centre, and the fewest that a deck can have."""
MAX_COPIES = 99
MAX_CARDS = 999
_STACK_WORD = re.compile(r"([0-9]{1,3})\*(\S+)")
_AT_LINE = re.compile(r"\s*\(at line (\d+), column \d+\)")


class DeckError(RulesError):
    """A deck that cannot be played with.

    Attributes:
        line: the line of the file, from 1; 0 for a deck that is not from a file.
        field: what is wrong in it, such as `cards.fours.points`; empty for the file as a whole.
        expected: what should be there.
        found: what is there.
    """

    def __init__(self, line: int, field: str, expected: str, found: str) -> None:
        place = ", ".join([f"line {line}"] * bool(line) + [field] * bool(field))
        super().__init__(f"{place or 'deck'}: expected {expected}, found {found}")
        self.line = line
        self.field = field
        self.expected = expected
        self.found = found


@dataclass(frozen=True, slots=True)
class Deck:
    """The cards of a game before it begins, in the order of the kinds.

    Attributes:
        cards: those of the shuffled deck.
        apart: the five-alike cards.
    """

    cards: tuple[Card, ...]
    apart: tuple[Card, ...]

    @property
    def text(self) -> str:
        """The deck in one line, such as `3*ones:1 … 6*five-alike:10`; `deck_from_text` reads it."""
        return cards_to_text((*self.cards, *self.apart))


def cards_to_text(cards: Sequence[Card]) -> str:
    """Cards in order, equal ones together, such as `3*ones:1 1*twos:2`; empty for none."""
    return " ".join(f"{n}*{card.word}" for card, n in sorted(Counter(cards).items()))


def stack_from_word(word: str) -> tuple[Card, ...] | None:
    """The equal cards that a word such as `3*ones:1` stands for; None for any other word."""
    found = _STACK_WORD.fullmatch(word)
    card = card_from_word(found[2]) if found is not None else None
    if found is None or card is None or not found[1].isascii() or found[1].startswith("0"):
        return None
    return (card,) * int(found[1])


def deck_from_text(text: str) -> Deck:
    """The deck that `Deck.text` wrote.

    Raises:
        DeckError: for a text that is not a deck, and for too few or too many cards.
    """
    cards: list[Card] = []
    for number, word in enumerate(text.split(), start=1):
        stack = stack_from_word(word)
        if stack is None:
            raise DeckError(0, f"word {number}", "cards such as 3*ones:1", _short_text(word))
        cards += stack
    return _sorted_deck(cards)


def _sorted_deck(cards: Sequence[Card]) -> Deck:
    ordered = sorted(cards)
    deck = tuple(card for card in ordered if card.kind is not Kind.FIVE_ALIKE)
    if not CENTRE_SPACES <= len(deck) <= MAX_CARDS:
        raise DeckError(0, "", f"{CENTRE_SPACES} to {MAX_CARDS} cards", str(len(deck)))
    return Deck(deck, tuple(ordered[len(deck) :]))


_POINTS_BY_KIND = (1, 2, 3, 4, 5, 6, 4, 6, 6, 5, 8, 4, 10)
_COPIES_BY_KIND = (3,) * 6 + (2,) * 6 + (6,)
DEFAULT_DECK = _sorted_deck(
    [
        Card(k, p)
        for k, p, n in zip(Kind, _POINTS_BY_KIND, _COPIES_BY_KIND, strict=True)
        for _ in range(n)
    ]
)
"""The deck that is used when none is named; `deck.toml` here has the same."""


def deck_from_toml(text: str) -> Deck:
    """The deck that the text of a deck file describes.

    Raises:
        DeckError: naming line and field.
    """
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        at = _AT_LINE.search(str(error))
        line = int(at[1]) if at else max(1, len(text.splitlines()))
        raise DeckError(line, "", "TOML", _AT_LINE.sub("", str(error))) from error
    except (ValueError, RecursionError) as error:
        # What tomllib itself does not expect: numbers with thousands of digits, endless brackets.
        raise DeckError(1, "", "TOML of a reasonable size", str(error)) from error
    return _File(found, lines_of_toml(text)).deck()


class _File:
    """The values of a deck file, with the lines that they come from."""

    def __init__(self, found: dict[str, object], lines: Lines) -> None:
        self._found = found
        self._lines = lines

    def deck(self) -> Deck:
        top = self._table((), self._found, ("size", "cards", "apart"))
        rows = [kind.word for kind in Kind if kind is not Kind.FIVE_ALIKE]
        cards = self._cards("cards", top["cards"], rows)
        apart = self._cards("apart", top["apart"], [Kind.FIVE_ALIKE.word])
        size = self._number(("size",), top["size"], CENTRE_SPACES, MAX_CARDS)
        if size != len(cards):
            copies = f"{size} cards, the copies of all cards added up"
            self._fail(("size",), copies, str(len(cards)))
        return _sorted_deck(cards + apart)

    def _cards(self, section: str, found: object, rows: Sequence[str]) -> list[Card]:
        cards: list[Card] = []
        for word, row in self._table((section,), found, rows).items():
            path = (section, word)
            fields = self._table(path, row, ("copies", "points"))
            copies = self._number((*path, "copies"), fields["copies"], 0, MAX_COPIES)
            points = fields["points"]
            each = points if isinstance(points, list) else [points] * copies
            at = (*path, "points")
            if len(each) != copies:
                self._fail(
                    at, f"a number, or a list of {copies} for {copies} copies", _short_text(points)
                )
            if not copies:
                self._number(at, 0 if points == [] else points, 0, MAX_CARD_POINTS)
            for value in each:
                cards.append(Card(KIND_BY_WORD[word], self._number(at, value, 0, MAX_CARD_POINTS)))
        return cards

    def _table(
        self, path: tuple[str, ...], found: object, keys: Sequence[str]
    ) -> dict[str, object]:
        if not isinstance(found, dict):
            self._fail(path, f"a table with {', '.join(keys)}", _short_text(found))
        for key in found:
            if key not in keys:
                self._fail((*path, key), f"one of {', '.join(keys)}", _short_text(key))
        for key in keys:
            if key not in found:
                self._fail((*path, key), "a value", "none")
        return found

    def _number(self, path: tuple[str, ...], found: object, low: int, high: int) -> int:
        # Not isinstance: true must not pass for a 1.
        if type(found) is not int or not low <= found <= high:
            self._fail(path, f"a whole number from {low} to {high}", _short_text(found))
        return found

    def _fail(self, path: tuple[str, ...], expected: str, found: str) -> NoReturn:
        line = nearest_line(self._lines, path) or 1
        raise DeckError(line, ".".join(path), expected, found)


def _short_text(value: object) -> str:
    """A value in a message: short, whatever it is."""
    if isinstance(value, int) and abs(value) > 10**9:
        return "a huge number"
    return reprlib.repr(value)
