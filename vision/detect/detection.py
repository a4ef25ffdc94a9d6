"""A detected die: its place and axes, what the classifiers say, and the pips found on it.

The pips on a top are counted independently of the classifiers, and the pattern that they form is
kept with the die.
"""

import math
from dataclasses import dataclass, field

import numpy as np

from vision.classify.posture import POSTURE_CLASSES, VALUE_CLASSES
from vision.detect.patterns import Face
from vision.detect.pips import Pips
from vision.geometry.axes import inverse_of, scales, top_edge, turned
from vision.geometry.view import TableView
from vision.image.arrays import BoolArray, FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Detection:
    """One die found, in pixels of the working picture.

    Attributes:
        center: middle of the top, (2,).
        axes: columns are the edges of an unturned top, (2, 2).
        turn: yaw of the top within a quarter turn, in the frame of the axes, radians.
        faces: the network's probabilities, see `vision.classify.face.CLASSES`.
        values: the posture classifier's probabilities, see `vision.classify.posture.VALUES`.
        postures: its probabilities of how the die lies, see `vision.classify.posture.POSTURES`.
        lean: sine of the angle by which the top is tilted, as the posture classifier estimates it.
        view: how the camera looks at the table; None where a profile tells, or nobody knows.
        kinds: the network's probabilities, see `vision.classify.face.KINDS`.
        lattice: the pattern of individually detected pips there, if any.
        count: how many pip-like spots lie on the top.
        across: whether two of them lie opposite each other like those of a 2.
        plain_pips: see the function of that name; (n, 2), edges from the middle of the top.
        prominence: in a crowded picture, see `measure_prominence`; in others 1 where its pips are
            part of a pattern, and infinite elsewhere.
        fits: how well the pips of 1 to 6 fit its top, correlations, (6,), see
            `vision.detect.pip_fit`; all 0 where nobody compared them.
    """

    center: FloatArray
    axes: FloatArray
    turn: float
    faces: FloatArray
    kinds: FloatArray
    lattice: Face | None
    count: int
    across: bool
    values: FloatArray = field(default_factory=lambda: np.zeros(VALUE_CLASSES))
    postures: FloatArray = field(default_factory=lambda: np.zeros(POSTURE_CLASSES))
    lean: float = 0.0
    view: TableView | None = None
    plain_pips: FloatArray = field(default_factory=lambda: np.zeros((0, 2)))
    prominence: float = math.inf
    fits: FloatArray = field(default_factory=lambda: np.zeros(6))

    @property
    def edge(self) -> float:
        """Edge of the die."""
        return top_edge(self.axes)

    @property
    def turned_axes(self) -> FloatArray:
        """The edges of the top as it lies, as columns."""
        return turned(self.axes, self.turn)

    @property
    def squareness(self) -> float:
        """Least over greatest scale of its pattern in the plane of the tops; 0 without one."""
        if self.lattice is None:
            return 0.0
        low, high = scales((inverse_of(self.axes) @ self.lattice.axes)[None])
        return float(low[0] / high[0])

    def outline(self) -> FloatArray:
        """Corners of the top, (4, 2), clockwise in the picture."""
        corners = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
        return np.asarray(self.center + corners @ self.turned_axes.T, dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """All that was found in one picture.

    Attributes:
        dice: and what looks like dice, the most probable first.
        crowded: whether more places may be dice than could be looked at.
    """

    dice: list[Detection]
    crowded: bool = False


# From both axes through the middle of the face, in edges. Half the pips of a larger value lie
# otherwise than those of a 2.
MIN_DIAGONAL_PIP_OFFSET = 0.15
"""Of a pip of a 2."""
MIN_EDGE_OF_LARGE_PIPS_PX = 200.0
"""Edge of a die in the working picture whose pips are too large to be found as spots."""
MAX_MIDPOINT_OFFSET = 0.12
"""Of the midpoint between its pips, or of the pip of a 1."""
MAX_PATTERN_ASKEW_RAD = float(np.radians(18))
"""A pattern turned further than this from its die belongs to a neighbour, or to no die."""


PIP_RADIUS_RANGE = (0.055, 0.22)
"""In edges."""


def spots_on(pips: Pips, center: FloatArray, axes: FloatArray) -> FloatArray:
    """Spots of one polarity that may be pips of a face, (n, 2), in edges from its middle.

    `center` is that middle, pixels, `axes` are its edges as it lies.
    """
    if len(pips) == 0:
        return np.zeros((0, 2))
    inside = places_on_top(pips, center, axes)
    near = np.flatnonzero(np.maximum(*np.abs(inside).T) < 0.4)
    if len(near) == 0:
        return np.zeros((0, 2))
    inside, pips = inside[near], pips.take(near)
    good = pips.minor > 0.55 * pips.major
    size = pips.major / top_edge(axes)
    good &= (size > PIP_RADIUS_RANGE[0]) & (size < PIP_RADIUS_RANGE[1])
    if good.any():
        # Scratches and reflections are weaker than the pips beside them, letters are smaller.
        good &= pips.contrast > 0.5 * pips.contrast[good].max()
        round_ones = good & (pips.minor > 0.8 * pips.major)
        if round_ones.any():
            good &= pips.major > 0.7 * pips.major[round_ones].max()
    return np.asarray(inside[good], np.float64)


MIN_PLAIN_ROUNDNESS = 0.8
"""Ratio of the axes of a plain pip."""
MIN_PLAIN_SIZE = 0.75
"""Size of a plain pip, as a share of the largest one's on the top."""
MIN_PLAIN_CONTRAST = 0.6
"""Contrast of a plain pip, as a share of the greatest on the top."""


def plain_pips(pips: Pips, center: FloatArray, axes: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Spots that are pips of this top beyond doubt.

    They are looked for on the whole top, because the classifiers put the middle of a face that they
    take for another one in the wrong place. On 3,050 dice read rightly, in photographs and
    renderings, there were never more of them than the die has pips.

    Args:
        pips: spots of one polarity, n.
        center: middle of the face, pixels, (2,).
        axes: columns are its edges as it lies, pixels, (2, 2).

    Returns:
        Their places, (m, 2), in edges from the middle of the top, and which spots they are, (n,).
    """
    if len(pips) == 0:
        return np.zeros((0, 2)), np.zeros(0, dtype=bool)
    places, plain = places_on_top(pips, center, axes), np.zeros(len(pips), dtype=bool)
    near = np.flatnonzero(is_on_top(places))
    if len(near):
        there = pips.take(near)
        size = there.major / top_edge(axes)
        good = there.minor > MIN_PLAIN_ROUNDNESS * there.major
        good &= (size > PIP_RADIUS_RANGE[0]) & (size < PIP_RADIUS_RANGE[1])
        if good.any():
            good &= there.contrast > MIN_PLAIN_CONTRAST * there.contrast[good].max()
            good &= size > MIN_PLAIN_SIZE * size[good].max()
        plain[near[good]] = True
    return places[plain], plain


def places_on_top(pips: Pips, center: FloatArray, axes: FloatArray) -> FloatArray:
    """Where all spots lie, (n, 2), in edges from the middle of a top."""
    return np.asarray((pips.xy - center) @ inverse_of(axes).T, np.float64)


def is_on_top(places: FloatArray) -> BoolArray:
    """Which places, (n, 2) in edges from the middle of a top, lie on it."""
    # Of so short an axis NumPy's `all` takes longer than all the rest.
    return np.asarray(np.maximum(*np.abs(places).T) < 0.5)


MAX_LIKE_SIZE_RATIO = 1.5
"""Spots are like the pips of a die if they are at most this many times larger or smaller."""
MIN_PATTERN_SPOTS = 50
"""With so many spots like its pips elsewhere, a die lies on a pattern."""
USUAL_CONTRAST_PERCENTILE = 75
"""The percentile of their contrasts that pips are compared with: the pips of other dice are few."""


def measure_prominence(pips: Pips, center: FloatArray, axes: FloatArray) -> float:
    """Contrast of a top's plain pips over that of spots like them elsewhere; see `plain_pips`.

    It is infinite where there are no plain pips, or few such spots.
    """
    places, plain = plain_pips(pips, center, axes)
    if len(places) == 0:
        return math.inf
    size = float(np.median(pips.major[plain]))
    alike = (
        ~is_on_top(places_on_top(pips, center, axes))
        & (pips.major < MAX_LIKE_SIZE_RATIO * size)
        & (pips.major > size / MAX_LIKE_SIZE_RATIO)
    )
    if alike.sum() < MIN_PATTERN_SPOTS:
        return math.inf
    usual = float(np.percentile(pips.contrast[alike], USUAL_CONTRAST_PERCENTILE))
    return float(np.median(pips.contrast[plain])) / usual


MAX_TWIN_RATIO = 1.25
"""Twins of a pip differ by no more in size and contrast."""


def count_twins(pips: Pips, floor: Pips, center: FloatArray, axes: FloatArray) -> int:
    """How many spots of the floor are round, and like a top's plain pips in size and contrast.

    Of 1,321 dice read in photographs that are not crowded, none had more than 2; lights of a
    scoreboard that were taken for pips had hundreds.

    Args:
        pips: spots of one polarity, those of the top among them.
        floor: the spots of this polarity that lie on no top.
        center: middle of the face, pixels, (2,).
        axes: columns are its edges as it lies, pixels, (2, 2).
    """
    _, plain = plain_pips(pips, center, axes)
    if not plain.any():
        return 0
    size, contrast = np.median(pips.major[plain]), np.median(pips.contrast[plain])
    most = math.log(MAX_TWIN_RATIO)
    twins = np.abs(np.log(floor.major / size)) < most
    twins &= np.abs(np.log(floor.contrast / contrast)) < most
    twins &= floor.minor > MIN_PLAIN_ROUNDNESS * floor.major
    return int(twins.sum())


def lie_across(spots: FloatArray) -> bool:
    """True if two spots on a face, (n, 2) in edges, lie at opposite ends of a diagonal."""
    out = (np.abs(spots) > MIN_DIAGONAL_PIP_OFFSET).all(axis=1)
    ends = spots[out]
    middles = (ends[:, None] + ends[None]) / 2
    return bool((np.abs(middles) < MAX_MIDPOINT_OFFSET).all(axis=2).any())


def pattern_at(center: FloatArray, axes: FloatArray, faces: list[Face]) -> Face | None:
    """The lattice pattern at a place, the first of `faces` that fits; `axes` as the face lies."""
    edge = top_edge(axes)
    yaw = math.atan2(axes[1, 0], axes[0, 0])
    x, y = center.tolist()
    for face in faces:
        if math.hypot(x - face.center[0], y - face.center[1]) > 0.2 * edge:
            continue
        own = math.atan2(face.axes[1, 0], face.axes[0, 0])
        askew = abs((own - yaw + math.pi / 4) % (math.pi / 2) - math.pi / 4)
        if askew <= MAX_PATTERN_ASKEW_RAD and 0.65 < face.edge / edge < 1.4 and face.residual < 0.2:
            return face
    return None
