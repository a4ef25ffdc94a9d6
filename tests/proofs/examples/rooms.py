"""All examples of the tests of which every run tries a few: random ones, seeds, whole tables.

Each room has a proof of its own, so that a change starts only those that it can break.
"""

import os
import subprocess
import sys
from tempfile import TemporaryDirectory

from tests.paths import ROOT

ROOMS = {
    "boxes": ("games/strategy/boxes/",),
    "calibration": ("calibration/",),
    "devices": ("appliance/aiming/", "appliance/config/", "appliance/devices/"),
    "firmware": ("firmware/",),
    "journal": ("appliance/journal/", "appliance/stats/", "appliance/club/"),
    "rules": (
        *("games/classic/", "games/free_for_all/", "games/holdem/", "games/power/"),
        *("games/showdown/", "games/yatzy/", "games/plugins/", "games/test_"),
    ),
    "screens": ("appliance/screens/", "appliance/terminal/", "appliance/web/"),
    "service": ("appliance/service/", "appliance/simulator/"),
    "simulator": ("simulator/",),
    "strategy": (
        *("games/strategy/free_for_all/", "games/strategy/holdem/", "games/strategy/power/"),
        *("games/strategy/showdown/", "games/strategy/test_"),
    ),
    "table": ("appliance/table/",),
    "vision": ("vision/",),
}
"""Where the tests of a room are, in `tests`."""


def files_of(room: str) -> list[str]:
    """The files of `tests/examples.txt` in a room."""
    inside = tuple(f"tests/{place}" for place in ROOMS[room])
    listed = (ROOT / "tests/examples.txt").read_text().split()
    return [file for file in listed if file.startswith(inside)]


def try_all(room: str) -> None:
    """Makes sure that the tests of a room pass with all examples."""
    inside = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    # The name of a socket has 107 bytes: pytest's folder for this test is too deep.
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *files_of(room)]
        command += [f"--basetemp={folder}/tests", "--proofs=none"]
        done = subprocess.run(
            command,
            cwd=ROOT,
            env={**inside, "DICETRAY_EXAMPLES": "full"},
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stdout[-5000:]
