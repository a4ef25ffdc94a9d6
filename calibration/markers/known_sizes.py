"""How large a print is, by something of known size in its plane: the paper's edges.

A ruler that is printed beside the markers shrinks with them and proves nothing; the paper does not.
"""

from collections.abc import Iterator
from itertools import product

import cv2
import numpy as np

from calibration.markers.printed import PLATE_MM, SHEET_FIRST_MM, SHEET_SPANS_MM
from vision.frame import Image
from vision.geometry.camera import PinholeCamera
from vision.image.arrays import FloatArray
from vision.image.numeric import log_levels
from vision.image.warping import sampled

PAPERS_MM = ((210.0, 297.0), (215.9, 279.4))
"""A4 (ISO 216) and Letter (ANSI/ASME Y14.1)."""
PRINT_RANGE = (0.65, 1.10)
"""A print may be so large: by printers that fit a page to the paper, or two pages to a sheet."""
_TWO_PAGES = 0.707  # so large are they on one sheet
_STEP_MM = 0.25
_SLACK_MM = 25.0  # of where the middle is taken to be
_SHARE = 0.6  # of a side, about its middle
_SAMPLES = 40
_SMOOTHED_MM = 0.5
_DARK = 16.0  # grey levels; keeps noise in the dark from being amplified
_EDGES_OF_SIDE = 6  # at most; the strongest
_MIN_RISE = 0.25  # of the strongest edge at that side
_TURNS = np.radians(np.linspace(-4.0, 4.0, 9))
_SAME_RATIO = 0.008  # sides of a rectangle of this size agree so well, in logarithms
_SAME_PRINT = 0.01
_OTHER_SHARE = 0.9  # as strong another explanation may be, of the strength of the best one


def print_of_paper(image: Image, camera: PinholeCamera, high: float) -> float | None:
    """Size of a print by the edges of the paper that the four markers are on, not cut out yet.

    Args:
        image: the picture.
        camera: in the markers' world, whose origin is below the middle of the four.
        high: of the markers above its floor.

    Returns:
        By the strongest edges, of a whole sheet or of two pages on one; None where no sheet is
        seen, or another size is nearly as well explained.
    """
    explanations = [
        explanation
        for middle, size in _pages()
        for explanation in _prints_of_rectangle(image, camera, high, middle, size)
    ]
    if not explanations:
        return None
    strength, scale = max(explanations)
    others = (
        other
        for other, another in explanations
        if abs(np.log(another / scale)) > _SAME_PRINT and other > _OTHER_SHARE * strength
    )
    return None if any(others) else scale


def _pages() -> Iterator[tuple[FloatArray, tuple[float, float]]]:
    """Middles and sizes that a sheet of the four markers may have, millimetres of the print."""
    first = np.array(SHEET_FIRST_MM) + (np.array(SHEET_SPANS_MM) + PLATE_MM) / 2
    for paper in PAPERS_MM:
        yield np.array(paper) / 2 - first, paper
    for width, tall in PAPERS_MM:
        # Two pages on a sheet: ours is one half of it.
        page = np.array((tall / 2, width)) / _TWO_PAGES
        for side in (-1, 1):
            yield page / 2 - first + np.array((side * page[0] / 2, 0.0)), (tall, width)


def _prints_of_rectangle(
    image: Image,
    camera: PinholeCamera,
    high: float,
    middle: FloatArray,
    size: tuple[float, float],
) -> list[tuple[float, float]]:
    """Sizes of a print, 1 as it should be, by rectangles that lie along it in its plane.

    Args:
        image: the picture.
        camera: in a world that the print defines.
        high: of the plane above the floor, in this world's millimetres.
        middle: about where the rectangle's is, (2,).
        size: its sides, true millimetres.

    Returns:
        How strong the edges of each are, and the size of the print by it.
    """

    def sides_at(turn: float) -> list[tuple[FloatArray, FloatArray]]:
        found = []
        for k in range(4):
            ends = size[k % 2] / 2 / PRINT_RANGE[1] - _SLACK_MM, size[k % 2] / 2 / PRINT_RANGE[0]
            steps = np.arange(max(0.0, ends[0]), ends[1] + _SLACK_MM, _STEP_MM)
            length, way = size[1 - k % 2] / PRINT_RANGE[1], turn + k * np.pi / 2
            found.append((steps, _rises(image, camera, high, middle, way, steps, length)))
        return found

    best = max(map(sides_at, _TURNS), key=lambda sides: sum(float(one.max()) for _, one in sides))
    found: list[tuple[float, float]] = []
    for right, below, left, above in product(*(_edges(*side) for side in best)):
        logs = np.log((size[0] / (right[0] + left[0]), size[1] / (below[0] + above[0])))
        scale = float(np.exp(logs.mean()))
        off_middle = max(abs(right[0] - left[0]), abs(below[0] - above[0])) / 2
        fits = abs(logs[0] - logs[1]) < _SAME_RATIO and off_middle < _SLACK_MM
        if fits and PRINT_RANGE[0] < scale < PRINT_RANGE[1]:
            strength = float(np.mean([side[1] for side in (right, below, left, above)]))
            found.append((strength, scale))
    return found


def _rises(
    image: Image,
    camera: PinholeCamera,
    high: float,
    middle: FloatArray,
    way: float,
    steps: FloatArray,
    length: float,
) -> FloatArray:
    """How steeply the picture changes along a way from the middle, all along a side, (n,)."""
    outwards = np.array((np.cos(way), np.sin(way)))
    aside = np.array((-outwards[1], outwards[0]))
    beside = np.linspace(-0.5, 0.5, _SAMPLES) * _SHARE * length
    places = middle + steps[:, None, None] * outwards + beside[None, :, None] * aside
    world = np.column_stack([places.reshape(-1, 2), np.full(places[..., 0].size, -high)])
    pixels = camera.to_pixels(world).reshape(*places.shape[:2], 2).astype(np.float32)
    seen = sampled(image, pixels)
    height, width = image.shape[:2]
    inside = ((pixels >= 1) & (pixels < (width - 2, height - 2))).all(axis=(1, 2))
    across = log_levels(seen, _DARK).reshape(*places.shape[:2], -1)
    size = round(6 * _SMOOTHED_MM / _STEP_MM) | 1
    kernel = cv2.getGaussianKernel(size, _SMOOTHED_MM / _STEP_MM).ravel()
    # An edge of the rectangle is one along most of its side; a die or a letter is not.
    slopes = np.median(np.gradient(across, axis=0), axis=1)
    smooth = np.array([np.convolve(slope, kernel, "same") for slope in slopes.T])
    return np.asarray(np.where(inside, np.sqrt(np.square(smooth).sum(axis=0)), 0.0), np.float64)


def _edges(steps: FloatArray, rises: FloatArray) -> list[tuple[float, float]]:
    """Distances of the strongest edges from the middle, millimetres, and how strong they are."""
    before, here, after = rises[:-2], rises[1:-1], rises[2:]
    at = np.flatnonzero((here >= before) & (here > after) & (here > _MIN_RISE * rises.max()))
    strongest = at[np.argsort(here[at])[::-1][:_EDGES_OF_SIDE]]
    bend = before[strongest] - 2 * here[strongest] + after[strongest]
    shift = 0.5 * (before[strongest] - after[strongest]) / bend
    places = steps[strongest + 1] + shift * _STEP_MM
    return list(zip(places.tolist(), here[strongest].tolist(), strict=True))
