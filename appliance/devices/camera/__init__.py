"""Cameras: every source of frames behind one seam."""

from appliance.devices.camera.base import Camera
from appliance.devices.camera.open import open_camera

__all__ = ["Camera", "open_camera"]
