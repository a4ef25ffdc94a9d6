"""A year of evenings, each with two games and more, and two faults at a time.

The days between are not waited for: the room's clock and the time of day leap. A year is some lives
of two months, which share its evenings and pairs of faults. A life that was cut off goes on in
another process, with the evenings and pairs that it had left.
"""

import faulthandler
import logging
import math
import multiprocessing
import tempfile
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import TextIO

from tests.proofs.soak.faults import FAULTS, Fault, pairs_of
from tests.proofs.soak.first_use import ask_for_hints
from tests.proofs.soak.flatness import Sample, after_warm_up, slope
from tests.proofs.soak.pieces import Life, Pair, Piece, Year, begin, read, write
from tests.proofs.soak.soaking import Soak, Tally

log = logging.getLogger(__name__)

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

HANGS_S = 900.0
"""Real seconds after which two faults that are not over have hung the process, which ends."""

MOST_A_MONTH = {"memory": 1e6, "handles": 0.5, "threads": 0.5}
"""How much each may grow a month."""

SAFE_SHARE = 0.02
"""Share of evenings that may be in safe mode, but for those that a fault of several starts brings.
"""


def dealt(faults: Sequence[Fault], chance: Random, lives: int) -> list[list[Pair]]:
    """All pairs, each so often as a year wants, to so many lives: all once, then all again."""
    pairs = pairs_of(faults)
    deck = [pair for _ in range(TIMES) for pair in chance.sample(pairs, len(pairs))]
    return [deck[life::lives] for life in range(lives)]


def live(
    soak: Soak,
    evenings: int,
    left: deque[Pair],
    *,
    first: int = 0,
    games: int = LEAST_GAMES,
    throws: int = LEAST_THROWS,
    more: bool = True,
    until_s: float = math.inf,
    report: Callable[[Year], None] = lambda _: None,
    alive: Callable[[], None] = lambda: None,
) -> Year:
    """Lives through so many evenings, or until a monotonic time, then it ends amid one.

    What ends it otherwise is wrong, and noted.

    Args:
        soak: where.
        evenings: how many.
        left: the faults that strike, in this order, as many each evening; they are taken away. What
            did not act in the same minute is added at the end.
        first: the number of the first evening.
        games: how many an evening has at least.
        throws: the same.
        more: whether others strike by chance until it has these.
        until_s: when to stop, monotonic seconds.
        report: called after each evening, and at the end.
        alive: called before each pair of faults.
    """
    year, busy_s = Year(), time.process_time()
    try:
        while year.evenings < evenings and time.monotonic() < until_s:
            began_s = time.monotonic()
            _begin(soak, first + year.evenings, year.evenings)
            share = math.ceil(len(left) / (evenings - year.evenings))
            if not _evening(soak, left, share, games, throws, more, until_s, alive):
                break
            year.evenings += 1
            soak.tally.lost += soak.ledger.lost(soak.rig.journal)
            soak.measure()
            year.slowest_s = max(year.slowest_s, time.monotonic() - began_s)
            _sum_up(year, soak, busy_s)
            report(year)
    except Exception:
        soak.tally.wrong.append(f"it ended: {traceback.format_exc()}")
    _sum_up(year, soak, busy_s)
    report(year)
    return year


def _sum_up(year: Year, soak: Soak, began_s: float) -> None:
    soak.count()
    year.longest = year.evenings
    year.months = months_of(soak.samples)
    year.busy_s = time.process_time() - began_s


def _evening(
    soak: Soak,
    left: deque[Pair],
    share: int,
    games: int,
    throws: int,
    more: bool,
    until_s: float,
    alive: Callable[[], None],
) -> bool:
    """Lives through an evening; False if it was no whole one."""
    games_over, thrown = soak.games_over, soak.throws
    while share > 0 or soak.games_over - games_over < games or soak.throws - thrown < throws:
        if time.monotonic() > until_s:
            return False
        alive()
        if share <= 0 and not more:
            soak.play_on(GAP_S)
            continue
        pair = left.popleft() if left else soak.chance.choice(pairs_of(soak.faults))
        if not _strike(soak, pair):
            left.append(pair)
        share -= 1
    return True


def _begin(soak: Soak, evening: int, lived: int) -> None:
    soak.set_date(FIRST_EVENING_S + evening * DAY_S)
    if not lived:
        return
    soak.jump(NIGHT_S)
    if lived % MONTH == 0:
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
        folder: has what was lived of it before, and what each life tells.
        evenings: how many, in all.
        jobs: how many processes live side by side.
        seed: random seed.
        drawn: share of games played through rendered pictures.
        load: share of one core that each process may use.
        until_s: when to stop, monotonic seconds.
        share: pairs of faults an evening, and no more, so that a process lives long; None for all.
    """

    folder: Path
    evenings: int
    jobs: int = 1
    seed: int = 1
    drawn: float = 0.0
    load: float = 1.0
    until_s: float = math.inf
    share: int | None = None

    @property
    def lives(self) -> int:
        """How many lives share the evenings: each has two months, as trends need."""
        return max(1, self.evenings // (2 * MONTH))

    def evenings_of(self, number: int) -> range:
        """The evenings of one of the lives, by their numbers in the year."""
        whole = self.evenings
        return range(whole * number // self.lives, whole * (number + 1) // self.lives)

    def hand_of(self, number: int) -> list[Pair]:
        """The pairs of faults of one of the lives, before it has begun."""
        hand = dealt(FAULTS, Random(self.seed), self.lives)[number]
        most = None if self.share is None else self.share * len(self.evenings_of(number))
        return hand[:most]


def lived(plan: Plan) -> list[Piece]:
    """Lives what is left of a year, and returns all that was lived of it.

    A process that dies is told as wrong.

    Raises:
        AnotherYearError: what was lived before is of another plan.
    """
    asked = {"evenings": plan.evenings, "seed": plan.seed, "drawn": plan.drawn, "share": plan.share}
    begin(plan.folder, {name: value for name, value in asked.items() if value is not None})
    with ThreadPoolExecutor(plan.jobs) as pool:
        lives = list(pool.map(lambda number: _go_on(plan, number), range(plan.lives)))
    return [piece for life in lives for piece in life.pieces]


def _go_on(plan: Plan, number: int) -> Life:
    """Goes on with a life in a process of its own; one that dies takes no other with it."""
    life = _life(plan, number)
    if life.evenings < len(plan.evenings_of(number)) and time.monotonic() < plan.until_s:
        context = multiprocessing.get_context("spawn")
        try:
            with ProcessPoolExecutor(1, mp_context=context) as pool:
                pool.submit(_live_on, plan, number).result()
        except BrokenProcessPool as error:
            life = _life(plan, number)
            life.pieces.append(Piece(tally=Tally(wrong=[f"life {number} died: {error}"])))
            write(plan.folder, number, life)
    return _life(plan, number)


def _life(plan: Plan, number: int) -> Life:
    return read(plan.folder, number, plan.hand_of(number))


def _live_on(plan: Plan, number: int) -> None:
    """Lives what is left of a life, in this process; leaves it after each evening."""
    life = _life(plan, number)
    evenings = plan.evenings_of(number)[life.evenings :]
    left = deque(life.left)
    seed = Random(f"{plan.seed} {number} {life.evenings}").getrandbits(31)
    with (
        _log(plan.folder / f"life-{number}.log") as told,
        tempfile.TemporaryDirectory() as folder,
        Soak(Path(folder), seed, load=plan.load, drawn=plan.drawn) as soak,
    ):
        ask_for_hints(Random(seed))

        def report(year: Year) -> None:
            piece = Piece(year, soak.tally, soak.samples)
            write(plan.folder, number, Life(list(left), [*life.pieces, piece]))
            log.info("%s; wrong: %s", year, soak.tally.wrong)

        live(
            soak,
            len(evenings),
            left,
            first=evenings.start,
            more=plan.share is None,
            until_s=plan.until_s,
            report=report,
            alive=lambda: faulthandler.dump_traceback_later(HANGS_S, exit=True, file=told),
        )


@contextmanager
def _log(path: Path) -> Iterator[TextIO]:
    """Writes what is told into a file, and where a process hangs, which it yields."""
    level = logging.root.level
    with path.open("a", encoding="utf-8") as file:
        handler = logging.StreamHandler(file)
        logging.root.addHandler(handler)
        logging.root.setLevel(logging.INFO)
        try:
            yield file
        finally:
            faulthandler.cancel_dump_traceback_later()
            logging.root.setLevel(level)
            logging.root.removeHandler(handler)


def added(pieces: Sequence[Piece]) -> tuple[Year, Tally]:
    """What several processes brought in all."""
    year, tally = Year(), Tally()
    for piece in pieces:
        year.add(piece.year)
        tally.add(piece.tally)
    return year, tally


def months_of(samples: Sequence[Sample]) -> dict[str, float]:
    """The growth of each resource in a month of evenings; none from fewer than two months."""
    if len(samples) < 2 * MONTH:
        return {}
    counted = after_warm_up(samples)
    return {
        name: MONTH * slope([(float(n), float(getattr(s, name))) for n, s in enumerate(counted)])
        for name in (*MOST_A_MONTH, "games_bytes", "other_bytes")
    }


def wrong_in(year: Year, tally: Tally) -> list[str]:
    """What was not as it should be; a trend only where a process lived at least two months."""
    found = [*tally.wrong, *tally.lost, *(f"{what}: {n} times" for what, n in tally.untrue.items())]
    if (safe := tally.safe.total()) > SAFE_SHARE * max(1, year.evenings):
        found.append(f"{safe} safe modes that nothing lasting brought")
    found += [
        f"{name} grows by {year.months[name]:.3g} a month"
        for name, most in MOST_A_MONTH.items()
        if year.months.get(name, 0.0) > most
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
