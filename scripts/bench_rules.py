#!/usr/bin/env python3
"""Measures random games a second for every game; compares Classic with pyhtzee if installed.

One process, one core, CPU time; the two take turns, so that a busy machine slows both alike.
Builds of Python differ, so it says which one ran: compare only figures of the same one.
`--memory GAMES --game NAME` plays this many games of one kind and prints the peak memory along the
way.
"""

import argparse
import platform
import resource
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))


from games import classic
from games.chance import random_game
from games.game import Game
from games.registry import GAMES

ROUNDS = 5


def rate(play: Callable[[int], None], seconds: float, seed: int) -> float:
    """Games per second of CPU time."""
    games = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds:
        play(seed + games)
        games += 1
    return games / spent


def play_pyhtzee(seed: int) -> None:
    from pyhtzee import Pyhtzee  # type: ignore[import-not-found, unused-ignore]

    game = Pyhtzee(seed=seed + 1)
    random = Random(seed)
    while not game.is_finished():
        game.take_action(random.choice(game.get_possible_actions()))


def compare(seconds: float) -> None:
    def ours(seed: int) -> None:
        random_game(classic.GAME, ["A"], {}, Random(seed))

    try:
        play_pyhtzee(0)
    except ImportError:
        print("pyhtzee is not installed; classic is timed alone")
        print(f"classic, solo: {rate(ours, seconds, 0):.0f} games/s")
        return
    pairs = [
        (rate(ours, seconds / ROUNDS, 1000 * n), rate(play_pyhtzee, seconds / ROUNDS, 1000 * n))
        for n in range(ROUNDS)
    ]
    mine, theirs = (sum(column) / ROUNDS for column in zip(*pairs, strict=True))
    print(f"classic, solo: {mine:.0f} games/s; pyhtzee: {theirs:.0f}; {mine / theirs:.2f} times")


def _play(game: Game[Any], players: list[str], seed: int) -> None:
    random_game(game, players, {}, Random(seed))


def others(seconds: float) -> None:
    for name, game in sorted(GAMES.items()):
        players = [f"P{seat}" for seat in range(min(4, game.max_players))]
        speed = rate(partial(_play, game, players), seconds, 0)
        print(f"{name}, {len(players)} players: {speed:.0f} games/s")


def memory(game: Game[Any], games: int) -> None:
    """Plays random games with the fewest players and prints the peak memory along the way."""
    players = ["A", "B", "C"][: game.min_players]
    options = {"stack": 50} if game.name == "holdem" else {}
    for number in range(games):
        random_game(game, players, options, Random(number))
        if (number + 1) % max(1, games // 5) == 0:
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(f"{game.name}, after {number + 1} games: peak {peak:.1f} MiB", flush=True)


def main() -> None:
    """Measures what the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=5.0, help="for each game")
    parser.add_argument("--memory", type=int, metavar="GAMES")
    parser.add_argument("--game", choices=sorted(GAMES), default="classic", help="for --memory")
    args = parser.parse_args()
    if args.memory:
        memory(GAMES[args.game], args.memory)
    else:
        print(f"Python {platform.python_version()} of {sys.base_prefix}")
        compare(args.seconds)
        others(args.seconds)


if __name__ == "__main__":
    main()
