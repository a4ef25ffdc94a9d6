"""Which dice of a settled tray answer the throw that the game is waiting for."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

from games.dice import FACES
from games.values import DieKind, Face, Slot
from vision.events import TrackedDie, TrackId
from vision.reading import DieReading, DieState, Kind

NOT_SEEN = DieReading(Kind.OTHER, None, DieState.COVERED, (), 0.0, (0.0, 0.0), ())
"""Stands for the reading of a die that must be there but was not found."""


@dataclass(frozen=True, slots=True)
class PlacedDie:
    """A die lying in the tray, at its slot of the game.

    Attributes:
        slot: surplus dice have slots beyond those of the game.
        thrown: whether it was thrown since the last throw that counted.
        rolled: whether it was seen to roll there by itself, as in `TrackedDie`.
    """

    slot: Slot
    reading: DieReading
    thrown: bool
    rolled: bool = False


@dataclass(frozen=True, slots=True)
class ThrownDie:
    """A die that was thrown: its slot and how it was read."""

    slot: Slot
    reading: DieReading


@dataclass(frozen=True, slots=True)
class Answer:
    """The throw is complete: the slots that were kept and the dice that were thrown.

    `meant`: the players said that they were thrown, although that did not show.
    """

    kept: tuple[Slot, ...]
    thrown: tuple[ThrownDie, ...]
    meant: bool = False


@dataclass(frozen=True, slots=True)
class Miscount:
    """The number of dice in the tray is not the number that the game needs.

    If some are missing, `answer` is the throw in which the players have to enter those not seen.
    """

    seen: int
    expected: int
    answer: Answer | None = None


class Why(Enum):
    """The oddity in a throw."""

    HELD = auto()
    """A held die was thrown."""
    LAZY = auto()
    """A die that should have been thrown lies as before."""
    CHANGED = auto()
    """A die that lies as before, or comes into view, shows a different face from the record."""
    SAME = auto()
    """Dice lie elsewhere but show the same faces: perhaps pushed, not thrown."""


@dataclass(frozen=True, slots=True)
class Clash:
    """A contradiction between the tray and the holds or the record, from this slot on.

    If the players accept it, `answer` is the throw as it lies; `strict` is the throw according to
    the holds and the record, None if more dice must be thrown for it. `idle`: only held dice were
    moved or turned, so that perhaps nothing was thrown.
    """

    slot: Slot
    why: Why
    answer: Answer
    strict: Answer | None = None
    idle: bool = False


Match = Answer | Miscount | Clash | None


def rules_kind_of_reading(reading: DieReading) -> DieKind | None:
    """The rules' word for the kind that vision saw; None for a foreign die."""
    return None if reading.kind is Kind.OTHER else DieKind(reading.kind.value)


def rules_kind(die: TrackedDie) -> DieKind | None:
    """The rules' word for the kind of die that vision saw; None for a foreign die."""
    return rules_kind_of_reading(die.reading)


def dice_of_game(
    dice: Sequence[TrackedDie],
    kinds: Sequence[DieKind],
    loose: Collection[TrackId],
    counted: Collection[TrackId] = (),
) -> tuple[TrackedDie, ...]:
    """The dice that a game is played with, when others lie in the tray beside them.

    Any dice may be played with, as long as the game does not tell them apart by their colours. So
    which ones are meant follows from what was done with them, then from how they look.

    Args:
        dice: all dice lying in the tray.
        kinds: the kind of each die that the game needs there; black ones may have any colours.
        loose: the tracker's numbers of dice that were thrown since the last throw that counted.
        counted: the tracker's numbers of the dice of that throw: one that still lies there belongs
            to the game, whatever glare does to its colour.

    Returns:
        Of too many dice, those that were thrown or counted before, those of the right kinds, or
        those that are alike, if that is exactly the number needed and not contradicted; else all
        dice. Of too few, all but those of another kind that were not even thrown: they cannot stand
        in for unseen ones.
    """
    lying = set(counted) - set(loose)
    fitting = tuple(d for d in dice if d.track_id in lying or rules_kind(d) in kinds)
    if len(dice) > len(kinds):
        in_play = tuple(d for d in dice if d.track_id in lying or d.track_id in loose)
        found = {some for some in (fitting, in_play) if len(some) == len(kinds)}
        found = found or {some for some in _alike(dice, kinds) if len(some) == len(kinds)}
        return found.pop() if len(found) == 1 else tuple(dice)
    others = [d for d in dice if d not in fitting]
    left_over = all(d.reading.sure and rules_kind(d) and d.track_id not in loose for d in others)
    return fitting if fitting and left_over else tuple(dice)


def _alike(
    dice: Sequence[TrackedDie], kinds: Sequence[DieKind]
) -> tuple[tuple[TrackedDie, ...], ...]:
    """Dice that may be meant by their looks, where the game has a name for none of them.

    That is those of one colour, or all but one with a symbol where the game has no Power die.
    """
    if set(kinds) != {DieKind.BLACK}:
        return ()
    colours = [tuple(d for d in dice if d.reading.kind is kind) for kind in Kind]
    numbered = (d for d in dice if d.reading.kind is not Kind.POWER and not d.reading.faceless)
    return (*colours, tuple(numbered))


def assign_slots(
    dice: Sequence[TrackedDie],
    places: Mapping[TrackId, Slot],
    kinds: Sequence[DieKind],
    held: Collection[Slot] = (),
) -> dict[TrackId, Slot]:
    """Which slot of the game each tracked die lies in.

    A die that lies as before keeps its slot, unless the slot is that of a one-of-a-kind die that is
    also there; a die that is the only one of its kind has the slot of that kind, and the only one
    that is not known to be numbered has that of the Power die; the others fill the free slots from
    left to right. Surplus dice get numbers beyond the game's slots.

    Args:
        dice: all dice lying in the tray.
        places: the game's slot for each of the tracker's numbers so far.
        kinds: the kind of each slot of the game.
        held: slots whose dice were not to be thrown; filled last when dice are missing.
    """
    free = [Slot(number) for number in range(len(kinds))]
    placed: dict[TrackId, Slot] = {}
    for die in dice:
        slot = places.get(die.track_id)
        if not die.thrown and slot in free and _may_keep_slot(die, kinds[slot], dice, kinds):
            placed[die.track_id] = slot
            free.remove(slot)
    rest = [d for d in dice if d.track_id not in placed]
    for slot in [s for s in free if kinds.count(kinds[s]) == 1]:
        one = _one_of_a_kind(rest, kinds[slot], len(dice) == len(kinds))
        if one is not None:
            placed[one.track_id] = slot
            free.remove(slot)
            rest.remove(one)
    rest = sorted((d for d in rest if d.track_id not in placed), key=lambda d: d.reading.center)
    if len(rest) < len(free):
        free.sort(key=lambda slot: slot in held)
    surplus = [Slot(len(kinds) + number) for number in range(len(rest))]
    return placed | {d.track_id: s for d, s in zip(rest, [*free, *surplus], strict=False)}


def _one_of_a_kind(dice: Sequence[TrackedDie], kind: DieKind, complete: bool) -> TrackedDie | None:
    """The die for the slot of a kind that the game has one die of; None where that is not clear."""
    own = [d for d in dice if rules_kind(d) is kind]
    if not own and kind is DieKind.POWER:
        # Without a profile nobody has said how the Power die looks.
        own = [d for d in dice if d.reading.faceless]
    if not own and complete and kind is DieKind.POWER:
        own = [d for d in dice if not (d.reading.sure and d.reading.value in FACES)]
        return own[0] if len(own) == 1 else None
    # A numbered die of the Power die's colour may be taken for another.
    return max(own, key=lambda d: (d.reading.sure, d.reading.confidence)) if own else None


def _may_keep_slot(
    die: TrackedDie, kind: DieKind, dice: Sequence[TrackedDie], kinds: Sequence[DieKind]
) -> bool:
    """True if a die keeps a slot of this kind: not if it or another is clearly one of a kind."""
    own = rules_kind(die)
    if own is kind:
        return True
    if die.reading.sure and own is not None and kinds.count(own) == 1:
        return False
    return kinds.count(kind) != 1 or all(rules_kind(other) is not kind for other in dice)


def assign_slots_by_face(
    dice: Sequence[TrackedDie], faces: Sequence[Face | None]
) -> dict[TrackId, Slot]:
    """Which slot of the game each die lies in, going by the faces on record, as after a power cut.

    Dice that fit no slot are left out.
    """
    placed: dict[TrackId, Slot] = {}
    for number, face in enumerate(faces):
        for die in sorted(dice, key=lambda d: d.reading.center):
            if die.track_id not in placed and die.reading.value == face:
                placed[die.track_id] = Slot(number)
                break
    return placed


def find_dice_set_aside(
    dice: Sequence[TrackedDie],
    places: Mapping[TrackId, Slot],
    faces: Sequence[Face | None],
    held: Collection[Slot] = (),
) -> dict[TrackId, Slot]:
    """The slots, by the tracker's numbers, of dice that players kept beside the tray.

    Such a die shows the face of one on record that no longer lies in its place. It has not been
    thrown since the dice last counted, though the tracker cannot know that.

    Args:
        dice: all dice seen.
        places: the game's slot for each of the tracker's numbers so far.
        faces: the faces on record by slot.
        held: slots that are held; they come first if several show the same face.
    """
    taken = {places[d.track_id] for d in dice if not d.thrown and d.track_id in places}
    slots = [Slot(number) for number in range(len(faces))]
    free = [s for s in sorted(slots, key=lambda s: s not in held) if s not in taken]
    found: dict[TrackId, Slot] = {}
    for die in dice:
        if die.thrown and die.reading.aside:
            slot = next((s for s in free if faces[s] == die.reading.value), None)
            if slot is not None:
                free.remove(slot)
                found[die.track_id] = slot
    return found


def match_first(asked: Sequence[Slot], dice: Sequence[PlacedDie]) -> Match:
    """Matches a throw of all dice in these slots (ascending), with nothing kept."""
    if len(dice) > len(asked):
        return Miscount(len(dice), len(asked))
    ordered = sorted(dice, key=lambda d: d.slot)
    seen = tuple(ThrownDie(slot, d.reading) for slot, d in zip(asked, ordered, strict=False))
    if len(dice) < len(asked):
        unseen = tuple(ThrownDie(slot, NOT_SEEN) for slot in asked[len(dice) :])
        return Miscount(len(dice), len(asked), Answer((), seen + unseen))
    answer = Answer((), seen)
    lazy = [s for s, d in zip(asked, ordered, strict=True) if not d.thrown]
    return Clash(lazy[0], Why.LAZY, answer) if lazy else answer


def match_again(
    old: Sequence[Face | None], holds: frozenset[Slot], dice: Sequence[PlacedDie]
) -> Match:
    """Matches a later throw, in which some dice stay as they were; None if none was thrown.

    With holds set by buttons, the held dice are looked for at their slots first, then by their
    value (players push dice aside when they gather the others). Without holds, the dice left lying
    are the kept ones. Held dice may also lie outside the camera's view.

    Args:
        old: the faces on record by slot.
        holds: slots held by buttons.
        dice: all dice lying in the tray.
    """
    if not any(die.thrown for die in dice):
        return None
    if len(dice) != len(old):
        return _match_another_number(len(old), holds, dice)
    lying = {die.slot for die in dice if not die.thrown}
    if not holds or lying == holds:
        return _match_dice_left_lying(old, dice)
    return _match_holds(old, holds, dice)


def _match_another_number(
    needed: int, holds: frozenset[Slot], dice: Sequence[PlacedDie]
) -> Answer | Miscount:
    """Matches a later throw with more or fewer dice in the tray than the game needs.

    It is complete if exactly the dice not held were thrown and all held ones lie out of view.
    """
    to_throw = _other_slots(needed, holds)
    if holds and len(dice) == len(to_throw) and all(die.thrown for die in dice):
        return _assign_thrown(holds, to_throw, dice)
    if len(dice) > needed:
        return Miscount(len(dice), needed)
    return Miscount(len(dice), needed, _with_unseen_dice(needed, holds, dice))


def _with_unseen_dice(needed: int, holds: frozenset[Slot], dice: Sequence[PlacedDie]) -> Answer:
    """The throw in which every die that is neither kept nor seen has to be entered."""
    thrown = [die for die in dice if die.thrown]
    # If more dice were thrown than should have been, the holds were not obeyed.
    are_holds_obeyed = holds and len(thrown) <= needed - len(holds)
    kept = holds if are_holds_obeyed else {die.slot for die in dice if not die.thrown}
    readings = {die.slot: die.reading for die in thrown}
    rest = (ThrownDie(s, readings.get(s, NOT_SEEN)) for s in _other_slots(needed, kept))
    return Answer(tuple(sorted(kept)), tuple(rest))


def _match_dice_left_lying(old: Sequence[Face | None], dice: Sequence[PlacedDie]) -> Answer | Clash:
    """Matches a throw in which the dice left lying are the kept ones, as long as none changed.

    One that lies as before but shows another face may have been turned, or thrown after all.
    """
    as_it_lies = _as_it_lies(len(old), dice)
    changed = _slots_with_another_face((die for die in dice if not die.thrown), old)
    if not changed:
        return as_it_lies
    changed_as_thrown = [replace(d, thrown=d.thrown or d.slot in changed) for d in dice]
    answer = _as_it_lies(len(old), changed_as_thrown)
    return Clash(changed[0], Why.CHANGED, answer, strict=as_it_lies)


def _match_holds(
    old: Sequence[Face | None], holds: frozenset[Slot], dice: Sequence[PlacedDie]
) -> Answer | Clash:
    """Matches a throw with other dice left lying than those that are held."""
    to_throw = _other_slots(len(old), holds)
    held, unmatched = _find_held(old, holds, dice)
    idle = all(die.slot in holds for die in dice if die.thrown)
    missing = sorted(holds - held)
    if missing:
        thrown = [die for die in dice if die.thrown and die.slot not in holds]
        complete = len(thrown) == len(to_throw)
        strict = _assign_thrown(holds, to_throw, thrown) if complete else None
        return Clash(missing[0], Why.HELD, _as_it_lies(len(old), dice), strict, idle)
    lazy = [die for die in unmatched if not die.thrown]
    if lazy:
        return Clash(lazy[0].slot, Why.LAZY, _as_it_lies(len(old), dice), idle=idle)
    return _assign_thrown(holds, to_throw, unmatched)


def _find_held(
    old: Sequence[Face | None], holds: frozenset[Slot], dice: Sequence[PlacedDie]
) -> tuple[set[Slot], list[PlacedDie]]:
    """The held slots whose die is there, at its place or by its face, and all other dice."""
    held: set[Slot] = set()
    unmatched = list(dice)
    for slot in sorted(holds):
        candidates = [
            die
            for die in unmatched
            if (die.slot == slot and not die.thrown) or die.reading.value == old[slot]
        ]
        if candidates:
            unmatched.remove(min(candidates, key=lambda die: (die.slot != slot, die.thrown)))
            held.add(slot)
    return held, unmatched


def question_newcomers(
    match: Match,
    old: Sequence[Face | None],
    holds: frozenset[Slot],
    dice: Sequence[PlacedDie],
    sighted: frozenset[Slot],
) -> Match:
    """Questions a throw (`match`) made up only of dice that had been out of sight.

    Such dice were entered by the players; one that comes into view and was not seen to roll may
    have been thrown, or laid there as it fell. With holds set by buttons that is clear. Faces on
    record and dice are given by their slot of the game; those `sighted` have been in view since the
    last throw that counted.
    """
    if not isinstance(match, Answer):
        return match
    thrown = {seen.slot for seen in match.thrown}
    lying = {d.slot for d in dice if not d.thrown}
    came = [d for d in dice if d.slot in thrown]
    if thrown & sighted or (holds and lying <= holds) or any(d.rolled for d in came):
        return match
    changed = _slots_with_another_face(came, old)
    if not changed:
        return match
    return Clash(changed[0], Why.CHANGED, replace(match, meant=True))


def _slots_with_another_face(dice: Iterable[PlacedDie], old: Sequence[Face | None]) -> list[Slot]:
    """The slots of dice that certainly show a different face from the record, ascending."""
    return sorted(d.slot for d in dice if d.reading.sure and d.reading.value != old[d.slot])


def _as_it_lies(needed: int, dice: Sequence[PlacedDie]) -> Answer:
    """The throw if the dice left lying are the kept ones, whatever is held or on record."""
    kept = {die.slot for die in dice if not die.thrown}
    return _assign_thrown(kept, _other_slots(needed, kept), [die for die in dice if die.thrown])


def _other_slots(needed: int, slots: Collection[Slot]) -> list[Slot]:
    """The slots of a game with this many dice that are not among these."""
    return [Slot(number) for number in range(needed) if number not in slots]


def _assign_thrown(
    kept: Iterable[Slot], free: Sequence[Slot], thrown: Sequence[PlacedDie]
) -> Answer:
    """Gives thrown dice their slots: their own where it is free, the others left to right."""
    left = list(free)
    placed: dict[Slot, PlacedDie] = {}
    rest: list[PlacedDie] = []
    for die in thrown:
        if die.slot in left:
            left.remove(die.slot)
            placed[die.slot] = die
        else:
            rest.append(die)
    rest.sort(key=lambda die: die.reading.center)
    placed.update(zip(left, rest, strict=True))
    fallen = tuple(ThrownDie(slot, placed[slot].reading) for slot in sorted(placed))
    return Answer(tuple(sorted(kept)), fallen)
