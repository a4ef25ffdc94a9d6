#!/usr/bin/env python3
"""An evening with a tray that nobody has calibrated: throws, knocks, lamps, other dice.

    .venv/bin/python scripts/bench_evening.py [--throws 200] [--seed 0] [--first 1]
        [--pictures FOLDER]

One of the set-ups of `tests/rigs/any_set_up.py`. Every seventh throw somebody has knocked against
camera or tray before (up to 30 mm and 2 degrees), every eleventh the lamp is another (a third to
2.5 times the light), and half-way through other dice are used. Everything is read by the guarded
watcher of the appliance, which keeps a profile and sets a rendered camera; what it says on the
board, and what it learns, is printed with the throw. `wrong` are false claims, `asked` dice asked
about, `missed` not found, `lost` throws that were not reported at all.

Of each alert it is printed what it keeps from happening: three throws are laid into the tray as it
is then, and read with the calibration as it is then, without any guard. An alert is `needed` if
anything in them is wrong, missed, or no die, if a third is asked about, or if places are off by
half a die.
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
from calibration import store
from calibration.readers import CalibratedReader
from scripts.bench_self_calibration import PLAYED_DICE, counted, off_mm, picture
from scripts.campaign.stopping import run
from simulator.render.pinhole import as_vector
from simulator.render.scene import Scene
from simulator.scenes.random_setup import random_style
from tests.calibration.setups import EDGE
from tests.rigs.any_set_up import SetUp, any_set_up
from tests.rigs.rendering.truth import truth
from vision.errors import Unreadable
from vision.events import Found, Roll
from vision.frame import Frame, Image
from vision.geometry.camera import rotation_of
from vision.reading import Kind, TrayReading, TrayState

FPS = 10
SMALL = (480, 270)
EMPTY_S, DICE_S, SETTLE_S = 2.5, 2.5, 8.0
JUDGED_THROWS = 3
log = logging.getLogger("evening")


class Evening:
    """The room: a scene, its light, a camera that can be set, and the appliance that looks."""

    name = "rendered"

    def __init__(self, set_up: SetUp, path: Path) -> None:
        self.set_up = set_up
        self.scene = set_up.where.scene
        self.light = 1.0
        self.gain = 1.0
        self._sight = set_up.sight
        self._locked = False
        self._index = 0
        self.said: Counter[str] = Counter()
        self.now: frozenset[Alert] = frozenset()
        self._raised_s: dict[Alert, float] = {}
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
        """The reports on a scene; the noise of its pictures changes only with the light."""
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
                self._raised_s[alert] = frame.time_s
                self._judge(alert)
            for alert in self.now - alerts:
                lasted = frame.time_s - self._raised_s.pop(alert)
                log.warning("no longer after %.1f s: %s", lasted, alert.sentence)
            self.now = alerts
        return events

    def _judge(self, alert: Alert) -> None:
        """Says what throws would be read as if the alert were not heeded."""
        calibration = self.tray.calibration
        if calibration is None:
            self.said[f"{alert.lines[0]}, not calibrated"] += 1
            log.warning("ALERT %s", alert.sentence)
            return
        rng = np.random.default_rng((self._index, 3))
        where = replace(self.set_up.where, scene=self.scene)
        count: Counter[str] = Counter()
        for k in range(JUDGED_THROWS):
            laid = where.laid(rng, [(kind, None) for kind in PLAYED_DICE])
            image, lying = picture(laid, self.gain * self.light, k), truth(laid)
            edge = calibration.profile.edge_pixels(lying[0].centre_px)
            try:
                count += counted(CalibratedReader(calibration).read(image), lying, edge)
            except Unreadable as error:
                count["unreadable"] += 1
                log.warning("%s", error)
        off = float(off_mm(self.scene, calibration.profile.pinhole).max())
        bad = count["wrong"] + count["missed"] + count["phantoms"] + count["unreadable"]
        needed = bad > 0 or 3 * count["asked"] > count["dice"] or off > EDGE / 2
        self.said[f"{alert.lines[0]}, {'needed' if needed else 'NOT NEEDED'}"] += 1
        log.warning(
            "ALERT %s: %s; unguarded: %s, places off by %.1f mm",
            *(alert.sentence, "needed" if needed else "NOT NEEDED", dict(count), off),
        )


def knocked(rng: np.random.Generator, scene: Scene) -> Scene:
    """The scene with camera or tray pushed and tilted."""
    camera = scene.camera
    turn = rotation_of(np.radians(rng.uniform(-2, 2, 3)))
    push = np.array((*rng.uniform(-15, 15, 2), rng.uniform(-5, 5)))
    across, down, away = map(as_vector, turn @ np.array(camera.rotation))
    shift = as_vector(turn @ np.array(camera.translation) + push)
    now = replace(camera, rotation=(across, down, away), translation=shift)
    return replace(scene, camera=now)


def keep(folder: Path | None, name: str, evening: Evening, laid: Scene) -> None:
    """Keeps what the camera saw, and the calibration, to look at."""
    if folder is None:
        return
    folder.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(folder / f"{name}.png"), picture(laid, evening.gain * evening.light, 0))
    calibration = evening.tray.calibration
    if calibration is not None:
        store.save(folder / f"{name}.profile", calibration)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--throws", type=int, default=200)
    parser.add_argument("--first", type=int, default=1, help="start with this throw")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--pictures", type=Path, help="folder for pictures of odd throws")
    args = parser.parse_args()
    logging.basicConfig(format="    %(message)s", level=logging.INFO, stream=sys.stdout)
    set_up = any_set_up(args.seed)
    rng = np.random.default_rng((args.seed, 200))
    total: Counter[str] = Counter()
    with TemporaryDirectory() as folder:
        evening = Evening(set_up, Path(folder) / "tray.profile")
        first = set_up.where.scene
        evening.show(first, SETTLE_S)
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
                evening.set_up = set_up
                print(f"throw {throw}: other dice", flush=True)
            where = replace(set_up.where, scene=evening.scene)
            laid = where.laid(rng, [(kind, None) for kind in PLAYED_DICE])
            if throw < args.first:
                continue
            quiet = throw % 7 and throw % 11 and throw > args.first
            evening.show(evening.scene, EMPTY_S if quiet else SETTLE_S)
            lying = truth(laid)
            rolls = evening.show(laid, DICE_S)
            if not rolls:
                keep(args.pictures, f"lost-{args.seed}-{throw}", evening, laid)
                total["lost"] += 1
                print(f"throw {throw}: not reported", flush=True)
                continue
            dice = tuple(die.reading for die in rolls[-1].dice)
            profile = evening.tray.profile()
            edge = 30.0 if profile is None else profile.edge_pixels(lying[0].centre_px)
            count = counted(TrayReading(TrayState.STILL, dice), lying, edge)
            if any(count[name] for name in ("wrong", "asked", "missed", "phantoms")):
                print(f"throw {throw}: {dict(count)}", flush=True)
            if count["phantoms"] or count["missed"]:
                for die in rolls[-1].dice:
                    print(f"    {die}", flush=True)
                keep(args.pictures, f"odd-{args.seed}-{throw}", evening, laid)
            total += count
            total["throws"] += 1
        said = ", ".join(f"{what} ({n})" for what, n in evening.said.items()) or "nothing"
        print(f"\n{set_up.camera}, {dict(total)}; the board said: {said}")
        print("notices:", evening.tray.notices)


if __name__ == "__main__":
    sys.exit(run(main))
