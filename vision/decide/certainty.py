"""How certain a value is: logistic regression on what both networks, the pips and the top say.

`scripts/fit_certainty.py` fits it to rendered dice and writes `certainty.json`.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from vision.decide.flatness import TrayPlace
from vision.detect.detection import Detection

MANY = 4
"""Fewer pips may be what hands and cards leave to be seen of a larger value."""
WHOLE = 0.95
"""With geometry, edge of a top, and of what the pattern of a 2 or 3 belongs to, from which nothing
of it is missing, in edges."""
TENTH = 0.1
"""What is missing of a die counts in tenths of its edge."""
MOST_ODDS = 7.0
"""No network is believed more, as the logarithm of the odds."""


@dataclass(frozen=True, slots=True)
class Model:
    """A fitted model.

    Attributes:
        weights: of the evidence, by its name.
        best: logarithm of the odds where all evidence is 0.
        least: that a claim needs.
    """

    weights: Mapping[str, float]
    best: float
    least: float

    def odds(self, evidence: Mapping[str, float]) -> float:
        """Logarithm of the odds that a value is right."""
        return self.best + sum(weight * evidence[name] for name, weight in self.weights.items())


@lru_cache(maxsize=2)
def model(known: bool) -> Model:
    """The model for pictures with known geometry, or without."""
    raw = json.loads(resources.files("vision.decide").joinpath("certainty.json").read_text("utf-8"))
    return Model(**raw["known" if known else "unknown"])


def evidence(
    one: Detection, value: int, confidence: float, place: TrayPlace | None
) -> dict[str, float]:
    """What speaks for a value (more than 0) and against it, by its name.

    Args:
        one: the die.
        value: 1 to 6.
        confidence: the probability that the face classifier gives it.
        place: where the die lies, with geometry; None without.
    """
    pattern, few = one.lattice, value < MANY
    size = WHOLE if place is None else place.size
    narrow = 0.0
    if place is not None and pattern is not None and pattern.value == value and 1 < value < MANY:
        # What is left of a 6 and looks like a 3 makes the pattern of a smaller die.
        narrow = min(0.0, pattern.edge / one.edge * size - WHOLE) / TENTH
    return {
        "face": log_odds(confidence),
        "posture": log_odds(float(one.values[value])),
        "few": -float(few),
        "few, small": min(0.0, size - WHOLE) / TENTH if few else 0.0,
        "few, narrow": narrow,
        "more pips": -float(one.count > value or (pattern is not None and pattern.value > value)),
    }


def log_odds(probability: float) -> float:
    """Logarithm of the odds of a probability, between plus and minus `MOST_ODDS`."""
    inside = min(max(probability, 1e-9), 1 - 1e-9)
    return min(max(math.log(inside / (1 - inside)), -MOST_ODDS), MOST_ODDS)
