"""Glossy dice in a dark tray under a lamp that is reflected in them."""

from dataclasses import replace

from simulator.render.dice_model import STANDARD_STYLES
from simulator.render.light import Light
from simulator.render.scene import Scene
from simulator.render.sensor import Sensor
from simulator.render.texture import Material, Surface

GLOSSY = {kind: replace(style, roughness=0.15) for kind, style in STANDARD_STYLES.items()}
"""Polished dice."""


def glaring_scene(size: tuple[int, int] = (1280, 720)) -> Scene:
    """A dark tray under a lamp reflected in tops, which saturate at an exposure for the floor."""
    dark = Material(Surface.FELT, (0.015, 0.013, 0.012), 0.95)
    lamp = Light(position=(10.0, -5.0, -900.0), radius=150.0, power=(2.5, 2.5, 2.5))
    plain = Scene(sensor=Sensor(contrast=0.2)).with_size(size)
    tray = replace(plain.tray, floor=dark, table=dark)
    return replace(plain, tray=tray, lighting=replace(plain.lighting, lights=(lamp,)))
