#!/usr/bin/env python3
"""Solves solo Power and prints the expected grand total: 580,608 sheets, each with all its sums.

Takes about 40 minutes on one core and 4 GB of memory and of disk. Each layer (the sheets with the
same number of open slots) is written once it is solved, so that an interrupted run can be
resumed. `--jobs` shares a layer among threads; it is not shared among machines, which would have
to wait for each other 21 times to save half an hour.
"""

import argparse
import sys
import time
from importlib.resources import files
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parents[1]))

from games import power as rules
from games.chance import random_event
from games.power.sheet import SLOTS, Sheet
from games.strategy.power.hint import choice_worths
from games.strategy.power.values import (
    POWER_VALUES_FILE,
    SUMS_PER_ROW,
    Values,
    mask_and_state,
)
from games.strategy.power.values import load_values as load_packed
from games.values import Choose
from scripts.campaign.folder import whole_file


def load(file: Path, sheets: list[tuple[int, int]], values: NDArray[np.float64]) -> bool:
    """Loads a layer into the values, if its file is there; returns whether it is."""
    if not file.exists():
        return False
    for sheet, row in zip(sheets, np.load(file, mmap_mode="r"), strict=True):
        values[sheet] = row
    return True


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--out", type=Path, default=Path("power-layers"), metavar="DIR", help="for the layers"
    )
    parser.add_argument("--jobs", type=int, default=1, help="threads")
    parser.add_argument("--pack", action="store_true", help="write the file that hints read")
    parser.add_argument("--check", type=int, default=0, metavar="GAMES", help="play by that file")
    args = parser.parse_args()
    # Imported here so that --help needs no Numba.
    from scripts.solving import power

    args.out.mkdir(parents=True, exist_ok=True)
    values = power.new_values()
    for slots in range(1, SLOTS + 1):
        file, some = args.out / f"layer-{slots:02}.npy", list(power.sheets(slots))
        start = time.perf_counter()
        if not load(file, some, values):
            power.solve_sheets(values, some, args.jobs)
            rows = np.array([values[sheet] for sheet in some]).reshape(-1, SUMS_PER_ROW)
            with whole_file(file) as stream:
                np.save(stream, rows)
        took = time.perf_counter() - start
        print(f"{slots:2} open: {len(some)} sheets in {took:.0f} s", flush=True)
    print(f"expected grand total {values[*mask_and_state(Sheet().open), 0]:.10f}")
    if args.pack:
        file = Path(str(files("games.strategy.power") / POWER_VALUES_FILE))
        with file.open("wb") as stream:
            np.savez_compressed(stream, allow_pickle=False, **power.packed(values))
        print(f"packed into {file.stat().st_size} bytes")
    if args.check:
        check(power.Exact(values), args.check)


def check(exact: Values, games: int) -> None:
    """Plays solo by the shipped hints and adds up what each decision gives away."""
    lost = np.zeros((games, SLOTS + 1))
    told = np.zeros((games, SLOTS + 1))
    shipped, totals, wrong, decisions = load_packed(), [], 0, 0
    for game in range(games):
        random, state = Random(game), rules.GAME.start(["A"], {})
        while (asked := rules.GAME.ask(state)) is not None:
            if not isinstance(asked, Choose):
                event = random_event(rules.GAME, state, random)
            else:
                slots = state.sheets[0].open.bit_count()
                by_hint, really = choice_worths(state, shipped), choice_worths(state, exact)
                event = max(by_hint, key=lambda choice: by_hint[choice])
                lost[game, slots] += max(really.values()) - really[event]
                told[game, slots] = by_hint[event] - really[event]
                wrong += max(really.values()) > really[event] + 1e-6
                decisions += 1
            assert event is not None
            state = rules.GAME.apply(state, event)
        totals.append(state.sheets[0].total)
    given, late = lost.sum(axis=1), lost[:, :7].sum(axis=1)
    print(f"{games} games: mean {np.mean(totals):.1f} ± {np.std(totals) / games**0.5:.1f}")
    print(f"given away a game: {given.mean():.4f} points, at most {given.max():.3f}")
    print(f"from 6 open slots on: {late.mean():.4f}, at most {late.max():.3f}")
    print(f"not the best: {wrong} of {decisions} decisions")
    print(f"TOTAL off by {np.abs(told).max():.2f} at most, {np.abs(told).mean():.3f} in the mean")


if __name__ == "__main__":
    main()
