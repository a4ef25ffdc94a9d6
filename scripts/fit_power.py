#!/usr/bin/env python3
"""Makes the table of what the slots of Power will bring, by playing solo games that follow hints.

Each round plays with the table of the round before and writes its own, so that the table comes to
show what play by itself brings. Takes about a minute for 200 games on one core.
"""

import argparse
import sys
from importlib.resources import files
from pathlib import Path
from random import Random

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from appliance.rules.game import Choose
from appliance.rules.power import game as power
from appliance.rules.power.sheet import SLOTS
from appliance.strategy.power import hint as power_hint
from appliance.strategy.power import worth as power_worth
from tests.rigs.random_play import random_event

PRIOR = 15.0
"""How many games the table of the round before counts for, where few were played."""


def play(random: Random) -> tuple[list[int], power.Sheet]:
    """A game: the masks of open slots before each turn, and the sheet at the end."""
    state = power.start(["A"], {})
    masks = []
    while (asked := power.ask(state)) is not None:
        if not state.roll:
            masks.append(state.sheets[0].open)
        hint = power_hint.hint(state) if isinstance(asked, Choose) else None
        event = hint.choice if hint else random_event(power, state, random)
        assert event is not None
        state = power.apply(state, event)
    return masks, state.sheets[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200, help="in each round")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    file = Path(str(files("appliance.strategy.power") / power_worth.FILE))
    for number in range(args.rounds):
        old = power_worth.table()
        count = np.full((SLOTS + 1, SLOTS), PRIOR)
        total = PRIOR * old.mean
        squares = PRIOR * (old.mean**2 + old.deviation**2)
        scores = []
        for game in range(args.games):
            masks, sheet = play(Random(f"{args.seed} {number} {game}"))
            scores.append(sheet.total)
            points = [line.total if line else 0 for line in sheet.lines]
            seen = {mask.bit_count(): mask for mask in masks}
            # A Double skips a number of open slots: it counts with the mask before it.
            mask = masks[0]
            for left in range(SLOTS, 0, -1):
                mask = seen.get(left, mask)
                for slot in range(SLOTS):
                    if mask >> slot & 1:
                        count[left, slot] += 1
                        total[left, slot] += points[slot]
                        squares[left, slot] += points[slot] ** 2
        mean = total / count
        deviation = np.sqrt(np.maximum(0, squares / count - mean**2))
        file.write_text(power_worth.SlotTable(mean, deviation).text)
        power_worth.table.cache_clear()
        power_worth.bonus.cache_clear()
        power_worth.to_come.cache_clear()
        power_hint.hands.cache_clear()
        power_hint.throwing.cache_clear()
        spread = np.std(scores) / np.sqrt(len(scores))
        print(f"round {number + 1}: mean {np.mean(scores):.1f} ± {spread:.1f}", flush=True)


if __name__ == "__main__":
    main()
