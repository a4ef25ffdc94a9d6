"""Plays for hours with faults of every kind, and looks whether anything grows."""

from appliance.simulator.soak.flatness import Sample, Verdict, judged
from appliance.simulator.soak.soaking import Soak

__all__ = ["Sample", "Soak", "Verdict", "judged"]
