"""Films: files of many frames, each with the time at which it is to be shown.

Phones film at a rate that follows the light, so a time is the one that the file has for its frame
and never a number times a rate.
"""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np

from vision.errors import PictureError
from vision.frame import Frame, Image
from vision.image.files import MAX_PICTURE_PIXELS, check_file, load_picture

VIDEO_SUFFIXES = frozenset({".mp4", ".mov", ".avi", ".mkv", ".webm", ".m4v"})
_USUAL_FPS = 30.0
_FPS_RANGE = (0.1, 999.0)
"""OpenCV 4.11 gives 1,000 for a raw H.264 stream, which has no rate."""


def is_video(path: Path) -> bool:
    """True if the name says that the file is a video."""
    return path.suffix.lower() in VIDEO_SUFFIXES


def picture_of(path: Path, index: int = 0) -> Image:
    """One picture of a video or of any other file, (height, width, 3), BGR.

    Args:
        path: the file.
        index: of the frame or page, counted from 0.

    Raises:
        PictureError: the file cannot be read, or does not hold that many.
    """
    return next(Film(path).frames([index])).image if is_video(path) else load_picture(path, index)


class Film:
    """A film that is open.

    Args:
        path: its file.

    Raises:
        PictureError: the file is missing, empty, or not a video of which a frame can be decoded.
    """

    def __init__(self, path: Path) -> None:
        check_file(path)
        self._path = path
        self._capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
        rate = float(self._capture.get(cv2.CAP_PROP_FPS))
        # Some containers state no rate, or a nonsensical one.
        sane = math.isfinite(rate) and _FPS_RANGE[0] <= rate <= _FPS_RANGE[1]
        self._step_s = 1 / (rate if sane else _USUAL_FPS)
        self._time_s = -self._step_s
        self._index = 0
        self._has_frame = self._capture.isOpened() and self._grab()
        if not self._has_frame:
            self.close()
            raise PictureError(f"{path}: cannot be decoded as a video")

    def frames(self, indices: Sequence[int] | None = None) -> Iterator[Frame]:
        """The frames from the present one on; closes the film behind the last.

        Args:
            indices: of the frames to decode, counted from 0; None for all.

        Raises:
            PictureError: the film is cut off, holds too large frames, or ends before a frame that
                was asked for.
        """
        wanted = None if indices is None else frozenset(indices)
        last = None if wanted is None else max(wanted, default=-1)
        try:
            while self._has_frame and (last is None or self._index <= last):
                if wanted is None or self._index in wanted:
                    yield self._frame()
                self._index += 1
                self._has_frame = self._capture.isOpened() and self._grab()
        finally:
            self.close()
        if last is not None and self._index <= last:
            raise PictureError(
                f"{self._path}: has only {self._index} frames, frame {last} was asked for"
            )

    def close(self) -> None:
        """Closes the file; nothing comes any more."""
        self._capture.release()
        self._has_frame = False

    def _grab(self) -> bool:
        """Takes the next frame, and the time that the file has for it."""
        try:
            if not self._capture.grab():
                return False
        except cv2.error as error:
            raise PictureError(f"{self._path}: the video is cut off: {error.err}") from error
        # Raw streams have no times, and an AVI with B-frames none for its last: it is 0, or less.
        stamp_s = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
        told = stamp_s >= 0 and stamp_s > self._time_s
        self._time_s = stamp_s if told else self._time_s + self._step_s
        return True

    def _frame(self) -> Frame:
        """The frame that was taken, decoded."""
        _, image = self._capture.retrieve()
        if image is None:
            raise PictureError(f"{self._path}: frame {self._index} is damaged")
        if image.shape[0] * image.shape[1] > MAX_PICTURE_PIXELS:
            size = f"{image.shape[1]}x{image.shape[0]}"
            raise PictureError(f"{self._path}: frames of {size} are too large")
        return Frame(np.asarray(image, dtype=np.uint8), self._time_s, self._index)
