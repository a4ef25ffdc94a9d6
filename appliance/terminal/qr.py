"""A QR code, as a picture for a page and as half blocks for a terminal."""

import cv2
import numpy as np

from vision.frame import Image

_QUIET_MODULES = 2
"""White around it: half of what ISO/IEC 18004 asks for; phones read it with one module less."""


def qr_code(text: str) -> Image:
    """A code with one pixel for each module, (height, width, 3)."""
    settings = cv2.QRCodeEncoder.Params()
    # A screen has no stains: the lowest correction makes the largest modules.
    settings.correction_level = cv2.QRCodeEncoder_CORRECT_LEVEL_L
    code = cv2.QRCodeEncoder.create(settings).encode(text)
    # OpenCV draws a white rim of its own, two modules wide.
    inked = np.argwhere(np.asarray(code) < 128)
    (top, left), (bottom, right) = inked.min(axis=0), inked.max(axis=0)
    modules = np.pad(
        np.asarray(code, np.uint8)[top : bottom + 1, left : right + 1],
        _QUIET_MODULES,
        constant_values=255,
    )
    return np.repeat(modules[:, :, None], 3, axis=2)


def code_lines(code: Image) -> list[str]:
    """Its modules as half blocks, light ones drawn: terminals are dark, and phones read either."""
    light = code[:, :, 0] > 127
    if len(light) % 2:
        light = np.vstack((light, np.zeros((1, light.shape[1]), bool)))
    blocks = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}
    return [
        "".join(blocks[bool(a), bool(b)] for a, b in zip(upper, lower, strict=True))
        for upper, lower in zip(light[::2], light[1::2], strict=True)
    ]
