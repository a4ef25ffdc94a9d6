"""The formats of photographs: which one bytes are in, and what it says before it is decoded.

Sources: PNG 3 (W3C), BITMAPINFOHEADER (https://learn.microsoft.com/windows/win32/api/wingdi/), RFC
9649 (WebP), TIFF 6.0, DNG 1.7, ISO/IEC 23008-12 (HEIF; `ispe` is the image's size).
"""

import importlib
import io
import math
import struct
from collections.abc import Callable

import cv2
import numpy as np

from vision.frame import Image
from vision.image.extent import Extent, Truncated, Undecodable
from vision.image.jpeg import SIGNATURE as JPEG_SIGNATURE
from vision.image.jpeg import jpeg_extent

FORMATS = "JPEG, PNG, WebP, BMP, TIFF, AVIF or HEIC"
"""The formats that can be read, in words."""

HEIC_ADVICE = (
    "to read it, add pillow-heif: .venv/bin/pip install pillow-heif, or pipx inject dicetray "
    "pillow-heif; or convert it to JPEG, as phones take in their most compatible format"
)

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_HEIC_BRANDS = frozenset({b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1"})
_AVIF_BRANDS = frozenset({b"avif", b"avis"})
_WIDTH_TAG = 256
_HEIGHT_TAG = 257
_SAMPLE_FORMAT_TAG = 339
_FLOATING_POINT = 3
_DNG_VERSION_TAG = 50706
_MAX_TIFF_PICTURES = 1000
_MAX_TIFF_TAGS = 1000
"""Photographs have less than a hundred."""


def format_of(data: bytes) -> str:
    """One of the formats, a key of `_EXTENTS`; empty for anything else."""
    if data.startswith(JPEG_SIGNATURE):
        return "JPEG"
    if data.startswith(PNG_SIGNATURE):
        return "PNG"
    if data[:2] == b"BM":
        return "BMP"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "WebP"
    if data[:4] in (b"II*\0", b"MM\0*"):
        return "TIFF"
    if data[4:8] == b"ftyp":
        brands = {data[8:12], *(data[at : at + 4] for at in range(16, _box_end(data, 0), 4))}
        return "AVIF" if brands & _AVIF_BRANDS else "HEIC" if brands & _HEIC_BRANDS else ""
    return ""


def extent_of(data: bytes, kind: str) -> Extent:
    """How large, and how many, the pictures in a file of this format are.

    Raises:
        Truncated: the file ends too early, or says nothing of its size.
        Undecodable: it is a raw photograph, or its pixels are no whole numbers.
    """
    try:
        return _EXTENTS[kind](data)
    except (struct.error, IndexError, KeyError) as error:
        raise Truncated from error


def as_taken(image: Image, data: bytes, kind: str) -> Image:
    """The decoded picture, turned and mirrored as its file says.

    OpenCV 4.14 and 5.0 obey the EXIF orientation, but not the boxes `irot` and `imir` of an AVIF
    (ISO/IEC 23008-12, 6.5.10 and 6.5.12): first a number of quarter turns to the left, then an axis
    to mirror at, 0 for one that lies and 1 for one that stands.
    """
    if kind != "AVIF":
        return image
    start = data.find(b"meta")
    boxes = data[start : _box_end(data, start - 4)]
    turn, mirror = _property(boxes, b"irot"), _property(boxes, b"imir")
    if turn is not None:
        image = np.rot90(image, turn)
    if mirror is not None:
        image = image[:, ::-1] if mirror else image[::-1]
    return np.ascontiguousarray(image)


def decode_heic(data: bytes) -> Image | None:
    """A HEIC picture, BGR; None if it is damaged.

    Raises:
        ModuleNotFoundError: pillow-heif is not installed.
    """
    plugin = importlib.import_module("pillow_heif")
    try:
        picture = np.asarray(plugin.open_heif(io.BytesIO(data), bgr_mode=True), np.uint8)
    except (OSError, ValueError, RuntimeError, EOFError, SyntaxError):
        return None
    if picture.ndim == 2:
        return np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR), np.uint8)
    return np.ascontiguousarray(picture[:, :, :3])


def _png_extent(data: bytes) -> Extent:
    """Walks the chunks to the end, and counts the frames of an animation (chunk `acTL`).

    OpenCV makes room for a chunk as long as it says before it looks how many bytes there are:
    2.6 GB for a file of 828 bytes, measured with 4.14.0.
    """
    if data[12:16] != b"IHDR":
        raise Truncated
    width, height = struct.unpack(">II", data[16:24])
    at, pictures = 8, 1
    while at + 12 <= len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        name, body = data[at + 4 : at + 8], at + 8
        at = body + length + 4
        if name == b"acTL":
            (pictures,) = struct.unpack(">I", data[body : body + 4])
            if pictures > len(data):
                # Each of them takes a chunk.
                raise Truncated
        if name == b"IEND" and at <= len(data):
            return Extent(width, height, max(1, pictures))
    raise Truncated


def _bmp_extent(data: bytes) -> Extent:
    length, width, height = struct.unpack("<2xI12xii", data[:26])
    if length > len(data):
        raise Truncated
    if width < 0:
        raise Undecodable(f"damaged: its width is {width}; copy it again")
    # A picture whose rows stand from the top down has a negative height.
    return Extent(width, abs(height))


def _webp_extent(data: bytes) -> Extent:
    if struct.unpack("<I", data[4:8])[0] + 8 > len(data):
        raise Truncated
    chunk = data[12:16]
    if chunk == b"VP8X":
        width, height = _three_bytes(data, 24) + 1, _three_bytes(data, 27) + 1
        return Extent(width, height, max(1, _count_chunks(data, b"ANMF")))
    if chunk == b"VP8L":
        (bits,) = struct.unpack("<I", data[21:25])
        return Extent((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    width, height = struct.unpack("<HH", data[26:30])
    return Extent(width & 0x3FFF, height & 0x3FFF)


def _count_chunks(data: bytes, name: bytes) -> int:
    at, count = 12, 0
    while at + 8 <= len(data):
        count += data[at : at + 4] == name
        length = int.from_bytes(data[at + 4 : at + 8], "little")
        at += 8 + length + length % 2
    return count


def _three_bytes(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 3], "little")


def _tiff_extent(data: bytes) -> Extent:
    order = "<" if data[:1] == b"I" else ">"
    sizes: list[tuple[int, int]] = []
    (at,) = struct.unpack(f"{order}I", data[4:8])
    while at:
        if len(sizes) == _MAX_TIFF_PICTURES:
            raise Undecodable(f"more than {_MAX_TIFF_PICTURES} pictures; split it")
        tags, at = _tiff_directory(data, at, order)
        if _DNG_VERSION_TAG in tags:
            raise Undecodable(
                "a raw photograph (DNG), of which only a small preview could be read; "
                "export it as JPEG"
            )
        if tags.get(_SAMPLE_FORMAT_TAG) == _FLOATING_POINT:
            raise Undecodable("its pixels are floating-point numbers; save it with 8 or 16 bits")
        sizes.append((tags[_WIDTH_TAG], tags[_HEIGHT_TAG]))
    return Extent(*max(sizes, key=math.prod, default=(0, 0)), len(sizes))


def _tiff_directory(data: bytes, at: int, order: str) -> tuple[dict[int, int], int]:
    """The first number of each tag of a directory, and where the next one is; 0 for none."""
    (count,) = struct.unpack(f"{order}H", data[at : at + 2])
    if count > _MAX_TIFF_TAGS:
        raise Truncated
    tags: dict[int, int] = {}
    for entry in range(at + 2, at + 2 + 12 * count, 12):
        tag, kind, numbers = struct.unpack(f"{order}HHI", data[entry : entry + 8])
        # Types: 1 for 8 bits, 3 for 16, 4 for 32; what is longer than 4 bytes lies elsewhere.
        letter, length = {1: ("B", 1), 3: ("H", 2), 4: ("I", 4)}.get(kind, ("", 0))
        if not letter:
            continue
        place = entry + 8
        if numbers * length > 4:
            (place,) = struct.unpack(f"{order}I", data[place : place + 4])
        if place + length <= len(data):
            (tags[tag],) = struct.unpack(order + letter, data[place : place + length])
    end = at + 2 + 12 * count
    return tags, int(struct.unpack(f"{order}I", data[end : end + 4])[0])


def _heif_extent(data: bytes) -> Extent:
    sizes = []
    at = data.find(b"ispe")
    while at >= 0:
        sizes.append(struct.unpack(">II", data[at + 8 : at + 16]))
        at = data.find(b"ispe", at + 4)
    if not sizes:
        raise Truncated
    # A thumbnail and the tiles of a large picture have sizes of their own.
    return Extent(*max(sizes, key=math.prod))


def _avif_extent(data: bytes) -> Extent:
    """An animation has a list of its samples, `stsz` (ISO/IEC 14496-12, 8.7.3)."""
    at = data.find(b"stsz")
    count = struct.unpack(">I", data[at + 12 : at + 16])[0] if at >= 0 else 1
    if count > len(data):
        raise Truncated
    return _heif_extent(data)._replace(pictures=max(1, count))


def _property(boxes: bytes, name: bytes) -> int | None:
    """The two lowest bits of a box of one byte."""
    at = boxes.find(b"\0\0\0\x09" + name)
    return boxes[at + 8] & 3 if at >= 0 else None


def _box_end(data: bytes, at: int) -> int:
    return min(len(data), at + int.from_bytes(data[at : at + 4], "big"))


_EXTENTS: dict[str, Callable[[bytes], Extent]] = {
    "JPEG": jpeg_extent,
    "PNG": _png_extent,
    "BMP": _bmp_extent,
    "WebP": _webp_extent,
    "TIFF": _tiff_extent,
    "AVIF": _avif_extent,
    "HEIC": _heif_extent,
}
