"""How certain a die is: logistic regression on the evidence, fitted to rendered dice.

`scripts/fit_certainty.py` writes `certainty.json`.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any


@dataclass(frozen=True, slots=True)
class Model:
    """How much each piece of evidence counts.

    Attributes:
        weights: of the pieces, by name.
        best: log odds where all evidence is 0.
    """

    weights: Mapping[str, float]
    best: float

    def risk(self, evidence: Mapping[str, float]) -> float:
        """The probability that what the evidence speaks for is false."""
        odds = self.best + sum(weight * evidence[name] for name, weight in self.weights.items())
        return 1 / (1 + math.exp(odds))


@dataclass(frozen=True, slots=True)
class Certainty:
    """What a claim about a die requires.

    Attributes:
        lying: that it lies flat.
        value: that it then shows a value.
        risk: the most that both risks may add up to.
    """

    lying: Model
    value: Model
    risk: float


def read_certainty(raw: Mapping[str, Any]) -> Certainty:
    """Builds a `Certainty` from its JSON."""
    return Certainty(Model(**raw["lying"]), Model(**raw["value"]), raw["risk"])


@lru_cache(maxsize=2)
def certainty(known: bool) -> Certainty:
    """The one for pictures with known geometry, or without."""
    raw = json.loads(resources.files("vision.decide").joinpath("certainty.json").read_text("utf-8"))
    return read_certainty(raw["known" if known else "unknown"])
