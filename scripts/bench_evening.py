#!/usr/bin/env python3
"""An evening with a tray that nobody has calibrated: throws, knocks, lamps, other dice.

    .venv/bin/python scripts/bench_evening.py [--throws 200] [--seed 0]

One of the set-ups of `tests/rigs/any_set_up.py`. Every seventh throw somebody has knocked against
camera or tray before (up to 30 mm and 2 degrees), every eleventh the lamp is another (a third to
2.5 times the light), and half-way through other dice are used. Everything is read by the guarded
watcher of the appliance, which keeps a profile and sets a rendered camera; what it says on the
board, and what it learns, is printed with the throw. `wrong` are false claims, `asked` dice asked
about or not found, `lost` throws that were not reported at all.
"""

import argparse
import logging
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from appliance.alerts import Alert
from appliance.service.installation import CalibratedTray
from appliance.simulator.render.pinhole import as_vector
from appliance.simulator.render.scene import Scene
from appliance.simulator.scenes.random_setup import random_style
from scripts.bench_self_calibration import PLAYED_DICE, counted, picture
from scripts.campaign.stopping import run
from tests.rigs.any_set_up import SetUp, any_set_up
from tests.rigs.rendering.truth import truth
from vision.events import Found, Roll
from vision.frame import Frame, Image
from vision.geometry.camera import rotation_of
from vision.reading import Kind, TrayReading, TrayState

FPS = 10
SMALL = (480, 270)
EMPTY_S, DICE_S, SETTLE_S = 2.5, 2.5, 8.0


class Evening:
    """The room: a scene, its light, a camera that can be set, and the appliance that looks."""

    name = "rendered"

    def __init__(self, set_up: SetUp, path: Path) -> None:
        self.scene = set_up.where.scene
        self.light = 1.0
        self.gain = 1.0
        self._sight = set_up.sight
        self._locked = False
        self._index = 0
        self.said: Counter[Alert] = Counter()
        self.now: frozenset[Alert] = frozenset()
        self.tray = CalibratedTray(path)
        self.tray.note_camera(self)
        self.watcher = self.tray.guard.watcher()
        self.watcher.expect(len(PLAYED_DICE))

    def frames(self) -> Iterator[Frame]:
        """No stream: `show` makes frames."""
        return iter(())

    def close(self) -> None:
        """Nothing is open."""

    def unlock(self) -> None:
        """Lets the exposure be set."""
        self._locked = False

    def expose(self, factor: float) -> None:
        """Makes pictures brighter by this factor."""
        if not self._locked:
            self.gain *= factor

    def lock(self) -> Mapping[str, float]:
        """Keeps the exposure as it is."""
        self._locked = True
        return {"ExposureTime": round(8000.0 * self.gain)}

    def keep(self) -> None:
        """Nothing is put back in an evening."""

    def restore(self) -> None:
        """Nothing is put back in an evening."""

    def show(self, scene: Scene, seconds: float) -> list[Roll | Found]:
        """What is reported of a scene; the noise of its pictures changes only with the light."""
        events: list[Roll | Found] = []
        drawn: dict[float, tuple[Image, Image]] = {}
        for _ in range(round(seconds * FPS)):
            gain = self.gain * self.light
            if gain not in drawn:
                image = picture(scene, gain, self._index)
                small = cv2.resize(image, SMALL, interpolation=cv2.INTER_AREA)
                drawn[gain] = image, np.asarray(small, np.uint8)
            self._index += 1
            full, copy = drawn[gain]
            frame = Frame(full, self._index / FPS, self._index, copy, sight=self._sight)
            found = self.watcher.feed(frame)
            events += [event for event in found if isinstance(event, Roll | Found)]
            alerts = self.tray.guard.alerts(frame)
            for alert in alerts - self.now:
                self.said[alert] += 1
                logging.getLogger("board").warning("%s", alert.sentence)
            self.now = alerts
        return events


def knocked(rng: np.random.Generator, scene: Scene) -> Scene:
    """The same with camera or tray pushed and tilted."""
    camera = scene.camera
    turn = rotation_of(np.radians(rng.uniform(-2, 2, 3)))
    push = np.array((*rng.uniform(-15, 15, 2), rng.uniform(-5, 5)))
    across, down, away = map(as_vector, turn @ np.array(camera.rotation))
    shift = as_vector(turn @ np.array(camera.translation) + push)
    now = replace(camera, rotation=(across, down, away), translation=shift)
    return replace(scene, camera=now)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--throws", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    logging.basicConfig(format="    %(message)s", level=logging.INFO, stream=sys.stdout)
    set_up = any_set_up(args.seed)
    rng = np.random.default_rng((args.seed, 200))
    total: Counter[str] = Counter()
    with TemporaryDirectory() as folder:
        evening = Evening(set_up, Path(folder) / "tray.profile")
        evening.show(evening.scene, SETTLE_S)
        first = set_up.where.scene
        for throw in range(1, args.throws + 1):
            if throw % 7 == 0:
                # Not ever farther away: the tray must stay in the picture.
                evening.scene = knocked(rng, first)
                print(f"throw {throw}: knocked", flush=True)
            if throw % 11 == 0:
                evening.light = float(np.exp(rng.uniform(np.log(0.33), np.log(2.5))))
                print(f"throw {throw}: light x {evening.light:.2f}", flush=True)
            if throw == args.throws // 2:
                styles = random_style(np.random.default_rng((args.seed, 7)), "easy", tuple(Kind))
                set_up = replace(set_up, where=replace(set_up.where, styles=styles))
                print(f"throw {throw}: other dice", flush=True)
            evening.show(evening.scene, EMPTY_S if throw % 7 and throw % 11 else SETTLE_S)
            where = replace(set_up.where, scene=evening.scene)
            laid = where.laid(rng, [(kind, None) for kind in PLAYED_DICE])
            lying = truth(laid)
            rolls = evening.show(laid, DICE_S)
            if not rolls:
                total["lost"] += 1
                print(f"throw {throw}: not reported", flush=True)
                continue
            dice = tuple(die.reading for die in rolls[-1].dice)
            profile = evening.tray.profile()
            edge = 30.0 if profile is None else profile.edge_pixels(lying[0].centre_px)
            count = counted(TrayReading(TrayState.STILL, dice), lying, edge)
            if count["wrong"] or count["phantoms"] or count["missed"]:
                print(f"throw {throw}: {dict(count)}", flush=True)
            total += count
            total["throws"] += 1
        said = ", ".join(f"{alert.lines[0]} {n}" for alert, n in evening.said.items()) or "nothing"
        print(f"\n{set_up.camera}, {dict(total)}; the board said: {said}")
        print("notices:", evening.tray.notices)


if __name__ == "__main__":
    sys.exit(run(main))
