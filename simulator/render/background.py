"""The empty scene as every pixel sees it, computed once and cached."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from simulator.render import tray_model
from simulator.render.light import (
    Lighting,
    ambient_light,
    fresnel_reflectance,
    glare_radiance,
    irradiance,
    mirror_rays,
    room_radiance,
)
from simulator.render.pinhole import (
    ROWS_PER_BAND,
    CameraModel,
    ray_directions,
    scaled,
    vector_lengths,
)
from simulator.render.prints import Print, PrintSeen, see_print
from vision.image.arrays import Floats


@dataclass(frozen=True, slots=True, eq=False)
class EmptyScene:
    """The scene as the pixels see it when nothing lies in the tray.

    Attributes:
        points: world points seen, (height, width, 3) millimetres.
        depth: distance along the ray, (height, width) millimetres.
        steady: light that no die can block (ambient, reflections), (height, width, 3).
        direct: what each light adds, with the shadows of the tray.
        whole: the sum of all.
    """

    points: Floats
    depth: Floats
    steady: Floats
    direct: tuple[Floats, ...]
    whole: Floats


@dataclass(frozen=True, slots=True, eq=False)
class _LitRays:
    """The scene as rays see it, one row per ray: as in `EmptyScene`, plus the part that is seen."""

    points: Floats
    depth: Floats
    part: NDArray[np.uint8]
    steady: Floats
    direct: tuple[Floats, ...]


def _light_what_rays_hit(
    tray: tray_model.TrayModel,
    lighting: Lighting,
    origin: Floats,
    rays: Floats,
    samples: int,
    pixel_mm: float,
) -> _LitRays:
    """Traces rays (n, 3) from the camera into the empty scene and lights what they hit."""
    seen = tray_model.trace_rays(tray, origin, rays)
    points = scaled(rays, seen.depth)
    points += origin
    albedo, slopes, rough = tray_model.surface_seen(tray, points, seen.part, pixel_mm)
    normals = seen.normals
    level = np.flatnonzero(normals[:, 2] < -0.5)
    normals[level, :2] -= slopes[level]
    lengths = vector_lengths(normals)
    for axis in range(3):
        normals[:, axis] /= lengths
    reflected, cosine = mirror_rays(rays, normals)
    gloss = fresnel_reflectance(cosine) * (1 - 0.85 * rough)
    open_sky = tray_model.openness(tray, points, seen.part)
    bounce = np.array(tray.floor.colour, np.float32)
    steady = scaled(albedo * ambient_light(lighting, normals, bounce), open_sky / np.pi)
    steady += scaled(room_radiance(lighting, reflected, 0.5), gloss * open_sky)
    direct = []
    for light in lighting.lights:
        shining = 1 - tray_model.share_hidden_by_tray(tray, points, light.samples(samples))
        diffuse = scaled(albedo, irradiance(light, points, normals)[:, 0])
        diffuse /= np.float32(np.pi)
        shine = np.zeros(len(points), np.float32)
        for material, mask in tray_model.materials_seen(tray, seen.part):
            at = np.flatnonzero(mask)
            if len(at):
                rough_enough = max(0.3, material.roughness)
                shine[at] = glare_radiance(light, points[at], reflected[at], rough_enough)[:, 0]
        shine *= gloss
        for axis, power in enumerate(light.power):
            diffuse[:, axis] = (diffuse[:, axis] + shine) * np.float32(power) * shining
        direct.append(diffuse)
    return _LitRays(points, seen.depth, seen.part, steady, tuple(direct))


_EDGE_OVERSAMPLE = 3
"""Rays per pixel and axis where two parts meet."""


@lru_cache(maxsize=3)
def empty_scene(
    camera: CameraModel,
    tray: tray_model.TrayModel,
    lighting: Lighting,
    samples: int,
    prints: tuple[Print, ...] = (),
) -> EmptyScene:
    """The empty scene, cached for later pictures.

    Args:
        camera: its size is the size of the picture.
        tray: the tray and the table.
        lighting: the light.
        samples: shadow rays per light and pixel.
        prints: sheets on the rim and in the tray, the lower ones first.
    """
    if prints:
        bare = empty_scene(camera, tray, lighting, samples)
        seen = (see_print(item, camera, tray, lighting, samples) for item in prints)
        return _add_prints(bare, [sheet for sheet in seen if sheet is not None])
    width, height = camera.size
    rays = ray_directions(camera)
    origin = camera.position.astype(np.float32)
    look = partial(
        _light_what_rays_hit, tray, lighting, origin, pixel_mm=float(-origin[2]) / camera.focal[0]
    )
    bands = range(0, height, ROWS_PER_BAND)
    lit = [look(rays[top : top + ROWS_PER_BAND].reshape(-1, 3), samples) for top in bands]
    colours = (height, width, 3)
    points = np.concatenate([band.points for band in lit]).reshape(colours)
    depth = np.concatenate([band.depth for band in lit]).reshape(height, width)
    part = np.concatenate([band.part for band in lit]).reshape(height, width)
    steady = np.concatenate([band.steady for band in lit]).reshape(colours)
    lights = zip(*(band.direct for band in lit), strict=True)
    direct = tuple(np.concatenate(light).reshape(colours) for light in lights)
    _smooth_edges(look, rays, part, steady, direct, max(4, samples // 3))
    return EmptyScene(points, depth, steady, direct, sum(direct, steady))


def _add_prints(bare: EmptyScene, sheets: Sequence[PrintSeen]) -> EmptyScene:
    points, depth, steady = bare.points.copy(), bare.depth.copy(), bare.steady.copy()
    direct = tuple(share.copy() for share in bare.direct)
    for seen in sheets:
        part = seen.part
        cover = seen.cover * (seen.depth < depth[part] + 0.5)
        share = cover[..., None]
        steady[part] += share * (seen.steady - steady[part])
        for target, found in zip(direct, seen.direct, strict=True):
            target[part] += share * (found - target[part])
        most = cover > 0.5
        points[part][most] = seen.points[most]
        depth[part][most] = seen.depth[most]
    return EmptyScene(points, depth, steady, direct, sum(direct, steady))


def _smooth_edges(
    look: Callable[[Floats, int], _LitRays],
    rays: Floats,
    part: NDArray[np.uint8],
    steady: Floats,
    direct: tuple[Floats, ...],
    samples: int,
) -> None:
    """Supersamples the pixels where two parts of the scene meet, in place."""
    edge = np.zeros(part.shape, np.bool_)
    across, down = part[:, 1:] != part[:, :-1], part[1:] != part[:-1]
    edge[:, 1:] |= across
    edge[:, :-1] |= across
    edge[1:] |= down
    edge[:-1] |= down
    rows, columns = np.nonzero(edge[1:-1, 1:-1])
    rows, columns = rows + 1, columns + 1
    if not len(rows):
        return
    step_x = (rays[rows, columns + 1] - rays[rows, columns - 1]) / 2
    step_y = (rays[rows + 1, columns] - rays[rows - 1, columns]) / 2
    offsets = (np.arange(_EDGE_OVERSAMPLE) + 0.5) / _EDGE_OVERSAMPLE - 0.5
    finer = [
        rays[rows, columns] + step_x * np.float32(a) + step_y * np.float32(b)
        for b in offsets
        for a in offsets
    ]
    lit = look(np.concatenate(finer), samples)
    shape = (_EDGE_OVERSAMPLE * _EDGE_OVERSAMPLE, len(rows), 3)
    steady[rows, columns] = lit.steady.reshape(shape).mean(axis=0)
    for target, found in zip(direct, lit.direct, strict=True):
        target[rows, columns] = found.reshape(shape).mean(axis=0)
