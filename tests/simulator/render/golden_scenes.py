"""The scenes of the golden pictures; `scripts/render_golden.py` redraws the pictures."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from simulator.motion.placing import leaning_die
from simulator.render.dice_model import STANDARD_STYLES, DieStyle, PowerArt, flat_die
from simulator.render.hand import Grip, HandPose
from simulator.render.light import Light, Lighting
from simulator.render.pinhole import look_down
from simulator.render.renderer import render
from simulator.render.scene import Scene
from simulator.render.sensor import Sensor
from simulator.render.texture import Material, Surface
from simulator.render.tray_model import TrayModel
from tests.rigs.rendering.card import FlatCard
from vision.frame import Image
from vision.reading import Kind

FOLDER = Path(__file__).parent / "golden"
SIZE = (192, 108)
_QUIET = Sensor(exposure=1.0, grain=0.0, shot=0.0)


def all_kinds() -> Scene:
    """A die of every kind and every symbol of the Power die."""
    return Scene(
        sensor=_QUIET,
        dice=(
            flat_die(Kind.BLACK, 1, (-80, -40), 0.3),
            flat_die(Kind.BLACK, 6, (-50, -45), 0.0),
            flat_die(Kind.RED, 5, (-20, -40), 0.2),
            flat_die(Kind.WHITE, 4, (20, -50), 1.0),
            flat_die(Kind.YELLOW, 3, (60, -40), 1.2),
            flat_die(Kind.POWER, "freeze", (-60, 30), 0.2),
            flat_die(Kind.POWER, "double", (0, 40), 0.7),
            flat_die(Kind.POWER, "power", (60, 30), -0.4),
        ),
    )


def hard_light() -> Scene:
    """A low hard light on a dark floor, a tilted camera, a leaning and a stacked die."""
    polished = replace(STANDARD_STYLES[Kind.BLACK], roughness=0.06, sphere=11.6)
    return Scene(
        camera=look_down(tilt=(2.0, -3.0), yaw=4.0, offset=(-18, -12), distortion=(-0.06, 0, 0, 0)),
        tray=TrayModel(
            floor=Material(Surface.LEATHER, (0.02, 0.018, 0.016), 0.5, 3),
            table=Material(Surface.CHECK, (0.03, 0.02, 0.25), 0.9, 2),
        ),
        lighting=Lighting(
            lights=(
                Light((600.0, -300.0, -420.0), 30.0, (1.2, 1.4, 1.7)),
                Light((0.0, 0.0, -700.0), 60.0, (0.8, 0.8, 0.8)),
            ),
            ambient=(0.3, 0.3, 0.3),
            room_seed=4,
            room_contrast=1.0,
        ),
        dice=(
            flat_die(Kind.BLACK, 4, (0, 0), 0.4, polished),
            flat_die(Kind.BLACK, 2, (16.2, 3), 0.4, polished),
            flat_die(Kind.RED, 3, (8, 2), 1.0, floor=16.0),
            leaning_die(Kind.BLACK, 5, 76.0, 30.0, 3, 0.6),
        ),
        sensor=replace(_QUIET, exposure=1.6, defocus=0.3, fringe=0.0005),
    )


def hand_and_card() -> Scene:
    """A hand and a card over wood, dice with coloured symbols half hidden."""
    art = PowerArt(designs=(1, 1, 1, 1, 1, 1), accents=True)
    return Scene(
        tray=TrayModel(floor=Material(Surface.WOOD, (0.13, 0.24, 0.36), 0.5, 7), slope=0.0),
        dice=(
            flat_die(Kind.POWER, "double", (-50, 0), 0.3, DieStyle((0.45, 0.1, 0.02), power=art)),
            flat_die(Kind.WHITE, 6, (20, -30), 0.1),
            flat_die(Kind.BLACK, 5, (60, 40), 0.8),
        ),
        hand=HandPose((25.0, 20.0), -1.4, 20.0, Grip.OPEN),
        card=FlatCard((-70.0, 40.0), 0.5, 50.0, seed=2),
        sensor=replace(_QUIET, exposure=0.9),
    )


SCENES = {"all_kinds": all_kinds, "hard_light": hard_light, "hand_and_card": hand_and_card}


def draw(name: str) -> Image:
    """The golden picture as it is drawn now."""
    return render(SCENES[name](), SIZE, np.random.default_rng(0))
