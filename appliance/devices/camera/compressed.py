"""Pictures as a USB camera sends them, each a JPEG: small at once, whole when it is asked for.

Most frames, and at rest nearly all, are only glanced at. libjpeg can decode a picture at a half, a
quarter or an eighth of its size: each block of 8x8 pixels comes from its lowest frequencies
(`scale_num` in libjpeg.txt, "Decompression parameter selection"). A quarter of 1280x720 takes 0.63
of the time; what is left is that of the Huffman codes, which must all be read.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame, Image, LazyFrame
from vision.geometry.sight import Size
from vision.image.extent import Truncated, Undecodable
from vision.image.jpeg import completed
from vision.watch.motion import SMALL_LONG_SIDE_PX

Data = NDArray[np.uint8]
"""The bytes of a JPEG, (n,) or (1, n)."""
_REDUCED = {
    8: cv2.IMREAD_REDUCED_COLOR_8,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    2: cv2.IMREAD_REDUCED_COLOR_2,
}


class CompressedFrame(LazyFrame):
    """A frame of a USB camera, whose full picture is decoded on first use."""

    __slots__ = ()

    @property
    def shown(self) -> Image:
        """The full picture: people look closer than the watcher, and it is soon decoded."""
        return self.image


@dataclass(frozen=True, slots=True, eq=False)
class Compressed:
    """A picture that is decoded whole only if it is asked for.

    Attributes:
        small: the picture reduced, (height, width, 3) BGR, as large as the watcher needs it.
        size: width and height of the whole one, pixels.
        data: what the camera sent.
        block_px: pixels of the small picture for a block of 8 of the whole one.
    """

    small: Image
    size: Size
    data: Data
    block_px: int

    def decode(self) -> Image:
        """Decodes the whole picture."""
        image = decoded(self.data)
        # The data are those that gave the small picture: there is no reason left but memory.
        return np.asarray(cv2.resize(self.small, self.size), np.uint8) if image is None else image

    def frame(self, frame: Frame) -> CompressedFrame:
        """A frame that has the small picture in place of the full one, with this one as that."""
        return CompressedFrame(frame, self.decode, self.size)


class Decompressor:
    """Decodes the pictures of one camera."""

    def __init__(self) -> None:
        self._reduction = 1
        self._small: tuple[int, ...] = ()
        self._size: Size = (0, 0)

    def take(self, data: Data) -> Compressed | Image | None:
        """A picture from its data, whole where it is small already; None if it is damaged."""
        if self._reduction > 1:
            small = decoded(data, _REDUCED[self._reduction])
            if small is None or small.shape == self._small:
                return None if small is None else self._compressed(small, data)
        # The first one, or one of another size: only the whole picture says how large it is.
        image = decoded(data)
        if image is None:
            return None
        height, width = image.shape[:2]
        spare = max(width, height) // SMALL_LONG_SIDE_PX
        self._size = width, height
        self._reduction = max((share for share in _REDUCED if share <= spare), default=1)
        if self._reduction == 1:
            return image
        small = decoded(data, _REDUCED[self._reduction])
        if small is None:
            return None
        self._small = small.shape
        return self._compressed(small, data)

    def _compressed(self, small: Image, data: Data) -> Compressed:
        return Compressed(small, self._size, data, 8 // self._reduction)


def decoded(data: Data, how: int = cv2.IMREAD_COLOR) -> Image | None:
    """The picture in some data, BGR; None if there is none, or rows of it are missing."""
    image = cv2.imdecode(data, how)
    if image is None:
        # Some webcams leave the end mark out.
        try:
            whole = completed(data.tobytes())
        except (Truncated, Undecodable):
            return None
        image = cv2.imdecode(np.frombuffer(whole, np.uint8), how)
    return None if image is None else np.asarray(image, np.uint8)
