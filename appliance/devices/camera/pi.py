"""Raspberry Pi cameras through picamera2.

Two streams of each frame are requested: the full picture and a small one for the watcher. Focus,
exposure and white balance are locked, to given values or to those found during a short warm-up:
adjustments while dice roll would look like movement.

picamera2 comes from the system packages and is imported only when such a camera is opened. Its
calls are documented in the Picamera2 Manual (https://datasheets.raspberrypi.com/camera/
picamera2-manual.pdf): `create_video_configuration`, `capture_request`, `make_array`,
`get_metadata`, `release`, and the controls of its appendix C. `set_controls` rejects a whole
dictionary if the camera does not advertise one of its controls (picamera2/controls.py), so only
those in `camera_controls` are set.

Two of its quirks need care. Waiting for a request without a time limit never ends once frames
stop, as they do when the ribbon cable moves, and neither does a `stop` after it:
`cancel_all_and_flush` clears the way. And a constructor that fails leaves descriptors open: it is
called only when libcamera lists a camera and lets us acquire it.

The pictures show all that the sensor sees (`sensor_mode.py` says how, and where they cannot).
What each of them shows is taken from its own metadata.
"""

import gc
import inspect
import logging
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from threading import Lock
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from appliance.devices.camera.connectors import Connectors
from appliance.devices.camera.exposure import ExposureControl, ExposureRequest, Values
from appliance.devices.camera.held import Held, Range
from appliance.devices.camera.sensor_mode import (
    USUAL_SIZE,
    SensorMode,
    modes_of,
    pictures_of,
    widest_mode,
)
from appliance.devices.camera.threaded import STALLED_AFTER_S, LiveCamera, Shot, stalled_error
from appliance.errors import CameraError, CameraStalled
from vision.frame import Image
from vision.geometry.sight import Sight

_log = logging.getLogger(__name__)

_IN_USE = Lock()
"""Held from opening to closing: picamera2 cannot open a camera while it is still closing one."""
_MAX_CLOSING_S = 3.0  # time that an earlier use gets to end; after that its driver hangs

_WARM_UP_FRAMES = 45
"""Frames that automatic focus, exposure and white balance get before they are locked."""
_MAX_WARM_UP_FRAMES = 150  # the same while autofocus is still searching
_AF_STATE_SCANNING = 1  # libcamera's control_ids

_SMALL_WIDTH_PX = 320  # a multiple of 64, which YUV 4:2:0 rows are aligned to

BUFFERS = 3
"""One is filled, one waits, one is copied; each is 8 MB, a lot where 512 are all there is.

Fewer drop frames: picamera2's pull request 80 recommends two, or better three.
"""

EXPOSURE_CONTROL = "ExposureTime"  # microseconds
GAIN_CONTROL = "AnalogueGain"  # a factor
LENS_CONTROL = "LensPosition"  # dioptres
RED_CONTROL = "ColourGains[0]"
BLUE_CONTROL = "ColourGains[1]"
"""The two gains of one control."""

_EXPOSURE_MODES = ("ExposureTimeMode", "AnalogueGainMode")
_AUTOMATIC, _MANUAL = 0, 1  # libcamera's control_ids_core.yaml

_OPENINGS_BEFORE_NEW_LIST = 15
"""About half a minute of attempts (`_MAX_RETRY_WAIT_S` in threaded.py) without any camera."""

_MAX_CALM_EXPOSURE_US = 10_000.0
"""Exposure that is exceeded only when gain no longer helps: a whole number of flicker periods of
lamps on 50 Hz mains, and short enough for dice coming to rest not to smear."""
_MIN_EXPOSURE_US = 60.0
_MAX_GAIN = 8.0  # more is noise; beyond it exposure grows up to the frame time


def shared(light: float, frame_us: float) -> tuple[float, float]:
    """Splits light into an exposure (microseconds) and a gain (a factor) whose product it is.

    Args:
        light: microseconds at a gain of 1.
        frame_us: duration of a frame, which no exposure can exceed.
    """
    calm = min(_MAX_CALM_EXPOSURE_US, frame_us)
    gain = min(max(light / calm, 1.0), _MAX_GAIN)
    exposure = min(max(light / gain, _MIN_EXPOSURE_US), frame_us)
    return float(round(exposure)), round(gain, 3)


def values_of(metadata: Mapping[str, Any]) -> dict[str, float]:
    """The lockable values that a frame was taken with.

    Digital gain, of which there is none once everything is fixed, counts as analogue gain, so that
    locked pictures are as bright as those before.
    """
    values = {}
    if EXPOSURE_CONTROL in metadata and GAIN_CONTROL in metadata:
        values[EXPOSURE_CONTROL] = float(metadata[EXPOSURE_CONTROL])
        values[GAIN_CONTROL] = float(metadata[GAIN_CONTROL]) * float(
            metadata.get("DigitalGain", 1.0)
        )
    if "ColourGains" in metadata:
        values[RED_CONTROL], values[BLUE_CONTROL] = (
            float(gain) for gain in metadata["ColourGains"]
        )
    if LENS_CONTROL in metadata:
        values[LENS_CONTROL] = float(metadata[LENS_CONTROL])
    return values


class Request(Protocol):
    """The part of picamera2's `CompletedRequest` that is used."""

    def make_array(self, name: str) -> NDArray[np.uint8]:
        """A copy of a stream's picture."""

    def get_metadata(self) -> Mapping[str, Any]:
        """The camera's own data on the frame."""

    def release(self) -> None:
        """Gives the buffers back to the camera."""


class PiCamera(LiveCamera, ExposureControl):
    """A camera on the Pi's own camera connector.

    Args:
        size: width and height of the full picture, pixels; width a multiple of 32. None for what
            suits the camera.
        fps: frames a second.
        locked: values to lock the camera to, by the names above; empty for what the warm-up finds.
        stall_s: seconds without a picture that count as a stall.
        load: imports a module; a parameter so that tests can do without picamera2.
        wait: waits a number of seconds.
        lens_mm: focal length of a bought lens; None if nobody has given it.
        camera: which one to use, a number or a sensor's name, if nobody has chosen at the board.
        connectors: which cameras are there, and what was chosen at the board.

    Raises:
        CameraError: picamera2 is not installed.
    """

    def __init__(
        self,
        size: tuple[int, int] | None = None,
        fps: float = 30.0,
        locked: Values | None = None,
        stall_s: float = STALLED_AFTER_S,
        load: Callable[[str], Any] = import_module,
        wait: Callable[[float], None] = time.sleep,
        lens_mm: float | None = None,
        camera: str = "",
        connectors: Connectors | None = None,
    ) -> None:
        try:
            picamera2, libcamera = load("picamera2"), load("libcamera")
        except (ImportError, ValueError) as error:
            # A numpy other than the one it was built for shows up as a ValueError.
            raise CameraError(
                f"pi: picamera2 cannot be loaded: {error}",
                "install python3-picamera2 from Raspberry Pi OS and use an environment that sees "
                "the system's packages",
            ) from error
        frame_us = round(1e6 / fps)

        def brighter(seen: Values, factor: float) -> Values:
            if EXPOSURE_CONTROL not in seen or GAIN_CONTROL not in seen:
                return {}
            exposure, gain = shared(seen[EXPOSURE_CONTROL] * seen[GAIN_CONTROL] * factor, frame_us)
            return {EXPOSURE_CONTROL: exposure, GAIN_CONTROL: gain}

        kept = {
            k: v
            for k, v in (locked or {}).items()
            if k in (EXPOSURE_CONTROL, GAIN_CONTROL, RED_CONTROL, BLUE_CONTROL, LENS_CONTROL)
        }
        ExposureControl.__init__(self, kept, brighter)
        known = _Known(lens_mm, camera, connectors or Connectors())
        make_camera = picamera2.Picamera2

        def make() -> _PiDevice:
            return _PiDevice(make_camera, libcamera, size, frame_us, self, stall_s, known)

        LiveCamera.__init__(self, "pi", make, stall_s, wait)


@dataclass(slots=True)
class _Known:
    """The facts known of the camera from earlier openings, and from people.

    Attributes:
        lens_mm: focal length of a bought lens; None if nobody has given it.
        camera: which one is configured; empty for none.
        connectors: which cameras are there, and which one was chosen.
        missed: controls that it was found not to have.
        openings_without_camera: how often no camera was found.
        modes: the sensor mode by the camera's id; None where picamera2's choice stays. Asking for
            the modes again would configure the camera for each of them.
        sight: what the last frame showed; None before the first, or where the camera cannot say.
        held: whether the last frame was taken with what was asked for.
    """

    lens_mm: float | None
    camera: str
    connectors: Connectors
    missed: set[str] = field(default_factory=set)
    openings_without_camera: int = 0
    modes: dict[str, SensorMode | None] = field(default_factory=dict)
    sight: Sight | None = None
    held: bool = True


class _PiDevice:
    def __init__(
        self,
        make: Any,
        libcamera: Any,
        size: tuple[int, int] | None,
        frame_us: int,
        exposure: ExposureControl,
        stall_s: float,
        known: _Known,
    ) -> None:
        self._make, self._libcamera = make, libcamera
        self._frame_us, self._exposure = frame_us, exposure
        self._stall_s, self._known = stall_s, known
        self._camera: Any = None
        self._ours = False
        self._held = Held(EXPOSURE_CONTROL, GAIN_CONTROL, LENS_CONTROL)
        self._done = -1  # the number of the last request that was carried out
        self._taken = 0
        self._wanted_size = size
        self._set_size(size or USUAL_SIZE)

    def _set_size(self, size: tuple[int, int]) -> None:
        self._size = size
        self._small = (_SMALL_WIDTH_PX, round(_SMALL_WIDTH_PX * size[1] / size[0] / 2) * 2)

    def open(self) -> None:
        self._ours = _IN_USE.acquire(timeout=_MAX_CLOSING_S)
        if not self._ours:
            raise CameraStalled(
                "pi: the camera's driver has hung since its last use",
                "wait ten minutes, the service starts itself anew; or end all that uses the camera",
            )
        found = self._choose(self._make.global_camera_info() or self._list_cameras_anew())
        if found is None:
            raise CameraError("pi: no camera was found", "switch off and check its ribbon cable")
        number, there = found
        self._set_size(self._wanted_size or pictures_of(str(there["Model"])))
        try:
            self._try_to_take(there["Id"])
            camera = self._camera = self._make(number)
            sensor = self._sensor_argument(there["Id"])
            camera.configure(
                camera.create_video_configuration(
                    main={"size": self._size, "format": "RGB888"},  # blue first in memory
                    lores={"size": self._small, "format": "YUV420"},
                    buffer_count=BUFFERS,
                    queue=False,  # wait for a new frame rather than take an old one
                    display=None,
                    encode=None,
                    controls=self._supported_controls(
                        {"FrameDurationLimits": (self._frame_us,) * 2}
                    ),
                    **sensor,
                )
            )
            camera.start()
            self._carry_out_request()
        except (RuntimeError, IndexError, OSError) as error:
            raise CameraError(
                f"pi: the camera does not start: {error}",
                "check its ribbon cable and that no other program uses it",
                busy="busy" in str(error),  # libcamera has no other sign of it
            ) from error

    def _choose(self, listed: Any) -> tuple[int, Any] | None:
        """The camera to use; one of several that nobody has chosen is logged once."""
        connectors = self._known.connectors
        before = connectors.there
        found = connectors.choose(listed, self._known.camera)
        if found is not None and connectors.there != before:
            said = ", ".join(connectors.there)
            if len(connectors.there) > 1 and not (connectors.chosen or self._known.camera):
                _log.warning("pi: the first of these cameras is used, nobody has chosen: %s", said)
            else:
                _log.info("pi: cameras: %s", said)
        return found

    def _list_cameras_anew(self) -> Any:
        """The cameras that libcamera finds when it is started again; none between its turns.

        It lists them once, as it starts, and hears of later ones from udev, whose messages do not
        reach a service with a network of its own (PrivateNetwork in systemd/dicetray.service).
        """
        self._known.openings_without_camera += 1
        if self._known.openings_without_camera % _OPENINGS_BEFORE_NEW_LIST:
            return []
        # Since 0.3.22 at the latest picamera2 holds libcamera's only manager; before, it took a
        # new one each time while no camera was open (picamera2.py of 0.3.12, 0.3.17, 0.3.22).
        reset = getattr(self._make._cm, "reset", None)
        if reset is not None:
            reset()
        return self._make.global_camera_info()

    def _try_to_take(self, camera_id: str) -> None:
        """Raises a RuntimeError if another program has it."""
        camera = self._libcamera.CameraManager.singleton().get(camera_id)
        camera.acquire()
        camera.release()

    def _sensor_argument(self, camera_id: str) -> dict[str, Any]:
        """The argument of `create_video_configuration` for a mode that sees the whole sensor."""
        modes = self._known.modes
        if camera_id not in modes:
            modes[camera_id] = self._widest_mode()
        mode = modes[camera_id]
        if mode is None:
            return {}
        configure = self._camera.create_video_configuration
        if "sensor" in inspect.signature(configure).parameters:
            return {"sensor": {"output_size": mode.size, "bit_depth": mode.bits}}
        # In 0.3.12 and before, the raw stream, which there always is, sets the mode.
        return {"raw": {"size": mode.size, "format": mode.format}}

    def _widest_mode(self) -> SensorMode | None:
        """The mode to use; None for a camera whose modes are not known."""
        try:
            listed = self._camera.sensor_modes
        except (OSError, RuntimeError) as error:
            # picamera2 tries one mode after another, small ones first. On a Pi with 512 MB there
            # can be too little memory for the largest (its issue 1358); it keeps those before.
            _log.warning("pi: not all modes of the sensor can be used: %s", error)
            listed = self._camera.sensor_modes
        modes = modes_of(listed)
        return widest_mode(modes, self._size, 1e6 / self._frame_us) if modes else None

    def _supported_controls(self, controls: Mapping[str, Any]) -> dict[str, Any]:
        """Those of these controls that the camera has; the others are logged once."""
        there = self._camera.camera_controls
        if missing := controls.keys() - there - self._known.missed:
            self._known.missed |= missing
            _log.warning("pi: the camera has no %s; left alone", ", ".join(sorted(missing)))
        return {name: value for name, value in controls.items() if name in there}

    def _carry_out_request(self) -> None:
        """Carries out the latest request if it is new."""
        number, wanted = self._exposure.request()
        if number == self._done:
            return
        self._done = number
        fixed = {} if wanted is None else wanted.fixed
        self._held.ask(fixed, self._ranges(fixed))
        # Before anything is requested only autofocus must be switched on.
        controls = self._supported_controls(
            self._autofocus_controls() if wanted is None else self._requested_controls(wanted)
        )
        if controls:
            self._camera.set_controls(controls)

    def _ranges(self, names: Iterable[str]) -> dict[str, Range]:
        """The least and the greatest value of each of these controls, as far as it has them."""
        there = self._camera.camera_controls
        ranges = {name: there[name][:2] for name in names if name in there}
        return {name: (float(low), float(high)) for name, (low, high) in ranges.items() if high}

    def _autofocus_controls(self) -> dict[str, Any]:
        return {"AfMode": self._libcamera.controls.AfModeEnum.Continuous}

    def _requested_controls(self, wanted: ExposureRequest) -> dict[str, Any]:
        fixed, asked = wanted.fixed, dict[str, Any]()
        if EXPOSURE_CONTROL in fixed:
            asked |= {"AeEnable": False, EXPOSURE_CONTROL: int(fixed[EXPOSURE_CONTROL])}
            asked[GAIN_CONTROL] = float(fixed.get(GAIN_CONTROL, 1.0))
            asked |= self._exposure_modes(_MANUAL)
        elif wanted.automatic:
            asked["AeEnable"] = True
            asked |= self._exposure_modes(_AUTOMATIC)
        if RED_CONTROL in fixed and BLUE_CONTROL in fixed:
            asked |= {"AwbEnable": False, "ColourGains": (fixed[RED_CONTROL], fixed[BLUE_CONTROL])}
        elif wanted.automatic:
            asked["AwbEnable"] = True
        if LENS_CONTROL in fixed:
            manual = self._libcamera.controls.AfModeEnum.Manual
            asked |= {"AfMode": manual, LENS_CONTROL: float(fixed[LENS_CONTROL])}
        elif wanted.automatic:
            asked |= self._autofocus_controls()
        return asked

    def _exposure_modes(self, mode: int) -> dict[str, int]:
        """Since libcamera 0.5 each has a mode; picamera2 sets them by itself only since 0.3.27."""
        there = self._camera.camera_controls
        return {name: mode for name in _EXPOSURE_MODES if name in there}

    def grab(self) -> Shot:
        self._carry_out_request()
        try:
            request: Request = self._camera.capture_request(wait=self._stall_s)
        except TimeoutError as error:
            self._camera.cancel_all_and_flush()
            raise stalled_error("pi", self._stall_s) from error
        try:
            # make_array copies; the buffers go back to the camera at once.
            image = request.make_array("main")
            yuv = request.make_array("lores")
            metadata = request.get_metadata()
        finally:
            request.release()
        seen = values_of(metadata)
        self._exposure.report(seen)
        held = self._held.see(seen)
        if not held and self._known.held:
            _log.warning("pi: the camera does not hold what it was locked to: %s", seen)
        self._known.held = held
        exposure = self._exposure.exposure_of(
            seen.get(EXPOSURE_CONTROL, 0.0) * seen.get(GAIN_CONTROL, 1.0), True
        )
        self._taken += 1
        focused = (
            metadata.get("AfState") != _AF_STATE_SCANNING or self._taken >= _MAX_WARM_UP_FRAMES
        )
        if self._taken >= _WARM_UP_FRAMES and focused:
            # Unless something was requested, keep what was found so far, also for later openings.
            self._exposure.settle()
        time_s = float(metadata["SensorTimestamp"]) / 1e9  # nanoseconds since boot
        full = np.ascontiguousarray(image[:, :, :3], np.uint8)
        small, sight = self._to_bgr(yuv), self._sight_of(metadata)
        return Shot(full, time_s, small, exposure, sight, held=held)

    def _sight_of(self, metadata: Mapping[str, Any]) -> Sight | None:
        """The sight of a frame; None where the camera cannot say. A change is logged."""
        there = self._camera.camera_properties
        if "ScalerCrop" not in metadata or not {"Model", "PixelArraySize"} <= there.keys():
            return None
        array, part = tuple(there["PixelArraySize"]), tuple(metadata["ScalerCrop"])
        lens_mm = self._known.lens_mm
        sight = Sight(str(there["Model"]), array, part, lens_mm=lens_mm)
        if sight != self._known.sight:
            self._known.sight = sight
            if sight.is_cropped(self._size):
                _log.warning("pi: pictures show less than the lens does: %s", sight)
            else:
                _log.info("pi: pictures show %s", sight)
        return sight

    def _to_bgr(self, yuv: NDArray[np.uint8]) -> Image:
        """Converts the small stream; its rows may be padded."""
        width, height = self._small
        picture = cv2.cvtColor(yuv[: height * 3 // 2], cv2.COLOR_YUV2BGR_I420)
        return np.ascontiguousarray(picture[:height, :width], np.uint8)

    def close(self) -> None:
        try:
            if self._camera is not None:
                try:
                    self._camera.stop()
                finally:
                    self._camera.close()
                    self._camera = None
                    # Its objects refer to each other, and a closed one still has descriptors.
                    gc.collect()
        finally:
            if self._ours:
                self._ours = False
                _IN_USE.release()
