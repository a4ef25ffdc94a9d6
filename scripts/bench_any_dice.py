#!/usr/bin/env python3
"""Five dice of any colour and size, read in strangers' set-ups and counted by a game of Classic.

    .venv/bin/python scripts/bench_any_dice.py [--setups 10] [--throws 3] [--seed 0] [--jobs 1]
        [--sets white red blue mixed] [--edges 16] [--learnt]

Set-ups of `tests/rigs/any_set_up.py`, calibrated by their markers alone. `wrong` are false claims,
`asked` dice that are asked about, `missed` those not found, `phantoms` what is found where there is
no die; `counted` throws that Classic takes as they lie, without any question. With `--learnt` the
dice are read as after the appliance has learnt how large they are, and in four more throws, whose
faces people have put right, what they look like.
"""

import argparse
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from appliance.table.session.modes import Playing
from appliance.table.session.session import Setup, new_session
from appliance.table.session.throws import take_settled_dice
from calibration.calibration import Calibration
from calibration.own_dice import ConfirmedDie, with_throw
from calibration.readers import CalibratedReader
from scripts.bench_self_calibration import calibrated_alone, counted, picture
from scripts.campaign.stopping import run, workers
from simulator.motion.placing import Place, draw_free_place
from simulator.render.dice_model import DieStyle, flat_die
from simulator.render.scene import Scene
from simulator.scenes.random_setup import jitter_colour, random_face
from tests.rigs.any_set_up import SetUp, any_set_up
from tests.rigs.rendering.truth import truth
from vision.events import TrackedDie, TrackId
from vision.reading import DieReading, Kind

SETS: dict[str, tuple[str, ...]] = {
    "black": ("black",) * 5,
    "white": ("white",) * 5,
    "red": ("red",) * 5,
    "blue": ("blue",) * 5,
    "green": ("green",) * 5,
    "yellow": ("yellow",) * 5,
    "mixed": ("white", "red", "blue", "black", "yellow"),
    "two and three": ("black", "black", "white", "white", "white"),
}
"""Colours of the five dice of each set."""
THROWS_TO_LEARN = 4
BLUE = DieStyle(body=(0.45, 0.10, 0.024))
PAIR = Setup("classic", ("ANNA", "BEN"), (("first", 0),))


def laid(set_up: SetUp, rng: np.random.Generator, colours: tuple[str, ...], edge: float) -> Scene:
    """Dice of these colours lying flat somewhere."""
    bodies, places = [], list[Place]()
    scene, styles = set_up.where.scene, set_up.where.styles
    for colour in colours:
        # The network knows no green; it is the simulator's die of another kind, as is blue.
        kind = Kind(colour) if colour in tuple(Kind) else Kind.OTHER
        style = styles[kind]
        if colour == "blue":
            style = replace(style, body=jitter_colour(np.random.default_rng(1), BLUE.body, 0.1))
        place = draw_free_place(rng, scene.tray.half, places, 0.4 + 1.5 * max(0.0, edge - 16))
        face = random_face(rng, kind)
        scale = edge / 16
        shaped = replace(
            style,
            edge_radius=style.edge_radius * scale,
            sphere=style.sphere * scale,
            pip_radius=style.pip_radius * scale,
            pip_depth=style.pip_depth * scale,
            pip_spread=style.pip_spread * scale,
        )
        body = flat_die(kind, face, place[:2], place[2], shaped)
        x, y, _ = body.position
        bodies.append(replace(body, edge=edge, position=(x, y, -edge / 2)))
        places.append(place)
    return replace(scene, dice=tuple(bodies))


def is_counted(dice: tuple[DieReading, ...], values: list[object]) -> bool:
    """True if Classic takes a first throw as it lies, with the right faces."""
    tracked = tuple(TrackedDie(TrackId(k), die, True) for k, die in enumerate(dice))
    after = take_settled_dice(new_session(PAIR), tracked)
    return isinstance(after.mode, Playing) and sorted(map(str, after.record.dice)) == sorted(
        map(str, values)
    )


def with_look_learnt(
    known: Calibration, set_up: SetUp, gain: float, colours: tuple[str, ...], edge: float
) -> Calibration:
    """The calibration after some throws that people have confirmed."""
    rng = np.random.default_rng((len(colours), 6))
    profile, own = known.profile, known.own_dice
    for k in range(THROWS_TO_LEARN):
        scene = laid(set_up, rng, colours, edge)
        image = picture(scene, gain, 50 + k)
        near = known.profile.edge_pixels(known.profile.tray_pixels()[0]) / 2
        confirmed = [
            ConfirmedDie(die, true.value)
            for die in CalibratedReader(replace(known, profile=profile)).read(image).dice
            for true in truth(scene)
            if np.hypot(*np.subtract(die.center, true.centre_px)) < near and true.value
        ]
        profile, own = with_throw(profile, own, image, confirmed)
    return replace(known, profile=profile, own_dice=own)


def measured(job: tuple[int, int, tuple[str, ...], tuple[float, ...], bool]) -> Counter[str]:
    """One set-up, all sets."""
    seed, throws, names, edges, learnt = job
    set_up = any_set_up(seed)
    total: Counter[str] = Counter()
    made, gain = calibrated_alone(set_up)
    if isinstance(made, str):
        total["refused"] += 1
        return total
    for name in names:
        for edge in edges:
            known = made
            if learnt:
                known = replace(made, profile=replace(made.profile, die_edge_mm=edge))
                known = with_look_learnt(known, set_up, gain, SETS[name], edge)
            read = CalibratedReader(known).read
            rng = np.random.default_rng((seed, 5))
            for k in range(throws):
                scene = laid(set_up, rng, SETS[name], edge)
                lying = truth(scene)
                reading = read(picture(scene, gain, 100 + k))
                px = known.profile.edge_pixels(lying[0].centre_px)
                px *= edge / known.profile.die_edge_mm
                count = counted(reading, lying, px)
                count["kinds"] = sum(
                    die.kind is not Kind.OTHER for die in reading.dice if not die.aside
                )
                count["counted"] = is_counted(reading.dice, [die.value for die in lying])
                count["throws"] = 1
                for word, n in count.items():
                    total[f"{name} {edge:g}|{word}"] += n
    return total


WORDS = ("throws", "dice", "wrong", "asked", "missed", "phantoms", "kinds", "counted")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--setups", type=int, default=10)
    parser.add_argument("--throws", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--sets", nargs="+", default=list(SETS), choices=list(SETS))
    parser.add_argument("--edges", nargs="+", type=float, default=[16.0])
    parser.add_argument("--learnt", action="store_true")
    args = parser.parse_args()
    jobs = [
        (seed, args.throws, tuple(args.sets), tuple(args.edges), args.learnt)
        for seed in range(args.seed, args.seed + args.setups)
    ]
    total: Counter[str] = Counter()
    with workers(args.jobs) as pool:
        for count in pool.imap(measured, jobs, chunksize=1):
            total += count
    print("| dice | " + " | ".join(WORDS) + " |")
    print("|---|" + "---:|" * len(WORDS))
    for name in args.sets:
        for edge in args.edges:
            row = f"{name} {edge:g}"
            print(f"| {row} | " + " | ".join(str(total[f"{row}|{word}"]) for word in WORDS) + " |")
    print(f"refused {total['refused']}")


if __name__ == "__main__":
    sys.exit(run(main))
