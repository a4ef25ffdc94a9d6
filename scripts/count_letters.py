#!/usr/bin/env python3
"""Counts the letters a second that the board asks people to read, in every game of the registry.

Digits, signs and codes are letters, a drawing such as a die counts four. Games are played through
the whole appliance, with names of twelve letters and short ones; each prompt met is then shown in
every language by the presenter, alone and in turn with an alert, and what the board was given is
timed: a page is up from its first picture to its last, blinking or not.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, product
from pathlib import Path
from random import Random
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))

from appliance.alerts import Alert
from appliance.inputs import Button
from appliance.picture import Picture
from appliance.screens.draw import film
from appliance.service.environment import Environment
from appliance.service.presenter import Presenter
from appliance.table.menu.asking import Asked, Question
from appliance.table.prompts.prompt import Prompt
from appliance.table.prompts.turn import DicePrompt, ThrowPrompt
from appliance.table.session.session import Setup
from appliance.words import language_codes
from games.registry import GAMES
from tests.rigs.at_table import AtTable
from tests.rigs.spoken import spoken

MOST_LETTERS_A_SECOND = 13.0
"""What no page may ask for; the board itself keeps to 12."""
MOST_CYCLE_S = 6.0
"""Within this all that a prompt says comes round again."""
STEP_S = 0.1
LOOKS = (Button.LEFT, Button.RIGHT, Button.HINT, Button.BACK, Button.HOLD1, Button.HOLD3)
SHORT_NAMES = ("ANNA", "BEN", "CLEO", "DORA", "EMIL", "FRIEDA")
LONG_NAMES = (
    "MAXIMILIANUS", "MAXIMILIANOS", "BRUNHILDE W.", "WOLFGANG M W", "GWENDOLYN M.", "ROBO ***",
)  # fmt: skip
ALERT = Alert.LOW_VOLTAGE


@dataclass(frozen=True, slots=True)
class Read:
    """A page as the board showed it: its letters, and the seconds that it was up."""

    letters: int
    seconds: float
    words: tuple[str, ...]

    @property
    def rate(self) -> float:
        """Letters a second."""
        return self.letters / self.seconds


class TimedBoard:
    """A scoreboard that keeps every picture with the time at which it came up."""

    def __init__(self) -> None:
        self.time_s = 0.0
        self.shown: list[tuple[float, Picture]] = []

    def show(self, picture: Picture) -> None:
        """Keeps the picture."""
        self.shown.append((self.time_s, picture))


class Silence:
    """Sounds that nobody hears."""

    def play(self, *_: object) -> None:
        """Plays nothing."""


def pages_read(prompt: Prompt, alert: Alert | None = None) -> list[Read]:
    """The pages that the board shows of a prompt, each time it shows them, the last one left out.

    One that never goes is not among them: it can be read for as long as anybody likes.
    """
    board = TimedBoard()
    presenter = Presenter(board, Silence())  # type: ignore[arg-type]
    presenter.take_prompt(Asked(Question(), prompt), 0.0)
    drawn = film(prompt)
    long_s = sum(still.seconds for still in (*drawn.opening, *drawn.loop, *drawn.loop))
    for step in range(round((long_s + 12.0 * (alert is not None)) / STEP_S) + 2):
        board.time_s = step * STEP_S
        presenter.show(board.time_s, () if alert is None else (alert,))
    runs = [
        (next(shown), *shown) for _, shown in groupby(board.shown, lambda timed: timed[1].words)
    ]
    starts = [run[0][0] for run in runs[1:]]
    return [
        Read(max(picture.letters for _, picture in run), until - run[0][0], run[0][1].words)
        for run, until in zip(runs, starts, strict=False)
        if any(picture.words for _, picture in run)
    ]


def cycle_s(prompt: Prompt) -> float:
    """Seconds in which all pages of a prompt come round; of what is up without end, none."""
    loop = film(prompt).loop
    return sum(still.seconds for still in loop) if len({s.picture.words for s in loop}) > 1 else 0.0


def met(game: str, names: Sequence[str], seed: int, steps: int) -> Iterator[Prompt]:
    """The prompts of a game as it is played, each once; people look and hold now and then."""
    table = AtTable(":memory:", Setup(game, tuple(names)), seed, Environment(advises=False))
    random, seen = Random(seed), set[Prompt]()
    for _ in range(steps):
        table.wait()
        prompt = table.appliance.prompt
        if prompt is not None and not prompt.at_leisure and prompt not in seen:
            seen.add(prompt)
            yield prompt
        if random.random() < 0.5:
            table.press(random.choice(LOOKS))
        elif not table.go_on():
            break


def games_met(game: str, steps: int, counts: Sequence[int] = range(2, 7)) -> Iterator[Prompt]:
    """The prompts of a game with so many players each, whose names are long, and short."""
    for count, (seed, names) in product(counts, enumerate((SHORT_NAMES, LONG_NAMES))):
        if GAMES[game].min_players <= count <= GAMES[game].max_players:
            # The last names are taken, so that a computer plays, too.
            players = names[-count:]
            yield from met(game, players, 10 * count + seed, steps)


def variants(prompt: Prompt) -> Iterator[Prompt]:
    """A prompt, and the same one without a camera where that makes a difference."""
    yield prompt
    if isinstance(prompt, ThrowPrompt | DicePrompt):
        yield replace(prompt, blind=True)


@dataclass(slots=True)
class Tally:
    """What was read of a group of prompts."""

    reads: list[Read] = field(default_factory=list)
    alerted: list[Read] = field(default_factory=list)
    cycles: list[float] = field(default_factory=list)

    def add(self, prompt: Prompt) -> None:
        """Adds a prompt, alone and with an alert."""
        self.reads += pages_read(prompt)
        self.alerted += pages_read(prompt, ALERT)
        self.cycles.append(cycle_s(prompt))

    @property
    def row(self) -> str:
        """The cells of a table."""
        cells = [str(len(self.cycles))]
        for reads in (self.reads, self.alerted):
            rates = [read.rate for read in reads]
            fast = sum(rate > MOST_LETTERS_A_SECOND for rate in rates)
            cells += (
                [f"{100 * fast / len(rates):.0f} %", f"{median(rates):.1f}", f"{max(rates):.1f}"]
                if rates
                else ["–"] * 3
            )
        long = sum(cycle > MOST_CYCLE_S + 0.01 for cycle in self.cycles)
        cells += [f"{max(self.cycles):.1f} s", f"{100 * long / len(self.cycles):.0f} %"]
        return " | ".join(cells)


def sum_of(tallies: Iterable[Tally]) -> Tally:
    """All that was read of some groups of prompts."""
    whole = Tally()
    for tally in tallies:
        whole.reads += tally.reads
        whole.alerted += tally.alerted
        whole.cycles += tally.cycles
    return whole


def main() -> None:
    """Prints a row for each game and kind of prompt, and one for all of a game."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=120, help="in each game")
    parser.add_argument("--games", nargs="*", default=list(GAMES))
    parser.add_argument("--long", action="store_true", help="print the prompts that are too long")
    args = parser.parse_args()
    rates = ("median/s", "most/s")
    heads = ("prompts", "> 13/s", *rates, "alert: > 13/s", *rates, "cycle", "> 6 s")
    print(f"| game, prompt | {' | '.join(heads)} |\n|---|{'---:|' * len(heads)}")
    told = set[str]()
    for game in args.games:
        tallies: dict[str, Tally] = defaultdict(Tally)
        for code, prompt in product(language_codes(), tuple(games_met(game, args.steps))):
            with spoken(code):
                for shown in variants(prompt):
                    name = type(shown).__name__
                    tallies[name].add(shown)
                    if args.long and cycle_s(shown) > MOST_CYCLE_S + 0.01:
                        pages = [s.picture.words for s in film(shown).loop]
                        if f"{code} {name} {len(pages)}" not in told:
                            told.add(f"{code} {name} {len(pages)}")
                            print(f"{cycle_s(shown):.1f} s", pages)
        for name, tally in [*sorted(tallies.items()), ("all", sum_of(tallies.values()))]:
            print(f"| {game}, {name} | {tally.row} |", flush=True)


if __name__ == "__main__":
    main()
