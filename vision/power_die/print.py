"""The print on a face of a die, cut out as seen from straight above.

The light and colour of the body are removed, and what remains is projected onto the one colour
difference that the print makes. So body, ink, shade and soft glare do not affect the comparison.
"""

from functools import lru_cache

import cv2
import numpy as np

from vision.errors import Blurred, NoPrint, WhitedOut
from vision.frame import Image
from vision.geometry.axes import top_edge
from vision.geometry.profile import FACE_SIDE
from vision.image.arrays import BoolArray, Float32Array, FloatArray
from vision.image.numeric import light_of, median
from vision.image.warping import square_patch

FACE_SPAN = 1.2
"""Side of a face's patch, die edges: a little of the surroundings is included."""
PRINT_PATCH_EDGE_PX = FACE_SIDE / FACE_SPAN
"""Edge of the die in a patch."""
MAX_FACE_RADIUS_EDGES = 0.42
"""Of the part of a face that counts; the rim beyond is rounded and shiny."""

MAX_GLARE_SHARE = 0.5
"""Of a face that is learnt."""
MIN_PRINT_CONTRAST = 9.0
"""Grey levels by which the print must differ from the body."""
MIN_PRINT_SHARPNESS = 0.2
"""Change within a fortieth of an edge, relative to the whole step at a print's outline."""

_FADE_RADIUS_EDGES = 0.34  # from which the face fades out towards the rim, edges
_MIN_WHITE_LEVEL = 232  # grey level of the darkest channel from which a pixel is white
_MIN_CONTRAST_ON_WHITE = 70.0  # of a print on a white body; glare leaves less
_MIN_GLARE_LIFT = 60.0  # grey levels that glare adds to the darkest channel
_MAX_STROKE_EDGES = 0.24  # strokes of a print are thinner
_FULL_PRINT_PERCENTILE = 95  # of a face: glints are clipped there
_PROJECTION_ROUNDS = 6
_MIN_INK_COLOUR = 0.06  # colour difference as a share of the light: noise up to 0.04, ink from 0.07
_FULL_LIGHT = 2300.0  # such that its noise is like that of grey levels
_MIN_SAME_PRINT_CORRELATION = 0.9  # between a print with and without reflected lamps


def cut_face(image: Image, center: FloatArray, axes: FloatArray) -> Image:
    """Cuts the patch of a face out of a picture.

    Args:
        image: BGR.
        center: middle of the top face, pixels, (2,).
        axes: columns are the edges of a top face, pixels, (2, 2); its rotation does not matter.
    """
    unit = axes / PRINT_PATCH_EDGE_PX
    # Coarse pixels are averages of fine ones, to avoid aliasing.
    shrink = max(1, int(top_edge(unit)))
    patch = square_patch(image, center, unit / shrink, FACE_SIDE * shrink)
    if shrink == 1:
        return patch
    small = cv2.resize(patch, (FACE_SIDE, FACE_SIDE), interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.uint8)


def print_of(patch: Image) -> Float32Array:
    """The print on a face, (FACE_SIDE, FACE_SIDE): 0 on the body, clipped where it is strong."""
    return _clip_print(_project_on_ink(patch))


def print_without_glare(patch: Image) -> tuple[Float32Array, float]:
    """The print as from `print_of`, but without the light of a lamp reflected in face and print.

    A reflected lamp adds its own colour to both: orthogonally to that colour they differ as they
    do without it (the dichromatic model, S. A. Shafer 1985), as long as no pixel is saturated.

    Returns:
        the print, and by what share of the light it differs from the body.
    """
    light = (_FULL_LIGHT * light_of(patch)).astype(np.float32)
    inside = light[_disc_mask()]
    total = inside.sum(axis=1)
    lamp = inside[total >= np.percentile(total, _FULL_PRINT_PERCENTILE)].mean(axis=0)
    bright = max(float(np.linalg.norm(lamp)), 1e-6)
    line = _project_on_ink(light - (light @ (lamp / bright))[..., None] * (lamp / bright))
    return _clip_print(line), _full_print_level(line) / bright


def print_to_learn(patch: Image) -> Float32Array:
    """The print to be learnt: without reflected lamps where that shows something else."""
    usual, (other, share) = print_of(patch), print_without_glare(patch)
    face = _disc_mask()
    alike = abs(float(np.corrcoef(usual[face], other[face])[0, 1]))
    return usual if alike > _MIN_SAME_PRINT_CORRELATION or share < _MIN_INK_COLOUR else other


def _clip_print(line: Float32Array) -> Float32Array:
    return np.asarray(np.clip(line / max(_full_print_level(line), 1.0), -1.0, 1.0), np.float32)


def _full_print_level(line: Float32Array) -> float:
    return float(np.percentile(np.abs(line[_disc_mask()]), _FULL_PRINT_PERCENTILE))


def check(value: str, patch: Image) -> None:
    """Refuses a patch from which a face cannot be learnt.

    Raises:
        WhitedOut: glare hides the face.
        NoPrint: it shows no print.
        Blurred: it is out of focus or motion-blurred.
    """
    white = whited_out(patch)
    if white > MAX_GLARE_SHARE:
        raise WhitedOut(value, white)
    contrast, sharpness = _contrast_and_sharpness(patch)
    if contrast < MIN_PRINT_CONTRAST:
        raise NoPrint(value, contrast)
    if sharpness < MIN_PRINT_SHARPNESS:
        raise Blurred(value)


def whited_out(patch: Image) -> float:
    """Share of a face that glare covers: spots wider than any stroke that reach the face's rim.

    A print may be wide and white too, but does not reach the rim.
    """
    face = _disc_mask()
    low = cv2.GaussianBlur(patch, (0, 0), 1.0).min(axis=2)
    white = float((low[face] >= _MIN_WHITE_LEVEL).mean())
    if white > 0.5 and _contrast_and_sharpness(patch)[0] < _MIN_CONTRAST_ON_WHITE:
        return white
    body = float(np.percentile(low[face], 10))
    bright = np.where(face & (low >= body + _MIN_GLARE_LIFT), np.uint8(255), np.uint8(0))
    across = max(3, round(_MAX_STROKE_EDGES * PRINT_PATCH_EDGE_PX))
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (across, across))
    spots = np.asarray(cv2.morphologyEx(bright, cv2.MORPH_OPEN, disc), np.uint8)
    count, labels = cv2.connectedComponents(spots)
    rim = face & ~_disc_mask(0.38)
    at_rim = np.zeros(count, np.bool_)
    at_rim[np.unique(labels[rim])] = True
    at_rim[0] = False
    return float(np.count_nonzero(at_rim[labels])) / float(face.sum())


def _project_on_ink(patch: Image | Float32Array) -> Float32Array:
    """The difference from the body, along the print's own colour difference."""
    # The body is a quadratic surface in each channel, fitted by iteratively reweighted least
    # squares with the weights of Geman and McClure (1987): shade and soft glare are part of it.
    pixels = cv2.GaussianBlur(patch, (0, 0), 0.7).astype(np.float32).reshape(-1, 3)
    # Every second pixel is enough for a surface this smooth.
    inside = np.flatnonzero(_disc_mask())[::2]
    basis, seen, fade = _quadratic_basis(), pixels[inside], _rim_weights().ravel()[inside]
    inner_basis = basis[inside]
    left = seen - median(seen.T)
    fit = np.zeros((basis.shape[1], 3), np.float32)
    for _ in range(_PROJECTION_ROUNDS):
        size = (left**2).sum(axis=1)
        scale = max(float(median(size[None])[0]), 4.0) * 4.0
        weight = (scale / (scale + size)) ** 2 * fade
        held = inner_basis * weight[:, None]
        normal = held.T @ inner_basis + 1e-3 * np.eye(basis.shape[1], dtype=np.float32)
        fit = np.linalg.solve(normal, held.T @ seen)
        left = seen - inner_basis @ fit
    left *= fade[:, None]
    _, vectors = np.linalg.eigh((left.T @ left).astype(np.float64))
    along = vectors[:, -1].astype(np.float32)
    line = ((pixels - basis @ fit) @ along).reshape(FACE_SIDE, FACE_SIDE)
    return np.asarray(line * _rim_weights(), np.float32)


def _contrast_and_sharpness(patch: Image) -> tuple[float, float]:
    """Contrast of the print in grey levels, and how steep its edges are relative to their step."""
    line = _project_on_ink(patch)
    inside = _disc_mask(0.36)
    low, high = (float(v) for v in np.percentile(line[inside], (4, 96)))
    gx = cv2.Sobel(line, cv2.CV_32F, 1, 0, scale=1 / 8)
    gy = cv2.Sobel(line, cv2.CV_32F, 0, 1, scale=1 / 8)
    slope = np.asarray(cv2.magnitude(gx, gy))[inside]
    around = np.ones((9, 9), np.uint8)
    parted = np.asarray(cv2.dilate(line, around) - cv2.erode(line, around))[inside]
    steep = slope >= np.percentile(slope, 85)
    return high - low, float(np.median(slope[steep] / np.maximum(parted[steep], 1.0)))


@lru_cache(maxsize=1)
def _rim_weights() -> Float32Array:
    """Weight of each pixel of a patch: the rounded rim of the face fades out."""
    axis = (np.arange(FACE_SIDE) - (FACE_SIDE - 1) / 2) / PRINT_PATCH_EDGE_PX
    radius = np.hypot(axis[:, None], axis[None, :])
    return np.asarray(
        np.clip(
            (MAX_FACE_RADIUS_EDGES - radius) / (MAX_FACE_RADIUS_EDGES - _FADE_RADIUS_EDGES), 0, 1
        ),
        np.float32,
    )


@lru_cache(maxsize=1)
def _quadratic_basis() -> Float32Array:
    """Terms of a quadratic surface at each pixel of a patch, (n, 6)."""
    axis = (np.arange(FACE_SIDE) - (FACE_SIDE - 1) / 2) / (FACE_SIDE / 2)
    y, x = (part.ravel() for part in np.meshgrid(axis, axis, indexing="ij"))
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1).astype(np.float32)


@lru_cache(maxsize=4)
def _disc_mask(radius: float = MAX_FACE_RADIUS_EDGES) -> BoolArray:
    """Marks a disc of a patch."""
    axis = (np.arange(FACE_SIDE) - (FACE_SIDE - 1) / 2) / PRINT_PATCH_EDGE_PX
    return np.asarray(np.hypot(axis[:, None], axis[None, :]) <= radius)
