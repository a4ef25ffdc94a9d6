"""Films: each frame has the time that its file says, and what is no film is refused."""

from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.paths import ROOT
from vision.errors import PictureError
from vision.image.films import Film, is_video, picture_of

FILMS = ROOT / "tests/data/films"
# What `scripts/make_test_files.py` writes, and PyAV 18.1 reads.
STAMPS_S = (0, 0.033, 0.067, 0.1, 0.4, 0.433, 0.467, 0.9, 0.933, 1.5, 1.516, 1.533, 2.6, 2.633)


def video(path: Path, frames: int = 6) -> None:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 30.0, (64, 48))
    for i in range(frames):
        writer.write(np.full((48, 64, 3), 40 * i, dtype=np.uint8))
    writer.release()


@pytest.mark.parametrize("name", ["variable.mp4", "variable.webm"])
def test_a_phone_s_film_has_the_times_of_its_file(name: str) -> None:
    frames = list(Film(FILMS / name).frames())
    assert [frame.time_s for frame in frames] == pytest.approx(STAMPS_S, abs=1e-3)
    assert [round(float(frame.image.mean()) / 16) for frame in frames] == list(range(14))
    (last,) = Film(FILMS / name).frames([13])
    assert last.time_s == pytest.approx(2.633, abs=1e-3)


@pytest.mark.parametrize("name", ["b-frames.avi", "no-times.h264"])
def test_where_a_file_has_no_time_the_clock_goes_on(name: str) -> None:
    times = [frame.time_s for frame in Film(FILMS / name).frames()]
    assert len(times) == 14
    assert times[0] >= 0
    assert all(now < then < now + 0.05 for now, then in pairwise(times))


def test_frames_of_a_video_are_picked(tmp_path: Path) -> None:
    path = tmp_path / "a.avi"
    video(path)
    assert is_video(path)
    frames = list(Film(path).frames([1, 4]))
    assert [f.index for f in frames] == [1, 4]
    assert [round(float(f.image.mean()) / 40) for f in frames] == [1, 4]
    assert frames[1].time_s == pytest.approx(4 / 30)
    assert [f.index for f in Film(path).frames()] == list(range(6))
    assert round(float(picture_of(path, 3).mean()) / 40) == 3


def test_a_frame_behind_the_end_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.avi"
    video(path)
    with pytest.raises(PictureError, match="only 6 frames, frame 9"):
        list(Film(path).frames([2, 9]))


def test_a_video_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.mp4"
    path.write_bytes(b"no video at all" * 10)
    with pytest.raises(PictureError, match="cannot be decoded"):
        Film(path)
    path.write_bytes(b"")
    with pytest.raises(PictureError, match="empty"):
        Film(path)


def test_a_closed_film_ends(tmp_path: Path) -> None:
    path = tmp_path / "a.avi"
    video(path)
    film = Film(path)
    frames = film.frames()
    next(frames)
    film.close()
    assert list(frames) == []
