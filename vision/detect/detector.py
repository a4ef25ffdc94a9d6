"""Finds the tops of dice: proposes places, looks at them and keeps the best."""

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.classify import face as face_classifier
from vision.classify import posture
from vision.classify.face import FaceEstimates, Pyramid, agreed_faces
from vision.classify.posture import LOOKS_PER_TOP, Sights, classify_postures
from vision.detect import background, proposals
from vision.detect.background import Changes
from vision.detect.counting import spots_by_threshold
from vision.detect.detection import (
    MAX_MIDPOINT_OFFSET,
    Detection,
    Found,
    lie_across,
    measure_prominence,
    pattern_at,
    plain_pips,
    spots_on,
)
from vision.detect.floor import Foreground
from vision.detect.patterns import MAX_FACES, Face, find_faces
from vision.detect.pips import MAX_SPOTS, Pips, find_pips, shift_pips
from vision.detect.proposals import Places
from vision.detect.region import Region
from vision.frame import Image
from vision.geometry.axes import top_edge, top_edges, turned
from vision.geometry.profile import MAX_HOLDER_DISTANCE_MM, Profile
from vision.image.arrays import BoolArray, FloatArray

MIN_FACE_PROBABILITY = 0.5
"""Places with a lower probability of a face are not dice."""
MAX_PROMISING_NO_FACE = 0.985
"""Places with a higher probability of no face are not looked at again."""
MIN_SETTLED_PROBABILITY = 0.6
"""Places with a higher probability of one face need no rival, and of no face no third look."""
MIN_PLAIN_CLASS = 0.98
"""Dice with no class more probable than this are looked at from four sides."""
MIN_PLAIN_VALUE = 0.92
"""Without a profile: where no value anywhere is more probable, a die may fill the picture."""
MAX_ON_DIE_EDGES = 0.55
"""Places nearer than this to the middle of a die already found lie on it."""
MIN_BESIDE_DIE_EDGES = 0.75
"""No other die has its middle nearer than this; what stands out there is a rim or a shadow."""
MIN_TOP_SPACING_EDGES = 0.85
"""Between the middles of two tops."""
MAX_LOG_SIZE_ERROR = 0.4
"""With a profile: how far the logarithm of an edge may be from that of the known edge."""

# With a profile: edges inferred from pips, which makers space differently, in usual edges.
MIN_EDGE_RATIO = 0.6
MAX_EDGE_RATIO = 1.6

ROUNDED_EDGE_RATIO = 0.96
"""With a profile: edge that a top usually seems to have, as its rim is rounded, in edges."""
MAX_KNOWN_SPOTS = 450
"""With a profile: of more spots, only strong ones are taken to be pips rather than leather grain,
and of those the ones with the most contrast."""
MIN_STRONG_CONTRAST = 36.0
"""Grey levels, see `MAX_KNOWN_SPOTS`."""
KNOWN_PYRAMID_LEVELS = 1
"""Searched for pips where the size of dice is known."""
MAX_TWIN_DISTANCE_EDGES = 0.16
"""Places of one size that are nearer than this to each other count as one."""
MAX_FIRST_LOOK_SHIFT = 0.09
"""A first look that moves a place by less, in edges or in the logarithm of the size, is enough."""
MAX_SECOND_LOOK_SHIFT = 0.09
"""The same for a second look."""
MAX_LONE_SPOTS = 600
"""Those with the most contrast: each may be a 1. Trays with dice have up to 265."""
MAX_TOPS = 150
"""The most probable ones, lookalikes included. Trays have up to 108."""
MAX_SEARCH_LOOKS = 1400
"""Of the face classifier, to find tops. Trays with dice take at most 1,262."""
MAX_CHANCE_PIPS = 3
"""So many, or fewer, may be seen by chance on something that is no die."""
MAX_NO_FACE_OF_PLAIN_DIE = 0.05
"""Probability of no face, by either network, of what is plainly a die."""
MAX_WINDOW_LOOKS = 300
"""For dice that fill the picture, added to the others; what is left of `MAX_LOOKS` judges what was
found."""
PLACES_PER_BATCH = 256
"""Looked at before the next ones, so that each has its second look in time."""
MAX_ASPECT_TO_FILL = 4.0
"""Longer over shorter side of a picture that a die may fill."""
MIN_CLOSE_UP_SHARE = 0.14
"""Dice with an edge above this share of the picture's longer side are seen close up."""


def detect_dice(image: Image, view: Region, lit: Image | None = None) -> Found:
    """Finds the tops of dice in the working picture of a view.

    Args:
        image: the picture.
        view: the view that it shows.
        lit: the same scene at the exposure of the empty tray, where `image` is darker than that.
    """
    size = (image.shape[1], image.shape[0])
    lit = image if lit is None else lit
    profile, scale, changes = view.profile, view.scale, view.changes(lit)
    pyramid = Pyramid(image)
    pips = find_pips(pyramid) if profile is None else _find_known_pips(image, profile, changes)
    usual = None if profile is None else profile.usual_edge() * scale
    edges = (0.0, math.inf) if usual is None else (MIN_EDGE_RATIO * usual, MAX_EDGE_RATIO * usual)
    patterns = [find_faces(polarity, size, edges) for polarity in pips]
    faces = [face for polarity in patterns for face in polarity]
    foreground = None if view.floor is None else view.floor.foreground(lit)
    search = _Search(pyramid, profile, scale, MAX_SEARCH_LOOKS)
    seen = _look_everywhere(search, faces, pips, view, changes or foreground, usual)
    most_spots = MAX_SPOTS if profile is None else MAX_KNOWN_SPOTS
    crowded = (
        search.ended_early
        or max(map(len, pips)) >= most_spots
        or max(map(len, patterns)) >= MAX_FACES
    )
    kept = _best_tops(pyramid, seen, faces, pips)
    if changes is not None and kept:
        # Nothing lies where the tray looks as it did when empty.
        same = changes.same(np.array([one.center for one in kept]))
        kept = [one for one, floor in zip(kept, same, strict=True) if not floor]
    dice = _judge_tops(pyramid, kept, profile, scale)
    if _may_fill_picture(seen, view, size):
        search.looks += MAX_WINDOW_LOOKS
        windows = search.look(proposals.propose_windows(size))
        tops = _judge_tops(pyramid, _best_tops(pyramid, windows, faces, pips), profile, scale)
        confirmed = (_with_its_pips(pyramid, one) for one in tops)
        dice = _add_filling_dice(dice, [one for one in confirmed if one is not None])
    crowded = crowded or len(dice) >= MAX_TOPS
    if crowded:
        dice = [replace(one, prominence=_prominence_among(pips, one)) for one in dice]
    return Found(dice, crowded)


def _prominence_among(pips: tuple[Pips, Pips], one: Detection) -> float:
    """The prominence of a die's pips among the spots of their polarity."""
    center, axes = one.center, one.turned_axes
    polarity = max(pips, key=lambda spots: len(plain_pips(spots, center, axes)[0]))
    return measure_prominence(polarity, center, axes)


def _best_tops(
    pyramid: Pyramid, seen: FaceEstimates, faces: list[Face], pips: tuple[Pips, Pips]
) -> list[Detection]:
    """The best of what was seen within the picture: as many tops as can still be judged."""
    height, width = pyramid.level(0).shape[:2]
    # What seems to lie outside the picture cannot be seen.
    within = (seen.centers >= 0) & (seen.centers < (width, height))
    most = min(MAX_TOPS, max(0, int(pyramid.looks_left / LOOKS_PER_TOP)))
    return _non_maximum_suppression(seen.take(np.all(within, axis=1)), faces, pips, most)


def _judge_tops(
    pyramid: Pyramid, kept: list[Detection], profile: Profile | None, scale: float
) -> list[Detection]:
    """Tops with what the posture classifier says of them, and in doubt a face from four sides."""
    if not kept:
        return []
    height, width = pyramid.level(0).shape[:2]
    sights = _sights_for(kept, (width, height), profile, scale)
    estimates = classify_postures(pyramid, sights)
    said = np.array([one.faces for one in kept])
    axes = np.array([one.axes for one in kept])
    doubt = said.max(axis=1) < MIN_PLAIN_CLASS
    said[doubt] = agreed_faces(pyramid, sights.centers[doubt], axes[doubt])
    return [
        replace(
            one,
            faces=said[i],
            values=estimates.values[i],
            postures=estimates.postures[i],
            lean=float(np.hypot(*estimates.leans[i])),
            any_side=sights.certainty == posture.SLANT_UNKNOWN,
        )
        for i, one in enumerate(kept)
    ]


@dataclass(slots=True, eq=False)
class _Search:
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

        A likely face for whose second look none is left is not returned.
        """
        unknown = self.profile is None
        first = self._look_once(centers, axes)
        centers, axes = centers[: len(first.faces)], axes[: len(first.faces)]
        promising = first.faces[:, 0] < MAX_PROMISING_NO_FACE
        # Where nothing is known, a second look tells chance lookalikes from dice.
        moved = _has_shifted(first, centers, axes, MAX_FIRST_LOOK_SHIFT) | unknown
        kept = first.take(promising & ~moved)
        again, before = self._look_again(first.take(promising & moved))
        if unknown:
            return kept.joined(again)
        # From farther away the second look only comes nearer: a third is needed.
        far = _has_shifted(again, before.centers, before.axes, MAX_SECOND_LOOK_SHIFT) & (
            again.faces[:, 0] < MIN_SETTLED_PROBABILITY
        )
        nearer, _ = self._look_again(again.take(far))
        return kept.joined(again).joined(nearer)

    def _look_again(self, seen: FaceEstimates) -> tuple[FaceEstimates, FaceEstimates]:
        """Looks at the poses that were estimated; what is seen there, and the estimates."""
        if len(seen.faces) > self.looks:
            likely_first = np.argsort(seen.faces[:, 0], kind="stable")
            seen = seen.take(likely_first)
        again = self._look_once(seen.centers, seen.axes)
        return again, seen.take(np.arange(len(again.faces)))


def _look_everywhere(
    search: _Search,
    faces: list[Face],
    pips: tuple[Pips, Pips],
    view: Region,
    ground: Changes | Foreground | None,
    edge: float | None,
) -> FaceEstimates:
    """Looks at all places where the top of a die may be, the most promising ones first."""
    pyramid, looked = search.pyramid, search.look
    seen = looked(proposals.propose_patterns(faces))
    # What lies on a die already found needs no look: it is mostly pips.
    if isinstance(ground, Changes):
        # One place per die first; denser ones only where those do not explain every change.
        for step in (background.DIE_SPACING_EDGES, background.PLACE_STEP_EDGES):
            bodies = _places_off_dice(ground.places(_plain_dice(seen).centers, step), seen)
            seen = seen.joined(looked(bodies))
    else:
        seen = seen.joined(
            looked(_places_off_dice(proposals.propose_bodies(pyramid, faces, edge), seen))
        )
    small = _places_off_dice(proposals.propose_small(faces, edge, ground), seen)
    small = proposals.first_distinct(small, None if edge is None else proposals.MAX_SMALL_PATTERNS)
    seen = seen.joined(looked(small))
    lone = _places_off_dice(proposals.propose_lone(faces, pips, ground), seen)
    if len(lone[1]) > MAX_LONE_SPOTS:
        search.ended_early = True
        lone = (lone[0][:MAX_LONE_SPOTS], lone[1][:MAX_LONE_SPOTS])
    seen = seen.joined(looked(lone))
    if isinstance(ground, Foreground):
        other = _places_off_dice(
            ground.places(_plain_dice(seen).centers), seen, MIN_BESIDE_DIE_EDGES
        )
        seen = seen.joined(looked(other))
    return seen


def _may_fill_picture(seen: FaceEstimates, view: Region, size: tuple[int, int]) -> bool:
    """Whether a die may fill a picture of this width and height, where so much has been seen."""
    return (
        view.profile is None
        and max(size) <= MAX_ASPECT_TO_FILL * min(size)
        and not _shows_value(seen, MIN_PLAIN_VALUE)
    )


def _add_filling_dice(dice: list[Detection], filling: list[Detection]) -> list[Detection]:
    """Adds dice that fill the picture to those seen before, which they never replace.

    Of what lies on a die that fills the picture, its pips and their reflections go; but where that
    is plainly a die itself, the larger one is none.
    """
    plain = [one for one in dice if _plainly_a_die(one)]
    added = [big for big in filling if not any(_lies_on(one, big) for one in plain)]
    free = [one for one in dice if not any(_lies_on(one, big) for big in added)]
    return free + added


def _plainly_a_die(one: Detection) -> bool:
    """Whether both networks see a face where several pips are plain to see.

    Which value they see does not matter where they deny that it is none: of dice that they do not
    know they see another.
    """
    value = 0 if one.lattice is None else one.lattice.value
    agreed = value > 0 and min(one.faces[value], one.values[value]) > MIN_FACE_PROBABILITY
    some_face = max(one.faces[0], one.values[0]) < MAX_NO_FACE_OF_PLAIN_DIE
    return bool(agreed or (len(one.plain_pips) > 1 and some_face))


def _with_its_pips(pyramid: Pyramid, one: Detection) -> Detection | None:
    """A die that is said to fill the picture; None unless it has its pips.

    Both networks may take a dish with some olives for a 1, 2 or 3: so few pips must lie where they
    belong, and are plain then, too large as they may be for the spots that are searched for
    everywhere. Of more, a lamp or the slant of the view may hide some, but there are never too
    many.
    """
    value = 1 + int(one.faces[1:7].argmax())
    counted = list(spots_by_threshold(pyramid, one))
    if value > MAX_CHANCE_PIPS:
        return one if MAX_CHANCE_PIPS <= max(map(len, counted), default=0) <= value else None
    for spots in counted:
        placed = lie_across(spots) if value > 1 else _all_in_middle(spots)
        if len(spots) == value and placed:
            return replace(one, plain_pips=spots)
    return None


def _all_in_middle(spots: FloatArray) -> bool:
    """Whether all spots, (n, 2) in edges, are near the middle of a face."""
    return bool((np.abs(spots) < MAX_MIDPOINT_OFFSET).all())


def _lies_on(one: Detection, other: Detection) -> bool:
    """Whether one of them has its middle on the top of the other."""
    gap = float(np.hypot(*(one.center - other.center)))
    return gap < MIN_TOP_SPACING_EDGES * max(one.edge, other.edge)


def _find_known_pips(image: Image, profile: Profile, changes: Changes | None) -> tuple[Pips, Pips]:
    """Pips where the size of dice is known, searched for only where something has changed."""
    rows, columns = (slice(0, None),) * 2 if changes is None else changes.extent()
    part = Pyramid(image[rows, columns])
    found = list(find_pips(part, KNOWN_PYRAMID_LEVELS, smooth=True, dark=profile.has_dark_pips))
    if max(map(len, found)) > MAX_KNOWN_SPOTS:
        found = [pips.take(pips.contrast > MIN_STRONG_CONTRAST) for pips in found]
    found = [pips.most_prominent(MAX_KNOWN_SPOTS) for pips in found]
    bright, dark = (shift_pips(pips, columns.start, rows.start) for pips in found)
    return bright, dark


def _sights_for(
    kept: list[Detection], size: tuple[int, int], profile: Profile | None, scale: float
) -> Sights:
    """How the posture classifier should look at dice found in a picture of `size`."""
    centers = np.array([one.center for one in kept])
    if profile is not None:
        return posture.sights_with(profile, centers, scale)
    edges = np.array([one.edge for one in kept])
    sights = posture.sights_without(centers, edges, size)
    # A photograph of a die or two may be taken from any side.
    close_up = len(kept) == 1 or float(edges.max()) > MIN_CLOSE_UP_SHARE * max(size)
    return posture.without_view_side(sights) if close_up else sights


def _shows_value(seen: FaceEstimates, least: float) -> bool:
    """Whether any place shows a value with a probability above `least`."""
    return bool((seen.faces[:, 1:7] > least).any())


def _plain_dice(seen: FaceEstimates) -> FaceEstimates:
    """Those that are plainly dice."""
    return seen.take(
        seen.faces[:, 1 : face_classifier.LEANING].max(axis=1, initial=0) > MIN_SETTLED_PROBABILITY
    )


def _places_off_dice(
    places: Places, seen: FaceEstimates, reach: float = MAX_ON_DIE_EDGES
) -> Places:
    """The places farther than `reach` edges from all dice found so far."""
    centers, edges = places
    settled = _plain_dice(seen)
    gap = np.hypot(*np.moveaxis(centers[:, None] - settled.centers[None], 2, 0))
    free = (gap > top_edges(settled.axes)[None] * reach).all(axis=1)
    return centers[free], edges[free]


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
        inside_mm(profile, mm) > -MAX_HOLDER_DISTANCE_MM or profile.held(mm) for mm in ground
    ]
    fits &= np.array(near_tray, dtype=bool)
    centers, axes, expected = centers[fits], axes[fits], expected[fits]
    # All places now have the same size: those that differed in size alone are looked at once.
    apart = proposals.distinct_indices(centers, expected, MAX_TWIN_DISTANCE_EDGES)
    return centers[apart], axes[apart]


def _has_shifted(
    seen: FaceEstimates, centers: FloatArray, axes: FloatArray, most: float
) -> BoolArray:
    """Which looks at centres (n, 2) and axes (n, 2, 2) put the die elsewhere or at another size."""
    moved = np.hypot(*(seen.centers - centers).T) > most * top_edges(axes)
    return np.asarray(moved | (np.abs(np.log(top_edges(seen.axes) / top_edges(axes))) > most))


def inside_mm(profile: Profile, place: FloatArray) -> float:
    """How far a place lies inside the edge of the floor, millimetres; negative outside it."""
    outline = profile.tray.astype(np.float32).reshape(-1, 1, 2)
    return float(cv2.pointPolygonTest(outline, (float(place[0]), float(place[1])), True))


def _non_maximum_suppression(
    seen: FaceEstimates, faces: list[Face], pips: tuple[Pips, Pips], most: int
) -> list[Detection]:
    """Keeps the best of places that cannot all be tops, at most `most`."""
    score = 1 - seen.faces[:, 0]
    faces = sorted(faces, key=lambda face: (-face.value, face.residual))
    kept: list[Detection] = []
    places, edges = np.empty((most, 2)), np.empty(most)
    middles = np.array([face.center for face in faces]).reshape(-1, 2)
    for i in np.argsort(-score):
        if score[i] < MIN_FACE_PROBABILITY or len(kept) == most:
            break
        center, edge = seen.centers[i], top_edge(seen.axes[i])
        count = len(kept)
        gaps = np.hypot(*(places[:count] - center).T)
        if np.any(gaps < MIN_TOP_SPACING_EDGES * np.maximum(edge, edges[:count])):
            continue
        places[count], edges[count] = center, edge
        turn = float(seen.turns[i])
        axes = turned(seen.axes[i], turn)
        spots = max((spots_on(found, center, axes) for found in pips), key=len)
        plain = max((plain_pips(spots, center, axes)[0] for spots in pips), key=len)
        near = np.flatnonzero(np.hypot(*(middles - center).T) < edge)
        kept.append(
            Detection(
                center=center,
                axes=seen.axes[i],
                turn=turn,
                faces=seen.faces[i],
                kinds=seen.kinds[i],
                lattice=pattern_at(center, axes, [faces[k] for k in near]),
                count=len(spots),
                across=lie_across(spots),
                plain_pips=plain,
            )
        )
    return kept
