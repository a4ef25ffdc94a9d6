"""Lets the disk fail while a game is played or a damaged journal salvaged, and then the power.

`play` and `salvage` build a library between programs and the disk, and start this module in a
process that has it preloaded; what fails are its children. Each looks for every line afterwards.
Compound faults, as SQLite is tested with them: https://www.sqlite.org/testing.html, 3.4.
"""

import ctypes
import json
import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from appliance.journal.recovery import BESIDE, open_or_salvage

from appliance.errors import JournalError
from appliance.journal.journal import Journal
from tests.appliance.journal import endless_game
from tests.appliance.journal.killing import Shown, check, last_shown
from tests.appliance.journal.rotting import KINDS
from tests.paths import ROOT

SOURCE = ROOT / "tests" / "lab" / "failing_disk.c"

GAMES, LINES = 3, 60

DAMAGES = (
    ("", "a block of zeros"),
    ("", "one bit"),
    ("", "nothing but zeros"),
    ("-wal", "a sector of zeros"),
    ("-wal", "a few bytes"),
    ("-wal", "one bit"),
)
"""The file that is damaged, and how."""

MOST_CALLS = 200
"""Calls of a game until the first that fails: some turns."""

MOST_SHOWN_BYTES = 60_000
"""What a board shows until the process is killed at the latest."""

GAMES_PER_JOURNAL = 10
"""Games after which a new journal is begun, so that the lines stay short."""

MANY = 1_000_000
"""Calls that fail on a disk that does not come back by itself."""

Lines = dict[int, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Failed:
    """What became of a salvage while the disk failed.

    Attributes:
        damage: the file, and what was wrong with it.
        after: calls until the first that failed.
        count: how many failed.
        killed: the call at which the process was killed; -1 for none.
        calls: how many calls there were.
        refused: whether the salvage said that it cannot be done now.
        found: lines that a later start found.
        wanted: lines that a start without further faults finds.
        kept: whether the damaged file is still there.
        said: any other error.
    """

    damage: str
    after: int
    count: int
    killed: int
    calls: int
    refused: bool
    found: int
    wanted: int
    kept: bool
    said: str = ""

    @property
    def lossless(self) -> bool:
        """Whether everything is there that could be saved, and the damaged file."""
        return self.found == self.wanted and self.kept and not self.said


@dataclass(frozen=True, slots=True)
class Played:
    """What became of a game on a disk that failed.

    Attributes:
        after: calls until the first that failed.
        count: how many failed.
        killed: the call at which the process was to be killed.
        refused: whether the disk's fault was noticed.
        lines: that the board had shown, and that were there.
    """

    after: int
    count: int
    killed: int
    refused: bool
    lines: int


def build(folder: Path) -> Path:
    """Builds the library; FileNotFoundError where there is no gcc."""
    library = folder / "failing_disk.so"
    command = ["gcc", "-shared", "-fPIC", "-O2", "-Wall", "-Werror", "-o", str(library)]
    subprocess.run([*command, str(SOURCE), "-ldl"], check=True)
    return library


def salvage(folder: Path, times: int, seed: int) -> Iterator[Failed]:
    """Salvages so many journals on a disk that fails, and starts again when it does not."""
    for line in _outcomes("salvage", folder, times, seed):
        yield Failed(**json.loads(line))


def play(folder: Path, times: int, seed: int) -> Iterator[Played]:
    """Plays so many times on a disk that fails; AssertionError if a shown line is lost."""
    for line in _outcomes("play", folder, times, seed):
        yield Played(**json.loads(line))


def _outcomes(what: str, folder: Path, times: int, seed: int) -> Iterator[str]:
    environment = os.environ | {"LD_PRELOAD": str(build(folder)), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", __name__, what, str(folder), str(times), str(seed)]
    with subprocess.Popen(
        command, env=environment, cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        yield from process.stdout
    assert process.returncode == 0, "a line that was shown is lost; see above"


def _write(path: Path) -> None:
    """A journal of a game that is still only in SQLite's log, as it is until a turn ends."""
    with Journal(path) as journal:
        for game in range(GAMES):
            number = journal.begin("classic", "2009", [f"P{game}"], [("first", 0)], "0.1.0")
            for done in range(LINES):
                journal.append(number, done, [f"roll {game} {done}"])
            if game < GAMES - 1:
                journal.checkpoint()
        whole = path.parent / "whole"
        whole.mkdir()
        for suffix in ("", *BESIDE):
            name = f"{path.name}{suffix}"
            shutil.copyfile(path.with_name(name), whole / name)


def _lay(whole: Path, folder: Path, file: str, kind: str, rng: random.Random) -> Path:
    """A folder with a damaged journal; its path."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(whole, folder)
    path = folder / "games.sqlite3"
    damaged = path.with_name(path.name + file)
    data = bytearray(damaged.read_bytes())
    KINDS[kind](data, rng)
    damaged.write_bytes(data)
    if file:
        # As after a reboot: the index of the log is lost.
        path.with_name(f"{path.name}-shm").unlink()
    return path


def _lines(path: Path) -> Lines:
    journal, _ = open_or_salvage(path)
    with journal:
        assert journal.check() == "ok"
        return {saved.id: saved.lines for saved in journal.games()}


def _count(lines: Lines) -> int:
    return sum(map(len, lines.values()))


def _salvage(
    path: Path, after: int, count: int, killed: int, disk: ctypes.CDLL
) -> tuple[bool, int, str]:
    """Salvages in a child of its own; whether it was refused, calls, any other error."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        refused, said = False, ""
        disk.fail_disk(
            str(path.parent).encode(),
            *map(ctypes.c_long, (after, count, killed)),
        )
        try:
            journal, _ = open_or_salvage(path)
            journal.close()
        except JournalError as error:
            refused = not error.damaged
        except Exception as error:
            said = repr(error)
        calls = disk.end_of_failing()
        os.write(write_end, json.dumps((refused, calls, said)).encode())
        os._exit(0)
    os.close(write_end)
    with os.fdopen(read_end, "rb") as output:
        answer = output.read()
    os.waitpid(child, 0)
    refused, calls, said = json.loads(answer or b'[false, -1, ""]')
    return refused, calls, said


def _play_one(path: Path, seed: int, before: Shown, disk: ctypes.CDLL) -> tuple[Played, Shown]:
    rng = random.Random(seed)
    after = rng.randrange(MOST_CALLS)
    count = rng.choice((1, 1, 3, 30))
    # Most recoveries take less.
    killed = after + rng.randrange(1, 200)
    errors = path.with_name("stderr")
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read_end)
        sys.stdout = os.fdopen(write_end, "w")
        os.dup2(os.open(errors, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), 2)
        disk.fail_disk(str(path).encode(), *map(ctypes.c_long, (after, count, killed)))
        try:
            endless_game.main(str(path), seed)
        except JournalError as error:
            print(error, file=sys.stderr)
        finally:
            os._exit(1)
    os.close(write_end)
    # A game may go on without the disk, as when it takes the buttons, pressed at random, for stuck.
    wanted = MOST_SHOWN_BYTES
    pieces = []
    with os.fdopen(read_end, "rb") as output:
        while wanted > 0 and (piece := output.read1(min(wanted, 4096))):
            pieces.append(piece)
            wanted -= len(piece)
        os.kill(child, signal.SIGKILL)
        pieces.append(output.read())
    os.waitpid(child, 0)
    shown = last_shown(b"".join(pieces).decode(), before)
    check(path, shown)
    refused = bool(errors.read_text("utf-8", "replace"))
    return Played(after, count, killed, refused, shown.log.count(";") + 1), shown


def play_all(folder: Path, times: int, seed: int) -> None:
    """Prints each outcome of a game as a line of JSON."""
    disk = _disk()
    shown = Shown()
    for number in range(times):
        path = folder / f"games-{number // GAMES_PER_JOURNAL}.sqlite3"
        if number % GAMES_PER_JOURNAL == 0:
            shown = Shown()
        outcome, shown = _play_one(path, seed + number, shown, disk)
        print(json.dumps(asdict(outcome)), flush=True)


def _disk() -> ctypes.CDLL:
    disk = ctypes.CDLL(None)
    disk.end_of_failing.restype = ctypes.c_long
    return disk


def salvage_all(folder: Path, times: int, seed: int) -> None:
    """Prints each outcome of a salvage as a line of JSON."""
    disk = _disk()
    made = folder / "made"
    made.mkdir()
    _write(made / "games.sqlite3")
    trial = folder / "trial"
    for number in range(times):
        rng = random.Random(seed + number)
        file, kind = DAMAGES[number % len(DAMAGES)]
        damage = rng.random()
        path = _lay(made / "whole", trial, file, kind, random.Random(damage))
        _, calls, _ = _salvage(path, 0, 0, -1, disk)
        wanted = _lines(path)
        kept = sorted(name.name for name in trial.iterdir() if ".damaged-" in name.name)
        path = _lay(made / "whole", trial, file, kind, random.Random(damage))
        after = rng.randrange(calls)
        count = rng.choice((1, 1, 3, MANY))
        killed = rng.choice((-1, after + rng.randrange(1, 40)))
        refused, calls, said = _salvage(path, after, count, killed, disk)
        found = _lines(path)
        still = all((trial / name).exists() for name in kept)
        same = sum(len(lines) for game, lines in found.items() if lines == wanted.get(game))
        outcome = Failed(
            f"{kind} in {file or 'file'}",
            after,
            count,
            killed,
            calls,
            refused,
            same,
            _count(wanted),
            still,
            said,
        )
        print(json.dumps(asdict(outcome)), flush=True)


if __name__ == "__main__":
    run = {"play": play_all, "salvage": salvage_all}[sys.argv[1]]
    run(Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
