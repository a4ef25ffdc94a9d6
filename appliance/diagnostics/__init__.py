"""Small checks of the appliance, each of one thing, for `dicetray doctor`."""

from appliance.diagnostics.base import Check, Finding, Level

__all__ = ["Check", "Finding", "Level"]
