"""USB cameras (UVC), whatever else Linux shows as /dev/video*, and webcams on other systems.

Exposure, white balance and focus are locked where the driver has controls for them; OpenCV
passes their values on unchanged (modules/videoio/src/cap_v4l.cpp), and returns -1 for those that
are missing. A camera without them keeps adjusting itself.

OpenCV's four buffers stay. It gives the driver a buffer back only when the next picture is asked
for (`grabFrame`, the same file): with one, the camera has nowhere to put the frames in between, and
every second is lost (LibreScanner/horus issue 60: 15 a second in place of 30). The newest picture
is read all the same: the reading thread does nothing but read, and keeps only the last.

With `CAP_PROP_CONVERT_RGB` off, `retrieve` copies the JPEG as the camera sent it, in one row of
bytes (`retrieveFrame`, the same file; so do 4.11.0, 4.14.0 and 5.0.0 on v4l2loopback).
"""

import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from appliance.devices.camera.compressed import Compressed, Decompressor
from appliance.devices.camera.controls import (
    FOCUS_ABSOLUTE,
    POWER_LINE_FREQUENCY,
    POWER_LINE_VALUES,
    Controls,
    DeviceControls,
)
from appliance.devices.camera.exposure import ExposureControl, ExposureRequest, Values
from appliance.devices.camera.listing import usb_id_of
from appliance.devices.camera.mains import whole_half_periods
from appliance.devices.camera.mode import MOTION_JPEG, Mode, Rate, code_of
from appliance.devices.camera.self_lock import (
    Expose,
    Focus,
    GiveUp,
    Lock,
    Order,
    SelfLock,
    is_incomplete,
)
from appliance.devices.camera.threaded import STALLED_AFTER_S, LiveCamera, Shot
from appliance.devices.camera.webcams import (
    BACKEND,
    HAS_CONTROLS,
    ask_for_permission,
    find_webcam,
    open_capture,
    why_not_opened,
)
from appliance.errors import CameraError
from vision.frame import Image
from vision.geometry.sight import Sight, Size, webcam_sight
from vision.image.numeric import light_of

_DEV = Path("/dev")

EXPOSURE_CONTROL = "exposure_time_absolute"  # in units of 100 microseconds
GAIN_CONTROL = "gain"
WHITE_BALANCE_CONTROL = "white_balance_temperature"
FOCUS_CONTROL = "focus_absolute"
"""The kernel's names of the locked controls."""

_PROPERTIES = {
    EXPOSURE_CONTROL: cv2.CAP_PROP_EXPOSURE,
    GAIN_CONTROL: cv2.CAP_PROP_GAIN,
    WHITE_BALANCE_CONTROL: cv2.CAP_PROP_WB_TEMPERATURE,
    FOCUS_CONTROL: cv2.CAP_PROP_FOCUS,
}
# Manual and aperture priority, V4L2_CID_EXPOSURE_AUTO.
_MANUAL_EXPOSURE = 1.0
_AUTOMATIC_EXPOSURE = 3.0
_MIN_GAIN_TO_RAISE = 8.0  # a lower gain is raised from here: it may be 0
_MAX_GAIN_STEP = 1.5  # gains have no common unit; largest factor that is requested at once
_LIGHT_OF_LEVEL = light_of(np.arange(256))
_SAMPLES_ACROSS = 80  # so many pixels of a row show how bright a picture is
_MAX_GARBLED_S = 1.0
"""Seconds without a picture that can be decoded after which the camera counts as failed. Single
ones come from a full bus or a bad cable, and as the first of a stream."""
_MAX_CUT = 5
"""Pictures in a row that are left out because their end is missing."""
_CHECK_INTERVAL_FRAMES = 10
"""Frames between two checks of the values of a camera that adjusts itself."""


class Capture(Protocol):
    """The part of `cv2.VideoCapture` that is used."""

    def isOpened(self) -> bool:  # noqa: N802
        """True if a device was opened."""

    def set(self, propId: int, value: float) -> bool:  # noqa: N803
        """Requests a value for a property."""

    def get(self, propId: int) -> float:  # noqa: N803
        """Returns the value of a property."""

    def grab(self) -> bool:
        """Waits for the data of a picture, ten seconds at most; False if the device fails."""

    def retrieve(self) -> tuple[bool, cv2.typing.MatLike]:
        """Decodes it, or hands over its data; False if it is no picture."""

    def release(self) -> None:
        """Closes the device."""


class V4L2Camera(LiveCamera, ExposureControl):
    """A V4L2 camera.

    Args:
        device: its number or path: `0`, `/dev/video0`, `/dev/v4l/by-id/...`.
        size: width and height to ask for, pixels; the camera may deliver another size.
        fps: frames a second to ask for.
        stall_s: seconds without a picture that count as a stall.
        capture: opens a device with OpenCV.
        clock: monotonic seconds.
        dev: folder of the devices.
        locked: values to lock the camera to, by the names above; without any it adjusts itself
            for two seconds, and is then locked as it is.
        mains: frequency of the mains, hertz, by which lamps flicker; 0 if it is not known.
        controls: of the device, by number; by default by ioctl.
        view: angle of view across the diagonal, degrees; None if nobody has given it.
        usb_id: finds the numbers of maker and product of a device, such as `046d:0825`.

    Attributes:
        stays_set: whether it is left as it is set when it is closed, for a program that goes on
            with it; otherwise it adjusts itself again.

    Raises:
        CameraError: there is no such device.
    """

    stays_set = False

    def __init__(
        self,
        device: str,
        size: tuple[int, int] = (1280, 720),
        fps: float = 30.0,
        stall_s: float = STALLED_AFTER_S,
        capture: Callable[[str, int], Capture] = open_capture,
        clock: Callable[[], float] = time.monotonic,
        dev: Path = _DEV,
        locked: Values | None = None,
        mains: int = 0,
        controls: Callable[[Path], Controls] = DeviceControls,
        view: float | None = None,
        usb_id: Callable[[Path], str] = usb_id_of,
    ) -> None:
        path = find_webcam(device, dev)
        ask_for_permission(path)
        brighter = Brighter(float(round(10_000 / fps)), mains)
        kept = {k: v for k, v in (locked or {}).items() if k in _PROPERTIES}
        ExposureControl.__init__(self, kept, brighter, darker)

        self._device: _V4L2Device | None = None

        def make() -> _V4L2Device:
            self._device = _V4L2Device(
                path,
                size,
                fps,
                capture,
                clock,
                self,
                brighter,
                controls(Path(path)),
                lambda size: webcam_sight(usb_id(Path(path)), size, view),
                lambda: self._closed and not self.stays_set,
            )
            return self._device

        LiveCamera.__init__(self, f"v4l2:{device}", make, stall_s)

    @property
    def mode(self) -> Mode | None:
        """How it delivers its pictures; None before the first."""
        return None if self._device is None else self._device.mode


def darker(seen: Values, share: float) -> Values:
    """Exposure for a share of the light; gains have no unit. Empty where it cannot be set."""
    return (
        {EXPOSURE_CONTROL: float(max(1, round(seen[EXPOSURE_CONTROL] * share)))}
        if EXPOSURE_CONTROL in seen
        else {}
    )


class Brighter:
    """Splits a change of light: exposure up to the frame time, then gain if there is one.

    Args:
        longest: exposure, in units of 100 microseconds.
        mains: frequency of the mains, of whose half periods exposures are whole ones; 0 for any.

    Attributes:
        most_gain: highest gain to request; drivers reveal it only once more was requested.
    """

    def __init__(self, longest: float, mains: int = 0) -> None:
        self._longest, self.mains = longest, mains
        if mains:
            half = 10_000 / (2 * mains)
            self._longest = max(half, longest // half * half)
        self.most_gain = math.inf
        self._usual: float | None = None  # gain before it was raised

    def __call__(self, seen: Values, factor: float) -> Values:
        """Exposure or gain for this factor of light; empty where neither can be set."""
        if EXPOSURE_CONTROL not in seen:
            return {}
        exposure, gain = seen[EXPOSURE_CONTROL], seen.get(GAIN_CONTROL)
        if gain is not None and factor > 1 and exposure >= self._longest:
            self._usual = gain if self._usual is None else min(gain, self._usual)
            more = float(round(max(gain, _MIN_GAIN_TO_RAISE) * min(factor, _MAX_GAIN_STEP)))
            return {GAIN_CONTROL: min(more, self.most_gain)}
        if gain is not None and factor < 1 and self._usual is not None and gain > self._usual:
            # Reduce the noise first.
            return {
                GAIN_CONTROL: float(round(max(self._usual, gain * max(factor, 1 / _MAX_GAIN_STEP))))
            }
        wanted = min(max(exposure * factor, 1.0), self._longest)
        return {EXPOSURE_CONTROL: float(round(self.flickerless(wanted)))}

    def flickerless(self, exposure: float) -> float:
        """The nearest exposure in which lamps on the mains do not flicker."""
        return whole_half_periods(exposure, self.mains) if self.mains else exposure


class _V4L2Device:
    def __init__(
        self,
        path: str,
        size: tuple[int, int],
        fps: float,
        capture: Callable[[str, int], Capture],
        clock: Callable[[], float],
        exposure: ExposureControl,
        brighter: Brighter,
        controls: Controls,
        sight: Callable[[Size], Sight | None],
        gives_back: Callable[[], bool],
    ) -> None:
        self._gives_back = gives_back
        self._path, self._size, self._fps = path, size, fps
        self._find_sight = sight
        self._sights: dict[Size, Sight | None] = {}
        self._make, self._clock, self._exposure = capture, clock, exposure
        self._brighter, self._controls = brighter, controls
        self._rate = Rate()
        self._self_lock: SelfLock | None = None
        self.mode: Mode | None = None
        self._done = -1  # the number of the last request that was carried out
        self._taken = 0
        self._decompressor = Decompressor()
        self._cut = 0  # pictures in a row whose end is missing
        self._garbled_s: float | None = None  # since when nothing could be decoded
        self._capture: Capture | None = None

    def open(self) -> None:
        capture = self._capture = self._make(self._path, BACKEND)
        if not capture.isOpened():
            raise why_not_opened(self._path)
        # Raw pictures of this size do not fit through USB 2 at 30 a second.
        capture.set(cv2.CAP_PROP_FOURCC, float(cv2.VideoWriter.fourcc(*"MJPG")))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, float(self._size[0]))
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, float(self._size[1]))
        capture.set(cv2.CAP_PROP_FPS, self._fps)
        if HAS_CONTROLS and code_of(capture.get(cv2.CAP_PROP_FOURCC)) == MOTION_JPEG:
            capture.set(cv2.CAP_PROP_CONVERT_RGB, 0.0)
        if self._brighter.mains:
            value = POWER_LINE_VALUES[self._brighter.mains]
            self._controls.set(POWER_LINE_FREQUENCY, value)
        request = self._exposure.request()[1]
        if HAS_CONTROLS:
            _end_what_others_have_set(capture, request)
        if HAS_CONTROLS and request is None:
            moves = capture.get(cv2.CAP_PROP_FOCUS) >= 0
            self._self_lock = SelfLock(self._controls.range(FOCUS_ABSOLUTE) if moves else None)

    def grab(self) -> Shot:
        if self._capture is None:
            raise CameraError(f"{self._path}: not open")
        self._carry_out_request(self._capture)
        picture, time_s = self._next_picture(self._capture)
        whole = picture if isinstance(picture, Compressed) else None
        seen = picture.small if isinstance(picture, Compressed) else picture
        size = (seen.shape[1], seen.shape[0]) if whole is None else whole.size
        # The driver says what was requested, not what a frame was taken with: pictures show it.
        step = max(1, seen.shape[1] // _SAMPLES_ACROSS)
        light = float(_LIGHT_OF_LEVEL[seen[::step, ::step]].mean())
        exposure = self._exposure.exposure_of(light, False)
        self._rate.note(time_s)
        if self._taken % _CHECK_INTERVAL_FRAMES == 0 or self.mode is None:
            self.mode = self._look_up_mode(self._capture, size)
        self._taken += 1
        if self._self_lock is not None:
            make = (lambda: seen) if whole is None else whole.decode
            self._obey(self._capture, self._self_lock.see(time_s, light, make))
        if size not in self._sights:
            self._sights[size] = self._find_sight(size)
        return Shot(seen, time_s, None, exposure, self._sights[size], whole)

    def _next_picture(self, capture: Capture) -> tuple[Image | Compressed, float]:
        """The next picture that can be decoded, and when its data had come."""
        while True:
            if not capture.grab():
                found = f"{self._path}: no picture came"
                if self._taken:
                    raise CameraError(found, "the camera was unplugged or has stalled")
                # The kernel says ENOSPC where other cameras have taken the bus.
                raise CameraError(
                    found,
                    "take other cameras off this USB hub, or use another port; a virtual camera "
                    "needs its own program to run",
                )
            time_s = self._clock()
            picture = self._retrieve(capture)
            if picture is not None:
                # What always ends like that is no camera's, but has pictures.
                self._cut = self._cut + 1 if _is_cut(picture) else 0
                if 0 < self._cut <= _MAX_CUT:
                    continue
                self._garbled_s = None
                return picture, time_s
            if self._garbled_s is None:
                self._garbled_s = time_s
            elif time_s - self._garbled_s >= _MAX_GARBLED_S:
                raise CameraError(
                    f"{self._path}: expected pictures, found data for {_MAX_GARBLED_S:g} s "
                    "that cannot be decoded",
                    "try another USB port or cable, without a hub",
                )

    def _retrieve(self, capture: Capture) -> Image | Compressed | None:
        """The picture that has come; None if its data cannot be decoded."""
        try:
            delivered, found = capture.retrieve()
            if not delivered or found is None or not found.size:
                return None
            # OpenCV makes new memory each time: this copies only what is no plain picture.
            if found.ndim == 3:
                return np.ascontiguousarray(found[:, :, :3], np.uint8)
            if len(found) == 1:
                return self._decompressor.take(np.asarray(found, np.uint8))
            return np.asarray(cv2.cvtColor(found, cv2.COLOR_GRAY2BGR), np.uint8)
        except cv2.error:
            return None

    def _carry_out_request(self, capture: Capture) -> None:
        """Carries out the latest request if it is new; reports what the camera does."""
        number, request = self._exposure.request()
        if request is None:
            return
        if not HAS_CONTROLS:
            self._exposure.report({})
            return
        if number != self._done:
            self._done = number
            _pass_request_on(capture, request)
        elif not request.automatic or self._taken % _CHECK_INTERVAL_FRAMES:
            return
        seen = self._report(capture)
        if 0 <= seen.get(GAIN_CONTROL, -1) < request.fixed.get(GAIN_CONTROL, 0):
            self._brighter.most_gain = seen[GAIN_CONTROL]

    def _report(self, capture: Capture) -> Values:
        """The values that the camera says it uses; also passed on to whom they may concern."""
        reported = {name: capture.get(prop) for name, prop in _PROPERTIES.items()}
        # A gain of 0 is valid.
        seen = {k: v for k, v in reported.items() if v > 0 or (v == 0 and k == GAIN_CONTROL)}
        self._exposure.report(seen)
        return seen

    def _obey(self, capture: Capture, order: Order | None) -> None:
        """Does what locking a camera that nobody has set takes."""
        if isinstance(order, Lock):
            seen = dict(self._report(capture))
            # Where the lens is, many cameras do not know: it stays, with autofocus off.
            seen.pop(FOCUS_CONTROL, None)
            if EXPOSURE_CONTROL in seen:
                whole = self._brighter.flickerless(seen[EXPOSURE_CONTROL])
                seen[EXPOSURE_CONTROL] = float(round(whole))
            self._exposure.report(seen)
            self._exposure.settle()
        elif isinstance(order, Expose):
            factor = order.factor
            self._exposure.settle_anew(lambda now: {**now, **self._brighter(now, factor)})
        elif isinstance(order, GiveUp):
            self._exposure.settle_anew(lambda _: None)
        elif isinstance(order, Focus):
            value = order.value
            self._exposure.settle_anew(lambda now: {**now, FOCUS_CONTROL: value})

    def _look_up_mode(self, capture: Capture, size: tuple[int, int]) -> Mode:
        by_itself = capture.get(cv2.CAP_PROP_AUTO_EXPOSURE)
        focuses = capture.get(cv2.CAP_PROP_AUTOFOCUS)
        return Mode(
            size,
            code_of(capture.get(cv2.CAP_PROP_FOURCC)),
            self._rate.per_second,
            None if by_itself <= 0 else by_itself == _MANUAL_EXPOSURE,
            None if focuses < 0 else focuses == 0,
            self._size,
            self._fps,
        )

    def close(self) -> None:
        if self._capture is not None:
            if HAS_CONTROLS and self._gives_back():
                # Others want a camera that adjusts itself; it would stay set until it is unplugged.
                _pass_request_on(self._capture, ExposureRequest({}, True))
            self._capture.release()
            self._capture = None


def _is_cut(picture: Image | Compressed) -> bool:
    if isinstance(picture, Compressed):
        cut = is_incomplete(picture.small, picture.block_px)
        return cut and is_incomplete(picture.decode())
    return is_incomplete(picture)


def _end_what_others_have_set(capture: Capture, request: ExposureRequest | None) -> None:
    """Lets a camera adjust itself that an earlier program has set: it stays so until unplugged.

    Some take a new exposure only when they are switched to manual (PhotonVision issue 1771).
    """
    if capture.get(cv2.CAP_PROP_AUTO_EXPOSURE) == _MANUAL_EXPOSURE:
        capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, _AUTOMATIC_EXPOSURE)
    if request is None:
        for control in (cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_AUTOFOCUS):
            if capture.get(control) == 0:
                capture.set(control, 1.0)


def _pass_request_on(capture: Capture, request: ExposureRequest) -> None:
    """Passes a request on; setting a missing control fails, which changes nothing."""
    fixed = request.fixed
    if EXPOSURE_CONTROL in fixed:
        capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL_EXPOSURE)
    elif request.automatic:
        capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, _AUTOMATIC_EXPOSURE)
    if not request.automatic:
        capture.set(cv2.CAP_PROP_AUTO_WB, 0.0)
        capture.set(cv2.CAP_PROP_AUTOFOCUS, 0.0)
    elif not fixed:
        capture.set(cv2.CAP_PROP_AUTO_WB, 1.0)
        capture.set(cv2.CAP_PROP_AUTOFOCUS, 1.0)
    for name, value in fixed.items():
        capture.set(_PROPERTIES[name], value)
