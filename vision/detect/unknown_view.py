"""How dice lie in a photograph of which nothing is known, and so how its camera looks at them.

A die that leans and a level die seen aslant look alike. But where all dice lean the same way, and
those on the side towards which the camera would be nearer are larger, it is the camera that leans.
"""

import math

import numpy as np

from vision.classify.face import Pyramid
from vision.classify.posture import (
    PostureEstimates,
    Sights,
    classify_postures,
    sights_of,
    without_view_side,
)
from vision.detect.detection import Detection
from vision.geometry.axes import top_edges
from vision.geometry.view import TableView
from vision.image.arrays import FloatArray

MIN_CLOSE_UP_SHARE = 0.14
"""Dice with an edge above this share of the picture's longer side are seen close up."""
MIN_DICE = 3
"""That lean the same way: two may lean on each other."""
MIN_FACE = 0.9
"""Probability of one face, of a die that counts."""
MIN_COMMON_LEAN = 0.05
MAX_SPREAD = 0.14
"""Median distance of leans from the common one."""
MAX_TILT = 0.77
"""Sine of 50 degrees: from farther aslant the sides of dice are larger than their tops."""
SIZE_DEVIATION = 0.04
"""Standard deviation of the logarithm of an edge that is measured in a photograph."""
MAX_HARMLESS_TILT = 0.12
"""Sine of 7 degrees. No die that leans by less shows a face in doubt."""
GROWTH_OF_LEANING = 0.4
"""Of 83 rendered pictures of dice that lean alike, in the mean: those that are farther from the
middle of the picture show more of their sides, and look larger."""
MIN_GROWTH = 1.2
MAX_GROWTH = 3.0
"""The posture classifier takes a table for less aslant than it is, and focal lengths may be half of
the usual one; dice of several sizes grow by anything."""
MAX_DEVIATION = 1.2
"""Of the growth: dice close together, or in a row along a wall, do not tell."""
MIN_SIGNIFICANCE = 2.4
"""In standard deviations."""
MAX_DEVIATION_HARMLESS = 4.0
MAX_ROUNDS = 3
"""Seen less aslant, what still leans tells more."""


def look_without_geometry(
    pyramid: Pyramid, kept: list[Detection], size: tuple[int, int]
) -> tuple[TableView | None, PostureEstimates]:
    """What the posture classifier says of dice, seen from where the camera seems to be.

    Args:
        pyramid: of the picture.
        kept: the dice.
        size: width and height of the picture, pixels.

    Returns:
        The view, None where the dice may be seen from any side; and the estimates.
    """
    centers = np.array([one.center for one in kept])
    edges = np.array([one.edge for one in kept])
    view = TableView.from_above(size)
    sights = sights_of(view, centers, edges)
    # A photograph of a die or two may be taken from any side.
    if len(kept) == 1 or float(edges.max()) > MIN_CLOSE_UP_SHARE * max(size):
        return None, classify_postures(pyramid, without_view_side(sights))
    estimates = classify_postures(pyramid, sights)
    plain = np.array([one.faces[1:7].max() > MIN_FACE for one in kept])
    if plain.sum() >= MIN_DICE:
        for _ in range(MAX_ROUNDS):
            leans = _on_table(view, sights, estimates)[plain]
            aslant = aslant_view(view, leans, centers[plain], edges[plain])
            if aslant is None:
                break
            view, sights = aslant, sights_of(aslant, centers, edges)
            estimates = classify_postures(pyramid, sights)
    return view, estimates


def _on_table(view: TableView, sights: Sights, estimates: PostureEstimates) -> FloatArray:
    """The horizontal parts of the tops' normals, on the table of the view, (n, 2)."""
    _, squares = view.on_table(sights.centers)
    frames = np.linalg.inv(squares) @ sights.axes
    frames /= top_edges(frames)[:, None, None]
    return np.asarray(np.einsum("nij,nj->ni", frames, estimates.leans), np.float64)


def aslant_view(
    view: TableView, leans: FloatArray, centers: FloatArray, edges: FloatArray
) -> TableView | None:
    """The view in which dice that all seem to lean the same way lie flat.

    Args:
        view: the one that they were looked at in.
        leans: horizontal parts of the tops' normals, (n, 2).
        centers: middles of the tops, pixels, (n, 2).
        edges: of the tops, pixels, (n,).

    Returns:
        None where they do not lean alike, or where their sizes do not say that the camera does.
    """
    common = np.median(leans, axis=0)
    spread = float(np.median(np.hypot(*(leans - common).T)))
    if not MIN_COMMON_LEAN <= np.hypot(*common) <= MAX_TILT or spread > MAX_SPREAD:
        return None
    found = view.turned(common)
    if found.tilt > MAX_TILT:
        return None
    growth, deviation = growth_with_nearness(found, centers, edges)
    if found.tilt <= MAX_HARMLESS_TILT:
        stands = growth > (1 + GROWTH_OF_LEANING) / 2 and deviation < MAX_DEVIATION_HARMLESS
    else:
        surplus = growth - GROWTH_OF_LEANING
        stands = (
            MIN_GROWTH < growth < MAX_GROWTH
            and deviation < MAX_DEVIATION
            and surplus > MIN_SIGNIFICANCE * deviation
        )
    return found if stands else None


def growth_with_nearness(
    view: TableView, centers: FloatArray, edges: FloatArray
) -> tuple[float, float]:
    """How edges of tops grow towards the side on which a table seen in this view is nearer.

    Args:
        view: a view aslant.
        centers: middles of the tops, pixels, (n, 2).
        edges: of the tops, pixels, (n,).

    Returns:
        The power of nearness by which they grow, foreshortening left out: 1 on a table, 0 where
        dice lean. And its standard deviation.
    """
    nearness = np.log(view.nearness(centers))
    grown = np.log(edges) - nearness / 2
    nearness -= nearness.mean()
    total = max(float((nearness**2).sum()), 1e-9)
    return float(nearness @ grown) / total, SIZE_DEVIATION / math.sqrt(total)
