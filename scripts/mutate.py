#!/usr/bin/env python3
"""Changes one operator, number or condition at a time, and sees whether a test notices.

    .venv/bin/python scripts/mutate.py [--sample 400] [--rooms vision/decide ...] [--quick]
    .venv/bin/python scripts/mutate.py --draw 240 --rooms appliance/journal ... > tests/mutants.txt
    .venv/bin/python scripts/mutate.py --these tests/mutants.txt [--tests COMMIT] [--core FILE]

It takes the rooms where a wrong line costs a game. A mutant is noticed if the tests that mirror
its room fail or do not end; those of its own file come first, the slow ones last. What survives is
printed as a difference: kill it by a test, or explain it. With `--quick` slow tests are left out,
so that more survive than would. Works in a clone of what is committed. It installs Cosmic Ray
(https://cosmic-ray.readthedocs.io), which needs a network the first time.

Whoever changes the tests and not the program compares them by the same mutants: `--draw` lists some
of every room or of those that are named, as many of each; `--these` tries those of a list, and says
of each if it was noticed, with the tests as they are or as they were at a commit. With `--core` all
tests of the core are tried that run the changed line, the nearest first; which these are stands in
a file of coverage that a run with contexts makes:

    scripts/test --core --cov --cov-context=test --cov-report=

Ends with 1 if fewer than 95 of 100 are noticed.
"""

import argparse
import ast
import os
import random
import resource
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
COSMIC_RAY = "cosmic-ray==8.7.0"
TOOLS = ROOT / ".cache" / "cosmic-ray"

ROOMS = {
    "games": "tests/games",
    "appliance/table/session": "tests/appliance/table/session",
    "vision/decide": "tests/vision/decide",
    "vision/watch": "tests/vision/watch",
    "appliance/journal": "tests/appliance/journal",
    "appliance/devices/scoreboard": "tests/appliance/devices/scoreboard",
    "firmware/framing.py": "tests/firmware/test_framing.py",
}
"""Each room, or a module of one, and the tests that mirror it."""

EVERY_ROOM = {
    **ROOMS,
    **{
        f"appliance/{room}": f"tests/appliance/{room}"
        for room in (
            *("aiming", "cli", "club", "config", "dataset", "devices", "diagnostics", "mqtt"),
            *("screens", "service", "simulator", "stats", "table/menu", "terminal", "web"),
        )
    },
    "calibration": "tests/calibration",
    "firmware": "tests/firmware",
    "games/strategy": "tests/games/strategy",
    "simulator": "tests/simulator",
    "vision/classify": "tests/vision/classify",
    "vision/detect": "tests/vision/detect",
    "vision/geometry": "tests/vision/geometry",
}
"""All rooms, for comparing tests."""

WANTED = 0.95
"""The share of mutants that is to be noticed."""

MOST_CPU_S = 300
"""Seconds of computing for tests of one mutant: what does not end is noticed too.

On a busy machine tests that would pass take far longer than that by the clock.
"""
TIMEOUT_S = 3600.0
"""Seconds by the clock: a mutant may wait for ever, too."""

NO_TESTS = 5
"""Pytest's status where it ran none, as those of a file may all be slow."""

QUIETLY = (
    *(sys.executable, "-m", "pytest", "-q", "-x"),
    *("-p", "no:cacheprovider", "--hypothesis-profile=mutants"),
)
"""Starts tests until the first fails."""

EQUIVALENT = ("_Eq_Is", "_NotEq_IsNot", "_Is_Eq", "_IsNot_NotEq")
"""Operators that change nothing for members of enumerations, None and small numbers."""


class Mutant(NamedTuple):
    """One change: the `occurrence`th place in `file` at which Cosmic Ray's `operator` fits."""

    room: str
    file: str
    line: int
    column: int
    operator: str
    occurrence: int

    @classmethod
    def from_line(cls, line: str) -> "Mutant":
        """A mutant of a list; ValueError if the line is none."""
        room, file, row, column, operator, occurrence = line.split("\t")
        return cls(room, file, int(row), int(column), operator, int(occurrence))

    @property
    def line_of_list(self) -> str:
        """The mutant in a list."""
        return "\t".join(map(str, self))


class Outcome(NamedTuple):
    """The outcome for a mutant: if the tests noticed it, and the mutant as a difference."""

    mutant: Mutant
    noticed: bool
    difference: str


def cosmic_ray() -> Path:
    """Cosmic Ray's command, in an environment of its own."""
    command = TOOLS / "bin" / "cosmic-ray"
    if not command.exists():
        subprocess.run([sys.executable, "-m", "venv", TOOLS], check=True)
        subprocess.run([TOOLS / "bin" / "pip", "install", "--quiet", COSMIC_RAY], check=True)
    return command


def annotated(source: str) -> frozenset[tuple[int, int]]:
    """Lines and columns of annotations: they are not run, and mypy looks after them."""
    places: set[tuple[int, int]] = set()
    for node in ast.walk(ast.parse(source)):
        for annotation in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            if isinstance(annotation, ast.expr):
                last = annotation.end_lineno or annotation.lineno
                for line in range(annotation.lineno, last + 1):
                    begin = annotation.col_offset if line == annotation.lineno else 0
                    end = (annotation.end_col_offset or 0) if line == last else 1000
                    places |= {(line, column) for column in range(begin, end)}
    return frozenset(places)


def room_of(path: str) -> str:
    """The room that a folder or module is in; ValueError if it is in none."""
    rooms = [room for room in EVERY_ROOM if f"{path}/".startswith(f"{room}/")]
    if not rooms or not (ROOT / path).exists():
        raise ValueError(f"expected a folder or module in {', '.join(EVERY_ROOM)}, found {path}")
    return max(rooms, key=len)


def mirrored(file: str, room: str) -> list[str]:
    """The tests of a module, the nearest first: of the file, of its folder, of the room."""
    path = ROOT / "tests" / file
    near = [path.with_name(f"test_{path.name}"), path.parent, ROOT / EVERY_ROOM[room]]
    return list(dict.fromkeys(str(test.relative_to(ROOT)) for test in near if test.exists()))


def mutants(room: str, folder: Path) -> list[Mutant]:
    """All mutants of a room, or of a folder or module in one, in the order of files and lines."""
    config, found = folder / "room.toml", folder / "room.sqlite"
    config.write_text(
        f'[cosmic-ray]\nmodule-path = "{room}"\ntimeout = 60.0\nexcluded-modules = []\n'
        'test-command = "true"\n[cosmic-ray.distributor]\nname = "local"\n'
    )
    found.unlink(missing_ok=True)
    subprocess.run([cosmic_ray(), "init", config, found], cwd=ROOT, check=True)
    with closing(sqlite3.connect(found)) as database:
        rows = database.execute(
            "SELECT module_path, start_pos_row, start_pos_col, operator_name, occurrence"
            " FROM mutation_specs ORDER BY 1, 2, 3, 4, 5"
        ).fetchall()
    types = {file: annotated((ROOT / file).read_text("utf-8")) for file, *_ in rows}
    return [
        Mutant(room_of(room), *row)
        for row in rows
        if (row[1], row[2]) not in types[row[0]] and not row[3].endswith(EQUIVALENT)
    ]


def sampled(found: Sequence[Mutant], count: int, rng: random.Random) -> list[Mutant]:
    """One mutant of each of `count` places: else those with most operators would outweigh all."""
    places: defaultdict[tuple[str, int, int], list[Mutant]] = defaultdict(list)
    for mutant in found:
        places[mutant.file, mutant.line, mutant.column].append(mutant)
    chosen = rng.sample(sorted(places), min(count, len(places)))
    return [rng.choice(places[place]) for place in chosen]


def git(checkout: Path, *arguments: str) -> str:
    """The output of git."""
    command = ["git", "-C", str(checkout), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def tried(mutant: Mutant, checkout: Path, how: argparse.Namespace) -> Outcome:
    """Runs the mirrored tests over one mutant, in a clone."""
    apply = [str(cosmic_ray()), "apply", mutant.file, mutant.operator, str(mutant.occurrence)]
    subprocess.run(apply, cwd=checkout, check=True, capture_output=True)
    difference = git(checkout, "diff", "--unified=0")
    try:
        if how.core:
            noticed = notices_in_core(mutant, checkout, how.core)
        else:
            noticed = not pass_tests(mutant, checkout, how.quick)
        return Outcome(mutant, noticed, difference)
    finally:
        git(checkout, "checkout", "--quiet", ".")
        git(checkout, "clean", "--quiet", "--force", "-d")


def limit_computing() -> None:
    """Ends this process once it has computed for long enough."""
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_CPU_S, MOST_CPU_S))


def pass_tests(mutant: Mutant, checkout: Path, quick: bool) -> bool:
    """True if the tests of a mutant's room pass, and end."""
    near = mirrored(mutant.file, mutant.room)
    stages = [(tests, near[:place], "not slow") for place, tests in enumerate(near)]
    if not quick:
        stages.append((near[-1], [], "slow"))
    for tests, done_before, marked in stages:
        command = [*QUIETLY, "--proofs=none", tests, "-m", marked]
        command += [f"--ignore={path}" for path in done_before]
        if not is_passed(command, checkout, full=True):
            return False
    return True


def notices_in_core(mutant: Mutant, checkout: Path, coverage: Path) -> bool:
    """True if any test of the core that runs a mutant's line fails, or does not end.

    Those of its file are tried first, then those of its room, all others, and at last all that draw
    examples by chance, with all their examples.
    """
    tests = covering(mutant, coverage)
    examples = (ROOT / "tests" / "examples.txt").read_text().split()
    near = [test for test in tests if test.startswith(EVERY_ROOM[mutant.room])]
    of_file = [test for test in near if f"/test_{Path(mutant.file).name}" in test]
    far = [test for test in tests if test not in near]
    drawn = [test for test in tests if test.partition("::")[0] in examples]
    stages = [(of_file, False), (near, False), (far, False), (drawn, True)]
    return any(
        not is_passed([*QUIETLY, "--proofs=none", *stage], checkout, full=full)
        for stage, full in stages
        if stage
    )


def covering(mutant: Mutant, coverage: Path) -> list[str]:
    """The tests that run a mutant's line, all parameters of each, in the order of their files."""
    # Only this needs it.
    from coverage import CoverageData

    data = CoverageData(str(coverage))
    data.read()
    (file,) = (path for path in data.measured_files() if path.endswith(f"/{mutant.file}"))
    by_line = data.contexts_by_lineno(file)
    # A statement of several lines counts as its first.
    line = max((line for line in by_line if line <= mutant.line), default=0)
    contexts = by_line.get(line, [])
    return sorted({name.partition("|")[0].partition("[")[0] for name in contexts if name})


def is_passed(command: Sequence[str], checkout: Path, *, full: bool) -> bool:
    """True if tests pass, or none was there to run; False too if they do not end.

    Args:
        command: starts them.
        checkout: where.
        full: with all examples that are drawn by chance.
    """
    examples = {"DICETRAY_EXAMPLES": "full"} if full else {}
    try:
        done = subprocess.run(
            command,
            cwd=checkout,
            env={**os.environ, **examples},
            capture_output=True,
            timeout=TIMEOUT_S,
            preexec_fn=limit_computing,
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode in (0, NO_TESTS)


def run(
    chosen: Sequence[Mutant], jobs: int, folder: Path, how: argparse.Namespace
) -> Iterator[Outcome]:
    """Tries all mutants, each in whichever clone is free."""
    free: SimpleQueue[Path] = SimpleQueue()
    for number in range(jobs):
        checkout = folder / f"clone-{number}"
        subprocess.run(["git", "clone", "--quiet", "--shared", ROOT, checkout], check=True)
        if how.tests:
            git(checkout, "rm", "-rq", "tests")
            git(checkout, "checkout", "--quiet", how.tests, "--", "tests")
        free.put(checkout)

    def in_a_free_clone(mutant: Mutant) -> Outcome:
        checkout = free.get()
        try:
            return tried(mutant, checkout, how)
        finally:
            free.put(checkout)

    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(in_a_free_clone, chosen)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, default=400, help="mutants in all (default: 400)")
    parser.add_argument(
        "--rooms", nargs="+", default=[], metavar="PATH", help="a room, or a part of one"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--quick", action="store_true", help="leave out slow tests")
    parser.add_argument("--draw", type=int, metavar="COUNT", help="only list so many mutants")
    parser.add_argument("--these", type=Path, metavar="LIST", help="the mutants of a list")
    parser.add_argument("--tests", metavar="COMMIT", help="with the tests of this commit")
    parser.add_argument("--core", type=Path, metavar="FILE", help="and the core, by this coverage")
    options = parser.parse_args()
    if git(ROOT, "status", "--porcelain"):
        parser.error("expected everything to be committed: the clones have only that")
    for path in options.rooms:
        try:
            room_of(path)
        except ValueError as error:
            parser.error(str(error))
    rng = random.Random(options.seed)
    totals: Counter[str] = Counter()
    noticed: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if options.draw:
            rooms, count = options.rooms or list(EVERY_ROOM), options.draw
        else:
            rooms, count = options.rooms or list(ROOMS), options.sample
        each = -(-count // len(rooms))
        if options.these:
            lines = options.these.read_text().splitlines()
            chosen = [Mutant.from_line(line) for line in lines if not line.startswith("#")]
        else:
            chosen = [m for room in rooms for m in sampled(mutants(room, folder), each, rng)]
        if options.draw:
            commit = git(ROOT, "rev-parse", "--short", "HEAD").strip()
            print(f"# Of the program at {commit}: in another the places may differ.")
            print(*(mutant.line_of_list for mutant in chosen), sep="\n")
            return 0
        for outcome in run(chosen, options.jobs, folder, options):
            if options.these:
                known = "noticed" if outcome.noticed else "not noticed"
                print(f"{known}\t{outcome.mutant.line_of_list}", flush=True)
            room = outcome.mutant.room
            totals[room] += 1
            noticed[room] += outcome.noticed
            if not outcome.noticed:
                print(outcome.difference, flush=True)
    for room, total in totals.items():
        print(f"{room}: {noticed[room]} of {total} noticed")
    share = noticed.total() / totals.total()
    print(f"all: {noticed.total()} of {totals.total()} noticed, {share:.1%}")
    return 0 if share >= WANTED else 1


if __name__ == "__main__":
    sys.exit(main())
