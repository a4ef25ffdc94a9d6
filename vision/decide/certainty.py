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
    """What pieces of evidence are worth.

    Attributes:
        weights: of each, by its name.
        best: logarithm of the odds where all evidence is 0.
    """

    weights: Mapping[str, float]
    best: float

    def risk(self, evidence: Mapping[str, float]) -> float:
        """The probability that what the evidence is about is not so."""
        odds = self.best + sum(weight * evidence[name] for name, weight in self.weights.items())
        return 1 / (1 + math.exp(odds))


@dataclass(frozen=True, slots=True)
class Certainty:
    """What is asked of a die for a claim.

    Attributes:
        lying: that it lies flat.
        value: that it then shows a value.
        risk: most that both may be risked together.
    """

    lying: Model
    value: Model
    risk: float


def read_certainty(raw: Mapping[str, Any]) -> Certainty:
    """What was written of one."""
    return Certainty(Model(**raw["lying"]), Model(**raw["value"]), raw["risk"])


@lru_cache(maxsize=2)
def certainty(known: bool) -> Certainty:
    """That for pictures with known geometry, or without."""
    raw = json.loads(resources.files("vision.decide").joinpath("certainty.json").read_text("utf-8"))
    return read_certainty(raw["known" if known else "unknown"])
