"""Reads pictures and video frames from files, and tells apart every way a file can be bad."""

import struct
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np

from vision.errors import PictureError
from vision.files.ordinary import check_ordinary, open_to_read
from vision.frame import Frame, Image
from vision.image.formats import (
    FORMATS,
    HEIC_ADVICE,
    Truncated,
    decode_heic,
    format_of,
    size_of,
)

VIDEO_SUFFIXES = frozenset({".mp4", ".mov", ".avi", ".mkv", ".webm", ".m4v"})
MAX_PICTURE_PIXELS = 64_000_000
"""Larger pictures are refused before they are decoded: a small appliance has little memory."""
MIN_PICTURE_SIDE_PX = 16
"""No die can be read in a narrower picture."""
MAX_PICTURE_BYTES = 200_000_000

_HAS_NO_AVIF = "AVIF:                        NO"
"""OpenCV's line about itself (CMakeLists.txt, `status("    AVIF:"`)."""

_JPEG_SIGNATURE = b"\xff\xd8\xff"
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
# Start-of-frame markers of JPEG (ITU-T T.81, table B.1); C4, C8 and CC mean other things.
_FRAME_HEADER_MARKERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


def is_video(path: Path) -> bool:
    """True if the name says that the file is a video."""
    return path.suffix.lower() in VIDEO_SUFFIXES


def load_picture(path: Path) -> Image:
    """Reads a photograph; `FORMATS` of `vision.image.formats` has its formats.

    Returns:
        The picture, (height, width, 3), BGR, rotated according to its EXIF orientation.

    Raises:
        PictureError: the file is missing, empty, not a photograph, truncated, damaged, too
            large or too small.
    """
    return decode_picture(_read_bytes(path), str(path))


def decode_picture(data: bytes, name: str, most_pixels: int | None = None) -> Image:
    """Decodes the bytes of a photograph's file; `name` is for the error.

    More than `most_pixels`, by default `MAX_PICTURE_PIXELS`, are refused before they are decoded.

    Raises:
        PictureError: see `load_picture`.
    """
    if not data:
        raise PictureError(f"{name}: the file is empty; expected a {FORMATS} picture")
    kind = format_of(data)
    if data.startswith(_JPEG_SIGNATURE):
        width, height = _jpeg_size(data, name)
    elif data.startswith(PNG_SIGNATURE):
        width, height = png_size(data, name)
    elif kind:
        try:
            width, height = size_of(data, kind)
        except Truncated:
            raise PictureError(f"{name}: the {kind} file is truncated; copy it again") from None
    else:
        raise PictureError(f"{name}: not a {FORMATS} picture; convert it to one of these first")
    most = MAX_PICTURE_PIXELS if most_pixels is None else most_pixels
    if width * height > most:
        raise PictureError(
            f"{name}: {width}x{height} is more than {most // 1_000_000} million "
            "pixels; make it smaller first"
        )
    if min(width, height) < MIN_PICTURE_SIDE_PX:
        raise PictureError(
            f"{name}: {width}x{height} is too small; "
            f"expected at least {MIN_PICTURE_SIDE_PX} pixels a side"
        )
    image = _decoded(data, kind, name)
    if image is None:
        raise PictureError(f"{name}: the picture is damaged and cannot be decoded")
    return image


def _decoded(data: bytes, kind: str, name: str) -> Image | None:
    image = None
    if kind == "HEIC":
        try:
            return decode_heic(data)
        except ModuleNotFoundError:
            raise PictureError(f"{name}: this is a HEIC picture; {HEIC_ADVICE}") from None
    with suppress(cv2.error):
        image = cv2.imdecode(np.frombuffer(data, dtype=np.uint8), cv2.IMREAD_COLOR)
    if image is None and kind == "AVIF" and _HAS_NO_AVIF in cv2.getBuildInformation():
        raise PictureError(f"{name}: this OpenCV cannot read AVIF; convert it to JPEG")
    return None if image is None else np.asarray(image, dtype=np.uint8)


def load_frames(path: Path, indices: Sequence[int] | None = None) -> Iterator[Frame]:
    """Reads frames of a video, in the order of the file.

    Args:
        path: the video file.
        indices: frames to return, counted from 0; None for all.

    Yields:
        The frames asked for.

    Raises:
        PictureError: the file is missing, empty, not a video that can be decoded, or ends before
            a frame that was asked for.
    """
    _check_file(path)
    capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
    try:
        if not capture.isOpened():
            raise PictureError(f"{path}: cannot be decoded as a video")
        rate = capture.get(cv2.CAP_PROP_FPS)
        step = 1.0 / rate if rate > 0 else 1.0 / 30.0
        wanted = None if indices is None else frozenset(indices)
        last = None if wanted is None else max(wanted, default=-1)
        index = 0
        while last is None or index <= last:
            if wanted is not None and index not in wanted:
                if not capture.grab():
                    break
                index += 1
                continue
            good, image = capture.read()
            if not good or image is None:
                break
            if image.shape[0] * image.shape[1] > MAX_PICTURE_PIXELS:
                raise PictureError(
                    f"{path}: frames of {image.shape[1]}x{image.shape[0]} are too large"
                )
            yield Frame(np.asarray(image, dtype=np.uint8), index * step, index)
            index += 1
        if index == 0:
            raise PictureError(f"{path}: holds no frame that can be decoded")
        if last is not None and index <= last:
            raise PictureError(f"{path}: has only {index} frames, frame {last} was asked for")
    finally:
        capture.release()


def _check_file(path: Path) -> int:
    try:
        if path.is_dir():
            raise PictureError(f"{path}: is a folder; name the pictures in it")
        check_ordinary(path)
        size = path.stat().st_size
    except FileNotFoundError:
        raise PictureError(f"{path}: no such file") from None
    except OSError as error:
        raise PictureError(f"{path}: cannot be read: {error.strerror}") from error
    if size == 0:
        raise PictureError(f"{path}: the file is empty")
    return size


def _read_bytes(path: Path) -> bytes:
    size = _check_file(path)
    if size > MAX_PICTURE_BYTES:
        raise PictureError(f"{path}: {size} bytes is too large for a picture")
    try:
        with open_to_read(path) as file:
            return file.read(MAX_PICTURE_BYTES)
    except OSError as error:
        raise PictureError(f"{path}: cannot be read: {error.strerror}") from error


def _jpeg_size(data: bytes, name: str) -> tuple[int, int]:
    """Width and height from the frame header; refuses files that end too early."""
    truncated = PictureError(f"{name}: the JPEG file is truncated; copy it again")
    place = 2
    while True:
        place = data.find(b"\xff", place)
        if place < 0 or place + 9 >= len(data):
            raise truncated
        marker = data[place + 1]
        if marker == 0xFF:
            place += 1
            continue
        if marker in (0x00, 0x01, 0xD8) or 0xD0 <= marker <= 0xD7:
            place += 2
            continue
        if marker in _FRAME_HEADER_MARKERS:
            height, width = struct.unpack(">HH", data[place + 5 : place + 9])
            break
        if marker in (0xD9, 0xDA):
            raise PictureError(f"{name}: the JPEG file has no frame header; it is damaged")
        place += 2 + int(struct.unpack(">H", data[place + 2 : place + 4])[0])
    # OpenCV silently fills what is missing with grey. A complete file ends its last scan with an
    # end-of-image marker; some cameras append data after it, so search from that scan's start.
    scan = data.rfind(b"\xff\xda")
    if scan < 0 or data.find(b"\xff\xd9", scan) < 0:
        raise truncated
    return width, height


def png_size(data: bytes, name: str) -> tuple[int, int]:
    """Width and height from IHDR; walks the chunks to check that the file is complete.

    OpenCV makes room for a chunk as long as it says before it looks how many bytes there are:
    2.6 GB for a file of 828 bytes, measured with 4.14.0.

    Raises:
        PictureError: it is not.
    """
    if len(data) < 33 or data[12:16] != b"IHDR":
        raise PictureError(f"{name}: the PNG file is truncated; copy it again")
    width, height = struct.unpack(">II", data[16:24])
    place = 8
    while place + 12 <= len(data):
        length = int(struct.unpack(">I", data[place : place + 4])[0])
        kind = data[place + 4 : place + 8]
        place += 12 + length
        if kind == b"IEND" and place <= len(data):
            return width, height
    raise PictureError(f"{name}: the PNG file is truncated; copy it again")
