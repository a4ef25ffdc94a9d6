"""The sheet of Power: twenty-one slots, and what a roll is worth in each before the power."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from types import MappingProxyType

from games import dice as roll
from games.checks import with_item
from games.dice import Pattern
from games.views import Row


class Kind(Pattern):
    """The dice that a slot asks for, in the order of the sheet; a kind has one to three slots."""

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
        """The kind of dice that the slot asks for."""
        return Kind[self.name.rstrip("_123")]

    @property
    def key(self) -> str:
        """Its kind, with a number from 1 where there are several of the kind."""
        return _SLOT_KEYS[self]


SLOTS = len(Slot)
UPPER_SLOTS = 7
"""The slots below this number are the upper section."""
SLOTS_OF: tuple[tuple[Slot, ...], ...] = tuple(
    tuple(slot for slot in Slot if slot.kind is kind) for kind in Kind
)
"""The slots of each kind in the order in which scores go into them."""
MASK_BY_KIND: tuple[int, ...] = tuple(sum(1 << slot for slot in slots) for slots in SLOTS_OF)
"""The bits of the slots of each kind, as in `Sheet.open`."""
_SLOT_KEYS = tuple(
    slot.kind.word
    if len(SLOTS_OF[slot.kind]) == 1
    else f"{slot.kind.word} {SLOTS_OF[slot.kind].index(slot) + 1}"
    for slot in Slot
)
FIXED_BASES: Mapping[Slot, int] = MappingProxyType(
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
UPPER_BONUSES = ((300, 200), (200, 100), (150, 50))
"""The sums of the upper section that earn a bonus, and the bonuses, the highest first."""
_ALL_OPEN = (1 << SLOTS) - 1


def base_score(dice: tuple[int, ...], slot: Slot, number: int = 0) -> int:
    """The score of five dice in a slot before the power; 0 where they do not qualify.

    Args:
        dice: five faces.
        slot: the slot.
        number: the number that is counted, for `Slot.CHOICE` only.
    """
    # Sorted, there are only 252 rolls to remember.
    return _base(tuple(sorted(dice)), slot, number if slot is Slot.CHOICE else 0)


@cache
def _base(dice: tuple[int, ...], slot: Slot, number: int) -> int:
    if slot < UPPER_SLOTS:
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
    return FIXED_BASES.get(slot, sum(dice)) if made else 0


def upper_bonus(upper: int) -> int:
    """The bonus for a sum of the totals in the upper section."""
    return next((bonus for least, bonus in UPPER_BONUSES if upper >= least), 0)


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


CROSSED_SLOT = FilledSlot(0, 0)
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
        return sum(line.total for line in self.lines[:UPPER_SLOTS] if line is not None)

    @property
    def upper_bonus(self) -> int:
        """0, 50, 100 or 200."""
        return upper_bonus(self.upper)

    @property
    def lower(self) -> int:
        """The sum of the totals in the lower section."""
        return sum(line.total for line in self.lines[UPPER_SLOTS:] if line is not None)

    @property
    def total(self) -> int:
        """The grand total so far, with the bonus."""
        upper = self.upper
        return upper + upper_bonus(upper) + self.lower

    @property
    def rows(self) -> tuple["PowerRow", ...]:
        """The slots with their points."""
        return tuple(_power_row(slot, self.lines[slot]) for slot in Slot)

    def slot_to_score(self, kind: Kind) -> Slot | None:
        """Where a score of this kind goes, the lowest open slot; None when none is open."""
        return next((slot for slot in SLOTS_OF[kind] if self.open >> slot & 1), None)

    def slot_to_cross(self, kind: Kind) -> Slot | None:
        """Where an X of this kind goes, the highest open slot; None when none is open."""
        return next((slot for slot in reversed(SLOTS_OF[kind]) if self.open >> slot & 1), None)

    def with_line(self, slot: Slot, line: FilledSlot) -> "Sheet":
        """The sheet with an open slot filled."""
        return Sheet(with_item(self.lines, slot, line), self.open & ~(1 << slot))


@dataclass(frozen=True, slots=True)
class PowerRow(Row):
    """A row of the sheet; the columns are None while the slot is open.

    Attributes:
        key: the slot; the choice slot names its number once it is chosen.
        points: the total.
        base: the base score; also None for an X.
        power: the power; also None for an X.
    """

    base: int | None = None
    power: int | None = None


def _power_row(slot: Slot, line: FilledSlot | None) -> PowerRow:
    if line is None:
        return PowerRow(slot.key, None)
    if not line.power:
        return PowerRow(slot.key, 0)
    key = f"{slot.key} {line.number}" if line.number else slot.key
    return PowerRow(key, line.total, line.base, line.power)
