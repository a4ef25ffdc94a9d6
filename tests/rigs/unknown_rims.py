"""Set-ups of which neither the rim's height, nor the size of the dice, nor the print's is known.

Five kinds: rims of 0 to 60 mm, mats without one, cameras that lean, wide lenses, and prints that
are not quite as large as they should be. `scripts/bench_self_calibration.py --rims` measures on
them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.markers.printed import PLATE_MM, PrintedSheet
from simulator.motion.placing import Place, draw_free_place
from simulator.render.dice_model import DieStyle, flat_die
from simulator.render.prints import Print
from simulator.render.scene import Scene
from simulator.scenes.random_setup import random_face
from tests.rigs.any_set_up import SetUp, any_set_up
from vision.reading import Kind

KINDS = ("rims", "mats", "tilt", "wide", "prints")
SHARE_OF_16_MM = 0.6
OTHER_EDGES_MM = (12.0, 14.0, 18.0, 19.0, 25.0)
ODD_EDGES_MM = (15.0, 17.0, 19.0, 20.0)
"""Beside a print at 100 % they look like usual dice beside another print."""
MAT_MM = 0.5
_WIDE_VIEWS_DEG = (90.0, 112.0)
_OF_THE_MODULE = 5  # seeds of one camera are so far apart


@dataclass(frozen=True, slots=True)
class UnknownRim:
    """One set-up.

    Attributes:
        set_up: tray, camera and markers.
        edge: of its dice, millimetres.
        print_scale: of its markers; 1 is as it should be.
    """

    set_up: SetUp
    edge: float
    print_scale: float

    def laid(self, rng: np.random.Generator, kinds: Sequence[Kind]) -> Scene:
        """Its tray with dice lying flat somewhere, clear of one another and of the walls."""
        where = self.set_up.where
        share = self.edge / 16.0
        # Places are drawn for dice of 16 mm in a tray that is larger or smaller instead.
        half = (where.scene.tray.half[0] / share, where.scene.tray.half[1] / share)
        places: list[Place] = []
        bodies = []
        for kind in kinds:
            x, y, yaw = draw_free_place(rng, half, places, 1.0)
            places.append((x, y, yaw))
            style = of_size(where.styles[kind], self.edge)
            face = random_face(rng, kind)
            bodies.append(flat_die(kind, face, (x * share, y * share), yaw, style, self.edge))
        return replace(where.scene, dice=tuple(bodies))


def of_size(style: DieStyle, edge: float) -> DieStyle:
    """A make of dice, larger or smaller than 16 mm."""
    scale = edge / 16.0
    return replace(
        style,
        edge_radius=style.edge_radius * scale,
        sphere=style.sphere * scale,
        pip_radius=style.pip_radius * scale,
        pip_depth=style.pip_depth * scale,
        pip_spread=style.pip_spread * scale,
    )


def unknown_rim(seed: int, kind: str, edge: float | None = None) -> UnknownRim:
    """Draws a set-up of one of `KINDS`; with dice of this edge, millimetres, if one is given.

    Raises:
        ValueError: there is no such kind.
    """
    number = KINDS.index(kind)
    rng = np.random.default_rng((seed, number, 75))
    drawn = 16.0 if rng.random() < SHARE_OF_16_MM else float(rng.choice(OTHER_EDGES_MM))
    edge = drawn if edge is None else edge
    rim, tilt, webcam, scale = float(rng.uniform(5.0, 45.0)), None, None, 1.0
    camera_seed = seed
    match kind:
        case "rims":
            rim = float(rng.uniform(MAT_MM, 60.0))
        case "mats":
            rim = MAT_MM
        case "tilt":
            tilt = float(rng.uniform(15.0, 30.0))
        case "wide":
            camera_seed = _OF_THE_MODULE * seed + 1
            if seed % 2:
                webcam = (float(rng.uniform(*_WIDE_VIEWS_DEG)), float(rng.normal(-0.1, 0.04)))
        case "prints":
            scale = float(rng.uniform(0.95, 1.03))
    found = any_set_up(camera_seed, tilt, webcam, rim)
    scene = found.where.scene
    prints = tuple(scaled(item, scale) for item in scene.prints)
    where = replace(found.where, scene=replace(scene, prints=prints))
    return UnknownRim(replace(found, where=where), edge, scale)


def scaled(item: Print, scale: float) -> Print:
    """A plate as a printer made it that does not print at 100 %, glued on by the same corner."""
    sheet = item.sheet
    black = tuple((x * scale, y * scale, w * scale, h * scale) for x, y, w, h in sheet.black)
    size = (sheet.size[0] * scale, sheet.size[1] * scale)
    x, y = item.place
    shift = PLATE_MM / 2 * (scale - 1.0)
    place = (float(x + np.sign(x) * shift), float(y + np.sign(y) * shift))
    return replace(item, sheet=PrintedSheet(f"{sheet.name}-{scale:.4f}", size, black), place=place)
