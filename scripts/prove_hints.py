#!/usr/bin/env python3
"""Do hints win more than those of an earlier version? Two players, equal luck, seats swapped.

    scripts/prove_hints.py classic --games 2000
    scripts/prove_hints.py power --games 500 --seed 2 --against 93e7751

Games come in pairs: the same throws by seat, turn and roll, with the new hints first in one seat,
then in the other. Where both hints say the same, each wins one game of the pair; so only what the
hints do differently counts. The interval is that of the mean over pairs (95 %).
`--jobs` spreads the pairs over processes; the result is the same. `--against` also takes a tar file
with the earlier `games/strategy`, for a machine without the project's history.
In Hold'em, whose earlier hints were odds, the opponent knows only the odds of each pocket: it
bets on a better than even chance, and calls where the chance pays for it.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache, partial
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from games import holdem
from games.dice import FACES
from games.holdem.betting import cost_of_act, legal_acts
from games.holdem.evaluator import BAG
from games.holdem.state import COMMUNITY_BY_STAGE, Bet, Fold, Pocket, Raise, State
from games.registry import GAMES, find_game
from games.strategy import advice
from games.strategy.holdem import advising
from games.values import Choice, Choose, DieKind, Draw, Face, Rolled, Shown, ShownDie, Throw
from scripts.campaign.stopping import run, workers
from vision.reading import POWER_FACES

ROOT = Path(__file__).parents[1]
Player = Callable[[str, Any], Choice]
Bettor = Callable[[State, Pocket], Choice]
COMMIT_OF_OLD_HINTS = "93e7751"
"""The last commit whose hints knew only points."""
SECONDS: list[float] = []
"""CPU time of each new hint that aims to win, in a pair of games."""


def unpack(commit: str, folder: Path) -> None:
    """Puts the hints of an earlier commit into a folder, as a package beside today's."""
    command = ["git", "-C", str(ROOT), "archive", commit, "games/strategy"]
    kept = Path(commit)
    data = kept.read_bytes() if kept.is_file() else subprocess.check_output(command)
    subprocess.run(["tar", "-x", "-C", str(folder)], input=data, check=True)
    (folder / "appliance" / "strategy").rename(folder / "earlier_strategy")
    for file in (folder / "earlier_strategy").rglob("*.py"):
        file.write_text(file.read_text().replace("games.strategy", "earlier_strategy"))


@lru_cache(1)
def earlier_hints(folder: str) -> Player:
    """The hints in a folder, imported once per process."""
    # Both games of a pair look at the same boards.
    advising.compare_pockets = lru_cache(256)(advising.compare_pockets.__wrapped__)
    sys.path.insert(0, folder)
    found = import_module("earlier_strategy.advice")
    return lambda game, state: found.hint(game, state).choice


def today(game: str, state: Any) -> Choice:
    start = time.process_time()
    hint = advice.best_move(find_game(game), state)
    assert hint is not None
    assert hint.choice is not None
    if hint.measure == "GAME":
        SECONDS.append(time.process_time() - start)
    return hint.choice


class Luck:
    """Throws and lots that depend on the seed and on what they are for, but not on who plays."""

    def __init__(self, seed: Hashable) -> None:
        self._seed = seed
        self._asked = Counter[Hashable]()

    def of(self, *what: Hashable) -> Random:
        """A random generator for something; the next of its kind gets another one."""
        self._asked[what] += 1
        return Random(f"{self._seed} {what} {self._asked[what]}")

    def throw(self, turn: int, asked: Throw) -> Rolled:
        """The faces of the dice that are asked for."""
        faces: list[Face] = []
        for die in asked.dice:
            shown: Sequence[Face] = POWER_FACES if die.kind is DieKind.POWER else FACES
            faces.append(self.of(asked.seat, turn, asked.roll, die.slot).choice(shown))
        return Rolled(tuple(faces))


class Hands:
    """Two players of Hold'em with dice under their cups, the same in both games of a pair."""

    def __init__(self, seed: Hashable, bets: tuple[Bettor, ...]) -> None:
        self._seed, self._bets = seed, bets

    def play(self, stack: int) -> tuple[float, ...]:
        """Each seat's share of the win."""
        state = holdem.GAME.start(("ANNA", "BOB"), {"stack": stack, "dealer": 0})
        while (asked := holdem.GAME.ask(state)) is not None:
            pockets, board = self._dealt(state.hand, state.thrown)
            event: Any = Shown(pockets[asked.seat])
            if isinstance(asked, Throw):
                lying = COMMUNITY_BY_STAGE[state.stage]
                event = Shown(board[lying - state.due : lying])
            elif isinstance(asked, Choose):
                event = holdem.GAME.choices(state)[0]
                if state.betting.queue:
                    event = self._bets[asked.seat](state, pockets[asked.seat])
            state = holdem.GAME.apply(state, event)
        return tuple((seat in state.won) / len(state.won) for seat in range(2))

    def _dealt(self, hand: int, thrown: int) -> tuple[list[Pocket], tuple[ShownDie, ...]]:
        """The pockets and the board; a Flop that is thrown again shows other faces."""
        drawn = Random(f"{self._seed} {hand}")
        dice = [ShownDie(kind, drawn.choice(FACES)) for kind in drawn.sample(BAG, 9)]
        again = Random(f"{self._seed} {hand} {thrown}")
        flop = [ShownDie(die.kind, again.choice(FACES)) for die in dice[4:7]]
        return [(dice[0], dice[1]), (dice[2], dice[3])], (*flop, *dice[7:])


def by_advice(state: State, pocket: Pocket) -> Choice:
    start = time.process_time()
    worth = advice.bets(state, pocket)
    SECONDS.append(time.process_time() - start)
    return max(worth, key=worth.__getitem__)


def by_odds(state: State, pocket: Pocket) -> Choice:
    chance = advising.compare_pockets(state.community).shares(1)[advising.pocket_index(pocket)]
    acts = legal_acts(state)
    pot = sum(seat.paid for seat in state.seats)
    if chance > 1 / 2 and (bets := [act for act in acts if isinstance(act, Bet | Raise)]):
        return bets[-1]
    price = cost_of_act(state, acts[0])
    return acts[0] if chance * (pot + price) >= price else Fold()


def play(rules: Any, players: tuple[Player, ...], luck: Luck) -> tuple[float, ...]:
    """Each seat's share of the win."""
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


def pair(args: argparse.Namespace, folder: str, number: int) -> tuple[float, list[float]]:
    """The new hints' share of wins in a pair of games, and the seconds of each hint to win."""
    rules: Any = find_game(args.game)
    earlier = earlier_hints(folder)
    SECONDS.clear()
    seed = args.seed, number
    if rules is holdem.GAME:
        first = Hands(seed, (by_advice, by_odds)).play(args.stack)[0]
        second = Hands(seed, (by_odds, by_advice)).play(args.stack)[1]
    else:
        # Until the hints differ, both games of a pair ask the same.
        new, old = lru_cache(None)(today), lru_cache(None)(earlier)
        first = play(rules, (new, old), Luck(seed))[0]
        second = play(rules, (old, new), Luck(seed))[1]
    return (first + second) / 2, list(SECONDS)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=sorted(GAMES))
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--against", default=COMMIT_OF_OLD_HINTS, metavar="COMMIT")
    parser.add_argument("--stack", type=int, default=300, help="chips of each in Hold'em")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, workers(args.jobs) as pool:
        unpack(args.against, Path(folder))
        results = pool.map(partial(pair, args, folder), range(args.games // 2), chunksize=1)
    seconds = [second for _, more in results for second in more]
    won = np.array([share for share, _ in results])
    error = 1.96 * won.std(ddof=1) / np.sqrt(len(won))
    print(
        f"{args.game}: {2 * len(won)} games, won {won.mean():.2%} ± {error:.2%}; pairs won "
        f"{(won > 0.5).sum()}, lost {(won < 0.5).sum()}"
    )
    if seconds:
        ms = 1000 * np.array(seconds)
        print(
            f"  {len(ms)} hints to win: median {np.median(ms):.1f} ms, 99 of 100 within "
            f"{np.percentile(ms, 99):.1f} ms, longest {ms.max():.1f} ms, first {ms[0]:.1f} ms"
        )


if __name__ == "__main__":
    sys.exit(run(main))
