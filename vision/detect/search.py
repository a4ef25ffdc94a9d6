"""Looks at places with the face classifier, as long as the looks for one picture last."""

from dataclasses import dataclass

import numpy as np

from vision.classify import face as face_classifier
from vision.classify.face import SYMBOL, FaceEstimates, Pyramid
from vision.detect.background import Changes
from vision.detect.places import Places, distinct_indices
from vision.detect.tops import Tops
from vision.geometry.axes import top_edges
from vision.geometry.profile import MAX_HOLDER_DISTANCE_MM, Profile
from vision.image.arrays import BoolArray, FloatArray

MAX_PROMISING_NO_FACE = 0.985
"""Places with a higher probability of no face are not looked at again."""
MAX_LOG_SIZE_ERROR = 0.4
"""With a profile: how far the logarithm of an edge may be from that of the known edge."""
ROUNDED_EDGE_RATIO = 0.96
"""With a profile: edge that a top usually seems to have, as its rim is rounded, in edges."""
MAX_TWIN_DISTANCE_EDGES = 0.16
"""Places of one size that are nearer than this to each other count as one."""
MIN_PLAIN_CLASS = 0.98
"""Probability from which a class is plain."""
MAX_SHIFT = 0.05
"""A look that moves a place by less, in edges or in the logarithm of the size, leaves it there."""
TOP_SIZES = (1.0, 0.85, 1.18)
"""Where the size of dice is not known, each top is looked at in so many times the edge that the
heat map gives it."""
PLACES_PER_BATCH = 256
"""Looked at before the next ones, so that each has its second look in time."""


@dataclass(slots=True, eq=False)
class Search:
    """Looks at places in one picture until its looks are used up.

    Attributes:
        pyramid: the working picture; it keeps account of the looks.
        profile: of the installation, if known.
        scale: size of the working picture over the profile's.
        looks: how many are left.
        ended_early: whether places were left out for want of looks.
    """

    pyramid: Pyramid
    profile: Profile | None
    scale: float
    looks: int
    ended_early: bool = False

    def look(self, places: Places) -> FaceEstimates:
        """Looks at places, the most promising first, as far as the looks go."""
        centers, axes = _poses_at(places, self.profile, self.scale)
        seen = face_classifier.NO_ESTIMATES
        for start in range(0, len(centers), PLACES_PER_BATCH):
            some = slice(start, start + PLACES_PER_BATCH)
            seen = seen.joined(self._look_twice(centers[some], axes[some]))
        return seen

    def _look_once(self, centers: FloatArray, axes: FloatArray) -> FaceEstimates:
        """Looks at centres (n, 2) with axes (n, 2, 2), at the first ones if there are too many."""
        if len(centers) > self.looks:
            self.ended_early = True
            centers, axes = centers[: self.looks], axes[: self.looks]
        self.looks -= len(centers)
        return face_classifier.classify_faces(self.pyramid, centers, axes)

    def _look_twice(self, centers: FloatArray, axes: FloatArray) -> FaceEstimates:
        """Looks at places, then again at the pose that the first look estimates for a likely face.

        With a profile, places are known so well that plain pips which the look leaves where they
        are need no second one. A likely face for whose second look none is left is not returned.
        """
        first = self._look_once(centers, axes)
        likely = first.faces[:, 0] < MAX_PROMISING_NO_FACE
        if self.profile is None:
            return self._look_again(first.take(likely))
        count = len(first.faces)
        plain = first.faces[:, 1:SYMBOL].max(axis=1, initial=0) >= MIN_PLAIN_CLASS
        plain &= ~_has_shifted(first, centers[:count], axes[:count])
        return first.take(plain).joined(self._look_again(first.take(likely & ~plain)))

    def _look_again(self, seen: FaceEstimates) -> FaceEstimates:
        """Looks at the poses that were estimated, the likeliest faces first if looks are scarce."""
        if len(seen.faces) > self.looks:
            likely_first = np.argsort(seen.faces[:, 0], kind="stable")
            seen = seen.take(likely_first)
        return self._look_once(seen.centers, seen.axes)


def places_of(tops: Tops) -> Places:
    """Places to look at where the size of dice is not known: the tops, in `TOP_SIZES`."""
    edges = np.concatenate([tops.edges * size for size in TOP_SIZES])
    return np.tile(tops.centers, (len(TOP_SIZES), 1)), edges


def known_places_of(tops: Tops, changes: Changes | None, edge: float) -> Places:
    """Places to look at where dice have this edge, pixels: tops where the tray looks changed."""
    centers = tops.centers
    if changes is not None and len(centers):
        centers = centers[~changes.same(centers)]
    return centers, np.full(len(centers), edge)


def _poses_at(
    places: Places, profile: Profile | None, scale: float
) -> tuple[FloatArray, FloatArray]:
    """Centres (n, 2) and axes (n, 2, 2) of dice that may lie at places, pixels.

    With a profile, only those in the tray or a holder that are about as large as a die.
    """
    centers, edges = places
    if len(centers) == 0:
        return np.zeros((0, 2)), np.zeros((0, 2, 2))
    if profile is None:
        return centers, edges[:, None, None] * np.eye(2)
    whole = (centers + 0.5) / scale - 0.5
    ground = profile.to_mm(whole, profile.die_edge_mm)
    axes = profile.axes_on(ground) * scale
    expected = top_edges(axes)
    axes = axes * ROUNDED_EDGE_RATIO
    fits = np.abs(np.log(edges / expected)) < MAX_LOG_SIZE_ERROR
    # In the tray, or in a holder at its side.
    near_tray = [
        profile.inside_mm(mm) > -MAX_HOLDER_DISTANCE_MM or profile.held(mm) for mm in ground
    ]
    fits &= np.array(near_tray, dtype=bool)
    centers, axes, expected = centers[fits], axes[fits], expected[fits]
    # All places now have the same size: those that differed in size alone are looked at once.
    apart = distinct_indices(centers, expected, MAX_TWIN_DISTANCE_EDGES)
    return centers[apart], axes[apart]


def _has_shifted(seen: FaceEstimates, centers: FloatArray, axes: FloatArray) -> BoolArray:
    """Which looks at centres (n, 2) and axes (n, 2, 2) put the die elsewhere or at another size."""
    most = MAX_SHIFT
    moved = np.hypot(*(seen.centers - centers).T) > most * top_edges(axes)
    return np.asarray(moved | (np.abs(np.log(top_edges(seen.axes) / top_edges(axes))) > most))
