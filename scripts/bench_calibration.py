#!/usr/bin/env python3
"""A simulated person calibrates rendered trays: is the profile as good as the truth?

    .venv/bin/python scripts/bench_calibration.py [--setups 6] [--throws 8] [--seed 0] [--jobs 1]
        [--no-markers] [--sheet]

Each set-up draws another tray, floor, table, light, lens (of the module's kind, every piece a
little different), height, turn and tilt (up to 10 degrees), and another make of dice. The simulated
person sees only what the board asks for, lays it, presses, and corrects what was misread in the
check. Then fresh throws are read twice: with the wizard's profile, and with the true
camera in its place (the same empty tray, colours and faces). `wrong` are false claims, `asked` dice
that the reader would ask about or does not find; `off` is the error at the worst place on the plane
of the tops, millimetres.
"""

import argparse
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from appliance.service.calibration import Calibrating
from appliance.simulator.people.calibration_user import CalibrationUser, StillCamera
from appliance.simulator.people.calibrator import USED_DICE
from calibration.accuracy import accuracy_statement
from calibration.calibration import Calibration
from calibration.readers import CalibratedReader
from scripts.campaign.stopping import run, workers
from simulator.render.scene import camera_parameters
from simulator.scenes.installations import Installation, random_installation
from tests.calibration.setups import grid, true_frame
from tests.rigs.rendering.truth import DieTruth, truth
from vision.reading import Face, Kind, TrayReading


@dataclass(frozen=True, slots=True)
class Counted:
    """Dice read, claimed wrongly, asked about, not found."""

    dice: int = 0
    wrong: int = 0
    asked: int = 0
    missed: int = 0

    def plus(self, reading: TrayReading, dice: tuple[DieTruth, ...], edge: float) -> "Counted":
        """With one more throw; `edge` is that of a die in pixels."""
        wrong = asked = missed = 0
        for die in dice:
            near = min(
                reading.dice,
                key=lambda one: float(np.hypot(*np.subtract(one.center, die.centre_px))),
                default=None,
            )
            if near is None or np.hypot(*np.subtract(near.center, die.centre_px)) > edge / 2:
                missed += 1
            elif not near.sure:
                asked += 1
            elif near.value != die.value or near.kind not in (die.kind, Kind.OTHER):
                # "Other" claims no kind.
                wrong += 1
        return Counted(
            self.dice + len(dice), self.wrong + wrong, self.asked + asked, self.missed + missed
        )

    def __str__(self) -> str:
        return f"{self.wrong} / {self.asked + self.missed}"


def true_calibration(calibration: Calibration, where: Installation) -> Calibration:
    """A calibration with the true camera, in the frame of the true tray."""
    exact = camera_parameters(where.scene)
    profile = replace(
        calibration.profile,
        camera=exact.camera,
        distortion=exact.distortion,
        rotation=exact.rotation,
        translation=exact.translation,
        tray=exact.tray,
        die_edge_mm=exact.die_edge_mm,
    )
    layout = np.array([item.to_world(_INK) for item in where.scene.prints[:4]])
    return replace(calibration, profile=profile, layout=layout if len(layout) else None)


_INK = np.array(((3.0, 3.0), (21.0, 3.0), (21.0, 21.0), (3.0, 21.0)))


def off_mm(calibration: Calibration, where: Installation) -> float:
    """The error at the worst place on the true plane of the tops."""
    scene = where.scene
    places = grid(scene.tray)
    tops = np.column_stack([places, np.full(len(places), -16.0)])
    found = calibration.profile.to_mm(scene.camera.project(tops), calibration.profile.die_edge_mm)
    # Without markers the floor itself defines the frame.
    origin, turn = true_frame(scene.prints) if scene.prints else (np.zeros(2), np.eye(2))
    return float(np.linalg.norm(found - (places - origin) @ turn, axis=1).max())


def tried(job: tuple[int, int, bool, bool]) -> tuple[str, Counted, Counted]:
    """One set-up: a row of the table, and what was read with the wizard's and the true profile."""
    seed, throws, markers, sheet = job
    where = random_installation(seed)
    if not markers:
        where = replace(where, scene=replace(where.scene, prints=()))
    camera = StillCamera(where.scene, seed)
    activity = Calibrating(lambda calibration: None, exposing=camera)
    rng = np.random.default_rng((seed, 3))
    run = CalibrationUser(activity, camera, where, rng, sheet=sheet).follow()
    scene = where.scene
    down = float(np.degrees(np.arccos(camera_parameters(scene).rotation[2, 2])))
    floor = scene.tray.floor.surface.value
    set_up = f"{seed} | {floor} | {scene.camera.position[2] * -1:.0f} | {down:.1f}"
    calibration = run.calibration
    if calibration is None or run.problem is not None:
        said = run.problem.value if run.problem else "gave up"
        row = f"| {set_up} | refused at {run.page}: {said} | | | | |"
        print(f"{row}\n    {run.detail}", file=sys.stderr)
        return row, Counted(), Counted()
    exact = true_calibration(calibration, where)
    ours = true = Counted()
    dice: list[tuple[Kind, Face | None]] = [(kind, None) for kind in USED_DICE]
    for _ in range(throws):
        camera.scene = where.laid(rng, dice)
        image, lying = camera.take().image, truth(camera.scene)
        edge = calibration.profile.edge_pixels(lying[0].centre_px)
        ours = ours.plus(CalibratedReader(calibration).read(image), lying, edge)
        true = true.plus(CalibratedReader(exact).read(image), lying, edge)
    check = accuracy_statement(calibration.check).partition(";")[0]
    row = (
        f"| {set_up} | {run.presses} | {run.handlings} | {off_mm(calibration, where):.2f} | "
        f"{calibration.profile.die_edge_mm:g} | {check} | {ours} | {true} |"
    )
    print(row, file=sys.stderr, flush=True)
    return row, ours, true


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--setups", type=int, default=6)
    parser.add_argument("--throws", type=int, default=8)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--no-markers", action="store_true", help="corners are pointed at")
    parser.add_argument("--sheet", action="store_true", help="the printed sheet lies in the tray")
    args = parser.parse_args()
    jobs = [
        (args.seed + k, args.throws, not args.no_markers, args.sheet) for k in range(args.setups)
    ]
    with workers(args.jobs) as pool:
        rows = pool.map(tried, jobs, chunksize=1)
    print(
        "| set-up | floor | height mm | tilt | presses | handlings | off mm | die mm | check | "
        "wizard: wrong / asked | truth: wrong / asked |"
    )
    print("|---:|---|---:|---:|---:|---:|---:|---:|---|---:|---:|")
    for row, _, _ in rows:
        print(row)
    for name, k in (("wizard", 1), ("truth", 2)):
        counts = [row[k] for row in rows]
        total = [sum(getattr(one, field) for one in counts) for field in Counted.__slots__]
        print(f"\n{name}: {total[0]} dice, {total[1]} wrong, {total[2]} asked, {total[3]} missed")


if __name__ == "__main__":
    sys.exit(run(main))
