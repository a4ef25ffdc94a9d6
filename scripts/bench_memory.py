#!/usr/bin/env python3
"""The memory that all our units hold together, at most, while an evening goes on.

    .venv/bin/python scripts/bench_memory.py [--camera usb] [--minutes 60] [--pace 3]

The units run as systemd starts them, in the environment of theirs: the game (`dicetray run`) with a
voice (espeak-ng), the score page with somebody who watches, what tells a broker of messages
(Mosquitto here), and now and then what writes the records down. Twice a minute other dice lie in
the tray and are read; meanwhile somebody presses OK, HINT, and goes through the menu. Only the
camera is a stand-in, that of `bench_rest.py`, whose pictures are left out. With --pace 3 an hour's
throws and presses are made in 20 minutes; the camera is as fast as ever.

Each page of memory that one of them has counts once, by its number in the machine. That is the sum
of their PSS where no other program has the same files open; it takes root. A Pi camera's buffers
are the kernel's, and are added by their size.
"""

import argparse
import http.client
import itertools
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TOP = Path(__file__).parents[1]
sys.path.insert(0, str(TOP))
T = TypeVar("T")
WARM_UP_S = 12.0
SAMPLE_EVERY_S = 0.1
THROW_EVERY_S = 30.0
PRESS_EVERY_S = 3.0
RECORDS_EVERY_S = 300.0
PATIENCE_S = 180.0
PRESSES = ("ok", "ok", "hint", "back", "back long", "right", "ok", "back", "back", "ok")
"""Over and over: a choice, a hint, and a page of the menu."""
LONG_S = 1.5
PROGRAM = ("-m", "appliance.cli.program")
UNITS = ("dicetray", "dicetray-web", "dicetray-mqtt", "dicetray-records")
"""Those that run during an evening; the others of `systemd/` only mount, copy, join or install."""
MEGABYTE = 1e6
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_PRESENT, _NUMBER = 1 << 63, (1 << 55) - 1
"""Of an entry of /proc/PID/pagemap (the kernel's Documentation/admin-guide/mm/pagemap.rst)."""


def child(kind: str, folder: Path, arguments: list[str]) -> int:
    """Runs the appliance with a stand-in for the camera; presses what comes from stdin."""
    from scripts import bench_rest

    threading.Thread(target=_press, daemon=True).start()
    return bench_rest.child(kind, folder, arguments)


def _press() -> None:
    for line in sys.stdin:
        from gpiozero import Device

        from appliance.config import Config
        from appliance.inputs import Button

        name, *held = line.split()
        if (factory := Device.pin_factory) is None:
            continue
        pin = factory.pin(dict(Config().buttons.pins)[Button(name)])
        pin.drive_low()
        time.sleep(LONG_S if held else 0.1)
        pin.drive_high()
        for one in factory.pins.values():
            one.clear_states()


@dataclass(frozen=True, slots=True)
class Held:
    """The pages that processes have.

    Attributes:
        numbers: of the pages, as often as they are mapped.
        units: index of the unit that has each.
        files: index of the file that each is of, in `names`; that of "" where it is of none.
        names: of the files.
    """

    numbers: "NDArray[np.uint64]"
    units: "NDArray[np.uint64]"
    files: "NDArray[np.uint64]"
    names: Sequence[str]

    @property
    def megabytes(self) -> float:
        """All, each page once."""
        import numpy as np

        return len(np.unique(self.numbers)) * PAGE_BYTES / MEGABYTE

    def by(self, what: "NDArray[np.uint64]") -> "NDArray[np.float64]":
        """Megabytes by unit or by file; a page of several has a part in each."""
        import numpy as np

        _, place, times = np.unique(self.numbers, return_inverse=True, return_counts=True)
        weights = PAGE_BYTES / MEGABYTE / times[place]
        found = np.bincount(what.astype(int), weights, max(len(UNITS), len(self.names)))
        return found.astype(np.float64)


def held_by(units: Sequence[Sequence[int]], left_out: Path) -> Held:
    """What the processes of each unit have, but for files in a folder."""
    import numpy as np

    names = {"": 0}
    columns: list[tuple[NDArray[np.uint64], int, int]] = []
    for unit, pids in enumerate(units):
        for pid in pids:
            # A process may have ended.
            with suppress(OSError):
                for path, numbers in _pages_of(pid):
                    if not path.startswith(str(left_out)):
                        name = path.rpartition("/")[2] if path.startswith("/") else ""
                        columns.append((numbers, unit, names.setdefault(name, len(names))))
    counts = [len(numbers) for numbers, _, _ in columns]
    numbers = np.concatenate([numbers for numbers, _, _ in columns])
    if not numbers.any():
        raise SystemExit("bench_memory: expected root, whom the kernel tells the numbers of pages")
    by_unit = np.repeat(np.array([unit for _, unit, _ in columns], np.uint64), counts)
    by_file = np.repeat(np.array([file for _, _, file in columns], np.uint64), counts)
    return Held(numbers, by_unit, by_file, tuple(names))


def _pages_of(pid: int) -> "Iterator[tuple[str, NDArray[np.uint64]]]":
    import numpy as np

    place = Path(f"/proc/{pid}")
    with (place / "pagemap").open("rb", buffering=0) as table:
        for line in (place / "maps").read_text().splitlines():
            where, _, _, _, _, *path = line.split(maxsplit=5)
            start, end = (int(one, 16) // PAGE_BYTES for one in where.split("-"))
            # The kernel's own page for system calls lies beyond what a seek can reach.
            if not path or not path[0].startswith("[v"):
                table.seek(8 * start)
                entries = np.frombuffer(table.read(8 * (end - start)), np.uint64)
                there = entries[(entries & np.uint64(_PRESENT)) != 0]
                yield path[0] if path else "", there & np.uint64(_NUMBER)


def with_children(pid: int) -> list[int]:
    """A process and all that it has started."""
    found = [pid]
    for one in found:
        with suppress(OSError):
            for task in Path(f"/proc/{one}/task").iterdir():
                found += map(int, (task / "children").read_text().split())
    return found


def peak_of(pid: int) -> float:
    """The most that a process ever had at a time, megabytes."""
    found = re.search(r"VmHWM:\s*(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) * 1024 / MEGABYTE if found else 0.0


def environment_of(unit: str) -> dict[str, str]:
    """The variables that a unit sets."""
    text = (TOP / "systemd" / f"{unit}.service").read_text("utf-8")
    return dict(re.findall(r"^Environment=((?!LG_WD|RUNTIME)\w+)=(.*)$", text, re.MULTILINE))


def start(
    unit: str, words: Sequence[str], log: Path, *before: "subprocess.Popen[str]"
) -> "subprocess.Popen[str]":
    """Starts a process in a unit's environment, after those before have ended."""
    for process in before:
        process.wait(PATIENCE_S)
    place = {"RUNTIME_DIRECTORY": str(log.parent), "GPIOZERO_PIN_FACTORY": "mock"}
    # A sound card that hears all and says nothing.
    (log.parent / "asound.conf").write_text("pcm.!default { type null }\n")
    place["ALSA_CONFIG_PATH"] = str(log.parent / "asound.conf")
    environment = os.environ | {"PYTHONPATH": str(TOP)} | place | environment_of(unit)
    command = [sys.executable, *words]
    with log.open("w") as file:
        return subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=file, stderr=file, text=True
        )


def end(unit: str, process: "subprocess.Popen[str]", log: Path) -> None:
    """Ends a process; SystemExit if it has ended before."""
    if process.poll() is not None:
        raise SystemExit(f"bench_memory: {unit} has ended:\n{log.read_text()[-2000:]}")
    process.terminate()
    process.wait(PATIENCE_S)


def patiently(what: Callable[[], T]) -> T:
    """What a call returns once it raises no OSError any more."""
    end = time.monotonic() + PATIENCE_S
    while True:
        try:
            return what()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)


def watch_page(folder: Path, port: int) -> None:
    """Enters the PIN, and reads what the page sends, in a thread."""

    def pin() -> str:
        with socket.socket(socket.AF_UNIX) as stream, stream.makefile("rb") as lines:
            stream.connect(str(folder / "board"))
            if not (line := lines.readline()):
                raise ConnectionError("nothing was said yet")
            return str(json.loads(line)["hello"]["pin"])[:6]

    said = patiently(pin)

    def enter() -> str:
        with closing(http.client.HTTPConnection("127.0.0.1", port)) as page:
            page.request("POST", "/pin", said, {"Origin": f"http://127.0.0.1:{port}"})
            return str(page.getresponse().headers["Set-Cookie"]).split(";")[0]

    page = http.client.HTTPConnection("127.0.0.1", port)
    page.request("GET", "/events", headers={"Cookie": patiently(enter)})
    answer = page.getresponse()
    threading.Thread(target=lambda: [None for _ in answer], daemon=True).start()


class Evening:
    """The units, and what people do.

    Args:
        folder: for all files.
        kind: of the camera.
        stack: closes everything.
    """

    def __init__(self, folder: Path, kind: str, stack: ExitStack) -> None:
        from scripts import bench_rest
        from simulator.pico.board import SimulatedBoard
        from tests.rigs.mosquitto import Mosquitto, free_port

        self._folder, self._kind, port = folder, kind, free_port()
        bench_rest.prepare(folder, 5)
        self._throws = itertools.cycle(throws() if kind == "pi" else [{}])
        self._presses = itertools.cycle(PRESSES)
        broker, board = Mosquitto(folder), stack.enter_context(SimulatedBoard())
        stack.callback(broker.stop)
        (folder / "settings.toml").write_text(
            f'[games]\njournal = "{folder}/games.sqlite3"\n[sound]\nvoice = true\n'
            f'[web]\nserve = "here"\nport = {port}\n[mqtt]\nbroker = "{broker.url}"\n'
        )
        source = {"usb": f"v4l2:{folder / kind / '000.jpg'}", "pi": "pi"}[kind]
        width, height = bench_rest.SIZES[kind]
        settings = ["--config", str(folder / "settings.toml")]
        words = {
            "dicetray": [
                *(str(Path(__file__).resolve()), "--child", kind, str(folder / kind), "run"),
                *("--camera", f"{source}?size={width}x{height}&fps={bench_rest.FPS:g}"),
                *("--profile", str(folder / kind / "tray.profile"), "--board", board.device),
                *("--buttons", "gpio", *settings),
            ],
            "dicetray-web": [*PROGRAM, "web", "--folder", str(folder)],
            "dicetray-mqtt": [*PROGRAM, "mqtt", *settings],
            "dicetray-records": [*PROGRAM, "stats", "--journal", f"{folder}/games.sqlite3"],
        }
        self._words = words.pop("dicetray-records")
        self._processes = []
        for unit, each in words.items():
            run = start(unit, each, folder / f"{unit}.log")
            stack.callback(end, unit, run, folder / f"{unit}.log")
            self._processes.append(run)
            if unit == "dicetray":
                patiently((folder / "page").stat)
        self.appliance = self._processes[0]
        watch_page(folder, port)

    def pids(self) -> list[list[int]]:
        """Those of each of `UNITS`."""
        return [with_children(run.pid) for run in self._processes]

    def throw(self) -> None:
        """Puts other pictures into the files that the stand-in has mapped."""
        import numpy as np

        for name, pictures in next(self._throws).items():
            with (self._folder / self._kind / name).open("r+b") as file:
                np.save(file, pictures)

    def press(self) -> None:
        """Presses the next button."""
        assert self.appliance.stdin is not None
        print(next(self._presses), file=self.appliance.stdin, flush=True)

    def write_records(self) -> None:
        """Does what the timer has its unit do."""
        self._processes[3:] = [
            start(UNITS[3], self._words, self._folder / "records.log", *self._processes[3:])
        ]


def throws() -> "list[dict[str, NDArray[np.uint8]]]":
    """What the Pi's camera delivers of three throws, as `bench_rest.py` has it of one."""
    import cv2
    import numpy as np

    from scripts.bench_rest import FPS, NOISE, PICTURES, SIZES, SMALL
    from simulator.motion.simulated_tray import SimulatedTray
    from vision.reading import Kind

    rng, made = np.random.default_rng(8), []
    tray = SimulatedTray(3, dict.fromkeys(range(5), Kind.BLACK))
    for faces in ((6, 6, 6, 5, 5), (2, 2, 3, 4, 6), (1, 2, 3, 4, 5)):
        tray.throw(dict(enumerate(faces)))
        while tray.busy:
            tray.advance(1 / FPS)
        still = tray.frame(SIZES["pi"]).image.astype(np.float32)
        noisy = [still + rng.normal(0, NOISE, still.shape) for _ in range(PICTURES)]
        pictures = np.stack([np.clip(one, 0, 255).round().astype(np.uint8) for one in noisy])
        small = [cv2.resize(one, SMALL, interpolation=cv2.INTER_AREA) for one in pictures]
        yuv = np.stack([cv2.cvtColor(one, cv2.COLOR_BGR2YUV_I420) for one in small])
        made.append({"main.npy": pictures, "lores.npy": yuv})
    return made


def camera_buffers() -> float:
    """Megabytes of the buffers that a Pi's camera is asked for.

    Each has a full picture, a small one, and the sensor's own: 2304x1296 of 10 bits, for a Camera
    Module 3.
    """
    from appliance.devices.camera.pi import BUFFERS
    from scripts.bench_rest import SIZES, SMALL

    (width, height), (less, lower) = SIZES["pi"], SMALL
    return BUFFERS * (3 * width * height + 1.5 * less * lower + 1.25 * 2304 * 1296) / MEGABYTE


def measure(evening: Evening, seconds: float, pace: float, folder: Path) -> tuple[Held, Held]:
    """What is held at rest, and the most within some seconds in which people play."""
    time.sleep(WARM_UP_S)
    rest = most = held_by(evening.pids(), folder)
    start_s = time.monotonic()
    every_s = {
        evening.throw: THROW_EVERY_S / pace,
        evening.press: PRESS_EVERY_S / pace,
        evening.write_records: RECORDS_EVERY_S / pace,
    }
    next_s = dict.fromkeys(every_s, 0.0)
    while (now_s := time.monotonic() - start_s) < seconds:
        for do, due_s in next_s.items():
            if now_s >= due_s:
                do()
                next_s[do] = due_s + every_s[do]
        time.sleep(SAMPLE_EVERY_S)
        held = held_by(evening.pids(), folder)
        most = max(most, held, key=lambda one: one.megabytes)
    return rest, most


def main() -> None:
    """Measures, and prints a table."""
    if sys.argv[1:2] == ["--child"]:
        sys.exit(child(sys.argv[2], Path(sys.argv[3]), sys.argv[4:]))
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--camera", choices=("pi", "usb"), default="pi")
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--pace", type=float, default=1.0, help="an hour's events in less time")
    parser.add_argument("--parts", action="store_true", help="also by file that is mapped")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="dicetray-memory-") as name, ExitStack() as stack:
        folder = Path(name)
        evening = Evening(folder, options.camera, stack)
        rest, most = measure(evening, 60 * options.minutes / options.pace, options.pace, folder)
        alone = peak_of(evening.appliance.pid)
        log = (folder / "dicetray.log").read_text()
    print(f"{options.minutes:g} minutes, {log.count('tray still')} readings\n")
    print("| unit | at rest | at the peak |\n|---|---:|---:|")
    for unit, before, after in zip(
        UNITS, *(held.by(held.units) for held in (rest, most)), strict=False
    ):
        print(f"| {unit} | {before:.0f} MB | {after:.0f} MB |")
    buffers = camera_buffers() if options.camera == "pi" else 0.0
    print(f"| the camera's buffers | {buffers:.0f} MB | {buffers:.0f} MB |")
    total = [held.megabytes + buffers for held in (rest, most)]
    print(f"| all | {total[0]:.0f} MB | {total[1]:.0f} MB |")
    print(f"\nThe most that the game's process ever had mapped: {alone:.0f} MB")
    if options.parts:
        parts = dict(zip(most.names, most.by(most.files), strict=False))
        for name in sorted(parts, key=lambda one: -parts[one])[:30]:
            print(f"{parts[name]:8.1f} MB {name or 'asked for'}")


if __name__ == "__main__":
    main()
