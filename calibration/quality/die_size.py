"""How large the dice are, from one picture of them lying apart.

On the sides of a die that face away from the camera its silhouette is the edge of its top: seen
from above the middle of the tray, no side face is visible beyond it. There, along lines outwards
from the middle, body gives way to floor; the floor is known from the empty tray.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.frame import Image
from vision.geometry.axes import axes_of, top_edge
from vision.geometry.profile import Profile
from vision.image.arrays import FloatArray
from vision.learning import die_colours
from vision.reading import DieReading

MIN_DIE_EDGE_MM = 10.0
MAX_DIE_EDGE_MM = 25.0
_MAX_PIP_OFFSET = 0.4  # edges from the middle within which there may be pips
_LINE_OFFSETS = (-0.2, -0.1, 0.0, 0.1, 0.2)  # from the middle, edges
_MIN_AWAY_COSINE = 0.5  # between a side's normal and the direction away from the camera
_MIN_SIDES = 2
_SIDE_UNCERTAINTY_MM = 0.6  # of one side; only what exceeds it changes the size believed
# The reader's outlines start from the size it was given, but follow what it sees: by the first
# share of the difference, from the second share of the edge for rounded dice of the given size.
_OUTLINES_FOLLOW = 0.7
_OUTLINED_SHARE = 0.945
_WEIGHT_OF_OUTLINES = 0.3  # errs least: 8 of 160 rendered sets, sides alone 24
_STEP_MM = 0.1
_FLOOR_STEPS = 15  # steps beyond a die that must be floor
_MAX_FLOOR_DIFFERENCE = 15.0
_SHADE_RANGE = (0.35, 1.2)  # share of its light that the floor beside a die may get
_MIN_BODY_CONTRAST = 30.0  # a body nearer to the floor in some shade may be its shadow
_ROUNDING_MM = 1.6  # radius of the edges of usual dice; a line of sight grazes it before it leaves
USUAL_DIE_EDGES_MM = (12.0, 14.0, 16.0, 18.0, 20.0, 22.0, 25.0)
"""Sizes that dice are made in."""
_MAX_OFF_USUAL_MM = 1.0  # a measurement nearer than this to a usual size is taken to be that size
_SHADOW_LOSS_MM = 0.4  # rendered dice come out this much too small: round edges look like shadow


def die_edge(image: Image, profile: Profile, dice: Sequence[DieReading]) -> float | None:
    """Edge of the dice in millimetres: a usual size if one is near; None where that is unclear.

    A side is off by a millimetre because the middle of a die is; so the outlines that were read
    count as well, and the size in the profile is kept unless enough speaks against it.

    Args:
        image: the dice lying apart.
        profile: with the empty tray.
        dice: what was read in the picture.
    """
    if profile.empty is None:
        return None
    dice = [die for die in dice if die.mm and not die.aside and len(die.outline) == 4]
    sides = [side for die in dice for side in _half_edges(image, profile, die)]
    if len(sides) < _MIN_SIDES:
        return None
    edge = 2 * float(np.median(sides)) + _SHADOW_LOSS_MM
    edge += _WEIGHT_OF_OUTLINES * (_edge_by_outlines(profile, dice) - edge)
    if not MIN_DIE_EDGE_MM <= edge <= MAX_DIE_EDGE_MM:
        return None
    believed, doubt = profile.die_edge_mm, _SIDE_UNCERTAINTY_MM / float(np.sqrt(len(sides)))
    edge = believed + float(np.sign(edge - believed)) * max(0.0, abs(edge - believed) - doubt)
    usual = min(USUAL_DIE_EDGES_MM, key=lambda size: abs(size - edge))
    return usual if abs(usual - edge) < _MAX_OFF_USUAL_MM else round(edge, 1)


def _edge_by_outlines(profile: Profile, dice: Sequence[DieReading]) -> float:
    """Edge of the dice from their outlines, millimetres."""
    shares = [top_edge(axes_of(die.outline)) / profile.edge_pixels(die.center) for die in dice]
    return profile.die_edge_mm * (
        1 + (float(np.median(shares)) - _OUTLINED_SHARE) / _OUTLINES_FOLLOW
    )


def _half_edges(image: Image, profile: Profile, die: DieReading) -> list[float]:
    """Half an edge as each side gives it, millimetres."""
    assert profile.empty is not None and die.mm is not None
    outline = np.asarray(die.outline, np.float64)
    height = profile.die_edge_mm
    eye = -profile.rotation.T @ profile.translation
    middle = np.array(die.mm)
    corners = profile.to_mm(outline, height)
    colours = die_colours(image, die)
    away = middle - eye[:2]
    distance = float(np.hypot(*away))
    slope = np.arctan2(distance, -float(eye[2]) - height)
    lost = _ROUNDING_MM * float(1 + np.tan(slope) - 1 / np.cos(slope))
    # Directly below the camera no side face is visible.
    found = []
    for k in range(4):
        side = corners[(k + 1) % 4] - corners[k]
        length = float(np.hypot(*side))
        along = side / max(length, 1e-6)
        normal = np.array((along[1], -along[0]))
        if distance > 15 and float(normal @ away) < _MIN_AWAY_COSINE * distance:
            continue
        starts = [middle + along * (beside * length) for beside in _LINE_OFFSETS]
        crossings = [
            _distance_to_floor(image, profile.empty, profile, s, normal, colours, length)
            for s in starts
        ]
        halves = [half for half in crossings if half is not None]
        if len(halves) > len(crossings) // 2:
            found.append(float(np.median(halves)) + lost)
    return found


def _distance_to_floor(
    image: Image,
    empty: Image,
    profile: Profile,
    start: FloatArray,
    normal: FloatArray,
    colours: tuple[FloatArray, FloatArray],
    length: float,
) -> float | None:
    """Where body gives way to floor along a line outwards, millimetres from its start."""
    steps = np.arange(0.3 * length, 0.85 * length, _STEP_MM)
    places = start + steps[:, None] * normal
    tops = np.column_stack([places, np.full(len(places), -profile.die_edge_mm)])
    at = profile.to_pixels(tops).astype(np.float32)
    here, floor = (
        np.asarray(cv2.remap(picture, at[None, :, 0], at[None, :, 1], cv2.INTER_LINEAR)[0], float)
        for picture in (image, empty)
    )
    # A shadow darkens the floor, so it may be anything between dark and the empty tray.
    share = np.clip((here * floor).sum(1) / np.maximum((floor * floor).sum(1), 1.0), *_SHADE_RANGE)
    to_floor = np.linalg.norm(here - share[:, None] * floor, axis=1)
    body, pip = colours
    to_body = np.linalg.norm(here - body, axis=1)
    to_pip = np.where(steps < _MAX_PIP_OFFSET * length, np.linalg.norm(here - pip, axis=1), np.inf)
    like = np.clip((body * floor).sum(1) / np.maximum((floor * floor).sum(1), 1.0), *_SHADE_RANGE)
    apart = np.linalg.norm(body - like[:, None] * floor, axis=1)
    outside = (to_floor < np.minimum(to_body, to_pip)).astype(int)
    if (
        apart.min() < _MIN_BODY_CONTRAST
        or outside[0]
        or not outside[-1]
        or np.abs(np.diff(outside)).sum() != 1
    ):
        return None
    first = int(outside.argmax())
    # A top that shines is lighter than its own rim, which then passes for shadow.
    if np.median(to_floor[first + 2 : first + 2 + _FLOOR_STEPS]) > _MAX_FLOOR_DIFFERENCE:
        return None
    return float(steps[first] - _STEP_MM / 2)
