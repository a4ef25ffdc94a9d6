#!/usr/bin/env python3
"""Measures the appliance's start in wall-clock time, from the program's start to the first prompt.

    .venv/bin/python scripts/bench_start.py [--times 5] [--games 300] [--opening 0.6]

`dicetray run` is started as the service starts it, in a process of its own: with a profile, games
on disk and one to resume, buttons (gpiozero's mock pins), the firmware in MicroPython behind a
serial port, and a V4L2 camera. Only `cv2.VideoCapture` is replaced: it delivers a rendered tray, 30
pictures a second in real time, the first one `--opening` seconds after it is opened.

The start ends when the lights, decoded from the firmware's SPI writes, show the first prompt.
"""

import argparse
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, cast

TOP = Path(__file__).parents[1]
sys.path.insert(0, str(TOP))
SIZE = (1280, 720)
FPS = 30.0
PATIENCE_S = 60.0


def child(folder: Path, opening_s: float, arguments: list[str]) -> None:
    """Runs the appliance with a substitute for the real camera."""
    # No more imports before this than in the service.
    from appliance.cli.program import program
    from appliance.service.phase import Phase
    from appliance.service.phases import Phases

    begin = Phases.begin

    def fitting(self: Phases, phase: Phase) -> None:
        begin(self, phase)
        if phase is Phase.TRAY:
            fit_camera(folder, opening_s)

    Phases.begin = fitting  # type: ignore[method-assign]
    sys.argv[1:] = arguments
    program()


def fit_camera(folder: Path, opening_s: float) -> None:
    """Substitutes rendered pictures for the device that OpenCV would open."""
    from functools import partial

    import numpy as np

    from appliance.devices.camera import usb

    class Film:
        """The part of `cv2.VideoCapture` that the product uses."""

        def __init__(self, path: str, api: int) -> None:
            time.sleep(opening_s)
            self._pictures = np.load(path)
            self._number = 0
            self._due_s = time.monotonic()

        def isOpened(self) -> bool:  # noqa: N802
            return True

        def set(self, propId: int, value: float) -> bool:  # noqa: N803
            return False

        def get(self, propId: int) -> float:  # noqa: N803
            return -1.0

        def grab(self) -> bool:
            time.sleep(max(0.0, self._due_s - time.monotonic()))
            self._due_s += 1 / FPS
            self._number += 1
            return True

        def retrieve(self) -> tuple[bool, object]:
            return True, self._pictures[self._number % len(self._pictures)].copy()

        def release(self) -> None:
            pass

    usb.V4L2Camera = partial(usb.V4L2Camera, capture=cast(Any, Film))  # type: ignore[misc, assignment]


def prepare(folder: Path, games: int) -> bytes:
    """Writes camera, profile and games; returns the first picture that the board must show."""
    import numpy as np

    from appliance.journal.journal import Journal
    from appliance.journal.sessions import load_session
    from appliance.screens.draw import pages
    from appliance.simulator.people.ports import kinds_of_dice_in
    from appliance.table.menu.asking import console_prompt
    from appliance.table.menu.console import Console, resume_notice
    from appliance.table.session.session import Setup
    from simulator.motion.simulated_tray import SimulatedTray
    from simulator.motion.watched_tray import geometry_of_tray
    from vision.geometry.profile_file import save_profile

    tray = SimulatedTray(3, kinds_of_dice_in("classic"))
    pictures = []
    for _ in range(4):
        pictures.append(tray.frame(SIZE).image)
        tray.advance(1 / FPS)
    with (folder / "camera").open("wb") as file:
        np.save(file, np.stack(pictures))
    save_profile(geometry_of_tray(tray, SIZE), folder / "tray.profile")
    setup = Setup("classic", ("ANNA", "BOB"), (("first", 0),))
    with Journal(folder / "games.sqlite3") as journal:
        for _ in range(games):
            number = journal.begin(setup.game, "2009", setup.players, setup.options, "0.1.0")
            journal.append(number, 0, ["roll 1 2 3 4 6"] * 200, ended=True)
            journal.tidy()
        session = load_session(journal, setup, fresh=True)
        journal.append(session.record.serial, 0, ["roll 1 2 3 4 6"])
        session = load_session(journal, None)
    first = pages(
        console_prompt(Console(session=session, notice=resume_notice(session, "WELCOME BACK")))
    )[0]
    return first.data


def once(folder: Path, opening_s: float, device: str, shown: "Shown") -> dict[str, float]:
    """Starts it once; returns seconds by name."""
    command = [sys.executable, str(Path(__file__)), "--child", str(folder), str(opening_s), "run"]
    command += ["--camera", f"v4l2:{folder / 'camera'}?size={SIZE[0]}x{SIZE[1]}&fps={FPS:g}"]
    command += ["--journal", str(folder / "games.sqlite3"), "--board", device]
    command += ["--profile", str(folder / "tray.profile"), "--buttons", "gpio"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    log = folder / "log"
    shown.begin()
    start = time.perf_counter()
    with log.open("w") as file:
        environment = os.environ | {"GPIOZERO_PIN_FACTORY": "mock"}
        process = subprocess.Popen(command, stdout=file, stderr=file, env=environment)
    try:
        lights = shown.wait(log) - start
        end = time.monotonic() + PATIENCE_S
        while "first picture" not in log.read_text():
            if process.poll() is not None or time.monotonic() > end:
                raise SystemExit(f"bench_start: the appliance does not start:\n{log.read_text()}")
            time.sleep(0.01)
    finally:
        process.terminate()
        process.wait(PATIENCE_S)
    text = log.read_text()
    printed = re.search(r"first prompt after ([\d.]+) s: (.*)", text)
    picture = re.search(r"first picture from the camera after ([\d.]+) s", text)
    if printed is None or picture is None:
        raise SystemExit(f"bench_start: the log has no times:\n{text}")
    found = {}
    for phase in printed[2].split(", "):
        name, seconds = phase.rsplit(" ", 1)
        found[name] = float(seconds)
    found["first prompt handed to the board"] = float(printed[1])
    found["first prompt on the lights"] = lights
    found["first picture of the camera looked at"] = float(picture[1])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    found["(processor time of it all)"] = (
        after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    )
    return found


class Shown:
    """Detects when the lights first show a picture."""

    def __init__(self, board: object, picture: bytes) -> None:
        self._board, self._picture = board, picture

    def begin(self) -> None:
        """Waits until another picture is shown, such as that there is no link."""
        end = time.monotonic() + PATIENCE_S
        while self._there():
            if time.monotonic() > end:
                raise SystemExit("bench_start: the board goes on showing the prompt")
            time.sleep(0.05)

    def wait(self, log: Path) -> float:
        """Waits for the picture; returns the time at which it appeared."""
        end = time.monotonic() + PATIENCE_S
        while not self._there():
            if time.monotonic() > end:
                raise SystemExit(f"bench_start: the prompt did not come:\n{log.read_text()}")
            time.sleep(0.002)
        return time.perf_counter()

    def _there(self) -> bool:
        lights = self._board.lights()  # type: ignore[attr-defined]
        return bool(lights.data == self._picture)


def main() -> None:
    """Starts the appliance several times and prints a table."""
    if sys.argv[1:2] == ["--child"]:
        child(Path(sys.argv[2]), float(sys.argv[3]), sys.argv[4:])
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--games", type=int, default=300, help="games that were played before")
    parser.add_argument("--opening", type=float, default=0.6, help="seconds a camera needs to open")
    options = parser.parse_args()
    from simulator.pico.board import SimulatedBoard

    with tempfile.TemporaryDirectory(prefix="dicetray-start-") as name:
        folder = Path(name)
        first = prepare(folder, options.games)
        with SimulatedBoard() as board:
            shown = Shown(board, first)
            runs = [
                once(folder, options.opening, board.device, shown) for _ in range(options.times)
            ]
    print(f"{options.times} starts, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print("| phase | median | longest |\n|---|---:|---:|")
    for phase in runs[0]:
        taken = [run[phase] for run in runs]
        print(f"| {phase} | {statistics.median(taken):.2f} s | {max(taken):.2f} s |")


if __name__ == "__main__":
    main()
