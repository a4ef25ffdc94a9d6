"""JPEG (ITU-T T.81): the size in its header, and whether all of it is there.

libjpeg fills what is missing with grey and says nothing, so that has to be found out here.
"""

import struct

import cv2
import numpy as np
from cv2.typing import MatLike

from vision.image.extent import Extent, Truncated, Undecodable

SIGNATURE = b"\xff\xd8\xff"
# Start-of-frame markers (table B.1); C4, C8 and CC mean other things.
_FRAME_HEADERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_SEQUENTIAL = frozenset({0xC0, 0xC1})
_END_OF_IMAGE = b"\xff\xd9"
_START_OF_SCAN = b"\xff\xda"
_MAX_SCANS = 100
"""A progressive picture has some ten, with a thumbnail twenty. Each takes a look at all pixels."""
_MORE_DATA = bytes(range(254, 1, -1))
"""Looks like more of a scan. It begins with a bit that is set: where bits are missing, libjpeg goes
on with zeros."""


def jpeg_extent(data: bytes) -> Extent:
    """Size of the picture.

    Raises:
        Truncated: its header is missing.
        Undecodable: it has none, or takes long to decode.
    """
    scans = data.count(_START_OF_SCAN)
    if scans > _MAX_SCANS:
        raise Undecodable(
            f"the JPEG file has {scans} scans, expected at most {_MAX_SCANS}; save it anew"
        )
    return _frame_header(data)[1]


def completed(data: bytes) -> bytes:
    """The file, with the end mark that pictures of some webcams lack.

    Raises:
        Truncated: more than that is missing.
    """
    # Some cameras append data after the end, and thumbnails have ends of their own, so search from
    # the last scan's start.
    scan = data.rfind(_START_OF_SCAN)
    if scan >= 0 and data.find(_END_OF_IMAGE, scan) >= 0:
        return data
    # Nobody can tell whether all scans of a progressive picture are there.
    if scan < 0 or _frame_header(data)[0] not in _SEQUENTIAL:
        raise Truncated
    # If the last block is there, more data behind it changes no pixel.
    plain, longer = (_decoded(data + more + _END_OF_IMAGE) for more in (b"", _MORE_DATA))
    if plain is None or longer is None or not np.array_equal(plain, longer):
        raise Truncated
    return data + _END_OF_IMAGE


def _decoded(data: bytes) -> MatLike | None:
    return cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)


def _frame_header(data: bytes) -> tuple[int, Extent]:
    place = 2
    while True:
        place = data.find(b"\xff", place)
        if place < 0 or place + 9 >= len(data):
            raise Truncated
        marker = data[place + 1]
        if marker == 0xFF:
            place += 1
            continue
        if marker in (0x00, 0x01, 0xD8) or 0xD0 <= marker <= 0xD7:
            place += 2
            continue
        if marker in _FRAME_HEADERS:
            height, width = struct.unpack(">HH", data[place + 5 : place + 9])
            return marker, Extent(width, height)
        if marker in (0xD9, 0xDA):
            raise Undecodable("the JPEG file has no frame header; it is damaged")
        place += 2 + int(struct.unpack(">H", data[place + 2 : place + 4])[0])
