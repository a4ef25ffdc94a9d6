"""Files as cameras: videos, pictures, folders, and everything that is none of these."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from appliance.devices.camera import open_camera
from appliance.devices.camera.naming import parse_spec
from appliance.devices.camera.spec import Spec
from appliance.errors import ApplianceError, CameraError


def picture(level: int) -> np.ndarray:
    image = np.full((90, 160, 3), level, np.uint8)
    cv2.circle(image, (80, 45), 20, (255 - level, 40, 90), -1)
    return image


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for k in range(3):
        assert cv2.imwrite(str(tmp_path / f"{k:03d}.png"), picture(60 * k))
    (tmp_path / "notes.txt").write_text("not a picture")
    return tmp_path


@pytest.fixture
def video(tmp_path: Path) -> Path:
    path = tmp_path / "throw.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 25.0, (160, 90))
    assert writer.isOpened()
    for k in range(10):
        writer.write(picture(20 * k))
    writer.release()
    return path


def test_a_video_has_its_own_time(video: Path) -> None:
    camera = open_camera(f"file:{video}")
    frames = list(camera.frames())
    assert [frame.index for frame in frames] == list(range(10))
    assert [frame.time_s for frame in frames] == pytest.approx([k / 25 for k in range(10)])
    assert frames[0].image.shape == (90, 160, 3)
    assert abs(int(frames[9].image[0, 0, 0]) - 180) < 12
    assert camera.name == str(video)
    camera.close()
    camera.close()


def test_a_closed_video_ends(video: Path) -> None:
    camera = open_camera(f"file:{video}")
    frames = camera.frames()
    next(frames)
    camera.close()
    assert list(frames) == []


def test_a_folder_is_read_in_the_order_of_names(folder: Path) -> None:
    frames = list(open_camera(f"dir:{folder}?fps=15").frames())
    assert [int(frame.image[0, 0, 0]) for frame in frames] == [0, 60, 120]
    assert [frame.time_s for frame in frames] == pytest.approx([0, 1 / 15, 2 / 15])


def test_pictures_may_have_an_angle_of_view(folder: Path, video: Path) -> None:
    for spec in (f"dir:{folder}?view=70", f"file:{video}?view=70"):
        sight = next(open_camera(spec).frames()).sight
        assert sight is not None
        assert sight.degrees == 70.0
    assert next(open_camera(f"dir:{folder}").frames()).sight is None


def test_a_folder_may_hold_each_picture(folder: Path) -> None:
    frames = list(open_camera(f"dir:{folder}?hold=4").frames())
    assert [frame.index for frame in frames] == list(range(12))
    assert [int(frame.image[0, 0, 0]) for frame in frames[3:5]] == [0, 60]


def test_a_closed_folder_ends(folder: Path) -> None:
    camera = open_camera(f"dir:{folder}?hold=9")
    frames = camera.frames()
    next(frames)
    camera.close()
    assert list(frames) == []


def test_a_picture_is_shown_for_a_while(folder: Path) -> None:
    camera = open_camera(f"file:{folder / '001.png'}?hold=5")
    frames = list(camera.frames())
    assert len(frames) == 5
    assert frames[4].time_s == pytest.approx(4 / 30)
    camera.close()
    assert list(camera.frames()) == []


def test_a_grey_picture_gets_three_channels(tmp_path: Path) -> None:
    path = tmp_path / "grey.png"
    cv2.imwrite(str(path), np.full((40, 50), 99, np.uint8))
    (frame,) = open_camera(f"file:{path}?hold=1").frames()
    assert frame.image.shape == (40, 50, 3)


def test_a_question_mark_may_be_part_of_a_name(tmp_path: Path) -> None:
    path = tmp_path / "why?.png"
    assert cv2.imwrite(str(path), picture(9))
    assert open_camera(f"file:{path}").name == str(path)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("", "expected file:PATH"),
        ("file", "expected file: and what to open"),
        ("file:", "expected file: and what to open"),
        ("webcam:0", "found the kind 'webcam'"),
        ("pi:1", "expected just pi"),
        ("dir:/x?speed=3", "found speed"),
        ("dir:/x?fps=0", "fps from 0.1 to 240"),
        ("dir:/x?fps=nan", "fps from 0.1 to 240"),
        ("dir:/x?fps=fast", "found 'fast'"),
        ("dir:/x?hold=0", "hold from 1"),
        ("v4l2:0?size=big", "expected size as in 1280x720"),
        ("v4l2:0?size=1x1", "expected even numbers as in 1280x720"),
        ("pi?size=640", "expected size as in 1280x720"),
        ("file:/no/such/video.mp4", "there is no such file"),
        ("file:/", "for a folder of pictures use dir:/"),
        ("dir:/no/such/folder", "there is no such folder"),
        ("v4l2:/dev/no-such-camera", "expected a camera at /dev/no-such-camera"),
    ],
)
def test_what_cannot_be_opened_is_named(spec: str, words: str) -> None:
    with pytest.raises(ApplianceError) as caught:
        open_camera(spec)
    assert isinstance(caught.value, CameraError)
    assert words in str(caught.value)


def test_specs_are_read() -> None:
    assert parse_spec("file:a/b:c.mp4") == Spec("file", "a/b:c.mp4")
    assert parse_spec("v4l2:0?size=1920x1080&fps=15") == Spec(
        "v4l2", "0", fps=15.0, size=(1920, 1080)
    )
    assert parse_spec("usb:1?view=78") == Spec("usb", "1", view=78.0)
    assert parse_spec("pi?fps=20") == Spec("pi", "", fps=20.0)
    assert parse_spec("pi") == Spec("pi", "")


@pytest.mark.parametrize("name", ["empty.mp4", "empty.jpg"])
def test_an_empty_file_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.touch()
    with pytest.raises(CameraError, match="empty"):
        open_camera(f"file:{path}")


@pytest.mark.parametrize("name", ["text.mp4", "text.jpg", "text"])
def test_a_file_that_is_no_picture_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"these are not pixels" * 50)
    with pytest.raises(CameraError, match=r"cannot be decoded|convert it to one of these"):
        open_camera(f"file:{path}")


def test_jpeg_2000_does_not_reach_its_decoder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good, data = cv2.imencode(".jp2", picture(9))
    assert good
    path = tmp_path / "photo.jpg"
    path.write_bytes(data.tobytes())
    monkeypatch.setattr(cv2, "imdecode", None)
    with pytest.raises(CameraError):
        open_camera(f"file:{path}")


def test_a_huge_picture_file_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "huge.png"
    with path.open("wb") as file:
        file.truncate(300 * 1024 * 1024)
    with pytest.raises(CameraError, match="300 MiB"):
        open_camera(f"file:{path}")


def test_a_folder_without_pictures_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="holds no pictures"):
        open_camera(f"dir:{tmp_path}")
    (tmp_path / "file").touch()
    with pytest.raises(CameraError, match="this is a file"):
        open_camera(f"dir:{tmp_path / 'file'}")


def test_a_damaged_picture_in_a_folder_is_named(folder: Path) -> None:
    (folder / "001.png").write_bytes(b"\x89PNG and nothing more")
    frames = open_camera(f"dir:{folder}").frames()
    next(frames)
    with pytest.raises(CameraError, match=r"001\.png"):
        next(frames)


def test_a_file_that_may_not_be_read_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("vision.image.files.open_to_read", refuse)
    with pytest.raises(CameraError, match="Permission denied"):
        open_camera(f"file:{folder / '000.png'}")


def test_a_file_that_may_not_even_be_looked_at_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("appliance.devices.camera.files.check_ordinary", refuse)
    with pytest.raises(CameraError, match="may not be read; change its owner or mode"):
        open_camera(f"file:{folder / '000.png'}")
