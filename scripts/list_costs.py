#!/usr/bin/env python3
"""Lists what each file of tests cost in a run, the dearest first, and keeps what follows from it.

    RECORD_COSTS=costs scripts/test -p tests.record_costs
    scripts/list_costs.py costs           the table
    scripts/list_costs.py costs --keep    also writes tests/slow.txt and tests/longest.txt

Files that the run left out keep their lines. Seconds by the clock mean something only if the
machine was quiet meanwhile.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scripts.proofs.record import read_proofs

ROOT = Path(__file__).resolve().parents[1]
SLOW_S = 0.25
"""Tests that take as long are marked slow."""
LONG_S = 5.0
"""Files that take as long are run first, the longest at the very first."""

Costs = Mapping[str, Mapping[str, Any]]


def read_costs(folder: Path) -> tuple[dict[str, Any], float]:
    """The costs of each file, and the processor seconds of all processes but their children."""
    costs: dict[str, Any] = {}
    whole_s = 0.0
    for path in sorted(folder.glob("*.json")):
        of_process = json.loads(path.read_text())
        whole_s += of_process.pop("")["cpu_s"]
        costs |= of_process
    return costs, whole_s


def cpu_s(cost: Mapping[str, Any]) -> float:
    """Processor seconds with those of children."""
    return float(cost["cpu_s"] + cost["children_cpu_s"])


def table(costs: Costs, whole_s: float, proofs: frozenset[str]) -> list[str]:
    """The rows of the table: sums first."""
    rows = [f"{'processor s':>11} {'children':>8} {'clock s':>8} {'tests':>6}"]
    for name, wanted in (("core", False), ("proof", True)):
        of_job = [cost for file, cost in costs.items() if (file in proofs) is wanted]
        sums = [sum(cost[key] for cost in of_job) for key in ("children_cpu_s", "wall_s", "tests")]
        total_s = sum(cpu_s(cost) for cost in of_job)
        rows.append(f"{total_s:11.1f} {sums[0]:8.1f} {sums[1]:8.1f} {sums[2]:6d} {name}")
    in_tests_s = sum(cost["cpu_s"] for cost in costs.values())
    rows.append(f"{whole_s - in_tests_s:11.1f} {'':8} {'':8} {'':6} start and collection")
    for file, cost in sorted(costs.items(), key=lambda item: -cpu_s(item[1])):
        started = ", ".join(f"{name} {n}" for name, n in sorted(cost["started"].items()))
        rows.append(
            f"{cpu_s(cost):11.1f} {cost['children_cpu_s']:8.1f} {cost['wall_s']:8.1f}"
            f" {cost['tests']:6d} {file}{' *' if file in proofs else ''}  {started}"
        )
    return rows


def slow_tests(costs: Costs) -> list[str]:
    """The tests that are to be marked slow, without their parameters."""
    return sorted(
        f"{file}::{name}"
        for file, cost in costs.items()
        for name, seconds in cost["seconds"].items()
        if seconds >= SLOW_S
    )


def longest_files(costs: Costs) -> list[str]:
    """The files that are to run first."""
    by_length = sorted(costs, key=lambda file: -costs[file]["wall_s"])
    return [file for file in by_length if costs[file]["wall_s"] >= LONG_S]


def not_run(listed: Sequence[str], costs: Costs) -> list[str]:
    """The lines of a list for files that the run left out, and that are still there."""
    files = [line.partition("::")[0] for line in listed]
    return [
        line
        for line, file in zip(listed, files, strict=True)
        if file not in costs and (ROOT / file).is_file()
    ]


def main() -> int:
    """Prints the table, and keeps the lists if that is wanted."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="where the run has put its costs")
    parser.add_argument("--keep", action="store_true", help="write the two lists")
    args = parser.parse_args()
    costs, whole_s = read_costs(args.folder)
    if not costs:
        parser.error(f"expected the costs of a run in {args.folder}, found none")
    with suppress(BrokenPipeError):
        print(*table(costs, whole_s, read_proofs(ROOT)), sep="\n", flush=True)
    if args.keep:
        slow, longest = ROOT / "tests/slow.txt", ROOT / "tests/longest.txt"
        first, *listed = slow.read_text().splitlines()
        tests = sorted({*not_run(listed, costs), *slow_tests(costs)})
        slow.write_text("\n".join((first, *tests, "")))
        files = [*not_run(longest.read_text().split(), costs), *longest_files(costs)]
        longest.write_text("\n".join((*files, "")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
