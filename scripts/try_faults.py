#!/usr/bin/env python3
"""Makes one fault at a time that would hurt a user, and sees whether its test notices.

    .venv/bin/python scripts/try_faults.py [--rooms shell words] [--jobs 2]

tests/faults.toml lists the faults, each with the test that fails with it: in scripts, units, pages,
tables, words, packaging and documents, where mutate.py does not reach, and one for each promise of
the documents that has a test in tests/promises. Works in a clone of what is committed. First these
tests must pass without a fault. A fault that has no test says why, and is only reported; so is one
whose test leaves itself out here, for want of a browser, say.

Ends with 1 if a test does not notice its fault.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).parents[1]
LIST = ROOT / "tests/faults.toml"
TIMEOUT_S = 600
PASSED, FAILED = 0, 1
"""Pytest's statuses; all others say that it could not run the test."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A change in one place that would hurt a user.

    Attributes:
        name: what it does, in words.
        room: what kind of file it is in.
        file: the file, relative to the checkout.
        old: a text that occurs there exactly once.
        new: what stands in its place.
        noticed_by: a test that fails with it; empty if there is none.
        why: why there is none.
    """

    name: str
    room: str
    file: str
    old: str
    new: str
    noticed_by: str
    why: str = ""

    def make(self, checkout: Path) -> None:
        """Writes it into a checkout; ValueError unless there is one place for it."""
        path = checkout / self.file
        text = path.read_text(encoding="utf-8")
        if (found := text.count(self.old)) != 1:
            raise ValueError(
                f"{self.name}: expected {self.old!r} once in {self.file}, found {found}"
            )
        path.write_text(text.replace(self.old, self.new), encoding="utf-8")


def read_faults() -> list[Fault]:
    """All faults, in the order of the list."""
    return [Fault(**fault) for fault in tomllib.loads(LIST.read_text("utf-8"))["fault"]]


def git(checkout: Path, *arguments: str) -> str:
    """The output of git."""
    command = ["git", "-C", str(checkout), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def run_tests(checkout: Path, *tests: str) -> tuple[int, str]:
    """Pytest's status and what it printed."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    # Programs that a test starts come from the clone, too.
    environment = {**os.environ, "PYTHONPATH": str(checkout)}
    done = subprocess.run(
        command,
        cwd=checkout,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=TIMEOUT_S * len(tests),
    )
    return done.returncode, done.stdout


def tried(fault: Fault, checkout: Path) -> str:
    """What its test says to a fault, in a clone."""
    try:
        fault.make(checkout)
        status, said = run_tests(checkout, fault.noticed_by)
    finally:
        # What git ignores stays, as in any checkout that is worked in.
        git(checkout, "checkout", "--quiet", ".")
        git(checkout, "clean", "--quiet", "--force", "-d")
    if status not in (PASSED, FAILED):
        raise RuntimeError(f"{fault.name}: {fault.noticed_by} cannot be run\n{said}")
    if status == PASSED and " passed" not in said:
        return "left out here"
    return "noticed" if status == FAILED else "not noticed"


def clones(count: int, folder: Path) -> Iterator[Path]:
    """Clones of what is committed."""
    for number in range(count):
        checkout = folder / f"clone-{number}"
        subprocess.run(["git", "clone", "--quiet", "--shared", ROOT, checkout], check=True)
        yield checkout


def run(faults: Sequence[Fault], checkouts: Sequence[Path]) -> Iterator[tuple[Fault, str]]:
    """Tries all faults, each in whichever clone is free."""
    free: SimpleQueue[Path] = SimpleQueue()
    for checkout in checkouts:
        free.put(checkout)

    def in_a_free_clone(fault: Fault) -> tuple[Fault, str]:
        checkout = free.get()
        try:
            return fault, tried(fault, checkout)
        finally:
            free.put(checkout)

    with ThreadPoolExecutor(len(checkouts)) as pool:
        yield from pool.map(in_a_free_clone, faults)


def main() -> int:
    faults = read_faults()
    rooms = list(dict.fromkeys(fault.room for fault in faults))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rooms", nargs="+", choices=rooms, default=rooms, metavar="ROOM")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    if git(ROOT, "status", "--porcelain"):
        parser.error("expected everything to be committed: the clones have only that")
    chosen = [fault for fault in faults if fault.room in options.rooms]
    with_test = [fault for fault in chosen if fault.noticed_by]
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        checkouts = list(clones(options.jobs, Path(name)))
        status, said = run_tests(checkouts[0], *sorted({f.noticed_by for f in with_test}))
        if status != PASSED:
            print(said)
            print("expected these tests to pass without a fault")
            return 1
        for fault, outcome in run(with_test, checkouts):
            counts[outcome] += 1
            print(f"{outcome}\t{fault.room}\t{fault.name}\t{fault.noticed_by}", flush=True)
    for fault in chosen:
        if not fault.noticed_by:
            print(f"no test\t{fault.room}\t{fault.name}\t{fault.why}")
    print(f"{counts['noticed']} of {len(chosen)} noticed")
    return 1 if counts["not noticed"] else 0


if __name__ == "__main__":
    sys.exit(main())
