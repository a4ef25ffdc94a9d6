"""Lets memory run out in a process that plays, and checks what it left on disk and what it said.

`starve` builds a library that hands out memory, and starts this module in a process that has it
preloaded; the games are played in its children.
"""

import ctypes
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from appliance.cli import main as cli
from appliance.cli import run
from appliance.cli.shared.failing import EXIT_SOFTWARE
from tests.appliance.journal import endless_game
from tests.appliance.journal.killing import Shown, check, last_shown
from tests.paths import ROOT

SOURCE = ROOT / "tests" / "lab" / "failing_memory.c"

MOST_ALLOCATIONS = {"malloc": 1_000_000, "pymalloc": 20_000}
"""Of a game until it is killed, by who hands out memory to Python's objects: each by the system, or
many at once by Python; then what fails is mostly SQLite's."""

GAMES_PER_JOURNAL = 10
"""Games after which a new journal is begun, so that the lines stay short."""

SENTENCES = (
    "internal error (out of memory). The computer has no memory",
    "(SystemError). This is a bug",
    "(RuntimeError). This is a bug",
)
"""The last sentences; Python itself says SystemError, or that it "can't allocate read lock"."""

GLIBC_ENDS = 127
GLIBC_SAYS = "cannot allocate memory for thread-local data: ABORT"
"""glibc's own end, which no program can avert (elf/dl-tls.c)."""


@dataclass(frozen=True, slots=True)
class Starved:
    """The outcome of a game whose memory ran out.

    Attributes:
        after: allocations until the first that failed.
        failed: how many failed.
        status: how the process ended; -9 if it had to be killed, as it played on.
        said: on stderr.
        lines: that the board had shown, and that were there.
    """

    after: int
    failed: int
    status: int
    said: str
    lines: int

    @property
    def clean(self) -> bool:
        """True if it played on, or ended with a sentence; a service's log also gets a traceback."""
        if self.status == EXIT_SOFTWARE:
            return any(words in self.said[-400:] for words in SENTENCES)
        ended_by_glibc = self.status == GLIBC_ENDS and GLIBC_SAYS in self.said
        return self.status == -signal.SIGKILL or ended_by_glibc


def build(folder: Path) -> Path:
    """Builds the library; FileNotFoundError where there is no gcc."""
    library = folder / "failing_memory.so"
    command = [
        "gcc",
        "-shared",
        "-fPIC",
        "-O2",
        "-Wall",
        "-Werror",
        "-o",
        str(library),
        str(SOURCE),
    ]
    subprocess.run(command, check=True)
    return library


def starve(folder: Path, times: int, seed: int, allocator: str) -> Iterator[Starved]:
    """Plays so many games until memory runs out; AssertionError if a shown line is lost."""
    environment = os.environ | {
        "LD_PRELOAD": str(build(folder)),
        "PYTHONMALLOC": allocator,
        "PYTHONPATH": str(ROOT),
    }
    command = [sys.executable, "-m", __name__, str(folder), str(times), str(seed), allocator]
    with subprocess.Popen(
        command, env=environment, cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            yield Starved(**json.loads(line))
    assert process.returncode == 0, "a line that was shown is lost; see above"


def _play(path: Path, seed: int, after: int, count: int, memory: ctypes.CDLL) -> None:
    """Plays as `dicetray run` would; ends this process."""
    run.main = lambda args: _armed(path, seed, after, count, memory)
    os._exit(cli.main(["run", "--journal", str(path)]))


def _armed(path: Path, seed: int, after: int, count: int, memory: ctypes.CDLL) -> int:
    memory.fail_allocations(ctypes.c_long(after), ctypes.c_long(count))
    endless_game.main(str(path), seed)
    return 0


def _starve_one(
    path: Path, seed: int, before: Shown, memory: ctypes.CDLL, allocator: str
) -> tuple[Starved, Shown]:
    rng = random.Random(seed)
    after = round(rng.random() ** 2 * MOST_ALLOCATIONS[allocator])
    count = rng.choice((1, 1, 20, 1000))
    wanted = rng.randint(10_000, 40_000)
    errors = path.with_name("stderr")
    read_end, write_end = os.pipe()
    memory.fail_allocations(ctypes.c_long(0), ctypes.c_long(0))
    child = os.fork()
    if child == 0:
        os.close(read_end)
        sys.stdout = os.fdopen(write_end, "w")
        os.dup2(os.open(errors, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), 2)
        _play(path, seed, after, count, memory)
    os.close(write_end)
    pieces = []
    with os.fdopen(read_end, "rb") as output:
        while wanted > 0 and (piece := output.read1(min(wanted, 4096))):
            pieces.append(piece)
            wanted -= len(piece)
        if wanted <= 0:
            os.kill(child, signal.SIGKILL)
        pieces.append(output.read())
    _, status = os.waitpid(child, 0)
    failed = memory.failed_allocations()
    shown = last_shown(b"".join(pieces).decode(), before)
    check(path, shown)
    said = errors.read_text("utf-8", "replace")
    ended = os.waitstatus_to_exitcode(status)
    return Starved(after, failed, ended, said, shown.log.count(";") + 1), shown


def main(folder: Path, times: int, seed: int, allocator: str) -> None:
    """Prints each outcome as a line of JSON."""
    memory = ctypes.CDLL(None)
    memory.failed_allocations.restype = ctypes.c_long
    shown = Shown()
    for number in range(times):
        path = folder / f"games-{number // GAMES_PER_JOURNAL}.sqlite3"
        if number % GAMES_PER_JOURNAL == 0:
            shown = Shown()
        outcome, shown = _starve_one(path, seed + number, shown, memory, allocator)
        print(json.dumps(asdict(outcome)), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
