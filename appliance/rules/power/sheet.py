"""What a game of Power consists of: the sheet of twenty-one slots, the choices, the state.

The sheet knows what a roll is worth in each of its slots.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from types import MappingProxyType
from typing import Final

from appliance.rules import dice as roll
from appliance.rules.checks import put
from appliance.rules.dice import FIVE, Pattern
from appliance.rules.game import Choice, DieKind, Row
from appliance.rules.seats import Seated


class Kind(Pattern):
    """What a slot asks for, in the order of the sheet; a kind has one to three slots."""

    ACES = 0
    TWOS = 1
    THREES = 2
    FOURS = 3
    FIVES = 4
    SIXES = 5
    CHOICE = 6
    TWO_PAIRS = 7
    THREE_ALIKE = 8
    FOUR_ALIKE = 9
    FULL_HOUSE = 10
    SMALL_STRAIGHT = 11
    LARGE_STRAIGHT = 12
    CHANCE = 13
    FIVE_ALIKE = 14


class Slot(IntEnum):
    """The rows of the sheet, from the top."""

    ACES = 0
    TWOS = 1
    THREES = 2
    FOURS = 3
    FIVES = 4
    SIXES = 5
    CHOICE = 6
    TWO_PAIRS = 7
    THREE_ALIKE_1 = 8
    THREE_ALIKE_2 = 9
    FOUR_ALIKE_1 = 10
    FOUR_ALIKE_2 = 11
    FULL_HOUSE = 12
    SMALL_STRAIGHT_1 = 13
    SMALL_STRAIGHT_2 = 14
    LARGE_STRAIGHT_1 = 15
    LARGE_STRAIGHT_2 = 16
    CHANCE = 17
    FIVE_ALIKE_1 = 18
    FIVE_ALIKE_2 = 19
    FIVE_ALIKE_3 = 20

    @property
    def kind(self) -> Kind:
        """What the slot asks for."""
        return Kind[self.name.rstrip("_123")]

    @property
    def label(self) -> str:
        """The slot in at most ten capitals, for the board."""
        return _SLOT_LABELS[self]


SLOTS = len(Slot)
UPPER = 7
"""The slots below this number are the upper section."""
SLOTS_OF: tuple[tuple[Slot, ...], ...] = tuple(
    tuple(slot for slot in Slot if slot.kind is kind) for kind in Kind
)
"""The slots of each kind in the order in which scores go into them."""
MASKS: tuple[int, ...] = tuple(sum(1 << slot for slot in slots) for slots in SLOTS_OF)
"""The bits of the slots of each kind, as in `Sheet.open`."""
_SLOT_LABELS = tuple(
    slot.kind.label
    if len(SLOTS_OF[slot.kind]) == 1
    else f"{slot.kind.short} {SLOTS_OF[slot.kind].index(slot) + 1}"
    for slot in Slot
)
FIXED: Mapping[Slot, int] = MappingProxyType(
    {
        Slot.FULL_HOUSE: 25,
        Slot.SMALL_STRAIGHT_1: 30,
        Slot.SMALL_STRAIGHT_2: 30,
        Slot.LARGE_STRAIGHT_1: 40,
        Slot.LARGE_STRAIGHT_2: 40,
        Slot.FIVE_ALIKE_1: 50,
        Slot.FIVE_ALIKE_2: 100,
        Slot.FIVE_ALIKE_3: 150,
    }
)
"""The slots that score the same base whatever the dice add up to."""
BONUSES = ((300, 200), (200, 100), (150, 50))
"""The sums of the upper section that earn a bonus, and the bonuses, the highest first."""
_ALL_OPEN = (1 << SLOTS) - 1


def base(dice: tuple[int, ...], slot: Slot, number: int = 0) -> int:
    """What five dice score in a slot before the power; 0 where they do not qualify.

    Args:
        dice: five faces.
        slot: the slot.
        number: the number that is counted, for `Slot.CHOICE` only.
    """
    # Sorted, there are only 252 rolls to remember.
    return _base(tuple(sorted(dice)), slot, number)


@cache
def _base(dice: tuple[int, ...], slot: Slot, number: int) -> int:
    if slot < UPPER:
        return roll.sum_of(dice, number if slot is Slot.CHOICE else slot + 1)
    made = {
        Kind.TWO_PAIRS: roll.two_pairs(dice),
        Kind.THREE_ALIKE: roll.alike(dice, 3),
        Kind.FOUR_ALIKE: roll.alike(dice, 4),
        Kind.FULL_HOUSE: roll.full_house(dice),
        Kind.SMALL_STRAIGHT: roll.small_straight(dice),
        Kind.LARGE_STRAIGHT: roll.large_straight(dice),
        Kind.CHANCE: True,
        Kind.FIVE_ALIKE: roll.five_alike(dice) > 0,
    }[slot.kind]
    return FIXED.get(slot, sum(dice)) if made else 0


def upper_bonus(upper: int) -> int:
    """The bonus for a sum of the totals in the upper section."""
    return next((bonus for least, bonus in BONUSES if upper >= least), 0)


@dataclass(frozen=True, slots=True)
class FilledSlot:
    """A filled slot: the columns of the sheet.

    Attributes:
        base: the base score, 0 for an X.
        power: what it is multiplied by, 1 to 3; 0 for an X.
        number: the number counted in the choice slot, else 0.
    """

    base: int
    power: int
    number: int = 0

    @property
    def total(self) -> int:
        """Base times power."""
        return self.base * self.power


CROSSED = FilledSlot(0, 0)
"""A slot with an X."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """One player's sheet.

    Attributes:
        lines: what is in every slot, None while it is open.
        open: bit s is set while slot s is open; always agrees with `lines`.
    """

    lines: tuple[FilledSlot | None, ...] = (None,) * SLOTS
    open: int = _ALL_OPEN

    @classmethod
    def of(cls, lines: Sequence[FilledSlot | None]) -> "Sheet":
        """A sheet with these lines."""
        return cls(tuple(lines), sum(1 << s for s, line in enumerate(lines) if line is None))

    @property
    def filled(self) -> int:
        """How many slots are filled."""
        return SLOTS - self.open.bit_count()

    @property
    def upper(self) -> int:
        """The sum of the totals in the upper section, without its bonus."""
        return sum(line.total for line in self.lines[:UPPER] if line is not None)

    @property
    def upper_bonus(self) -> int:
        """0, 50, 100 or 200."""
        return upper_bonus(self.upper)

    @property
    def lower(self) -> int:
        """The sum of the totals in the lower section."""
        return sum(line.total for line in self.lines[UPPER:] if line is not None)

    @property
    def total(self) -> int:
        """The grand total so far, with the bonus."""
        upper = self.upper
        return upper + upper_bonus(upper) + self.lower

    @property
    def rows(self) -> tuple["PowerRow", ...]:
        """The slots as the board shows them."""
        return tuple(_row(slot, self.lines[slot]) for slot in Slot)

    def slot_to_score(self, kind: Kind) -> Slot | None:
        """Where a score of this kind goes, the lowest open slot; None when none is open."""
        return next((slot for slot in SLOTS_OF[kind] if self.open >> slot & 1), None)

    def slot_to_cross(self, kind: Kind) -> Slot | None:
        """Where an X of this kind goes, the highest open slot; None when none is open."""
        return next((slot for slot in reversed(SLOTS_OF[kind]) if self.open >> slot & 1), None)

    def with_line(self, slot: Slot, line: FilledSlot) -> "Sheet":
        """The sheet with an open slot filled."""
        return Sheet(put(self.lines, slot, line), self.open & ~(1 << slot))


@dataclass(frozen=True, slots=True)
class PowerRow(Row):
    """A row of the sheet for the board; the columns are None while the slot is open.

    Attributes:
        label: the slot; the choice slot names its number once it is chosen.
        points: the total.
        base: the base score; also None for an X.
        power: the power; also None for an X.
    """

    base: int | None = None
    power: int | None = None


def _row(slot: Slot, line: FilledSlot | None) -> PowerRow:
    if line is None:
        return PowerRow(slot.label, None)
    if not line.power:
        return PowerRow(slot.label, 0)
    label = f"{slot.label} {line.number}" if line.number else slot.label
    return PowerRow(label, line.total, line.base, line.power)


MIN_PLAYERS: Final = 1
MAX_PLAYERS: Final = 6
ROLLS: Final = 3
"""How many rolls a turn may have; there is one more if Power shows after the last of them."""
POWER_SLOT: Final = FIVE
"""The slot of the Power die, after the numbered dice."""
DICE: Final[tuple[DieKind, ...]] = (*(DieKind.BLACK,) * FIVE, DieKind.POWER)

DOUBLE: Final = "double"
FREEZE: Final = "freeze"
POWER: Final = "power"
MULTIPLIER: Final = {"1": 1, "2": 2, "3": 3, DOUBLE: 2, FREEZE: 1, POWER: 3}
"""What each face of the Power die multiplies a score by."""


@dataclass(frozen=True, slots=True)
class Score(Choice):
    """Score the roll in the lowest open slot of this kind.

    Attributes:
        kind: the kind.
        number: the number to count, 1 to 6, for `Kind.CHOICE`; else 0.
    """

    kind: Kind
    number: int = 0

    @property
    def label(self) -> str:
        """The kind as the board names it, with the number that is chosen."""
        label = Kind(self.kind).label
        return f"{label} {self.number}" if self.number else label


@dataclass(frozen=True, slots=True)
class Cross(Choice):
    """Put an X into the highest open slot of this kind."""

    kind: Kind

    @property
    def label(self) -> str:
        """An X and the kind as the board names it."""
        return f"X {Kind(self.kind).short}"


@dataclass(frozen=True, slots=True)
class State(Seated):
    """A game of Power between two events.

    Attributes:
        sheets: one for each seat.
        first: the seat that began; None while the roll-off is open.
        seat: whose turn it is, or who throws next in the roll-off; when the game is over, the
            one whose sheet is full.
        turns: how many turns are over, of all seats together, including those that nobody plays.
        roll: how many rolls of the turn are on record, 0 to 4.
        dice: the five numbered faces of the last roll by slot; empty before the first.
        power: the face of the Power die; empty before the first roll.
        held: the slots kept for the throw that is due; None when no throw is due: then a choice
            is, or, with `roll` 0, the game is over.
        undoubled: while the second half of a Double is due, the sheet before its first half.
        roll_off: the faces thrown in the roll-off in order.
    """

    sheets: tuple[Sheet, ...]
    first: int | None = 0
    seat: int = 0
    turns: int = 0
    roll: int = 0
    dice: tuple[int, ...] = ()
    power: str = ""
    held: tuple[int, ...] | None = ()
    undoubled: Sheet | None = None
    roll_off: tuple[int, ...] = ()
