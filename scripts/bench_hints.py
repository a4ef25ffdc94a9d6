#!/usr/bin/env python3
"""Plays whole games by the rules, some seats following hints: points, wins, time for a hint.

    scripts/bench_hints.py classic --games 2000 --seats hints
    scripts/bench_hints.py showdown --games 100 --seats hints greedy greedy
    scripts/bench_hints.py holdem --games 1 --seats asks asks asks asks asks asks --most 500
    scripts/bench_hints.py --count showdown --players 3

Players: `hints` does what HINT says; `greedy` takes what scores most at once and, while nothing
scores, holds the most frequent face and throws the rest; `random` does anything; `asks` does
anything too, but asks for a hint first, as one can in Hold'em, whose hints are odds. Seats take
turns to begin. Times are CPU time, so that other work on the machine does not count.

`--count` plays games in which all follow hints and counts what the hints' tables assume: how often
a turn tries for a card that can be taken, and how long games last.
"""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from games import free_for_all, showdown
from games.chance import random_event
from games.registry import GAMES, find_game
from games.strategy import advice
from games.strategy.free_for_all import worth as free_for_all_worth
from games.strategy.showdown import worth as showdown_worth
from games.values import Choice, Choose, Draw, Hint, Keep, Points

Player = Callable[[Any, Any, Random], Choice]
SECONDS: list[float] = []
"""CPU time of each hint."""
MOST = [2000]
"""Number of hints after which `asks` stops asking."""


def ask(rules: Any, state: Any) -> Hint | None:
    start = time.process_time()
    hint = advice.best_move(rules, state)
    SECONDS.append(time.process_time() - start)
    return hint


def hints(rules: Any, state: Any, random: Random) -> Choice:
    hint = ask(rules, state)
    assert hint is not None
    assert hint.choice is not None, "Hold'em gives odds, not advice"
    return hint.choice


def greedy(rules: Any, state: Any, random: Random) -> Choice:
    choices = rules.choices(state)
    keeps = [choice for choice in choices if isinstance(choice, Keep)]
    points = {
        choice: (rules.preview(state, choice) or Points(0)).points
        for choice in choices
        if not isinstance(choice, Keep)
    }
    best: Choice = max(points, key=points.__getitem__)
    if keeps and points[best] <= 0:
        dice = rules.dice(state)
        most = max(dice[:5], key=dice.count)
        hold = Keep(tuple(slot for slot, face in enumerate(dice) if face == most))
        best = hold if hold in keeps else keeps[0]
    return best


def at_random(rules: Any, state: Any, random: Random) -> Choice:
    choices: Sequence[Choice] = rules.choices(state)
    return random.choice(choices)


def asks(rules: Any, state: Any, random: Random) -> Choice:
    if len(SECONDS) < MOST[0]:
        ask(rules, state)
    return at_random(rules, state, random)


PLAYERS: dict[str, Player] = {"hints": hints, "greedy": greedy, "random": at_random, "asks": asks}


def play(rules: Any, seats: list[Player], random: Random, seen: Callable[[Any], None]) -> Any:
    state = rules.start(tuple("ABCDEF"[: len(seats)]), {})
    while (asked := rules.ask(state)) is not None:
        if isinstance(asked, Choose) and not isinstance(asked, Draw):
            event: Any = seats[asked.seat](rules, state, random)
        else:
            event = random_event(rules, state, random)
        seen(state)
        state = rules.apply(state, event)
    return state


def compare(game: str, names: list[str], games: int, seed: int) -> None:
    rules = find_game(game)
    count = len(names)
    points: list[list[int]] = [[] for _ in names]
    wins = np.zeros(count)
    for number in range(games):
        order = [(seat + number) % count for seat in range(count)]
        players = [PLAYERS[names[at]] for at in order]
        state = play(rules, players, Random(f"{seed} {number}"), lambda _: None)
        outcome = rules.outcome(state)
        assert outcome is not None
        for seat, at in enumerate(order):
            points[at].append(outcome.scores[seat])
            wins[at] += (seat in outcome.winners) / len(outcome.winners)
    print(f"{game}: {games} games")
    for name, scored, won in zip(names, points, wins, strict=True):
        error = np.std(scored) / np.sqrt(len(scored))
        print(f"  {name:<8} mean {np.mean(scored):7.1f} ± {error:.1f}   wins {won / games:.1%}")
    if SECONDS:
        ms = 1000 * np.array(SECONDS)
        print(
            f"  {len(ms)} hints: median {np.median(ms):.2f} ms, 99 of 100 within "
            f"{np.percentile(ms, 99):.1f} ms, longest {ms.max():.1f} ms, first {ms[0]:.1f} ms"
        )


def count(game: str, players: int, games: int, seed: int) -> None:
    """Prints how often cards are tried for, relative to the chances to take them."""
    rules = find_game(game)
    tried, could = {False: 0, True: 0}, {False: 0.0, True: 0.0}
    turns = {False: 0, True: 0}
    centre = 0
    last = -1

    def seen(state: Any) -> None:
        nonlocal last
        if state.turns == last:
            return
        last = state.turns
        late = game == "showdown" and state.in_showdown
        turns[late] += 1
        if game == "showdown":
            stacks = zip(showdown.Card, state.cards, strict=True)
            chances = [
                float(showdown_worth.chances_to_make()[card, stack.chips])
                for card, stack in stacks
                if stack is not None and stack.seat != state.seat
            ]
        else:
            chances = [
                free_for_all_worth.chance_to_beat(lying)
                for seat, homes in enumerate(state.homes)
                for lying in homes
                if lying is not None and seat != state.seat
            ]
        could[late] += sum(chances)

    def counting(rules: Any, state: Any, random: Random) -> Choice:
        nonlocal centre
        choice = hints(rules, state, random)
        late = game == "showdown" and state.in_showdown
        tried[late] += isinstance(choice, showdown.Take | free_for_all.Steal)
        centre += isinstance(choice, free_for_all.Take)
        return choice

    for number in range(games):
        last = -1
        play(rules, [counting] * players, Random(f"{seed} {number}"), seen)
    print(f"{game}, {players} players, {games} games")
    print(f"  TRY_SHARE_BY_PLAYERS {tried[False] / could[False]:.3f}")
    if game == "showdown":
        print(f"  SHOWDOWN_TRY_SHARE_BY_PLAYERS {tried[True] / could[True]:.3f}")
        print(f"  TURNS_PER_CARD {turns[False] / games / len(showdown.Card):.2f}")
    else:
        print(f"  TAKE_SHARE {centre / turns[False]:.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", nargs="?", choices=sorted(GAMES))
    parser.add_argument("--seats", nargs="+", choices=sorted(PLAYERS), default=["hints"])
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", choices=["showdown", "free-for-all"])
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--most", type=int, default=MOST[0], help="hints asked for by `asks`")
    args = parser.parse_args()
    MOST[0] = args.most
    if args.count:
        count(args.count, args.players, args.games, args.seed)
    elif args.game:
        compare(args.game, args.seats, args.games, args.seed)
    else:
        parser.error("name a game, or --count")


if __name__ == "__main__":
    main()
