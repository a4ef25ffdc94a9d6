"""Pearson's chi-square test of a die, and how strong a bias it would notice.

Closed forms for odd degrees of freedom (Abramowitz and Stegun, Handbook of Mathematical Functions,
26.4.4).
"""

from collections.abc import Sequence
from functools import cache
from math import erfc, exp, pi, sqrt

import numpy as np

FACES = 6
DEGREES = FACES - 1
LEVEL = 0.05
"""Share of fair dice that the test calls biased."""

_LEAST_EXPECTED = 5.0
_SAMPLES = 5_000
_SEED = 20_250_101


def statistic(counts: Sequence[int]) -> float:
    """Pearson's statistic against equal chances: the sum of (seen - expected)^2 / expected."""
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 for count in counts) / expected if expected else 0.0


def tail(x: float, degrees: int = DEGREES) -> float:
    """The chance that chi-square of odd `degrees` of freedom exceeds `x`."""
    if x <= 0:
        return 1.0
    chance = erfc(sqrt(x / 2))
    term = sqrt(2 * x / pi) * exp(-x / 2)
    for odd in range(1, degrees - 1, 2):
        chance += term
        term *= x / (odd + 2)
    return min(1.0, chance)


@cache
def critical(level: float = LEVEL, degrees: int = DEGREES) -> float:
    """The statistic that a fair die exceeds with the chance `level`."""
    low, high = 0.0, 200.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (middle, high) if tail(middle, degrees) > level else (low, middle)
    return high


def power(throws: int, chances: Sequence[float], level: float = LEVEL) -> float:
    """The chance to notice that a die is biased.

    Counted over samples with a fixed seed: the usual non-central chi-square promises up to four
    points in a hundred too much for one favoured face.
    """
    drawn = np.random.default_rng(_SEED).multinomial(throws, chances, size=_SAMPLES)
    expected = throws / FACES
    statistics = ((drawn - expected) ** 2).sum(axis=1) / expected
    return float((statistics > critical(level)).mean())


def noticeable(throws: int, chance: float = 0.8, level: float = LEVEL) -> float | None:
    """The least chance, above 1/6, of a favoured face that would be noticed as surely as `chance`.

    The other five faces share what is left equally. None if no bias would be noticed so surely.
    """
    if throws / FACES < _LEAST_EXPECTED:
        # With fewer the statistic is not distributed like chi-square.
        return None

    def found(favoured: float) -> float:
        return power(throws, (favoured, *[(1 - favoured) / DEGREES] * DEGREES), level)

    low, high = 1 / FACES, 1.0
    if found(high) < chance:
        return None
    while high - low > 1e-3:
        middle = (low + high) / 2
        low, high = (middle, high) if found(middle) < chance else (low, middle)
    return high
