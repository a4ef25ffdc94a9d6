"""Numbered dice: their combinations and names, and which of them can be kept.

Every function takes faces 1 to 6 in any order. A combination asks for *at least* what its name
says, except the full house, which is exactly three of one number and two of another.
"""

from collections.abc import Mapping, Sequence
from enum import IntEnum
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import factorial
from types import MappingProxyType

from games.values import Die, Face, Keep, Throw

FACES = (1, 2, 3, 4, 5, 6)
POWER_FACES: tuple[Face, ...] = ("1", "2", "3", "double", "freeze", "power")
"""The faces of the Power die."""
FIVE_DICE = 5
"""How many numbered dice a full roll has."""


def face_counts(faces: Sequence[int]) -> tuple[int, int, int, int, int, int]:
    """How many dice show 1, 2, 3, 4, 5 and 6."""
    of = faces.count
    return of(1), of(2), of(3), of(4), of(5), of(6)


def most_alike(faces: Sequence[int]) -> int:
    """The largest number of dice that show the same face."""
    return max(map(faces.count, FACES))


def alike(faces: Sequence[int], number: int) -> bool:
    """True if at least `number` dice show the same face."""
    return most_alike(faces) >= number


def five_alike(faces: Sequence[int]) -> int:
    """The face that all five dice show, 0 when they differ."""
    face = faces[0]
    return face if faces.count(face) == FIVE_DICE else 0


def full_house(faces: Sequence[int]) -> bool:
    """Exactly three of one number and two of another; five alike is not one."""
    found = face_counts(faces)
    return 3 in found and 2 in found


def two_pairs(faces: Sequence[int]) -> bool:
    """Two of one number and two of another: a full house counts, four alike does not."""
    return sum(n >= 2 for n in face_counts(faces)) >= 2


def longest_run(faces: Sequence[int]) -> int:
    """The length of the longest run of consecutive numbers among the dice."""
    best = run = 0
    for face in FACES:
        run = run + 1 if face in faces else 0
        best = max(best, run)
    return best


def small_straight(faces: Sequence[int]) -> bool:
    """Four in sequence."""
    return longest_run(faces) >= 4


def large_straight(faces: Sequence[int]) -> bool:
    """Five in sequence."""
    return longest_run(faces) >= 5


def sum_of(faces: Sequence[int], number: int) -> int:
    """The sum of the dice that show `number`."""
    return number * faces.count(number)


@cache
def rolls(dice: int) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Every different roll of `dice` dice, ascending, with the number of ways to throw it.

    These numbers add up to 6 ** dice.
    """
    every = combinations_with_replacement(FACES, dice)
    return tuple((faces, _ways_to_throw(faces)) for faces in every)


def _ways_to_throw(faces: Sequence[int]) -> int:
    ways = factorial(len(faces))
    for n in face_counts(faces):
        ways //= factorial(n)
    return ways


def keeps_of(dice: int) -> tuple[Keep, ...]:
    """Every way to keep some of this many dice, fewest first; at least one die is thrown."""
    return tuple(Keep(slots) for n in range(dice) for slots in combinations(range(dice), n))


def thrown_slots_of(dice: int) -> Mapping[tuple[int, ...], tuple[int, ...]]:
    """The slots that are thrown for each set of slots kept, with this many dice."""
    return MappingProxyType(
        {
            keep.slots: tuple(slot for slot in range(dice) if slot not in keep.slots)
            for keep in keeps_of(dice)
        }
    )


FIVE_DICE_KEEPS = keeps_of(FIVE_DICE)
FIVE_DICE_KEEP_BY_SLOTS = {keep.slots: keep for keep in FIVE_DICE_KEEPS}
THROWN_SLOTS = thrown_slots_of(FIVE_DICE)
"""The slots of five dice that are thrown, by those that are kept."""


@cache
def five_dice_throw(
    seat: int, held: tuple[int, ...], roll: int, rolls: int, purpose: str = "roll"
) -> Throw:
    """A throw of the five black dice, except those that are held."""
    return Throw(seat, tuple(map(Die, THROWN_SLOTS[held])), roll, rolls, purpose)


def with_new_faces(
    dice: tuple[int, ...], thrown: tuple[int, ...], faces: tuple[int, ...]
) -> tuple[int, ...]:
    """The five dice with new faces in the slots that were thrown."""
    if len(faces) == FIVE_DICE:
        return faces
    changed = list(dice)
    for place, slot in enumerate(thrown):
        changed[slot] = faces[place]
    return tuple(changed)


class Pattern(IntEnum):
    """The dice that a box, card or hand asks for; each game lists its own, in its own order."""

    @property
    def word(self) -> str:
        """The pattern as written in a record, which is its key."""
        return self.name.lower().replace("_", "-")
