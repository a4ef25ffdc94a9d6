"""Pearson's chi-square test of a die, and how strong a bias it would notice.

Closed forms for odd degrees of freedom (Abramowitz and Stegun, Handbook of Mathematical Functions,
26.4.4).
"""

from collections.abc import Callable, Sequence
from functools import cache
from math import erfc, exp, pi, sqrt

import numpy as np

FACES = 6
DEGREES = FACES - 1
LEVEL = 0.05
"""Share of fair dice that the test calls biased."""
SURE = 0.8
"""How surely a bias is noticed that is called noticeable."""

_LEAST_EXPECTED, _SAMPLES, _SEED = 5.0, 5_000, 20_250_101


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
def critical() -> float:
    """The statistic that a fair die exceeds with the chance `LEVEL`."""
    return _first(lambda x: tail(x) <= LEVEL, 0.0, 200.0, 1e-9)


def _first(enough: Callable[[float], bool], low: float, high: float, near: float) -> float:
    """The least number that is enough, by halving."""
    while high - low > near:
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def power(throws: int, chances: Sequence[float]) -> float:
    """The chance to notice that a die is biased.

    Counted over samples with a fixed seed: the usual non-central chi-square promises up to four
    points in a hundred too much for one favoured face.
    """
    drawn = np.random.default_rng(_SEED).multinomial(throws, chances, size=_SAMPLES)
    expected = throws / FACES
    statistics = ((drawn - expected) ** 2).sum(axis=1) / expected
    return float((statistics > critical()).mean())


def noticeable(throws: int) -> float | None:
    """The least chance, above 1/6, of a favoured face that would be noticed as surely as `SURE`.

    The other five faces share what is left equally. None if no bias would be noticed so surely.
    """
    if throws / FACES < _LEAST_EXPECTED:
        # With fewer the statistic is not distributed like chi-square.
        return None

    def found(favoured: float) -> bool:
        return power(throws, (favoured, *[(1 - favoured) / DEGREES] * DEGREES)) >= SURE

    return _first(found, 1 / FACES, 1.0, 1e-3) if found(1.0) else None
