"""Fits the curves of `vision.decide.certainty`: monotone, as smooth as the dice allow."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from vision.image.arrays import BoolArray, FloatArray

PROBABILITIES = (-4.0, -2.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.2)
"""Where curves over the logarithm of odds may bend."""
_AHEAD = (-4.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0)
BENDS: dict[str, tuple[float, ...]] = {
    "level": (-0.4, -0.2, -0.13, -0.09, -0.06, -0.04, -0.02, 0.0),
    "level beside others": (-0.3, -0.13, -0.09, -0.06, -0.03, 0.0),
    "alone": (0.0, 1.0),
    "laid by hand": (0.0, 1.0),
    "square": (0.5, 0.85, 0.9, 0.95, 1.0),
    "even": (0.5, 0.8, 0.9, 0.95, 1.0),
    "no larger": (-1.6, -1.3, -1.15, -1.08, -1.0, -0.95),
    "no smaller": (0.4, 0.7, 0.8, 0.9, 1.0),
    "pips": (-1.0, 0.0, 1.0, 2.0, 3.0),
    "ahead": _AHEAD,
    "ahead, without pips": _AHEAD,
    "pips, few": (-1.0, 0.0, 1.0, 2.0, 3.0),
    "across": (0.0, 1.0),
    "spread, few": (0.5, 0.6, 0.7, 0.8, 0.9, 1.0),
    "whole": (0.5, 0.7, 0.8, 0.9),
    "whole, few": (0.5, 0.7, 0.75, 0.8, 0.85, 0.9, 1.0),
    "far from stacks, few": (-1.0, 0.0),
    "many": (0.0, 1.0),
    "more than one": (0.0, 1.0),
}
"""The same of other evidence, in its own units."""
SMALL, SMOOTH = 0.3, 3.0
"""What it costs that a curve rises, and that it bends; found by leaving out installations."""
STEPS = 60
SLIGHT = 0.05
"""A curve that rises by less in all says nothing and is left out."""


@dataclass(frozen=True, slots=True, eq=False)
class Rises:
    """The pieces of all curves: how far each die's evidence has climbed each, (dice, pieces).

    Attributes:
        names: of the evidence that each piece belongs to.
        ends: where each piece begins and ends.
        climbed: from -1 at its beginning (or its length, where that is in odds) to 0 at its end.
    """

    names: list[str]
    ends: list[tuple[float, float]]
    climbed: FloatArray


def rises(evidence: Sequence[dict[str, float]]) -> Rises:
    """Cuts evidence of dice into the pieces of curves."""
    names: list[str] = []
    ends: list[tuple[float, float]] = []
    climbed: list[FloatArray] = []
    for name in evidence[0]:
        seen = np.array([one[name] for one in evidence])
        bends = BENDS.get(name, PROBABILITIES)
        for low, high in pairwise(bends):
            unit = high - low if name in BENDS else 1.0
            names.append(name)
            ends.append((low, high))
            climbed.append((np.clip(seen, low, high) - high) / unit)
    return Rises(names, ends, np.stack(climbed, axis=1))


def fit(seen: Rises, good: BoolArray, weight: FloatArray) -> FloatArray:
    """How much each piece rises, and the best odds last, so that dice are as likely as can be.

    Args:
        seen: the evidence of dice.
        good: whether all was well with each.
        weight: what each counts, 1 mostly.

    Source: D. P. Bertsekas, Projected Newton methods for optimization problems with simple
    constraints, SIAM Journal on Control and Optimization 20 (1982), 221-246.
    """
    count, pieces = seen.climbed.shape
    known = np.concatenate([seen.climbed, np.ones((count, 1))], axis=1)
    sign = np.where(good, 1.0, -1.0)
    bend = np.zeros((pieces + 1, pieces + 1))
    bend[range(pieces), range(pieces)] = SMALL
    for k in range(pieces - 1):
        if seen.names[k] == seen.names[k + 1]:
            bend[k : k + 2, k : k + 2] += SMOOTH * np.array([(1.0, -1.0), (-1.0, 1.0)])

    def loss(at: FloatArray) -> float:
        return float((weight * np.logaddexp(0, -sign * (known @ at))).sum() + at @ bend @ at)

    at = np.append(np.full(pieces, 0.05), 2.0)
    now = loss(at)
    for _ in range(STEPS):
        doubt = 1 / (1 + np.exp(np.clip(sign * (known @ at), -500, 500)))
        slope = -known.T @ (weight * sign * doubt) + 2 * bend @ at
        free = (at > 0) | (slope < 0)
        free[-1] = True
        part = known[:, free]
        curved = (
            part.T @ (part * (weight * doubt * (1 - doubt))[:, None]) + 2 * bend[np.ix_(free, free)]
        )
        curved[np.diag_indices_from(curved)] += 1e-9
        step = np.zeros_like(at)
        step[free] = -np.linalg.solve(curved, slope[free])
        share = 1.0
        while share > 1e-9:
            tried = at + share * step
            tried[:-1] = np.maximum(tried[:-1], 0)
            then = loss(tried)
            if then < now:
                break
            share /= 2
        if share <= 1e-9 or now - then < 1e-7 * now:
            break
        at, now = tried, then
    return at


def written(seen: Rises, at: FloatArray) -> dict[str, Any]:
    """The curves as `vision.decide.certainty` reads them."""
    curves: dict[str, list[tuple[float, float]]] = {}
    for name in dict.fromkeys(seen.names):
        own = [k for k, other in enumerate(seen.names) if other == name]
        units = [1.0 if name in BENDS else high - low for low, high in (seen.ends[k] for k in own)]
        heights = np.array([at[k] * unit for k, unit in zip(own, units, strict=True)])
        if heights.sum() < SLIGHT:
            continue
        below = -np.append(heights[::-1].cumsum()[::-1], 0.0)
        places = [seen.ends[own[0]][0], *(seen.ends[k][1] for k in own)]
        curves[name] = _bent(list(zip(places, below.tolist(), strict=True)))
    return {"best": round(float(at[-1]), 2), "curves": curves}


def _bent(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Those points at which a curve bends, and its ends."""
    kept = [points[0]]
    for k in range(1, len(points) - 1):
        (a, b), (c, d), (e, f) = kept[-1], points[k], points[k + 1]
        if abs(b + (f - b) * (c - a) / (e - a) - d) > 0.01:
            kept.append((c, d))
    return [(x, round(y, 2)) for x, y in (*kept, points[-1])]
