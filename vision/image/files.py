"""Reads pictures from files, and tells apart every way a file can be bad."""

from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np
from cv2.typing import MatLike

from vision.errors import PictureError
from vision.files.ordinary import check_ordinary, open_to_read
from vision.frame import Image
from vision.image.extent import Extent, Truncated, Undecodable
from vision.image.formats import (
    FORMATS,
    HEIC_ADVICE,
    as_taken,
    decode_heic,
    extent_of,
    format_of,
)
from vision.image.jpeg import completed

MAX_PICTURE_PIXELS = 64_000_000
"""Larger pictures are refused before they are decoded: a small appliance has little memory."""
MIN_PICTURE_SIDE_PX = 16
"""No die can be read in a narrower picture."""
MAX_PICTURE_BYTES = 200_000_000

_HAS_NO_AVIF = "AVIF:                        NO"
"""OpenCV's line about itself (CMakeLists.txt, `status("    AVIF:"`)."""


class Pictures:
    """A file of a photograph, or of several: the pages of a TIFF, the frames of an animation.

    Args:
        path: the file, in one of `FORMATS` of `vision.image.formats`.

    Attributes:
        count: how many pictures the file says it holds.

    Raises:
        PictureError: the file is missing, empty, not a photograph, truncated, too large or too
            small.
    """

    def __init__(self, path: Path) -> None:
        self._data, self._name = _read_bytes(path), str(path)
        self._kind, self._extent = _checked(self._data, self._name, MAX_PICTURE_PIXELS)
        self.count = self._extent.pictures

    def picture(self, index: int = 0) -> Image:
        """One of them, (height, width, 3), BGR, turned as its file says.

        Raises:
            PictureError: there are not so many, or it is damaged; or it is not the first, and all
                of them together are too large.
        """
        name, count = self._name, self.count
        if index >= count:
            pictures = "1 picture" if count == 1 else f"{count} pictures"
            raise PictureError(f"{name}: has only {pictures}, picture {index} was asked for")
        if index == 0:
            return _decoded(self._data, self._kind, name)
        # OpenCV decodes all of them: asked for just one, 4.11 to 5.0 return the first of a WebP.
        if self._extent.pixels * count > MAX_PICTURE_PIXELS:
            most = f"{MAX_PICTURE_PIXELS // 1_000_000} million pixels"
            size = f"{self._extent.width}x{self._extent.height}"
            raise PictureError(f"{name}: {count} pictures of {size} are more than {most}; split it")
        _, images = cv2.imdecodemulti(np.frombuffer(self._data, np.uint8), cv2.IMREAD_COLOR)
        if index >= len(images):
            raise PictureError(f"{name}: picture {index} is damaged and cannot be decoded")
        return as_taken(np.asarray(images[index], dtype=np.uint8), self._data, self._kind)


def load_picture(path: Path, index: int = 0) -> Image:
    """Reads a photograph.

    Args:
        path: its file.
        index: which of its pictures, counted from 0.

    Returns:
        The picture, (height, width, 3), BGR, turned as its file says.

    Raises:
        PictureError: see `Pictures`.
    """
    return Pictures(path).picture(index)


def decode_picture(data: bytes, name: str, most_pixels: int | None = None) -> Image:
    """Decodes the bytes of a photograph's file; `name` is for the error.

    More than `most_pixels`, by default `MAX_PICTURE_PIXELS`, are refused before they are decoded.

    Raises:
        PictureError: see `Pictures`.
    """
    kind, _ = _checked(data, name, MAX_PICTURE_PIXELS if most_pixels is None else most_pixels)
    return _decoded(data, kind, name)


def _checked(data: bytes, name: str, most_pixels: int) -> tuple[str, Extent]:
    """The format of a picture that may be decoded, and its extent."""
    if not data:
        raise PictureError(f"{name}: the file is empty; expected a {FORMATS} picture")
    kind = format_of(data)
    if not kind:
        raise PictureError(f"{name}: not a {FORMATS} picture; convert it to one of these first")
    try:
        extent = extent_of(data, kind)
    except Truncated:
        raise PictureError(f"{name}: the {kind} file is truncated; copy it again") from None
    except Undecodable as error:
        raise PictureError(f"{name}: {error}") from None
    size = f"{extent.width}x{extent.height}"
    if extent.pixels > most_pixels:
        most = f"{most_pixels // 1_000_000} million pixels"
        raise PictureError(f"{name}: {size} is more than {most}; make it smaller first")
    if min(extent.width, extent.height) < MIN_PICTURE_SIDE_PX:
        raise PictureError(
            f"{name}: {size} is too small; expected at least {MIN_PICTURE_SIDE_PX} pixels a side"
        )
    return kind, extent


def _decoded(data: bytes, kind: str, name: str) -> Image:
    """The first picture in checked data."""
    image: MatLike | None = None
    if kind == "HEIC":
        try:
            image = decode_heic(data)
        except ModuleNotFoundError:
            raise PictureError(f"{name}: this is a HEIC picture; {HEIC_ADVICE}") from None
    else:
        if kind == "JPEG":
            try:
                data = completed(data)
            except Truncated:
                raise PictureError(f"{name}: the JPEG file is truncated; copy it again") from None
        with suppress(cv2.error):
            image = cv2.imdecode(np.frombuffer(data, dtype=np.uint8), cv2.IMREAD_COLOR)
        if image is None and kind == "AVIF" and _HAS_NO_AVIF in cv2.getBuildInformation():
            raise PictureError(f"{name}: this OpenCV cannot read AVIF; convert it to JPEG")
    if image is None:
        raise PictureError(f"{name}: the picture is damaged and cannot be decoded")
    return as_taken(np.asarray(image, dtype=np.uint8), data, kind)


def check_file(path: Path) -> int:
    """The size, bytes, of what is an ordinary file.

    Raises:
        PictureError: it is none, it cannot be read, or it is empty.
    """
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
    size = check_file(path)
    if size > MAX_PICTURE_BYTES:
        raise PictureError(f"{path}: {size} bytes is too large for a picture")
    try:
        with open_to_read(path) as file:
            return file.read(MAX_PICTURE_BYTES)
    except OSError as error:
        raise PictureError(f"{path}: cannot be read: {error.strerror}") from error
