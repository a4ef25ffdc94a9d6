"""Cameras: every source of frames behind one port.

For example:

    from appliance.devices.camera import open_camera

    camera = open_camera(source)  # such as pi, v4l2:0, dir:pictures or file:throw.mp4
    for frame in camera.frames():
        print(frame.index, frame.time_s, frame.image.shape)
    camera.close()
"""

from appliance.devices.camera.base import Camera
from appliance.devices.camera.open import open_camera

__all__ = ["Camera", "open_camera"]
