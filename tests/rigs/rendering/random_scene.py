"""Draws whole scenes of three difficulties, with mishaps, hands and cards."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from simulator.motion.placing import (
    Place,
    draw_free_place,
    leaning_die,
    separation,
    wall_gap,
)
from simulator.render.dice_model import EDGE_MM, DieBody, DieStyle, flat_die
from simulator.render.hand import Grip, HandPose
from simulator.render.pinhole import CameraModel, look_down
from simulator.render.renderer import with_metered_exposure
from simulator.render.scene import Scene
from simulator.render.texture import Material, Surface
from simulator.render.tray_model import TrayModel
from simulator.scenes.random_setup import (
    DARK_COLOURS,
    PLASTIC_COLOURS,
    WOOD_COLOURS,
    Difficulty,
    jitter_colour,
    pick_colour,
    random_face,
    random_lighting,
    random_sensor,
    random_style,
    random_tray,
)
from tests.rigs.rendering.card import FlatCard
from vision.reading import Face, Kind

_SKINS = ((0.26, 0.36, 0.60), (0.18, 0.27, 0.50), (0.10, 0.16, 0.34), (0.04, 0.07, 0.15))


def random_scene(
    rng: np.random.Generator,
    difficulty: Difficulty = "normal",
    size: tuple[int, int] = (1536, 864),
    kinds: Sequence[Kind] | None = None,
) -> Scene:
    """Draws a whole scene with the dice at rest.

    Args:
        rng: the only source of randomness.
        difficulty: how hard it is to read.
        size: width and height of its picture.
        kinds: the dice in it; drawn at random by default.
    """
    return another_throw(rng, installation(rng, difficulty, size), difficulty, kinds)


def installation(rng: np.random.Generator, difficulty: Difficulty, size: tuple[int, int]) -> Scene:
    """Draws tray, light, camera and lens of a scene, without dice; arguments as `random_scene`."""
    tray = finished(rng, random_tray(rng, difficulty), difficulty)
    return Scene(
        camera=random_camera(rng, difficulty, size, tray),
        tray=tray,
        lighting=random_lighting(rng, difficulty),
        sensor=random_sensor(rng, difficulty),
    )


def another_throw(
    rng: np.random.Generator,
    scene: Scene,
    difficulty: Difficulty = "normal",
    kinds: Sequence[Kind] | None = None,
) -> Scene:
    """Draws other dice, hand and exposure for the tray, light and camera of a scene.

    Many pictures of one installation are rendered much faster than as many installations.

    Args:
        rng: the only source of randomness.
        scene: provides tray, light, camera and lens.
        difficulty: how hard the picture is to read.
        kinds: the dice in it; drawn at random by default.
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
    return with_metered_exposure(laid, float(rng.uniform(0.13, 0.2)), float(rng.normal(0, off)))


def random_camera(
    rng: np.random.Generator, difficulty: Difficulty, size: tuple[int, int], tray: TrayModel
) -> CameraModel:
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


def random_kinds(rng: np.random.Generator) -> tuple[Kind, ...]:
    """Draws which dice lie in the tray: mostly our set, otherwise some of all colours."""
    if rng.random() < 0.7:
        full = (Kind.BLACK,) * 5 + (Kind.RED, Kind.POWER)
        keep = rng.random(7) < 0.9
        return tuple(k for k, kept in zip(full, keep, strict=True) if kept) or full[:1]
    bag = (Kind.RED, Kind.BLACK, Kind.WHITE, Kind.YELLOW, Kind.POWER)
    return tuple(bag[int(rng.integers(5))] for _ in range(int(rng.integers(1, 9))))


def random_dice(
    rng: np.random.Generator,
    difficulty: Difficulty,
    tray: TrayModel,
    kinds: Sequence[Kind],
    styles: dict[Kind, DieStyle],
) -> tuple[DieBody, ...]:
    """Draws where the dice lie and what they show; unless easy some lean or are stacked."""
    touch = {"easy": 0.1, "normal": 0.3, "hard": 0.4}[difficulty]
    odd = {"easy": 0.0, "normal": 0.02, "hard": 0.10}[difficulty]
    places: list[Place] = []
    dice: list[DieBody] = []
    for kind in kinds:
        style, face = styles[kind], random_face(rng, kind)
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
                dice.append(flat_die(kind, face, spot[:2], spot[2], style, floor=16.0))
                continue
        place = None
        if places and rng.random() < touch:
            near = beside(rng, places[int(rng.integers(len(places)))])
            clear = all(separation(near, p)[0] >= 0.01 for p in places)
            if clear and wall_gap(near, tray.half) >= 0.05:
                place = near
        if place is None:
            place = draw_free_place(rng, tray.half, places, gap=0.4)
        places.append(place)
        dice.append(flat_die(kind, face, place[:2], place[2], style))
    return tuple(dice)


def _flat_below(dice: Sequence[DieBody], place: Place) -> bool:
    """True if the die at a place lies flat on the floor and carries nothing."""
    here = [d for d in dice if np.hypot(d.position[0] - place[0], d.position[1] - place[1]) < 8]
    return len(here) == 1 and abs(here[0].position[2] + here[0].half) < 1e-6


def _against_wall(
    rng: np.random.Generator, tray: TrayModel, kind: Kind, face: Face, style: DieStyle
) -> DieBody:
    side = int(rng.integers(4))
    axis = side % 2
    along = float(rng.uniform(-0.8, 0.8) * (tray.half[1 - axis] - 12))
    tilt = float(np.radians(rng.uniform(20, 45)))
    return leaning_die(kind, face, tray.half[axis], along, side, tilt, style)


def finished(rng: np.random.Generator, tray: TrayModel, difficulty: Difficulty) -> TrayModel:
    """The tray as its maker may finish it: walls lined, a moulding along their foot.

    Draws from its own random stream, so that everything else drawn stays the same.
    """
    own = rng.spawn(1)[0]
    lined = bool(own.random() < 0.4)
    if own.random() >= {"easy": 0.0, "normal": 0.4, "hard": 0.4}[difficulty]:
        return replace(tray, lined=lined)
    colour = pick_colour(own, (*DARK_COLOURS, *WOOD_COLOURS, *PLASTIC_COLOURS))
    moulding = Material(
        Surface.PLASTIC, jitter_colour(own, colour, 0.3), float(own.uniform(0.3, 0.6))
    )
    return replace(tray, lined=lined, trim=float(own.uniform(2.0, 6.0)), moulding=moulding)


def beside(
    rng: np.random.Generator, place: Place, edge: float = EDGE_MM, gap: float = 0.02
) -> Place:
    """Draws a place where a die touches the one at `place`, side by side or side to corner."""
    yaw = place[2] + np.pi / 2 * rng.integers(4)
    if rng.random() < 0.6:
        turn, reach = 0.0, edge
    else:
        turn = float(rng.uniform(0.1, np.pi / 2 - 0.1))
        reach = edge / 2 + edge / 2 * (np.cos(turn) + np.sin(turn))
    along = rng.uniform(-0.6, 0.6) * edge
    x = place[0] + np.cos(yaw) * (reach + gap) - np.sin(yaw) * along
    y = place[1] + np.sin(yaw) * (reach + gap) + np.cos(yaw) * along
    return (float(x), float(y), float(place[2] + turn))


def random_hand(rng: np.random.Generator, tray: TrayModel) -> HandPose:
    """Draws a hand that reaches into the tray from any side, but mostly from the players'."""
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
        skin=jitter_colour(rng, pick_colour(rng, _SKINS), 0.08),
        sleeve=jitter_colour(rng, (0.15, 0.12, 0.12), 0.6),
        size=float(rng.uniform(0.75, 1.0)),
    )


def _random_card(rng: np.random.Generator, tray: TrayModel) -> FlatCard:
    angle = rng.uniform(0, 2 * np.pi)
    return FlatCard(
        place=(
            float(np.cos(angle) * tray.half[0] * 1.0),
            float(np.sin(angle) * tray.half[1] * 1.0),
        ),
        yaw=float(rng.uniform(-np.pi, np.pi)),
        height=float(rng.uniform(30, 80)),
        seed=int(rng.integers(1000)),
    )
