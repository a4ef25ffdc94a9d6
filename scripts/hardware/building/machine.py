"""The finished machine on a table, with a hand beside it, for Mitsuba 3 to trace.

The solids are those that are printed and bought, the lights of the board are those of a real
prompt, and the dice lie as they were thrown.
"""

from typing import Any

import cv2
import mitsuba
import numpy as np
from build123d import Box, Pos, Rot, Sphere, fillet
from numpy.typing import NDArray

from appliance.picture import HEIGHT, WIDTH
from appliance.screens.draw import film
from appliance.table.prompts.turn import DicePrompt
from scripts.hardware.building import sizes
from scripts.hardware.building.pictures import triangles_of
from scripts.hardware.building.solids import assembly, catalogue
from scripts.hardware.building.solids.shapes import Solid, cylinder
from simulator.render.hand import Grip, Rod, hand_rods
from vision.reading import TrayState

SIZE_PX = (1200, 900)
DICE = ((6, -62, 20, 17), (6, -18, -33, 52), (2, 24, 30, 71), (6, 61, -14, 8), (5, -40, -8, 35))
"""Dice in the tray: face, x and y in mm from its middle, degrees turned."""
HAND = (205, -180, 108)
"""The hand on the table: x and y of its knuckles in mm, degrees from x to its fingers."""
SKIN = (0.50, 0.27, 0.18)
SLEEVE = (0.05, 0.08, 0.16)
SLEEVED_RODS = 1
"""How many of a hand's rods, from the last one on, are below the sleeve."""
DENOISING = 4.0
"""Levels of noise that are smoothed."""
GRID_STEPS = 128
"""Along each axis: Mitsuba 3.9.1 sees nothing of a grid with different numbers of steps."""
BLEND_MM = 2.5
"""How far the rods of a hand flow into one another."""
LED_DIAMETER_MM = 3.0
"""Of the lights of a module of 32 mm with 8 by 8 lights, such as the 1088AS (MAX7219 modules)."""
LED_PITCH_MM = sizes.MODULE / 8
PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
SIDES_BY_TOP = {1: (2, 3), 2: (3, 1), 3: (1, 2), 4: (1, 5), 5: (4, 6), 6: (5, 3)}
"""Two faces seen at the near sides of a die, by its top face; opposite faces add up to seven."""


def plastic(red: float, green: float, blue: float, roughness: float = 0.25) -> dict[str, Any]:
    """A material: coloured plastic with a rough surface."""
    colour = {"type": "rgb", "value": [red, green, blue]}
    return {"type": "roughplastic", "diffuse_reflectance": colour, "alpha": roughness}


def matte(red: float, green: float, blue: float) -> dict[str, Any]:
    """A material without gloss."""
    return {"type": "diffuse", "reflectance": {"type": "rgb", "value": [red, green, blue]}}


METAL = {"type": "roughconductor", "material": "Al", "alpha": 0.3}
PRINTED = plastic(0.055, 0.06, 0.075, 0.35)
MATERIALS = {
    "board": matte(0.36, 0.22, 0.11),
    "floor": matte(0.02, 0.16, 0.06),
    "column": METAL,
    "arm": METAL,
    "bracket": METAL,
    "camera": plastic(0.02, 0.12, 0.04),
    "pi": plastic(0.02, 0.12, 0.04),
    "modules": plastic(0.012, 0.008, 0.008, 0.4),
    "buttons": plastic(0.5, 0.03, 0.02, 0.12),
}
"""By the names of `assembly.items`; what is printed is dark grey."""


def mesh_of(triangles: NDArray[np.float64], material: dict[str, Any], **more: Any) -> Any:
    """A shape for Mitsuba: flat triangles (n, 3, 3), mm, in one material."""
    count = len(triangles)
    properties = mitsuba.Properties()
    properties["mesh_bsdf"] = mitsuba.load_dict(material)
    for name, value in more.items():
        properties[name] = mitsuba.load_dict(value)
    mesh = mitsuba.Mesh("solid", 3 * count, count, props=properties)
    parameters = mitsuba.traverse(mesh)
    parameters["vertex_positions"] = triangles.astype(np.float32).ravel()
    parameters["faces"] = np.arange(3 * count, dtype=np.uint32)
    parameters.update()
    return mesh


def die_at(face: int, x: float, y: float, turn: float) -> tuple[Solid, Solid]:
    """A die's body and its pips in their places."""
    edge = sizes.DIE
    half, pip, apart = edge / 2, 0.095 * edge, 0.26 * edge
    body = Box(edge, edge, edge)
    body = fillet(body.edges(), 0.11 * edge)
    pips = None
    near, right = SIDES_BY_TOP[face]
    for value, facing in ((face, Rot(0, 0, 0)), (near, Rot(90, 0, 0)), (right, Rot(0, 90, 0))):
        for column, row in PIPS[value]:
            hollow = Pos(column * apart, row * apart, half + 0.6 * pip) * Sphere(1.2 * pip)
            body -= facing * hollow
            depth = half - 0.6 * pip, half - 0.35 * pip
            floor = cylinder(column * apart, row * apart, 1.9 * pip, depth)
            pips = facing * floor if pips is None else pips + facing * floor
    place = Pos(x, y, sizes.TRAY.base + half) * Rot(0, 0, turn)
    return place * body, place * pips


def lights() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The lights of the board that are lit, and the others: triangles (n, 3, 3), mm."""
    dice = tuple(face for face, *_ in DICE)
    prompt = DicePrompt("ANNA", 1, 3, dice, (0, 1, 3), "SCORE", True, TrayState.STILL)
    picture = film(prompt).loop[0].picture
    lit: list[NDArray[np.float64]] = []
    dark: list[NDArray[np.float64]] = []
    place = assembly.on_scoreboard()
    origin, right, down = (
        np.array(tuple((place * Pos(*at)).position)) for at in ((0, 0, 0), (1, 0, 0), (0, 1, 0))
    )
    light = triangles_of(place * cylinder(0, 0, LED_DIAMETER_MM, (2.0, 2.2)))
    for row in range(HEIGHT):
        for column in range(WIDTH):
            x = sizes.FRONT_EDGE + (column + 0.5) * LED_PITCH_MM
            y = sizes.FRONT_EDGE + (row + 0.5) * LED_PITCH_MM
            placed = light + x * (right - origin) + y * (down - origin)
            (lit if picture.is_lit(column, row) else dark).append(placed)
    return np.concatenate(lit), np.concatenate(dark)


def rods_as_grid(rods: list[Rod], thicker: float, material: dict[str, Any]) -> dict[str, Any]:
    """A shape for Mitsuba: the rods of a hand on the table, blended into one another.

    Args:
        rods: in the hand's own coordinates, fingers towards x.
        thicker: added to every radius, mm.
        material: of its surface.
    """
    x, y, degrees = HAND
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    ends = np.array(rods).reshape(-1, 2, 4)
    ends[..., :2] = ends[..., :2] @ np.array([[cos, sin], [-sin, cos]]) + (x, y)
    ends[..., 2] -= sizes.BOARD
    radii = ends[..., 3:] + thicker + 3 * BLEND_MM
    low = (ends[..., :3] - radii).min(axis=(0, 1))
    high = (ends[..., :3] + radii).max(axis=(0, 1))
    axes = np.linspace(low, high, GRID_STEPS, axis=1)
    points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    total = np.zeros(points.shape[:-1])
    for start, end in ends:
        along = end[:3] - start[:3]
        share = np.clip((points - start[:3]) @ along / (along @ along), 0, 1)
        radius = start[3] + (end[3] - start[3]) * share + thicker
        away = np.linalg.norm(points - start[:3] - share[..., None] * along, axis=-1)
        total += np.exp(np.clip((radius - away) / BLEND_MM, -60, 60))
    distances = -BLEND_MM * np.log(np.maximum(total, 1e-26))
    size = high - low
    place = mitsuba.ScalarTransform4f().translate(low.tolist()).scale(size.tolist())
    # Mitsuba's grid is ordered by z, y, x.
    grid = np.ascontiguousarray(distances.transpose(2, 1, 0)[..., None] / size.max(), np.float32)
    return {"type": "sdfgrid", "grid": mitsuba.TensorXf(grid), "to_world": place, "bsdf": material}


def scene(samples: int) -> dict[str, Any]:
    """The scene that Mitsuba renders."""
    turn, lift, away = np.radians(17), np.radians(24), 1460.0
    target = np.array((78.0, 5.0, 158.0))
    origin = target + away * np.array(
        (np.sin(turn) * np.cos(lift), -np.cos(turn) * np.cos(lift), np.sin(lift))
    )
    looks = mitsuba.ScalarTransform4f().look_at(
        origin=origin.tolist(), target=target.tolist(), up=[0, 0, 1]
    )
    wide, high = SIZE_PX
    made: dict[str, Any] = {
        "type": "scene",
        "integrator": {"type": "path", "max_depth": 8},
        "sensor": {
            "type": "perspective",
            "fov": 34,
            "fov_axis": "x",
            "to_world": looks,
            "film": {"type": "hdrfilm", "width": wide, "height": high},
            "sampler": {"type": "independent", "sample_count": samples},
        },
        "room": {"type": "constant", "radiance": {"type": "rgb", "value": [0.42, 0.41, 0.40]}},
        "window": {
            "type": "rectangle",
            "to_world": mitsuba.ScalarTransform4f()
            .look_at(origin=[-1300, -600, 1500], target=[0, 0, 50], up=[0, 0, 1])
            .scale(500),
            "emitter": {"type": "area", "radiance": {"type": "rgb", "value": [6.0, 5.7, 5.2]}},
        },
        "table": {
            "type": "rectangle",
            "to_world": mitsuba.ScalarTransform4f().translate([0, 0, -sizes.BOARD]).scale(4000),
            "bsdf": plastic(0.42, 0.33, 0.24, 0.4),
        },
    }
    lamp = {"type": "area", "radiance": {"type": "rgb", "value": [9.0, 8.6, 7.8]}}
    for name, item in assembly.items(catalogue.printed()).items():
        if name.startswith("marker"):
            material = matte(0.8, 0.8, 0.8)
        else:
            material = MATERIALS.get(name, PRINTED)
        triangles = triangles_of(item.solid)
        glows = {"emitter": lamp} if name in ("lamp", "opal") else {}
        made[f"item-{name}"] = mesh_of(triangles, material, **glows)
    for n, placed in enumerate(DICE):
        body, pips = die_at(*placed)
        made[f"die-{n}"] = mesh_of(triangles_of(body), plastic(0.01, 0.01, 0.012, 0.1))
        made[f"pips-{n}"] = mesh_of(triangles_of(pips), matte(0.85, 0.85, 0.82))
    rods = hand_rods(Grip.OPEN)
    made["hand"] = rods_as_grid(rods[:-SLEEVED_RODS], 0, plastic(*SKIN, 0.4))
    made["sleeve"] = rods_as_grid(rods[-SLEEVED_RODS:], 4, matte(*SLEEVE))
    lit, dark = lights()
    red = {"type": "area", "radiance": {"type": "rgb", "value": [5.0, 0.35, 0.12]}}
    for name, triangles, glows in (("lit", lit, {"emitter": red}), ("dark", dark, {})):
        made[name] = mesh_of(triangles, plastic(0.05, 0.012, 0.012), **glows)
    return made


def render(samples: int) -> NDArray[np.uint8]:
    """The picture, blue green red; `samples` are rays for each pixel before it is made smaller."""
    mitsuba.set_variant("scalar_rgb")
    traced = mitsuba.render(mitsuba.load_dict(scene(samples)))
    noisy = np.ascontiguousarray(np.asarray(mitsuba.util.convert_to_bitmap(traced))[..., ::-1])
    shown = cv2.fastNlMeansDenoisingColored(noisy, None, DENOISING, DENOISING)
    small = cv2.resize(shown, None, fx=0.75, fy=0.75, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)
