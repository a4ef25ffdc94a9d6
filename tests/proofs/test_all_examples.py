"""All examples of the tests of which every run tries a few: random ones, seeds, whole tables."""

import os
import subprocess
import sys
from tempfile import TemporaryDirectory

import pytest

from tests.paths import ROOT

ROOMS: dict[str, list[str]] = {}
"""The files of tests/examples.txt by room."""
for file in (ROOT / "tests/examples.txt").read_text().split():
    parts = file.split("/")[1:-1]
    ROOMS.setdefault("/".join(parts[: 2 if parts[0] == "appliance" else 1]), []).append(file)


@pytest.mark.slow
@pytest.mark.parametrize("room", ROOMS)
def test_all_examples_pass(room: str) -> None:
    inside = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    # The name of a socket has 107 bytes: pytest's folder for this test is too deep.
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *ROOMS[room]]
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
