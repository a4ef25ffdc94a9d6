"""Positions: a state set up by keywords, or written in one line, without what led to it.

A game declares its fields; a `Codec` reads and writes them, and checks what must be true of them:

    CODEC = Codec(
        State,
        table=(FIRST, roll_field(rolls=2), DICE),
        seat=(Field("", several(number(5, 30, "points")), "banked", absent=()),),
    )

The line has the fields of the table, then `|` and each player. Every field is known by its first
word, so they may come in any order; those of a player that have none come first, after the name.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from games.checks import check_names, is_exactly
from games.dice import FIVE_DICE
from games.notation.words import MAX_SEATS, RecordError, Words, quote
from games.seats import Seated, roll_off_standing
from games.values import RulesError

MAX_TURNS = 999_999_999
"""The largest number of turns that is accepted."""
S = TypeVar("S")
Part = tuple[bool, str, object]
"""Whether a part of a position is valid, what was expected, and what is there."""
Parts = Iterator[Part]


class BadPosition(RulesError):
    """A position that no game can reach; says what is wrong with it."""


def check_part(good: bool, expected: str, found: object) -> None:
    """Raises BadPosition unless a part of a position is valid."""
    if not good:
        raise BadPosition(f"expected {expected}, got {found!r}")


def check_players(players: Sequence[str], fewest: int, most: int) -> None:
    """Checks the names and how many there are; raises BadOptions and BadPosition."""
    check_names(players)
    check_part(fewest <= len(players) <= most, f"{fewest} to {most} players", len(players))


def roll_off_parts(seats: int, totals: Sequence[int], first: int | None, seat: int) -> Parts:
    """That `first` began, or `seat` throws next, as the totals of a roll-off say."""
    if first is None or totals:
        now = roll_off_standing(seats, totals)
        decided = now.seat if now.decided else None
        yield first == decided, f"first as the roll-off has it, {decided},", first
        yield first is not None or seat == now.seat, f"seat {now.seat} to throw", seat


def out_part(state: Seated, *present: int) -> Part:
    """That not all have left, and none of those in `present`."""
    good = bool(state.stay) and set(present) <= set(state.stay)
    return good and list(state.out) == sorted(set(state.out)), "other seats out", state.out


def roll_parts(state: Any, rolls: range) -> Parts:
    """That the number of the roll on the table is one of these, and that it has dice."""
    yield state.roll in rolls, f"roll {rolls.start} to {rolls.stop - 1}", state.roll
    dice, roll = state.dice, state.roll
    yield bool(dice) == (roll > 0), "dice with a roll, and none without one", dice


def take_if_next(words: Words, word: str) -> bool:
    """Takes the next word if it is this one."""
    if words.peek() != word:
        return False
    words.literal(word)
    return True


def read_five(words: Words) -> tuple[int, ...]:
    """Takes five faces written as one word, such as 35512."""
    five: tuple[int, ...] = FIVE.read(words)
    return five


def read_slots(words: Words, dice: int) -> tuple[int, ...]:
    """Takes slots written as one word, counted from 1, such as 134; "none" for none."""
    text = words.peek()
    found = tuple(slot for slot in range(dice) if str(slot + 1) in text)
    if text != slots_word(found) or len(found) == dice:
        words.fail("dice such as 134, or none")
    words.take("dice")
    return found


def slots_word(held: Collection[int]) -> str:
    """The word that `read_slots` reads."""
    return "".join(str(slot + 1) for slot in held) or "none"


@dataclass(frozen=True, slots=True)
class Form:
    """How a value is written, and which values there are.

    Attributes:
        write: the words of a value.
        read: takes them.
        expected: what the values are called in errors; empty to say what could not be read.
        seats: whether the values are seats, of which there are only as many as players.
        begins: the words that they can begin with, where there are few.
    """

    write: Callable[[Any], str]
    read: Callable[[Words], Any]
    expected: str = ""
    begins: tuple[str, ...] = ()
    seats: bool = False

    def in_place_of(self, value: object) -> str:
        """What is expected instead of a value that is not read as it is written; else empty."""
        expected = "what is read as it is written"
        try:
            words = Words.of(self.write(value))
            if is_exactly(self.read(words), value) and not words:
                return ""
        except RecordError as error:
            expected = error.expected
        except (TypeError, ValueError, LookupError, AttributeError):
            pass
        return self.expected or expected


def number(low: int, high: int, what: str) -> Form:
    """A whole number."""
    return Form(
        str,
        lambda words: words.number(low, high, what),
        f"{what} from {low} to {high}",
    )


def one_of(table: Mapping[str, Any], what: str) -> Form:
    """One of the words of a table, each with the value that it stands for."""
    written = {value: word for word, value in table.items()}
    return Form(
        written.__getitem__,
        lambda words: words.one_of(table, what),
        f"{what} ({', '.join(table)})",
        tuple(table),
    )


def word(
    write: Callable[[Any], str],
    value_of: Callable[[str], Any],
    expected: str,
    fixed: Mapping[str, Any] = MappingProxyType({}),
) -> Form:
    """One word: one of those that are fixed, or one that has a value; None for any other word."""

    def read(words: Words) -> Any:
        text = words.peek()
        value = fixed[text] if text in fixed else value_of(text)
        if value is None and text not in fixed:
            words.fail(expected)
        words.take(expected)
        return value

    return Form(write, read, expected)


def several(form: Form, ends: Collection[str] | None = None) -> Form:
    """Values up to one of these words; without any, one value or more that are digits."""

    def read(words: Words) -> tuple[Any, ...]:
        found = [form.read(words)] if ends is None else []
        while words.peek() not in ends if ends else words.peek().isdecimal():
            found.append(form.read(words))
        return tuple(found)

    return Form(
        lambda values: " ".join(map(form.write, values)),
        read,
        form.expected,
        seats=form.seats,
    )


def faces_word(dice: int, expected: str) -> Form:
    """The faces of this many dice as one word."""

    def faces_of(text: str) -> tuple[int, ...] | None:
        good = len(text) == dice and set(text) <= set("123456")
        return tuple(map(int, text)) if good else None

    return word(lambda faces: "".join(map(str, faces)), faces_of, expected)


SEAT = Form(
    lambda seat: str(seat + 1),
    lambda words: words.number(1, MAX_SEATS, "a seat") - 1,
    "the seat of a player",
    seats=True,
)
SEATS = several(SEAT)
FACES = several(number(1, 6, "a face"))
FIVE = faces_word(FIVE_DICE, "five faces such as 35512")
FLAG = Form(lambda _: "", lambda _: True)
_ALWAYS = object()
_ENDS = ("", "|")


def _of_key(_: Any) -> Any:
    """Stands for the attribute that is called as the key."""


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """A field of a position, of the table or of each player.

    Attributes:
        name: the word it begins with; empty for one that is known by the words that its form
            begins with or, of a player, by its place.
        form: how it is written.
        key: its keyword; by default the name.
        absent: the value with which it is left out; without this, or `when`, every line has it.
        when: whether the line of a state has it.
        get: its value in a state, of a player's field those of all seats; by default the attribute
            that is called as its key.
        begins: the words that it can begin with; none for one that is known by its place.
    """

    name: str
    form: Form
    key: str = ""
    absent: Any = _ALWAYS
    when: Callable[[Any], object] | None = None
    get: Callable[[Any], Any] = _of_key
    begins: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", self.key or self.name)
        object.__setattr__(self, "begins", (self.name,) if self.name else self.form.begins)
        if self.get is _of_key:
            object.__setattr__(self, "get", attrgetter(self.key))

    @property
    def label(self) -> str:
        """What it is called in errors."""
        return repr(self.name) if self.name else self.form.expected


FIRST = Field("first", SEAT, absent=None)
ROLL_OFF = Field("off", FACES, "roll_off", absent=())
OUT = Field("out", SEATS, absent=())
DICE = Field("dice", FIVE, absent=())


def roll_field(rolls: int) -> Field:
    """Which roll is on the table."""
    return Field("roll", number(1, rolls, "a roll"), absent=0)


def hold_field(dice: int, when: Callable[[Any], object]) -> Field:
    """Which of this many dice are held."""
    form = Form(
        slots_word,
        lambda words: read_slots(words, dice),
        f"slots from 0 to {dice - 1}, ascending, not all",
    )
    return Field("hold", form, "held", when=when)


_Begun = Mapping[str, Sequence[Field]]
"""The fields that each word can begin; of two, the one that begins with its name is last."""


@cache
def _by_word(fields: tuple[Field, ...]) -> _Begun:
    found: dict[str, list[Field]] = {}
    for one in fields:
        for text in one.begins:
            found.setdefault(text, []).append(one)
            found[text].sort(key=lambda one: bool(one.name))
    return found


def _read_fields(words: Words, fields: tuple[Field, ...], end: str) -> dict[str, Any]:
    """Takes the words up to the next `|`; `end` is what may come there, for errors."""
    found: dict[str, Any] = {}
    for one in fields:
        if not one.begins and (one.absent is _ALWAYS or words.peek() not in _ENDS):
            found[one.key] = one.form.read(words)
    begun = _by_word(fields)
    while (text := words.peek()) not in _ENDS:
        _read_field(words, begun, text, found, end)
    return _whole(words, fields, found)


def _read_field(words: Words, begun: _Begun, text: str, found: dict[str, Any], end: str) -> None:
    """Takes one of the fields that are not found yet; `text` is the next word."""
    left = [one for one in begun.get(text, ()) if one.key not in found]
    if not left:
        every = (one for ones in begun.values() for one in ones if one.key not in found)
        labels = ", ".join(dict.fromkeys(one.label for one in every))
        words.fail(f"{labels} or {end}" if labels else end)
    # In `roll roll 1` the first is a step, the second a name with its number.
    one = left[-1 if len(left) > 1 and words.peek(1).isdecimal() else 0]
    if one.name:
        words.take(one.name)
    found[one.key] = one.form.read(words)


def _whole(
    words: Words, fields: tuple[Field, ...], found: dict[str, Any], before: str = ""
) -> dict[str, Any]:
    """The fields that are found, and the values of those that are left out."""
    for one in fields:
        if one.key not in found and one.absent is not _ALWAYS:
            found[one.key] = one.absent
        elif one.key not in found and one.when is None:
            words.fail(before + one.label)
    return found


def _check_values(one: Field, values: Iterable[Any]) -> None:
    for value in values:
        if not is_exactly(value, one.absent):
            expected = one.form.in_place_of(value)
            check_part(not expected, f"{expected} for {one.key!r}", value)


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list | tuple) else value


@dataclass(frozen=True, eq=False)
class Codec(Generic[S]):
    """How the positions of a game are made, checked, written and read.

    Attributes:
        make: the state of some fields, given as keywords, with the others filled in; not checked.
        table: the fields of the table.
        seat: those of each player, after the name.
        rows: fields that each stand alone after a `|`, as the players do.
        rows_last: whether they are written after the players.
        parts: what must be true of a state whose fields could be read, up to the first part that
            is not.
    """

    make: Callable[..., S]
    table: tuple[Field, ...]
    seat: tuple[Field, ...]
    rows: tuple[Field, ...] = ()
    rows_last: bool = False
    parts: Callable[[S], Iterable[Part]] = lambda _: ()

    def of(self, fields: Mapping[str, Any]) -> S:
        """The state of some fields, not checked; lists may stand for tuples.

        Raises:
            TypeError: for a field that the game does not have.
        """
        return self.make(**{name: _frozen(value) for name, value in fields.items()})

    def check_fields(self, state: Any) -> None:
        """Raises BadPosition for a field that would not be read as it is."""
        seats = len(state.players)
        for one in (*self.table, *self.rows):
            if one.when is None or one.when(state):
                _check_values(one, (one.get(state),))
        for one in self.seat:
            values = one.get(state)
            check_part(len(values) == seats, f"{one.key} for each of {seats} players", values)
            _check_values(one, values)

    def check(self, state: Any) -> None:
        """Raises BadPosition for parts that are not consistent, in a state with good fields."""
        for one in self.table:
            if one.form.seats and (value := one.get(state)) is not None:
                most = max(value, default=0) if isinstance(value, tuple) else value
                good = most < len(state.players)
                check_part(good, f"{one.form.expected} for {one.key!r}", most)
        for part in self.parts(state):
            check_part(*part)

    def write(self, state: Any) -> str:
        """The state in one line."""
        line: list[str] = []
        for one in self.table:
            if one.when is None or one.when(state):
                value = one.get(state)
                if value != one.absent:
                    line += (one.name, one.form.write(value))
        rows: list[str] = []
        for one in self.rows:
            rows += ("|", one.name, one.form.write(one.get(state)))
        columns = [(one.name, one.form.write, one.absent, one.get(state)) for one in self.seat]
        players: list[str] = []
        for seat, name in enumerate(state.players):
            players += ("|", quote(name))
            for field_name, write, absent, values in columns:
                if (value := values[seat]) != absent:
                    players += (field_name, write(value))
        line += (*players, *rows) if self.rows_last else (*rows, *players)
        return " ".join(filter(None, line))

    def read(self, words: Words) -> S:
        """The state that `write` wrote, not checked; raises RecordError."""
        found, rows = _read_fields(words, self.table, "'|'"), dict[str, Any]()
        players: list[str] = []
        seats: list[dict[str, Any]] = []
        while take_if_next(words, "|"):
            if words.peek().startswith('"') or len(rows) == len(self.rows):
                players.append(words.quoted("a name"))
                seats.append(_read_fields(words, self.seat, "'|' and a player"))
            else:
                begun = _by_word(self.rows)
                _read_field(words, begun, words.peek(), rows, "a name in double quotes")
        words.end("'|' and a player")
        each = {one.key: tuple(seat[one.key] for seat in seats) for one in self.seat}
        rows = _whole(words, self.rows, rows, "'|' and ")
        return self.make(players=tuple(players), **found, **rows, **each)
