"""All examples of the tests of which every run tries a few: random ones, seeds, whole tables."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT

ROOMS: dict[str, list[str]] = {}
"""The files of tests/examples.txt by room."""
for file in (ROOT / "tests/examples.txt").read_text().split():
    parts = file.split("/")[1:-1]
    ROOMS.setdefault("/".join(parts[: 2 if parts[0] == "appliance" else 1]), []).append(file)


@pytest.mark.slow
@pytest.mark.parametrize("room", ROOMS)
def test_all_examples_pass(room: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *ROOMS[room]]
    command += [f"--basetemp={tmp_path / 'inside'}", "--proofs=none"]
    inside = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**inside, "DICETRAY_EXAMPLES": "full"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:]
