"""The four markers of a tray in their order, or why they cannot be used."""

from collections.abc import Mapping, Sequence
from itertools import combinations

import cv2
import numpy as np

from calibration.errors import RefusedError
from calibration.markers import printed
from calibration.markers.aruco import MIN_MARKER_SIDE_PX, Marker, by_corner, find_all
from calibration.problems import Problem
from vision.frame import Image
from vision.image.arrays import FloatArray

_USUAL_WIDTH_TO_DEPTH = 1.42
_USUAL_MARKER_SPANS_MM = (235.0, 165.0)
_SLANT_DEG = 35.0
"""Markers that look so slanted are too small, or not found, because of that."""
_PLATE_MARGIN_MM = 3.0
"""Around a plate: what lies on it stands higher, and dice on the floor are farther from it."""
_MAX_ASKEW_DEG = 30.0  # in the picture: neighbours across the tray from one another are farther off
_ASKEW = -1
_ROWS_AND_COLUMNS = (((0, 1), 0), ((3, 2), 0), ((0, 3), 1), ((1, 2), 1))
"""Neighbours on the rim, and whether they lie side by side or one below the other."""


def find_rim_markers(image: Image) -> tuple[Marker, ...]:
    """Finds the four markers, clockwise from the top left.

    Raises:
        RefusedError: they cannot be used; it carries the words for the board.
    """
    return all_four(find_all(image), (image.shape[1], image.shape[0]))


def all_four(found: Sequence[Marker], size: tuple[int, int]) -> tuple[Marker, ...]:
    """The four markers in order, or why they cannot be used.

    What is glued wrongly counts before what is hidden: nobody has to look for a marker where
    another one is.

    Args:
        found: all that are seen.
        size: width and height of the picture, pixels.

    Raises:
        RefusedError: one is hidden or cut off, they are mixed up, or too small.
    """
    markers = by_corner(found)
    if not markers:
        raise RefusedError(
            Problem.NO_MARKERS,
            "none of the four printed markers on the rim is seen; is there light, is the lens cap "
            "off, does the camera look at the tray?",
        )
    _check_glued(found, markers)
    missing = [k for k in range(4) if k not in markers]
    smallest = min(marker.side for marker in markers.values())
    slant = slant_of(found)
    # Those on the far side are too small to be found.
    if slant > _SLANT_DEG and (missing or smallest < MIN_MARKER_SIDE_PX):
        raise RefusedError(
            Problem.TILTED,
            f"the camera leans by about {slant:.0f} degrees; let it look straight down",
            degrees=slant,
        )
    if missing:
        names = ", ".join(printed.MARKER_NAMES[k] for k in missing)
        if any(_out_of_view(k, markers, size) for k in missing):
            raise RefusedError(
                Problem.CUT_OFF,
                f"the {names} marker lies beyond the picture; move the tray or raise the camera",
            )
        raise RefusedError(
            Problem.HIDDEN,
            f"the {names} marker is not seen; is something in front of it or shining on it?",
        )
    four = tuple(markers[k] for k in range(4))
    if smallest < MIN_MARKER_SIDE_PX:
        raise RefusedError(
            Problem.TOO_FAR,
            f"a marker is only {int(smallest)} pixels wide, at least {MIN_MARKER_SIDE_PX:.0f} are "
            f"needed; lower the camera or use larger pictures",
        )
    return four


def slant_of(markers: Sequence[Marker]) -> float:
    """The angle from which squares are seen by their shapes, degrees from straight above."""
    cosines = []
    for marker in markers:
        long, short = np.linalg.svd(_axes(marker), compute_uv=False).tolist()
        cosines.append(short / long)
    return float(np.degrees(np.arccos(np.clip(np.median(cosines), 0.0, 1.0))))


def _check_glued(found: Sequence[Marker], markers: Mapping[int, Marker]) -> None:
    """Checks that each marker is where it belongs, upright, and there once.

    Raises:
        RefusedError: they are not.
    """
    if len(found) > len(markers):
        twice = next(one for one, other in combinations(found, 2) if one.corner == other.corner)
        raise RefusedError(
            Problem.MARKERS_MIXED,
            f"the {printed.MARKER_NAMES[twice.corner]} marker is there twice; each of the four "
            "belongs on one corner",
        )
    turns = _quarter_turns(markers)
    turned = [k for k, of in turns.items() if of[0] > 0 and len(set(of)) == 1]
    upright = [k for k, of in turns.items() if not any(of)]
    if len(upright) == len(turns):
        return
    if upright and len(turned) + len(upright) == len(turns):
        names = ", ".join(printed.MARKER_NAMES[k] for k in turned)
        raise RefusedError(
            Problem.MARKER_TURNED, f"the {names} marker is turned; glue all of them upright"
        )
    raise RefusedError(
        Problem.MARKERS_MIXED,
        "the markers must be 0, 1, 2, 3 clockwise from the top left, all upright; "
        "stick them on as the sheet shows",
    )


def _quarter_turns(markers: Mapping[int, Marker]) -> dict[int, list[int]]:
    """By how many quarters a marker looks turned to each neighbour on the rim that is seen.

    Neighbours that are in place lie beside it or below it as its own edges run, at any tilt;
    `_ASKEW` where one lies in no such direction.
    """
    turns: dict[int, list[int]] = {}
    for (a, b), axis in _ROWS_AND_COLUMNS:
        if a in markers and b in markers:
            way = markers[b].corners.mean(axis=0) - markers[a].corners.mean(axis=0)
            for k in (a, b):
                x, y = _axes(markers[k])[axis]
                turn = np.arctan2(x * way[1] - y * way[0], x * way[0] + y * way[1])
                degrees = float(np.degrees(turn))
                quarters = round(degrees / 90)
                along = abs(degrees - 90 * quarters) < _MAX_ASKEW_DEG
                turns.setdefault(k, []).append(quarters % 4 if along else _ASKEW)
    return turns


def _axes(marker: Marker) -> FloatArray:
    """Its edges to the right and down, pixels, (2, 2)."""
    a, b, c, d = marker.corners
    return np.array(((b - a + c - d) / 2, (d - a + c - b) / 2))


def expected_place_of_missing(markers: Mapping[int, Marker]) -> dict[int, tuple[float, float]]:
    """Where the one missing marker should be, pixels; nothing unless three are seen."""
    if len(markers) != 3:
        return {}
    missing = next(k for k in range(4) if k not in markers)
    return {missing: _guess_places(missing, markers)[0]}


def plate_of_missing(found: Sequence[Marker]) -> FloatArray | None:
    """Corners of the plate, (4, 2) pixels, whose marker alone is not seen; else None."""
    markers = by_corner(found)
    if len(markers) != 3:
        return None
    try:
        _check_glued(found, markers)
    except RefusedError:
        return None
    ((missing, place),) = expected_place_of_missing(markers).items()
    beside = [_axes(markers[(missing + by) % 4]) for by in (1, 3)]
    right, down = (
        np.mean(beside, axis=0) * (printed.PLATE_MM + 2 * _PLATE_MARGIN_MM) / printed.MARKER_MM / 2
    )
    steps = np.array(((-1, -1), (1, -1), (1, 1), (-1, 1)))
    return np.asarray(place + steps @ np.stack((right, down)), np.float64)


_CORNER_STEPS = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
"""Where each marker sits, in spans across and down from the top left one."""


def _out_of_view(corner: int, markers: Mapping[int, Marker], size: tuple[int, int]) -> bool:
    """True if a missing marker must lie at least partly outside the picture."""
    guesses = _guess_places(corner, markers)
    half = (
        max(marker.side for marker in markers.values()) * printed.PLATE_MM / printed.MARKER_MM / 2
    )
    width, height = size
    beyond = [
        x < half or y < half or x > width - 1 - half or y > height - 1 - half for x, y in guesses
    ]
    return all(beyond)


def _guess_places(corner: int, markers: Mapping[int, Marker]) -> list[tuple[float, float]]:
    """Where a missing marker may be: nearly exact from three others, else as on usual trays."""
    middles = {k: marker.corners.mean(axis=0) for k, marker in markers.items()}
    before, after, across = (corner - 1) % 4, (corner + 1) % 4, (corner + 2) % 4
    if all(k in middles for k in (before, after, across)):
        # Of a plane in perspective, depths and places times depths are linear; areas of equal
        # squares go with the third power of their depths.
        near = markers[before], markers[after], markers[across]
        depths = [cv2.contourArea(marker.corners.astype(np.float32)) ** (-1 / 3) for marker in near]
        deep = np.array((1.0, 1.0, -1.0)) * depths
        place = deep @ np.array([middles[marker.corner] for marker in near]) / deep.sum()
        return [(float(place[0]), float(place[1]))]
    places: list[tuple[float, float]] = []
    for k, marker in markers.items():
        right, down = _axes(marker)
        steps = np.subtract(_CORNER_STEPS[corner], _CORNER_STEPS[k])
        step = np.multiply(steps, _marker_spans_mm(markers)) / printed.MARKER_MM
        place = middles[k] + right * step[0] + down * step[1]
        places.append((float(place[0]), float(place[1])))
    return places


def _marker_spans_mm(markers: Mapping[int, Marker]) -> tuple[float, float]:
    """Distances between the markers across and down, millimetres: measured, or the usual ones."""
    spans: list[float | None] = [None, None]
    for a, b, axis in ((0, 1, 0), (3, 2, 0), (0, 3, 1), (1, 2, 1), (0, 2, 2), (1, 3, 2)):
        if a not in markers or b not in markers:
            continue
        first, second = markers[a], markers[b]
        way = second.corners.mean(axis=0) - first.corners.mean(axis=0)
        right, down = _axes(first) + _axes(second)
        mm = printed.MARKER_MM / ((first.side + second.side) / 2)
        if axis in (0, 2):
            spans[0] = abs(float(way @ right / np.linalg.norm(right))) * mm
        if axis in (1, 2):
            spans[1] = abs(float(way @ down / np.linalg.norm(down))) * mm
    across, below = spans
    if across is not None and below is not None:
        return across, below
    if across is not None:
        return across, across / _USUAL_WIDTH_TO_DEPTH
    if below is not None:
        return below * _USUAL_WIDTH_TO_DEPTH, below
    return _USUAL_MARKER_SPANS_MM
