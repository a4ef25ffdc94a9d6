"""Checks of the camera and of the profile that belongs to it."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing

import numpy as np

from appliance.devices.camera import Camera
from appliance.devices.camera.address import MOVE_PASSWORD, passwords_in, spoken
from appliance.devices.camera.listing import ListedCamera, list_cameras
from appliance.devices.camera.mode import Mode
from appliance.devices.camera.self_lock import ADJUSTS_S
from appliance.diagnostics.base import Finding, Level, busy
from appliance.errors import CameraError
from calibration.markers.lens import USUAL_DISTANCE_MM, is_bought, known_camera
from calibration.markers.webcams import webcam_of
from vision.errors import OtherView
from vision.frame import Frame
from vision.geometry.profile import Profile

_SUBJECT = "camera"
_FRAMES_TO_ASSESS = 10
SETTLED_AFTER_S = ADJUSTS_S + 2.0
"""Seconds after which a USB camera that nobody has calibrated has locked itself."""
_MIN_MEAN_LEVEL = 25.0
_MAX_MEAN_LEVEL = 235.0
"""Mean grey levels (of 255) outside which no dice can be read."""


def check_camera(
    source: str,
    open_camera: Callable[[str], Camera],
    profile: Profile | None = None,
    listed: Callable[[], Sequence[ListedCamera]] = list_cameras,
) -> Iterator[Finding]:
    """Checks that the camera delivers pictures that change, show something, and fit the profile."""
    try:
        with closing(open_camera(source)) as camera:
            seen = _look(camera, _FRAMES_TO_ASSESS)
            mode = getattr(camera, "mode", None)
    except CameraError as error:
        yield unopened_camera_finding(error)
        yield from others_there(source, listed())
        return
    yield assess_frames(source, seen)
    yield from assess_mode(mode)
    yield from lasting_name(source, listed())
    if seen:
        yield from assess_sight(seen[-1])
        yield from check_sight(seen[-1], profile)


def _look(camera: Camera, frames: int) -> list[Frame]:
    """The last of its frames; a USB camera needs a while until it has locked itself."""
    seen = deque[Frame](maxlen=frames)
    begun_s: float | None = None
    for count, frame in enumerate(camera.frames(), 1):
        seen.append(frame)
        begun_s = frame.time_s if begun_s is None else begun_s
        settled = not hasattr(camera, "mode") or frame.time_s - begun_s >= SETTLED_AFTER_S
        if count >= frames and settled:
            break
    return list(seen)


def assess_mode(mode: Mode | None) -> Iterator[Finding]:
    """How a USB camera delivers its pictures, and what is not as it was asked for."""
    if mode is None:
        return
    faults = " ".join(mode.faults)
    level = Level.NOTE if faults else Level.OK
    yield Finding(_SUBJECT, level, mode.text, faults)


def open_password(source: str) -> Iterator[Finding]:
    """Notes a camera's password in the configuration itself, where others may read it."""
    if passwords_in(source)[1]:
        text = "its password stands in the configuration, where others can read it"
        yield Finding(_SUBJECT, Level.NOTE, text, MOVE_PASSWORD)


def lasting_name(source: str, listed: Sequence[ListedCamera]) -> Iterator[Finding]:
    """The name of a camera that stays its own, where it was named by a number."""
    device, mark, options = source.partition("?")
    kind, _, where = device.partition(":")
    number = where.removeprefix("/dev/video")
    if kind not in ("usb", "v4l2") or not number.isdecimal():
        return
    for camera in listed:
        if camera.number == int(number) and not camera.spec.endswith(f":{number}"):
            text = f"{camera.name} may be another number after the next start"
            advice = f'name it source = "{camera.spec}{mark}{options}" under [camera]'
            yield Finding(_SUBJECT, Level.NOTE, text, advice)


def others_there(source: str, listed: Sequence[ListedCamera]) -> Iterator[Finding]:
    """The cameras that could be named in place of one that gives nothing."""
    tried = source.partition("?")[0]
    for camera in listed:
        if tried not in (camera.spec, f"v4l2:{camera.number}", f"usb:{camera.number}"):
            where = " in the lid" if camera.built_in else ""
            text = f"{camera.name} is there{where}"
            advice = f'name it source = "{camera.spec}" under [camera]'
            yield Finding(_SUBJECT, Level.NOTE, text, advice)


def unopened_camera_finding(error: CameraError) -> Finding:
    """The finding for a camera that cannot be opened, or has stopped."""
    if error.busy:
        return busy(_SUBJECT, "the camera")
    return Finding(_SUBJECT, Level.WRONG, error.found, error.advice)


def assess_frames(source: str, seen: Sequence[Frame]) -> Finding:
    """The finding on a camera from a few of its frames."""
    if not seen:
        return Finding(
            _SUBJECT, Level.WRONG, f"{spoken(source)} gave no picture", "look at its cable"
        )
    height, width = seen[-1].image.shape[:2]
    grey = float(seen[-1].image.mean())
    text = f"{spoken(source)} gives {width:d}x{height:d} pictures"
    if len(seen) > 2 and all(np.array_equal(seen[0].image, f.image) for f in seen[1:]):
        wrong = "but always the same"
        advice = "plug it in again; so does a picture file as the camera"
    elif grey < _MIN_MEAN_LEVEL:
        wrong = f"almost black (mean {grey:.0f} of 255)"
        advice = "switch the light on; take the cap off the lens"
    elif grey > _MAX_MEAN_LEVEL:
        wrong = f"almost white (mean {grey:.0f} of 255)"
        advice = "less light, or calibrate again: `dicetray calibrate`"
    else:
        return Finding(_SUBJECT, Level.OK, f"{text}, mean {grey:.0f} of 255")
    return Finding(_SUBJECT, Level.WRONG, f"{text}, {wrong}", advice)


def assess_sight(frame: Frame) -> Iterator[Finding]:
    """Findings from a frame on how much its camera sees, if it can say that."""
    sight = frame.sight
    if sight is None:
        return
    camera = known_camera(sight)
    if sight.degrees is not None:
        yield Finding(_SUBJECT, Level.OK, f"it sees {sight.degrees:g} degrees, as ?view= says")
    elif webcam := webcam_of(sight):
        yield Finding(_SUBJECT, Level.OK, f"it is a {webcam.name}, whose lens is known")
    elif camera is None:
        text = f"the lens of {sight.model:s} is not known, so places are less exact"
        advice = "docs/building.md lists the cameras that are"
        if sight.model.startswith("usb "):
            advice = "add its angle across the diagonal to the camera's name: ?view=78"
        elif is_bought(sight):
            advice = "name its focal length in millimetres under [camera], as in pi:?lens=6"
        yield Finding(_SUBJECT, Level.NOTE, text, advice)
    else:
        across, down = camera.degrees_of(sight.part)
        text = f"{camera.name:s} sees {across:.0f} × {down:.0f} degrees"
        if camera.sharp_from_mm > USUAL_DISTANCE_MM:
            away = f"{camera.sharp_from_mm / 1000:g} m"
            advice = f"it is sharp from {away} on; take a Camera Module 3"
            yield Finding(_SUBJECT, Level.WRONG, f"{text}, but not sharply so near", advice)
        else:
            yield Finding(_SUBJECT, Level.OK, text)
    if sight.is_cropped(frame.size):
        advice = "leave fps out of [camera] and restart; if it stays, it needs to hang higher"
        yield Finding(_SUBJECT, Level.WRONG, f"pictures show only a part: {sight}", advice)


def check_sight(frame: Frame, profile: Profile | None) -> Iterator[Finding]:
    """Checks that a frame is like those that calibration was made with, where that is known."""
    if profile is None:
        return
    try:
        profile.check_view(frame.size, frame.sight)
    except OtherView as error:
        yield Finding("profile", Level.WRONG, str(error), "`dicetray calibrate`")
