"""The firmware's files under real MicroPython."""

import contextlib
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware import framing
from simulator.pico import micropython
from tests.paths import ROOT

pytestmark = pytest.mark.micropython

SCRIPTS = Path(__file__).parent / "scripts"
FIRMWARE = ROOT / "firmware"
STUBS = ROOT / "simulator" / "micropython_stubs"


@pytest.fixture(scope="module")
def interpreter() -> Path:
    found = micropython.find_interpreter()
    if not found.real:
        pytest.skip(f"skipped: {found.sentence}")
    return found.path


def run(interpreter: Path, script: str, *arguments: str, variable: str = "MICROPYPATH") -> str:
    path = os.pathsep.join((str(FIRMWARE), str(STUBS)))
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


def host_says(frames: int) -> Iterator[bytes]:
    """Messages that a host may send, in pieces: mostly pictures, but also settings and noise."""
    chance = random.Random(4)
    pictures = [chance.randbytes(framing.FRAME_BYTES) for _ in range(64)]
    sequence = 0
    for n in range(frames):
        piece = b""
        if n % 100 == 50:
            piece += framing.encode(framing.HELLO_REQUEST, 0, b"\x01\x00")
            piece += framing.encode(
                framing.BRIGHTNESS, sequence + 1 & 0xFFFF, bytes([n // 100 % 16])
            )
            piece += framing.encode(framing.PING, sequence + 2 & 0xFFFF) + b"\x05noise\x00\xff"
            piece += framing.encode(framing.FAREWELL, sequence + 3 & 0xFFFF)
            sequence += 3
        sequence += 1
        yield piece + framing.encode(framing.FRAME, sequence & 0xFFFF, pictures[n % 64])


def test_a_picture_takes_no_memory(interpreter: Path) -> None:
    # The heap is locked meanwhile: a single allocation would raise MemoryError.
    count = int(os.environ.get("DICETRAY_HEAP_FRAMES", "4000"))
    path = os.pathsep.join((str(FIRMWARE), str(STUBS)))
    with subprocess.Popen(
        [str(interpreter), str(SCRIPTS / "heap.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, "MICROPYPATH": path},
    ) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        with contextlib.suppress(BrokenPipeError):
            process.stdin.writelines(host_says(count + 500))
            process.stdin.close()
        said = process.stderr.read().decode()
    assert process.returncode == 0, said
    before, after, taken, shown = map(int, said.split())
    assert before == after
    assert taken >= count
    # Several that arrive together are drawn once.
    assert shown >= count // 4


@pytest.mark.parametrize("path", sorted(FIRMWARE.glob("*.py")), ids=lambda path: path.name)
def test_it_compiles(interpreter: Path, path: Path) -> None:
    program = f"compile(open({str(path)!r}).read(), {path.name!r}, 'exec')"
    done = subprocess.run(
        [str(interpreter), "-c", program], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
