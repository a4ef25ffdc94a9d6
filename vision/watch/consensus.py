"""Merges several readings of the same resting dice into one."""

from collections.abc import Sequence
from dataclasses import replace

from vision.reading import Candidate, DieReading, DieState, Face
from vision.watch.tracker import MAX_KEPT_DISTANCE_EDGES, pair_nearest


def claims_agree(a: Sequence[DieReading], b: Sequence[DieReading]) -> bool:
    """True if two readings of one rest make the same claim for every die.

    A symbol that was never learnt counts as claimed: looking longer does not help.
    """
    pairs = pair_nearest(a, b, MAX_KEPT_DISTANCE_EDGES)
    return len(pairs) == len(a) == len(b) and all(
        is_conclusive(a[i])
        and is_conclusive(b[j])
        and (a[i].kind, a[i].value) == (b[j].kind, b[j].value)
        for i, j in pairs
    )


def is_stable(readings: Sequence[Sequence[DieReading]]) -> bool:
    """True if the last three readings agree, doubts included, and all dice lie flat."""
    if len(readings) < 3:
        return False
    *_, a, b, c = readings
    return _same_with_doubts(a, c) and _same_with_doubts(b, c)


def _same_with_doubts(a: Sequence[DieReading], b: Sequence[DieReading]) -> bool:
    pairs = pair_nearest(a, b, MAX_KEPT_DISTANCE_EDGES)
    return len(pairs) == len(a) == len(b) and all(
        a[i].state in (DieState.OK, DieState.UNSURE)
        and (a[i].kind, a[i].value, a[i].state) == (b[j].kind, b[j].value, b[j].state)
        for i, j in pairs
    )


def is_conclusive(die: DieReading) -> bool:
    """True if another reading of this die at rest would hardly show more."""
    return die.sure or die.faceless


def merge_readings(readings: Sequence[Sequence[DieReading]]) -> tuple[DieReading, ...]:
    """The dice that most readings see, each with the doubt that remains.

    Out of several readings a die is claimed only if at least two make the same claim and none
    claims another value; a claim made only once, or contradicted by another reading, is a doubt.

    Args:
        readings: one or more readings of the same dice at rest.
    """
    count = sorted(len(reading) for reading in readings)[len(readings) // 2]
    alike = (reading for reading in readings if len(reading) == count)
    base = max(alike, key=lambda reading: sum(die.sure for die in reading), default=readings[-1])
    seen: list[list[DieReading]] = [[die] for die in base]
    for reading in readings:
        if reading is not base:
            for i, j in pair_nearest(base, reading, MAX_KEPT_DISTANCE_EDGES):
                seen[i].append(reading[j])
    return tuple(sorted((_merge_die(dice, len(readings)) for dice in seen), key=lambda d: d.center))


def _merge_die(dice: Sequence[DieReading], readings: int) -> DieReading:
    """Merges the readings of one die."""
    claims = [die for die in dice if die.sure]
    named = {(die.kind, die.value) for die in claims}
    best = max(dice, key=lambda die: (die.sure, die.confidence))
    if not claims or (len(named) == 1 and (len(claims) >= 2 or readings == 1)):
        return best
    weight: dict[Face, float] = {}
    for die in dice:
        own = () if die.value is None else (Candidate(die.value, die.confidence),)
        for candidate in die.candidates or own:
            weight[candidate.value] = weight.get(candidate.value, 0.0) + candidate.probability
    total = sum(weight.values()) or 1.0
    ranked = sorted(weight.items(), key=lambda item: -item[1])
    candidates = tuple(Candidate(value, share / total) for value, share in ranked)
    confidence = min(die.confidence for die in claims) * len(claims) / len(dice) / len(named)
    return replace(best, state=DieState.UNSURE, candidates=candidates, confidence=confidence)
