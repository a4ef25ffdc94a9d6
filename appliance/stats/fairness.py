"""Fairness of a die by the faces thrown so far, tested with Pearson's chi-square.

Closed forms for odd degrees of freedom (Abramowitz and Stegun, Handbook of Mathematical Functions,
26.4.4), and how strong a bias the test would notice.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import erfc, exp, pi, sqrt

import numpy as np

from games.dice import FACES, POWER_FACES
from games.values import DieKind, Face

FACE_COUNT = 6
DEGREES_OF_FREEDOM = FACE_COUNT - 1
SIGNIFICANCE_LEVEL = 0.05
"""Share of fair dice that the test calls biased."""
NOTICEABLE_POWER = 0.8
"""The chance with which a bias that is called noticeable would be noticed."""

_MIN_EXPECTED_COUNT = 5.0
_POWER_SAMPLES = 5_000
_POWER_SEED = 20_250_101


def chi_square(counts: Sequence[int]) -> float:
    """Pearson's statistic against equal chances: the sum of (seen - expected)^2 / expected."""
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 for count in counts) / expected if expected else 0.0


def chi_square_tail(x: float, degrees: int = DEGREES_OF_FREEDOM) -> float:
    """The chance that chi-square with odd `degrees` of freedom exceeds `x`."""
    if x <= 0:
        return 1.0
    chance = erfc(sqrt(x / 2))
    term = sqrt(2 * x / pi) * exp(-x / 2)
    for odd in range(1, degrees - 1, 2):
        chance += term
        term *= x / (odd + 2)
    return min(1.0, chance)


@cache
def critical_statistic() -> float:
    """The statistic that a fair die exceeds with probability `SIGNIFICANCE_LEVEL`."""
    return _smallest_enough(lambda x: chi_square_tail(x) <= SIGNIFICANCE_LEVEL, 0.0, 200.0, 1e-9)


def _smallest_enough(
    enough: Callable[[float], bool], low: float, high: float, near: float
) -> float:
    """The smallest number that is enough, by bisection."""
    while high - low > near:
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def chance_to_notice(throws: int, chances: Sequence[float]) -> float:
    """The chance to notice that a die is biased.

    Counted over samples with a fixed seed: the usual non-central chi-square overstates it by up to
    four percentage points for one favoured face.
    """
    drawn = np.random.default_rng(_POWER_SEED).multinomial(throws, chances, size=_POWER_SAMPLES)
    expected = throws / FACE_COUNT
    statistics = ((drawn - expected) ** 2).sum(axis=1) / expected
    return float((statistics > critical_statistic()).mean())


@lru_cache(maxsize=64)
def smallest_noticeable_chance(throws: int) -> float | None:
    """The least chance of a favoured face that would be noticed with chance `NOTICEABLE_POWER`.

    It is above 1/6; the other five faces share what is left equally. None if no bias would be
    noticed that surely.
    """
    if throws / FACE_COUNT < _MIN_EXPECTED_COUNT:
        # With fewer, the statistic does not follow the chi-square distribution.
        return None

    def is_noticed(favoured: float) -> bool:
        others = [(1 - favoured) / DEGREES_OF_FREEDOM] * DEGREES_OF_FREEDOM
        return chance_to_notice(throws, (favoured, *others)) >= NOTICEABLE_POWER

    return _smallest_enough(is_noticed, 1 / FACE_COUNT, 1.0, 1e-3) if is_noticed(1.0) else None


MIN_THROWS = 30
"""Throws below which there is no verdict: every face must be expected five times."""


@dataclass(frozen=True, slots=True)
class Fairness:
    """How often each face of one kind of die was thrown; several of one colour count as one.

    `statistic` is Pearson's chi-square with 5 degrees of freedom, `chance` how often fair dice give
    one as large. A face with the chance `noticeable` would be noticed four times out of five; None
    while there are too few throws. `whose` says who threw.
    """

    kind: DieKind
    faces: tuple[Face, ...]
    counts: tuple[int, ...]
    statistic: float
    chance: float
    noticeable: float | None
    whose: str = ""

    @property
    def title(self) -> str:
        """The dice, and how often they were thrown."""
        whose = f" ({self.whose})" if self.whose else ""
        return f"{self.kind} dice{whose}, {self.throws} thrown"

    @property
    def throws(self) -> int:
        """How often dice of this kind were thrown."""
        return sum(self.counts)

    def verdict(self) -> str:
        """One or two sentences that claim no more than the numbers do."""
        if self.throws < MIN_THROWS:
            return f"too few throws to tell: {MIN_THROWS - self.throws} more are needed"
        if self.statistic > critical_statistic():
            return (
                "These dice do not look fair. Fair dice come out this uneven in "
                f"{_as_percent(self.chance)} of such series."
            )
        fair = "These dice look fair."
        if self.noticeable is None:
            return fair
        return (
            f"{fair} With this many throws, a face that comes up {_as_percent(self.noticeable)} of "
            f"the time instead of {_as_percent(1 / FACE_COUNT)} would probably "
            f"({_as_percent(NOTICEABLE_POWER)}) have been noticed."
        )


def _as_percent(chance: float) -> str:
    percent = 100 * chance
    if percent < 0.1:
        return "under 0.1 %"
    return f"{percent:.0f} %" if percent >= 10 else f"{percent:.1f} %"


def fairness(counts: Mapping[DieKind, Counter[Face]], whose: str = "") -> tuple[Fairness, ...]:
    """The report, one entry for each kind of die, in the order of `DieKind`."""
    found = []
    for kind in filter(counts.__contains__, DieKind):
        faces = POWER_FACES if kind is DieKind.POWER else FACES
        seen = tuple(counts[kind][face] for face in faces)
        x = chi_square(seen)
        found.append(
            Fairness(
                kind,
                faces,
                seen,
                x,
                chi_square_tail(x),
                smallest_noticeable_chance(sum(seen)),
                whose,
            )
        )
    return tuple(found)
