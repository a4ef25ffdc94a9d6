"""Cameras: every source of frames behind one port.

For example:

    from appliance.devices.camera import open_camera

    camera = open_camera(source)  # such as pi, v4l2:0, dir:pictures or file:throw.mp4
    for frame in camera.frames():
        print(frame.index, frame.time_s, frame.image.shape)
    camera.close()
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from appliance.devices.camera.base import Camera
    from appliance.devices.camera.open import open_camera

__all__ = ["Camera", "open_camera"]

_PLACES = {"Camera": "base", "open_camera": "open"}


def __getattr__(name: str) -> object:
    """Loads what is used for the first time: who only reads a camera's name needs no OpenCV."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
    globals()[name] = found
    return found
