#!/usr/bin/env python3
"""What an hour of watching a resting tray costs: processor time of the whole process, by part.

    .venv/bin/python scripts/bench_rest.py [--tree . --tree OLD] [--seconds 30] [--times 3]

`dicetray run` is started as the service starts it, in a process of its own, with a profile, a game,
buttons (gpiozero's mock pins), and the firmware in MicroPython behind a serial port. Only the
camera is a stand-in, and delivers a rendered tray with noise, 30 pictures a second in real time:

    usb     `cv2.VideoCapture`, which copies a JPEG of 1280x720 for each picture, or decodes it
    pi      `picamera2`, which copies 1536x864 and 320x180 pixels as the real one does
    film    `cv2.VideoCapture` itself, no faster than live: a film of those JPEGs, again and again

The kernel counts the time of each thread, so a part is what its thread has used since the first
frames were read; a film is decoded in the main thread, and that is taken apart. Several trees take
turns; the least of several runs counts, which other work on the machine disturbs least.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

TOP = Path(__file__).parents[1]
WARM_UP_S = 12.0
FPS = 30.0
PICTURES = 24
SIZES = {"usb": (1280, 720), "pi": (1536, 864), "film": (1280, 720)}
SMALL = (320, 180)
NOISE = 1.5
DECODING = "decoding"  # the file with the time that decoding a film took so far


def child(kind: str, folder: Path, arguments: list[str]) -> int:
    """Runs the appliance with a stand-in for the camera."""
    import threading

    from appliance.cli.main import main

    run = threading.Thread.run

    def named(self: threading.Thread) -> None:
        # The kernel knows threads by these names; before Python 3.14 it is not told.
        Path(f"/proc/self/task/{threading.get_native_id()}/comm").write_text(self.name[:15])
        run(self)

    threading.Thread.run = named  # type: ignore[method-assign]
    if kind == "usb":
        _fit_usb_camera(folder)
    elif kind == "pi":
        _fit_pi_camera(folder)
    else:
        _fit_film(folder)
    return main(arguments)


class _Pace:
    """Waits until the next picture of a camera is due."""

    def __init__(self) -> None:
        self._due_s = time.monotonic()
        self.number = 0

    def wait(self) -> None:
        time.sleep(max(0.0, self._due_s - time.monotonic()))
        self._due_s += 1 / FPS
        self.number += 1


def _fit_usb_camera(folder: Path) -> None:
    import cv2
    import numpy as np

    class Webcam:
        """The part of `cv2.VideoCapture` that the product uses."""

        def __init__(self, path: str, api: int) -> None:
            files = sorted(folder.glob("*.jpg"))
            self._data = [np.frombuffer(one.read_bytes(), np.uint8) for one in files]
            self._pace = _Pace()
            self._raw = False

        def isOpened(self) -> bool:  # noqa: N802
            return True

        def set(self, propId: int, value: float) -> bool:  # noqa: N803
            if propId == cv2.CAP_PROP_CONVERT_RGB:
                self._raw = not value
            return propId == cv2.CAP_PROP_CONVERT_RGB

        def get(self, propId: int) -> float:  # noqa: N803
            code = cv2.VideoWriter.fourcc(*"MJPG")
            return float(code) if propId == cv2.CAP_PROP_FOURCC else -1.0

        def grab(self) -> bool:
            self._pace.wait()
            return True

        def retrieve(self) -> tuple[bool, object]:
            data = self._data[self._pace.number % len(self._data)]
            if self._raw:
                return True, data.reshape(1, -1).copy()
            image = cv2.imdecode(data, 1)
            return image is not None, image

        def release(self) -> None:
            pass

    setattr(cv2, "VideoCapture", Webcam)  # noqa: B010


def _fit_film(folder: Path) -> None:
    import cv2

    real, decoding = cv2.VideoCapture, (folder / DECODING).open("wb", buffering=0)

    class Film:
        """A film that never ends, at its own rate."""

        def __init__(self, *where: Any) -> None:
            self._film, self._pace, self._used_ns = real(*where), _Pace(), 0

        def __getattr__(self, name: str) -> Any:
            return getattr(self._film, name)

        def read(self) -> tuple[bool, Any]:
            self._pace.wait()
            begun_ns = time.thread_time_ns()
            delivered, image = self._film.read()
            if not delivered:
                self._film.set(cv2.CAP_PROP_POS_FRAMES, 0)
                delivered, image = self._film.read()
            self._used_ns += time.thread_time_ns() - begun_ns
            os.pwrite(decoding.fileno(), self._used_ns.to_bytes(8, "little"), 0)
            return delivered, image

    setattr(cv2, "VideoCapture", Film)  # noqa: B010


def _fit_pi_camera(folder: Path) -> None:
    from types import MappingProxyType, ModuleType, SimpleNamespace

    import numpy as np

    # Mapped, so that they are not memory of the appliance's.
    pictures, small = (np.load(folder / f"{name}.npy", "r") for name in ("main", "lores"))

    class Request:
        def __init__(self, number: int, time_s: float) -> None:
            self._number, self._time_s = number % len(pictures), time_s

        def make_array(self, name: str) -> object:
            return (pictures if name == "main" else small)[self._number].copy()

        def get_metadata(self) -> dict[str, object]:
            return {
                "SensorTimestamp": round(self._time_s * 1e9),
                "ExposureTime": 9_000,
                "AnalogueGain": 2.0,
                "DigitalGain": 1.0,
                "ColourGains": (2.0, 1.6),
                "AfState": 2,
                "LensPosition": 2.0,
            }

        def release(self) -> None:
            pass

    controls = ["FrameDurationLimits", "AeEnable", "ExposureTime", "AnalogueGain", "AwbEnable"]
    controls += ["ColourGains", "AfMode", "LensPosition"]

    class Picamera2:
        _cm = SimpleNamespace()
        camera_controls = MappingProxyType(dict.fromkeys(controls))
        camera_properties = MappingProxyType[str, object]({})
        sensor_modes = ()

        def __init__(self) -> None:
            self._pace = _Pace()

        @staticmethod
        def global_camera_info() -> list[dict[str, str]]:
            return [{"Id": "stand-in"}]

        def create_video_configuration(self, **settings: object) -> dict[str, object]:
            return settings

        def configure(self, settings: object) -> None:
            pass

        start = stop = close = cancel_all_and_flush = lambda self: None

        def set_controls(self, controls: object) -> None:
            pass

        def capture_request(self, wait: object = None) -> Request:
            self._pace.wait()
            return Request(self._pace.number, time.monotonic())

    taken = SimpleNamespace(acquire=lambda: None, release=lambda: None)
    manager = SimpleNamespace(get=lambda name: taken)
    afs = SimpleNamespace(Continuous=2, Manual=0)
    modules: dict[str, dict[str, Any]] = {
        "picamera2": {"Picamera2": Picamera2},
        "libcamera": {
            "CameraManager": SimpleNamespace(singleton=lambda: manager),
            "controls": SimpleNamespace(AfModeEnum=afs),
        },
    }
    for name, contents in modules.items():
        sys.modules[name] = module = ModuleType(name)
        vars(module).update(contents)


def prepare(folder: Path, dice: int) -> None:
    """Renders the tray and writes what each kind of camera delivers of it, with its profile."""
    import cv2
    import numpy as np

    from simulator.motion.simulated_tray import SimulatedTray
    from simulator.motion.watched_tray import geometry_of_tray
    from vision.geometry.profile_file import save_profile
    from vision.reading import Kind

    cv2.setNumThreads(1)
    rng = np.random.default_rng(7)
    for kind, size in SIZES.items():
        place = folder / kind
        place.mkdir()
        faces = {slot: 1 + slot for slot in range(dice)}
        tray = SimulatedTray(3, dict.fromkeys(faces, Kind.BLACK))
        if faces:
            tray.throw(faces)
            while tray.busy:
                tray.advance(1 / FPS)
        still = tray.frame(size).image.astype(np.float32)
        noisy = (
            np.clip(still + rng.normal(0, NOISE, still.shape), 0, 255).round().astype(np.uint8)
            for _ in range(PICTURES)
        )
        save_profile(geometry_of_tray(tray, size), place / "tray.profile")
        if kind == "pi":
            pictures = list(noisy)
            np.save(place / "main.npy", np.stack(pictures))
            yuv = [
                cv2.cvtColor(cv2.resize(p, SMALL, interpolation=cv2.INTER_AREA), 128)
                for p in pictures
            ]
            np.save(place / "lores.npy", np.stack(yuv))
        elif kind == "film":
            code = cv2.VideoWriter.fourcc(*"MJPG")
            film = cv2.VideoWriter(str(place / "film.avi"), cv2.CAP_OPENCV_MJPEG, code, FPS, size)
            for picture in noisy:
                film.write(picture)
            film.release()
        else:
            for number, picture in enumerate(noisy):
                cv2.imwrite(str(place / f"{number:03}.jpg"), picture, [1, 85])


def _threads(pid: int, decoding: Path) -> dict[str, float]:
    """Seconds of processor by the names of a process's threads, and what decodes a film."""
    used: dict[str, float] = {}
    for task in Path(f"/proc/{pid}/task").iterdir():
        try:
            ns = int((task / "schedstat").read_text().split()[0])
            name = (task / "comm").read_text().strip()
        except OSError:
            continue
        name = "main" if int(task.name) == pid else name
        used[name] = used.get(name, 0.0) + ns / 1e9
    if decoding.exists():
        used["decoding"] = int.from_bytes(decoding.read_bytes(), "little") / 1e9
        used["main"] -= used["decoding"]
    return used


def once(tree: Path, kind: str, folder: Path, device: str, seconds: float) -> dict[str, float]:
    """Runs a tree's appliance; returns milliseconds of processor for a frame, by thread."""
    place = folder / kind
    width, height = SIZES[kind]
    command = [sys.executable, str(Path(__file__).resolve()), "--child", kind, str(place), "run"]
    source = f"v4l2:{place / '000.jpg'}" if kind == "usb" else "pi"
    live = f"{source}?size={width}x{height}&fps={FPS:g}"
    command += ["--camera", f"file:{place / 'film.avi'}" if kind == "film" else live]
    command += ["--profile", str(place / "tray.profile"), "--journal", ":memory:"]
    command += ["--board", device, "--buttons", "gpio"]
    environment = os.environ | {"GPIOZERO_PIN_FACTORY": "mock", "PYTHONPATH": str(tree)}
    log = folder / "log"
    with log.open("w") as file:
        process = subprocess.Popen(command, stdout=file, stderr=file, env=environment, cwd=tree)
    try:
        time.sleep(WARM_UP_S)
        before, start = _threads(process.pid, place / DECODING), time.monotonic()
        time.sleep(seconds)
        after, end = _threads(process.pid, place / DECODING), time.monotonic()
        if process.poll() is not None:
            raise SystemExit(f"bench_rest: the appliance has ended:\n{log.read_text()}")
    finally:
        process.terminate()
        process.wait(30.0)
    frames = (end - start) * FPS
    return {name: 1000 * (used - before.get(name, 0.0)) / frames for name, used in after.items()}


def main() -> None:
    """Runs each tree by turns and prints a table."""
    if sys.argv[1:2] == ["--child"]:
        sys.path.insert(0, os.environ["PYTHONPATH"])
        sys.exit(child(sys.argv[2], Path(sys.argv[3]), sys.argv[4:]))
    sys.path.insert(0, str(TOP))
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tree", type=Path, action="append")
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--dice", type=int, default=5, help="that lie in the tray")
    parser.add_argument("--only", choices=tuple(SIZES))
    options = parser.parse_args()
    trees = [tree.resolve() for tree in options.tree or [TOP]]
    from simulator.pico.board import SimulatedBoard

    with tempfile.TemporaryDirectory(prefix="dicetray-rest-") as name, SimulatedBoard() as board:
        folder = Path(name)
        prepare(folder, options.dice)
        for kind in SIZES:
            if options.only not in (None, kind):
                continue
            least: list[dict[str, float]] = [{} for _ in trees]
            for _ in range(options.times):
                for best, tree in zip(least, trees, strict=True):
                    used = once(tree, kind, folder, board.device, options.seconds)
                    used["all"] = sum(used.values())
                    if not best or used["all"] < best["all"]:
                        best.clear()
                        best.update(used)
            print(f"{kind}: milliseconds of processor for each frame")
            for part in sorted({part for best in least for part in best}):
                cells = " ".join(f"{best.get(part, 0.0):8.3f}" for best in least)
                print(f"  {part:16} {cells}", flush=True)


if __name__ == "__main__":
    main()
