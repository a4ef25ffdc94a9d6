"""What the faces thrown so far say of a die."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from appliance.rules.game import DieKind, Face
from appliance.stats.chi_square import FACES, critical, noticeable, statistic, tail

NUMBERS: tuple[Face, ...] = (1, 2, 3, 4, 5, 6)
POWER: tuple[Face, ...] = ("1", "2", "3", "double", "freeze", "power")

ENOUGH = 30
"""Throws below which nothing is said: every face must be expected five times."""


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
        """What was thrown, and how often."""
        whose = f" ({self.whose})" if self.whose else ""
        return f"{self.kind} dice{whose}, {self.throws} thrown"

    @property
    def throws(self) -> int:
        """How often dice of this kind were thrown."""
        return sum(self.counts)

    def verdict(self) -> str:
        """One or two sentences that claim no more than the numbers do."""
        if self.throws < ENOUGH:
            return f"too few throws to tell: {ENOUGH - self.throws} more are needed"
        like = "unlike" if self.statistic > critical() else "as"
        first = f"{like} fair dice: those differ as much in {_share(self.chance)} of such samples"
        if self.noticeable is None:
            return first
        return (
            f"{first}; a face that comes {_share(self.noticeable)} of the time in place of "
            f"{_share(1 / FACES)} would be noticed four times out of five"
        )


def _share(chance: float) -> str:
    percent = 100 * chance
    return f"{percent:.1f} %" if percent >= 0.1 else "under 0.1 %"


def fairness(counts: Mapping[DieKind, Counter[Face]], whose: str = "") -> tuple[Fairness, ...]:
    """The report, a kind of die each, in the order of `DieKind`."""
    found = []
    for kind in filter(counts.__contains__, DieKind):
        faces = POWER if kind is DieKind.POWER else NUMBERS
        seen = tuple(counts[kind][face] for face in faces)
        x = statistic(seen)
        found.append(Fairness(kind, faces, seen, x, tail(x), noticeable(sum(seen)), whose))
    return tuple(found)
