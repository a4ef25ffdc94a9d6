"""How large dice are for their distance, by their silhouettes.

The outline of a top depends on how much a make of dice is rounded; how wide the whole die looks
hardly does. Each side of a die that lies flat is sought on profiles across the line along which
rays touch a rounded cube. How far two opposite sides lie apart does not depend on where exactly the
die lies. Of the several edges on a profile (shadows, the rounding, reflections) those count on
which most sides of all dice agree, and rather the outer ones: what lies farther in is the rounding.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.frame import Image
from vision.geometry.camera import PinholeCamera
from vision.image.arrays import FloatArray
from vision.image.warping import sampled
from vision.reading import DieReading

USUAL_ROUNDING = 0.105
"""Radius of a die's edges, of the edge."""
_ROUNDINGS = np.linspace(0.05, 0.18, 14)
_ROUNDING_SPREAD = 0.025
_EDGES = np.exp(np.linspace(-0.10, 0.10, 201))  # of the edge that outlines show
_OUTLINE_SPREAD = 0.035  # of an edge by outlines, in logarithms
_SPREAD = 0.012  # of a width that is found, of the edge
_NARROWER = 0.0035
"""Of the edge, by which dice look narrower than they are, in 48 rendered set-ups of
`tests/rigs/unknown_rims.py`; with this the edge was off by 0.9 % (one spread), 2.4 % at most."""
_MISSED = 0.15  # how likely neither edge of a width is that of the die
_MIN_DICE = 3
_REACH = 0.11  # of the edge, to both sides of where a side is expected
_STEP = 0.005  # of the edge
_SHARE = 0.56  # of a side, in whose middle profiles lie
_PROFILES = 25
_SMOOTHED = 0.016  # of the edge
_MIN_RISE = 0.25  # of the sharpest edge on a profile
_ROUNDS_OF_TURNING = 2


@dataclass(frozen=True, slots=True)
class Width:
    """How far two opposite sides of a die lie apart, for what is expected.

    Attributes:
        more: by how much more they may, each a share of the edge that was assumed; one of them is
            right, or none.
        weights: how likely each is, 0 to 1.
        by_edge: how much of it is due to a larger edge, for each share of it.
        by_rounding: likewise for each share of the edge that the radius is larger.
    """

    more: FloatArray
    weights: FloatArray
    by_edge: float
    by_rounding: float


@dataclass(frozen=True, slots=True)
class Silhouettes:
    """The widths of dice in one picture or more.

    Attributes:
        edge: that was assumed, millimetres.
        widths: two for each die.
    """

    edge: float
    widths: tuple[Width, ...]

    def best_edge(self) -> tuple[float, float] | None:
        """The edge that widths agree on and how far it may be off, in logarithms, one spread.

        None where too few agree.
        """
        if len(self.widths) < 2 * _MIN_DICE:
            return None
        grown = np.log(_EDGES)[:, None] * np.ones(len(_ROUNDINGS))
        rounded = (_ROUNDINGS - USUAL_ROUNDING)[None, :] * np.ones((len(_EDGES), 1))
        score = -0.5 * (grown / _OUTLINE_SPREAD) ** 2 - 0.5 * (rounded / _ROUNDING_SPREAD) ** 2
        for width in self.widths:
            expected = width.by_edge * (np.exp(grown) - 1) + width.by_rounding * rounded
            off = width.more[:, None, None] - expected
            # Student's t with three degrees of freedom: some are off by far more than most.
            agree = width.weights[:, None, None] / (1 + (off / _SPREAD) ** 2 / 3) ** 2
            score += np.log(_MISSED + agree.max(axis=0))
        best = np.unravel_index(int(np.argmax(score)), score.shape)
        weights = np.exp(score - score[best])
        weights /= weights.sum()
        mean = float((weights * grown).sum())
        spread = float(np.sqrt((weights * (grown - mean) ** 2).sum()))
        return self.edge * float(np.exp(mean + _NARROWER)), spread


def silhouettes_of(
    image: Image, camera: PinholeCamera, dice: Sequence[DieReading], edge: float
) -> Silhouettes:
    """The widths of dice that lie flat.

    Args:
        image: the picture.
        camera: over the floor.
        dice: as they were read.
        edge: of the dice by their outlines, millimetres.
    """
    widths: list[Width] = []
    for die in dice:
        corners = camera.to_plane(np.array(die.outline, np.float64), edge)
        along = (corners[1] - corners[0]) + (corners[2] - corners[3])
        place, yaw = corners.mean(axis=0), float(np.arctan2(along[1], along[0]))
        for _ in range(_ROUNDS_OF_TURNING):
            yaw += _turn_of(image, camera, place, yaw, edge)
        sides = [_profiles(image, camera, place, yaw + k * np.pi / 2, edge) for k in range(4)]
        for k in (0, 1):
            found = [_edges_of(profile.mean(axis=1)) for profile in (sides[k], sides[k + 2])]
            if all(len(places) for places, _ in found):
                (first, likely), (second, as_likely) = found
                more = (first[:, None] + second[None, :]).ravel()
                weights = (likely[:, None] * as_likely[None, :]).ravel()
                one, by_edge, by_rounding = (
                    sum(_hit(camera, place, yaw + m * np.pi / 2, e, r)[0] for m in (k, k + 2))
                    for e, r in (
                        (edge, USUAL_ROUNDING),
                        (edge * 1.01, USUAL_ROUNDING),
                        (edge, USUAL_ROUNDING + 0.01),
                    )
                )
                slopes = ((by - one) / edge / 0.01 for by in (by_edge, by_rounding))
                widths.append(Width(more, weights, *slopes))
    return Silhouettes(edge, tuple(widths))


def _hit(
    camera: PinholeCamera, place: FloatArray, way: float, edge: float, rounding: float
) -> tuple[float, float]:
    """Where rays that touch one side of a die meet the floor, from its middle, and a height of it.

    In the plane across that side. Both millimetres; the height is about where they touch.
    """
    eye = camera.position
    outwards = np.array((np.cos(way), np.sin(way)))
    beside, above = float((eye[:2] - place) @ outwards), float(-eye[2])
    radius = rounding * edge
    inner = edge / 2 - radius
    touching = max(
        np.arctan2(x - beside, above - high)
        + np.arcsin(min(1.0, radius / np.hypot(x - beside, above - high)))
        for x in (-inner, inner)
        for high in (radius, edge - radius)
    )
    high = edge - radius if beside < -inner else radius if beside > inner else edge / 2
    return float(beside + np.tan(touching) * above), float(high)


def _profiles(
    image: Image, camera: PinholeCamera, place: FloatArray, way: float, edge: float
) -> FloatArray:
    """The picture across a side, (steps outwards, profiles, 3), about where it is expected."""
    reach, high = _hit(camera, place, way, edge, USUAL_ROUNDING)
    eye = camera.position
    outwards = np.array((np.cos(way), np.sin(way)))
    aside = np.array((-outwards[1], outwards[0]))
    count = round(_REACH / _STEP)
    out = reach + np.arange(-count, count + 1) * _STEP * edge
    beside = np.linspace(-0.5, 0.5, _PROFILES) * _SHARE * edge
    floor = place + out[:, None, None] * outwards + beside[None, :, None] * aside
    # Farther along the same rays, as a side ends at its own height.
    lifted = place + beside[None, :, None] * aside
    share = high / float(-eye[2])
    along = (1 - share) * (place + out[:, None, None] * outwards) + share * eye[:2]
    across = ((lifted - place) @ aside)[..., None] * aside
    flat = (along - place) @ outwards
    points = place + flat[..., None] * outwards + across
    world = np.column_stack([points.reshape(-1, 2), np.full(points.shape[0] * _PROFILES, -high)])
    pixels = camera.to_pixels(world).reshape(*floor.shape[:2], 2)
    seen = sampled(image, pixels, cubic=True)
    return np.asarray(seen, np.float64).reshape(len(out), _PROFILES, -1)


def _rises(profile: FloatArray) -> FloatArray:
    """How steeply a profile, (n, 3), changes at each step."""
    size = round(6 * _SMOOTHED / _STEP) | 1
    kernel = cv2.getGaussianKernel(size, _SMOOTHED / _STEP).ravel()
    slopes = np.gradient(profile, axis=0)
    smooth = [np.convolve(slope, kernel, "same") for slope in slopes.T]
    rises = np.sqrt(np.square(smooth).sum(axis=0))
    rises[:3] = rises[-3:] = 0.0
    return np.asarray(rises, np.float64)


def _edges_of(profile: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Where a profile changes steeply, from its middle outwards, and how likely the die ends there.

    Both (m,); places are shares of the edge. Nothing sharp lies farther out than a die's end.
    """
    rises = _rises(profile)
    before, here, after = rises[:-2], rises[1:-1], rises[2:]
    at = np.flatnonzero((here >= before) & (here > after) & (here > _MIN_RISE * rises.max()))
    bend = before[at] - 2 * here[at] + after[at]
    shift = 0.5 * (before[at] - after[at]) / bend
    places = np.asarray((at + 1 + shift - len(profile) // 2) * _STEP, np.float64)
    farther_out = [here[at[k + 1 :]].max(initial=0.0) for k in range(len(at))]
    return places, np.asarray(1 - np.array(farther_out) / rises.max(initial=1e-9), np.float64)


def _turn_of(
    image: Image, camera: PinholeCamera, place: FloatArray, yaw: float, edge: float
) -> float:
    """By how much a die is turned further than it was taken for, radians."""
    turns = []
    half = _PROFILES // 2
    for k in range(4):
        sides = _profiles(image, camera, place, yaw + k * np.pi / 2, edge)
        ends = [_rises(part.mean(axis=1)) for part in (sides[:, :half], sides[:, -half:])]
        places = [int(np.argmax(end)) for end in ends]
        turns.append(-(places[1] - places[0]) * _STEP / (_SHARE / 2))
    middle = float(np.median(turns))
    return middle if abs(middle) < 0.12 else 0.0
