"""Draws dice: how they are made, where they lie and what they show."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from appliance.simulator.render.dice_model import STANDARD_STYLES, DieStyle, PowerArt
from appliance.simulator.scenes.random_setup import Difficulty, jittered
from vision.reading import POWER_FACES, Face, Kind


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
        pip = jittered(rng, plain.pip, 0.04)
        styles[kind] = replace(base, body=jittered(rng, plain.body, 0.12), pip=pip)
    return styles


def _designs(rng: np.random.Generator) -> tuple[int, ...]:
    digits = int(rng.integers(4))
    return (digits, digits, digits, *(int(rng.integers(4)) for _ in range(3)))


def random_face(rng: np.random.Generator, kind: Kind) -> Face:
    """Draws any face of a kind of die."""
    if kind is Kind.POWER:
        return POWER_FACES[int(rng.integers(6))]
    return int(rng.integers(1, 7))
