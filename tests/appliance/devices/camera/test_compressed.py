"""What a USB camera sends is decoded small, and whole only where somebody looks closer."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from appliance.devices.camera import compressed
from appliance.devices.camera.compressed import Compressed, Data, Decompressor, decoded
from appliance.devices.camera.health import CameraHealth
from appliance.devices.camera.self_lock import is_incomplete
from appliance.devices.camera.usb import V4L2Camera, _V4L2Device
from appliance.service.corrections import Corrections
from appliance.service.view import Viewer
from vision.frame import Frame, Image
from vision.reading import TrayReading, TrayState
from vision.watch.watcher import Watcher

FPS = 30


def floor(width: int, height: int, seed: int = 0) -> Image:
    """A noisy picture of a box."""
    image = np.random.default_rng(seed).integers(60, 69, (height, width, 3), np.uint8)
    image[height // 4 : height // 2, width // 3 : width // 2] += 80
    return image


def sent(image: Image, quality: int = 85) -> Data:
    data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(data, np.uint8).reshape(1, -1)


class Webcam:
    """A V4L2 device that sends one picture after the other, as OpenCV was seen to hand them over.

    With `CAP_PROP_CONVERT_RGB` off, `retrieve` gives a row of bytes, or pictures for raw formats.
    """

    def __init__(self, pictures: list[Data], code: str = "MJPG") -> None:
        self.pictures, self.code = pictures, code
        self.raw, self.count = False, 0

    def isOpened(self) -> bool:  # noqa: N802
        return True

    def set(self, propId: int, value: float) -> bool:  # noqa: N803
        self.raw = self.raw or propId == cv2.CAP_PROP_CONVERT_RGB
        return True

    def get(self, propId: int) -> float:  # noqa: N803
        code = cv2.VideoWriter.fourcc(*self.code)
        return float(code) if propId == cv2.CAP_PROP_FOURCC else -1.0

    def grab(self) -> bool:
        self.count += 1
        return True

    def retrieve(self) -> tuple[bool, Any]:
        data = self.pictures[(self.count - 1) % len(self.pictures)]
        return True, data if self.raw else cv2.imdecode(data, cv2.IMREAD_COLOR)

    def release(self) -> None:
        pass


def opened(tmp_path: Path, webcam: Webcam) -> _V4L2Device:
    (tmp_path / "video0").touch()
    camera = V4L2Camera(
        "0", capture=lambda *_: webcam, dev=tmp_path, clock=lambda: webcam.count / FPS
    )
    device = camera._make()
    device.open()
    assert isinstance(device, _V4L2Device)
    return device


def count_whole(monkeypatch: pytest.MonkeyPatch) -> list[Data]:
    """Gathers the data of which whole pictures are decoded from now on."""
    seen: list[Data] = []

    def counting(data: Data, how: int = cv2.IMREAD_COLOR) -> Image | None:
        if how == cv2.IMREAD_COLOR:
            seen.append(data)
        return decoded(data, how)

    monkeypatch.setattr(compressed, "decoded", counting)
    return seen


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "small"),
    [
        ((1280, 720), (320, 180)),
        ((1920, 1080), (480, 270)),
        ((640, 480), (320, 240)),
        ((654, 490), (327, 245)),
        ((2562, 602), (321, 76)),
    ],
)
def test_a_small_picture_is_as_large_as_the_watcher_needs(
    size: tuple[int, int], small: tuple[int, int]
) -> None:
    data = sent(floor(*size))
    found = Decompressor().take(data)
    assert isinstance(found, Compressed)
    assert (found.small.shape[1], found.small.shape[0]) == small
    assert found.size == size
    np.testing.assert_array_equal(found.decode(), cv2.imdecode(data, cv2.IMREAD_COLOR))


def test_a_picture_that_is_small_already_is_decoded_whole() -> None:
    found = Decompressor().take(sent(floor(352, 288)))
    assert isinstance(found, np.ndarray)
    assert found.shape == (288, 352, 3)


def test_pictures_of_another_size_are_as_large_as_they_are() -> None:
    decompressor = Decompressor()
    for size in ((1280, 720), (640, 480), (1280, 960), (320, 240), (1280, 720)):
        found = decompressor.take(sent(floor(*size)))
        assert found is not None
        found_size = found.size if isinstance(found, Compressed) else found.shape[1::-1]
        assert found_size == size


def test_damaged_data_are_no_picture() -> None:
    decompressor = Decompressor()
    garbage = np.ones((1, 99), np.uint8)
    assert decompressor.take(garbage) is None
    assert decompressor.take(sent(floor(1280, 720))) is not None
    assert decompressor.take(garbage) is None


@pytest.mark.parametrize("cut", range(2, 8))
def test_a_picture_that_lacks_only_its_end_mark_is_one(cut: int) -> None:
    image = np.random.default_rng(3).integers(0, 256, (720, 1280, 3), np.uint8)
    data = cv2.imencode(".jpg", image)[1].reshape(1, -1)
    taken = Decompressor().take(np.ascontiguousarray(data[:, :-cut]))
    assert (taken is not None) == (cut == 2)


def test_a_frame_has_its_small_picture_at_once_and_the_whole_one_when_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = sent(floor(1280, 720))
    device = opened(tmp_path, Webcam([data]))
    device.grab()
    whole = count_whole(monkeypatch)
    frame = device.grab().frame(4)
    assert frame.small is not None
    assert frame.small.shape == (180, 320, 3)
    assert (frame.index, frame.size, frame.long_side) == (4, (1280, 720), 1280)
    assert not whole
    np.testing.assert_array_equal(frame.image, cv2.imdecode(data, cv2.IMREAD_COLOR))
    assert frame.shown is frame.image
    assert len(whole) == 1


def test_a_camera_without_motion_jpeg_is_decoded_by_opencv(tmp_path: Path) -> None:
    device = opened(tmp_path, Webcam([sent(floor(640, 480))], code="YUYV"))
    frame = device.grab().frame(0)
    assert frame.small is None
    assert frame.image.shape == (480, 640, 3)


def test_how_bright_a_picture_is_does_not_depend_on_how_it_is_decoded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(V4L2Camera, "exposure_of", lambda _, light, exact: light)
    small, whole = (
        opened(tmp_path, Webcam([sent(floor(1280, 720))], code)).grab() for code in ("MJPG", "YUYV")
    )
    assert whole.whole is None
    assert small.exposure == pytest.approx(whole.exposure, rel=0.01)


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8, 0.95])
def test_a_picture_whose_end_is_missing_is_left_out(tmp_path: Path, share: float) -> None:
    data = sent(floor(1280, 720))
    cut = np.concatenate([data[:, : int(data.size * share)], data[:, -2:]], axis=1)
    device = opened(tmp_path, Webcam([data, cut, data]))
    taken = [device.grab().whole for _ in range(4)]
    assert all(one is not None and one.data is data for one in taken)


def test_fine_cloth_at_the_end_is_not_taken_for_a_missing_end(tmp_path: Path) -> None:
    image = floor(1280, 720)
    # So fine that nothing of it is left in the small picture.
    image[-40:] = 90 + 6 * (np.indices((40, 1280)).sum(axis=0) % 2)[:, :, None]
    device = opened(tmp_path, Webcam([sent(image, 95)]))
    shot = device.grab()
    assert shot.whole is not None
    assert is_incomplete(shot.image, shot.whole.block_px)
    assert device._cut == 0


class Nothing:
    """Reads no dice anywhere."""

    def read(self, image: Image) -> TrayReading:
        return TrayReading(TrayState.EMPTY, ())


@pytest.mark.slow
def test_at_rest_hardly_any_picture_is_decoded_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    webcam = Webcam([sent(floor(1280, 720, seed)) for seed in range(8)])
    device = opened(tmp_path, webcam)
    watcher, health = Watcher(Nothing()), CameraHealth()
    corrections, viewer = Corrections(tmp_path / "told"), Viewer(lambda: None)

    def look(count: int) -> None:
        for _ in range(count):
            frame: Frame = device.grab().frame(webcam.count)
            assert health.see(frame, frame.time_s)
            for see in (viewer.look, corrections.look, watcher.feed):
                see(frame)

    look(90)
    whole = count_whole(monkeypatch)
    look(240)
    assert len(whole) <= 2
