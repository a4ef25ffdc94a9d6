"""Opens a camera by name: a word, a colon and what that kind of camera needs."""

from collections.abc import Callable, Mapping
from pathlib import Path

from appliance.devices.camera.base import Camera
from appliance.devices.camera.files import PICTURES, PictureFile, PictureFolder, VideoFile
from appliance.devices.camera.mains import mains_hz
from appliance.devices.camera.network import NetworkCamera
from appliance.devices.camera.phone import PhoneCamera, PhoneLink
from appliance.devices.camera.pi import PiCamera
from appliance.devices.camera.spec import PHONE, STREAM_KINDS, parse_spec
from appliance.devices.camera.usb import V4L2Camera
from appliance.errors import CameraError


def open_camera(
    spec: str,
    locked: Mapping[str, float] | None = None,
    serve_phone: Callable[[], PhoneLink] | None = None,
) -> Camera:
    """Opens the camera that a text such as `file:throw.mp4` or `v4l2:0` names.

    It is locked to the values that calibration found, by control name; unknown names are ignored.
    For a phone, `serve_phone` serves the page that takes its pictures.

    Raises:
        CameraError: the text names no camera, or the camera cannot be opened.
    """
    wanted = parse_spec(spec)
    fps = wanted.fps or 30.0
    if wanted.kind == "pi":
        return PiCamera(wanted.size or (1536, 864), fps, locked)
    if wanted.kind in ("usb", "v4l2"):
        return V4L2Camera(
            wanted.where,
            wanted.size or (1280, 720),
            fps,
            locked=locked,
            mains=mains_hz(),
            view=wanted.view,
        )
    if wanted.kind in STREAM_KINDS:
        return NetworkCamera(wanted.where, view=wanted.view)
    if wanted.kind == PHONE:
        if serve_phone is None:
            raise CameraError("camera phone: expected a command that serves a page for it")
        return PhoneCamera(serve_phone())
    path = Path(wanted.where).expanduser()
    if wanted.kind == "dir":
        return PictureFolder(path, fps=fps, hold=wanted.hold or 1, view=wanted.view)
    if path.suffix.lower() in PICTURES:
        return PictureFile(path, hold=wanted.hold or 60, fps=fps, view=wanted.view)
    return VideoFile(path, wanted.view)
