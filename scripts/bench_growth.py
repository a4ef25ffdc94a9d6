#!/usr/bin/env python3
"""Measures what a journal of many games costs, against one with none.

    .venv/bin/python scripts/bench_growth.py [--games 100000] [--times 5] [--folder DIR]
    .venv/bin/python scripts/bench_growth.py --journals 1000

Prints a table of starts: seconds and processor time of `dicetray run` until a press of OK has been
taken, with a whole, a missing and a damaged index, by turns, and each time from a cold cache. Then
how long a press waits at most while games are being indexed, what lists, records and statistics
cost with the index, what making it from nothing costs, and how much disk a game takes.

The games are real ones of all kinds, many times over (`tests/rigs/grown_journal.py`). There is no
camera and no scoreboard, which cost the same with any number of games.

With `--journals` it lives so many random journals instead, and compares all answers by their
indexes, damaged or behind as they are, with those by their files alone.
"""

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random

TOP = Path(__file__).parents[1]
sys.path.insert(0, str(TOP))

PATIENCE_S = 120.0
ASIDE = 200
"""One game in so many was put aside."""

MEGABYTE = 1_000_000


def child(seconds: float, arguments: list[str]) -> int:
    """Runs the service; says when it has taken a press, and how long presses wait after that."""
    # No more imports before this than in the service.
    from appliance.cli.main import main
    from appliance.devices.buttons import Buttons
    from appliance.inputs import Button, Pressed
    from appliance.service.saved_console import SavedConsole

    take_all = SavedConsole.take_all
    polled_s: list[float] = []
    said: dict[str, float] = {}

    def poll(self: Buttons) -> tuple[Pressed, ...]:
        polled_s.append(time.monotonic())
        if said and polled_s[-1] - said["at"] > seconds:
            gaps = [after - before for before, after in pairwise(polled_s)]
            said["longest wait"] = max(gaps, default=0.0)
            said["rounds a second"] = len(polled_s) / (polled_s[-1] - polled_s[0] or 1.0)
            said["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / MEGABYTE
            print(json.dumps(said), flush=True)
            os._exit(0)
        return () if said else (Pressed(Button.OK),)

    def taking(self: SavedConsole, pull: Callable[..., object]) -> int:
        before = self.console
        taken = take_all(self, pull)  # type: ignore[arg-type]
        if taken and self.console is not before and not said:
            said.update(at=time.monotonic(), processor=time.process_time())
            polled_s.clear()
        return taken

    Buttons.poll = poll  # type: ignore[method-assign]
    SavedConsole.take_all = taking  # type: ignore[method-assign]
    return main(arguments)


def start(journal: Path, seconds: float = 0.0) -> dict[str, float]:
    """Starts the service once, and measures it."""
    command = [sys.executable, str(Path(__file__)), "--child", str(seconds), "run"]
    command += ["--camera", "v4l2:/nowhere", "--buttons", "gpio", "--board", "none"]
    command += ["--journal", str(journal), "--profile", str(journal.with_name("tray.profile"))]
    environment = os.environ | {"GPIOZERO_PIN_FACTORY": "mock"}
    began_s = time.monotonic()
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, text=True
    ) as process:
        out, errors = process.communicate(timeout=PATIENCE_S)
    last = out.rpartition("\n{")[2].removeprefix("{")
    if not last.startswith('"at"'):
        raise SystemExit(f"bench_growth: the appliance took no press:\n{out}{errors}")
    said: dict[str, float] = json.loads("{" + last)
    said["seconds"] = said.pop("at") - began_s
    return said


def command(arguments: Sequence[str]) -> tuple[float, float]:
    """Processor time of a command, and the megabytes that it takes at most."""
    process = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"bench_growth: {' '.join(arguments)}: {process.returncode}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss * 1024 / MEGABYTE


def forget_cached(folder: Path) -> None:
    """Has the system read files from the disk the next time, as far as it does what it is told."""
    os.sync()
    for file in folder.rglob("*"):
        if file.is_file():
            handle = os.open(file, os.O_RDONLY)
            os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(handle)


def begin_game(path: Path) -> None:
    """Begins a game that a start resumes."""
    from appliance.journal.journal import Journal
    from appliance.journal.sessions import load_session
    from appliance.table.session.session import Setup

    with Journal(path) as journal:
        setup = Setup("classic", ("ANNA", "BOB"), (("first", 0),))
        session = load_session(journal, setup, fresh=True)
        journal.append(session.record.serial, 0, ["roll 1 2 3 4 6"])


def index_of(path: Path) -> None:
    """Makes the index from nothing."""
    from appliance.journal.journal import Journal

    with Journal(path) as journal:
        for _ in journal.indexing():
            pass


def count_records(path: Path) -> None:
    """Counts what the board shows of the records."""
    from appliance.journal.best_scores import records_in_steps
    from appliance.journal.reader import JournalReader

    with JournalReader(path) as reader:
        for _ in records_in_steps(reader):
            pass


def damage(index: Path) -> None:
    """Overwrites the first pages of an index."""
    with index.open("r+b") as file:
        file.write(Random(1).randbytes(8192))


def measure_starts(folder: Path, times: int) -> None:
    """Prints the table of starts."""
    path, none = folder / "games.sqlite3", folder / "none" / "games.sqlite3"
    whole = folder / "whole.sqlite3"
    shutil.copyfile(path, whole)
    cases: dict[str, tuple[Path, Callable[[], object]]] = {
        "no game but the present one": (none, lambda: None),
        "a whole index": (path, lambda: shutil.copyfile(whole, path)),
        "a missing index": (path, lambda: path.unlink(missing_ok=True)),
        "a damaged index": (path, lambda: damage(Path(shutil.copyfile(whole, path)))),
    }
    found: dict[tuple[str, bool], list[dict[str, float]]] = {}
    for number in range(times):
        for cold in (False, True):
            for name, (journal, prepare) in cases.items():
                prepare()
                if cold:
                    forget_cached(journal.parent)
                run = start(journal)
                if number or not cold:
                    found.setdefault((name, cold), []).append(run)
    print("| a start with | until a press is taken | cold | processor | cold | memory |")
    print("|---|---:|---:|---:|---:|---:|")
    for name in cases:
        row = [name]
        for what, unit in (("seconds", "s"), ("processor", "s")):
            for cold in (False, True):
                taken = statistics.median(run[what] for run in found[name, cold])
                least = statistics.median(run[what] for run in found[next(iter(cases)), cold])
                row.append(f"{taken:.2f} {unit}, x {taken / least:.2f}")
        row.append(f"{max(run['memory'] for run in found[name, False]):.0f} MB")
        print(f"| {' | '.join(row)} |")
    path.unlink(missing_ok=True)
    for name, journal in (("nothing to index", none), ("games being indexed", path)):
        run = start(journal, 10.0)
        print(
            f"{name}: a press waits {1000 * run['longest wait']:.0f} ms at most, "
            f"{run['rounds a second']:.0f} rounds a second, {run['memory']:.0f} MB"
        )
    shutil.copyfile(whole, path)


def measure_answers(path: Path) -> None:
    """Prints what lists, records and statistics cost with a whole index."""
    print("| with the index | processor | memory |\n|---|---:|---:|")
    games = ["-m", "appliance.cli.program"]
    for words in ("games list", "games list --json", "stats", "review"):
        taken, memory = command([*games, *words.split(), "--journal", str(path)])
        print(f"| `dicetray {words}` | {taken:.2f} s | {memory:.0f} MB |")
    taken, memory = command([str(Path(__file__)), "--records", str(path)])
    print(f"| RECORDS | {taken:.2f} s | {memory:.0f} MB |")


def compare(journals: int) -> int:
    """Lives random journals; how many of them have other answers without their index."""
    from appliance.journal import packs
    from tests.rigs.grown_journal import differences

    # So that few games fill several packs.
    setattr(packs, "MOST_BYTES", 10_000)  # noqa: B010
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="dicetray-growth-") as name:
        for seed in range(journals):
            if differences(Path(name), seed):
                wrong += 1
                print(f"journal {seed}: other answers without its index")
            shutil.rmtree(Path(name) / str(seed))
    print(f"{journals} journals, {wrong} with other answers without their index")
    return min(wrong, 1)


def main() -> int:
    """Makes the journals, and measures."""
    if sys.argv[1:2] == ["--child"]:
        return child(float(sys.argv[2]), sys.argv[3:])
    for word, do in (("--index", index_of), ("--records", count_records)):
        if sys.argv[1:2] == [word]:
            do(Path(sys.argv[2]))
            return 0
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--times", type=int, default=5, help="starts of each kind")
    parser.add_argument("--folder", type=Path, help="where the journal is made, and found again")
    parser.add_argument("--journals", type=int, help="random journals to compare instead")
    options = parser.parse_args()
    if options.journals is not None:
        return compare(options.journals)
    from tests.rigs.grown_journal import grow, played

    with tempfile.TemporaryDirectory(prefix="dicetray-growth-") as name:
        folder = options.folder or Path(name)
        path = folder / "games.sqlite3"
        if not (folder / "none").exists():
            (folder / "none").mkdir(parents=True)
            begin_game(folder / "none" / "games.sqlite3")
            grow(path, options.games, aside=options.games // ASIDE)
            begin_game(path)
        there = [file.stat() for file in (folder / "games").rglob("*") if file.is_file()]
        lines = statistics.mean(len(game.lines) for game in played(300))
        print(f"{options.games} games of {lines:.0f} lines on average, {len(there)} files")
        print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
        if not path.exists():
            taken, memory = command([str(Path(__file__)), "--index", str(path)])
            print(f"an index from nothing: {taken:.0f} s of processor, {memory:.0f} MB")
        blocks = sum(file.st_blocks for file in (*there, path.stat())) * 512
        print(f"{blocks / options.games / 1000:.1f} kB of disk a game, the index included")
        measure_starts(folder, options.times)
        measure_answers(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
