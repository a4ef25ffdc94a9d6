"""Draws installations of three difficulties: trays, tables, light, cameras, lenses, and dice."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from simulator.render.dice_model import STANDARD_STYLES, DieStyle, PowerArt
from simulator.render.light import Light, Lighting
from simulator.render.pinhole import Vector
from simulator.render.sensor import Sensor
from simulator.render.texture import Material, Surface
from simulator.render.tray_model import TrayModel
from vision.reading import POWER_FACES, Face, Kind

Difficulty = Literal["easy", "normal", "hard"]
"""How hard a picture is to read."""

_FELT_COLOURS = ((0.030, 0.12, 0.016), (0.15, 0.05, 0.012), (0.03, 0.02, 0.14), (0.07, 0.065, 0.06))
WOOD_COLOURS = ((0.13, 0.24, 0.36), (0.05, 0.12, 0.26), (0.24, 0.40, 0.55), (0.02, 0.045, 0.10))
_LEATHER_COLOURS = ((0.03, 0.05, 0.10), (0.025, 0.022, 0.02), (0.06, 0.10, 0.18))
PLASTIC_COLOURS = ((0.62, 0.60, 0.58), (0.35, 0.20, 0.10), (0.25, 0.30, 0.50), (0.30, 0.28, 0.27))
DARK_COLOURS = ((0.016, 0.014, 0.012), (0.022, 0.020, 0.019), (0.045, 0.020, 0.010))


def jitter_colour(rng: np.random.Generator, colour: Vector, share: float = 0.15) -> Vector:
    """A colour close to the given one."""
    b, g, r = (float(v) for v in np.clip(np.array(colour) * rng.normal(1, share, 3), 0.006, 0.9))
    return (b, g, r)


def pick_colour(rng: np.random.Generator, colours: Sequence[Vector]) -> Vector:
    """One of some colours."""
    return colours[int(rng.integers(len(colours)))]


def random_material(
    rng: np.random.Generator, difficulty: Difficulty, table: bool = False
) -> Material:
    """Draws what a floor (or a table) is made of."""
    seed = int(rng.integers(64))
    if not table and rng.random() < {"easy": 0.0, "normal": 0.15, "hard": 0.45}[difficulty]:
        surface = (Surface.FELT, Surface.LEATHER, Surface.PLASTIC)[int(rng.integers(3))]
        rough = 0.95 if surface is Surface.FELT else float(rng.uniform(0.35, 0.7))
        return Material(surface, jitter_colour(rng, pick_colour(rng, DARK_COLOURS)), rough, seed)
    kinds = [Surface.FELT, Surface.FELT, Surface.WOOD, Surface.PLASTIC, Surface.LEATHER]
    if table:
        kinds = [Surface.WOOD, Surface.WOOD, Surface.PLASTIC, Surface.LEATHER]
        if difficulty != "easy":
            kinds.append(Surface.CHECK)
    surface = kinds[int(rng.integers(len(kinds)))]
    match surface:
        case Surface.FELT:
            return Material(
                surface, jitter_colour(rng, pick_colour(rng, _FELT_COLOURS)), 0.95, seed
            )
        case Surface.WOOD:
            return Material(
                surface,
                jitter_colour(rng, pick_colour(rng, WOOD_COLOURS)),
                rng.uniform(0.4, 0.7),
                seed,
            )
        case Surface.LEATHER:
            rough = float(rng.uniform(0.45, 0.7))
            return Material(
                surface, jitter_colour(rng, pick_colour(rng, _LEATHER_COLOURS)), rough, seed
            )
        case Surface.CHECK:
            return Material(
                surface, jitter_colour(rng, pick_colour(rng, _FELT_COLOURS), 0.4), 0.9, seed
            )
        case _:
            rough = float(rng.uniform(0.4, 0.8))
            return Material(
                surface, jitter_colour(rng, pick_colour(rng, PLASTIC_COLOURS)), rough, seed
            )


def random_tray(rng: np.random.Generator, difficulty: Difficulty) -> TrayModel:
    """Draws a tray and the table under it."""
    width = float(rng.uniform(98, 112))
    wall = random_material(rng, "easy")
    if wall.surface is Surface.FELT or rng.random() < 0.3:
        wall = Material(Surface.PLASTIC, jitter_colour(rng, (0.02, 0.02, 0.02)), 0.5)
    return TrayModel(
        half=(width, float(width * rng.uniform(0.56, 0.78))),
        wall_height=float(rng.uniform(17, 27)),
        wall_width=float(rng.uniform(3.5, 7)),
        slope=float(rng.choice((0.0, 0.08, 0.17))),
        floor=random_material(rng, difficulty),
        wall=wall,
        table=random_material(rng, difficulty, table=True),
    )


def _random_light_tint(rng: np.random.Generator, spread: float) -> Vector:
    """A colour of light, from cold to warm."""
    warm = float(rng.normal(0, spread))
    return (float(np.exp(-warm)), 1.0, float(np.exp(warm)))


def _scale_colour(colour: Vector, factor: float) -> Vector:
    return (colour[0] * factor, colour[1] * factor, colour[2] * factor)


def random_lighting(rng: np.random.Generator, difficulty: Difficulty) -> Lighting:
    """Draws lamps: usually a ceiling lamp or window, a ring, hard side light if difficult."""
    lights: list[Light] = []
    tint = _random_light_tint(rng, {"easy": 0.12, "normal": 0.2, "hard": 0.3}[difficulty])
    side = rng.uniform(0, 2 * np.pi)
    low = difficulty == "hard" and rng.random() < 0.35
    reach, rise = (
        (rng.uniform(500, 900), rng.uniform(350, 600))
        if low
        else (rng.uniform(350, 1300), rng.uniform(1100, 1900))
    )
    soft = {"easy": (90, 220), "normal": (50, 220), "hard": (15, 160)}[difficulty]
    lights.append(
        Light(
            position=(float(reach * np.cos(side)), float(reach * np.sin(side)), -float(rise)),
            radius=float(rng.uniform(*soft)),
            power=_scale_colour(tint, float(rng.uniform(1.2, 2.2))),
        )
    )
    bare = {"easy": (0.1, 0.3), "normal": (0.3, 1.0), "hard": (0.4, 1.6)}[difficulty]
    if rng.random() < {"easy": 0.25, "normal": 0.5, "hard": 0.5}[difficulty]:
        outer = float(rng.uniform(45, 90))
        # A bare ring causes glare on polished dice; a diffused one does not.
        lights.append(
            Light(
                position=(0.0, 0.0, -float(rng.uniform(340, 420))),
                radius=outer,
                hole=outer * float(rng.uniform(0.5, 0.8)),
                power=_scale_colour((1.0, 1.0, 0.97), float(rng.uniform(*bare))),
            )
        )
    if difficulty == "hard" and rng.random() < 0.5:
        # A lamp or window right overhead is reflected in the tops of the dice.
        lights.append(
            Light(
                position=(
                    float(rng.uniform(-160, 160)),
                    float(rng.uniform(-110, 110)),
                    -float(rng.uniform(600, 1000)),
                ),
                radius=float(rng.uniform(30, 130)),
                power=_scale_colour(tint, float(rng.uniform(0.6, 1.8))),
            )
        )
    dim = {"easy": (0.7, 1.3), "normal": (0.35, 1.2), "hard": (0.08, 0.9)}[difficulty]
    return Lighting(
        lights=tuple(lights),
        ambient=_scale_colour(_random_light_tint(rng, 0.15), float(rng.uniform(*dim))),
        room_seed=int(rng.integers(1000)),
        room_contrast=float(
            rng.uniform(0.0, {"easy": 0.3, "normal": 0.7, "hard": 1.2}[difficulty])
        ),
        camera_dark=float(rng.uniform(15, 35)),
    )


def random_sensor(rng: np.random.Generator, difficulty: Difficulty) -> Sensor:
    """Draws lens and sensor; the exposure is set by `metered`."""
    level = {"easy": 0.3, "normal": 1.0, "hard": 2.2}[difficulty]
    wrong = rng.normal(0, 0.03 * level, 2)
    return Sensor(
        balance=(float(np.exp(wrong[0])), 1.0, float(np.exp(wrong[1]))),
        defocus=float(abs(rng.normal(0, 0.12 * level))),
        grain=float(0.002 * rng.uniform(0.5, 2.5) * level),
        shot=float(0.0004 * rng.uniform(0.5, 2.5) * level),
        vignette=float(rng.uniform(0.02, 0.3)),
        contrast=float(rng.uniform(0.0, 0.4)),
        saturation=float(rng.uniform(0.95, 1.25)),
        sharpen=float(rng.uniform(0.0, 0.9)),
        fringe=float(rng.normal(0, 0.0004)),
        bloom=float(rng.uniform(0.002, 0.03)),
        jpeg=int(rng.integers(82, 97)),
    )


def random_style(
    rng: np.random.Generator, difficulty: Difficulty, kinds: Sequence[Kind]
) -> dict[Kind, DieStyle]:
    """Draws how a set of dice is made: one make, a colour for each kind."""
    sharp = rng.random() < 0.5
    gloss = {"easy": (0.2, 0.5), "normal": (0.1, 0.45), "hard": (0.05, 0.35)}[difficulty]
    order = tuple(int(k) for k in rng.permutation(6))
    art = PowerArt(
        order=order,
        turns=tuple(int(k) for k in rng.integers(4, size=6)),
        designs=_random_designs(rng),
        scale=float(rng.uniform(0.85, 1.15)),
        font=int(rng.integers(4)),
        accents=bool(rng.random() < 0.25),
    )
    base = DieStyle(
        edge_radius=float(rng.uniform(0.9, 1.6) if sharp else rng.uniform(1.6, 2.8)),
        sphere=0.0 if rng.random() < 0.7 else float(rng.uniform(11.2, 12.2)),
        pip_radius=float(rng.uniform(1.25, 1.75)),
        pip_depth=float(rng.choice((0.05, 0.4, 0.7))),
        pip_spread=float(rng.uniform(3.7, 4.5)),
        flips=(bool(rng.random() < 0.5), bool(rng.random() < 0.5), bool(rng.random() < 0.5)),
        roughness=float(rng.uniform(*gloss)),
        wear=float(rng.uniform(0, 0.6)),
        power=art,
    )
    styles = {}
    for kind in kinds:
        plain = STANDARD_STYLES[kind]
        pip = jitter_colour(rng, plain.pip, 0.04)
        styles[kind] = replace(base, body=jitter_colour(rng, plain.body, 0.12), pip=pip)
    return styles


def _random_designs(rng: np.random.Generator) -> tuple[int, ...]:
    digits = int(rng.integers(4))
    return (digits, digits, digits, *(int(rng.integers(4)) for _ in range(3)))


def random_face(rng: np.random.Generator, kind: Kind) -> Face:
    """Draws any face of a kind of die."""
    if kind is Kind.POWER:
        return POWER_FACES[int(rng.integers(6))]
    return int(rng.integers(1, 7))
