#!/usr/bin/env python3
"""Breaks the link to the scoreboard in every way, for minutes, and checks every light.

    .venv/bin/python scripts/inject_faults.py [--faults 1000000] [--interpreter real|cpython]

The host's own code and the firmware, in MicroPython, talk through a pty; an injector sits between
them. It prints a table, and fails if a light was ever lit that nobody asked for or if a picture
was not back within a second of a fault's end.
"""

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from simulator.pico import micropython
from tests.proofs.link_faults import Trial

LIMIT = 1.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--faults", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=40, help="of what does not come by the byte")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--interpreter", choices=("real", "cpython"), default="real")
    options = parser.parse_args()
    named = (
        {micropython.INTERPRETER_VARIABLE: "cpython"} if options.interpreter == "cpython" else None
    )
    interpreter = micropython.find_interpreter(named)
    print(interpreter.sentence)
    start = time.monotonic()
    with Trial(interpreter, options.seed) as trial:
        result = trial.run(options.faults, options.rounds)
    took = time.monotonic() - start
    print(f"{'kind':<24}{'faults':>10}{'longest way back':>20}")
    for kind, (count, longest) in sorted(result.kinds.items()):
        print(f"{kind:<24}{count:>10}{longest:>18.3f} s")
    print(f"{sum(count for count, _ in result.kinds.values())} faults in {took:.0f} s")
    print(f"words for the chips looked at: {result.looked}, wrong: {len(result.wrong)}")
    print(f"longest call of show: {1000 * result.longest_show:.1f} ms")
    late = [kind for kind, (_, longest) in result.kinds.items() if longest > LIMIT]
    for text in result.wrong[:10]:
        print(text)
    if late:
        print(f"longer than {LIMIT} s: {', '.join(late)}")
    return int(bool(late or result.wrong))


if __name__ == "__main__":
    sys.exit(main())
