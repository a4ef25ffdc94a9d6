"""A hand and its arm, seen from above.

The hand is a relief: a height map on a grid of 1 mm, built once for each grip from tapered rods
blended into one another. A relief is enough for a camera straight above, and takes only a few
milliseconds to draw and to cast its shadow.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

import cv2
import numpy as np

from simulator.render.pinhole import Vector
from simulator.render.texture import Border, sample_picture
from vision.image.arrays import Floats

_BEHIND_PALM_MM = 520
_BEFORE_PALM_MM = 130
_TO_EACH_SIDE_MM = 90
"""Extent of the relief."""

_WIDEST_AT_MM = 22.0
"""Height of the hand's widest outline above its underside, millimetres."""


class Grip(StrEnum):
    """The posture of the fingers."""

    OPEN = "open"
    CUPPED = "cupped"
    PINCH = "pinch"


@dataclass(frozen=True, slots=True)
class HandPose:
    """A hand over the tray.

    Attributes:
        place: of the knuckles, millimetres on the tray.
        yaw: where the fingers point: 0 is right, clockwise in the picture, radians.
        height: of its underside above the floor, millimetres.
        grip: what the fingers do.
        left: whether it is a left hand.
        skin: linear blue green red.
        sleeve: linear blue green red.
        size: 1 is an adult's hand.
    """

    place: tuple[float, float]
    yaw: float
    height: float = 25.0
    grip: Grip = Grip.CUPPED
    left: bool = False
    skin: Vector = (0.18, 0.27, 0.50)
    sleeve: Vector = (0.10, 0.06, 0.05)
    size: float = 1.0


Rod = tuple[float, float, float, float, float, float, float, float]
"""From x, y, z with radius r to x, y, z with radius r, millimetres."""


def _finger_rods(
    x: float, y: float, spread: float, lengths: Vector, drops: Vector, thick: float
) -> list[Rod]:
    rods: list[Rod] = []
    z, r = 22.0, thick
    for length, drop in zip(lengths, drops, strict=True):
        ahead = float(np.sqrt(max(length**2 - drop**2, 0.0))) if drop < 900 else -length * 0.3
        fall = min(drop, length)
        nx = x + ahead * float(np.cos(spread))
        ny = y + ahead * float(np.sin(spread))
        rods.append((x, y, z, r, nx, ny, z - fall, r * 0.9))
        x, y, z, r = nx, ny, z - fall, r * 0.9
    return rods


def hand_rods(grip: Grip) -> list[Rod]:
    """The hand's rods; fingers towards +x, thumb towards +y."""
    rods: list[Rod] = []
    knuckles = ((-4.0, -31.0), (3.0, -10.5), (3.0, 11.0), (-2.0, 31.0))
    lengths = ((32.0, 19.0, 15.0), (40.0, 25.0, 18.0), (44.0, 28.0, 19.0), (40.0, 24.0, 18.0))
    thick = (8.6, 9.8, 10.2, 9.9)
    for k, (kx, ky) in enumerate(knuckles):
        rods.append((-72.0, ky * 0.55, 24.0, 17.0, kx, ky, 22.0, thick[k] + 2.5))
        if grip is Grip.OPEN:
            spread, drops = (k - 1.5) * 0.13, (5.0, 6.0, 5.0)
        elif grip is Grip.CUPPED:
            spread, drops = (k - 1.5) * 0.05, (12.0, 22.0, 17.0)
        else:
            spread, drops = -(k - 1.9) * 0.24, (14.0, 16.0, 14.0)
        rods += _finger_rods(kx, ky, spread, lengths[k], drops, thick[k])
    rods.append((-66.0, 22.0, 22.0, 19.0, -38.0, 41.0, 17.0, 14.5))
    if grip is Grip.OPEN:
        rods += [
            (-38.0, 41.0, 17.0, 13.0, -8.0, 62.0, 14.0, 10.5),
            (-8.0, 62.0, 14.0, 10.5, 16.0, 70.0, 12.0, 8.5),
        ]
    else:
        end = (34.0, 28.0) if grip is Grip.CUPPED else (58.0, 14.0)
        rods += [
            (-38.0, 41.0, 17.0, 13.0, -4.0, 50.0, 12.0, 11.0),
            (-4.0, 50.0, 12.0, 11.0, end[0], end[1], 5.0, 8.5),
        ]
    rods.append((-78.0, 0.0, 24.0, 25.0, -150.0, 0.0, 28.0, 28.0))
    rods.append((-150.0, 0.0, 28.0, 28.0, -_BEHIND_PALM_MM - 40.0, 0.0, 40.0, 44.0))
    return rods


def _relief_window(
    ax: float, ay: float, bx: float, by: float, margin: float
) -> tuple[slice, slice]:
    """Rows and columns of the relief within a margin of a rod."""
    rows = (
        round(min(ay, by) - margin) + _TO_EACH_SIDE_MM,
        round(max(ay, by) + margin) + _TO_EACH_SIDE_MM,
    )
    columns = (
        round(min(ax, bx) - margin) + _BEHIND_PALM_MM,
        round(max(ax, bx) + margin) + _BEHIND_PALM_MM,
    )
    return slice(max(0, rows[0]), max(0, rows[1])), slice(max(0, columns[0]), max(0, columns[1]))


@lru_cache(maxsize=8)
def hand_relief(grip: Grip) -> tuple[Floats, Floats]:
    """A hand as two maps on a grid of 1 mm, each (rows, columns, 4).

    There are twice `_TO_EACH_SIDE_MM` rows and `_BEHIND_PALM_MM` + `_BEFORE_PALM_MM` columns.

    Returns:
        coverage, height, and the slope of the height along x and y; and factors on the skin's
        colour (3), and the share of sleeve.
    """
    x, y = np.meshgrid(
        np.arange(-_BEHIND_PALM_MM, _BEFORE_PALM_MM, dtype=np.float32),
        np.arange(-_TO_EACH_SIDE_MM, _TO_EACH_SIDE_MM, dtype=np.float32),
    )
    blend, bottom = 2.2, -20.0
    total = np.full_like(x, np.exp(bottom / blend))
    inside = np.full_like(x, -1e3)
    joints: list[tuple[float, float, float]] = []
    tips: list[tuple[float, float, float]] = []
    rods = hand_rods(grip)
    for k, (ax, ay, az, ar, bx, by, bz, br) in enumerate(rods):
        dx, dy = bx - ax, by - ay
        near = _relief_window(ax, ay, bx, by, max(ar, br) + 16.0)
        from_x, from_y = x[near] - np.float32(ax), y[near] - np.float32(ay)
        s = np.clip((from_x * dx + from_y * dy) / max(dx * dx + dy * dy, 1e-6), 0.0, 1.0)
        radius = ar + (br - ar) * s
        away = np.hypot(from_x - dx * s, from_y - dy * s)
        bulge = np.sqrt(np.clip(radius**2 - away**2, 0.0, None))
        height = az + (bz - az) * s + bulge - 6.0 * np.clip(away - radius, 0.0, None)
        total[near] += np.exp(np.clip(height, bottom, 60.0) / blend)
        inside[near] = np.maximum(inside[near], radius - away)
        if k < 16:
            (tips if k % 4 == 3 else joints).append((bx, by, br))
    height = blend * np.log(total)
    rng = np.random.default_rng(7)
    skin_noise = cv2.GaussianBlur(rng.standard_normal(x.shape, dtype=np.float32), (0, 0), 1.2)
    mottle = cv2.GaussianBlur(rng.standard_normal(x.shape, dtype=np.float32), (0, 0), 9.0) * 9
    cover = np.clip(inside + 0.5, 0.0, 1.0)
    # Less light gets in between the fingers: compare with the blurred height.
    filled = np.where(cover > 0.1, height, 0.0).astype(np.float32)
    cavity = np.clip((cv2.GaussianBlur(filled, (0, 0), 6.0) - filled) / 18.0, 0.0, 0.6)
    tint = np.ones((*x.shape, 4), np.float32)
    tint[..., :3] *= (1 + 0.03 * mottle + 0.06 * skin_noise)[..., None]
    for jx, jy, jr in joints:
        close = np.exp(-((x - jx) ** 2 + (y - jy) ** 2) / (2 * (jr * 0.7) ** 2))
        tint[..., :2] *= 1 - 0.14 * close[..., None]
        line = np.exp(-(((x - jx) / 1.1) ** 2)) * (np.abs(y - jy) < jr * 0.8)
        tint[..., :3] *= 1 - 0.10 * line[..., None]
    for tx, ty, tr in tips:
        nail = ((x - tx - 1.0) / (tr * 0.75)) ** 2 + ((y - ty) / (tr * 0.62)) ** 2
        soft = np.clip((1.0 - nail) * 4, 0, 1)[..., None]
        tint[..., :3] = tint[..., :3] * (1 - soft) + soft * np.array((1.35, 1.2, 1.08))
    tint[..., :3] *= (1 - cavity)[..., None]
    sleeve = np.clip((-168.0 - x + 2.5 * np.sin(y / 9.0)) / 2.0, 0.0, 1.0)
    height = height + sleeve * 4.0 + sleeve * 0.8 * np.sin(x / 7.0 + np.sin(y / 12.0))
    tint[..., 3] = sleeve
    smooth = cv2.GaussianBlur(height.astype(np.float32), (0, 0), 0.8)
    slope_x = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=1 / 8)
    slope_y = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=1 / 8)
    # The height continues beyond the outline, so that oblique rays find the edge.
    weight = np.where(cover > 0.1, 1.0, 0.0).astype(np.float32)
    spread = cv2.GaussianBlur(filled, (0, 0), 8.0) / (cv2.GaussianBlur(weight, (0, 0), 8.0) + 1e-4)
    reached = np.where(cover > 0.1, smooth, spread)
    weight = np.clip((inside + 14.0) / 10.0, 0.0, 1.0)
    reached = reached * weight + _WIDEST_AT_MM * (1 - weight)
    maps = np.stack([cover, reached, slope_x, slope_y], axis=-1)
    return np.ascontiguousarray(maps, np.float32), tint


def _soft_cover(grip: Grip, blur: int) -> Floats:
    """The coverage, blurred by about `blur` millimetres."""
    return _blurred_cover(grip, blur if blur < 4 else blur // 4 * 4)


@lru_cache(maxsize=64)
def _blurred_cover(grip: Grip, blur: int) -> Floats:
    cover = np.ascontiguousarray(hand_relief(grip)[0][..., 0])
    if blur == 0:
        return cover
    # The arm continues beyond the end of the relief: blurring must not fade it there.
    return np.asarray(
        cv2.GaussianBlur(cover, (0, 0), float(blur), borderType=cv2.BORDER_REPLICATE), np.float32
    )


def _to_relief(pose: HandPose, x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Columns and rows in the relief of places on the tray, for `cv2.remap`."""
    c, s = np.cos(pose.yaw) / pose.size, np.sin(pose.yaw) / pose.size
    dx, dy = x - pose.place[0], y - pose.place[1]
    u, v = c * dx + s * dy, -s * dx + c * dy
    if pose.left:
        v = -v
    u = np.clip(u, -_BEHIND_PALM_MM, None) + _BEHIND_PALM_MM
    return np.ascontiguousarray(u, np.float32), np.ascontiguousarray(
        v + _TO_EACH_SIDE_MM, np.float32
    )


def _sample_relief(picture: Floats, u: Floats, v: Floats) -> Floats:
    """Samples one of the relief's maps at columns and rows of any shape; zero beyond its edges."""
    found = sample_picture(picture, u.ravel(), v.ravel(), Border.NOTHING)
    return found.reshape(*u.shape, -1) if picture.ndim == 3 else found.reshape(u.shape)


def lamp_blocked_by_hand(pose: HandPose, points: Floats, lamp: Vector, spread: float) -> Floats:
    """How much of a light the hand blocks at points, 0 to 1.

    Args:
        pose: the hand.
        points: (rows, columns, 3).
        lamp: the centre of the light.
        spread: radius of the light over its distance, which softens the shadow's edge.
    """
    top = -(pose.height + _WIDEST_AT_MM * pose.size)
    z = points[..., 2]
    rise = np.clip((top - z) / (lamp[2] - z), 0.0, None)
    x = points[..., 0] + (lamp[0] - points[..., 0]) * rise
    y = points[..., 1] + (lamp[1] - points[..., 1]) * rise
    u, v = _to_relief(pose, x, y)
    blur = round(0.5 * spread * (pose.height + _WIDEST_AT_MM) / pose.size)
    shade = _sample_relief(_soft_cover(pose.grip, min(blur, 40)), u, v)
    return np.where(z > top, shade, 0.0).astype(np.float32)


def ambient_blocked_by_hand(pose: HandPose, points: Floats) -> Floats:
    """How much of the ambient light the hand blocks at points (rows, columns, 3), 0 to 1."""
    u, v = _to_relief(pose, points[..., 0], points[..., 1])
    blur = max(2, round(0.8 * pose.height))
    strength = 0.75 / (1 + pose.height / 60.0)
    return np.asarray(
        strength * _sample_relief(_soft_cover(pose.grip, min(blur, 60)), u, v), np.float32
    )


def hand_coverage(pose: HandPose, origin: Floats, rays: Floats, blur: int = 0) -> Floats:
    """Coverage (0 to 1) of rays (rows, columns, 3) from a point by the hand's blurred outline."""
    u, v, _ = _intersect_relief(pose, origin, rays)
    return _sample_relief(_soft_cover(pose.grip, blur), u, v)


def _intersect_relief(
    pose: HandPose, origin: Floats, rays: Floats
) -> tuple[Floats, Floats, Floats]:
    """Where rays meet the relief: its column, row, and the distance along the ray."""
    maps, _ = hand_relief(pose.grip)
    dz = np.maximum(rays[..., 2], 1e-3)
    height = np.full(rays.shape[:2], _WIDEST_AT_MM, np.float32)
    for _ in range(2):
        reach = (-(pose.height + height * pose.size) - origin[2]) / dz
        u, v = _to_relief(pose, origin[0] + rays[..., 0] * reach, origin[1] + rays[..., 1] * reach)
        found = _sample_relief(maps, u, v)
        height = found[..., 1]
    return u, v, np.asarray(reach, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class HandSeen:
    """The hand as rays see it: coverage, points, normals and colours, (rows, columns, …)."""

    cover: Floats
    points: Floats
    normals: Floats
    colours: Floats


def see_hand(pose: HandPose, origin: Floats, rays: Floats) -> HandSeen:
    """The hand as rays (rows, columns, 3) from the camera see it."""
    u, v, reach = _intersect_relief(pose, origin, rays)
    maps, tint = (_sample_relief(picture, u, v) for picture in hand_relief(pose.grip))
    slope_u, slope_v = maps[..., 2], maps[..., 3] * (-1.0 if pose.left else 1.0)
    c, s = np.cos(pose.yaw), np.sin(pose.yaw)
    normals = np.stack(
        [-(c * slope_u - s * slope_v), -(s * slope_u + c * slope_v), -np.ones_like(slope_u)], -1
    )
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    sleeve = tint[..., 3:]
    colours = np.array(pose.skin, np.float32) * tint[..., :3] * (1 - sleeve)
    colours = colours + np.array(pose.sleeve, np.float32) * sleeve
    points = origin + rays * reach[..., None]
    return HandSeen(maps[..., 0], points.astype(np.float32), normals.astype(np.float32), colours)
