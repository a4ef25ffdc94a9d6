"""The formats of photographs beside JPEG and PNG: which one bytes are in, and how large it says.

Sources: BITMAPINFOHEADER (https://learn.microsoft.com/windows/win32/api/wingdi/), RFC 9649 (WebP),
TIFF 6.0, ISO/IEC 23008-12 (HEIF; `ispe` is the image's size).
"""

import importlib
import io
import struct
from collections.abc import Callable

import cv2
import numpy as np

from vision.frame import Image

FORMATS = "JPEG, PNG, WebP, BMP, TIFF, AVIF or HEIC"
"""The formats that can be read, in words."""

HEIC_ADVICE = (
    "pip install pillow-heif to read it, or convert it to JPEG; a phone that is set to the most "
    "compatible format takes JPEG itself"
)

_HEIC_BRANDS = frozenset({b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1"})
_AVIF_BRANDS = frozenset({b"avif", b"avis"})
_WIDTH_TAG = 256
_HEIGHT_TAG = 257


class Truncated(ValueError):
    """The file ends before what its beginning announces."""


def format_of(data: bytes) -> str:
    """One of "BMP", "WebP", "TIFF", "AVIF" and "HEIC"; empty for anything else."""
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


def size_of(data: bytes, kind: str) -> tuple[int, int]:
    """Width and height, pixels, of a picture of this format.

    Raises:
        Truncated: the file ends too early, or says nothing of its size.
    """
    try:
        return _SIZES[kind](data)
    except (struct.error, IndexError, KeyError) as error:
        raise Truncated from error


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


def _bmp_size(data: bytes) -> tuple[int, int]:
    length, width, height = struct.unpack("<2xI12xii", data[:26])
    if length > len(data):
        raise Truncated
    return width, abs(height)


def _webp_size(data: bytes) -> tuple[int, int]:
    if struct.unpack("<I", data[4:8])[0] + 8 > len(data):
        raise Truncated
    chunk = data[12:16]
    if chunk == b"VP8X":
        return _three_bytes(data, 24) + 1, _three_bytes(data, 27) + 1
    if chunk == b"VP8L":
        (bits,) = struct.unpack("<I", data[21:25])
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    width, height = struct.unpack("<HH", data[26:30])
    return width & 0x3FFF, height & 0x3FFF


def _three_bytes(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 3], "little")


def _tiff_size(data: bytes) -> tuple[int, int]:
    order = "<" if data[:1] == b"I" else ">"
    (at,) = struct.unpack(f"{order}I", data[4:8])
    (count,) = struct.unpack(f"{order}H", data[at : at + 2])
    values: dict[int, int] = {}
    for number in range(count):
        entry = data[at + 2 + 12 * number : at + 14 + 12 * number]
        tag, kind = struct.unpack(f"{order}HH", entry[:4])
        # Type 3 is 16 bits long, type 4 32.
        number_format, end = ("H", 10) if kind == 3 else ("I", 12)
        (values[tag],) = struct.unpack(order + number_format, entry[8:end])
    return values[_WIDTH_TAG], values[_HEIGHT_TAG]


def _heif_size(data: bytes) -> tuple[int, int]:
    sizes = []
    at = data.find(b"ispe")
    while at >= 0:
        sizes.append(struct.unpack(">II", data[at + 8 : at + 16]))
        at = data.find(b"ispe", at + 4)
    # A thumbnail and the tiles of a large picture have sizes of their own.
    width, height = max(sizes, key=lambda size: size[0] * size[1]) if sizes else (0, 0)
    if not sizes:
        raise Truncated
    return width, height


def _box_end(data: bytes, at: int) -> int:
    return min(len(data), at + int.from_bytes(data[at : at + 4], "big"))


_SIZES: dict[str, Callable[[bytes], tuple[int, int]]] = {
    "BMP": _bmp_size,
    "WebP": _webp_size,
    "TIFF": _tiff_size,
    "AVIF": _heif_size,
    "HEIC": _heif_size,
}
