"""Which die is which: keeps every die's number from one rest of the tray to the next.

Two rests are compared by what the dice show and where they lie. What counts as thrown:

- A die at its old place with its old value is kept, even if it was picked up and put back; one
  that cannot be read now is kept only if it lies exactly as before.
- A die within `MAX_KNOCKED_DISTANCE_EDGES` of where a die of its kind lay was knocked, or turned,
  and keeps its number: it moved. If it shows the same value it may have slid as far as
  `MAX_PUSHED_DISTANCE_EDGES`. One exception, for hands that pick up and throw in one go, so that
  the dice are never seen to be gone: if no die was picked up since the last roll and some die was
  clearly thrown, a nearby die that shows another value was thrown too.
- A die that stands in the holders is the one that was seen in the tray since the last throw and
  is no longer there; it keeps its number and what it showed. Any other die in the holders is not
  part of the game.
- Every other new die was thrown: it was not there before, or it crossed the tray. A die laid down
  by hand counts as thrown; from above a low throw looks the same.
"""

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from math import atan2, degrees, hypot, sqrt

import numpy as np

from vision.events import TrackedDie, TrackId
from vision.reading import DieReading, DieState, Face, Kind

MAX_KEPT_DISTANCE_EDGES = 0.5
"""How far a kept die may appear from its place."""

# A die that cannot be read is kept only within these: another may lie near its place.
MAX_UNREAD_DISTANCE_EDGES = 0.2
MAX_UNREAD_TURN_DEG = 12.0

MIN_POSSIBLE_PROBABILITY = 0.15
"""Of a value that a doubtful reading considers possible."""

MAX_KNOCKED_DISTANCE_EDGES = 1.5
MAX_PUSHED_DISTANCE_EDGES = 2.2
"""For a die that still shows its value."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """How the dice in the tray differ from the previous rest.

    Attributes:
        dice: all dice that lie in the tray now, by number.
        moved: those of them that were knocked or turned, or lie still and can finally be read.
        thrown: those of them that were thrown.
        gone: numbers of dice that were taken away.
    """

    dice: tuple[TrackedDie, ...]
    moved: tuple[TrackedDie, ...]
    thrown: tuple[TrackedDie, ...]
    gone: tuple[TrackId, ...]


def edge_of(reading: DieReading) -> float:
    """Edge of a die's top face, pixels."""
    points = reading.outline
    if len(points) < 3:
        return 1.0
    # For four corners, plain numbers are ten times as fast as arrays.
    turned = zip(points, (*points[1:], points[0]), strict=True)
    area = 0.5 * abs(sum(x * next_y - next_x * y for (x, y), (next_x, next_y) in turned))
    return max(1.0, sqrt(area))


def typical_edge(dice: Sequence[DieReading]) -> float | None:
    """Median edge of the dice, pixels; None without dice."""
    return float(np.median([edge_of(die) for die in dice])) if dice else None


def distance_edges(a: DieReading, b: DieReading) -> float:
    """Distance between the centres of two readings, die edges."""
    gap = hypot(a.center[0] - b.center[0], a.center[1] - b.center[1])
    return gap / (0.5 * (edge_of(a) + edge_of(b)))


def pair_nearest(
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


def claims_match(a: DieReading, b: DieReading) -> bool:
    """True if two readings agree on die and value, as far as they claim them."""
    if a.sure and b.sure:
        return _kinds_compatible(a, b) and a.value == b.value
    # A doubtful reading does not contradict a value that it considers possible.
    if a.value == b.value:
        return True
    values = (_possible_values(a), _possible_values(b))
    return bool((values[0] & values[1]) - {None}) or None in (a.value, b.value)


def _possible_values(die: DieReading) -> set[Face | None]:
    return {c.value for c in die.candidates if c.probability >= MIN_POSSIBLE_PROBABILITY} | {
        die.value
    }


def _may_be_kept(before: DieReading, now: DieReading) -> bool:
    """True if a die near an old place is the one that lay there."""
    if not claims_match(before, now):
        return False
    if now.sure or not before.sure:
        return True
    # The earlier claim would pass to this die, so it must lie exactly as that one lay.
    return _lies_unmoved(before, now)


def _lies_unmoved(a: DieReading, b: DieReading) -> bool:
    return (
        distance_edges(a, b) <= MAX_UNREAD_DISTANCE_EDGES
        and _turn_between_deg(a, b) <= MAX_UNREAD_TURN_DEG
    )


def _loses_claim(before: DieReading, now: DieReading) -> bool:
    """True if a new reading of the same die would replace an earlier claim with a doubt."""
    return before.sure and (not now.sure or now.kind is Kind.OTHER)


def _turn_between_deg(a: DieReading, b: DieReading) -> float:
    """Angle between the tops of two dice, 0 to 45 degrees."""
    yaws = [
        degrees(atan2(p[1][1] - p[0][1], p[1][0] - p[0][0])) if len(p) >= 2 else 0.0
        for p in (a.outline, b.outline)
    ]
    return abs((yaws[0] - yaws[1] + 45) % 90 - 45)


class Tracker:
    """Remembers the dice of the last rest and their numbers."""

    def __init__(self) -> None:
        self.dice: tuple[TrackedDie, ...] = ()
        self._picked_up = False
        self._gone: dict[TrackId, DieReading] = {}

    def clear(self) -> None:
        """Forgets all dice."""
        self.dice, self._picked_up, self._gone = (), False, {}

    def found(self, readings: Sequence[DieReading]) -> tuple[TrackedDie, ...]:
        """Takes the dice that lie in the tray at the start, numbers from left to right."""
        self.clear()
        self.dice = _assign_track_ids((), [die for die in readings if not die.held], thrown=False)
        return self.dice

    def compare(
        self,
        readings: Sequence[DieReading],
        unchanged: Sequence[TrackId] = (),
        covered: Sequence[TrackId] = (),
    ) -> Comparison:
        """Compares a new rest with the previous one and remembers it.

        Args:
            readings: all dice that are seen now.
            unchanged: numbers of dice whose part of the picture did not change: whatever the reader
                says this time, they are what they were.
            covered: numbers of dice that cannot be seen now; they stay.
        """
        before = {die.track_id: die.reading for die in self.dice}
        start = _Match.of(before, readings, unchanged, covered)
        kept = _match_in_place(_match_bumped(start))
        shelved = _find_shelved(kept.missing, self._gone, kept.new)
        in_tray = [die for die in kept.new if not die.held]
        pushed = _match_pushed(_without(kept.missing, shelved), in_tray, picked_up=self._picked_up)

        lying = kept.found | shelved | pushed.found
        stayed = tuple(
            TrackedDie(track_id, reading, False) for track_id, reading in sorted(lying.items())
        )
        self.dice = _assign_track_ids(stayed, pushed.new, thrown=True)
        picked_up = self._picked_up or bool(pushed.missing)
        self._picked_up = not pushed.new and picked_up and bool(self.dice)
        # A die in a hand may be on its way into the holders.
        gone = _without(self._gone, shelved) | pushed.missing
        self._gone = {} if pushed.new else gone
        # A throw reports all dice anyway, and a die that lay beside them may be another one now.
        cleared = set() if pushed.new else _now_readable(before, kept.found)
        moved = shelved.keys() | pushed.found.keys() | cleared
        return Comparison(
            dice=self.dice,
            moved=tuple(die for die in self.dice if die.track_id in moved),
            thrown=tuple(die for die in self.dice if die.thrown),
            gone=tuple(sorted(pushed.missing)),
        )


@dataclass(frozen=True, slots=True)
class _Match:
    """How far the dice of a rest are matched with those of the previous one.

    Attributes:
        found: dice by number, as they are known now.
        missing: dice of the previous rest that are not found yet, by number.
        new: dice seen now that have no number yet.
    """

    found: dict[TrackId, DieReading]
    missing: dict[TrackId, DieReading]
    new: Sequence[DieReading]

    @staticmethod
    def of(
        before: dict[TrackId, DieReading],
        readings: Sequence[DieReading],
        unchanged: Sequence[TrackId],
        covered: Sequence[TrackId],
    ) -> "_Match":
        """The initial match: covered and unchanged dice are kept; see `Tracker.compare`."""
        kept = {track_id: before[track_id] for track_id in covered if track_id in before}
        still = {s: before[s] for s in unchanged if s in before and s not in kept}
        seen_again = {
            j for _, j in pair_nearest(list(still.values()), readings, MAX_KEPT_DISTANCE_EDGES)
        }
        new = [die for j, die in enumerate(readings) if j not in seen_again]
        return _Match(kept | still, _without(_without(before, kept), still), new)

    def matched(self, pairs: dict[TrackId, int], lies: dict[TrackId, DieReading]) -> "_Match":
        """With more dice found: `pairs` has the index of each in `new`, `lies` its reading."""
        taken = set(pairs.values())
        new = [die for j, die in enumerate(self.new) if j not in taken]
        return _Match(self.found | lies, _without(self.missing, pairs), new)


def _without(
    dice: dict[TrackId, DieReading], track_ids: Container[TrackId]
) -> dict[TrackId, DieReading]:
    return {track_id: die for track_id, die in dice.items() if track_id not in track_ids}


def _match_in_place(match: _Match) -> _Match:
    """Keeps dice that still lie in the same place and show the same."""
    track_ids = list(match.missing)
    near = pair_nearest(list(match.missing.values()), match.new, MAX_KEPT_DISTANCE_EDGES)
    pairs = {
        track_ids[i]: j for i, j in near if _may_be_kept(match.missing[track_ids[i]], match.new[j])
    }
    lies = {}
    for track_id, j in pairs.items():
        before, now = match.missing[track_id], match.new[j]
        lies[track_id] = before if _loses_claim(before, now) else now
    return match.matched(pairs, lies)


def _match_pushed(
    missing: dict[TrackId, DieReading], new: Sequence[DieReading], *, picked_up: bool
) -> _Match:
    """Finds dice that were knocked or turned; `picked_up` if any was since the last throw."""
    track_ids = [track_id for track_id, die in missing.items() if not die.held]
    near = pair_nearest(
        [missing[track_id] for track_id in track_ids], new, MAX_PUSHED_DISTANCE_EDGES
    )
    pairs = {track_ids[i]: j for i, j in near if _may_be_knocked(missing[track_ids[i]], new[j])}
    if not picked_up and len(new) > len(pairs):
        # In one go: a die that cannot be read may be another one that was thrown there.
        pairs = {
            track_id: j for track_id, j in pairs.items() if _still_shows(missing[track_id], new[j])
        }
    lies = {track_id: new[j] for track_id, j in pairs.items()}
    return _Match({}, missing, new).matched(pairs, lies)


def _still_shows(before: DieReading, now: DieReading) -> bool:
    """True if a die near an old place shows what lay there, and can be read if that could."""
    return (now.sure or not before.sure) and claims_match(before, now)


def _now_readable(
    before: dict[TrackId, DieReading], kept: dict[TrackId, DieReading]
) -> set[TrackId]:
    """Slots of kept dice that were in doubt, but not leaning or stacked, and can now be read."""
    doubts = {s for s, d in before.items() if d.state in (DieState.UNSURE, DieState.COVERED)}
    return {s for s in doubts & kept.keys() if kept[s].sure and _lies_unmoved(before[s], kept[s])}


def _find_shelved(
    missing: dict[TrackId, DieReading], gone: dict[TrackId, DieReading], new: Sequence[DieReading]
) -> dict[TrackId, DieReading]:
    """The dice, missing or gone since the last throw, that stand in the holders now, by number."""
    found: dict[TrackId, DieReading] = {}
    for die in new:
        if not die.held:
            continue
        tracked = _without(gone | missing, found)
        stood = [
            s
            for s, r in tracked.items()
            if r.held and distance_edges(r, die) <= MAX_KNOCKED_DISTANCE_EDGES
        ]
        like = [s for s, r in tracked.items() if claims_match(r, die) and _may_be_same_kind(r, die)]
        track_id = min(stood or like, key=lambda s: distance_edges(tracked[s], die), default=None)
        if track_id is None:
            continue
        shown = tracked[track_id] if tracked[track_id].sure else die
        found[track_id] = replace(
            shown, center=die.center, outline=die.outline, mm=die.mm, aside=False, held=True
        )
    return found


def _kinds_compatible(a: DieReading, b: DieReading) -> bool:
    """True if two readings may be of one kind of die: "other" claims none."""
    return a.kind == b.kind or Kind.OTHER in (a.kind, b.kind)


def _may_be_same_kind(a: DieReading, b: DieReading) -> bool:
    """As `_kinds_compatible`, but a reading that is not sure may have the kind wrong."""
    return _kinds_compatible(a, b) or not (a.sure and b.sure)


def _match_bumped(match: _Match) -> _Match:
    """Keeps dice that all moved together: the camera or the tray was bumped, not the dice."""
    # By chance three or more keep their values and arrangement once in a million throws.
    old, new = match.missing, match.new
    if len(old) < 3 or len(new) != len(old) or match.found:
        return match
    track_ids, anchor = list(old), next(iter(old.values()))
    for candidate in new:
        dx = candidate.center[0] - anchor.center[0]
        dy = candidate.center[1] - anchor.center[1]
        moved = [
            replace(die, center=(die.center[0] + dx, die.center[1] + dy)) for die in old.values()
        ]
        pairs = pair_nearest(moved, new, MAX_KEPT_DISTANCE_EDGES / 2)
        if len(pairs) == len(new) and all(claims_match(moved[i], new[j]) for i, j in pairs):
            lies = {track_ids[i]: _carry_claim(moved[i], new[j]) for i, j in pairs}
            return match.matched({track_ids[i]: j for i, j in pairs}, lies)
    return match


def _carry_claim(before: DieReading, now: DieReading) -> DieReading:
    """A die displaced only by the bump: where it is now, with what was claimed about it."""
    if not _loses_claim(before, now):
        return now
    return replace(before, center=now.center, outline=now.outline, mm=now.mm)


def _may_be_knocked(old: DieReading, new: DieReading) -> bool:
    """True if a reading near a die may be that die, pushed or turned."""
    if not _may_be_same_kind(old, new):
        return False
    return distance_edges(old, new) <= MAX_KNOCKED_DISTANCE_EDGES or claims_match(old, new)


def _assign_track_ids(
    lying: Sequence[TrackedDie], new: Sequence[DieReading], *, thrown: bool
) -> tuple[TrackedDie, ...]:
    """Gives new dice the free numbers, left to right, and returns all dice by number."""
    taken = {die.track_id for die in lying}
    free = (TrackId(n) for n in range(len(lying) + len(new)) if n not in taken)
    ordered = sorted(new, key=lambda die: die.center)
    placed = [
        TrackedDie(track_id, die, thrown) for track_id, die in zip(free, ordered, strict=False)
    ]
    return tuple(sorted([*lying, *placed], key=lambda die: die.track_id))
