"""Draws dice: how they are made, where they lie and what they show."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from appliance.simulator.motion.placing import (
    Place,
    beside,
    free_place,
    leaning,
    separation,
    wall_gap,
)
from appliance.simulator.render.dice_model import (
    STANDARD_STYLES,
    DieBody,
    DieStyle,
    PowerArt,
    lying,
)
from appliance.simulator.render.tray_model import TrayModel
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
    one = [digits, digits, digits]
    return (*one, int(rng.integers(4)), int(rng.integers(4)), int(rng.integers(4)))


def random_face(rng: np.random.Generator, kind: Kind) -> Face:
    """Draws any face of a kind of die."""
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
    tray: TrayModel,
    kinds: Sequence[Kind],
    styles: dict[Kind, DieStyle],
) -> tuple[DieBody, ...]:
    """Draws where the dice lie and what they show; when hard some lean or are stacked."""
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
    rng: np.random.Generator, tray: TrayModel, kind: Kind, face: Face, style: DieStyle
) -> DieBody:
    side = int(rng.integers(4))
    axis = side % 2
    along = float(rng.uniform(-0.8, 0.8) * (tray.half[1 - axis] - 12))
    tilt = float(np.radians(rng.uniform(20, 45)))
    return leaning(kind, face, tray.half[axis], along, side, tilt, style)
