"""Cameras: every source of frames behind one seam."""

from appliance.cameras.camera import Camera
from appliance.cameras.spec import open_camera

__all__ = ["Camera", "open_camera"]
