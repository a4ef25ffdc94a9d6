"""How certain a die is: logistic regression on the evidence, fitted to rendered dice.

`scripts/training/fit_certainty.py` writes `certainty.json`. Without geometry the dice are
anybody's, and photographs of such dice, fitted by `scripts/training/fit_photographs.py`, say how
often claims are wrong.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

from vision.decide.evidence import log_odds


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
    """The conditions for a claim about a die.

    Attributes:
        lying: that it lies flat.
        value: that it then shows a value.
        risk: the most that a claim may carry.
        photographs: how far both risks, as log odds, and pips that nobody counted speak for a
            claim about anybody's dice; None where the two risks add up.
    """

    lying: Model
    value: Model
    risk: float
    photographs: Model | None = None

    def total(self, lying: float, value: float = 0.0, uncounted: float = 0.0) -> float:
        """The risk of a claim: that the die does not lie flat, or shows another value.

        Args:
            lying: the risk of the former.
            value: the risk of the latter.
            uncounted: the evidence of `vision.decide.evidence.uncounted`.
        """
        if self.photographs is None:
            return lying + value
        return self.photographs.risk(photographs_evidence(lying, value, uncounted))


MAX_RISK_LOG_ODDS = 5.0
"""On photographs no risk counts for more than this, nor for less than its negative."""


def photographs_evidence(lying: float, value: float, uncounted: float) -> dict[str, float]:
    """Evidence for a claim without geometry; the arguments are those of `Certainty.total`."""
    return {
        "lying": _limited_log_odds(lying),
        "value": _limited_log_odds(value),
        "counted": uncounted,
    }


def _limited_log_odds(risk: float) -> float:
    """Log odds that what a risk is about does not happen."""
    return max(-MAX_RISK_LOG_ODDS, min(MAX_RISK_LOG_ODDS, log_odds(1 - risk)))


def read_certainty(raw: Mapping[str, Any]) -> Certainty:
    """Builds a `Certainty` from its JSON."""
    fitted = raw.get("photographs")
    photographs = None if fitted is None else Model(**fitted)
    return Certainty(Model(**raw["lying"]), Model(**raw["value"]), raw["risk"], photographs)


@lru_cache(maxsize=2)
def certainty(known: bool) -> Certainty:
    """The one for pictures with known geometry, or without."""
    raw = json.loads(resources.files("vision.decide").joinpath("certainty.json").read_text("utf-8"))
    return read_certainty(raw["known" if known else "unknown"])
