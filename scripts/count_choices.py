#!/usr/bin/env python3
"""Writes the golden counts of legal choices along seeded random games of every game.

One file for each game in `tests/games`; rewrite them only after an intended change of the
rules.
With `--check` it writes nothing and names the files that would change.
"""

import argparse
import sys
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))


from games.registry import find_game
from games.values import Options
from tests.rigs.random_play import choice_counts

TESTS = Path(__file__).parents[1] / "tests" / "appliance" / "rules"
# Random games of Showdown and Hold'em are long: seeds of short games, small stacks.
GAMES: tuple[tuple[str, str, Options, tuple[tuple[int, int], ...]], ...] = (
    ("classic", "classic/choice_counts.txt", {}, ((1, 0), (2, 1), (3, 2))),
    ("power", "power/choice_counts.txt", {}, ((1, 0), (2, 1), (3, 2))),
    ("showdown", "showdown/choice_counts.txt", {}, ((2, 60), (3, 81), (4, 11))),
    ("free-for-all", "free_for_all/choice_counts.txt", {}, ((2, 0), (3, 1), (4, 2))),
    (
        "holdem",
        "holdem/choice_counts.txt",
        {"stack": 50},
        ((2, 0), (3, 1), (4, 2), (5, 3), (6, 4), (2, 5)),
    ),
)
"""Game, file, options, and the players and seed of each line."""


def counted(name: str, options: Options, games: tuple[tuple[int, int], ...]) -> str:
    lines = []
    for players, seed in games:
        names = [f"P{seat + 1}" for seat in range(players)]
        counts = choice_counts(find_game(name), names, options, Random(seed))
        lines.append(f"{name} players {players} seed {seed}: {' '.join(map(str, counts))}\n")
    return "".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    changed = 0
    for name, file, options, games in GAMES:
        path = TESTS / file
        text = counted(name, options, games)
        if args.check:
            if text != path.read_text(encoding="ascii"):
                print(f"{path.name} would change")
                changed += 1
        else:
            path.write_text(text, encoding="ascii")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
