"""How likely a reading is wrong: curves fitted to rendered dice, one for each piece of evidence.

The logarithm of the odds that all is well is the sum of the curves' heights, each of which rises
with its evidence. `scripts/fit_certainty.py` makes the file, and chooses the limits.

Source: T. Hastie and R. Tibshirani, Generalized additive models, Statistical Science 1 (1986),
297-310; limits as in Y. Geifman and R. El-Yaniv, Selective classification for deep neural
networks, NIPS 2017.
"""

import math
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Curve = tuple[tuple[float, ...], tuple[float, ...]]
"""Places, and the height at each, of a line with bends; level beyond its ends."""


@dataclass(frozen=True, slots=True)
class Curves:
    """What evidence is worth.

    Attributes:
        limit: the highest risk of what is claimed.
        best: logarithm of the odds where all evidence is as good as can be.
        heights: below that, by name of the evidence.
    """

    limit: float
    best: float
    heights: Mapping[str, Curve]

    def risk(self, evidence: Mapping[str, float]) -> float:
        """The probability that it is not as it seems."""
        falls = (_height(evidence[name], *curve) for name, curve in self.heights.items())
        return 1 / (1 + math.exp(self.best + sum(falls)))

    def allow(self, evidence: Mapping[str, float]) -> bool:
        """Whether the risk is low enough for a claim."""
        return self.risk(evidence) <= self.limit


def curves_of(raw: Mapping[str, Any]) -> Curves:
    """As they are written in the file."""
    heights = {
        name: (tuple(place for place, _ in points), tuple(height for _, height in points))
        for name, points in raw["curves"].items()
    }
    return Curves(raw["limit"], raw["best"], heights)


def _height(place: float, places: tuple[float, ...], heights: tuple[float, ...]) -> float:
    k = bisect_right(places, place)
    if k in (0, len(places)):
        return heights[max(k - 1, 0)]
    share = (place - places[k - 1]) / (places[k] - places[k - 1])
    return heights[k - 1] + share * (heights[k] - heights[k - 1])
