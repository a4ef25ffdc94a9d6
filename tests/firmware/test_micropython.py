"""The same files under real MicroPython."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from appliance.simulator import micropython

pytestmark = pytest.mark.micropython

ROOT = Path(__file__).parents[2]
SCRIPTS = Path(__file__).parent / "scripts"
FIRMWARE = ROOT / "firmware"
STANDIN = ROOT / "appliance" / "simulator" / "standin"


@pytest.fixture(scope="module")
def interpreter() -> Path:
    found = micropython.find()
    if not found.real:
        pytest.skip(f"skipped: {found.sentence}")
    return found.path


def run(interpreter: Path, script: str, *arguments: str, variable: str = "MICROPYPATH") -> str:
    path = os.pathsep.join((str(FIRMWARE), str(STANDIN)))
    done = subprocess.run(
        [str(interpreter), str(SCRIPTS / script), *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, variable: path, "PYTHONDONTWRITEBYTECODE": "1"},
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    return done.stdout


def test_both_ends_frame_and_parse_alike(interpreter: Path) -> None:
    ours = run(Path(sys.executable), "vectors.py", "2000", variable="PYTHONPATH")
    theirs = run(interpreter, "vectors.py", "2000")
    assert ours == theirs
    assert ours.count("frame ") == 100
    assert ours.count("found ") > 1000


def test_messages_take_no_memory(interpreter: Path) -> None:
    # The heap is locked meanwhile: a single allocation would raise MemoryError.
    count = os.environ.get("DICETRAY_HEAP_FRAMES", "4000")
    _, before, after = map(int, run(interpreter, "heap.py", count).split())
    assert before == after


@pytest.mark.parametrize("path", sorted(FIRMWARE.glob("*.py")), ids=lambda path: path.name)
def test_it_compiles(interpreter: Path, path: Path) -> None:
    program = f"compile(open({str(path)!r}).read(), {path.name!r}, 'exec')"
    done = subprocess.run(
        [str(interpreter), "-c", program], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
