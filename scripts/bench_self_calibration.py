#!/usr/bin/env python3
"""Measures what the appliance makes of strangers' set-ups by itself: places, claims, readings.

    .venv/bin/python scripts/bench_self_calibration.py [--setups 50] [--throws 2] [--seed 0]
        [--tilt DEGREES] [--jobs 1] [--out FILE]
    .venv/bin/python scripts/bench_self_calibration.py --geometry [--setups 1000] [--tilt DEGREES]
    .venv/bin/python scripts/bench_self_calibration.py --told [--setups 200] [--seed 0] [--out FILE]
    .venv/bin/python scripts/bench_self_calibration.py --rims --throws 3 [--setups 20] [--seed 0]
    .venv/bin/python scripts/bench_self_calibration.py --odd --throws 3 [--setups 200] [--seed 0]

Each set-up (`tests/rigs/any_set_up.py`) draws one of five cameras, height, offset, tilt up to 20
degrees unless `--tilt` gives it, a tray with a rim of 15 to 35 mm, felt, table, light and dice. The
camera is exposed as the appliance does it, four markers are looked at, and nobody presses or enters
anything. `off` is the error at the worst place on the plane of the tops, `said` what ABOUT says; a
claim is `true` if it holds in 95 % of places. Throws of five dice are read with the calibration
made, the true one, and none; `wrong` are false claims, `asked` dice that are asked about or not
found, `phantoms` what is found where there is no die. With `--geometry` nothing is rendered:
corners of markers get the noise that they have in rendered pictures, and only places and claims are
measured. With `--told` it is counted what is said of markers that are seen and cannot be used, in
each way of `tests/rigs/marker_faults.py`, and at as many ordinary starts as there are set-ups: a
tray with markers and the hands that place it, one without, a single marker beside dice. With
`--rims` throws of dice of any size tell how high the rim stands, in each kind of
`tests/rigs/unknown_rims.py`, and what is stated then is compared with what places are off by. With
`--odd` dice of 15, 17, 19 and 20 mm lie beside markers printed at 100 %: the print may be told to
be wrong, which it is not, a set-up refused, or nothing said, and what is stated is true or not.
`--out` keeps each row as it is measured; what is there already is not measured again.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from calibration.calibration import SPREADS_OF_WORST_PLACE, Calibration
from calibration.errors import RefusedError
from calibration.markers.assumed import assumed_lens
from calibration.markers.bundle import place_tray
from calibration.readers import CalibratedReader, UncalibratedReader
from calibration.self_calibration import GUESSED_RIM, Brighter, SelfCalibration, ThrownDice
from calibration.self_calibration.looking import LOOK_INTERVAL_S
from calibration.self_calibration.solving import PROBLEMS_OF_PRINT, WRONG_PRINT
from scripts.bench_calibration import true_calibration
from scripts.campaign.stopping import run, workers
from simulator.render.renderer import render
from simulator.render.scene import Scene
from simulator.scenes.installations import INSTALLATION_QUALITY
from tests.calibration.markers.test_geometry import seen_markers
from tests.calibration.setups import EDGE, grid, true_frame
from tests.rigs.any_set_up import SIZE, SetUp, any_set_up
from tests.rigs.marker_faults import KINDS, MORE_KINDS, faulty_tray
from tests.rigs.rendering.truth import DieTruth, truth
from tests.rigs.unknown_rims import KINDS as RIM_KINDS
from tests.rigs.unknown_rims import ODD_EDGES_MM, UnknownRim, unknown_rim
from vision.frame import Frame, Image
from vision.geometry.camera import PinholeCamera
from vision.geometry.sight import Sight
from vision.image.arrays import FloatArray
from vision.reading import Kind, TrayReading

PLAYED_DICE: tuple[Kind, ...] = (Kind.BLACK, Kind.BLACK, Kind.BLACK, Kind.BLACK, Kind.RED)
READERS = ("alone", "truth", "none")
MAX_LOOKS = 16
TRUE_PLACES = 0.95
"""What is stated is true where it holds at so many of all places."""
TOLD_LOOKS = 14
"""So many half seconds markers are shown for which it is counted what is said of them."""
ORDINARY_FOR_EACH_FAULTY = 20
"""Ordinary starts for each set-up in which every kind of fault is drawn."""
Row = dict[str, object]
Job = tuple[int, int, float | None]
"""Seed, throws, and tilt in degrees; None draws it. Where it is counted what is said, the second is
the kind of fault, below zero for an ordinary start."""


def off_mm(scene: Scene, camera: PinholeCamera) -> FloatArray:
    """Errors on the plane of the tops all over the floor, millimetres."""
    places = grid(scene.tray)
    tops = np.column_stack([places, np.full(len(places), -EDGE)])
    found = camera.to_plane(scene.camera.project(tops), EDGE)
    origin, turn = true_frame(scene.prints)
    return np.asarray(np.linalg.norm(found - (places - origin) @ turn, axis=1), np.float64)


def picture(scene: Scene, gain: float, seed: int) -> Image:
    """The scene at a factor of its exposure."""
    sensor = replace(scene.sensor, exposure=scene.sensor.exposure * gain)
    return render(
        replace(scene, sensor=sensor), None, np.random.default_rng(seed), INSTALLATION_QUALITY
    )


def calibrated_alone(set_up: SetUp) -> tuple[Calibration | str, float]:
    """The calibration that the appliance makes, or why it makes none; and the exposure's factor."""
    scene, gain = set_up.where.scene, 1.0
    looks = SelfCalibration(sight=None, exposes=True)
    image = picture(scene, gain, 0)
    for k in range(MAX_LOOKS):
        seen = looks.feed(Frame(image, 3.0 * k, k, sight=set_up.sight))
        if isinstance(seen, Brighter):
            gain *= seen.factor
            # Noise hardly matters here: what is seen again is not rendered again.
            image = picture(scene, gain, k + 1)
        elif seen is not None:
            return seen, gain
        elif looks.trouble is not None:
            break
    return str(looks.trouble or "markers not found"), gain


def counted(reading: TrayReading, dice: tuple[DieTruth, ...], edge: float) -> Counter[str]:
    """Dice read, claimed wrongly, asked about, not found; and what is no die."""
    found: Counter[str] = Counter(dice=len(dice))
    used = set()
    for die in dice:
        away = [float(np.hypot(*np.subtract(one.center, die.centre_px))) for one in reading.dice]
        k = int(np.argmin(away)) if away else -1
        if k < 0 or away[k] > edge / 2:
            found["missed"] += 1
            continue
        used.add(k)
        near = reading.dice[k]
        if not near.sure:
            found["asked"] += 1
        elif near.value != die.value or near.kind not in (die.kind, Kind.OTHER):
            found["wrong"] += 1
    extra = [one for k, one in enumerate(reading.dice) if k not in used and not one.aside]
    found["phantoms"] = len(extra)
    return found


def measured(job: Job) -> Row:
    """One set-up, rendered."""
    seed, throws, tilt_deg = job
    set_up = any_set_up(seed, tilt_deg)
    scene = set_up.where.scene
    row = _described(seed, set_up)
    made, gain = calibrated_alone(set_up)
    row["gain"] = round(gain, 2)
    if isinstance(made, str):
        return {**row, "refused": made}
    off = off_mm(scene, made.profile.pinhole)
    said = made.off_mm or 0.0
    row |= {"off": float(off.max()), "said": said, "share": float((off <= said).mean())}
    exact = true_calibration(made, set_up.where)
    readers = {
        "alone": CalibratedReader(made).read,
        "truth": CalibratedReader(exact).read,
        "none": UncalibratedReader().read,
    }
    counts = {name: Counter[str]() for name in READERS}
    rng = np.random.default_rng((seed, 3))
    for k in range(throws):
        laid = set_up.where.laid(rng, [(kind, None) for kind in PLAYED_DICE])
        lying = truth(laid)
        image = picture(laid, gain, 100 + k)
        edge = exact.profile.edge_pixels(lying[0].centre_px)
        for name, read in readers.items():
            counts[name] += counted(read(image), lying, edge)
    return {**row, **{name: dict(count) for name, count in counts.items()}}


def measured_without_pictures(job: Job) -> Row:
    """One set-up, with markers where they would be seen."""
    seed, _, tilt_deg = job
    set_up = any_set_up(seed, tilt_deg)
    scene = set_up.where.scene
    row = _described(seed, set_up)
    lens, doubt = assumed_lens(SIZE, set_up.sight)
    markers = seen_markers(scene, np.random.default_rng(seed), 0.1)
    try:
        placed = place_tray(lens, markers, (), GUESSED_RIM, doubt)
    except RefusedError as error:
        return {**row, "refused": str(error)}
    off, said = off_mm(scene, placed.camera), SPREADS_OF_WORST_PLACE * placed.doubt_mm
    return {**row, "off": float(off.max()), "said": said, "share": float((off <= said).mean())}


def learnt(job: Job) -> Row:
    """What throws tell of the rim's height and the scale, in one set-up of a kind."""
    seed, throws, kind_of = job[0], job[1] // len(RIM_KINDS), RIM_KINDS[job[1] % len(RIM_KINDS)]
    drawn = unknown_rim(seed, kind_of)
    set_up = drawn.set_up
    row = _described(seed, set_up)
    row |= {"kind": kind_of, "edge": drawn.edge, "print": round(drawn.print_scale, 3)}
    made, gain = calibrated_alone(set_up)
    if isinstance(made, str):
        return {**row, "refused": made}
    row |= {"first": _held(set_up.where.scene, made, drawn.edge)}
    made = after_throws(drawn, made, gain, throws, seed)
    row |= {"rim_mm": round(made.rim_mm or 0.0, 1), "edge_mm": made.profile.die_edge_mm}
    return {**row, "last": _held(set_up.where.scene, made, drawn.edge)}


def after_throws(
    drawn: UnknownRim, made: Calibration, gain: float, throws: int, seed: int
) -> Calibration:
    """What is believed of a tray after some throws."""
    thrown, rng = ThrownDice(), np.random.default_rng((seed, 3))
    for k in range(throws):
        image = picture(drawn.laid(rng, PLAYED_DICE), gain, 100 + k)
        found = thrown.see(made, image, CalibratedReader(made).read(image).dice)
        if isinstance(found, Calibration):
            made = found
        elif isinstance(found, float):
            # Nobody has confirmed another size yet, so nobody is asked about this one.
            made = made.with_dice_of(found)
    return made


def odd_dice(job: Job) -> Row:
    """What is made of the print, which is as it should be, beside dice of an odd size."""
    seed, throws, _ = job
    edge = ODD_EDGES_MM[seed % len(ODD_EDGES_MM)]
    drawn = unknown_rim(seed, "rims", edge)
    row = _described(seed, drawn.set_up) | {"kind": f"{edge:g} mm"}
    made, gain = calibrated_alone(drawn.set_up)
    if isinstance(made, str):
        named = any(problem.value in made for problem in PROBLEMS_OF_PRINT)
        return {**row, "refused": made, "outcome": "told" if named else "refused"}
    made = after_throws(drawn, made, gain, throws, seed)
    held = _held(drawn.set_up.where.scene, made, drawn.edge)
    told = made.print_known and abs(made.print_scale - 1) >= WRONG_PRINT
    silent = "true" if held["share"] >= TRUE_PLACES else "false"
    return {
        **row,
        **held,
        "outcome": "told" if told else f"silent, {silent}",
        "print": made.print_scale,
        "edge": made.profile.die_edge_mm,
    }


def table_of_odd(rows: list[Row]) -> str:
    """By size: whether the print is called wrong, whether what is stated holds, what is believed.

    `other print` are those in which a print is believed that is off by as much as is named.
    """
    outcomes = ("told", "refused", "silent, true", "silent, false")
    lines = [
        f"| dice | {' | '.join(outcomes)} | other print | stated, mm (median, worst) "
        "| off by, mm (median, worst) | taken for, mm |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---|",
    ]
    for kind in (*sorted({str(row["kind"]) for row in rows}), "all"):
        of = [row for row in rows if kind in ("all", row["kind"])]
        counts = Counter(str(row["outcome"]) for row in of)
        good = [row for row in of if "edge" in row]
        other = sum(abs(float(str(row["print"])) - 1) >= WRONG_PRINT for row in good)
        measures = [np.array([row[name] for row in good], np.float64) for name in ("said", "off")]
        found = [f"{np.median(one):.1f}, {one.max():.1f}" if len(one) else "" for one in measures]
        sizes = Counter(f"{row['edge']:g}" for row in good)
        words = ", ".join(f"{size} {n}" for size, n in sizes.most_common())
        cells = (kind, *(counts[name] for name in outcomes), other, *found, words)
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)


def _held(scene: Scene, made: Calibration, edge: float) -> dict[str, float]:
    """How far off places are at worst, what is stated, and in what share of places that is true.

    Of dice of their true size: one that is not known is a cause of what is off.
    """
    places = grid(scene.tray)
    tops = np.column_stack([places, np.full(len(places), -edge)])
    found = made.profile.to_mm(scene.camera.project(tops), made.profile.die_edge_mm)
    origin, turn = true_frame(scene.prints)
    off = np.linalg.norm(found - (places - origin) @ turn, axis=1)
    said = made.off_mm or 0.0
    return {"off": float(off.max()), "said": said, "share": float((off <= said).mean())}


def table_of_learnt(rows: list[Row]) -> str:
    """By kind: how far off and what is stated, before the first throw and after the last."""
    lines = [
        "| kind | stated at first, mm | true | stated after throws, mm (median, worst) "
        "| off by, mm (median, worst) | true |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for kind in (*RIM_KINDS, "all"):
        of = [row for row in rows if kind in ("all", row["kind"])]
        if not of:
            continue
        kept = {name: [row[name] for row in of if name in row] for name in ("first", "last")}
        parts = []
        for name, each in kept.items():
            values = {
                key: np.array([one[key] for one in each if isinstance(one, dict)], np.float64)
                for key in ("off", "said", "share")
            }
            said, off = values["said"], values["off"]
            parts.append(f"{np.median(said):.1f}")
            if name == "last":
                parts[-1] += f", {said.max():.1f} | {np.median(off):.1f}, {off.max():.1f}"
            parts.append(f"{(values['share'] >= 0.95).sum()} of {len(of)}")
        lines.append(f"| {kind} | " + " | ".join(parts) + " |")
    return "\n".join(lines)


def told(job: Job) -> Row:
    """What is said of the markers in each faulty tray of one set-up, or at an ordinary start."""
    seed, kind_of, _ = job
    kinds = (*KINDS, *MORE_KINDS)
    if kind_of < 0:
        frames = ordinary_start(seed)
        named, at_s = first_told(frames)
        right = named in ("", "found")
        return {"seed": seed, "kind": "ordinary", "told": named, "at": at_s, "right": right}
    kind = kinds[kind_of]
    tray = faulty_tray(kind, seed)
    drawings = [
        tray.with_shines(render(scene, None, np.random.default_rng(k), INSTALLATION_QUALITY))
        for k, scene in enumerate(tray.scenes)
    ]
    count = len(drawings)
    named, at_s = first_told([(drawings[k % count], tray.sight) for k in range(TOLD_LOOKS)])
    right = named in {problem.value for problem in tray.problems}
    return {"seed": seed, "kind": kind, "told": named, "at": at_s, "right": right}


def first_told(shown: Sequence[tuple[Image, Sight | None]]) -> tuple[str, float]:
    """What is said first, and when, seconds; "found" where the tray is, empty for nothing."""
    looks = SelfCalibration(sight=None)
    for k, (image, sight) in enumerate(shown):
        time_s = k * LOOK_INTERVAL_S
        if looks.feed(Frame(image, time_s, k, sight=sight)) is not None:
            return "found", time_s
        if looks.trouble is not None:
            return looks.trouble.problem.value, time_s
    return "", 0.0


def ordinary_start(seed: int) -> list[tuple[Image, Sight | None]]:
    """Pictures of a start, in turn: nothing of what is seen there needs to be mended."""
    rng = np.random.default_rng((seed, 76))
    set_up = any_set_up(seed)
    scene = set_up.where.scene
    kind = seed % 4
    if kind == 1:
        scene = replace(scene, prints=())
    elif kind == 2:
        scene = replace(scene, prints=scene.prints[:1])
    if kind:
        scene = replace(scene, dice=set_up.where.laid(rng, [(Kind.BLACK, None)] * 5).dice)
    image = picture(scene, 1.0, seed)
    shown = [image] * TOLD_LOOKS
    if kind in (0, 3):
        # Somebody puts the tray in place: the picture moves, and a hand is over it for two seconds.
        rows, columns = (int(side * rng.uniform(0.2, 0.8)) for side in image.shape[:2])
        for k in range(int(rng.integers(0, 3)), 4):
            moved = np.roll(image, (int(rng.integers(-90, 90)), int(rng.integers(-90, 90))), (0, 1))
            moved[rows : rows + 300, columns : columns + 200] = (120, 150, 190)
            shown[k] = moved
    return [(one, set_up.sight) for one in shown]


def table_of_told(rows: list[Row]) -> str:
    """By kind: how many were named rightly, the latest, and what else was said."""
    lines = ["| kind | named rightly | found | latest, s | else |", "|---|---:|---:|---:|---|"]
    for kind in dict.fromkeys(str(row["kind"]) for row in rows):
        of = [row for row in rows if row["kind"] == kind]
        told_rows = [row for row in of if row["told"] not in ("", "found")]
        right = [row for row in told_rows if row["right"]]
        other = Counter(str(row["told"] or "nothing") for row in of if not row["right"])
        found = other.pop("found", 0) + sum(row["told"] == "found" for row in of if row["right"])
        latest = max((float(str(row["at"])) for row in told_rows), default=0.0)
        words = ", ".join(f"{name} {n}" for name, n in other.items())
        lines.append(f"| {kind} | {len(right)} of {len(of)} | {found} | {latest:.1f} | {words} |")
    return "\n".join(lines)


def _described(seed: int, set_up: SetUp) -> Row:
    scene = set_up.where.scene
    return {
        "seed": seed,
        "camera": set_up.camera,
        "height": round(-scene.camera.position[2]),
        "tilt": round(set_up.tilt_deg, 1),
        "rim": round(scene.tray.wall_height, 1),
        "floor": scene.tray.floor.surface.value,
    }


def table(rows: list[Row]) -> str:
    """All rows, then what they come to."""
    lines = [
        "| set-up | camera | height mm | tilt | rim mm | floor | off mm | said mm | places true | "
        "alone: wrong / asked / missed / phantoms | truth | none |",
        "|---:|---|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|",
    ]
    for row in rows:
        head = " | ".join(
            str(row[name]) for name in ("seed", "camera", "height", "tilt", "rim", "floor")
        )
        if "refused" in row:
            lines.append(f"| {head} | refused: {row['refused']} | | | | | |")
            continue
        read = " | ".join(_in_words(row.get(name)) for name in READERS)
        lines.append(
            f"| {head} | {row['off']:.1f} | {row['said']:.1f} | {row['share']:.0%} | {read} |"
        )
    good = [row for row in rows if "refused" not in row]
    off = np.array([row["off"] for row in good], np.float64)
    said = np.array([row["said"] for row in good], np.float64)
    true = np.array([row["share"] for row in good], np.float64) >= TRUE_PLACES
    lines += [
        "",
        f"{len(rows)} set-ups, refused {len(rows) - len(good)}",
        f"the claim is true in 95 % of places in {true.mean():.1%} of set-ups",
        f"off: median {np.median(off):.1f}, 95 % {np.quantile(off, 0.95):.1f}, worst "
        f"{off.max():.1f} mm; said: median {np.median(said):.1f}, most {said.max():.1f} mm",
    ]
    for name in READERS:
        total = Counter[str]()
        for row in good:
            count = row.get(name)
            total.update(count if isinstance(count, dict) else {})
        if total:
            lines.append(f"{name}: {total['dice']} dice, " + _in_words(total))
    return "\n".join(lines)


def _in_words(count: object) -> str:
    if not isinstance(count, dict):
        return ""
    return " / ".join(str(count.get(k, 0)) for k in ("wrong", "asked", "missed", "phantoms"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--setups", type=int, default=50)
    parser.add_argument("--throws", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--tilt", type=float, metavar="DEGREES", help="of every camera")
    parser.add_argument("--geometry", action="store_true", help="without rendering")
    parser.add_argument("--told", action="store_true", help="what is said of faulty markers")
    parser.add_argument("--rims", action="store_true", help="what throws tell of the rim")
    parser.add_argument("--odd", action="store_true", help="dice of odd sizes, a print at 100 %%")
    parser.add_argument("--out", type=Path, help="file for the rows, one a line")
    args = parser.parse_args()
    rows: list[Row] = []
    if args.out is not None and args.out.exists():
        rows = [json.loads(line) for line in args.out.read_text("utf-8").splitlines()]
    done = {(row["seed"], row.get("kind")) for row in rows}
    seeds = range(args.seed, args.seed + args.setups)
    jobs: list[Job] = [(seed, args.throws, args.tilt) for seed in seeds if (seed, None) not in done]
    measure = measured_without_pictures if args.geometry else measured
    if args.told:
        measure = told
        kinds = list(enumerate((*KINDS, *MORE_KINDS)))
        jobs = [(seed, -1, None) for seed in seeds if (seed, "ordinary") not in done]
        some = seeds[: len(seeds) // ORDINARY_FOR_EACH_FAULTY]
        jobs += [(seed, k, None) for seed in some for k, kind in kinds if (seed, kind) not in done]
    if args.rims:
        measure = learnt
        some_kinds = list(enumerate(RIM_KINDS))
        jobs = [
            (seed, args.throws * len(RIM_KINDS) + k, None)
            for seed in seeds
            for k, kind in some_kinds
            if (seed, kind) not in done
        ]
    if args.odd:
        measure = odd_dice
        seen = {row["seed"] for row in rows}
        jobs = [(seed, args.throws, None) for seed in seeds if seed not in seen]
    with workers(args.jobs) as pool:
        for row in pool.imap(measure, jobs, chunksize=1):
            rows.append(row)
            if args.out is not None:
                with args.out.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(row) + "\n")
    if args.told or args.rims:
        print(table_of_told(rows) if args.told else table_of_learnt(rows))
        return
    if args.odd:
        print(table_of_odd(rows))
        return
    print(table(sorted(rows, key=lambda row: int(str(row["seed"])))))


if __name__ == "__main__":
    sys.exit(run(main))
