"""Finds the tops of dice: proposes places, looks at them and keeps the best."""

import math
from dataclasses import replace

import cv2
import numpy as np

from vision.classify import face as face_classifier
from vision.classify import posture
from vision.classify.face import FaceEstimates, Pyramid, agreed_faces
from vision.classify.posture import Sights, classify_postures
from vision.detect import background, proposals
from vision.detect.background import Changes
from vision.detect.detection import Detection, lie_across, pattern_at, spots_on
from vision.detect.floor import Foreground
from vision.detect.patterns import Face, find_faces
from vision.detect.pips import Pips, find_pips, shifted
from vision.detect.proposals import Places
from vision.detect.region import HOLDER_MM, Region
from vision.errors import TooManySpots
from vision.frame import Image
from vision.geometry.axes import top_edge, top_edges, turned
from vision.geometry.profile import Profile
from vision.image.arrays import BoolArray, FloatArray

FACE_THRESHOLD = 0.5
"""Places with a lower probability of a face are not dice."""
PROMISING = 0.985
"""Places with a higher probability of no face are not looked at again."""
SETTLED = 0.6
"""Places with a higher probability of one face need no rival, and of no face no third look."""
PLAIN_FACE = 0.98
"""Dice with no class more probable than this are looked at from four sides."""
PLAIN_VALUE = 0.92
"""Without a profile: where no value anywhere is more probable, a die may fill the picture."""
ON_DIE = 0.55
"""Places nearer than this to the middle of a die already found lie on it, in edges."""
BY_DIE = 0.75
"""No other die has its middle nearer than this; what stands out there is a rim or a shadow."""
APART = 0.85
"""Middles of two tops are at least this many edges apart."""
SIZE_DOUBT = 0.4
"""With a profile: how far the logarithm of an edge may be from that of the known edge."""
LEAST_EDGE, MOST_EDGE = 0.6, 1.6
"""With a profile: edges inferred from pips, which makers space differently, in usual edges."""
ROUNDED = 0.96
"""With a profile: edge that a top usually seems to have, as its rim is rounded, in edges."""
MOST_KNOWN_SPOTS, STRONG = 450, 36.0
"""With a profile: where there are more spots than this, only those with more contrast than this, in
grey levels, are taken to be pips rather than leather grain. If more than that many remain, dice
hallucinated on a dotted cloth cannot be told from real ones."""
KNOWN_LEVELS = 1
"""Levels of the pyramid that are searched for pips where the size of dice is known."""
TWIN = 0.16
"""Places of one size that are nearer than this to each other count as one, in edges."""
MOVED = 0.09
"""A first look that moves a place by less, in edges or in the logarithm of the size, is enough."""
FAR = 0.09
"""The same for a second look."""
MOST_LONE = 600
"""Most single spots looked at: each may be a 1. Test pictures have up to 265."""
MOST_TOPS = 150
"""Most tops in a picture, lookalikes included. Test pictures have up to 108."""
LONGEST = 4.0
"""No die fills a picture longer than this many times its shorter side."""
CLOSE_UP = 0.14
"""Dice with an edge above this share of the picture's longer side are seen close up."""


def detect_dice(image: Image, view: Region, lit: Image | None = None) -> list[Detection]:
    """Finds the tops of dice in the working picture of a view.

    Args:
        image: the picture.
        view: the view that it shows.
        lit: the same scene at the exposure of the empty tray, where `image` is darker than that.

    Raises:
        TooManySpots: more things in view may be dice than can be looked at.
    """
    size = (image.shape[1], image.shape[0])
    lit = image if lit is None else lit
    profile, scale, changes = view.profile, view.scale, view.changes(lit)
    pyramid = Pyramid(image)
    pips = find_pips(pyramid) if profile is None else _known_pips(image, profile, changes)
    usual = None if profile is None else profile.usual_edge() * scale
    edges = (0.0, math.inf) if usual is None else (LEAST_EDGE * usual, MOST_EDGE * usual)
    faces = [face for polarity in pips for face in find_faces(polarity, size, edges)]
    foreground = None if view.floor is None else view.floor.foreground(lit)
    seen = _look_everywhere(pyramid, faces, pips, view, changes or foreground, usual)
    # What seems to lie outside the picture cannot be seen.
    within = (seen.centers >= 0) & (seen.centers < size)
    kept = _suppress(seen.take(np.all(within, axis=1)), faces, pips)
    if changes is not None and kept:
        # Nothing lies where the tray looks as it did when empty.
        same = changes.same(np.array([one.center for one in kept]))
        kept = [one for one, floor in zip(kept, same, strict=True) if not floor]
    if not kept:
        return kept
    sights = _sights(kept, size, profile, scale)
    estimates = classify_postures(pyramid, sights)
    said = np.array([one.faces for one in kept])
    axes = np.array([one.axes for one in kept])
    doubt = said.max(axis=1) < PLAIN_FACE
    said[doubt] = agreed_faces(pyramid, sights.centers[doubt], axes[doubt])
    return [
        replace(
            one,
            faces=said[i],
            values=estimates.values[i],
            postures=estimates.postures[i],
            lean=float(np.hypot(*estimates.leans[i])),
            any_side=sights.certainty == posture.UNKNOWN,
        )
        for i, one in enumerate(kept)
    ]


def _look_everywhere(
    pyramid: Pyramid,
    faces: list[Face],
    pips: tuple[Pips, Pips],
    view: Region,
    ground: Changes | Foreground | None,
    edge: float | None,
) -> FaceEstimates:
    """Looks at all places where the top of a die may be, the most promising ones first."""
    image, profile, scale = pyramid.level(0), view.profile, view.scale

    def looked(places: Places) -> FaceEstimates:
        return _look_twice(pyramid, places, profile, scale)

    seen = looked(proposals.propose_patterns(faces))
    # What lies on a die already found needs no look: it is mostly pips.
    if isinstance(ground, Changes):
        # One place per die first; denser ones only where those do not explain every change.
        for step in (background.APART, background.STEP):
            bodies = _beside(ground.places(_settled(seen).centers, step), seen)
            seen = seen.joined(looked(bodies))
    else:
        seen = seen.joined(looked(_beside(proposals.propose_bodies(pyramid, faces, edge), seen)))
    small = _beside(proposals.propose_small(faces, edge, ground), seen)
    small = proposals.foremost(small, None if edge is None else proposals.MOST_SMALL)
    seen = seen.joined(looked(small))
    lone = _beside(proposals.propose_lone(faces, pips, ground), seen)
    if len(lone[1]) > MOST_LONE:
        raise TooManySpots("single spots", len(lone[1]), MOST_LONE)
    seen = seen.joined(looked(lone))
    if isinstance(ground, Foreground):
        other = _beside(ground.places(_settled(seen).centers), seen, BY_DIE)
        seen = seen.joined(looked(other))
    long = max(image.shape[:2]) > LONGEST * min(image.shape[:2])
    if profile is None and not long and not _shows_value(seen, PLAIN_VALUE):
        filling = looked(proposals.propose_windows((image.shape[1], image.shape[0])))
        # On a die that fills the picture there are only its pips and their reflections.
        seen = filling if _shows_value(filling, FACE_THRESHOLD) else seen.joined(filling)
    return seen


def _known_pips(image: Image, profile: Profile, changes: Changes | None) -> tuple[Pips, Pips]:
    """Pips where the size of dice is known, searched for only where something has changed."""
    rows, columns = (slice(0, None),) * 2 if changes is None else changes.extent()
    part = Pyramid(image[rows, columns])
    found = list(find_pips(part, KNOWN_LEVELS, smooth=True, dark=profile.has_dark_pips))
    if max(map(len, found)) > MOST_KNOWN_SPOTS:
        found = [pips.take(pips.contrast > STRONG) for pips in found]
    count = max(map(len, found))
    if count > MOST_KNOWN_SPOTS:
        raise TooManySpots("spots as large as pips", count, MOST_KNOWN_SPOTS)
    bright, dark = (shifted(pips, columns.start, rows.start) for pips in found)
    return bright, dark


def _sights(
    kept: list[Detection], size: tuple[int, int], profile: Profile | None, scale: float
) -> Sights:
    """How the posture classifier should look at dice found in a picture of `size`."""
    centers = np.array([one.center for one in kept])
    if profile is not None:
        return posture.sights_with(profile, centers, scale)
    edges = np.array([one.edge for one in kept])
    sights = posture.sights_without(centers, edges, size)
    # A photograph of a die or two may be taken from any side.
    close_up = len(kept) == 1 or float(edges.max()) > CLOSE_UP * max(size)
    return posture.unseen(sights) if close_up else sights


def _shows_value(seen: FaceEstimates, least: float) -> bool:
    """Whether any place shows a value with a probability above `least`."""
    return bool((seen.faces[:, 1:7] > least).any())


def _settled(seen: FaceEstimates) -> FaceEstimates:
    """Those that are plainly dice."""
    return seen.take(seen.faces[:, 1 : face_classifier.LEANING].max(axis=1, initial=0) > SETTLED)


def _beside(places: Places, seen: FaceEstimates, reach: float = ON_DIE) -> Places:
    """The places farther than `reach` edges from all dice found so far."""
    centers, edges = places
    settled = _settled(seen)
    gap = np.hypot(*np.moveaxis(centers[:, None] - settled.centers[None], 2, 0))
    free = (gap > top_edges(settled.axes)[None] * reach).all(axis=1)
    return centers[free], edges[free]


def _look_twice(
    pyramid: Pyramid, places: Places, profile: Profile | None, scale: float
) -> FaceEstimates:
    """Looks at places, then again at the pose that the first look estimates for a likely face."""
    centers, edges = places
    if len(centers) == 0:
        return face_classifier.NOTHING
    if profile is None:
        axes = edges[:, None, None] * np.eye(2)
    else:
        whole = (centers + 0.5) / scale - 0.5
        ground = profile.to_mm(whole, profile.die_edge_mm)
        axes = profile.axes_on(ground) * scale
        expected = top_edges(axes)
        axes = axes * ROUNDED
        fits = np.abs(np.log(edges / expected)) < SIZE_DOUBT
        # In the tray, or in a holder at its side.
        near_tray = [inside_mm(profile, mm) > -HOLDER_MM or profile.held(mm) for mm in ground]
        fits &= np.array(near_tray, dtype=bool)
        centers, axes, expected = centers[fits], axes[fits], expected[fits]
        # All places now have the same size: those that differed in size alone are looked at once.
        apart = proposals.thinned(centers, expected, TWIN)
        centers, axes = centers[apart], axes[apart]
    first = face_classifier.classify_faces(pyramid, centers, axes)
    promising = first.faces[:, 0] < PROMISING
    # Where nothing is known, a second look tells chance lookalikes from dice.
    moved = _moved(first, centers, axes, MOVED) | (profile is None)
    kept, seen = first.take(promising & ~moved), first.take(promising & moved)
    again = face_classifier.classify_faces(pyramid, seen.centers, seen.axes)
    if profile is None:
        return kept.joined(again)
    # From farther away the second look only comes nearer: a third is needed.
    far = _moved(again, seen.centers, seen.axes, FAR) & (again.faces[:, 0] < SETTLED)
    near = again.take(far)
    nearer = face_classifier.classify_faces(pyramid, near.centers, near.axes)
    return kept.joined(again).joined(nearer)


def _moved(seen: FaceEstimates, centers: FloatArray, axes: FloatArray, most: float) -> BoolArray:
    """Which looks at centres (n, 2) and axes (n, 2, 2) put the die elsewhere or at another size."""
    moved = np.hypot(*(seen.centers - centers).T) > most * top_edges(axes)
    return np.asarray(moved | (np.abs(np.log(top_edges(seen.axes) / top_edges(axes))) > most))


def inside_mm(profile: Profile, place: FloatArray) -> float:
    """How far a place lies inside the edge of the floor, millimetres; negative outside it."""
    outline = profile.tray.astype(np.float32).reshape(-1, 1, 2)
    return float(cv2.pointPolygonTest(outline, (float(place[0]), float(place[1])), True))


def _suppress(seen: FaceEstimates, faces: list[Face], pips: tuple[Pips, Pips]) -> list[Detection]:
    """Keeps the best of places that cannot all be tops."""
    score = 1 - seen.faces[:, 0]
    faces = sorted(faces, key=lambda face: (-face.value, face.residual))
    kept: list[Detection] = []
    places, edges = np.empty((MOST_TOPS, 2)), np.empty(MOST_TOPS)
    middles = np.array([face.center for face in faces]).reshape(-1, 2)
    for i in np.argsort(-score):
        if score[i] < FACE_THRESHOLD:
            break
        center, edge = seen.centers[i], top_edge(seen.axes[i])
        count = len(kept)
        gaps = np.hypot(*(places[:count] - center).T)
        if np.any(gaps < APART * np.maximum(edge, edges[:count])):
            continue
        if count == MOST_TOPS:
            raise TooManySpots("dice or what looks like them", MOST_TOPS + 1, MOST_TOPS)
        places[count], edges[count] = center, edge
        turn = float(seen.turns[i])
        axes = turned(seen.axes[i], turn)
        spots = max((spots_on(found, center, axes) for found in pips), key=len)
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
            )
        )
    return kept
