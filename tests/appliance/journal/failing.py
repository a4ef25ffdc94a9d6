"""Lets the disk fail while a game is played or a damaged one is mended, and then the power.

`play` and `mend` build a library between programs and the disk, and start this module in a process
that has it preloaded; what fails are its children. Each looks for every line afterwards. Compound
faults, as SQLite is tested with them: https://www.sqlite.org/testing.html, 3.4.
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

from appliance.errors import JournalError
from appliance.journal.files import folder_of
from appliance.journal.journal import Journal
from appliance.journal.mending import open_and_mend
from tests.appliance.journal import endless_game
from tests.appliance.journal.killing import Shown, check, last_shown
from tests.appliance.journal.rotting import KINDS, TARGETS, Hit, damage
from tests.paths import ROOT
from tests.rigs.stored_games import games_of

SOURCE = ROOT / "tests" / "lab" / "failing_disk.c"

GAMES, LINES = 3, 60

MOST_CALLS = 200
"""Calls of a game until the first that fails: some turns."""

MOST_SHOWN_BYTES = 60_000
"""The most bytes that a board shows before the process is killed."""

GAMES_PER_JOURNAL = 10
"""Games after which a new journal is begun, so that the lines stay short."""

MANY = 1_000_000
"""Calls that fail on a disk that does not come back by itself."""

Lines = dict[int, tuple[str, ...]]
Answer = tuple[bool, int, str]


@dataclass(frozen=True, slots=True)
class Failed:
    """The outcome of a start with damaged files while the disk failed.

    Attributes:
        damage: what was damaged, and how.
        after: calls until the first that failed.
        count: how many failed.
        killed: the call at which the process was killed; -1 for none.
        calls: how many calls there were; -1 if it was killed.
        refused: whether the start said that it cannot be done now.
        lost: lines that a later start did not find.
        said: any other error.
    """

    damage: str
    after: int
    count: int
    killed: int
    calls: int
    refused: bool
    lost: int
    said: str = ""

    @property
    def lossless(self) -> bool:
        """True if everything is there."""
        return not self.lost and not self.said


@dataclass(frozen=True, slots=True)
class Played:
    """The outcome of a game on a disk that failed.

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


def mend(folder: Path, times: int, seed: int) -> Iterator[Failed]:
    """Mends so many games on a disk that fails, and starts again when it does not."""
    for line in _outcomes("mend", folder, times, seed):
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


def _write(path: Path) -> Lines:
    """A journal with games in a pack and one that goes on; the lines of each game."""
    with Journal(path) as journal:
        for game in range(GAMES):
            number = journal.begin("classic", "2009", (f"P{game}",), (("first", 0),), "0.1.0")
            for done in range(LINES):
                last = game < GAMES - 1 and done == LINES - 1
                journal.append(number, done, [f"roll {game} {done}"], ended=last)
            while journal.tidy():
                pass
    return _lines(path)


def _lines(path: Path) -> Lines:
    journal, _ = open_and_mend(path)
    with journal:
        while journal.tidy():
            pass
        return {saved.id: saved.lines for saved in games_of(journal)}


def _lay(made: Path, trial: Path, hit: Hit, where: float) -> None:
    """Makes the same folder with a damage."""
    shutil.rmtree(trial, ignore_errors=True)
    shutil.copytree(made, trial)
    damage(trial / "games.sqlite3", hit, random.Random(where))


def _mend_one(path: Path, after: int, count: int, killed: int, disk: ctypes.CDLL) -> Answer:
    """Mends in a child of its own; whether it was refused, calls, any other error."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        refused, said = False, ""
        disk.fail_disk(str(folder_of(path)).encode(), *map(ctypes.c_long, (after, count, killed)))
        try:
            _lines(path)
        except JournalError:
            refused = True
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
        disk.fail_disk(str(folder_of(path)).encode(), *map(ctypes.c_long, (after, count, killed)))
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


def mend_all(folder: Path, times: int, seed: int) -> None:
    """Prints each outcome of a start with damaged files as a line of JSON."""
    disk = _disk()
    made, trial = folder / "made", folder / "trial"
    made.mkdir()
    wanted = _write(made / "games.sqlite3")
    path = trial / "games.sqlite3"
    for number in range(times):
        rng = random.Random(seed + number)
        hit = Hit(rng.choice(tuple(KINDS)), TARGETS[number % len(TARGETS)])
        where = rng.random()
        _lay(made, trial, hit, where)
        _, calls, _ = _mend_one(path, 0, 0, -1, disk)
        _lay(made, trial, hit, where)
        after = rng.randrange(calls)
        count = rng.choice((1, 1, 3, MANY))
        killed = rng.choice((-1, after + rng.randrange(1, 40)))
        refused, calls, said = _mend_one(path, after, count, killed, disk)
        found = _lines(path)
        lost = sum(len(lines) for game, lines in wanted.items() if found.get(game) != lines)
        outcome = Failed(
            f"{hit.kind} in {hit.target}", after, count, killed, calls, refused, lost, said
        )
        print(json.dumps(asdict(outcome)), flush=True)


if __name__ == "__main__":
    run = {"play": play_all, "mend": mend_all}[sys.argv[1]]
    run(Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
