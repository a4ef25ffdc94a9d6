"""The values that go into a game and come out of it: questions, events, choices, points, hints.

What people read is not here: choices, rows, reasons and the like have keys, in small letters and
dashes as in a record, such as `full-house` or `joker +100`; whoever shows them has words for them.

Chance is an input: faces thrown arrive as `Rolled`, dice with colours as `Shown`. Events and
choices are frozen dataclasses (named tuples of different classes can compare equal), and the record
of events is the truth: replaying them yields the state.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import Any, NewType

Face = int | str
"""1 to 6 for a numbered die; "1", "2", "3", "double", "freeze", "power" for the Power die."""

OptionValue = bool | int | str
Options = Mapping[str, OptionValue]

ROLL_OFF = "roll-off"
"""The value with which an option that names a seat makes the game itself ask for a roll-off."""


@dataclass(frozen=True, slots=True)
class OptionWords:
    """The keys of an option and its values.

    Attributes:
        title: the key of the option.
        values: keys of its values; those left out are named as they are.
        other: the key of every value that is not among `values`; empty for none.
        seat: whether it names the seat that begins: a roll-off or a player is asked for.
        most: the most players with whom it makes a difference; 0 for any number.
        asked: whether people are asked before each game; else it is only among the house rules in
            the menu, for what differs from family to family and not from game to game.
    """

    title: str
    # Keys are invariant, and a game has options of yes and no, or of numbers, alone.
    values: Mapping[Any, str] = field(default_factory=dict)
    other: str = ""
    seat: bool = False
    most: int = 0
    asked: bool = True


@dataclass(frozen=True, slots=True)
class OptionFile:
    """A file of the owner's that gives an option its value.

    Attributes:
        option: its name.
        usual: the package and the name of the file that ships, to be copied and edited.
        read: the value for the text of a file; raises RulesError, naming line and field.
        read_again: the same value for a value; raises RulesError for one that no file gives.
    """

    option: str
    usual: tuple[str, str]
    read: Callable[[str], str]
    read_again: Callable[[str], str]


WHO_BEGINS = OptionWords("who-begins", seat=True)


class RulesError(ValueError):
    """Base class of the errors of the rules."""


class IllegalEvent(RulesError):
    """An event that the rules do not allow now: says what was expected and what came."""


class BadOptions(RulesError):
    """Players or options that the game cannot be started with."""


class DieKind(StrEnum):
    """The dice that a game can ask for."""

    BLACK = "black"
    RED = "red"
    WHITE = "white"
    YELLOW = "yellow"
    POWER = "power"


Slot = NewType("Slot", int)
"""The number of a die in its game, from 0; the tracker has numbers of its own. The rules take and
give plain numbers; the table, which knows both, tells them apart."""


@dataclass(frozen=True, slots=True)
class Die:
    """A die that a game asks for: its slot (0 to 4 numbered dice, 5 the red or Power die)."""

    slot: int
    kind: DieKind = DieKind.BLACK


@dataclass(frozen=True, slots=True)
class Throw:
    """The game needs these dice thrown by this seat.

    Attributes:
        seat: who throws.
        dice: the dice to throw, in slot order; `Rolled.faces` answers in the same order.
        roll: which roll of the turn it will be, from 1.
        rolls: how many rolls the turn may have as things stand; 0 for as many as a player dares.
        purpose: the key of what it is for, such as `roll` or `who-begins`.
        coloured: whether the colours count, because the dice were drawn blind: `Shown` answers
            in place of `Rolled`, and the kinds of `dice` say nothing.
    """

    seat: int
    dice: tuple[Die, ...]
    roll: int = 1
    rolls: int = 1
    purpose: str = "roll"
    coloured: bool = False


@dataclass(frozen=True, slots=True)
class Choose:
    """The game needs one of `choices(state)` from this seat.

    Attributes:
        seat: who chooses.
        roll: which roll of the turn lies on the table, from 1; 0 when none does.
        rolls: how many rolls the turn may have.
        purpose: the key of what it is for, such as `score`.
        reported: whether people report what chance decided at the table, such as a card turned up.
    """

    seat: int
    roll: int = 0
    rolls: int = 0
    purpose: str = "score"
    reported: bool = False


@dataclass(frozen=True, slots=True)
class Draw(Choose):
    """Chance decides: the appliance draws one of the lots, all equally likely.

    `choices(state)` also has the lots, so a table that does not know `Draw` can let players decide.

    Attributes:
        lots: what may be drawn, each lot as often as it occurs.
    """

    lots: tuple["Choice", ...] = ()


@dataclass(frozen=True, slots=True)
class Reveal:
    """The game needs this seat's hidden dice shown in the tray; `Shown` answers."""

    seat: int
    dice: tuple[Die, ...]
    purpose: str = "show"


Ask = Throw | Choose | Reveal


@dataclass(frozen=True, slots=True)
class Event:
    """Base class of everything that can happen in a game."""


@dataclass(frozen=True, slots=True)
class Rolled(Event):
    """The dice that were asked for have come to rest: their faces, in the order of `Throw.dice`."""

    faces: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class Corrected(Event):
    """A die of the roll on the table was misread: the slot and the face it really shows."""

    slot: int
    face: Face


@dataclass(frozen=True, slots=True)
class ShownDie:
    """A die that is known by its colour and its face, 1 to 6."""

    kind: DieKind
    face: int


@dataclass(frozen=True, slots=True)
class Shown(Event):
    """Dice whose colours count lie open, in the order in which they were asked for."""

    dice: tuple[ShownDie, ...]


@dataclass(frozen=True, slots=True)
class Recoloured(Event):
    """A die on the table was taken for one of another colour: the slot and its real kind."""

    slot: int
    kind: DieKind


@dataclass(frozen=True, slots=True)
class Choice(Event):
    """Base class of the events that a player picks from `choices`."""

    @property
    def key(self) -> str:
        """The key of the choice; by default the name of the class, such as `move-on`."""
        return _words_of(type(self).__name__)

    @property
    def thing(self) -> str:
        """The key without the place on the table where it lies."""
        return self.key

    @property
    def entry(self) -> str:
        """The key of what a list names once: choices with the same one use the same box."""
        return self.key


@cache
def _words_of(name: str) -> str:
    return re.sub("(?<=[a-z])(?=[A-Z])", "-", name).lower()


@dataclass(frozen=True, slots=True)
class Left(Choice):
    """A player leaves for good; never among `choices`, as nobody is asked."""

    seat: int


@dataclass(frozen=True, slots=True)
class Pass(Choice):
    """Use the roll on the table for nothing; ends the turn."""


@dataclass(frozen=True, slots=True)
class Keep(Choice):
    """Hold these slots (ascending) and throw the other dice again."""

    slots: tuple[int, ...]

    @property
    def key(self) -> str:
        """Names the held slots by their button numbers, from 1."""
        return "hold " + "".join(str(s + 1) for s in self.slots) if self.slots else "roll-all"


@dataclass(frozen=True, slots=True)
class Points:
    """The points that something scores, and why.

    Attributes:
        points: the points of the box or card itself, bonus included.
        reason: keys and numbers such as `joker +100 upper +35`; empty for an ordinary score.
    """

    points: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended.

    Attributes:
        scores: the final points of every seat.
        winners: the seats that share the win.
        reason: the key of why; empty where the points say it.
    """

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str = ""

    @classmethod
    def of_totals(cls, totals: tuple[int, ...]) -> "Outcome":
        """The outcome where the highest total wins and equal totals share the win."""
        best = max(totals)
        winners = tuple(seat for seat, total in enumerate(totals) if total == best)
        return cls(totals, winners, "shared-win" if len(winners) > 1 else "")


class Measure(StrEnum):
    """The unit of a hint's expected value."""

    TOTAL = "total"
    """The player's final grand total."""
    GAIN = "points"
    """Points that the turn brings, less the mean of what it brings the others."""
    WIN = "win"
    """The chance of winning a pot, from 0 to 1; a shared win counts by its share."""
    GAME = "game"
    """The chance of winning the whole game, from 0 to 1, when it is near its end."""


@dataclass(frozen=True, slots=True)
class Odds:
    """The chance of winning for a player who holds something.

    Attributes:
        key: what the player would hold.
        win: the chance from 0 to 1.
        advice: what to do with it, as the key of the choice; empty for no advice.
    """

    key: str
    win: float
    advice: str = ""


@dataclass(frozen=True, slots=True)
class Hint:
    """The move to make, and what may be expected of it.

    Attributes:
        choice: the best of the legal choices; None where only the player can decide, because the
            appliance knows less than the player: then there are odds.
        expects: what may be expected if it is followed, in units of `measure`.
        measure: what `expects` counts.
        odds: chances by what the player may hold, best first.
        reason: the keys of why, with numbers, such as `for sixes` or `throw -120`, as in `Points`;
            `advice.hint` fills in what a game or its solver leaves empty.
    """

    choice: Choice | None
    expects: float
    measure: Measure
    odds: tuple[Odds, ...] = ()
    reason: str = ""
