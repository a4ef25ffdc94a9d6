"""Shadows that dice, hand and card cast on the empty scene."""

from collections.abc import Sequence

import cv2
import numpy as np

from simulator.render.background import EmptyScene
from simulator.render.dice_model import DieBody
from simulator.render.die_cast import blocked_share, cube_corners
from simulator.render.hand import HandPose, ambient_blocked_by_hand, lamp_blocked_by_hand
from simulator.render.pinhole import Box, pixel_box
from simulator.render.scene import Quality, Scene
from vision.image.arrays import Floats


def poses_differ(poses: Sequence[DieBody]) -> bool:
    """True if poses of a die differ."""
    return any(
        p.position != poses[0].position or p.orientation != poses[0].orientation for p in poses[1:]
    )


def union_box(boxes: Sequence[Box]) -> Box:
    """The smallest box that contains all the boxes."""
    tops, bottoms, lefts, rights = zip(*boxes, strict=True)
    return min(tops), max(bottoms), min(lefts), max(rights)


def _shadow_box(scene: Scene, die: DieBody) -> Box | None:
    """The part of the picture where the die darkens what lies below it."""
    tips = cube_corners(die)
    around = np.array(die.position, np.float32) + np.array(
        [(x * die.edge, y * die.edge, 0.0) for x in (-1, 1) for y in (-1, 1)], np.float32
    )
    around[:, 2] = 0.0
    places = [around, tips]
    for light in scene.lighting.lights:
        lamps = light.samples(6)
        way = tips[None] - lamps[:, None]
        down = (scene.tray.base - lamps[:, None, 2:]) / np.maximum(way[..., 2:], 1e-3)
        places.append((lamps[:, None] + way * np.clip(down, 1.0, 3.0)).reshape(-1, 3))
    return pixel_box(scene.camera, np.concatenate(places), 1)


def cast_shadows(picture: Floats, scene: Scene, empty: EmptyScene, quality: Quality) -> None:
    """Darkens the background under and behind dice, card and hand, in place."""
    height, width = picture.shape[:2]
    lights = scene.lighting.lights
    moments = scene.moments()
    shine = [np.ones((height, width), np.float32) for _ in lights]
    open_sky = np.ones((height, width), np.float32)
    touched: list[Box] = []
    for k, die in enumerate(scene.dice):
        poses = [moment.dice[k] for moment in moments]
        steps = poses if poses_differ(poses) else poses[:1]
        boxes = [b for p in steps if (b := _shadow_box(scene, p)) is not None]
        if not boxes:
            continue
        top, bottom, left, right = union_box(boxes)
        touched.append((top, bottom, left, right))
        points = empty.points[top:bottom, left:right]
        flat = np.ascontiguousarray(points.reshape(-1, 3))
        for light, share in zip(lights, shine, strict=True):
            lamps = light.samples(quality.shadow_rays)
            dark = np.zeros(len(flat), np.float32)
            for i, pose in enumerate(steps):
                few = lamps[i :: len(steps)]
                if len(few):
                    dark += blocked_share(pose, flat, few) * np.float32(len(few) / len(lamps))
            share[top:bottom, left:right] *= 1 - dark.reshape(points.shape[:2])
        open_sky[top:bottom, left:right] *= 1 - _ambient_blocked_by_die(die, points)
    hand = moments[len(moments) // 2].hand
    if hand is not None:
        box = _shade_by_hand(scene, hand, empty, shine, open_sky, 3 if quality.fast else 1)
        touched = [union_box([box, *touched])] if box else touched
    if scene.card is not None:
        touched = [(0, height, 0, width)]
        for light, share in zip(lights, shine, strict=True):
            share *= 1 - scene.card.shade(empty.points, light.samples(quality.shadow_rays))
    for top, bottom, left, right in touched:
        part = np.s_[top:bottom, left:right]
        fresh = empty.steady[part] * open_sky[part][..., None]
        for direct, share in zip(empty.direct, shine, strict=True):
            fresh += direct[part] * share[part][..., None]
        picture[part] = fresh


def _ambient_blocked_by_die(die: DieBody, points: Floats) -> Floats:
    """How much ambient light a die blocks at points round it (rows, columns, 3)."""
    rise = max(0.0, -die.position[2] - die.half)
    turn = die.rotation.astype(np.float32)
    lean = np.abs(turn[2]).argmax()
    axes = [a for a in range(3) if a != lean]
    dx = points[..., 0] - np.float32(die.position[0])
    dy = points[..., 1] - np.float32(die.position[1])
    away = [np.maximum(np.abs(dx * turn[0, a] + dy * turn[1, a]) - die.half, 0) for a in axes]
    distance = np.hypot(away[0], away[1])
    strength = 0.6 * np.exp(-rise / 12.0)
    return np.asarray(strength * np.exp(-distance / (0.28 * die.edge + 0.5 * rise)), np.float32)


def _shade_by_hand(
    scene: Scene,
    pose: HandPose,
    empty: EmptyScene,
    shine: list[Floats],
    open_sky: Floats,
    stride: int,
) -> Box | None:
    """Applies the hand's shadow to lights and sky, in place; returns where it falls.

    The shadow is soft, so a coarser grid (every `stride` pixels) is enough for a live picture.
    """
    height, width = open_sky.shape
    grid = np.ascontiguousarray(empty.points[::stride, ::stride])
    shades = [ambient_blocked_by_hand(pose, grid)]
    for light in scene.lighting.lights:
        shades.append(
            lamp_blocked_by_hand(pose, grid, light.position, light.radius / light.reference)
        )
    rows, columns = np.nonzero(np.max(shades, axis=0) > 0.004)
    if not len(rows):
        return None
    for share, coarse in zip([open_sky, *shine], shades, strict=True):
        fine = coarse if stride == 1 else cv2.resize(coarse, (width, height))
        share *= 1 - fine
    return (
        max(0, int(rows.min() - 1) * stride),
        min(height, int(rows.max() + 2) * stride),
        max(0, int(columns.min() - 1) * stride),
        min(width, int(columns.max() + 2) * stride),
    )
