"""Kinds of dice: checks the network's output against the colours actually seen."""

import cv2
import numpy as np

from vision.frame import Image
from vision.image.arrays import FloatArray
from vision.image.numeric import levels_of, light_of, median
from vision.image.warping import square_patch
from vision.reading import Kind

COLOUR_SAMPLE_SIDE_PX = 24
"""Of the sample of a face."""
PIP_PIXEL_COUNT = COLOUR_SAMPLE_SIDE_PX * COLOUR_SAMPLE_SIDE_PX // 40
"""Pixels of the sample that are taken to be its pips."""
SAMPLED_EDGE_SHARE = 0.84
"""Share of the face's edge that is sampled: the rim curves away and shines."""

# Bounds measured on dice of many makes under household light; hue is OpenCV's, 0 to 179.
MAX_BLACK_CHROMA = 12
MAX_BLACK_SATURATION = 55
MAX_TINTED_BLACK_SATURATION = 80
MIN_VIOLET_LEVELS = 6
"""How far green is below red and blue in violet."""
MIN_VIOLET_SHARE = 0.06
"""How far it is as a share, beside white pips."""
MIN_COLOURED_PIP_SATURATION = 115
MIN_RED_CHROMA = 30
RED_HUES = (12, 160)
YELLOW_HUES = (23.5, 40)
MIN_YELLOW_VALUE = 95
MIN_WHITE_VALUE = 110
MIN_TINTED_LIGHT = 0.02
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
    patch = square_patch(
        image, center, axes * SAMPLED_EDGE_SHARE / COLOUR_SAMPLE_SIDE_PX, COLOUR_SAMPLE_SIDE_PX
    )
    return np.array(patch.reshape(-1, 3).T, dtype=np.float64, order="C")


def body_and_pips(sample: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Body and pip colour in a sample of a face, (3, n).

    Pips cover less than a fifth of any face, so the median is the body; the pips are what differs
    most from it.
    """
    body = median(sample)
    far = np.argpartition(-np.abs(sample - body[:, None]).max(axis=0), PIP_PIXEL_COUNT)[
        :PIP_PIXEL_COUNT
    ]
    return body, median(sample[:, far])


def checked_kind(kind: Kind, body: FloatArray, pip: FloatArray) -> Kind:
    """The kind if its colours bear it out, else `Kind.OTHER`."""
    pixels = np.clip(np.stack([body, pip]), 0, 255).astype(np.uint8).reshape(1, 2, 3)
    hsv = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2HSV), dtype=int)[0]
    hue, _, value = hsv[0]
    chroma = float(body.max() - body.min())
    coloured_pip = hsv[1][1] > MIN_COLOURED_PIP_SATURATION and hsv[1][2] > 60
    good = True
    if kind is Kind.BLACK:
        black = _is_black(body) or _is_black(_as_in_white_light(body, pip))
        good = black and not coloured_pip and not _is_violet(body, pip)
    elif kind is Kind.RED:
        red = hue <= RED_HUES[0] or hue >= RED_HUES[1]
        good = not coloured_pip and chroma > MIN_RED_CHROMA and red
    elif kind is Kind.YELLOW:
        good = bool(YELLOW_HUES[0] <= hue <= YELLOW_HUES[1]) and value > MIN_YELLOW_VALUE
    elif kind is Kind.WHITE:
        good = value > MIN_WHITE_VALUE and hsv[1][2] < value
    return kind if good else Kind.OTHER


def _is_black(body: FloatArray) -> bool:
    """True if a body has as little colour as a black one."""
    most = MAX_TINTED_BLACK_SATURATION if _may_be_lit_grey(body) else MAX_BLACK_SATURATION
    chroma = float(body.max() - body.min())
    return chroma <= MAX_BLACK_CHROMA or 255 * chroma <= most * float(body.max())


def _is_violet(body: FloatArray, pip: FloatArray) -> bool:
    """True if a dark body is violet, by itself and beside its pips, tinted by the same light."""
    beside = body / np.maximum(pip, 1)
    less, share = (min(c[0], c[2]) - c[1] for c in (body, beside))
    return bool(less > MIN_VIOLET_LEVELS and share > MIN_VIOLET_SHARE * beside.max())


def _may_be_lit_grey(colour: FloatArray) -> bool:
    """True if it may be white or black tinted by warm or cold light: green is in between."""
    blue, green, red = colour
    return bool(min(blue, red) <= green <= max(blue, red))


def _as_in_white_light(body: FloatArray, pip: FloatArray) -> FloatArray:
    """The colour of a body with white pips, less the tint of the light on both, BGR."""
    # Pips with a tint that no light has are coloured themselves and tell nothing about it.
    if not _may_be_lit_grey(pip):
        return body
    light = light_of(pip)
    return levels_of(light_of(body) * light.max() / np.maximum(light, MIN_TINTED_LIGHT))
