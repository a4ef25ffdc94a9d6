"""Close views of dice that lie properly and of others: leaning, propped, stacked, covered.

Whole trays seldom show such dice and are expensive to render. Here each picture is a small part of
what a camera over a tray would see, with one die in its middle and others round it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import numpy as np

from simulator.render.dice_model import (
    EDGE_MM,
    FACE_NORMALS,
    DieBody,
    DieStyle,
    as_quaternion,
    flat_die,
    top_slot,
)
from simulator.render.die_cast import cube_corners
from simulator.render.light import Light, Lighting
from simulator.render.pinhole import CameraModel, look_down
from simulator.render.renderer import render, with_metered_exposure
from simulator.render.scene import Quality, Scene
from simulator.render.tray_model import TrayModel, wall_setback
from simulator.scenes.random_setup import (
    Difficulty,
    random_face,
    random_lighting,
    random_sensor,
    random_style,
    random_tray,
)
from tests.rigs.rendering.card import FlatCard
from tests.rigs.rendering.random_scene import finished, random_camera, random_hand, random_kinds
from tests.rigs.rendering.truth import DieTruth, hidden_share, truth
from vision.frame import Image
from vision.geometry.camera import rotation_of
from vision.image.arrays import FloatArray
from vision.reading import Kind

Subject = Literal["any", "stacked", "covered", "facing"]
"""The first die of a view: not stacked and seldom covered; or on others; or partly under a hand or
a card; or leaning towards the camera."""
CLOSE = Quality(oversample=2, shadow_rays=6, background_rays=6)
SIDE_EDGES = 4.4
"""Side of a view, in edges of the die in its middle."""
STACKED_GAP_MM = 0.05
"""Gap between dice that stand on each other, millimetres."""
POLISHED_SHARE = 0.25
"""Share of installations with polished dice under a lamp that their tops reflect. Half of these
pictures are exposed for the dice, by up to `DARKER` stops less than a camera would choose."""
DARKER = 4.5
SLIGHT_LEAN_DEGREES = (12.0, 34.0)
"""Tilt of leaning dice that seem to lie flat, degrees."""
HIDDEN_TOP_SHARE = (0.1, 0.9)
"""Share of the top of a covered die that is hidden."""
_SIZES = ((1536, 864), (1536, 864), (1536, 864), (1152, 648), (960, 540), (768, 432))


@dataclass(frozen=True, slots=True, eq=False)
class CloseView:
    """A part of a picture of a tray.

    Attributes:
        picture: (side, side, 3), BGR, 8 bits.
        scene: what it shows; its camera is that of the part.
        corner: pixel of the whole picture at the part's top left, x and y.
        whole: width and height of the whole picture.
        dice: the truth, the die in the middle first.
    """

    picture: Image
    scene: Scene
    corner: tuple[int, int]
    whole: tuple[int, int]
    dice: tuple[DieTruth, ...]


def overlap(a: DieBody, b: DieBody) -> bool:
    """True if two cubes share a point: the separating axis theorem in 3D."""
    first, second = cube_corners(a).astype(np.float64), cube_corners(b).astype(np.float64)
    ways = [*a.rotation.T, *b.rotation.T]
    ways += [np.cross(u, v) for u in a.rotation.T for v in b.rotation.T]
    for way in ways:
        if float(np.dot(way, way)) < 1e-6:
            continue
        one, two = first @ way, second @ way
        if one.max() < two.min() or two.max() < one.min():
            return False
    return True


def tilted(
    rng: np.random.Generator, kind: Kind, style: DieStyle, degrees: float, height: float
) -> DieBody:
    """A die over the tray's middle, tilted about a level axis, its lowest point at `height`."""
    flat = flat_die(kind, random_face(rng, kind), (0.0, 0.0), float(rng.uniform(-3.2, 3.2)), style)
    about = rng.uniform(0, 2 * np.pi)
    if rng.random() < 0.6:  # on an edge, as dice rest most often
        right = flat.rotation[:, int(np.argmin(np.abs(flat.rotation[2])))]
        about = np.arctan2(right[1], right[0]) + rng.normal(0, 0.12)
    vector = np.radians(degrees) * np.array((np.cos(about), np.sin(about), 0.0))
    rotation = rotation_of(vector) @ flat.rotation
    die = replace(flat, orientation=as_quaternion(rotation), position=(0.0, 0.0, 0.0))
    return replace(die, position=(0.0, 0.0, -float(cube_corners(die)[:, 2].max()) - height))


def moved(die: DieBody, x: float, y: float) -> DieBody:
    """The die with its middle at another place at the same height."""
    return replace(die, position=(float(x), float(y), die.position[2]))


def against_die(rng: np.random.Generator, die: DieBody, support: DieBody) -> DieBody:
    """The die pushed against another from a side, as close as possible without overlap."""
    way = rng.uniform(0, 2 * np.pi)
    step = np.array((np.cos(way), np.sin(way)))
    start = np.array(support.position[:2]) + rng.uniform(-6, 6) * np.array((-step[1], step[0]))
    near, far = 0.0, 3 * EDGE_MM
    for _ in range(12):
        middle = (near + far) / 2
        if overlap(moved(die, *(start + step * middle)), support):
            near = middle
        else:
            far = middle
    return moved(die, *(start + step * far))


def against_wall(rng: np.random.Generator, die: DieBody, tray: TrayModel) -> DieBody:
    """The die pushed to one of the tray's walls, or near it."""
    side = int(rng.integers(4))
    axis, sign = side % 2, 1.0 if side < 2 else -1.0
    points = cube_corners(die)
    # The walls lean outwards: a corner high up reaches further.
    reach = points[:, axis] * sign - wall_setback(tray, -points[:, 2])
    place = [0.0, 0.0]
    gap = abs(rng.normal(0, 0.3)) if rng.random() < 0.7 else rng.uniform(0, 6)
    place[axis] = sign * (tray.half[axis] - float(reach.max()) - gap)
    room = tray.half[1 - axis] - EDGE_MM
    place[1 - axis] = float(rng.uniform(-room, room))
    return moved(die, *place)


def _inside(die: DieBody, tray: TrayModel, slack: float = 0.6) -> bool:
    points = np.abs(cube_corners(die)[:, :2])
    lean = wall_setback(tray, -cube_corners(die)[:, 2])
    return bool((points <= np.array(tray.half) + lean[:, None] + slack).all())


def _flat(rng: np.random.Generator, kind: Kind, style: DieStyle, floor: float = 0.0) -> DieBody:
    yaw = float(rng.uniform(-np.pi, np.pi))
    return flat_die(kind, random_face(rng, kind), (0.0, 0.0), yaw, style, floor=floor)


def _somewhere(rng: np.random.Generator, tray: TrayModel) -> tuple[float, float]:
    x, y = (rng.uniform(-1, 1) * (half - EDGE_MM) for half in tray.half)
    return float(x), float(y)


def held(rng: np.random.Generator, die: DieBody, tray: TrayModel) -> DieBody:
    """A flat die kept beside the tray, as in a holder, square to its wall."""
    side = int(rng.integers(4))
    axis, sign = side % 2, 1.0 if side < 2 else -1.0
    kind, style = die.kind, die.style
    quarter = float(rng.integers(4) * np.pi / 2 + rng.normal(0, 0.03))
    high = float(rng.uniform(0, 0.22 * EDGE_MM))
    flat = flat_die(kind, random_face(rng, kind), (0.0, 0.0), quarter, style, floor=high)
    place = [0.0, 0.0]
    place[axis] = sign * (tray.rim_outer[axis] + EDGE_MM * rng.uniform(0.55, 0.9))
    place[1 - axis] = float(rng.uniform(-0.8, 0.8) * tray.half[1 - axis])
    return moved(flat, *place)


def is_held(die: DieBody, tray: TrayModel) -> bool:
    """True if a die lies beside the tray."""
    return any(abs(v) > outer for v, outer in zip(die.position, tray.rim_outer, strict=False))


def _row(die: DieBody, step: float, sign: float) -> DieBody:
    """Where the next die of a row in a holder stands."""
    way = np.array((-die.position[1], die.position[0]))
    along = np.array((1.0, 0.0)) if abs(way[0]) > abs(way[1]) else np.array((0.0, 1.0))
    return moved(die, *(np.array(die.position[:2]) + sign * step * along))


def _facing(die: DieBody, eye: FloatArray) -> float:
    """Cosine of the angle between a top's normal and the direction to a point, (3,)."""
    way = eye - np.array(die.position)
    normal = die.rotation @ FACE_NORMALS[top_slot(die)[0]]
    return float(normal @ way) / float(np.linalg.norm(way))


def _towards(
    rng: np.random.Generator,
    tray: TrayModel,
    kinds: tuple[Kind, ...],
    styles: dict[Kind, DieStyle],
    eye: FloatArray,
) -> list[DieBody]:
    """A die that leans towards the camera and so seems to lie flat: the best of several."""
    first, second = kinds[0], kinds[1]
    below = moved(_flat(rng, second, styles[second]), *_somewhere(rng, tray))
    wall = rng.random() < 0.5

    def leaning() -> DieBody:
        high = 0.0 if rng.random() < 0.6 else float(rng.uniform(0, 7))
        die = tilted(rng, first, styles[first], float(rng.uniform(*SLIGHT_LEAN_DEGREES)), high)
        return against_wall(rng, die, tray) if wall else against_die(rng, die, below)

    tries = [leaning() for _ in range(int(rng.integers(10, 80)))]
    die = max(tries, key=lambda one: _facing(one, eye))
    return [die] if wall else [die, below]


def _subject(
    rng: np.random.Generator, tray: TrayModel, kinds: tuple[Kind, ...], styles: dict[Kind, DieStyle]
) -> list[DieBody]:
    """The die in the middle and, where it has one, what it leans on."""
    first, second = kinds[0], kinds[1]
    below = moved(_flat(rng, second, styles[second]), *_somewhere(rng, tray))
    what = rng.random()
    if what < 0.506:
        die = _flat(rng, first, styles[first])
        where = rng.random()
        if where < 0.15:
            saved = held(rng, die, tray)
            row, step = [saved], float(rng.uniform(16.2, 19.0))
            for sign in rng.permutation((-1, 1))[: int(rng.integers(1, 3))]:
                beside = held(rng, _flat(rng, second, styles[second]), tray)
                row.append(_row(replace(beside, position=saved.position), step, float(sign)))
            return row
        if where < 0.43:
            return [against_wall(rng, die, tray)]
        if where < 0.82:
            return [against_die(rng, die, below), below]
        return [moved(die, *_somewhere(rng, tray))]
    steep = rng.uniform(12, 26) if rng.random() < 0.6 else rng.uniform(26, 54)
    if what < 0.753:
        high = 0.0 if rng.random() < 0.6 else float(rng.uniform(0, 7))
        return [against_wall(rng, tilted(rng, first, styles[first], steep, high), tray)]
    if what < 0.944:
        high = 0.0 if rng.random() < 0.6 else float(rng.uniform(0, 15))
        return [against_die(rng, tilted(rng, first, styles[first], steep, high), below), below]
    die = tilted(rng, first, styles[first], steep, float(rng.uniform(0, 12)))
    return [moved(die, *_somewhere(rng, tray))]


def _stack(
    rng: np.random.Generator, tray: TrayModel, kinds: tuple[Kind, ...], styles: dict[Kind, DieStyle]
) -> list[DieBody]:
    """A die on top of another, or across two."""
    first, second, third = kinds[0], kinds[1], kinds[-1]
    below = moved(_flat(rng, second, styles[second]), *_somewhere(rng, tray))
    die = _flat(rng, first, styles[first], floor=EDGE_MM + STACKED_GAP_MM)
    if rng.random() < 0.35:
        more = against_die(rng, _flat(rng, third, styles[third]), below)
        x, y = (np.array(below.position[:2]) + np.array(more.position[:2])) / 2
        x, y = np.array((x, y)) + rng.uniform(-3.5, 3.5, 2)
        return [moved(die, x, y), below, more]
    x, y = np.array(below.position[:2]) + rng.uniform(-7.8, 7.8, 2)
    return [moved(die, x, y), below]


def mishap_dice(
    rng: np.random.Generator,
    tray: TrayModel,
    difficulty: Difficulty,
    subject: Subject,
    eye: FloatArray,
) -> list[DieBody]:
    """Draws a die, lying properly or not, and some neighbours that all lie flat.

    Args:
        rng: the only source of randomness.
        tray: that they lie in.
        difficulty: how hard they are to read.
        subject: which die is wanted.
        eye: position of the camera, (3,).
    """
    bag = list(random_kinds(rng) + random_kinds(rng))
    rng.shuffle(bag)
    kinds = tuple(bag) if len(bag) > 1 else (bag[0], bag[0])
    styles = random_style(rng, difficulty, tuple(Kind))
    draw = _subject
    if subject == "stacked":
        draw = _stack
    elif subject == "facing":
        draw = partial(_towards, eye=eye)
    dice = draw(rng, tray, kinds, styles)
    while not all(_inside(die, tray) or is_held(die, tray) for die in dice) or any(
        overlap(a, b) for i, a in enumerate(dice) for b in dice[:i]
    ):
        dice = draw(rng, tray, kinds, styles)
    for _ in range(int(rng.choice(4, p=(0.3, 0.35, 0.25, 0.1)))):
        kind = bag[int(rng.integers(len(bag)))]
        other = _flat(rng, kind, styles[kind])
        if rng.random() < 0.6:
            # Mostly against the die in the middle: flat dice that touch look like leaning ones.
            support = 0 if rng.random() < 0.6 else int(rng.integers(len(dice)))
            other = against_die(rng, other, dice[support])
        else:
            x, y = np.array(dice[0].position[:2]) + rng.uniform(-38, 38, 2)
            other = moved(other, x, y)
        if _inside(other, tray) and not any(overlap(other, die) for die in dice):
            dice.append(other)
    return dice


def _camera(rng: np.random.Generator, difficulty: Difficulty, tray: TrayModel) -> CameraModel:
    size = _SIZES[int(rng.integers(len(_SIZES)))]
    if rng.random() < 0.75:
        return random_camera(rng, difficulty, size, tray)
    # Other mounts: lower or higher, with the tray's middle off the picture's.
    height = float(rng.uniform(220, 700))
    x, y = rng.uniform(-0.6, 0.6, 2) * np.array(tray.half)
    tilt = rng.normal(0, 4, 2)
    wide = 2 * np.hypot(*tray.half) * rng.uniform(1.0, 1.5)
    view = float(np.degrees(2 * np.arctan(wide / 2 / height)))
    return look_down(
        size=size,
        height=height,
        offset=(float(x), float(y)),
        tilt=(float(tilt[0]), float(tilt[1])),
        yaw=float(rng.normal(0, 4)),
        diagonal_view=min(view, 100.0),
    )


def part_of(camera: CameraModel, corner: tuple[int, int], side: int) -> CameraModel:
    """The camera that takes a square part of another camera's picture."""
    return replace(
        camera,
        size=(side, side),
        centre=(camera.centre[0] - corner[0], camera.centre[1] - corner[1]),
    )


def close_views(
    rng: np.random.Generator,
    difficulty: Difficulty,
    count: int,
    subject: Subject = "any",
) -> Iterator[CloseView]:
    """Draws views of one installation: tray, light and, while it sees the die, camera stay.

    Args:
        rng: the only source of randomness.
        difficulty: how hard they are to read.
        count: how many.
        subject: what the first die of each should be.
    """
    tray = finished(rng, random_tray(rng, difficulty), difficulty)
    polished = rng.random() < POLISHED_SHARE
    lighting = random_lighting(rng, difficulty)
    setup = Scene(
        camera=_camera(rng, difficulty, tray),
        tray=tray,
        lighting=_with_lamp_above(rng, lighting, tray) if polished else lighting,
        sensor=random_sensor(rng, difficulty),
    )
    for _ in range(count):
        scene = replace(
            setup, dice=tuple(mishap_dice(rng, tray, difficulty, subject, setup.camera.position))
        )
        while not _in_sight(scene):
            setup = replace(setup, camera=_camera(rng, difficulty, tray))
            scene = replace(scene, camera=setup.camera)
        stops = float(rng.normal(0, 0.4))
        if polished:
            scene = replace(scene, dice=_polished(rng, scene.dice))
            stops -= float(rng.uniform(0, DARKER)) if rng.random() < 0.5 else 0.0
        scene = with_metered_exposure(scene, float(rng.uniform(0.12, 0.22)), stops)
        seen = _with_cover(rng, scene)
        while (
            subject == "covered"
            and not HIDDEN_TOP_SHARE[0] < hidden_share(seen, 0) < HIDDEN_TOP_SHARE[1]
        ):
            seen = _with_cover(rng, scene)
        yield seen_close(rng, seen)


def _with_lamp_above(rng: np.random.Generator, lighting: Lighting, tray: TrayModel) -> Lighting:
    """The lighting with one more lamp, which many of the tops reflect."""
    high = float(rng.uniform(600, 1600))
    x, y = rng.uniform(-2.5, 2.5, 2) * np.array(tray.half)
    lamp = Light(
        position=(float(x), float(y), -high),
        radius=high * float(np.exp(rng.uniform(np.log(0.03), np.log(0.3)))),
        power=(float(rng.uniform(0.4, 2.0)),) * 3,
    )
    return replace(lighting, lights=(*lighting.lights, lamp))


def _polished(rng: np.random.Generator, dice: tuple[DieBody, ...]) -> tuple[DieBody, ...]:
    rough = float(rng.uniform(0.03, 0.16))
    return tuple(replace(die, style=replace(die.style, roughness=rough)) for die in dice)


def _with_cover(rng: np.random.Generator, scene: Scene) -> Scene:
    """The scene, now and then with a hand or a card over or beside the first die."""
    place = np.array(scene.dice[0].position[:2])
    if rng.random() < 0.15:
        over = place + rng.normal(0, 38, 2)
        # Fingertips hang 20 mm below the knuckles' underside.
        hand = replace(
            random_hand(rng, scene.tray),
            place=(float(over[0]), float(over[1])),
            height=float(rng.uniform(26, 60)),
        )
        return replace(scene, hand=hand)
    if rng.random() < 0.1:
        turn = float(rng.uniform(-np.pi, np.pi))
        over = place + rng.uniform(20, 55) * np.array((np.cos(turn), np.sin(turn)))
        card = FlatCard(
            place=(float(over[0]), float(over[1])),
            yaw=float(rng.uniform(-np.pi, np.pi)),
            height=float(rng.uniform(26, 80)),
            seed=int(rng.integers(1000)),
        )
        return replace(scene, card=card)
    return scene


def _in_sight(scene: Scene) -> bool:
    """True if the first die is wholly in the picture."""
    pixels = scene.camera.project(cube_corners(scene.dice[0]))
    return bool((pixels > 0).all() and (pixels < np.array(scene.camera.size) - 1).all())


def seen_close(rng: np.random.Generator, scene: Scene) -> CloseView:
    """The part of a scene's picture with its first die in the middle."""
    part, corner = close_part(scene)
    picture = render(part, rng=rng, quality=CLOSE)
    return CloseView(picture, part, corner, scene.camera.size, truth(part))


def close_part(scene: Scene) -> tuple[Scene, tuple[int, int]]:
    """The scene with a camera for the part with the first die, and where that begins, pixels."""
    camera = scene.camera
    place = np.array(scene.dice[0].position)
    middle, reach = camera.project(np.array([place, place + np.array((EDGE_MM, 0.0, 0.0))]))
    side = int(np.ceil(np.hypot(*(reach - middle)) * SIDE_EDGES / 16)) * 16
    x, y = (round(float(v) - side / 2) for v in middle)
    x = int(np.clip(x, 0, max(0, camera.size[0] - side)))
    y = int(np.clip(y, 0, max(0, camera.size[1] - side)))
    sensor = replace(scene.sensor, vignette=0.0, fringe=0.0)
    return replace(scene, camera=part_of(camera, (x, y), side), sensor=sensor), (x, y)
