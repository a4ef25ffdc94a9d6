"""Which mode of its sensor a Pi camera uses: published modes, and picamera2's own choice of one."""

import logging
import re
import textwrap
from collections.abc import Mapping
from itertools import islice
from typing import Any

import pytest

from appliance.devices.camera.pi import PiCamera
from appliance.devices.camera.sensor_mode import modes_of, widest_mode
from tests.appliance.devices.camera.test_threaded import (
    METADATA,
    FakeLibcamera,
    FakePicamera2,
    loader,
)
from tests.rigs.on_demand import on_demand
from tests.rigs.sensor_modes import (
    PUBLISHED,
    RawFormat,
    chosen,
    model_of,
    picamera2_source,
    pixel_array,
    scaler_crop,
    score_mode,
    sensor_modes,
)
from vision.frame import Frame
from vision.geometry.sight import Sight

SIZE = (1536, 864)


class Published(FakePicamera2):
    """A camera with the published modes of a sensor, of which picamera2's own code chooses."""

    def __init__(self, sensor: str) -> None:
        super().__init__()
        self.listed: Any = sensor_modes(sensor)
        self.looks = 0
        self.camera_properties = {"Model": model_of(sensor), "PixelArraySize": pixel_array(sensor)}

    @property
    def sensor_modes(self) -> Any:
        self.looks += 1
        return self.listed

    def metadata(self) -> dict[str, Any]:
        if "size" not in self.listed[0]:
            return METADATA
        return {**METADATA, "ScalerCrop": scaler_crop(self.mode, self.config["main"]["size"])}

    @property
    def mode(self) -> Mapping[str, Any]:
        """The sensor's mode after `configure`."""
        return chosen(self.listed, self.config)


def frame_of(camera: Published) -> Frame:
    """The first frame that the adapter takes with it."""
    source = on_demand(PiCamera(SIZE, stall_s=5.0, load=loader(camera), wait=lambda _: None))
    (frame,) = islice(source.frames(), 1)
    source.close()
    return frame


def opened(camera: Published) -> Published:
    """The camera after the adapter has opened it and taken a frame."""
    frame_of(camera)
    return camera


WHOLE = {
    "imx708": (2304, 1296),
    "imx708_wide": (2304, 1296),
    "imx219": (1640, 1232),
    "imx477": (2028, 1520),
    "imx477 of Linux 6.12": (2028, 1520),
    "imx500": (2028, 1520),
    "ov5647": (1296, 972),
    "imx296": (1456, 1088),
    "ov64a40": (2312, 1736),
    "imx519": (2328, 1748),
}
"""The smallest mode of each sensor that sees all of it at 30 frames a second."""


@pytest.mark.parametrize("sensor", PUBLISHED)
def test_the_whole_sensor_is_seen_at_thirty_frames_a_second(
    sensor: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        mode = opened(Published(sensor)).mode
    assert not caplog.records
    assert mode["size"] == WHOLE[sensor]
    assert mode["crop_limits"][:2] == (0, 0)
    assert mode["crop_limits"][2] >= pixel_array(sensor)[0]
    assert mode["crop_limits"][3] >= pixel_array(sensor)[1]
    assert mode["fps"] >= 30.0
    assert mode["bit_depth"] >= 10


@pytest.mark.parametrize("sensor", ["imx477", "imx477 of Linux 6.12", "imx296"])
def test_a_camera_with_a_bought_lens_shows_all_of_its_sensor(sensor: str) -> None:
    """Of the depth that pictures of 16:9 leave of it, the markers of our tray need more."""
    libcamera = FakeLibcamera()
    libcamera.models = [model_of(sensor)]
    camera = Published(sensor)
    load = loader(camera, libcamera)
    source = on_demand(PiCamera(load=load, lens_mm=6.0, wait=lambda _: None))
    (frame,) = islice(source.frames(), 1)
    source.close()
    assert camera.config["main"]["size"] == (1280, 960)
    assert camera.config["lores"]["size"] == (320, 240)
    assert camera.mode["size"] == WHOLE[sensor]
    assert frame.sight is not None
    assert frame.sight.lens_mm == 6.0
    shown = [
        seen / all_of_it
        for seen, all_of_it in zip(frame.sight.part[2:], pixel_array(sensor), strict=True)
    ]
    assert min(shown) > 0.98


@pytest.mark.parametrize("sensor", ["imx708", "imx219", "ov5647"])
def test_picamera2_left_alone_cuts_off_the_view(sensor: str) -> None:
    """Why the mode is not left to it: else the test above shows nothing."""
    mode = chosen(sensor_modes(sensor), {"main": {"size": SIZE}})
    assert mode["crop_limits"][2] < 0.75 * pixel_array(sensor)[0]


def test_picamera2s_choice_here_is_that_of_the_installed_one() -> None:
    """DICETRAY_PICAMERA2 names a picamera2.py where it is not installed."""
    source = picamera2_source()
    found = re.search(
        r"^ +def score_mode\(.*?return score\n(?=\n)", source, re.DOTALL | re.MULTILINE
    )
    assert found is not None, "picamera2 chooses in another way now"
    names: dict[str, Any] = {"SensorFormat": RawFormat}
    exec(textwrap.dedent(found[0]), names)
    theirs = names["score_mode"]
    for sensor in PUBLISHED:
        modes = [{**mode, "format": str(mode["format"])} for mode in sensor_modes(sensor)]
        for size in (SIZE, (1280, 720), (640, 480), (1920, 1080), *WHOLE.values()):
            for mode in modes:
                assert theirs(mode, 10, size) == score_mode(mode, 10, size)
        camera = Published(sensor)
        opened(camera)
        assert chosen(camera.listed, camera.config, theirs)["size"] == WHOLE[sensor]


def test_before_picamera2_had_sensor_settings_the_raw_stream_sets_the_mode() -> None:
    """0.3.12, which Raspberry Pi OS 12 began with: create_video_configuration has no `sensor`."""

    class Older(Published):
        def create_video_configuration(  # type: ignore[override]
            self,
            main: dict[str, Any] | None = None,
            lores: dict[str, Any] | None = None,
            raw: dict[str, Any] | None = None,
            transform: object = None,
            colour_space: object = None,
            buffer_count: int = 6,
            controls: dict[str, Any] | None = None,
            display: str | None = "main",
            encode: str | None = "main",
            queue: bool = True,
        ) -> dict[str, Any]:
            return super().create_video_configuration(main, lores, raw, controls=controls)

    camera = opened(Older("imx708"))
    assert camera.config["raw"] == {"size": (2304, 1296), "format": "SRGGB10_CSI2P"}
    assert camera.mode["size"] == (2304, 1296)


def test_modes_are_asked_for_once() -> None:
    """picamera2 configures the camera for each mode when it is asked."""
    cameras = [Published("imx708") for _ in range(3)]
    left = list(cameras)
    load = loader(lambda: left.pop(0))
    source = on_demand(PiCamera(stall_s=5.0, load=load, wait=lambda _: None))
    for _ in cameras:
        assert len(list(islice(source.frames(), 1))) == 1
    assert [camera.looks for camera in cameras] == [1, 0, 0]
    assert all(camera.mode["size"] == (2304, 1296) for camera in cameras)


def test_too_little_memory_for_the_largest_mode_is_no_reason_to_stop(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """raspberrypi/picamera2 issue 1358, a Pi Zero 2 W: the modes before are kept, and listed."""

    class Short(Published):
        @property
        def sensor_modes(self) -> Any:
            if not self.looks:
                self.looks = 1
                self.listed = self.listed[:-1]
                raise OSError(12, "Cannot allocate memory")
            return self.listed

    with caplog.at_level(logging.WARNING):
        assert opened(Short("imx477")).mode["size"] == (2028, 1520)
    assert "not all modes of the sensor can be used" in caplog.text


def test_a_sensor_that_is_never_seen_whole_is_said(caplog: pytest.LogCaptureFixture) -> None:
    camera = Published("imx708")
    camera.listed = camera.listed[:1]
    with caplog.at_level(logging.WARNING):
        assert opened(camera).mode["size"] == SIZE
    (record,) = caplog.records
    assert "imx708, 3072x1728 of 4608x2592 pixels from 768, 432" in record.getMessage()


SHOWN = {
    "imx708": (0, 0, 4608, 2592),
    "imx708_wide": (0, 0, 4608, 2592),
    "imx219": (0, 310, 3280, 1844),
    "imx477": (0, 380, 4056, 2280),
    "imx477 of Linux 6.12": (0, 380, 4056, 2280),
    "imx500": (0, 380, 4056, 2280),
    "ov5647": (0, 244, 2592, 1458),
    "imx296": (0, 135, 1456, 819),
    "ov64a40": (0, 876, 9280, 5223),
    "imx519": (0, 440, 4656, 2618),
}
"""The part of each sensor that pictures of 16:9 show: its whole width."""


@pytest.mark.parametrize("sensor", PUBLISHED)
def test_each_frame_says_what_it_shows(sensor: str) -> None:
    camera = Published(sensor)
    frame = frame_of(camera)
    assert frame.sight == Sight(model_of(sensor), pixel_array(sensor), SHOWN[sensor])
    assert not frame.sight.is_cropped(SIZE)


@pytest.mark.parametrize("sensor", [key for key in PUBLISHED if key.startswith("imx708")])
def test_a_frame_says_so_if_it_shows_less_than_it_could(
    sensor: str, caplog: pytest.LogCaptureFixture
) -> None:
    camera = Published(sensor)
    camera.listed = camera.listed[:1]
    sight = frame_of(camera).sight
    assert sight == Sight(sensor, (4608, 2592), (768, 432, 3072, 1728))
    assert sight.is_cropped(SIZE)
    assert "show less than the lens does" in caplog.text


def test_a_camera_that_does_not_say_what_frames_show() -> None:
    """libcamera's virtual one, or one that is not a Raspberry Pi's."""

    class Silent(Published):
        def metadata(self) -> dict[str, Any]:
            return METADATA

    assert frame_of(Silent("imx708")).sight is None
    nameless = Published("imx708")
    del nameless.camera_properties["PixelArraySize"]
    assert frame_of(nameless).sight is None


def test_a_mode_that_is_listed_with_more_than_it_sees_is_not_used() -> None:
    """The High Quality Camera with kernels of 2025: 4056x2160 seems to see 4056x3040."""
    listed = sensor_modes("imx477 of Linux 6.12")
    wrong = next(mode for mode in listed if mode["size"] == (4056, 2160))
    assert wrong["crop_limits"][3] == 3040
    modes = modes_of(listed)
    assert (4056, 2160) not in {mode.size for mode in modes}
    assert widest_mode(modes, (2304, 1296), 20.0).size == (2028, 1520)


def test_a_camera_that_is_not_a_raspberry_pis_is_left_alone() -> None:
    """Of such a camera picamera2 lists only the names of formats, without modes."""
    camera = Published("imx708")
    camera.listed = [{"format": "MJPEG"}, {"format": "YUYV"}]
    source = on_demand(PiCamera(stall_s=5.0, load=loader(camera), wait=lambda _: None))
    assert len(list(islice(source.frames(), 1))) == 1
    source.close()
    assert camera.config["sensor"] is None and camera.config["raw"] is None


@pytest.mark.parametrize(
    ("sensor", "size", "fps", "expected"),
    [
        ("imx708", (2304, 1296), 30.0, (2304, 1296)),
        ("imx708", (4608, 2592), 30.0, (2304, 1296)),  # fewer pixels rather than fewer frames
        ("imx708", (4608, 2592), 10.0, (4608, 2592)),
        ("imx708", (640, 360), 120.0, (2304, 1296)),  # fewer frames rather than less of the tray
        ("imx477", (1280, 720), 30.0, (2028, 1520)),
        ("ov5647", (2592, 1458), 15.0, (2592, 1944)),
    ],
)
def test_pictures_of_another_size_or_rate(
    sensor: str, size: tuple[int, int], fps: float, expected: tuple[int, int]
) -> None:
    assert widest_mode(modes_of(sensor_modes(sensor)), size, fps).size == expected
