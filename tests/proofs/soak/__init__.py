"""Plays for hours with faults of every kind, and checks whether anything grows."""

from tests.proofs.soak.flatness import Sample, Verdict, assess
from tests.proofs.soak.soaking import Soak

__all__ = ["Sample", "Soak", "Verdict", "assess"]
