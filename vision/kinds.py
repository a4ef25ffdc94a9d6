"""Kinds of dice, told by the colours of body and pips."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading import Kind


def kind_of(body: NDArray[np.float64], pip: NDArray[np.float64], bright: bool) -> Kind:
    """Names the kind from a body and a pip colour (BGR, 0 to 255)."""
    pixels = np.clip(np.stack([body, pip]), 0, 255).astype(np.uint8).reshape(1, 2, 3)
    hsv = cv2.cvtColor(pixels, cv2.COLOR_BGR2HSV).astype(int)[0]
    hue, saturation, value = (int(v) for v in hsv[0])
    chroma = int(body.max() - body.min())
    if bright:
        pip_chroma = int(pip.max() - pip.min())
        if chroma < 28 and value < 140:
            return Kind.BLACK if pip_chroma < 90 else Kind.OTHER
        if (hue <= 9 or hue >= 168) and saturation > 90 and chroma > 35:
            return Kind.RED
        return Kind.OTHER
    if hsv[1][2] > 150:
        return Kind.OTHER
    if value > 120 and saturation < 75:
        return Kind.WHITE
    if 18 <= hue <= 36 and saturation > 110 and value > 120:
        return Kind.YELLOW
    return Kind.OTHER
