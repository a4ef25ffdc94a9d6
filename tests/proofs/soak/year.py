"""A year of evenings, each with two games and more, and two faults at a time.

The days between are not waited for: the room's clock and the time of day leap. Lives side by side
share the evenings and the pairs of faults, each in a process of its own.
"""

import logging
import math
import multiprocessing
import tempfile
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random

from tests.proofs.soak.faults import FAULTS, Fault, pairs_of
from tests.proofs.soak.flatness import Sample, after_warm_up, slope
from tests.proofs.soak.soaking import Soak, Tally

FIRST_EVENING_S = datetime(2026, 1, 1, 19, tzinfo=UTC).timestamp()
DAY_S = 86_400.0
NIGHT_S = 20 * 3600.0

MONTH = 30
"""Evenings that an appliance lives without being switched off, but for faults."""

LEAST_GAMES, LEAST_THROWS = 2, 100
"""In an evening."""

GAP_S = 8.0
"""Seconds of room time between two pairs, on average."""

TIMES = 3
"""How often each pair is to strike in a year."""

MOST_A_MONTH = {"memory": 1e6, "handles": 0.5, "threads": 0.5}
"""How much each may grow a month."""

SAFE_SHARE = 0.02
"""Share of evenings that may be in safe mode, but for those that a fault of several starts brings.
"""

Pair = tuple[Fault, Fault]


@dataclass(slots=True)
class Year:
    """What the evenings brought.

    Attributes:
        evenings: how many are over.
        months: the trend of each resource, a month, after the warm-up; of lives side by side that
            which grew most.
        longest: evenings of the longest life.
        slowest_s: real seconds of the longest evening.
        busy_s: seconds of computing.
    """

    evenings: int = 0
    months: dict[str, float] = field(default_factory=dict)
    longest: int = 0
    slowest_s: float = 0.0
    busy_s: float = 0.0

    def add(self, other: "Year") -> None:
        """Adds a life that was lived beside it."""
        self.evenings += other.evenings
        self.months |= {
            name: max(growth, self.months.get(name, growth))
            for name, growth in other.months.items()
        }
        self.longest = max(self.longest, other.longest)
        self.slowest_s = max(self.slowest_s, other.slowest_s)
        self.busy_s += other.busy_s


def dealt(faults: Sequence[Fault], chance: Random, lives: int) -> list[list[Pair]]:
    """All pairs, each so often as a year wants, to so many lives: all once, then all again."""
    pairs = pairs_of(faults)
    deck = [pair for _ in range(TIMES) for pair in chance.sample(pairs, len(pairs))]
    return [deck[life::lives] for life in range(lives)]


def live(
    soak: Soak,
    evenings: int,
    pairs: Sequence[Pair],
    *,
    games: int = LEAST_GAMES,
    throws: int = LEAST_THROWS,
    until_s: float = math.inf,
    report: Callable[[Sample], None] = lambda _: None,
) -> Year:
    """Lives through so many evenings, or until a monotonic time, then it ends amid one.

    What ends it otherwise is wrong, and noted.

    Args:
        soak: where.
        evenings: how many.
        pairs: the faults that strike, in this order, as many each evening; those that did not act
            in the same minute strike again at the end, and more come by chance if there is time.
        games: how many an evening has at least.
        throws: the same.
        until_s: when to stop, monotonic seconds.
        report: called with a sample after each evening.
    """
    year, left, busy_s = Year(), deque(pairs), time.process_time()
    try:
        while year.evenings < evenings and time.monotonic() < until_s:
            began_s = time.monotonic()
            _begin(soak, year.evenings)
            share = math.ceil(len(left) / (evenings - year.evenings))
            if not _evening(soak, left, share, games, throws, until_s):
                break
            year.evenings += 1
            soak.tally.lost += soak.ledger.lost(soak.rig.journal)
            soak.measure()
            report(soak.samples[-1])
            year.slowest_s = max(year.slowest_s, time.monotonic() - began_s)
    except Exception:
        soak.tally.wrong.append(f"it ended: {traceback.format_exc()}")
    soak.count()
    year.longest = year.evenings
    year.months = months_of(soak.samples)
    year.busy_s = time.process_time() - busy_s
    return year


def _evening(
    soak: Soak,
    left: deque[Pair],
    share: int,
    games: int,
    throws: int,
    until_s: float,
) -> bool:
    """Lives through an evening; False if it was no whole one."""
    games_over, thrown = soak.games_over, soak.throws
    while share > 0 or soak.games_over - games_over < games or soak.throws - thrown < throws:
        if time.monotonic() > until_s:
            return False
        pair = left.popleft() if left else soak.chance.choice(pairs_of(soak.faults))
        if not _strike(soak, pair):
            left.append(pair)
        share -= 1
    return True


def _begin(soak: Soak, evening: int) -> None:
    soak.set_date(FIRST_EVENING_S + evening * DAY_S)
    if not evening:
        return
    soak.jump(NIGHT_S)
    if evening % MONTH == 0:
        soak.restart()


def _strike(soak: Soak, pair: Pair) -> bool:
    """Lets both strike; whether they did in the same minute."""
    soak.play_on(soak.chance.expovariate(1 / GAP_S))
    names = pair[0].name, pair[1].name
    before = soak.tally.pairs[names]
    soak.attempt(*pair)
    return soak.tally.pairs[names] > before


@dataclass(frozen=True, slots=True)
class Plan:
    """A year to live.

    Attributes:
        evenings: how many, in all.
        lives: how many processes share them.
        seed: random seed.
        drawn: share of games played through rendered pictures.
        load: share of one core that each life may use.
        until_s: when to stop, monotonic seconds.
        logs: a folder for what each life tells; None for nowhere.
    """

    evenings: int
    lives: int = 1
    seed: int = 1
    drawn: float = 0.0
    load: float = 1.0
    until_s: float = math.inf
    logs: Path | None = None


Life = tuple[Year, Tally, list[Sample]]


def lives(plan: Plan) -> list[Life]:
    """Lives a year in processes side by side; one that dies is told as wrong."""
    context = multiprocessing.get_context("spawn")
    with ExitStack() as stack:
        # Each has a pool of its own: a process that dies takes no other with it.
        pools = [
            stack.enter_context(ProcessPoolExecutor(1, mp_context=context))
            for _ in range(plan.lives)
        ]
        futures = [pool.submit(_life, plan, number) for number, pool in enumerate(pools)]
        return [_result(number, future) for number, future in enumerate(futures)]


def _result(number: int, future: Future[Life]) -> Life:
    try:
        return future.result()
    except BrokenProcessPool as error:
        return Year(), Tally(wrong=[f"life {number} died: {error}"]), []


def _life(plan: Plan, number: int) -> Life:
    """One of the lives of a year, in a process of its own."""
    logging.root.setLevel(logging.INFO)
    logging.root.addHandler(
        logging.FileHandler(plan.logs / f"life-{number}.log")
        if plan.logs
        else logging.NullHandler()
    )
    pairs = dealt(FAULTS, Random(plan.seed), plan.lives)[number]
    evenings = plan.evenings // plan.lives + (number < plan.evenings % plan.lives)
    with (
        tempfile.TemporaryDirectory() as folder,
        Soak(
            Path(folder), plan.seed * plan.lives + number, load=plan.load, drawn=plan.drawn
        ) as soak,
    ):

        def report(sample: Sample) -> None:
            logging.getLogger(__name__).info("%s; wrong: %s", sample, soak.tally.wrong)

        year = live(soak, evenings, pairs, until_s=plan.until_s, report=report)
        return year, soak.tally, soak.samples


def added(lived: Sequence[Life]) -> tuple[Year, Tally]:
    """What lives side by side brought in all."""
    year, tally = Year(), Tally()
    for one, its, _ in lived:
        year.add(one)
        tally.add(its)
    return year, tally


def months_of(samples: Sequence[Sample]) -> dict[str, float]:
    """The growth of each resource in a month of evenings; none where there are too few samples."""
    try:
        counted = after_warm_up(samples)
    except ValueError:
        return {}
    return {
        name: MONTH * slope([(float(n), float(getattr(s, name))) for n, s in enumerate(counted)])
        for name in (*MOST_A_MONTH, "games_bytes", "other_bytes")
    }


def wrong_in(year: Year, tally: Tally) -> list[str]:
    """What was not as it should be; a trend only where a process lived at least two months."""
    found = [*tally.wrong, *tally.lost, *(f"{what}: {n} times" for what, n in tally.untrue.items())]
    if (safe := tally.safe.total()) > SAFE_SHARE * max(1, year.evenings):
        found.append(f"{safe} safe modes that nothing lasting brought")
    if year.longest >= 2 * MONTH:
        grown = {name: year.months[name] for name in MOST_A_MONTH if name in year.months}
        found += [
            f"{name} grows by {growth:.3g} a month"
            for name, growth in grown.items()
            if growth > MOST_A_MONTH[name]
        ]
    return found


def table(year: Year, tally: Tally) -> Iterator[str]:
    """The year as a table."""
    pairs = pairs_of(FAULTS)
    counts = [tally.pairs[one.name, other.name] for one, other in pairs]
    times = ", ".join(f"{sum(n >= times for n in counts)}" for times in range(1, TIMES + 1))
    months = "; ".join(f"{name} {growth:+.3g}" for name, growth in year.months.items())
    rows = {
        "evenings": f"{year.evenings}, the longest {year.slowest_s:.0f} s; of one process "
        f"{year.longest}; {year.busy_s:.0f} s of computing",
        "games, throws": f"{tally.games.total() + tally.stuck.total()}, {tally.throws}",
        "pairs of faults in the same minute, once, twice, three times": f"{times} of {len(pairs)}; "
        f"{tally.pairs.total()} in all",
        "power cuts; allocations that failed; ends for want of memory; starts that crashed": (
            f"{tally.cuts}; {tally.starved['allocations']}; {tally.starved['ended it']}; "
            f"{tally.crashed}"
        ),
        "shown lines lost": str(len(tally.lost)),
        "false alarms of loss": str(tally.untrue.total()),
        "wrong scores, faults not named or not over": str(len(tally.wrong)),
        "safe modes that nothing lasting brought": f"{tally.safe.total()}"
        + "".join(f"; {pair}: {n}" for pair, n in tally.safe.items()),
        "games given up": str(tally.stuck.total()),
        "grown a month": months or "too few evenings",
    }
    yield "| | |"
    yield "|---|---|"
    for name, text in rows.items():
        yield f"| {name} | {text} |"
