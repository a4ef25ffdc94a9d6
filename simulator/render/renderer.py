"""Draws scenes: the cached background, then shadows, dice, card and hand in small patches."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np

from simulator.render.background import EmptyScene, empty_scene
from simulator.render.dice_model import DieBody
from simulator.render.die_cast import cast_rays, cube_corners, printed_surface
from simulator.render.hand import HandPose, hand_coverage, see_hand
from simulator.render.light import (
    ambient_light,
    fresnel_reflectance,
    glare_radiance,
    irradiance,
    mirror_rays,
)
from simulator.render.pinhole import Box, CameraModel, pixel_box, ray_directions
from simulator.render.scene import (
    LIVE_QUALITY,
    STILL_QUALITY,
    Quality,
    Scene,
    pixels_per_mm,
)
from simulator.render.sensor import Sensor, develop
from simulator.render.shading import shade_die
from simulator.render.shadows import cast_shadows, poses_differ, union_box
from vision.frame import Image
from vision.image.arrays import Floats

__all__ = [
    "LIVE_QUALITY",
    "STILL_QUALITY",
    "Quality",
    "draw_die",
    "draw_hand",
    "render",
    "render_linear",
]


def render(
    scene: Scene,
    size: tuple[int, int] | None = None,
    rng: np.random.Generator | None = None,
    quality: Quality = STILL_QUALITY,
) -> Image:
    """Makes the picture that the scene's camera takes.

    Args:
        scene: what to draw.
        size: width and height of the picture; the camera's own by default.
        rng: draws the sensor's noise; by default always the same.
        quality: how carefully it is drawn.
    """
    sized = scene.with_size(size) if size else scene
    light = (_render_linear_cached if quality.fast else render_linear)(
        replace(sized, sensor=Sensor()), quality
    )
    chance = rng if rng is not None else np.random.default_rng(0)
    return develop(light, sized.sensor, chance, pixels_per_mm(sized), quality.fast)


@lru_cache(maxsize=2)
def _render_linear_cached(scene: Scene, quality: Quality) -> Floats:
    """`render_linear`, cached: while nothing moves only the noise changes."""
    return render_linear(scene, quality)


def render_linear(scene: Scene, quality: Quality = STILL_QUALITY) -> Floats:
    """The light that falls on the sensor: (height, width, 3), linear, before lens and noise."""
    empty = empty_scene(
        scene.camera, scene.tray, scene.lighting, quality.background_rays, scene.prints
    )
    picture = empty.whole.copy()
    cast_shadows(picture, scene, empty, quality)
    moments = scene.moments()
    eye = scene.camera.position
    order = sorted(
        range(len(scene.dice)),
        key=lambda k: -float(np.linalg.norm(np.array(scene.dice[k].position) - eye)),
    )
    for k in order:
        poses = [moment.dice[k] for moment in moments]
        draw_die(picture, scene, empty, k, poses if poses_differ(poses) else poses[:1], quality)
    if scene.card is not None:
        scene.card.draw(picture, scene)
    hands = [moment.hand for moment in moments if moment.hand is not None]
    if hands:
        draw_hand(picture, scene, hands)
    return picture


def _fine_rays(camera: CameraModel, box: Box, oversample: int) -> Floats:
    """Rays of a part of the picture, `oversample` per pixel and axis, (rows, columns, 3)."""
    top, bottom, left, right = box
    width, height = camera.size
    rays = ray_directions(camera)
    t, b, a, z = max(0, top - 1), min(height, bottom + 1), max(0, left - 1), min(width, right + 1)
    part: Floats = np.asarray(
        cv2.resize(
            rays[t:b, a:z], None, fx=oversample, fy=oversample, interpolation=cv2.INTER_LINEAR
        ),
        np.float32,
    )
    y, x = (top - t) * oversample, (left - a) * oversample
    return part[y : y + (bottom - top) * oversample, x : x + (right - left) * oversample]


def draw_die(
    picture: Floats,
    scene: Scene,
    empty: EmptyScene,
    which: int,
    poses: Sequence[DieBody],
    quality: Quality,
) -> None:
    """Draws a die over the picture; several poses are averaged into motion blur."""
    die = scene.dice[which]
    # In a live picture the shadows of other dice on a blurred one are not worth the time.
    alone = quality.fast and len(poses) > 1
    others = () if alone else tuple(d for i, d in enumerate(scene.dice) if i != which)
    if len(poses) == 1 and scene.hand is None and scene.card is None:
        bare = replace(scene, dice=(), smear=(), sensor=Sensor())
        drawn = _resting_die(bare, die, tuple(o for o in others if _may_darken(die, o)), quality)
    else:
        drawn = _die_patch(scene, empty, poses, others, quality)
    if drawn is None:
        return
    (top, bottom, left, right), patch = drawn
    part = picture[top:bottom, left:right]
    part *= 1 - patch[..., 3:]
    part += patch[..., :3]


_MAX_SHADING_DISTANCE_EDGES = 4.0
"""Two dice farther apart do not darken each other."""


def _may_darken(die: DieBody, other: DieBody) -> bool:
    gaps = [a - b for a, b in zip(die.position, other.position, strict=True)]
    return sum(gap * gap for gap in gaps) < (_MAX_SHADING_DISTANCE_EDGES * die.edge) ** 2


@lru_cache(maxsize=64)
def _resting_die(
    scene: Scene, die: DieBody, others: tuple[DieBody, ...], quality: Quality
) -> tuple[Box, Floats] | None:
    """The patch that shows a die at rest, cached for pictures in which others are thrown."""
    empty = empty_scene(
        scene.camera, scene.tray, scene.lighting, quality.background_rays, scene.prints
    )
    return _die_patch(scene, empty, [die], others, quality)


def _die_patch(
    scene: Scene,
    empty: EmptyScene,
    poses: Sequence[DieBody],
    others: Sequence[DieBody],
    quality: Quality,
) -> tuple[Box, Floats] | None:
    """A part of the picture and what is seen of a die there, (rows, columns, 4) with coverage."""
    boxes = [b for p in poses if (b := pixel_box(scene.camera, cube_corners(p), 1)) is not None]
    if not boxes:
        return None
    top, bottom, left, right = box = union_box(boxes)
    fine = quality.oversample if len(poses) == 1 else max(1, quality.oversample - 1)
    rays = _fine_rays(scene.camera, box, fine)
    shape = rays.shape[:2]
    flat = np.ascontiguousarray(rays.reshape(-1, 3))
    behind = np.repeat(np.repeat(empty.depth[top:bottom, left:right], fine, 0), fine, 1).ravel()
    total = np.zeros((len(flat), 4), np.float32)
    for pose in poses:
        _add_die_seen(total, scene, pose, others, flat, behind, quality)
    total /= len(poses)
    size = (right - left, bottom - top)
    patch = cv2.resize(total.reshape(*shape, 4), size, interpolation=cv2.INTER_AREA)
    return box, np.asarray(patch, np.float32)


def _add_die_seen(
    total: Floats,
    scene: Scene,
    die: DieBody,
    others: Sequence[DieBody],
    rays: Floats,
    behind: Floats,
    quality: Quality,
) -> None:
    """Adds what rays (n, 3) see of a die to `total` (n, 4: blue, green, red, coverage)."""
    origin = scene.camera.position.astype(np.float32)
    hit = cast_rays(die, origin, rays)
    seen = hit.depth < behind[hit.index] + 0.5
    if not seen.any():
        return
    colours, _, local_normals = printed_surface(die, hit)
    towards = rays[hit.index]
    points = origin + towards * hit.depth[:, None]
    normals = (local_normals @ die.rotation.T).astype(np.float32)
    shaded = shade_die(scene, die, others, points, normals, towards, colours, quality.shadow_rays)
    index = hit.index[seen]
    total[index, :3] += shaded[seen]
    total[index, 3] += 1.0


def draw_hand(picture: Floats, scene: Scene, poses: Sequence[HandPose]) -> None:
    """Draws the hand over the picture, motion-blurred along its path."""
    origin = scene.camera.position.astype(np.float32)
    rays = ray_directions(scene.camera)
    pose = poses[len(poses) // 2]
    ends = np.array([(*p.place, -p.height - 20.0) for p in (poses[0], poses[-1])])
    pixels = scene.camera.project(ends)
    way = pixels[1] - pixels[0]
    margin = int(np.ceil(np.abs(way).max() / 2)) + 1
    coarse = 8
    # The pixels within a centimetre or so of the hand.
    rows, columns = np.nonzero(hand_coverage(pose, origin, rays[::coarse, ::coarse], 8) > 0.02)
    if not len(rows):
        return
    height, width = picture.shape[:2]
    top, bottom = rows.min() * coarse - coarse - margin, (rows.max() + 2) * coarse + margin
    left, right = columns.min() * coarse - coarse - margin, (columns.max() + 2) * coarse + margin
    part = np.s_[max(0, top) : min(height, bottom), max(0, left) : min(width, right)]
    patch = _hand_patch(scene, pose, origin, np.ascontiguousarray(rays[part]))
    if np.abs(way).max() > 1.0:
        patch = np.asarray(
            cv2.filter2D(patch, -1, _motion_blur_kernel(way), borderType=cv2.BORDER_REPLICATE),
            np.float32,
        )
    picture[part] = picture[part] * (1 - patch[..., 3:]) + patch[..., :3]


def _motion_blur_kernel(way: Floats) -> Floats:
    """A motion blur kernel for a displacement of (x, y) pixels."""
    reach = int(np.ceil(np.abs(way).max() / 2)) + 1
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    a = (np.array((reach, reach)) - np.asarray(way) / 2) * 16
    b = (np.array((reach, reach)) + np.asarray(way) / 2) * 16
    start, end = (tuple(int(v) for v in np.rint(p)) for p in (a, b))
    cv2.line(kernel, start, end, (1.0,), 1, cv2.LINE_8, 4)
    return np.asarray(kernel / kernel.sum(), np.float32)


def _hand_patch(scene: Scene, pose: HandPose, origin: Floats, rays: Floats) -> Floats:
    """The hand as rays (rows, columns, 3) see it, premultiplied: (rows, columns, 4)."""
    seen = see_hand(pose, origin, rays)
    shape = seen.cover.shape
    flat = np.flatnonzero(seen.cover.ravel() > 0)
    normals = seen.normals.reshape(-1, 3)[flat]
    points = seen.points.reshape(-1, 3)[flat]
    light = ambient_light(scene.lighting, normals) * np.float32(0.9)
    reflected, cosine = mirror_rays(rays.reshape(-1, 3)[flat], normals)
    sheen = fresnel_reflectance(cosine, 0.03)[:, None] * np.float32(0.6)
    gloss = np.zeros_like(light)
    for lamp in scene.lighting.lights:
        power = np.array(lamp.power, np.float32)
        light += irradiance(lamp, points, normals) * power
        gloss += sheen * np.minimum(glare_radiance(lamp, points, reflected, 0.62), 8.0) * power
    cover = seen.cover.ravel()[flat][:, None]
    patch = np.zeros((shape[0] * shape[1], 4), np.float32)
    shaded = seen.colours.reshape(-1, 3)[flat] * light / np.float32(np.pi) + gloss
    patch[flat, :3] = shaded * cover
    patch[flat, 3:] = cover
    return patch.reshape(*shape, 4)


def with_metered_exposure(scene: Scene, target: float = 0.17, error: float = 0.0) -> Scene:
    """The scene with the exposure that a camera would choose.

    Args:
        scene: the scene.
        target: mean linear brightness to aim for.
        error: how far off the camera is, in stops.
    """
    small = replace(scene, smear=()).with_size((96, 54))
    light = render_linear(small, replace(LIVE_QUALITY, oversample=1, background_rays=6))
    gains = np.array(scene.sensor.balance, np.float32)
    mean = float((light * gains).clip(0, 2.0).mean())
    exposure = float(np.clip(target / max(mean, 1e-3), 0.05, 12.0) * 2.0**error)
    return replace(scene, sensor=replace(scene.sensor, exposure=exposure))
