"""Small checks of the appliance, each of one thing, for `dicetray doctor`."""

from appliance.diagnostics.base import Finding, Level, Probe

__all__ = ["Finding", "Level", "Probe"]
