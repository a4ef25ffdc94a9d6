#!/usr/bin/env python3
"""Plays whole games by hand: by keyboard in a real terminal, or by clicks that wait for nothing.

Drives `dicetray play --human` through a pseudo-terminal, with random keys of all kinds in between.
Prints a row for each game, and exits with 1 if one ended badly: with a traceback, stuck, with a
record that replays to other scores, or without restoring the terminal.

With `--clicks` the program's loop gets random clicks and keys at any moment, also while dice roll,
and pages that are behind. It exits with 1 if a choice counted for dice that were not on view, a
throw for another turn than it was made for, or a whole game did not end.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import count
from pathlib import Path

# The rig belongs to the tests.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.rigs.by_hand.clicks import Clicked, click_game
from tests.rigs.by_hand.games import MIN_PLAYERS, play
from tests.rigs.proof.games import SETUPS

MOST_SEQUENCES_A_GAME = 20_000
"""Longer games are called endless; a game of Showdown takes some thousands."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=("all", *MIN_PLAYERS), default="all")
    parser.add_argument("--keys", type=int, default=2000, help="random keys a game")
    parser.add_argument("--bursts", type=int, default=20, help="in how many lots")
    parser.add_argument("--seed", type=int, default=0, help="chance")
    clicks = "sequences of five clicks, shared by the games, instead of keys in a terminal"
    parser.add_argument("--clicks", type=int, default=0, help=clicks)
    speed = "with --clicks: simulated seconds in a second; default: as fast as possible"
    parser.add_argument("--speed", type=float, default=0.0, help=speed)
    jobs = "with --clicks: games at a time; more than there are processors put them under load"
    parser.add_argument("--jobs", type=int, default=1, help=jobs)
    pictures = "with --clicks: draw and read the dice, ten times as slow"
    parser.add_argument("--pictures", action="store_true", help=pictures)
    args = parser.parse_args()
    names = tuple(MIN_PLAYERS) if args.game == "all" else (args.game,)
    return click_games(names, args) if args.clicks else play_in_terminal(names, args)


def play_in_terminal(names: Sequence[str], args: argparse.Namespace) -> int:
    """Plays each game in a terminal; the exit status."""
    print("| game | keys | throws | seconds | starts | suspended | ended |")
    print("|---|---|---|---|---|---|---|", flush=True)
    wrong = 0
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            report = play(name, Path(folder), seed=args.seed, keys=args.keys, bursts=args.bursts)
        how = "WRONG" if report.fault else report.shown
        cells = (
            name,
            report.keys,
            report.throws,
            f"{report.seconds:.0f}",
            report.starts,
            report.stops,
            how,
        )
        print(f"| {' | '.join(map(str, cells))} |", flush=True)
        if report.fault:
            wrong += 1
            print(f"{name}: {report.fault}", file=sys.stderr, flush=True)
    return 1 if wrong else 0


def click_games(names: Sequence[str], args: argparse.Namespace) -> int:
    """Clicks through the games; the exit status."""
    columns = ("game", "sequences", "games ended", "throws", "choices", "refused", "taken back")
    print(f"| {' | '.join((*columns, 'first click, median and 95 % (ms)', 'wrong'))} |")
    print(f"|{'---|' * (len(columns) + 2)}", flush=True)
    each, wrong = -(-args.clicks // len(names)), 0
    with tempfile.TemporaryDirectory() as folder, ProcessPoolExecutor(args.jobs) as pool:
        click = partial(click_through, each, args.seed, args.speed, args.pictures, Path(folder))
        for name, games in zip(names, pool.map(click, names), strict=True):
            waits = sorted(wait for game in games for wait in game.waits_s)
            shares = [waits[int(share * len(waits))] for share in (0.5, 0.95)] if waits else []
            faults = [fault for game in games for fault in game.faults]
            if any(not game.ended for game in games if game.sequences >= MOST_SEQUENCES_A_GAME):
                faults.append("a game did not end")
            cells = (
                *(name, sum(game.sequences for game in games), sum(game.ended for game in games)),
                *(sum(game.throws for game in games), sum(game.chosen for game in games)),
                *(sum(game.refused for game in games), sum(game.taken_back for game in games)),
                *(", ".join(f"{1000 * share:.0f}" for share in shares), len(faults)),
            )
            print(f"| {' | '.join(map(str, cells))} |", flush=True)
            wrong += len(faults)
            for fault in faults:
                print(f"{name}: {fault}", file=sys.stderr, flush=True)
    return 1 if wrong else 0


def click_through(
    most: int, seed: int, speed: float, pictures: bool, folder: Path, name: str
) -> list[Clicked]:
    """Clicks through one game after another, until there were enough sequences."""
    games = list[Clicked]()
    for number in count(seed):
        left = most - sum(game.sequences for game in games)
        if left <= 0:
            break
        setup = SETUPS[name][number % len(SETUPS[name])]
        sequences = min(left, MOST_SEQUENCES_A_GAME)
        games.append(
            click_game(setup, number, most=sequences, speed=speed, folder=folder, pictures=pictures)
        )
    return games


if __name__ == "__main__":
    sys.exit(main())
