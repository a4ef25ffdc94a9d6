"""Which die is which: keeps every die's slot from one rest of the tray to the next.

Two rests are compared by what the dice show and where they lie. What counts as thrown:

- A die at its old place with its old value is kept, also when it was picked up and put back; one
  that cannot be read now only if it lies just as that one lay.
- A die within `NEAR` edges of where a die of its kind lay was knocked, or turned, and keeps its
  slot: it moved. If it shows the same value it may have slid as far as `SLID`. One exception, for
  hands that pick up and throw in one go, so that the dice were never seen gone: when no die was
  picked up since the last roll and some die was clearly thrown, a near die that shows another
  value was thrown too.
- A die that stands in the holders is the one that was seen in the tray since the last throw and
  is not there any more; it keeps its slot and what it showed. Another die in the holders is none
  of the game's.
- Every other new die was thrown: it was not there, or it crossed the tray. A die that a hand lays
  down counts as thrown; a camera from above cannot tell a low throw from that.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import atan2, degrees, hypot, sqrt

import numpy as np

from vision.events import TrackedDie
from vision.reading import DieReading, DieState, Face, Kind

SAME = 0.5
"""Farthest that a kept die may seem to lie from its place, die edges."""

SAME_LIE, SAME_TURN = 0.2, 12.0
"""The same, in edges and degrees, for one that cannot be read: another may lie near its place."""

POSSIBLE = 0.15
"""Least probability of a value that a doubt holds possible."""

NEAR = 1.5
"""Farthest that a knocked die may lie from its place, die edges."""

SLID = 2.2
"""The same for a die that still shows its value: it was pushed."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """How the dice in the tray differ from the rest before.

    Attributes:
        dice: all dice that lie in the tray now, by slot.
        moved: those of them that were knocked or turned, or lie still and can be read at last.
        thrown: those of them that were thrown.
        gone: slots of dice that were taken away.
    """

    dice: tuple[TrackedDie, ...]
    moved: tuple[TrackedDie, ...]
    thrown: tuple[TrackedDie, ...]
    gone: tuple[int, ...]


def edge_of(reading: DieReading) -> float:
    """Edge of a die's top face, pixels."""
    points = reading.outline
    if len(points) < 3:
        return 1.0
    # Plain numbers: for four corners that is ten times as fast as arrays.
    turned = zip(points, (*points[1:], points[0]), strict=True)
    area = 0.5 * abs(sum(x * next_y - next_x * y for (x, y), (next_x, next_y) in turned))
    return max(1.0, sqrt(area))


def typical_edge(dice: Sequence[DieReading]) -> float | None:
    """Median edge of the dice, pixels; None without dice."""
    return float(np.median([edge_of(die) for die in dice])) if dice else None


def distance(a: DieReading, b: DieReading) -> float:
    """Distance of two readings' centres, die edges."""
    gap = hypot(a.center[0] - b.center[0], a.center[1] - b.center[1])
    return gap / (0.5 * (edge_of(a) + edge_of(b)))


def pair(
    old: Sequence[DieReading], new: Sequence[DieReading], within: float
) -> list[tuple[int, int]]:
    """Pairs old and new dice, nearest first, no farther apart than `within` edges.

    Returns:
        Indices into `old` and `new`; no die is in two pairs.
    """
    olds = [(die.center, edge_of(die)) for die in old]
    news = [(die.center, edge_of(die)) for die in new]
    gaps = sorted(
        (gap, i, j)
        for i, (a, a_edge) in enumerate(olds)
        for j, (b, b_edge) in enumerate(news)
        if (gap := hypot(a[0] - b[0], a[1] - b[1]) / (0.5 * (a_edge + b_edge))) <= within
    )
    pairs: list[tuple[int, int]] = []
    for _, i, j in gaps:
        if all(i != k and j != m for k, m in pairs):
            pairs.append((i, j))
    return pairs


def alike(a: DieReading, b: DieReading) -> bool:
    """Whether two readings name the same die and value, as far as they claim to know."""
    if a.sure and b.sure:
        return _one_kind(a, b) and a.value == b.value
    # A doubt says nothing against a value that it holds possible.
    if a.value == b.value:
        return True
    values = (_possible(a), _possible(b))
    return bool((values[0] & values[1]) - {None}) or None in (a.value, b.value)


def _possible(die: DieReading) -> set[Face | None]:
    return {c.value for c in die.candidates if c.probability >= POSSIBLE} | {die.value}


def _kept(before: DieReading, now: DieReading) -> bool:
    """Whether a die near an old place is the one that lay there."""
    if not alike(before, now):
        return False
    if now.sure or not before.sure:
        return True
    # What was claimed then would be claimed of this one: it must lie as that one lay.
    return _lies_alike(before, now)


def _cleared(before: DieReading, now: DieReading) -> bool:
    """Whether a die in doubt lies as it lay and can be read; one that leant on others does not."""
    doubt = before.state in (DieState.UNSURE, DieState.COVERED)
    return doubt and now.sure and _lies_alike(before, now)


def _lies_alike(a: DieReading, b: DieReading) -> bool:
    return distance(a, b) <= SAME_LIE and _turned(a, b) <= SAME_TURN


def _given_up(before: DieReading, now: DieReading) -> bool:
    """Whether a new reading of the same die would give up for a doubt what was once claimed."""
    return before.sure and (not now.sure or now.kind is Kind.OTHER)


def _turned(a: DieReading, b: DieReading) -> float:
    """By how much the tops of two dice are turned against each other, 0 to 45 degrees."""
    yaws = [
        degrees(atan2(p[1][1] - p[0][1], p[1][0] - p[0][0])) if len(p) >= 2 else 0.0
        for p in (a.outline, b.outline)
    ]
    return abs((yaws[0] - yaws[1] + 45) % 90 - 45)


class Tracker:
    """Remembers the dice of the last rest and their slots."""

    def __init__(self) -> None:
        self.dice: tuple[TrackedDie, ...] = ()
        self._picked_up = False
        self._gone: dict[int, DieReading] = {}

    def clear(self) -> None:
        """Forgets all dice."""
        self.dice, self._picked_up, self._gone = (), False, {}

    def found(self, readings: Sequence[DieReading]) -> tuple[TrackedDie, ...]:
        """Takes the dice that lie in the tray at the start, slots from left to right."""
        self.clear()
        in_tray = [die for die in readings if not die.held]
        self.dice = _place((), in_tray, thrown=False)
        return self.dice

    def compare(
        self,
        readings: Sequence[DieReading],
        unchanged: Sequence[int] = (),
        covered: Sequence[int] = (),
    ) -> Comparison:
        """Compares a new rest with the one before and remembers it.

        Args:
            readings: all dice that are seen now.
            unchanged: slots of dice whose part of the picture did not change: whatever the reader
                says this time, they are what they were.
            covered: slots of dice that cannot be seen now; they stay.
        """
        old = {die.slot: die.reading for die in self.dice}
        kept = {slot: old.pop(slot) for slot in covered if slot in old}
        left = list(readings)
        still = {slot: old.pop(slot) for slot in unchanged if slot in old}
        seen_again = {j for _, j in pair(list(still.values()), left, SAME)}
        left = [die for j, die in enumerate(left) if j not in seen_again]
        kept |= still
        left = _bumped(old, left, kept)
        same = list(old.items())
        pairs = pair([r for _, r in same], left, SAME)
        pairs = [(i, j) for i, j in pairs if _kept(same[i][1], left[j])]
        for i, j in pairs:
            slot, before = same[i]
            del old[slot]
            kept[slot] = before if _given_up(before, left[j]) else left[j]
        left = [die for j, die in enumerate(left) if j not in {j for _, j in pairs}]

        moved = _shelved(old, self._gone, left)
        left = [die for die in left if not die.held]
        near = [(slot, before) for slot, before in old.items() if not before.held]
        pairs = pair([r for _, r in near], left, SLID)
        pairs = [(i, j) for i, j in pairs if _knocked(near[i][1], left[j])]
        one_go = not self._picked_up and len(left) > len(pairs)
        for i, j in pairs:
            slot, before = near[i]
            # In one go a die that cannot be read may be another one that was thrown there.
            told = left[j].sure or not before.sure
            if not one_go or (told and alike(before, left[j])):
                moved[slot] = left[j]
                del old[slot]
        taken = {j for i, j in pairs if near[i][0] in moved}
        left = [die for j, die in enumerate(left) if j not in taken]

        # A throw tells of all dice anyway, and what lay beside them may be another die now.
        known = {die.slot: die.reading for die in self.dice} if not left else {}
        cleared = {s for s, r in known.items() if s in kept and _cleared(r, kept[s])}
        lying = tuple(TrackedDie(s, r, False) for s, r in sorted((kept | moved).items()))
        self.dice = _place(lying, left, thrown=True)
        self._picked_up = not left and (self._picked_up or bool(old)) and bool(self.dice)
        # A die in a hand may be on its way into the holders.
        self._gone = {} if left else {**self._gone, **old}
        return Comparison(
            dice=self.dice,
            moved=tuple(die for die in self.dice if die.slot in moved.keys() | cleared),
            thrown=tuple(die for die in self.dice if die.thrown),
            gone=tuple(sorted(old)),
        )


def _shelved(
    old: dict[int, DieReading], gone: dict[int, DieReading], new: Sequence[DieReading]
) -> dict[int, DieReading]:
    """The dice that were put into the holders, or pushed about there, by slot.

    Args:
        old: dice by slot that are not where they were; those that are found are taken out.
        gone: dice by slot that were picked up since the last throw, likewise.
        new: dice that are seen now.
    """
    found: dict[int, DieReading] = {}
    for die in new:
        if not die.held:
            continue
        known = {**gone, **old}
        stood = [s for s, r in known.items() if r.held and distance(r, die) <= NEAR]
        like = [s for s, r in known.items() if alike(r, die) and _same_kind(r, die)]
        slot = min(stood or like, key=lambda s: distance(known[s], die), default=None)
        if slot is None:
            continue
        before = known[slot]
        old.pop(slot, None)
        gone.pop(slot, None)
        shown = before if before.sure else die
        found[slot] = replace(
            shown, center=die.center, outline=die.outline, mm=die.mm, aside=False, held=True
        )
    return found


def _one_kind(a: DieReading, b: DieReading) -> bool:
    """Whether two readings may be of one kind of die: "other" claims none."""
    return a.kind == b.kind or Kind.OTHER in (a.kind, b.kind)


def _same_kind(a: DieReading, b: DieReading) -> bool:
    """The same where who is not sure may have it wrong."""
    return _one_kind(a, b) or not (a.sure and b.sure)


def _bumped(
    old: dict[int, DieReading], new: list[DieReading], kept: dict[int, DieReading]
) -> list[DieReading]:
    """Keeps dice that all moved alike: the camera or the tray was bumped, not the dice.

    Three dice or more, all of them with their old values and in their old arrangement, lie like
    that by chance less often than once in a million throws.

    Args:
        old: dice by slot; those that are kept are taken out.
        new: dice that are seen now.
        kept: where kept dice are added.

    Returns:
        The new dice that are not kept.
    """
    if len(old) < 3 or len(new) != len(old) or kept:
        return new
    slots = list(old)
    anchor = old[slots[0]]
    for candidate in new:
        dx = candidate.center[0] - anchor.center[0]
        dy = candidate.center[1] - anchor.center[1]
        moved = [replace(old[s], center=_plus(old[s].center, (dx, dy))) for s in slots]
        pairs = pair(moved, new, SAME / 2)
        if len(pairs) == len(new) and all(alike(moved[i], new[j]) for i, j in pairs):
            for i, j in pairs:
                before, now = moved[i], new[j]
                lies = replace(before, center=now.center, outline=now.outline, mm=now.mm)
                kept[slots[i]] = lies if _given_up(before, now) else now
            old.clear()
            return []
    return new


def _plus(a: tuple[float, float], b: tuple[float, float]) -> tuple[float, float]:
    return a[0] + b[0], a[1] + b[1]


def _knocked(old: DieReading, new: DieReading) -> bool:
    """Whether a die may have become another reading near it by being pushed or turned."""
    if not _same_kind(old, new):
        return False
    return distance(old, new) <= NEAR or alike(old, new)


def _place(
    lying: Sequence[TrackedDie], new: Sequence[DieReading], *, thrown: bool
) -> tuple[TrackedDie, ...]:
    """Gives new dice the free slots, left to right, and returns all dice by slot."""
    taken = {die.slot for die in lying}
    free = (slot for slot in range(len(lying) + len(new)) if slot not in taken)
    ordered = sorted(new, key=lambda die: die.center)
    placed = [TrackedDie(slot, die, thrown) for slot, die in zip(free, ordered, strict=False)]
    return tuple(sorted([*lying, *placed], key=lambda die: die.slot))
