"""Draws scenes of three difficulties: trays, lights, cameras, dice and mishaps of every kind."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from appliance.simulator.dice_model import (
    STANDARD_STYLES,
    DieBody,
    DieStyle,
    PowerArt,
    lying,
)
from appliance.simulator.hand import Grip, HandPose
from appliance.simulator.light import Light, Lighting
from appliance.simulator.pinhole import Camera, Vector, look_down
from appliance.simulator.placing import Place, beside, free_place, leaning, separation, wall_gap
from appliance.simulator.renderer import LIVE, render_linear
from appliance.simulator.scene import Card, Scene
from appliance.simulator.sensor import Sensor
from appliance.simulator.texture import Material, Surface
from appliance.simulator.tray_model import Tray
from vision.reading import POWER_FACES, Face, Kind

Difficulty = Literal["easy", "normal", "hard"]

_FELTS = ((0.030, 0.12, 0.016), (0.15, 0.05, 0.012), (0.03, 0.02, 0.14), (0.07, 0.065, 0.06))
_WOODS = ((0.13, 0.24, 0.36), (0.05, 0.12, 0.26), (0.24, 0.40, 0.55), (0.02, 0.045, 0.10))
_LEATHERS = ((0.03, 0.05, 0.10), (0.025, 0.022, 0.02), (0.06, 0.10, 0.18))
_PLASTICS = ((0.62, 0.60, 0.58), (0.35, 0.20, 0.10), (0.25, 0.30, 0.50), (0.30, 0.28, 0.27))
_DARK = ((0.016, 0.014, 0.012), (0.022, 0.020, 0.019), (0.045, 0.020, 0.010))
_SKINS = ((0.26, 0.36, 0.60), (0.18, 0.27, 0.50), (0.10, 0.16, 0.34), (0.04, 0.07, 0.15))


def _jitter(rng: np.random.Generator, colour: Vector, share: float = 0.15) -> Vector:
    b, g, r = (float(v) for v in np.clip(np.array(colour) * rng.normal(1, share, 3), 0.006, 0.9))
    return (b, g, r)


def _pick(rng: np.random.Generator, colours: Sequence[Vector]) -> Vector:
    return colours[int(rng.integers(len(colours)))]


def random_material(
    rng: np.random.Generator, difficulty: Difficulty, table: bool = False
) -> Material:
    """Draws what a floor (or a table) is made of."""
    seed = int(rng.integers(64))
    if not table and rng.random() < {"easy": 0.0, "normal": 0.15, "hard": 0.45}[difficulty]:
        surface = (Surface.FELT, Surface.LEATHER, Surface.PLASTIC)[int(rng.integers(3))]
        rough = 0.95 if surface is Surface.FELT else float(rng.uniform(0.35, 0.7))
        return Material(surface, _jitter(rng, _pick(rng, _DARK)), rough, seed)
    kinds = [Surface.FELT, Surface.FELT, Surface.WOOD, Surface.PLASTIC, Surface.LEATHER]
    if table:
        kinds = [Surface.WOOD, Surface.WOOD, Surface.PLASTIC, Surface.LEATHER]
        if difficulty != "easy":
            kinds.append(Surface.CHECK)
    surface = kinds[int(rng.integers(len(kinds)))]
    match surface:
        case Surface.FELT:
            return Material(surface, _jitter(rng, _pick(rng, _FELTS)), 0.95, seed)
        case Surface.WOOD:
            return Material(surface, _jitter(rng, _pick(rng, _WOODS)), rng.uniform(0.4, 0.7), seed)
        case Surface.LEATHER:
            rough = float(rng.uniform(0.45, 0.7))
            return Material(surface, _jitter(rng, _pick(rng, _LEATHERS)), rough, seed)
        case Surface.CHECK:
            return Material(surface, _jitter(rng, _pick(rng, _FELTS), 0.4), 0.9, seed)
        case _:
            rough = float(rng.uniform(0.4, 0.8))
            return Material(surface, _jitter(rng, _pick(rng, _PLASTICS)), rough, seed)


def random_tray(rng: np.random.Generator, difficulty: Difficulty) -> Tray:
    """Draws a tray and the table under it."""
    width = float(rng.uniform(98, 112))
    wall = random_material(rng, "easy")
    if wall.surface is Surface.FELT or rng.random() < 0.3:
        wall = Material(Surface.PLASTIC, _jitter(rng, (0.02, 0.02, 0.02)), 0.5)
    return Tray(
        half=(width, float(width * rng.uniform(0.56, 0.78))),
        wall_height=float(rng.uniform(17, 27)),
        wall_width=float(rng.uniform(3.5, 7)),
        slope=float(rng.choice((0.0, 0.08, 0.17))),
        floor=random_material(rng, difficulty),
        wall=wall,
        table=random_material(rng, difficulty, table=True),
    )


def random_camera(
    rng: np.random.Generator, difficulty: Difficulty, size: tuple[int, int], tray: Tray
) -> Camera:
    """Draws a camera that sees the whole tray."""
    slack = {"easy": 1.0, "normal": 2.0, "hard": 4.5}[difficulty]
    view = float(rng.choice((66.0, 75.0)))
    focal = np.hypot(*size) / 2 / np.tan(np.radians(view) / 2)
    outer_x, outer_y = tray.rim_outer
    room = rng.uniform(1.06, 1.35)
    height = focal * max(outer_x * 2 / size[0], outer_y * 2 / size[1]) * room + tray.wall_height
    tilt_x, tilt_y = rng.normal(0, 0.5 * slack, 2).clip(-1.6 * slack, 1.6 * slack)
    shift = rng.uniform(-3, 3, 2) * slack
    yaw = float(rng.normal(0, 1.2 * slack))
    k1 = float(rng.uniform(-0.08, 0.02))
    return look_down(
        size=size,
        height=float(height),
        # A tilted camera is shifted so that it still looks at the tray.
        offset=(
            float(shift[0] + height * np.tan(np.radians(tilt_y))),
            float(shift[1] - height * np.tan(np.radians(tilt_x))),
        ),
        tilt=(float(tilt_x), float(tilt_y)),
        yaw=yaw,
        diagonal_view=view,
        distortion=(k1, float(rng.uniform(-0.01, 0.02)), 0.0, 0.0),
    )


def _tint(rng: np.random.Generator, spread: float) -> Vector:
    """Colours of light from cold to warm."""
    warm = float(rng.normal(0, spread))
    return (float(np.exp(-warm)), 1.0, float(np.exp(warm)))


def _times(colour: Vector, factor: float) -> Vector:
    return (colour[0] * factor, colour[1] * factor, colour[2] * factor)


def random_lighting(rng: np.random.Generator, difficulty: Difficulty) -> Lighting:
    """Draws lamps: a ceiling lamp or window as a rule, a ring, hard side light when difficult."""
    lights: list[Light] = []
    tint = _tint(rng, {"easy": 0.12, "normal": 0.2, "hard": 0.3}[difficulty])
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
            power=_times(tint, float(rng.uniform(1.2, 2.2))),
        )
    )
    if rng.random() < {"easy": 0.25, "normal": 0.5, "hard": 0.5}[difficulty]:
        outer = float(rng.uniform(45, 90))
        # A bare ring glares in polished dice; a diffused one does not.
        lights.append(
            Light(
                position=(0.0, 0.0, -float(rng.uniform(340, 420))),
                radius=outer,
                hole=outer * float(rng.uniform(0.5, 0.8)),
                power=_times((1.0, 1.0, 0.97), float(rng.uniform(0.4, 1.6))),
            )
        )
    if difficulty == "hard" and rng.random() < 0.5:
        # A lamp or window right above: its mirror image lies in the tops of the dice.
        lights.append(
            Light(
                position=(
                    float(rng.uniform(-160, 160)),
                    float(rng.uniform(-110, 110)),
                    -float(rng.uniform(600, 1000)),
                ),
                radius=float(rng.uniform(30, 130)),
                power=_times(tint, float(rng.uniform(0.6, 1.8))),
            )
        )
    dim = {"easy": (0.7, 1.3), "normal": (0.35, 1.2), "hard": (0.08, 0.9)}[difficulty]
    return Lighting(
        lights=tuple(lights),
        ambient=_times(_tint(rng, 0.15), float(rng.uniform(*dim))),
        room_seed=int(rng.integers(1000)),
        room_contrast=float(
            rng.uniform(0.0, {"easy": 0.4, "normal": 0.8, "hard": 1.2}[difficulty])
        ),
        camera_dark=float(rng.uniform(15, 35)),
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
        designs=_designs(rng),
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
        pip = _jitter(rng, plain.pip, 0.04)
        styles[kind] = replace(base, body=_jitter(rng, plain.body, 0.12), pip=pip)
    return styles


def _designs(rng: np.random.Generator) -> tuple[int, ...]:
    digits = int(rng.integers(4))
    one = [digits, digits, digits]
    return (*one, int(rng.integers(4)), int(rng.integers(4)), int(rng.integers(4)))


def _face(rng: np.random.Generator, kind: Kind) -> Face:
    if kind is Kind.POWER:
        return POWER_FACES[int(rng.integers(6))]
    return int(rng.integers(1, 7))


def random_kinds(rng: np.random.Generator) -> tuple[Kind, ...]:
    """Draws which dice lie in the tray: our set most often, else some of all colours."""
    if rng.random() < 0.7:
        full = (Kind.BLACK,) * 5 + (Kind.RED, Kind.POWER)
        keep = rng.random(7) < 0.9
        return tuple(k for k, kept in zip(full, keep, strict=True) if kept) or full[:1]
    bag = (Kind.RED, Kind.BLACK, Kind.WHITE, Kind.YELLOW, Kind.POWER)
    return tuple(bag[int(rng.integers(5))] for _ in range(int(rng.integers(1, 9))))


def random_dice(
    rng: np.random.Generator,
    difficulty: Difficulty,
    tray: Tray,
    kinds: Sequence[Kind],
    styles: dict[Kind, DieStyle],
) -> tuple[DieBody, ...]:
    """Draws where the dice lie and what they show; when hard some lean or are stacked."""
    touch = {"easy": 0.1, "normal": 0.3, "hard": 0.4}[difficulty]
    odd = {"easy": 0.0, "normal": 0.02, "hard": 0.10}[difficulty]
    places: list[Place] = []
    dice: list[DieBody] = []
    for kind in kinds:
        style, face = styles[kind], _face(rng, kind)
        mishap = rng.random()
        if mishap < odd / 2:
            die = _against_wall(rng, tray, kind, face, style)
            spot = (die.position[0], die.position[1], 0.0)
            if all(separation(spot, p)[0] > 9.0 for p in places):
                dice.append(die)
                places.append(spot)
                continue
        elif mishap < odd and places:
            below = places[int(rng.integers(len(places)))]
            x, y = below[0] + rng.uniform(-5, 5), below[1] + rng.uniform(-5, 5)
            spot = (float(x), float(y), float(rng.uniform(-3, 3)))
            alone = all(p is below or separation(spot, p)[0] > 0.5 for p in places)
            if alone and wall_gap(spot, tray.half) > 0.1 and _flat_below(dice, below):
                dice.append(lying(kind, face, spot[:2], spot[2], style, floor=16.0))
                continue
        place = None
        if places and rng.random() < touch:
            near = beside(rng, places[int(rng.integers(len(places)))])
            clear = all(separation(near, p)[0] >= 0.01 for p in places)
            if clear and wall_gap(near, tray.half) >= 0.05:
                place = near
        if place is None:
            place = free_place(rng, tray.half, places, gap=0.4)
        places.append(place)
        dice.append(lying(kind, face, place[:2], place[2], style))
    return tuple(dice)


def _flat_below(dice: Sequence[DieBody], place: Place) -> bool:
    """Whether the die at a place lies flat on the floor and carries nothing."""
    here = [d for d in dice if np.hypot(d.position[0] - place[0], d.position[1] - place[1]) < 8]
    return len(here) == 1 and abs(here[0].position[2] + here[0].half) < 1e-6


def _against_wall(
    rng: np.random.Generator, tray: Tray, kind: Kind, face: Face, style: DieStyle
) -> DieBody:
    side = int(rng.integers(4))
    axis = side % 2
    along = float(rng.uniform(-0.8, 0.8) * (tray.half[1 - axis] - 12))
    tilt = float(np.radians(rng.uniform(20, 45)))
    return leaning(kind, face, tray.half[axis], along, side, tilt, style)


def random_hand(rng: np.random.Generator, tray: Tray) -> HandPose:
    """Draws a hand that reaches into the tray from any side but mostly from the players'."""
    side = float(rng.choice((np.pi / 2, np.pi / 2, 0.0, np.pi, -np.pi / 2)))
    yaw = side + np.pi + float(rng.normal(0, 0.35))
    x, y = rng.uniform(0.3, 1.1) * np.cos(side), rng.uniform(0.3, 1.1) * np.sin(side)
    along = rng.uniform(-0.6, 0.6)
    return HandPose(
        place=(
            float((x - along * np.sin(side)) * tray.half[0]),
            float((y + along * np.cos(side)) * tray.half[1]),
        ),
        yaw=yaw,
        height=float(rng.uniform(12, 60)),
        grip=tuple(Grip)[int(rng.integers(3))],
        left=bool(rng.random() < 0.4),
        skin=_jitter(rng, _pick(rng, _SKINS), 0.08),
        sleeve=_jitter(rng, (0.15, 0.12, 0.12), 0.6),
        size=float(rng.uniform(0.75, 1.0)),
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


def metered(scene: Scene, target: float = 0.17, error: float = 0.0) -> Scene:
    """The scene with the exposure that a camera would choose.

    Args:
        scene: the scene.
        target: mean linear brightness aimed at.
        error: stops by which the camera is wrong.
    """
    small = replace(scene, smear=()).with_size((96, 54))
    light = render_linear(small, replace(LIVE, oversample=1, backdrop_rays=6))
    gains = np.array(scene.sensor.balance, np.float32)
    mean = float((light * gains).clip(0, 2.0).mean())
    exposure = float(np.clip(target / max(mean, 1e-3), 0.05, 12.0) * 2.0**error)
    return replace(scene, sensor=replace(scene.sensor, exposure=exposure))


def random_scene(
    rng: np.random.Generator,
    difficulty: Difficulty = "normal",
    size: tuple[int, int] = (1536, 864),
    kinds: Sequence[Kind] | None = None,
) -> Scene:
    """Draws a whole scene with the dice at rest.

    Args:
        rng: the only source of chance.
        difficulty: how hard it is to read.
        size: width and height of its picture.
        kinds: the dice in it; drawn too by default.
    """
    tray = random_tray(rng, difficulty)
    scene = Scene(
        camera=random_camera(rng, difficulty, size, tray),
        tray=tray,
        lighting=random_lighting(rng, difficulty),
        sensor=random_sensor(rng, difficulty),
    )
    return another_throw(rng, scene, difficulty, kinds)


def another_throw(
    rng: np.random.Generator,
    scene: Scene,
    difficulty: Difficulty = "normal",
    kinds: Sequence[Kind] | None = None,
) -> Scene:
    """Draws other dice, hand and exposure for the tray, light and camera of a scene.

    Many pictures of one installation are drawn much faster than as many installations.

    Args:
        rng: the only source of chance.
        scene: gives tray, light, camera and lens.
        difficulty: how hard the picture is to read.
        kinds: the dice in it; drawn too by default.
    """
    chosen = tuple(kinds) if kinds is not None else random_kinds(rng)
    styles = random_style(rng, difficulty, tuple(Kind))
    with_hand = rng.random() < {"easy": 0.0, "normal": 0.05, "hard": 0.2}[difficulty]
    with_card = rng.random() < {"easy": 0.0, "normal": 0.02, "hard": 0.12}[difficulty]
    laid = replace(
        scene,
        dice=random_dice(rng, difficulty, scene.tray, chosen, styles),
        hand=random_hand(rng, scene.tray) if with_hand else None,
        card=_random_card(rng, scene.tray) if with_card else None,
        smear=(),
    )
    off = {"easy": 0.15, "normal": 0.3, "hard": 0.55}[difficulty]
    return metered(laid, float(rng.uniform(0.13, 0.2)), float(rng.normal(0, off)))


def _random_card(rng: np.random.Generator, tray: Tray) -> Card:
    angle = rng.uniform(0, 2 * np.pi)
    return Card(
        place=(
            float(np.cos(angle) * tray.half[0] * 1.0),
            float(np.sin(angle) * tray.half[1] * 1.0),
        ),
        yaw=float(rng.uniform(-np.pi, np.pi)),
        height=float(rng.uniform(30, 80)),
        seed=int(rng.integers(1000)),
    )
