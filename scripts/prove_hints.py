#!/usr/bin/env python3
"""Do hints win more than those of an earlier version? Two players, equal luck, seats swapped.

    scripts/prove_hints.py classic --games 2000
    scripts/prove_hints.py power --games 500 --seed 2 --against 93e7751

Games come in pairs: the same throws by seat, turn and roll, with the new hints in one seat first
and in the other then. Where both hints say the same, a pair is won once by each; so what is
counted is what the hints do differently. The interval is that of the mean over pairs (95 %).
"""

import argparse
import subprocess
import sys
import tarfile
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from importlib import import_module
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from appliance.rules.dice import FACES
from appliance.rules.game import Choice, Choose, DieKind, Draw, Face, Rolled, Throw
from appliance.rules.registry import GAMES, find
from appliance.strategy import advice
from vision.reading import POWER_FACES

ROOT = Path(__file__).parents[1]
Player = Callable[[str, Any], Choice]
BEFORE = "93e7751"
"""The last commit whose hints knew points alone."""
SECONDS: list[float] = []
"""Process time of each new hint that was best to win."""


def hints_of(commit: str, folder: Path) -> Player:
    """The hints of an earlier commit, imported beside those of today."""
    command = ["git", "-C", str(ROOT), "archive", commit, "appliance/strategy"]
    with tarfile.open(fileobj=BytesIO(subprocess.check_output(command))) as archive:
        archive.extractall(folder, filter="data")
    (folder / "appliance" / "strategy").rename(folder / "earlier_strategy")
    for file in (folder / "earlier_strategy").rglob("*.py"):
        file.write_text(file.read_text().replace("appliance.strategy", "earlier_strategy"))
    sys.path.insert(0, str(folder))
    found = import_module("earlier_strategy.advice")
    return lambda game, state: found.hint(game, state).choice


def today(game: str, state: Any) -> Choice:
    start = time.process_time()
    hint = advice.hint(game, state)
    assert hint is not None
    assert hint.choice is not None
    if hint.measure == "GAME":
        SECONDS.append(time.process_time() - start)
    return hint.choice


class Luck:
    """Throws and lots that depend on the seed and on what they are for, and not on who plays."""

    def __init__(self, seed: Hashable) -> None:
        self._seed = seed
        self._asked = Counter[Hashable]()

    def of(self, *what: Hashable) -> Random:
        """The chance for something; for the next of its kind another one."""
        self._asked[what] += 1
        return Random(f"{self._seed} {what} {self._asked[what]}")

    def throw(self, turn: int, asked: Throw) -> Rolled:
        """The faces of the dice that are asked for."""
        faces: list[Face] = []
        for die in asked.dice:
            shown: Sequence[Face] = POWER_FACES if die.kind is DieKind.POWER else FACES
            faces.append(self.of(asked.seat, turn, asked.roll, die.slot).choice(shown))
        return Rolled(tuple(faces))


def play(rules: Any, players: tuple[Player, ...], luck: Luck) -> tuple[float, ...]:
    """The share of the win of each seat."""
    state = rules.start(("ANNA", "BOB"), {"first": 0})
    while (asked := rules.ask(state)) is not None:
        if isinstance(asked, Draw):
            event: Any = luck.of("lot").choice(asked.lots)
        elif isinstance(asked, Choose):
            event = players[asked.seat](rules.NAME, state)
        else:
            event = luck.throw(rules.turn(state), asked)
        state = rules.apply(state, event)
    outcome = rules.outcome(state)
    return tuple((seat in outcome.winners) / len(outcome.winners) for seat in range(2))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=sorted(GAMES))
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--against", default=BEFORE, metavar="COMMIT")
    args = parser.parse_args()
    rules = find(args.game)
    with tempfile.TemporaryDirectory() as folder:
        earlier = hints_of(args.against, Path(folder))
        pairs = []
        for number in range(args.games // 2):
            # Until the hints differ, both games of a pair ask the same.
            new, old = lru_cache(None)(today), lru_cache(None)(earlier)
            seed = args.seed, number
            first = play(rules, (new, old), Luck(seed))[0]
            pairs.append((first + play(rules, (old, new), Luck(seed))[1]) / 2)
    won = np.array(pairs)
    error = 1.96 * won.std(ddof=1) / np.sqrt(len(won))
    print(
        f"{args.game}: {2 * len(won)} games, won {won.mean():.2%} ± {error:.2%}; pairs won "
        f"{(won > 0.5).sum()}, lost {(won < 0.5).sum()}"
    )
    if SECONDS:
        ms = 1000 * np.array(SECONDS)
        print(
            f"  {len(ms)} hints to win: median {np.median(ms):.1f} ms, 99 of 100 within "
            f"{np.percentile(ms, 99):.1f} ms, longest {ms.max():.1f} ms, first {ms[0]:.1f} ms"
        )


if __name__ == "__main__":
    main()
