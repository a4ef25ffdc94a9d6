"""Finds the tops of dice: proposes places, looks at them and keeps the best."""

import math
from dataclasses import replace

import numpy as np

from vision.classify import posture
from vision.classify.face import SYMBOL, FaceEstimates, Pyramid, agreed_faces
from vision.classify.posture import LOOKS_PER_TOP, classify_postures
from vision.detect.background import Changes
from vision.detect.detection import (
    Detection,
    Found,
    lie_across,
    pattern_at,
    plain_pips,
    spots_on,
)
from vision.detect.patterns import MAX_FACES, Face, find_faces
from vision.detect.pip_fit import with_fits
from vision.detect.pips import MAX_SPOTS, Pips, find_pips, shift_pips
from vision.detect.presence import (
    MIN_KNOWN_PRESENCE,
    MIN_PRESENCE,
    hold_smaller_dice,
    of_one_size,
    those_there,
    with_its_pips,
    with_prominence,
)
from vision.detect.region import Region
from vision.detect.search import MIN_PLAIN_CLASS, Search, known_places_of, places_of
from vision.detect.tops import find_tops
from vision.detect.unknown_view import look_without_geometry
from vision.frame import Image
from vision.geometry.axes import top_edge, top_edges, turned
from vision.geometry.profile import Profile
from vision.image.arrays import FloatArray, IndexArray

MIN_FACE_PROBABILITY = 0.5
"""Places with a lower probability of a face are not dice."""
MIN_CLASS_IN_DOUBT = 0.3
"""With a profile, nothing is claimed of a die with less probability of lying flat, or of any number
of pips, whatever it is from other sides."""
MIN_TOP_SPACING_EDGES = 0.85
"""Between the middles of two tops."""

# With a profile: edges inferred from pips, which makers space differently, in usual edges.
MIN_EDGE_RATIO = 0.6
MAX_EDGE_RATIO = 1.6

MAX_KNOWN_SPOTS = 450
"""With a profile: of more spots, only strong ones are taken to be pips rather than leather grain,
and of those the ones with the most contrast."""
MIN_STRONG_CONTRAST = 36.0
"""Grey levels, see `MAX_KNOWN_SPOTS`."""
MAX_SEARCH_LOOKS = 1400
"""Of the face classifier, to find tops. Photographs take at most 598, calibrated trays 111."""
KNOWN_PYRAMID_LEVELS = 1
"""Searched for pips where the size of dice is known."""
MAX_PATTERN_SHIFT_EDGES = 0.1
"""A pattern farther from the middle of a top may leave out some of its pips."""
MAX_TOPS = 60
"""The most probable ones are judged. So many are a pattern: no picture of dice has 40."""


def detect_dice(
    image: Image, view: Region, lit: Image | None = None, known: FloatArray | None = None
) -> Found:
    """Finds the tops of dice in the working picture of a view.

    Args:
        image: the picture.
        view: the view that it shows.
        lit: the same scene at the exposure of the empty tray, where `image` is darker than that.
        known: middles of dice that are left out where the empty tray is known, pixels, (n, 2).
    """
    size = (image.shape[1], image.shape[0])
    pyramid = Pyramid(image)
    changes = view.changes(pyramid if lit is None else Pyramid(lit))
    if changes is not None and known is not None:
        changes = changes.without(known)
    profile, scale = view.profile, view.scale
    pips = find_pips(pyramid) if profile is None else _find_known_pips(image, profile, changes)
    usual = None if profile is None else profile.usual_edge() * scale
    edges = (0.0, math.inf) if usual is None else (MIN_EDGE_RATIO * usual, MAX_EDGE_RATIO * usual)
    patterns = [find_faces(polarity, size, edges) for polarity in pips]
    faces = [face for polarity in patterns for face in polarity]
    search = Search(pyramid, profile, scale, MAX_SEARCH_LOOKS)
    tops = find_tops(pyramid, usual, None if changes is None else changes.parts())
    places = places_of(tops) if usual is None else known_places_of(tops, changes, usual)
    seen = search.look(places)
    if profile is None:
        seen = seen.take(~hold_smaller_dice(seen))
    most_spots = MAX_SPOTS if profile is None else MAX_KNOWN_SPOTS
    kept = _best_tops(pyramid, seen, faces, pips, changes)
    crowded = (
        search.ended_early
        or max(map(len, pips)) >= most_spots
        or max(map(len, patterns)) >= MAX_FACES
        or len(kept) >= MAX_TOPS
    )
    dice = _judge_tops(pyramid, kept, profile, scale)
    if profile is None:
        dice = [with_its_pips(pyramid, one) for one in dice]
        dice = of_one_size(those_there(dice, tops, MIN_PRESENCE))
    elif changes is None:
        dice = those_there(dice, tops, MIN_KNOWN_PRESENCE)
    dice = with_prominence(dice, pips, crowded)
    return Found(with_fits(pyramid, dice, all_of_them=profile is None), crowded)


def _best_tops(
    pyramid: Pyramid,
    seen: FaceEstimates,
    faces: list[Face],
    pips: tuple[Pips, Pips],
    changes: Changes | None,
) -> list[Detection]:
    """The best of what was seen within the picture: as many tops as can still be judged."""
    height, width = pyramid.level(0).shape[:2]
    # What seems to lie outside the picture cannot be seen.
    within = (seen.centers >= 0) & (seen.centers < (width, height))
    most = min(MAX_TOPS, max(0, int(pyramid.looks_left / LOOKS_PER_TOP)))
    seen = seen.take(np.all(within, axis=1))
    best = seen.take(_distinct_tops(seen, most))
    if changes is not None and len(best.faces):
        # Nothing lies where the tray looks as it did when empty.
        best = best.take(~changes.same(best.centers))
    return _detections(best, faces, pips)


def _judge_tops(
    pyramid: Pyramid, kept: list[Detection], profile: Profile | None, scale: float
) -> list[Detection]:
    """Tops with what the posture classifier says of them, and in doubt a face from four sides."""
    if not kept:
        return []
    height, width = pyramid.level(0).shape[:2]
    centers = np.array([one.center for one in kept])
    view = None
    if profile is not None:
        estimates = classify_postures(pyramid, posture.sights_with(profile, centers, scale))
        postures = estimates.postures
    else:
        view, estimates = look_without_geometry(pyramid, kept, (width, height))
        # A die on another one is nearer, and nobody knows how near flat ones are.
        postures = posture.without_stacking(estimates.postures)
    said = np.array([one.faces for one in kept])
    axes = np.array([one.axes for one in kept])
    doubt = said.max(axis=1) < MIN_PLAIN_CLASS
    if profile is not None:
        least = np.minimum(postures[:, posture.FLAT], said[:, 1:SYMBOL].max(axis=1))
        doubt &= least >= MIN_CLASS_IN_DOUBT
    said[doubt] = agreed_faces(pyramid, centers[doubt], axes[doubt])
    return [
        replace(
            one,
            faces=said[i],
            values=estimates.values[i],
            postures=postures[i],
            lean=float(np.hypot(*estimates.leans[i])),
            view=view,
        )
        for i, one in enumerate(kept)
    ]


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


def _distinct_tops(seen: FaceEstimates, most: int) -> IndexArray:
    """Indices of the best of places that cannot all be tops, at most `most`, the best first."""
    score = 1 - seen.faces[:, 0]
    first = np.argsort(-score)
    first = first[score[first] >= MIN_FACE_PROBABILITY]
    edges = top_edges(seen.axes)
    kept: list[int] = []
    for i in first.tolist():
        if len(kept) == most:
            break
        gaps = np.hypot(*(seen.centers[kept] - seen.centers[i]).T)
        if not np.any(gaps < MIN_TOP_SPACING_EDGES * np.maximum(edges[i], edges[kept])):
            kept.append(i)
    return np.array(kept, np.intp)


def _detections(best: FaceEstimates, faces: list[Face], pips: tuple[Pips, Pips]) -> list[Detection]:
    """Tops with the pips and patterns that lie on them."""
    faces = sorted(faces, key=lambda face: (-face.value, face.residual))
    middles = np.array([face.center for face in faces]).reshape(-1, 2)
    return [
        _with_spots(best.take(np.array([i])), faces, middles, pips) for i in range(len(best.faces))
    ]


def _with_spots(
    top: FaceEstimates, faces: list[Face], middles: FloatArray, pips: tuple[Pips, Pips]
) -> Detection:
    """One top, with the pips and the first of the patterns, with these middles, that lie on it.

    Where this pattern is that of the value seen, it says most exactly where the middle is.
    """
    center, turn = top.centers[0], float(top.turns[0])
    axes = turned(top.axes[0], turn)
    near = np.flatnonzero(np.hypot(*(middles - center).T) < top_edge(axes))
    pattern = pattern_at(center, axes, [faces[k] for k in near])
    if pattern is not None and pattern.value == 1 + int(top.faces[0, 1:7].argmax()):
        middle = np.array(pattern.center)
        if np.hypot(*(middle - center)) < MAX_PATTERN_SHIFT_EDGES * top_edge(axes):
            center = middle
    spots = max((spots_on(found, center, axes) for found in pips), key=len)
    return Detection(
        center=center,
        axes=top.axes[0],
        turn=turn,
        faces=top.faces[0],
        kinds=top.kinds[0],
        lattice=pattern,
        count=len(spots),
        across=lie_across(spots),
        plain_pips=max((plain_pips(found, center, axes)[0] for found in pips), key=len),
    )
