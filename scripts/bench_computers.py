#!/usr/bin/env python3
"""Computer players against each other: how often the stronger one wins, and the time to decide.

    scripts/bench_computers.py --games 200
    scripts/bench_computers.py holdem --games 100 --stack 100
    scripts/bench_computers.py classic --watched --games 20
    scripts/bench_computers.py farkle --games 1000 --pair best fun --pair fun random

With --watched it plays what W shows, two players that always choose as HINT does, without pictures,
and lists their points. Otherwise each seed is played twice with the same dice, with the players'
seats swapped. After ± are two standard errors over the pairs. A shared win counts as half of one.
`random` takes any choice. Times are CPU time.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from functools import partial
from multiprocessing.pool import Pool
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from games.chance import random_event
from games.computers import Strength, computer_name, deciding_computer, strength_of
from games.registry import GAMES, find_game
from games.strategy.computer import decision
from games.values import Event, Reveal
from scripts.campaign.stopping import run, workers

SECONDS: list[float] = []
"""CPU time of each decision for a seed."""
Result = tuple[float, float, list[float]]
RANDOM = "random"
PAIRS = ((Strength.BEST, Strength.WELL), (Strength.WELL, Strength.FUN))
MAX_EVENTS_PER_GAME = 20_000
"""Events after which a game counts as drawn."""


def play(game: str, players: tuple[str, ...], options: dict[str, Any], seed: str) -> Any:
    """The final state of a game between computers."""
    rules, random = find_game(game), Random(seed)
    state = rules.start(players, options)
    for _ in range(MAX_EVENTS_PER_GAME):
        asked = rules.ask(state)
        if asked is None:
            break
        own = isinstance(asked, Reveal) and strength_of(players[asked.seat]) is not None
        event: Event | None
        if own or deciding_computer(players, asked) is not None:
            start = time.process_time()
            event = decision(rules, state, seed)
            SECONDS.append(time.process_time() - start)
        else:
            event = random_event(rules, state, random)
        assert event is not None
        state = rules.apply(state, event)
    return state


def seed(game: str, pair: Sequence[str], stack: int, number: int) -> Result:
    """The stronger player's share of wins and lead in points, and the seconds of each decision."""
    SECONDS.clear()
    options = {"stack": stack} if game == "holdem" else {}
    strong, weak = named(pair)
    share, margin = 0.0, 0.0
    for players in ((strong, weak), (weak, strong)):
        state = play(game, players, options, f"{game} {number}")
        outcome = find_game(game).outcome(state)
        seat = players.index(strong)
        if outcome is None:
            share += 0.25
            continue
        share += (seat in outcome.winners) / len(outcome.winners) / 2
        margin += (outcome.scores[seat] - outcome.scores[1 - seat]) / 2
    return share, margin, list(SECONDS)


def named(pair: Sequence[str]) -> tuple[str, str]:
    """The names of two players by what they are."""
    first, second = (each if each == RANDOM else Strength(each) for each in pair)
    strong = computer_name(first, ()) if isinstance(first, Strength) else "ANY"
    weak = computer_name(second, (strong,)) if isinstance(second, Strength) else "WHATEVER"
    return strong, weak


def compare(pool: Pool, game: str, pair: Sequence[str], games: int, stack: int) -> str:
    """A line of the table."""
    results = pool.map(partial(seed, game, pair, stack), range(games // 2), chunksize=1)
    shares = [share for share, _, _ in results]
    points = [margin for _, margin, _ in results]
    error = 2 * np.std(shares, ddof=1) / np.sqrt(len(shares))
    ms = 1000 * np.array([second for *_, more in results for second in more])
    return (
        f"| {game} | {pair[0]} - {pair[1]} | {games} | {np.mean(shares):.1%} ± {error:.1%} "
        f"| {np.mean(points):+.0f} | {np.median(ms):.1f} | {np.percentile(ms, 99):.0f} "
        f"| {ms.max():.0f} |"
    )


def watched(pool: Pool, game: str, games: int) -> str:
    """Two lines: the points of both players in each game, and their mean, lowest and highest."""
    first = computer_name(Strength.BEST, ())
    players = (first, computer_name(Strength.BEST, (first,)))
    names = [f"{game} watched {number}" for number in range(games)]
    found = pool.map(partial(_final_points, game, players), names, chunksize=1)
    points = [each for scores in found for each in scores]
    listed = ", ".join("-".join(map(str, scores)) for scores in found)
    return (
        f"{game}, {games} games: {listed}\n"
        f"mean {np.mean(points):.1f}, lowest {min(points)}, highest {max(points)}"
    )


def _final_points(game: str, players: tuple[str, ...], seed: str) -> tuple[int, ...]:
    rules = find_game(game)
    return tuple(rules.scores(play(game, players, {}, seed)))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", nargs="*", choices=[*sorted(GAMES), []])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--stack", type=int, default=300, help="chips at the start of Hold'em")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--watched", action="store_true", help="list the points of what W shows")
    kinds = [*Strength, RANDOM]
    parser.add_argument(
        "--pair",
        nargs=2,
        action="append",
        choices=kinds,
        metavar=("FIRST", "SECOND"),
        help=f"who plays: {', '.join(kinds)}; best against well, and well against fun, by default",
    )
    args = parser.parse_args()
    if args.watched:
        with workers(args.jobs) as pool:
            for game in args.game or GAMES:
                print(watched(pool, game, args.games), flush=True)
        return
    print(
        "| game | players | games | the first wins | points more | ms, median | ms, 99 % "
        "| ms, most |"
    )
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    with workers(args.jobs) as pool:
        for game in args.game or GAMES:
            for pair in args.pair or PAIRS:
                print(compare(pool, game, pair, args.games, args.stack), flush=True)


if __name__ == "__main__":
    sys.exit(run(main))
