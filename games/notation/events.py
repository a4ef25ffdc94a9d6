"""Events as text: `roll 3 5 5 1 2`, `hold 2 3`, `score full-house`.

The text of an event is a verb and its words, on one line, without `;`, `|`, `#`, `[` and `]`.
Verbs that all games share are here; a game brings its own as `VERBS`, so that a new game plugs in
without changes to this module or to `record`.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NoReturn, Protocol, TypeVar

from games import game as rules
from games.dice import Pattern

E = TypeVar("E", bound=rules.Event)
T = TypeVar("T")

POWER_WORDS: Mapping[str, str] = {
    "x1": "1",
    "x2": "2",
    "x3": "3",
    "double": "double",
    "freeze": "freeze",
    "power": "power",
}
"""How the faces of the Power die are written, so that its 2 is not taken for a numbered die's."""

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\];|#]|[^\s\[\];|#"]+|"')


class RecordError(rules.RulesError):
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


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a line and the column (from 1) that it starts in."""

    text: str
    column: int


def split_words(text: str, column: int = 1) -> list[Word]:
    """The words of a line whose first character is in `column`; quoted text is one word."""
    return [Word(m.group(), m.start() + column) for m in _TOKEN.finditer(text)]


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

    def peek(self) -> str:
        """The next word; empty at the end."""
        return self._words[self._next].text if self else ""

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
        if not re.fullmatch(r"[0-9]{1,9}", word) or not low <= int(word) <= high:
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


def quote(text: str) -> str:
    """A text in double quotes, as `Words.quoted` reads it."""
    return json.dumps(text, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Verb(Generic[E]):
    """How one class of events is written.

    Attributes:
        word: the first word of its text, unique among the verbs of the game.
        event: the exact class.
        write: writes the words after the verb.
        read: reads the event from the words after the verb; takes only the words it needs.
        actions: for choices of a player, what may follow the verb in the name of an action, in an
            order that never changes; empty for events that no player chooses.
        action: what follows the verb in the name of this choice's action; left out, all the words
            that `write` writes.
    """

    word: str
    event: type[E]
    write: Callable[[E], str]
    read: Callable[[Words], E]
    actions: Sequence[str] = ()
    action: Callable[[E], str] | None = None


def plain_verb(word: str, event: type[rules.Event]) -> Verb[Any]:
    """How choices without fields are written."""
    return Verb(word, event, lambda _: "", lambda _: event(), actions=("",))


def pattern_verb(
    word: str, event: Any, field: str, patterns: type[Pattern], expected: str = ""
) -> Verb[Any]:
    """How events whose only field is a pattern, such as a box, are written."""
    table = {pattern.word: pattern for pattern in patterns}
    return Verb(
        word,
        event,
        lambda event: patterns(getattr(event, field)).word,
        lambda words: event(words.one_of(table, expected or f"a {field}")),
        actions=tuple(table),
    )


@dataclass(frozen=True, slots=True)
class NamedHand:
    """The best hand that dice make, in a game that does not score throws.

    Attributes:
        word: its name in records, which is its key.
        dice: those that make it, as they are written.
        reason: what decides between two such hands.
    """

    word: str
    dice: tuple[str, ...]
    reason: str


class Recordable(rules.Game[rules.State], Protocol[rules.State]):
    """A game module that, besides `Game`, has all that it takes to record and query it in words.

    Attributes:
        VERBS: how its own events are written.
        EXAMPLE: dice as people write them to have them scored, and how they are interpreted.
        KEEPS: every way to keep dice for another throw, fewest first; none where nobody may.
    """

    VERBS: tuple[Verb[Any], ...]
    EXAMPLE: str
    KEEPS: tuple[rules.Keep, ...]

    def name_hand(self, words: Sequence[str]) -> NamedHand | None:
        """The best hand of some dice; None for a game that scores throws.

        Raises:
            RulesError: for words that are not dice, or too few or too many dice.
        """

    def turn(self, state: rules.State) -> int:
        """The number of the turn (or hand) that the next event belongs to, 0 before the first."""

    def describe(self, state: rules.State) -> Sequence[str]:
        """Lines of plain text that show people how the game stands."""

    def position_to_text(self, state: rules.State) -> str:
        """The state in one line that `position_from_text` reads back to an equal state."""

    def position_from_text(self, words: Words) -> rules.State:
        """The state from the words; raises RecordError, or RulesError for an impossible one."""


def face_to_text(face: rules.Face) -> str:
    """A face as it is written: 1 to 6, or a word of `POWER_WORDS`."""
    if isinstance(face, int):
        return str(face)
    return next(word for word, power in POWER_WORDS.items() if power == face)


_NUMBER_BY_WORD: Mapping[str, int] = {str(n): n for n in range(1, 7)}
_FACE_BY_WORD: Mapping[str, rules.Face] = {**_NUMBER_BY_WORD, **POWER_WORDS}


_KIND_BY_WORD = {kind.value: kind for kind in rules.DieKind}
_MAX_SLOTS = 20
MAX_SEATS = 6
"""The most players of any game."""


def _read_rolled(words: Words) -> rules.Rolled:
    faces = [words.one_of(_FACE_BY_WORD, "a face")]
    while words:
        faces.append(words.one_of(_FACE_BY_WORD, "a face"))
    return rules.Rolled(tuple(faces))


def _read_corrected(words: Words) -> rules.Corrected:
    slot = words.number(1, _MAX_SLOTS, "a die") - 1
    words.literal("to")
    return rules.Corrected(slot, words.one_of(_FACE_BY_WORD, "a face"))


def _read_shown(words: Words) -> rules.Shown:
    dice: list[rules.ShownDie] = []
    while words or not dice:
        kind = words.one_of(_KIND_BY_WORD, "a colour")
        dice.append(rules.ShownDie(kind, words.one_of(_NUMBER_BY_WORD, "a face")))
    return rules.Shown(tuple(dice))


def _read_recoloured(words: Words) -> rules.Recoloured:
    slot = words.number(1, _MAX_SLOTS, "a die") - 1
    words.literal("to")
    return rules.Recoloured(slot, words.one_of(_KIND_BY_WORD, "a colour"))


def _read_keep(words: Words) -> rules.Keep:
    if words.peek() == "none":
        words.take("none")
        return rules.Keep(())
    slots = [words.number(1, _MAX_SLOTS, "a die or 'none',")]
    while words:
        slots.append(words.number(slots[-1] + 1, _MAX_SLOTS, "a later die"))
    return rules.Keep(tuple(slot - 1 for slot in slots))


KEEP_VERB = Verb(
    "hold", rules.Keep, lambda e: " ".join(str(s + 1) for s in e.slots) or "none", _read_keep
)
COMMON_VERBS: tuple[Verb[Any], ...] = (
    Verb("roll", rules.Rolled, lambda e: " ".join(map(face_to_text, e.faces)), _read_rolled),
    Verb(
        "fix", rules.Corrected, lambda e: f"{e.slot + 1} to {face_to_text(e.face)}", _read_corrected
    ),
    KEEP_VERB,
    Verb(
        "show", rules.Shown, lambda e: " ".join(f"{d.kind} {d.face}" for d in e.dice), _read_shown
    ),
    Verb("recolour", rules.Recoloured, lambda e: f"{e.slot + 1} to {e.kind}", _read_recoloured),
    Verb(
        "leave",
        rules.Left,
        lambda e: str(e.seat + 1),
        lambda words: rules.Left(words.number(1, MAX_SEATS, "a seat") - 1),
    ),
)
"""`roll 3 5 power`: faces in the order asked for. `fix 2 to 5`: die 2 shows 5. `hold 1 3`, `hold
none`: dice by their button numbers, from 1. `show red 3 black 5`: dice with their colours.
`recolour 2 to red`: die 2 is red. `leave 2`: the second player leaves the game."""


def event_to_text(game: Recordable[Any], event: rules.Event) -> str:
    """One event in one line.

    Raises:
        RulesError: for a class of events that the game has no verb for.
    """
    return verb_text(find_verb(game, event), event)


def verb_text(verb: Verb[E], event: E) -> str:
    """An event of the class that a verb is for, in one line."""
    return f"{verb.word} {verb.write(event)}".rstrip()


def find_verb(game: Recordable[Any], event: rules.Event) -> Verb[Any]:
    """The verb for an event.

    Raises:
        RulesError: for a class of events that the game has no verb for.
    """
    for verb in (*COMMON_VERBS, *game.VERBS):
        if verb.event is type(event):
            return verb
    raise rules.RulesError(f"{game.NAME} has no verb for {event!r}; add one to its VERBS")


def event_from_text(game: Recordable[Any], text: str) -> rules.Event:
    """The event that a text such as `roll 3 3 3 5 5` stands for; the inverse of `event_to_text`.

    Raises:
        RecordError: for a text that is not an event of this game.
    """
    return read_event(game, Words.of(text))


def read_event(game: Recordable[Any], words: Words) -> rules.Event:
    """The event that all of the words stand for.

    Raises:
        RecordError: for words that are not an event of this game.
    """
    verb = words.one_of({verb.word: verb for verb in (*COMMON_VERBS, *game.VERBS)}, "a verb")
    event: rules.Event = verb.read(words)
    words.end("the end of the event")
    return event
