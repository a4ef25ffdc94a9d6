"""Which dice of a settled tray answer the throw that the game waits for."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from appliance.rules.game import Face
from vision.events import TrackedDie
from vision.reading import DieReading


@dataclass(frozen=True, slots=True)
class Seen:
    """A die that was thrown: its slot and how it was read."""

    slot: int
    reading: DieReading


@dataclass(frozen=True, slots=True)
class Answer:
    """The throw is complete: the slots that were kept and the dice that were thrown."""

    kept: tuple[int, ...]
    thrown: tuple[Seen, ...]


@dataclass(frozen=True, slots=True)
class Miscount:
    """Another number of dice lies in the tray than the game needs."""

    seen: int
    expected: int


@dataclass(frozen=True, slots=True)
class Clash:
    """What was thrown contradicts the holds.

    Attributes:
        slot: the first slot in doubt.
        was_held: True when a held die was thrown, False when a die to be thrown lies as before.
        answer: the throw as it would count if the players accept it.
    """

    slot: int
    was_held: bool
    answer: Answer


Match = Answer | Miscount | Clash | None


def of_kinds(dice: Sequence[TrackedDie], kinds: Sequence[str]) -> tuple[TrackedDie, ...]:
    """The dice that a game is played with, when others lie in the tray beside them.

    Args:
        dice: all dice lying in the tray.
        kinds: the kind of each die that the game is played with.

    Returns:
        All dice, unless leaving out those of other kinds leaves just the number that is needed:
        any five dice may be played with, but a sixth of another kind does not count.
    """
    fitting = tuple(d for d in dice if d.reading.kind in kinds)
    return fitting if len(dice) > len(kinds) == len(fitting) else tuple(dice)


def match_first(asked: Sequence[int], dice: Sequence[TrackedDie], loose: frozenset[int]) -> Match:
    """Matches a throw of all dice that are asked for, with nothing kept.

    Args:
        asked: slots that must be thrown, ascending.
        dice: all dice lying in the tray.
        loose: tracker slots thrown since the last roll that counted.
    """
    if len(dice) != len(asked):
        return Miscount(len(dice), len(asked))
    ordered = sorted((_since(d, loose) for d in dice), key=lambda d: d.slot)
    seen = tuple(Seen(slot, d.reading) for slot, d in zip(asked, ordered, strict=True))
    answer = Answer((), seen)
    lazy = [s for s, d in zip(asked, ordered, strict=True) if not d.thrown]
    return Clash(lazy[0], False, answer) if lazy else answer


def match_again(
    old: Sequence[Face | None],
    holds: frozenset[int],
    dice: Sequence[TrackedDie],
    loose: frozenset[int],
) -> Match:
    """Matches a second or later throw, in which some dice stay as they were.

    With holds set by buttons, the held dice are looked for at their slots first, then by their
    value (players push dice aside when they gather the others). Without holds, the dice left lying
    are the kept ones. Held dice may also lie outside the camera's view.

    Returns:
        None when nothing was thrown.
    """
    slots = range(len(old))
    dice = _known_slots([_since(d, loose) for d in dice], len(old))
    thrown = [d for d in dice if d.thrown]
    lying = [d for d in dice if not d.thrown]
    if not thrown:
        return None
    to_throw = [s for s in slots if s not in holds]
    if len(dice) != len(old):
        if holds and not lying and len(thrown) == len(to_throw):
            return _answer(tuple(sorted(holds)), to_throw, thrown)
        return Miscount(len(dice), len(old))
    same_slots = {d.slot for d in lying}
    if not holds or same_slots == holds:
        kept = tuple(sorted(same_slots))
        return _answer(kept, [s for s in slots if s not in same_slots], thrown)
    rest = list(dice)
    missing: list[int] = []
    for slot in sorted(holds):
        match = min(
            (d for d in rest if (d.slot == slot and not d.thrown) or d.reading.value == old[slot]),
            key=lambda d: (d.slot != slot, d.thrown),
            default=None,
        )
        if match is None:
            missing.append(slot)
        else:
            rest.remove(match)
    if missing:
        kept = tuple(sorted(same_slots))
        answer = _answer(kept, [s for s in slots if s not in same_slots], thrown)
        return Clash(missing[0], True, answer)
    answer = _answer(tuple(sorted(holds)), to_throw, rest)
    lazy = [d for d in rest if not d.thrown]
    if lazy:
        kept = tuple(sorted(same_slots))
        answer = _answer(kept, [s for s in slots if s not in same_slots], thrown)
        return Clash(lazy[0].slot, False, answer)
    return answer


def _since(die: TrackedDie, loose: frozenset[int]) -> TrackedDie:
    """The die with `thrown` meaning: since the last roll that counted."""
    return replace(die, thrown=die.thrown or die.slot in loose)


def _known_slots(dice: Sequence[TrackedDie], count: int) -> list[TrackedDie]:
    """Gives a die with a slot that the game does not have a free one, from left to right."""
    known = [d for d in dice if d.slot < count]
    free = [s for s in range(count) if s not in {d.slot for d in known}]
    strays = sorted((d for d in dice if d.slot >= count), key=lambda d: d.reading.center)
    moved = [replace(d, slot=s) for d, s in zip(strays, free, strict=False)]
    return sorted([*known, *moved, *strays[len(free) :]], key=lambda d: d.slot)


def _answer(kept: tuple[int, ...], free: Sequence[int], thrown: Sequence[TrackedDie]) -> Answer:
    """Gives thrown dice their slots: their own where it is free, the others left to right."""
    left = list(free)
    placed: dict[int, TrackedDie] = {}
    rest: list[TrackedDie] = []
    for die in thrown:
        if die.slot in left:
            left.remove(die.slot)
            placed[die.slot] = die
        else:
            rest.append(die)
    rest.sort(key=lambda d: d.reading.center)
    placed.update(zip(left, rest, strict=True))
    return Answer(kept, tuple(Seen(s, placed[s].reading) for s in sorted(placed)))
