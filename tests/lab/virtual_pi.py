"""picamera2 over libcamera's virtual camera: what a PC needs to run the Pi's camera adapter.

Frames come from pictures, numbered from 0.jpg; below picamera2 only what the virtual pipeline
lacks is simulated: the sensor, formats other than NV12, memory from a dma_heap, a frame rate. The
modes are those published for a Camera Module 3, and picamera2's own code chooses among them; what
a frame shows follows from that mode as libcamera has it. `Tap.seen` says how much of the sensor
the chosen one sees.
"""

import mmap
import os
import sys
import threading
import time
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any
from weakref import WeakSet

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.rigs.sensor_modes import pixel_array, scaler_crop, sensor_modes

FULL_SIZE = (1536, 864)
SMALL_SIZE = (320, 180)
SENSOR = "imx708"
_CAMERA = Path("/usr/share/libcamera/pipeline/virtual/virtual.yaml")
_YAML = """"dicetray0":
  supported_formats:
  - {{width: 1536, height: 864, frame_rates: [30]}}
  - {{width: 320, height: 180, frame_rates: [30]}}
  frames:
    path: "{frames}/"
  location: "CameraLocationFront"
  model: "Virtual"
"""
ENVIRONMENT = {
    # libcamera 0.4.0 never sets a virtual frame's status, so the memory that malloc returns must
    # hold zeros, which mean success.
    "GLIBC_TUNABLES": "glibc.malloc.perturb=255:glibc.malloc.tcache_count=0",
    "LIBCAMERA_LOG_LEVELS": "*:FATAL",
}
NO_CAMERA = {"LIBCAMERA_PIPELINES_MATCH_LIST": "uvcvideo"}
_REAL: Any = object
"""Stands for a class of picamera2, which is imported only where there is one."""


def describe_camera(frames: Path) -> None:
    """Tells libcamera about a virtual camera that shows these pictures."""
    _CAMERA.parent.mkdir(parents=True, exist_ok=True)
    _CAMERA.write_text(_YAML.format(frames=frames), encoding="utf-8")


class Tap:
    """Holds frames back, as a ribbon cable that has come loose does."""

    def __init__(self) -> None:
        self.shut = threading.Event()
        # Closed cameras must not be kept.
        self.cameras: WeakSet[Any] = WeakSet()
        self.controls: list[dict[str, Any]] = []
        self.seen: list[tuple[int, ...]] = []

    def hold_back(self) -> None:
        """No camera delivers a frame from now on."""
        self.shut.set()

    def release(self) -> None:
        """Lets frames through again."""
        self.shut.clear()
        for camera in tuple(self.cameras):
            if camera.is_open:
                camera._run_process_requests()


def install(tap: Tap, fps: float = 30.0) -> None:
    """From now on `picamera2.Picamera2` is the virtual camera."""
    _stub_pykms()
    picamera2 = import_module("picamera2")
    vars(import_module("picamera2.picamera2"))["DmaAllocator"] = _memfd_allocator()
    vars(picamera2)["Picamera2"] = _make_virtual(picamera2.Picamera2, tap, fps)


def _stub_pykms() -> None:
    """Stubs what picamera2 needs for previews on a screen, which nothing here opens."""

    class AnyFormat(type):
        def __getattr__(cls, name: str) -> str:
            return name

    for name in ("pykms", "kms"):
        module = sys.modules[name] = ModuleType(name)
        vars(module)["PixelFormat"] = AnyFormat("PixelFormat", (), {})


def _make_virtual(real: Any, tap: Tap, fps: float) -> Any:
    """The class of picamera2's that shows frames of the virtual camera."""
    return type("VirtualPicamera2", (_VirtualCamera, real), {"tap": tap, "frame_s": 1 / fps})


class _VirtualCamera(_REAL):  # type: ignore[misc]
    """The layer that is put before picamera2's own class.

    Attributes:
        tap: holds its frames back.
        frame_s: seconds from frame to frame, at least.
    """

    tap: Tap
    frame_s: float

    def __init__(self, camera_num: int = 0) -> None:
        self._last = 0.0
        self._crop: tuple[int, ...] = ()
        super().__init__(camera_num)
        self.tap.cameras.add(self)

    def _get_raw_modes(self) -> list[dict[str, Any]]:
        modes = sensor_modes(SENSOR)
        return [{"format": str(mode["format"]), "size": mode["size"]} for mode in modes]

    @property
    def sensor_modes(self) -> list[dict[str, Any]]:
        return sensor_modes(SENSOR)

    @property
    def camera_properties(self) -> dict[str, Any]:
        sensor = {"Model": SENSOR, "PixelArraySize": pixel_array(SENSOR)}
        return {**super().camera_properties, **sensor}

    def _is_rpi_camera(self) -> bool:
        # Only for those does picamera2 choose a mode.
        return True

    def _make_libcamera_config(self, camera_config: dict[str, Any]) -> Any:
        made = super()._make_libcamera_config(camera_config | {"raw": None})
        size = made.sensor_config.output_size
        (mode,) = (m for m in sensor_modes(SENSOR) if m["size"] == (size.width, size.height))
        self.tap.seen.append(mode["crop_limits"][2:])
        self._crop = scaler_crop(mode, camera_config["main"]["size"])
        return made

    def configure(self, camera_config: dict[str, Any]) -> None:
        for name in ("main", "lores"):
            camera_config[name]["format"] = "NV12"
        super().configure(camera_config | {"raw": None})

    def set_controls(self, controls: dict[str, Any]) -> None:
        self.tap.controls.append(controls)
        super().set_controls(controls)

    def process_requests(self, display: object) -> None:
        if self.tap.shut.is_set():
            with self._requestslock:
                held: list[Any] = self._requests
                self._requests: list[Any] = []
            super().process_requests(display)
            with self._requestslock:
                self._requests = held + self._requests
            if not self.started:
                for request in held:
                    request.release()
                self._requests = []
            return
        time.sleep(max(0.0, self._last + self.frame_s - time.monotonic()))
        self._last = time.monotonic()
        super().process_requests(display)

    def capture_request(self, *args: Any, **kwargs: Any) -> "_Converted":
        return _Converted(super().capture_request(*args, **kwargs), self._crop)


class _Converted:
    """A request whose streams have the formats that were asked for, of a part of the sensor."""

    def __init__(self, request: Any, crop: tuple[int, ...]) -> None:
        self._request, self._crop = request, crop

    def make_array(self, name: str) -> NDArray[np.uint8]:
        width, height = self._request.config[name]["size"]
        stride = self._request.config[name]["stride"]
        plane = self._request.make_buffer(name)[: stride * height * 3 // 2]
        nv12 = plane.reshape(height * 3 // 2, stride)[:, :width]
        bgr = cv2.cvtColor(np.ascontiguousarray(nv12), cv2.COLOR_YUV2BGR_NV12)
        if name == "main":
            return np.asarray(bgr, np.uint8)
        return np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2YUV_I420), np.uint8)

    def get_metadata(self) -> Mapping[str, Any]:
        metadata: Mapping[str, Any] = self._request.get_metadata()
        return {**metadata, "ScalerCrop": self._crop}

    def release(self) -> None:
        self._request.release()


def _memfd_allocator() -> Any:
    """The class of an allocator that needs no /dev/dma_heap."""
    base = import_module("picamera2.allocators.allocator")
    memory = type("Memory", (_Memory, base.Sync), {})
    return type("MemfdAllocator", (_MemfdAllocator, base.Allocator), {"sync_class": memory})


class _Memory:
    """Gives access to the memory of a frame."""

    def __init__(self, allocator: Any, buffer: Any, write: bool) -> None:
        self._memory = allocator.memory[buffer.planes[0].fd]

    def __enter__(self) -> mmap.mmap:
        return self._memory  # type: ignore[no-any-return]

    def __exit__(self, *_: object) -> None:
        pass


class _MemfdAllocator(_REAL):  # type: ignore[misc]
    """Memory for frames without /dev/dma_heap."""

    sync_class: Any

    def __init__(self) -> None:
        super().__init__()
        self.sync = self.sync_class
        self.frame_buffers: dict[Any, list[Any]] = {}
        self.memory: dict[int, mmap.mmap] = {}
        self.libcamera_fds: list[int] = []

    def allocate(self, libcamera_config: Any, use_case: object) -> None:
        self._free()
        for config in libcamera_config:
            self.frame_buffers[config.stream] = [
                self._buffer(config) for _ in range(config.buffer_count)
            ]

    def _buffer(self, config: Any) -> Any:
        fd = os.memfd_create("frame")
        os.ftruncate(fd, config.frame_size)
        self.memory[fd] = mmap.mmap(fd, config.frame_size)
        self.libcamera_fds.append(fd)
        bright = config.stride * config.size.height
        planes = []
        for offset, length in ((0, bright), (bright, config.frame_size - bright)):
            plane = import_module("libcamera").FrameBuffer.Plane()
            plane.fd, plane.offset, plane.length = fd, offset, length
            planes.append(plane)
        buffer = import_module("libcamera").FrameBuffer(planes)
        # libcamera keeps duplicates of the descriptors; requests refer to theirs by these.
        self.memory[buffer.planes[0].fd] = self.memory[fd]
        return buffer

    def buffers(self, stream: Any) -> list[Any]:
        return self.frame_buffers[stream]

    def _free(self) -> None:
        self.frame_buffers, self.memory = {}, {}
        for fd in self.libcamera_fds:
            os.close(fd)
        self.libcamera_fds = []

    def __del__(self) -> None:
        self._free()
