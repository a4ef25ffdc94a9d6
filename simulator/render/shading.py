"""The light that leaves a die towards the camera."""

import math
from collections.abc import Sequence

import numpy as np

from simulator.render.dice_model import DieBody
from simulator.render.die_cast import blocked_share
from simulator.render.hand import ambient_blocked_by_hand, lamp_blocked_by_hand
from simulator.render.light import (
    Light,
    ambient_light,
    fresnel_reflectance,
    glare_radiance,
    irradiance,
    mirror_rays,
    room_radiance,
)
from simulator.render.pinhole import dot_products
from simulator.render.scene import Scene
from simulator.render.tray_model import share_hidden_by_tray
from vision.image.arrays import Floats


def _may_shade_from(die: DieBody, other: DieBody, light: Light) -> bool:
    """True if another die may shade this one from a light."""
    # In plain numbers: for three of them NumPy's overhead outweighs the work.
    way = [there - here for there, here in zip(light.position, die.position, strict=True)]
    off = [there - here for there, here in zip(other.position, die.position, strict=True)]
    along = sum(a * b for a, b in zip(way, off, strict=True)) / sum(a * a for a in way)
    share = min(max(along, 0.0), 1.0)
    away = math.dist(off, [share * a for a in way])
    return away < 0.87 * (die.edge + other.edge) + light.radius * share


_MAX_DARKENING_HALF_EDGES = 2.8 + 1.75
"""Distance between two dice's centres, in half edges, beyond which neither darkens the other: how
far a die darkens, plus how far a corner is from the centre."""


def shade_die(
    scene: Scene,
    die: DieBody,
    others: Sequence[DieBody],
    points: Floats,
    normals: Floats,
    rays: Floats,
    colours: Floats,
    shadow_rays: int,
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
        shadow_rays: rays per light.
    """
    lighting = scene.lighting
    floor = np.array(scene.tray.floor.colour, np.float32)
    low = np.clip(-points[:, 2] / die.edge, 0.0, 1.0)
    side = 1 - np.clip(-normals[:, 2], 0, 1)
    openness = 1 - 0.45 * side * (1 - low)
    for other in others:
        if math.dist(die.position, other.position) > _MAX_DARKENING_HALF_EDGES * die.half:
            continue
        away = np.array(other.position, np.float32) - points
        distance = np.sqrt(dot_products(away, away))
        facing = np.clip(dot_products(away, normals) / distance, 0, 1)
        openness *= 1 - 0.75 * facing * np.clip((2.2 * die.half - distance) / die.half + 0.6, 0, 1)
    shape = (len(points), 1, 3)
    lifted = points + normals * 0.05
    sky = ambient_light(lighting, normals, floor)
    if scene.hand is not None:
        openness *= 1 - ambient_blocked_by_hand(scene.hand, points.reshape(shape))[:, 0]
    out = colours * sky * (openness / np.pi)[:, None]
    reflected, cosine = mirror_rays(rays, normals)
    shine = fresnel_reflectance(cosine)[:, None] * np.float32(1 - 0.75 * die.style.roughness)
    room = room_radiance(lighting, reflected, die.style.roughness)
    down = np.clip(reflected[:, 2:] * 3.0 + 0.3, 0, 1)
    ground = floor * np.array(lighting.ambient, np.float32) / np.pi
    room = room * (1 - down) + ground * down
    eye = scene.camera.position.astype(np.float32) - points
    along = dot_products(eye, reflected)
    off = np.sqrt(np.maximum(dot_products(eye, eye) - along**2, 0))
    dark = np.clip((lighting.camera_dark - off) / 6.0, 0, 1) * (along > 0)
    out += room * shine * (openness * (1 - 0.85 * dark))[:, None]
    for light in lighting.lights:
        lamps = light.samples(shadow_rays)
        nearby = [o for o in others if _may_shade_from(die, o, light)]
        lit = irradiance(light, points, normals)[:, 0]
        towards = np.flatnonzero(lit > 0)
        dark = np.zeros(len(points), np.float32)
        part = lifted[towards]
        if _may_be_in_rim_shadow(scene, die, light.position):
            dark[towards] += share_hidden_by_tray(scene.tray, part, lamps)
        for other in nearby:
            dark[towards] += blocked_share(other, part, lamps)
        if scene.hand is not None:
            spread = light.radius / light.reference
            dark += lamp_blocked_by_hand(scene.hand, points.reshape(shape), light.position, spread)[
                :, 0
            ]
        if scene.card is not None:
            dark += scene.card.shade(points.reshape(shape), lamps)[:, 0]
        clear = np.clip(1 - dark, 0, 1)[:, None]
        power = np.array(light.power, np.float32)
        out += colours * lit[:, None] * clear * power / np.pi
        seen = glare_radiance(light, points, reflected, die.style.roughness) * shine * clear
        out += np.minimum(seen, 40.0) * power
    return np.asarray(out, np.float32)


def _may_be_in_rim_shadow(scene: Scene, die: DieBody, lamp: tuple[float, float, float]) -> bool:
    """True if the tray's wall can come between a die and a light."""
    tray = scene.tray
    rise = max(1.0, -lamp[2])
    for axis in (0, 1):
        lean = abs(lamp[axis] - die.position[axis]) / rise * tray.wall_height
        if abs(die.position[axis]) + die.edge + lean * 1.3 > tray.half[axis]:
            return True
    return False
