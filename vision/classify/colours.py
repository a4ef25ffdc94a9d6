"""Kinds of dice: checks the network's output against the colours actually seen."""

import cv2
import numpy as np

from vision.frame import Image
from vision.image.arrays import FloatArray
from vision.image.numeric import levels_of, light_of, median, square_patch
from vision.reading import Kind

SIDE = 24
"""Side of the sample of a face, pixels."""
FEW = SIDE * SIDE // 40
"""Pixels of the sample that are taken to be its pips."""
INNER = 0.84
"""Share of the face's edge that is sampled: the rim curves away and shines."""

# Bounds measured on dice of many makes under household light; hue is OpenCV's, 0 to 179.
BLACK_CHROMA = 12
BLACK_SATURATION = 55
TINTED_SATURATION = 80
VIOLET = 6
VIOLET_SHARE = 0.06
"""How far green is below red and blue in violet: in levels, and as a share beside white pips."""
COLOURED_PIP = 115
RED_CHROMA = 30
RED_HUES = (12, 160)
YELLOW_HUES = (23.5, 40)
YELLOW_VALUE = 95
WHITE_VALUE = 110
DIMMEST = 0.02
"""Share of full light: pips darker than this show no tint."""


def face_colours(
    image: Image, center: FloatArray, axes: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Body and pip colour of a face: two arrays (3,), BGR.

    Args:
        image: the picture.
        center: middle of the face, pixels, (2,).
        axes: columns are the edges of the face as it lies, pixels, (2, 2).
    """
    return body_and_pips(face_sample(image, center, axes))


def face_sample(image: Image, center: FloatArray, axes: FloatArray) -> FloatArray:
    """Colours of a face, (3, n), BGR; see `face_colours`."""
    patch = square_patch(image, center, axes * INNER / SIDE, SIDE)
    return np.array(patch.reshape(-1, 3).T, dtype=np.float64, order="C")


def body_and_pips(sample: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Body and pip colour in a sample of a face, (3, n).

    Pips cover less than a fifth of any face, so the median is the body; the pips are what differs
    most from it.
    """
    body = median(sample)
    far = np.argpartition(-np.abs(sample - body[:, None]).max(axis=0), FEW)[:FEW]
    return body, median(sample[:, far])


def checked_kind(kind: Kind, body: FloatArray, pip: FloatArray) -> Kind:
    """The kind if its colours bear it out, else `Kind.OTHER`."""
    pixels = np.clip(np.stack([body, pip]), 0, 255).astype(np.uint8).reshape(1, 2, 3)
    hsv = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2HSV), dtype=int)[0]
    hue, _, value = hsv[0]
    chroma = float(body.max() - body.min())
    coloured_pip = hsv[1][1] > COLOURED_PIP and hsv[1][2] > 60
    good = True
    if kind is Kind.BLACK:
        black = _black(body) or _black(_as_in_white_light(body, pip))
        good = black and not coloured_pip and not _violet(body, pip)
    elif kind is Kind.RED:
        red = hue <= RED_HUES[0] or hue >= RED_HUES[1]
        good = not coloured_pip and chroma > RED_CHROMA and red
    elif kind is Kind.YELLOW:
        good = bool(YELLOW_HUES[0] <= hue <= YELLOW_HUES[1]) and value > YELLOW_VALUE
    elif kind is Kind.WHITE:
        good = value > WHITE_VALUE and hsv[1][2] < value
    return kind if good else Kind.OTHER


def _black(body: FloatArray) -> bool:
    """Whether a body has as little colour as a black one."""
    most = TINTED_SATURATION if _like_light(body) else BLACK_SATURATION
    chroma = float(body.max() - body.min())
    return chroma <= BLACK_CHROMA or 255 * chroma <= most * float(body.max())


def _violet(body: FloatArray, pip: FloatArray) -> bool:
    """Whether a dark body is violet, by itself and beside its pips, tinted by the same light."""
    beside = body / np.maximum(pip, 1)
    less, share = (min(c[0], c[2]) - c[1] for c in (body, beside))
    return bool(less > VIOLET and share > VIOLET_SHARE * beside.max())


def _like_light(colour: FloatArray) -> bool:
    """Whether it may be white or black tinted by warm or cold light: green is in between."""
    blue, green, red = colour
    return bool(min(blue, red) <= green <= max(blue, red))


def _as_in_white_light(body: FloatArray, pip: FloatArray) -> FloatArray:
    """The colour of a body with white pips, less the tint of the light on both, BGR."""
    # Pips with a tint that no light has are coloured themselves and tell nothing about it.
    if not _like_light(pip):
        return body
    light = light_of(pip)
    return levels_of(light_of(body) * light.max() / np.maximum(light, DIMMEST))
