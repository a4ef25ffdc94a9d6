"""Installations with polished dice and an extra lamp that they reflect."""

from dataclasses import replace

from numpy.random import Generator

from simulator.render.light import Light
from simulator.render.renderer import with_metered_exposure
from simulator.scenes.installations import Installation, random_installation
from vision.reading import Face, Kind

SET: list[tuple[Kind, Face | None]] = [
    *((kind, None) for kind in (Kind.BLACK,) * 5),
    (Kind.RED, None),
    (Kind.POWER, None),
]


def polished(seed: int, rng: Generator) -> Installation:
    """An installation with polished dice and a lamp over it."""
    plain = random_installation(seed)
    rough = float(rng.uniform(0.06, 0.16))
    power = float(rng.uniform(0.4, 1.2))
    lamp = Light(
        position=(
            float(rng.uniform(-110, 110)),
            float(rng.uniform(-80, 80)),
            -float(rng.uniform(650, 1100)),
        ),
        radius=float(rng.uniform(40, 150)),
        power=(power, power, power),
    )
    lighting = replace(plain.scene.lighting, lights=(*plain.scene.lighting.lights, lamp))
    scene = with_metered_exposure(
        replace(plain.scene, lighting=lighting), float(rng.uniform(0.13, 0.18))
    )
    styles = {kind: replace(style, roughness=rough) for kind, style in plain.styles.items()}
    return replace(plain, scene=scene, styles=styles)
