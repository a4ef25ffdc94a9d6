#!/usr/bin/env python3
"""Solves solo Power and prints the expected grand total: 580,608 sheets, each with all its sums.

Takes about 40 minutes on one core and 4 GB of memory and of disk. Each layer (the sheets with the
same number of open slots) is written when it is solved, so that a run that was ended goes on where
it was. With `--part K/N` this machine solves every Nth sheet of each layer and waits for the files
of the others in the same folder; some sheets of the next part are solved again and compared.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from appliance.rules.power.sheet import SLOTS, Sheet
from scripts.solving import power

CHECKED = 20
"""Sheets of another part that are solved again in each layer."""


def part(text: str) -> tuple[int, int]:
    """`2/3` as 2 and 3."""
    number, _, parts = text.partition("/")
    try:
        found = int(number), int(parts)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected K/N such as 2/3, found {text!r}") from None
    if not 1 <= found[0] <= found[1]:
        raise argparse.ArgumentTypeError(f"expected K from 1 to N, found {text!r}")
    return found


def load(folder: Path, slots: int, parts: int, values: power.Floats, number: int) -> bool:
    """Puts a part of a layer into the values, if its file is there."""
    file = folder / f"layer-{slots:02}-{number}-of-{parts}.npy"
    if not file.exists():
        return False
    some = list(power.sheets(slots))[number - 1 :: parts]
    for sheet, row in zip(some, np.load(file, mmap_mode="r"), strict=True):
        values[sheet] = row
    return True


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="for the layers")
    parser.add_argument("--part", type=part, default=(1, 1), metavar="K/N")
    parser.add_argument("--jobs", type=int, default=1, help="threads")
    args = parser.parse_args()
    number, parts = args.part
    args.out.mkdir(parents=True, exist_ok=True)
    values = power.new_values()
    for slots in range(1, SLOTS + 1):
        some = list(power.sheets(slots))
        mine = some[number - 1 :: parts]
        start = time.perf_counter()
        if not load(args.out, slots, parts, values, number):
            power.solve_sheets(values, mine, args.jobs)
            file = args.out / f"layer-{slots:02}-{number}-of-{parts}.npy"
            rows = np.array([values[sheet] for sheet in mine]).reshape(-1, power.LENGTH)
            np.save(file.with_suffix(".part.npy"), rows)
            file.with_suffix(".part.npy").rename(file)
        took = time.perf_counter() - start
        for other in set(range(1, parts + 1)) - {number}:
            while not load(args.out, slots, parts, values, other):
                time.sleep(5)
        again = some[number % parts :: parts][:CHECKED] if parts > 1 else []
        for sheet in again:
            sums = slice(0, power.highest_sum(sheet[0]) + 1)
            if not np.array_equal(power.solve_sheet(values, *sheet)[sums], values[sheet][sums]):
                sys.exit(f"expected the same worth of sheet {sheet} from both parts, found another")
        print(f"{slots:2} open: {len(mine)} sheets in {took:.0f} s", flush=True)
    print(f"expected grand total {values[power.index_of(Sheet())]:.10f}")


if __name__ == "__main__":
    main()
