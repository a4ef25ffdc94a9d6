"""Trays whose markers are seen but cannot be used, in the ways in which people bring that about.

Each kind is drawn on a set-up of `any_set_up`. What must be said of it is one of its problems; some
have several causes that are the same to whoever mends them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from calibration.markers.lens import MODULE_3
from calibration.markers.printed import PLATE_MM
from calibration.problems import Problem
from simulator.render.dice_model import flat_die
from simulator.render.prints import Print
from simulator.render.scene import Scene
from tests.rigs.any_set_up import SIZE, SetUp, any_set_up
from vision.frame import Image
from vision.geometry.sight import Sight, part_of_shape
from vision.reading import Kind

TILT_DEG = 45.0
WIDE_LENS = (118.0, -0.2)
"""Angle of view across the diagonal, degrees, and k1."""
HUNTED_MM = (0.2, 2.2, 4.5, 2.2, 0.2, 1.4)
"""Radius of the blur circle on the floor while a focus hunts, from one picture to the next."""

_GLARE = frozenset(
    {
        Problem.GLARE_LEFT,
        Problem.GLARE_RIGHT,
        Problem.GLARE_TOP,
        Problem.GLARE_BOTTOM,
        Problem.GLARE_MIDDLE,
    }
)
_GLUED = frozenset({Problem.MARKERS_MIXED, Problem.MARKER_TURNED})
_COVERED = frozenset({Problem.HIDDEN}) | _GLARE


@dataclass(frozen=True, slots=True)
class Shine:
    """A lamp's reflection.

    Attributes:
        at: its middle, (x, y, z) millimetres.
        reach_mm: from there to where it ends.
    """

    at: tuple[float, float, float]
    reach_mm: float


@dataclass(frozen=True, slots=True)
class FaultyTray:
    """A tray, as a camera sees it from one picture to the next.

    Attributes:
        scenes: in turn.
        sight: what the camera says of itself.
        problems: any of them may be told.
        shines: reflections on top.
    """

    scenes: tuple[Scene, ...]
    sight: Sight | None
    problems: frozenset[Problem]
    shines: tuple[Shine, ...] = field(default=())

    def with_shines(self, image: Image) -> Image:
        """A picture with the reflections in it."""
        camera = self.scenes[0].camera
        lit = image.astype(np.float32)
        for shine in self.shines:
            ends = np.array((shine.at, np.add(shine.at, (shine.reach_mm, 0.0, 0.0))))
            (x, y), end = camera.project(ends)
            reach = float(np.hypot(*(end - (x, y))))
            rows, columns = np.mgrid[: image.shape[0], : image.shape[1]].astype(np.float32)
            away = ((columns - x) ** 2 + (rows - y) ** 2) / reach**2
            lit += 600.0 * np.exp(-((2 * away) ** 2))[..., None]
        return np.asarray(np.minimum(lit, 255.0), np.uint8)


Draw = Callable[[SetUp, np.random.Generator], FaultyTray]


def _printed(
    where: SetUp, prints: tuple[Print, ...], problems: frozenset[Problem] = _GLUED
) -> FaultyTray:
    return FaultyTray((replace(where.where.scene, prints=prints),), where.sight, problems)


def _placed(order: tuple[int, int, int, int]) -> Draw:
    """The plate at each place is another one's: `order` says whose."""

    def draw(where: SetUp, _: np.random.Generator) -> FaultyTray:
        plates = where.where.scene.prints
        moved = (
            replace(there, sheet=plates[k].sheet) for there, k in zip(plates, order, strict=True)
        )
        return _printed(where, tuple(moved))

    return draw


def _turned(quarters: tuple[int, int, int, int], shuffled: bool = True) -> Draw:
    def draw(where: SetUp, rng: np.random.Generator) -> FaultyTray:
        by = rng.permutation(quarters) if shuffled else np.array(quarters)
        plates = where.where.scene.prints
        turned = (
            replace(plate, yaw=plate.yaw + np.pi / 2 * int(k))
            for plate, k in zip(plates, by, strict=True)
        )
        return _printed(where, tuple(turned))

    return draw


def _exchanged(where: SetUp, rng: np.random.Generator) -> FaultyTray:
    order = [0, 1, 2, 3]
    one = int(rng.integers(4))
    other = (one + 1) % 4
    order[one], order[other] = order[other], order[one]
    return _placed((order[0], order[1], order[2], order[3]))(where, rng)


def _twice(where: SetUp, rng: np.random.Generator) -> FaultyTray:
    order = [0, 1, 2, 3]
    one = int(rng.integers(4))
    order[one] = (one + 1) % 4
    return _placed((order[0], order[1], order[2], order[3]))(where, rng)


def _shone_on(share: float, beside: float) -> Draw:
    """A reflection of a share of a plate, so many plates beside its middle."""

    def draw(where: SetUp, rng: np.random.Generator) -> FaultyTray:
        scene = where.where.scene
        plate = scene.prints[int(rng.integers(4))]
        way = float(rng.uniform(0, 2 * np.pi))
        x, y = np.array(plate.place) + beside * PLATE_MM * np.array((np.cos(way), np.sin(way)))
        shine = Shine((float(x), float(y), -plate.height), share * PLATE_MM)
        return FaultyTray((scene,), where.sight, _COVERED, (shine,))

    return draw


def _with_die(scene: Scene, where: SetUp, rng: np.random.Generator, on: int) -> Scene:
    plate = scene.prints[on]
    x, y = np.array(plate.place) + rng.uniform(-3, 3, 2)
    die = flat_die(
        *(Kind.BLACK, int(rng.integers(1, 7))),
        (float(x), float(y)),
        float(rng.uniform(0, 6)),
        where.where.styles[Kind.BLACK],
        floor=plate.height,
    )
    return replace(scene, dice=(*scene.dice, die))


def _covered(count: int) -> Draw:
    def draw(where: SetUp, rng: np.random.Generator) -> FaultyTray:
        scene = where.where.scene
        for k in rng.permutation(4)[:count]:
            scene = _with_die(scene, where, rng, int(k))
        return FaultyTray((scene,), where.sight, _COVERED)

    return draw


def _hunting(where: SetUp, rng: np.random.Generator) -> FaultyTray:
    first = int(rng.integers(len(HUNTED_MM)))
    scene = where.where.scene
    scenes = (
        replace(scene, sensor=replace(scene.sensor, defocus=blur))
        for blur in (*HUNTED_MM[first:], *HUNTED_MM[:first])
    )
    return FaultyTray(tuple(scenes), where.sight, frozenset({Problem.BLURRED}))


def _as_it_is(problems: frozenset[Problem]) -> Draw:
    def draw(where: SetUp, _: np.random.Generator) -> FaultyTray:
        return FaultyTray((where.where.scene,), where.sight, problems)

    return draw


def _of_a_module(where: SetUp, _: np.random.Generator) -> FaultyTray:
    """A Camera Module 3 on which somebody has put another lens."""
    sight = Sight(MODULE_3.models[0], MODULE_3.array, part_of_shape(MODULE_3.array, SIZE))
    return FaultyTray((where.where.scene,), sight, frozenset({Problem.OTHER_LENS}))


def _mixed_and_covered(where: SetUp, rng: np.random.Generator) -> FaultyTray:
    mixed = _exchanged(where, rng)
    scene = _with_die(mixed.scenes[0], where, rng, int(rng.integers(4)))
    return replace(mixed, scenes=(scene,), problems=_GLUED | _COVERED)


def _turned_and_shone_on(where: SetUp, rng: np.random.Generator) -> FaultyTray:
    turned = _turned((2, 0, 0, 0))(where, rng)
    shone = _shone_on(1.4, 0.0)(where, rng)
    return replace(turned, shines=shone.shines, problems=_GLUED | _COVERED)


def _covered_and_shone_on(where: SetUp, rng: np.random.Generator) -> FaultyTray:
    return replace(_covered(1)(where, rng), shines=_shone_on(1.4, 0.0)(where, rng).shines)


def _bent(where: SetUp, rng: np.random.Generator) -> FaultyTray:
    """One is stuck on a slope."""
    plates = list(where.where.scene.prints)
    k = int(rng.integers(4))
    lean = float(rng.choice((-1, 1)) * rng.uniform(0.45, 0.6))
    plates[k] = replace(plates[k], tilt=(lean, 0.0), height=plates[k].height + 6.0)
    return _printed(where, tuple(plates), frozenset({Problem.UNLEVEL, Problem.HIDDEN}))


KINDS: Mapping[str, Draw] = {
    "exchanged": _exchanged,
    "moved on by one": _placed((3, 0, 1, 2)),
    "one upside-down": _turned((2, 0, 0, 0)),
    "for the other side": _turned((2, 2, 2, 2)),
    "a reflection over one": _shone_on(1.4, 0.0),
    "a die on one": _covered(1),
    "a reflection over half of one": _shone_on(0.75, 0.45),
    "a hunting focus": _hunting,
    "tilted": _as_it_is(frozenset({Problem.TILTED})),
    "a lens of 118 degrees": _of_a_module,
    "one turned by a quarter": _turned((1, 0, 0, 0)),
    "two turned": _turned((1, 3, 0, 0)),
    "counter-clockwise": _placed((0, 3, 2, 1)),
    "across": _placed((2, 1, 0, 3)),
    "one twice": _twice,
}
MORE_KINDS: Mapping[str, Draw] = {
    "exchanged, and a die on one": _mixed_and_covered,
    "one upside-down, and a reflection": _turned_and_shone_on,
    "a die on one, and a reflection": _covered_and_shone_on,
    "dice on two": _covered(2),
    "one bent": _bent,
}
"""Two faults at once, and faults that fit nothing else."""


def faulty_tray(kind: str, seed: int) -> FaultyTray:
    """Draws a tray of one of `KINDS` or `MORE_KINDS`."""
    tilt_deg = TILT_DEG if kind == "tilted" else None
    webcam = WIDE_LENS if kind == "a lens of 118 degrees" else None
    where = any_set_up(seed, tilt_deg, webcam)
    return {**KINDS, **MORE_KINDS}[kind](where, np.random.default_rng((seed, 75)))
