#!/usr/bin/env python3
"""Chooses the proofs that the present state of a checkout demands, and records those that pass.

    scripts/choose_proofs.py             names each proof that is demanded, with the reason
    scripts/choose_proofs.py --record    runs these one by one, and records those that pass

Proofs are the files of tests named in tests/proof.txt. Each is demanded until it has passed with
the very contents of all that it, or any program that it started, opened or listed in the checkout.
What only stood in memory, in an environment or on another machine is not seen. Recording needs
Linux. Ends with 1 if a proof fails or is skipped as a whole, as without Chromium; without --record,
if any is demanded.
"""

import argparse
import compileall
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scripts.proofs.opened import OpenedFiles
from scripts.proofs.record import EVERYTHING, NAMES, RECORD, Checkout, Record, read_proofs

ROOT = Path(__file__).resolve().parents[1]
ALWAYS = ("pyproject.toml", "requirements/dev.txt", "requirements/browser.txt", "tests/conftest.py")
"""Every proof runs with these."""


def git_path(name: str) -> Path:
    """Where git keeps something, which may be outside of a worktree."""
    command = ["git", "-C", str(ROOT), "rev-parse", "--git-path", name]
    found = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    return (ROOT / found).resolve()


def is_passed(report: Path) -> bool:
    """True if tests were run, and all passed, by pytest's report; skipped ones prove nothing."""
    suite = next(ElementTree.parse(report).getroot().iter("testsuite"))
    count = {name: int(suite.get(name, 0)) for name in ("tests", "skipped", "failures", "errors")}
    return count["tests"] > count["skipped"] and not count["failures"] and not count["errors"]


def run_proof(proof: str, checkout: Checkout) -> frozenset[str] | None:
    """Runs a proof; the tracked paths that it used, or None if it failed, or did not run at all."""
    folders = set(checkout.folders)
    compiled = {f"{folder}/__pycache__" for folder in folders}
    folders |= {folder for folder in compiled if (ROOT / folder).is_dir()}
    objects, index = git_path("objects"), git_path("index")
    folders |= {str(objects), str(index.parent)}
    with TemporaryDirectory() as folder, OpenedFiles(ROOT, folders) as opened:
        report = Path(folder) / "report.xml"
        python = ROOT / ".venv/bin/python"
        command = [str(python if python.exists() else sys.executable), "-m", "pytest", "-q"]
        command += ["-p", "no:cacheprovider", f"--junitxml={report}", proof]
        subprocess.run(command, cwd=ROOT, check=False)
        passed = report.is_file() and is_passed(report)
    if not passed:
        return None
    stands_for = {f"{objects}/": EVERYTHING, str(index): NAMES}
    paths = {stands_for.get(path, path) for path in opened.paths}
    if not opened.complete:
        paths.add(EVERYTHING)
    return checkout.used((*paths, *ALWAYS), proof)


def settled(run: Callable[[], frozenset[str] | None]) -> frozenset[str] | None:
    """What a proof used; where everything seems to count, it has to do so in a second run, too.

    Somebody else may have cloned the repository meanwhile, or so much was opened that the kernel
    dropped events: by that alone, a proof would be demanded by every change from then on.
    """
    first = run()
    if first is None or EVERYTHING not in first:
        return first
    print("everything seems to count: once more", flush=True)
    second = run()
    return None if second is None else (first - {EVERYTHING}) | second


def record(demanded: dict[str, str], checkout: Checkout) -> int:
    """Runs proofs and records those that pass, each at once; returns how many failed."""
    for folder in (
        "appliance",
        "calibration",
        "firmware",
        "games",
        "scripts",
        "simulator",
        "tests",
        "vision",
    ):
        compileall.compile_dir(ROOT / folder, quiet=2)
    failed = 0
    for number, proof in enumerate(demanded, 1):
        print(f"{number} of {len(demanded)}: {proof}", flush=True)
        used = settled(partial(run_proof, proof, checkout))
        if used is None:
            failed += 1
            continue
        known = Record.read(ROOT / RECORD)
        known = known.without(set(known.used) - read_proofs(ROOT))
        known.with_proof(proof, checkout, used).write(ROOT / RECORD)
    return failed


def main() -> int:
    """Chooses, or runs and records."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--record", action="store_true", help="run them and record those that pass")
    args = parser.parse_args()
    checkout = Checkout.at(ROOT)
    demanded = Record.read(ROOT / RECORD).demanded(sorted(read_proofs(ROOT)), checkout)
    if args.record:
        return min(record(demanded, checkout), 1)
    with suppress(BrokenPipeError):
        for proof, reason in demanded.items():
            print(f"{proof}\t{reason}")
    return min(len(demanded), 1)


if __name__ == "__main__":
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.exit(main())
