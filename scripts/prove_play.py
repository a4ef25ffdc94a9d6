#!/usr/bin/env python3
"""Plays whole games by simulated players who make slips, and checks that the scores are true.

Without pictures by default: the tray reports what lies in it as the watcher would. With --pictures
everything but the tray is real: rendered frames, watcher, session, journal, board, button pins.
Prints a row for each game, and exits with 1 if a score was wrong. With --record games can be played
in several runs: those already in the file are counted and not played again.
"""

import argparse
import json
import sys
import time
from collections import Counter
from dataclasses import fields
from pathlib import Path
from typing import Any

import cv2

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.rigs.proof.games import SETUPS, Played, play_unpictured


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=("all", *SETUPS), default="all")
    parser.add_argument("--games", type=int, default=20, help="games of each kind")
    parser.add_argument("--seed", type=int, default=0, help="the first game's seed")
    parser.add_argument("--clumsy", type=float, default=0.2, help="share of acts with a slip")
    parser.add_argument("--doubt", type=float, default=0.05, help="share of dice read with doubt")
    parser.add_argument("--pictures", action="store_true", help="through rendered pictures")
    parser.add_argument("--minutes", type=float, default=None, help="begin no game after that")
    parser.add_argument("--record", type=Path, help="file of games that were played, a line each")
    parser.add_argument("--keep", type=Path, help="where pictures of misread dice are kept")
    parser.add_argument("--verbose", action="store_true", help="a line for each game")
    args = parser.parse_args()
    names = tuple(SETUPS) if args.game == "all" else (args.game,)
    wrong = 0
    print("| game | games | wrong | throws | slips | dice read | in doubt | misread |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    for name in names:
        played = prove(name, args)
        slips: Counter[str] = sum((p.slips for p in played), Counter())
        faults = [p for p in played if p.fault]
        wrong += len(faults)
        sums = [
            sum(getattr(p, what) for p in played)
            for what in ("throws", "read", "doubted", "misread")
        ]
        cells = (name, len(played), len(faults), sums[0], slips.total(), *sums[1:])
        print(f"| {' | '.join(map(str, cells))} |", flush=True)
        for p in faults:
            print(f"{name}, seed {p.seed}: {p.fault}", file=sys.stderr, flush=True)
        if args.verbose:
            print(", ".join(f"{what} {n}" for what, n in slips.most_common()), file=sys.stderr)
    return 1 if wrong else 0


def prove(name: str, args: argparse.Namespace) -> list[Played]:
    """Plays the games of one kind."""
    if args.pictures:
        from tests.rigs.proof.pictured_games import PICTURED, Wired, play_pictures

        cv2.setNumThreads(1)  # the pictures are small
        setups, wired = PICTURED[name], Wired()
    else:
        setups = SETUPS[name]
    started = time.monotonic()
    key = [name, args.pictures, args.clumsy, None if args.pictures else args.doubt]
    recorded_before = recorded(args.record, key)
    played: list[Played] = []
    for seed in range(args.seed, args.seed + args.games):
        setup = setups[seed % len(setups)]
        if seed in recorded_before:
            played.append(Played(setup, **recorded_before[seed]))
            continue
        if args.minutes is not None and time.monotonic() - started > 60 * args.minutes:
            continue
        if args.pictures:
            one = play_pictures(setup, seed, clumsy=args.clumsy, keep=args.keep, wired=wired)
        else:
            one = play_unpictured(setup, seed, clumsy=args.clumsy, doubt=args.doubt)
        played.append(one)
        if args.record is not None:
            with args.record.open("a") as file:
                file.write(json.dumps([key, as_json(one)]) + "\n")
        if args.verbose:
            what = one.fault or f"{one.scores}"
            took = time.monotonic() - started
            print(f"{name} {seed}: {what}; {one.throws} throws, {took:.0f} s", file=sys.stderr)
    return played


def as_json(played: Played) -> dict[str, Any]:
    """How a game went, as plain values without its setup, which follows from the seed."""
    return {f.name: getattr(played, f.name) for f in fields(played) if f.name != "setup"}


def recorded(path: Path | None, key: list[object]) -> dict[int, dict[str, Any]]:
    """Games in the record that were played in the same way, by seed."""
    if path is None or not path.exists():
        return {}
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    games = [{**one, "slips": Counter(one["slips"])} for how, one in lines if how == key]
    return {one["seed"]: {**one, "scores": tuple(one["scores"])} for one in games}


if __name__ == "__main__":
    sys.exit(main())
