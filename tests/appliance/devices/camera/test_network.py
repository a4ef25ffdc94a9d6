"""Streams of phones: opened within a time, read, and ended in words."""

import contextlib
import itertools
import os
from pathlib import Path
from typing import Any
from urllib.parse import quote

import cv2
import numpy as np
import pytest

from appliance.cli.shared.cameras import Cameras
from appliance.devices.camera import open_camera
from appliance.devices.camera.naming import parse_spec
from appliance.devices.camera.network import READ_TIMEOUT_S, NetworkCamera, _Stream
from appliance.errors import CameraError
from tests.rigs.stream import streamed
from vision.frame import Image

GREY = np.full((180, 320, 3), 90, np.uint8)


@pytest.mark.slow
def test_a_stream_is_read_until_it_ends() -> None:
    count = itertools.count()

    def picture() -> Image | None:
        return None if next(count) > 40 else GREY

    with streamed(picture, rate=60) as url, contextlib.closing(open_camera(url)) as camera:
        seen = []
        with pytest.raises(CameraError, match="the stream has ended; keep the phone"):
            for frame in camera.frames():
                seen.append(frame)
    assert seen
    assert all(np.abs(frame.image.astype(int) - GREY).max() < 8 for frame in seen)
    assert [frame.time_s for frame in seen] == sorted(frame.time_s for frame in seen)


class Grabbing:
    """A stream whose pictures come as it is told: True, False, or False after so many seconds."""

    def __init__(self, grabs: list[bool | float]) -> None:
        self.grabs, self.now_s, self.opened = grabs, 0.0, 0

    def open(self, *_: object) -> "Grabbing":
        self.opened += 1
        return self

    def isOpened(self) -> bool:  # noqa: N802
        return True

    def grab(self) -> bool:
        said = self.grabs.pop(0) if self.grabs else False
        self.now_s += said if isinstance(said, float) else 0.0
        return said is True

    def retrieve(self) -> tuple[bool, Image]:
        return True, GREY

    def release(self) -> None:
        pass


@pytest.mark.parametrize(
    ("grabs", "pictures"),
    [
        ([True, False, True, True], 3),
        ([True, False, True, False, True], 3),
        ([True, False, False, True], 1),
        ([True, READ_TIMEOUT_S, True], 1),
    ],
    ids=["one cut off", "two cut off", "ended", "nothing for long"],
)
def test_a_picture_that_was_cut_off_ends_no_stream(
    grabs: list[bool | float], pictures: int
) -> None:
    capture = Grabbing(grabs)
    opens: Any = capture.open
    stream = _Stream("http://phone/", "phone", opens, lambda: capture.now_s, None)
    stream.open()
    seen = 0
    with pytest.raises(CameraError, match="the stream has ended"):
        while True:
            stream.grab()
            seen += 1
    assert seen == pictures


@pytest.mark.slow
def test_a_camera_that_asks_for_a_password_gets_it(tmp_path: Path) -> None:
    """In the address as in an older configuration, or from the file that it is moved to."""
    secret = "p/w: 50% @ä+?#&"
    file = tmp_path / "password"
    file.write_text(f"{secret}\n")
    file.chmod(0o600)
    with streamed(lambda: GREY, lets_in=f"anna:{secret}") as url, contextlib.ExitStack() as stack:
        host = url.removeprefix("http://")
        cameras = Cameras(stack, password_file=str(file))
        for address in (
            f"http://anna:{quote(secret, safe='')}@{host}",
            f"http://anna:{{password}}@{host}",
        ):
            with contextlib.closing(cameras.open(address)) as camera:
                assert next(iter(camera.frames())).image.shape == GREY.shape
                assert camera.name == "http://127.0.0.1:" + host.partition(":")[2].replace(
                    "video", "..."
                )
        file.write_text("another")
        with contextlib.closing(cameras.open(address)) as camera, pytest.raises(CameraError):
            next(iter(camera.frames()))


def test_a_phone_that_is_not_there_is_named_without_its_password() -> None:
    camera = NetworkCamera("http://me:secret@127.0.0.1:1/video", wait=lambda _: None)
    with pytest.raises(CameraError, match="no pictures come from there") as caught:
        next(camera.frames())
    assert "http://127.0.0.1:1/..." in str(caught.value)
    assert "secret" not in str(caught.value)
    assert "secret" not in camera.name


@pytest.mark.parametrize(
    "url",
    ["http://192.168.1.7:8080/video?x=1", "rtsp://phone.local/live", "https://user:pass@h/stream"],
)
def test_an_address_is_a_camera_as_it_stands(url: str) -> None:
    assert parse_spec(url).where == url


def test_an_address_may_be_followed_by_an_angle_of_view() -> None:
    wanted = parse_spec("http://phone:8080/video?x=1#view=68")
    assert (wanted.where, wanted.view) == ("http://phone:8080/video?x=1", 68.0)
    assert parse_spec("http://phone/page#top").where == "http://phone/page#top"
    with pytest.raises(CameraError, match="expected view from 30 to 130"):
        parse_spec("http://phone/video#view=wide")


@pytest.mark.parametrize("url", ["http:", "http://", "rtsp:video", "http://[::1/video"])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(CameraError, match="expected an address as in"):
        parse_spec(url)


def test_what_ffmpeg_is_told_of_a_stream_is_not_told_of_files_opened_later() -> None:
    told = []

    def refuse(*_: object) -> cv2.VideoCapture:
        told.append("OPENCV_FFMPEG_CAPTURE_OPTIONS" in os.environ)
        return cv2.VideoCapture()

    camera = NetworkCamera("rtsp://127.0.0.1:1/live", capture=refuse, wait=lambda _: None)
    with pytest.raises(CameraError):
        next(camera.frames())
    assert told
    assert all(told)
    assert "OPENCV_FFMPEG_CAPTURE_OPTIONS" not in os.environ
