#!/usr/bin/env python3
"""Counts our functions and files that one throw and one press go through, from camera to board.

    .venv/bin/python scripts/count_calls.py

Plays a throw of Classic at a rendered tray and presses a hold button, with `sys.setprofile` on
while the appliance takes in the frame in which the throw is read, and while it takes the press.
Every file of this checkout counts, wherever it stands; the simulator, which no real tray has, has
rows of its own.
"""

import argparse
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

from appliance.config import Config
from appliance.inputs import Button
from appliance.journal.journal import Journal
from appliance.journal.sessions import load_session
from appliance.service.ports import Happened
from appliance.simulator.appliance import SimulatedAppliance
from appliance.table.session.session import Setup
from vision.events import Roll

ROOT = str(Path(__file__).parents[1])
SIMULATORS = ("simulator/", "appliance/simulator/")


def tracked_files() -> frozenset[str]:
    """Our Python files; CalledProcessError outside a checkout."""
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "*.py"], check=True, stdout=subprocess.PIPE, text=True
    )
    return frozenset(listed.stdout.splitlines())


class Entered:
    """Our functions that are entered while something is done, and how often.

    Args:
        files: ours.
    """

    def __init__(self, files: frozenset[str]) -> None:
        self._files = files
        self.counts: dict[tuple[str, str], int] = {}

    def during(self, do: Callable[[], None]) -> None:
        """Runs it under the profiler."""
        self.counts = {}
        sys.setprofile(self._see)
        try:
            do()
        finally:
            sys.setprofile(None)

    def _see(self, frame: FrameType, event: str, _: object) -> None:
        if event != "call":
            return
        path = frame.f_code.co_filename.removeprefix(f"{ROOT}/")
        if path in self._files and "<" not in frame.f_code.co_name:
            key = path, frame.f_code.co_qualname
            self.counts[key] = self.counts.get(key, 0) + 1

    def rows(self, name: str) -> Iterator[str]:
        """The counts without the simulator, and those of it."""
        for whose, simulated in (("", False), (", simulator", True)):
            counts = {
                k: n for k, n in self.counts.items() if k[0].startswith(SIMULATORS) is simulated
            }
            files = len({path for path, _ in counts})
            calls = sum(counts.values())
            title = f"{name}{whose}"
            yield f"{title:16} {len(counts):5} functions {files:4} files {calls:6} calls"


def main() -> int:
    """Prints a row for the throw and one for the press."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    buttons = Config().buttons
    with Journal(":memory:") as journal:
        session = load_session(journal, Setup("classic", ("ANNA",), (("first", 0),)))
        with SimulatedAppliance(
            session, journal, dict(buttons.pins), buttons.lights, seed=args.seed
        ) as simulated:
            files = tracked_files()
            throw, press = Entered(files), Entered(files)
            heard: list[Happened] = []
            simulated.hear = heard.append
            while not any(isinstance(happened.input, Roll) for happened in heard):
                simulated.let_play()
                frame = simulated.take_frame()
                throw.during(lambda frame=frame: simulated.process_frame(frame))  # type: ignore[misc]
            simulated.mock_buttons.press(Button.HOLD1)
            press.during(simulated.appliance.presses)
    print(*throw.rows("throw"), *press.rows("press"), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
