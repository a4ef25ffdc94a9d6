"""Draws scenes: the kept backdrop, then shadows, dice, card and hand in small patches."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

import cv2
import numpy as np
from numpy.typing import NDArray

from appliance.simulator.dice_model import DieBody
from appliance.simulator.die_cast import blocks, cast, corners, surface
from appliance.simulator.hand import HandPose, hand_dims, hand_shade, see_hand
from appliance.simulator.light import (
    ambient_light,
    fresnel,
    glare,
    irradiance,
    mirror,
    room_seen,
)
from appliance.simulator.pinhole import Camera, Floats, ray_directions
from appliance.simulator.scene import Card, Scene, pixels_per_mm
from appliance.simulator.sensor import develop
from appliance.simulator.tray_model import Backdrop, backdrop, rim_shadow
from vision.frame import Image

Box = tuple[int, int, int, int]
"""First row, end row, first column, end column."""


@dataclass(frozen=True, slots=True)
class Quality:
    """How much work goes into a picture.

    Attributes:
        oversample: rays a pixel and axis on dice.
        shadow_rays: rays a light for the shadows of dice.
        backdrop_rays: rays a light for the shadows of the tray.
        fast: takes noise from a kept field and leaves out bloom and colour fringes.
    """

    oversample: int = 3
    shadow_rays: int = 16
    backdrop_rays: int = 24
    fast: bool = False


STILL = Quality()
LIVE = Quality(oversample=2, shadow_rays=4, backdrop_rays=24, fast=True)


def render(
    scene: Scene,
    size: tuple[int, int] | None = None,
    rng: np.random.Generator | None = None,
    quality: Quality = STILL,
) -> Image:
    """Makes the picture that the scene's camera takes.

    Args:
        scene: what to draw.
        size: width and height of the picture; the camera's own by default.
        rng: draws the sensor's noise; by default always the same.
        quality: how carefully it is drawn.
    """
    sized = scene.with_size(size) if size else scene
    light = render_linear(sized, quality)
    chance = rng if rng is not None else np.random.default_rng(0)
    return develop(light, sized.sensor, chance, pixels_per_mm(sized), quality.fast)


def render_linear(scene: Scene, quality: Quality = STILL) -> Floats:
    """The light that falls on the sensor: (height, width, 3), linear, before lens and noise."""
    empty = backdrop(scene.camera, scene.tray, scene.lighting, quality.backdrop_rays)
    picture = empty.whole.copy()
    _cast_shadows(picture, scene, empty, quality)
    moments = scene.moments()
    eye = scene.camera.position
    order = sorted(
        range(len(scene.dice)),
        key=lambda k: -float(np.linalg.norm(np.array(scene.dice[k].position) - eye)),
    )
    for k in order:
        poses = [moment.dice[k] for moment in moments]
        steps = poses if _moves(poses) else poses[:1]
        _draw_die(picture, scene, empty, k, steps, quality)
    if scene.card is not None:
        _draw_card(picture, scene, scene.card)
    hands = [moment.hand for moment in moments if moment.hand is not None]
    if hands:
        _draw_hand(picture, scene, hands if _hand_moves(hands) else hands[:1])
    return picture


def _moves(poses: Sequence[DieBody]) -> bool:
    return any(p.position != poses[0].position for p in poses[1:]) or any(
        p.orientation != poses[0].orientation for p in poses[1:]
    )


def _hand_moves(poses: Sequence[HandPose]) -> bool:
    return any(p != poses[0] for p in poses[1:])


def _pixel_box(camera: Camera, points: Floats, margin: int) -> Box | None:
    """The part of the picture that holds the projections of points (n, 3)."""
    pixels = camera.project(points)
    if not np.isfinite(pixels).all():
        return None
    width, height = camera.size
    left = max(0, int(np.floor(pixels[:, 0].min())) - margin)
    right = min(width, int(np.ceil(pixels[:, 0].max())) + margin + 1)
    top = max(0, int(np.floor(pixels[:, 1].min())) - margin)
    bottom = min(height, int(np.ceil(pixels[:, 1].max())) + margin + 1)
    return (top, bottom, left, right) if top < bottom and left < right else None


def _union(boxes: Sequence[Box]) -> Box:
    return (
        min(b[0] for b in boxes),
        max(b[1] for b in boxes),
        min(b[2] for b in boxes),
        max(b[3] for b in boxes),
    )


def _shadow_box(scene: Scene, die: DieBody) -> list[Box]:
    """Where on the picture the die darkens what lies below it, by its lights."""
    middle = np.array(die.position, np.float32)
    reach = die.edge
    base = scene.tray.base
    around = middle + np.array(
        [(x * reach, y * reach, 0.0) for x in (-1, 1) for y in (-1, 1)], np.float32
    )
    around[:, 2] = 0.0
    boxes = []
    near = _pixel_box(scene.camera, np.concatenate([around, corners(die)]), 1)
    if near:
        boxes.append(near)
    for light in scene.lighting.lights:
        cast_on = []
        for lamp in light.samples(8):
            way = corners(die) - lamp
            down = (base - lamp[2]) / np.maximum(way[:, 2:], 1e-3)
            cast_on.append(lamp + way * np.clip(down, 1.0, 3.0))
        box = _pixel_box(scene.camera, np.concatenate([*cast_on, corners(die)]), 1)
        if box:
            boxes.append(box)
    return boxes


def _cast_shadows(picture: Floats, scene: Scene, empty: Backdrop, quality: Quality) -> None:
    """Darkens the backdrop under and behind dice, card and hand."""
    height, width = picture.shape[:2]
    lights = scene.lighting.lights
    moments = scene.moments()
    shine = [np.ones((height, width), np.float32) for _ in lights]
    open_sky = np.ones((height, width), np.float32)
    touched: list[Box] = []
    for k, die in enumerate(scene.dice):
        poses = [moment.dice[k] for moment in moments]
        boxes = [b for p in (poses if _moves(poses) else poses[:1]) for b in _shadow_box(scene, p)]
        if not boxes:
            continue
        top, bottom, left, right = box = _union(boxes)
        touched.append(box)
        points = empty.points[top:bottom, left:right]
        flat = np.ascontiguousarray(points.reshape(-1, 3))
        for light, share in zip(lights, shine, strict=True):
            dark = np.zeros(len(flat), np.float32)
            for i, lamp in enumerate(light.samples(quality.shadow_rays)):
                dark += blocks(poses[i % len(poses)], flat, lamp)
            dark /= quality.shadow_rays
            share[top:bottom, left:right] *= 1 - dark.reshape(points.shape[:2])
        open_sky[top:bottom, left:right] *= 1 - _crowding(die, points)
    everywhere = (0, height, 0, width)
    for moment in moments[len(moments) // 2 : len(moments) // 2 + 1]:
        if moment.hand is not None:
            touched = [everywhere]
            _shade_by_hand(scene, moment.hand, empty, shine, open_sky)
    if scene.card is not None:
        touched = [everywhere]
        for light, share in zip(lights, shine, strict=True):
            share *= 1 - _card_shade(scene.card, empty.points, light.samples(quality.shadow_rays))
    for top, bottom, left, right in touched:
        part = np.s_[top:bottom, left:right]
        fresh = empty.steady[part] * open_sky[part][..., None]
        for direct, share in zip(empty.direct, shine, strict=True):
            fresh += direct[part] * share[part][..., None]
        picture[part] = fresh


def _crowding(die: DieBody, points: Floats) -> Floats:
    """How much ambient light a die keeps from points round it (rows, columns, 3)."""
    rise = max(0.0, -die.position[2] - die.half)
    turn = die.rotation
    lean = np.abs(turn[2]).argmax()
    axes = [a for a in range(3) if a != lean]
    dx, dy = points[..., 0] - die.position[0], points[..., 1] - die.position[1]
    away = [np.clip(np.abs(dx * turn[0, a] + dy * turn[1, a]) - die.half, 0, None) for a in axes]
    distance = np.hypot(away[0], away[1])
    strength = 0.6 * np.exp(-rise / 12.0)
    return np.asarray(strength * np.exp(-distance / (0.28 * die.edge + 0.5 * rise)), np.float32)


def _shade_by_hand(
    scene: Scene, pose: HandPose, empty: Backdrop, shine: list[Floats], open_sky: Floats
) -> None:
    for light, share in zip(scene.lighting.lights, shine, strict=True):
        spread = light.radius / light.reference
        share *= 1 - hand_shade(pose, empty.points, light.position, spread)
    open_sky *= 1 - hand_dims(pose, empty.points)


def _card_shade(card: Card, points: Floats, lamps: Floats) -> Floats:
    """Share of lamps (n, 3) that the card keeps from points (rows, columns, 3)."""
    dark = np.zeros(points.shape[:2], np.float32)
    for lamp in lamps:
        rise = (-card.height - points[..., 2]) / (lamp[2] - points[..., 2])
        u, v = _on_card(
            card,
            points[..., 0] + (lamp[0] - points[..., 0]) * rise,
            points[..., 1] + (lamp[1] - points[..., 1]) * rise,
        )
        dark += (np.abs(u) < 0.5) & (np.abs(v) < 0.5) & (rise > 0)
    return dark / np.float32(len(lamps))


def _on_card(card: Card, x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Places on the card's plane in units of its sides, -0.5 to 0.5 inside."""
    c, s = np.cos(card.yaw), np.sin(card.yaw)
    dx, dy = x - card.place[0], y - card.place[1]
    return (c * dx + s * dy) / card.size[0], (-s * dx + c * dy) / card.size[1]


def card_covers(card: Card, origin: Floats, rays: Floats) -> NDArray[np.bool_]:
    """Whether rays (…, 3) from a point meet the card."""
    reach = (-card.height - origin[2]) / np.maximum(rays[..., 2], 1e-3)
    u, v = _on_card(card, origin[0] + rays[..., 0] * reach, origin[1] + rays[..., 1] * reach)
    return np.asarray((np.abs(u) < 0.5) & (np.abs(v) < 0.5) & (reach > 0), np.bool_)


def _fine_rays(camera: Camera, box: Box, oversample: int) -> Floats:
    """Rays of a part of the picture, `oversample` a pixel and axis, (rows, columns, 3)."""
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


def _draw_die(
    picture: Floats,
    scene: Scene,
    empty: Backdrop,
    which: int,
    poses: Sequence[DieBody],
    quality: Quality,
) -> None:
    """Draws a die over the picture; several poses are averaged into a smear."""
    boxes = [b for p in poses if (b := _pixel_box(scene.camera, corners(p), 1)) is not None]
    if not boxes:
        return
    top, bottom, left, right = box = _union(boxes)
    fine = quality.oversample if len(poses) == 1 else max(1, quality.oversample - 1)
    rays = _fine_rays(scene.camera, box, fine)
    shape = rays.shape[:2]
    flat = np.ascontiguousarray(rays.reshape(-1, 3))
    behind = np.repeat(np.repeat(empty.depth[top:bottom, left:right], fine, 0), fine, 1).ravel()
    total = np.zeros((len(flat), 4), np.float32)
    others = tuple(d for i, d in enumerate(scene.dice) if i != which)
    for pose in poses:
        _add_die(total, scene, pose, others, flat, behind, quality)
    total /= len(poses)
    patch = cv2.resize(
        total.reshape(*shape, 4), (right - left, bottom - top), interpolation=cv2.INTER_AREA
    )
    part = picture[top:bottom, left:right]
    part *= 1 - patch[..., 3:]
    part += patch[..., :3]


def _add_die(
    total: Floats,
    scene: Scene,
    die: DieBody,
    others: Sequence[DieBody],
    rays: Floats,
    behind: Floats,
    quality: Quality,
) -> None:
    origin = scene.camera.position.astype(np.float32)
    hit = cast(die, origin, rays)
    seen = hit.depth < behind[hit.index] + 0.5
    if not seen.any():
        return
    colours, _, local_normals = surface(die, hit)
    points = origin + rays[hit.index] * hit.depth[:, None]
    normals = (local_normals @ die.rotation.T).astype(np.float32)
    shaded = shade_die(
        scene, die, others, points, normals, rays[hit.index], colours, quality.shadow_rays
    )
    index = hit.index[seen]
    total[index, :3] += shaded[seen]
    total[index, 3] += 1.0


def _near_light(die: DieBody, other: DieBody, lamp: Floats, radius: float) -> bool:
    """Whether another die may shade this one from a light."""
    start, end = np.array(die.position), np.asarray(lamp, np.float64)
    way = end - start
    s = float(np.clip(np.dot(np.array(other.position) - start, way) / np.dot(way, way), 0, 1))
    away = float(np.linalg.norm(start + s * way - np.array(other.position)))
    return away < 0.87 * (die.edge + other.edge) + radius * s


def shade_die(
    scene: Scene,
    die: DieBody,
    others: Sequence[DieBody],
    points: Floats,
    normals: Floats,
    rays: Floats,
    colours: Floats,
    shadow_rays: int,
    gloss: bool = True,
) -> Floats:
    """Light that leaves points of a die towards the camera, (n, 3).

    Args:
        scene: for its light, tray and hand.
        die: the die.
        others: dice that may shade it.
        points: on its surface, (n, 3).
        normals: there, (n, 3).
        rays: from the camera to the points, (n, 3).
        colours: of the surface, (n, 3).
        shadow_rays: rays a light.
        gloss: whether reflections are added to the colour of the body.
    """
    lighting = scene.lighting
    floor = np.array(scene.tray.floor.colour, np.float32)
    low = np.clip(-points[:, 2] / die.edge, 0.0, 1.0)
    side = 1 - np.clip(-normals[:, 2], 0, 1)
    openness = 1 - 0.45 * side * (1 - low)
    for other in others:
        away = np.array(other.position, np.float32) - points
        distance = np.sqrt(np.einsum("ij,ij->i", away, away))
        facing = np.clip(np.einsum("ij,ij->i", away, normals) / distance, 0, 1)
        openness *= 1 - 0.75 * facing * np.clip((2.2 * die.half - distance) / die.half + 0.6, 0, 1)
    shape = (len(points), 1, 3)
    lifted = points + normals * 0.05
    sky = ambient_light(lighting, normals, floor)
    if scene.hand is not None:
        openness *= 1 - hand_dims(scene.hand, points.reshape(shape))[:, 0]
    out = colours * sky * (openness / np.pi)[:, None]
    reflected, cosine = mirror(rays, normals)
    shine = fresnel(cosine)[:, None] * np.float32(1 - 0.75 * die.style.roughness)
    if gloss:
        room = room_seen(lighting, reflected, die.style.roughness)
        down = np.clip(reflected[:, 2:] * 3.0 + 0.3, 0, 1)
        ground = floor * np.array(lighting.ambient, np.float32) / np.pi
        room = room * (1 - down) + ground * down
        eye = scene.camera.position.astype(np.float32) - points
        along = np.einsum("ij,ij->i", eye, reflected)
        off = np.sqrt(np.clip(np.einsum("ij,ij->i", eye, eye) - along**2, 0, None))
        dark = np.clip((lighting.camera_dark - off) / 6.0, 0, 1) * (along > 0)
        out += room * shine * (openness * (1 - 0.85 * dark))[:, None]
    for light in lighting.lights:
        lamps = light.samples(shadow_rays)
        middle = np.array(light.position, np.float32)
        nearby = [o for o in others if _near_light(die, o, middle, light.radius)]
        lit = irradiance(light, points, normals)[:, 0]
        facing = np.flatnonzero(lit > 0)
        dark = np.zeros(len(points), np.float32)
        part = lifted[facing]
        if _may_be_in_rim_shadow(scene, die, light.position):
            dark[facing] += _share(partial(rim_shadow, scene.tray, part), lamps)
        for other in nearby:
            dark[facing] += _share(partial(blocks, other, part), lamps)
        if scene.hand is not None:
            spread = light.radius / light.reference
            dark += hand_shade(scene.hand, points.reshape(shape), light.position, spread)[:, 0]
        if scene.card is not None:
            dark += _card_shade(scene.card, points.reshape(shape), lamps)[:, 0]
        clear = np.clip(1 - dark, 0, 1)[:, None]
        power = np.array(light.power, np.float32)
        out += colours * lit[:, None] * clear * power / np.pi
        if gloss:
            seen = glare(light, points, reflected, die.style.roughness) * shine * clear
            out += np.minimum(seen, 40.0) * power
    return np.asarray(out, np.float32)


def _share(blocked: Callable[[Floats], NDArray[np.bool_]], lamps: Floats) -> Floats:
    total = sum(blocked(lamp).astype(np.float32) for lamp in lamps)
    return np.asarray(total / len(lamps), np.float32)


def _may_be_in_rim_shadow(scene: Scene, die: DieBody, lamp: tuple[float, float, float]) -> bool:
    """Whether the tray's wall can come between a die and a light."""
    tray = scene.tray
    rise = max(1.0, -lamp[2])
    for axis in (0, 1):
        lean = abs(lamp[axis] - die.position[axis]) / rise * tray.wall_height
        if abs(die.position[axis]) + die.edge + lean * 1.3 > tray.half[axis]:
            return True
    return False


@lru_cache(maxsize=4)
def _card_print(seed: int) -> Floats:
    """A printed card, (352, 252, 3) linear."""
    rng = np.random.default_rng(seed)
    paper = np.full((352, 252, 3), 0.78, np.float32)
    ink = tuple(float(v) for v in rng.uniform(0.02, 0.6, 3))
    if rng.random() < 0.5:
        cv2.rectangle(paper, (0, 16), (251, 70), ink, -1)
        for row in range(92, 330, 14):
            cv2.line(paper, (20, row), (int(rng.integers(120, 232)), row), (0.04, 0.04, 0.04), 4)
    else:
        cv2.putText(
            paper, str(rng.integers(2, 10)), (16, 60), cv2.FONT_HERSHEY_SIMPLEX, 1.8, ink, 5
        )
        for x, y in ((76, 90), (176, 90), (126, 176), (76, 262), (176, 262)):
            cv2.circle(paper, (x, y), 20, ink, -1, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(paper, (0, 0), 0.7), np.float32)


def _draw_card(picture: Floats, scene: Scene, card: Card) -> None:
    rays = ray_directions(scene.camera)
    origin = scene.camera.position.astype(np.float32)
    reach = (-card.height - origin[2]) / np.maximum(rays[..., 2], 1e-3)
    x, y = origin[0] + rays[..., 0] * reach, origin[1] + rays[..., 1] * reach
    u, v = _on_card(card, x, y)
    pixel = reach / scene.camera.focal[0]
    edge = np.minimum((0.5 - np.abs(u)) * card.size[0], (0.5 - np.abs(v)) * card.size[1])
    cover = np.clip(edge / pixel + 0.5, 0, 1)
    if not cover.any():
        return
    paper = _card_print(card.seed)
    found = cv2.remap(
        paper,
        np.ascontiguousarray((u + 0.5) * 251, np.float32),
        np.ascontiguousarray((v + 0.5) * 351, np.float32),
        cv2.INTER_AREA,
        borderMode=cv2.BORDER_REPLICATE,
    )
    light = np.array(scene.lighting.ambient, np.float32).copy()
    for lamp in scene.lighting.lights:
        light = light + np.array(lamp.power, np.float32) * (-lamp.position[2] / lamp.reference)
    picture *= 1 - cover[..., None]
    picture += found * (light / np.pi) * cover[..., None]


def _draw_hand(picture: Floats, scene: Scene, poses: Sequence[HandPose]) -> None:
    rays = ray_directions(scene.camera)
    origin = scene.camera.position.astype(np.float32)
    height, width = picture.shape[:2]
    total = np.zeros((height, width, 4), np.float32)
    for pose in poses:
        seen = see_hand(pose, origin, rays)
        rows = np.flatnonzero((seen.cover > 0).any(axis=1))
        columns = np.flatnonzero((seen.cover > 0).any(axis=0))
        if not len(rows):
            continue
        part = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        cover = seen.cover[part]
        flat_normals = seen.normals[part].reshape(-1, 3)
        points = seen.points[part].reshape(-1, 3)
        light = ambient_light(scene.lighting, flat_normals) * 0.9
        for lamp in scene.lighting.lights:
            light += irradiance(lamp, points, flat_normals) * np.array(lamp.power, np.float32)
        shaded = seen.colours[part] * (light.reshape(*cover.shape, 3) / np.pi)
        reflected, cosine = mirror(rays[part].reshape(-1, 3), flat_normals)
        sheen = fresnel(cosine, 0.03)[:, None] * 0.6
        gloss = np.zeros_like(light)
        for lamp in scene.lighting.lights:
            shine = np.minimum(glare(lamp, points, reflected, 0.62), 8.0)
            gloss += sheen * shine * np.array(lamp.power, np.float32)
        shaded += gloss.reshape(shaded.shape)
        total[part][..., :3] += shaded * cover[..., None]
        total[part][..., 3] += cover
    total /= len(poses)
    picture *= 1 - total[..., 3:]
    picture += total[..., :3]
