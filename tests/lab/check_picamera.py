#!/usr/bin/env python3
"""Checks the Pi's camera adapter on the real picamera2 and libcamera; not part of the test run.

    python tests/lab/check_picamera.py FOLDER [--only NAME ...]

Needs no Pi, but Debian 13 with libcamera-ipa, python3-libcamera and a Python that sees the
system's packages and has picamera2 and requirements/base.txt; best run in a chroot, as it describes
a virtual camera to libcamera under /usr/share. FOLDER receives the pictures that the camera shows.
virtual_pi.py says what is simulated. One line per check; exit status 1 if any fails.
"""

import argparse
import json
import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from importlib import import_module
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from appliance.devices.camera.feed import Failure, Feed
from appliance.devices.camera.pi import (
    BLUE_CONTROL,
    EXPOSURE_CONTROL,
    GAIN_CONTROL,
    LENS_CONTROL,
    RED_CONTROL,
    PiCamera,
)
from appliance.errors import CameraError
from tests.lab import virtual_pi
from tests.rigs.sensor_modes import pixel_array
from vision.geometry.sight import Sight

FACES = (6, 5, 5, 3, 1)
"""The faces of the dice thrown in the film."""
STEP_S = 4 / 30
"""The virtual camera shows each picture four times."""


def held() -> tuple[int, int]:
    """File descriptors and threads of this process."""
    return len(list(Path("/proc/self/fd").iterdir())), threading.active_count()


def no_wait(_: float) -> None:
    """Replaces the wait between attempts, of which only the number matters."""


def quiet() -> None:
    """Silences picamera2, which logs every attempt."""
    logging.getLogger("picamera2").setLevel(logging.CRITICAL)


def grown(before: tuple[int, int], after: tuple[int, int]) -> str:
    return f"descriptors {before[0]} -> {after[0]}, threads {before[1]} -> {after[1]}"


def openings(tap: virtual_pi.Tap, count: int = 25) -> tuple[bool, str]:
    """Open, read and close."""
    firsts, before = [], (0, 0)
    for number in range(count + 1):
        began = time.monotonic()
        with closing(PiCamera()) as camera:
            frames = list(islice(camera.frames(), 10))
        times = [frame.time_s for frame in frames]
        if len(frames) < 10 or sorted(set(times)) != times:
            return False, f"opening {number}: {len(frames)} frames, times {times}"
        if number == 0:
            before = _at_rest()
        firsts.append(times[0] - began)
    after = _at_rest()
    slowest = max(firsts)
    return (
        before == after,
        f"{count} times, 10 frames each, first within {slowest:.2f} s; " + grown(before, after),
    )


def view(tap: virtual_pi.Tap) -> tuple[bool, str]:
    """The mode that picamera2 chooses sees the whole sensor, and each frame says so."""
    with closing(PiCamera()) as camera:
        sights = [frame.sight for frame in islice(camera.frames(), 10)]
    whole = pixel_array(virtual_pi.SENSOR)
    wanted = Sight(virtual_pi.SENSOR, whole, (0, 0, *whole))
    good = sights == [wanted] * 10 and tap.seen == [whole]
    return good, f"sees {tap.seen} of {whole[0]}x{whole[1]} pixels; frames show {sights[0]}"


def no_camera(tap: virtual_pi.Tap, count: int = 500) -> tuple[bool, str]:
    """Nothing is connected."""
    quiet()
    camera, before, said = PiCamera(wait=no_wait), (0, 0), set[str]()
    for number in range(count + 1):
        try:
            list(camera.frames())
        except CameraError as error:
            said.add(str(error))
        if number == 0:
            before = held()
    after = held()
    return before == after and len(said) == 1, f"{count} tries; {grown(before, after)}; {said}"


def stall(tap: virtual_pi.Tap, seconds: float = 10.0) -> tuple[bool, str]:
    """Frames are held back, then released."""
    quiet()
    feed = Feed(PiCamera)
    with closing(feed):
        feed.start()
        _frames(feed, 30)
        before, failures = held(), list[Failure]()
        tap.hold_back()
        began = time.monotonic()
        while time.monotonic() - began < seconds:
            if isinstance(news := feed.next(0.1), Failure):
                failures.append(news)
        tap.release()
        released = time.monotonic()
        # It may still be waiting for a picture from an opening that got none.
        back = _frames(feed, 30, patience_s=10.0)
        lasted = time.monotonic() - released
        # A camera that was given up closes in its own thread, some time after the next one works.
        after = _settled(before)
    good = back and bool(failures) and all(failure.hangs for failure in failures)
    said = f"{len(failures)} failures: {failures[0].error if failures else 'none'}"
    return good and before == after, f"{seconds:g} s; 30 frames {lasted:.1f} s after; " + (
        f"{grown(before, after)}; {said}" if back else "never came back; " + said
    )


def _at_rest(quiet_s: float = 2.0, patience_s: float = 20.0) -> tuple[int, int]:
    """What is held once that stays the same for a while: libcamera lets go in its own threads."""
    now, since = held(), time.monotonic()
    end = since + patience_s
    while time.monotonic() < min(since + quiet_s, end):
        time.sleep(0.1)
        if (later := held()) != now:
            now, since = later, time.monotonic()
    return now


def _settled(before: tuple[int, int], patience_s: float = 10.0) -> tuple[int, int]:
    """What is held once it is as before, or else after a while."""
    end = time.monotonic() + patience_s
    while (now := held()) != before and time.monotonic() < end:
        time.sleep(0.2)
    return now


def _frames(feed: Feed, count: int, patience_s: float = 10.0) -> bool:
    """True if this many frames arrive in time."""
    end = time.monotonic() + patience_s
    while count and time.monotonic() < end:
        news = feed.next(0.1)
        if news is not None and not isinstance(news, Failure):
            count -= 1
    return not count


def busy(tap: virtual_pi.Tap, count: int = 50) -> tuple[bool, str]:
    """Somebody else holds the camera, then releases it."""
    quiet()
    camera, before, said, marked = PiCamera(wait=no_wait), (0, 0), set[str](), True
    with closing(camera):
        with _holding():
            for number in range(count + 1):
                try:
                    list(camera.frames())
                except CameraError as error:
                    said.add(str(error))
                    marked = marked and error.busy
                if number == 0:
                    before = held()
            after = held()
        came = len(list(islice(camera.frames(), 10)))
    good = before == after and marked and len(said) == 1 and came == 10
    return good, f"{count} tries; {grown(before, after)}; then {came} frames; {said}"


@contextmanager
def _holding() -> Iterator[None]:
    """Holds the camera as somebody else; libcamera locks no virtual one between programs."""
    camera = import_module("libcamera").CameraManager.singleton().cameras[0]
    camera.acquire()
    yield
    camera.release()


def controls(tap: virtual_pi.Tap) -> tuple[bool, str]:
    """Controls that the camera does not offer are left out, with a log message."""
    words = list[str]()

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            words.append(record.getMessage())

    logging.getLogger("appliance").addHandler(Listener())
    locked = {
        EXPOSURE_CONTROL: 8000.0,
        GAIN_CONTROL: 2.0,
        RED_CONTROL: 1.9,
        BLUE_CONTROL: 1.6,
        LENS_CONTROL: 2.75,
    }
    with closing(PiCamera(locked=locked)) as camera:
        frames = camera.frames()
        came = len(list(islice(frames, 30)))
        # It stays open as long as more of them may be taken.
        offered = {name for each in tap.cameras for name in each.camera_controls}
        del frames
    asked = {name for each in tap.controls for name in each}
    missing = {
        "AeEnable",
        EXPOSURE_CONTROL,
        GAIN_CONTROL,
        "AwbEnable",
        "ColourGains",
        "AfMode",
        LENS_CONTROL,
    } - offered
    named = [name for name in sorted(missing) if any(name in word for word in words)]
    good = came == 30 and asked <= offered and named == sorted(missing) and len(words) == 1
    return good, f"offered: {', '.join(sorted(offered)) or 'nothing'}; said: {words}"


def locking(tap: virtual_pi.Tap) -> tuple[bool, str]:
    """Locks exposure and focus as the wizard does, as far as this camera has them."""
    with closing(PiCamera()) as camera:
        frames = camera.frames()
        list(islice(frames, 60))
        camera.unlock()
        list(islice(frames, 5))
        camera.expose(1.5)
        list(islice(frames, 20))
        values = camera.lock()
        camera.keep()
        camera.unlock()
        list(islice(frames, 5))
        camera.restore()
        came = len(list(islice(frames, 30)))
    return came == 30, f"locked to {dict(values) or 'nothing, as there is nothing to lock'}"


def service(tap: virtual_pi.Tap, folder: Path, seconds: float = 60.0) -> tuple[bool, str]:
    """`dicetray run --camera pi` reads the throws in the film, and ends when asked to."""
    command = [sys.executable, __file__, str(folder), "--serve"]
    environment = {**os.environ, **virtual_pi.ENVIRONMENT, "XDG_STATE_HOME": str(folder)}
    read, text, ended = 0, list[str](), False
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
    ) as process:
        # Must not wait for ever for lines that never come.
        alarm = threading.Timer(seconds, process.terminate)
        alarm.start()
        assert process.stdout is not None
        for line in process.stdout:
            text.append(line)
            with suppress(json.JSONDecodeError):
                event = json.loads(line)
                dice = sorted(die.get("value") for die in event.get("dice", ()))
                read += event.get("event") == "roll" and dice == sorted(FACES)
            if read == 3 and not ended:
                # A second signal would end it without waiting for anything.
                ended = True
                process.terminate()
        alarm.cancel()
        status = process.wait()
    good = read >= 3 and status == 0
    said = "" if good else "".join(text[-15:])
    return (
        good,
        f"3 throws wanted, {read} read as {' '.join(map(str, FACES))}; status {status} {said}",
    )


def serve(folder: Path) -> int:
    """Runs the service on the virtual camera."""
    from appliance.cli.main import main as dicetray

    words = f"run --camera pi --board none --buttons none --profile {folder / 'tray.profile'}"
    words += f" --journal {folder / 'games.sqlite3'} --game classic --players ANNA --new --json"
    return dicetray(words.split())


def film(folder: Path) -> None:
    """Makes the camera's pictures: an empty tray, a throw of five dice, a hand that takes them."""
    import cv2

    from simulator.motion.perfect_profile import learn_profile
    from simulator.motion.simulated_tray import SimulatedTray
    from vision.geometry.profile_file import save_profile
    from vision.reading import Kind

    frames, numbers = folder / "frames", iter(range(1000))
    if (frames / "0.jpg").exists():
        return
    frames.mkdir(parents=True, exist_ok=True)
    tray = SimulatedTray(seed=7, kinds=dict.fromkeys(range(5), Kind.BLACK))
    save_profile(learn_profile(tray, virtual_pi.FULL_SIZE), folder / "tray.profile")

    def shoot(seconds: float) -> None:
        began = tray.time_s
        while tray.busy or tray.time_s < began + seconds:
            picture = tray.frame(virtual_pi.FULL_SIZE).image
            cv2.imwrite(str(frames / f"{next(numbers)}.jpg"), picture)
            tray.advance(STEP_S)

    shoot(1.0)
    tray.throw(dict(enumerate(FACES)))
    shoot(0.0)
    shoot(4.0)
    tray.pick_up(range(5))
    shoot(0.0)


CHECKS: Mapping[str, Callable[..., tuple[bool, str]]] = {
    "openings": openings,
    "view": view,
    "no-camera": no_camera,
    "stall": stall,
    "busy": busy,
    "controls": controls,
    "locking": locking,
    "service": service,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the camera's pictures lie")
    parser.add_argument("--only", nargs="+", choices=CHECKS, default=list(CHECKS))
    parser.add_argument("--here", help=argparse.SUPPRESS)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    tap = virtual_pi.Tap()
    if options.serve or options.here:
        virtual_pi.install(tap)
    folder = options.folder.resolve()
    if options.serve:
        return serve(folder)
    if options.here:
        check = CHECKS[options.here]
        good, said = check(tap, folder) if check is service else check(tap)
        print(f"{'good' if good else 'BAD '}  {options.here}: {said}", flush=True)
        return 0 if good else 1
    film(folder)
    virtual_pi.describe_camera(folder / "frames")
    return max(run(name, folder) for name in options.only)


def run(name: str, folder: Path) -> int:
    """Runs a check in its own process: libcamera reads its environment only once."""
    extra = virtual_pi.NO_CAMERA if name == "no-camera" else {}
    try:
        return subprocess.run(
            [sys.executable, __file__, str(folder), "--here", name],
            env={**os.environ, **virtual_pi.ENVIRONMENT, **extra},
            timeout=180,
            check=False,
        ).returncode
    except subprocess.TimeoutExpired:
        print(f"BAD   {name}: not over within 180 s", flush=True)
        return 1


if __name__ == "__main__":
    sys.exit(main())
