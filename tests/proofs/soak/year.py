"""A year of evenings in one process, each with two games and more, and two faults at a time.

The days between are not waited for: the room's clock and the time of day leap.
"""

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from appliance.alerts import Alert
from tests.proofs.soak.faults import Fault, pairs_of
from tests.proofs.soak.flatness import Sample, after_warm_up, slope
from tests.proofs.soak.soaking import Soak

FIRST_EVENING_S = datetime(2026, 1, 1, 19, tzinfo=UTC).timestamp()
DAY_S = 86_400.0
NIGHT_S = 20 * 3600.0

MONTH = 30
"""Evenings that an appliance lives without being switched off, but for faults."""

LEAST_GAMES, LEAST_THROWS = 2, 100
"""In an evening."""

GAP_S = 8.0
"""Seconds of room time between two pairs, on average."""

MOST_A_MONTH = {"memory": 1e6, "handles": 0.5, "threads": 0.5}
"""How much each may grow a month."""

SAFE_SHARE = 0.02
"""Share of evenings that may be in safe mode, but for those that the table's own fault brings."""


@dataclass(slots=True)
class Year:
    """What the evenings brought.

    Attributes:
        evenings: how many are over.
        safe: evenings in safe mode, by the pairs that brought it.
        months: the trend of each resource, a month, after the warm-up.
        slowest_s: real seconds of the longest evening.
    """

    evenings: int = 0
    safe: Counter[str] = field(default_factory=Counter)
    months: dict[str, float] = field(default_factory=dict)
    slowest_s: float = 0.0


def live(
    soak: Soak,
    evenings: int,
    *,
    pairs: Sequence[tuple[Fault, Fault]] = (),
    games: int = LEAST_GAMES,
    throws: int = LEAST_THROWS,
    until_s: float = math.inf,
    report: Callable[[Sample], None] = lambda _: None,
) -> Year:
    """Lives through so many evenings, or until a monotonic time, then it ends amid one.

    Args:
        soak: where.
        evenings: how many.
        pairs: the faults that strike, all of them each evening; by default those that come next of
            all pairs of the soak's faults, in an order by chance.
        games: how many an evening has at least.
        throws: the same.
        until_s: when to stop, monotonic seconds.
        report: called with a sample after each evening.
    """
    year = Year()
    deck = _deck(soak, pairs)
    while year.evenings < evenings and time.monotonic() < until_s:
        began_s = time.monotonic()
        _begin(soak, year.evenings)
        games_over, thrown, left = soak.games_over, soak.throws, len(pairs)
        while left > 0 or soak.games_over - games_over < games or soak.throws - thrown < throws:
            if time.monotonic() > until_s:
                # It was no whole evening.
                year.months = months_of(soak.samples)
                return year
            _strike(soak, next(deck), year)
            left -= 1
        year.evenings += 1
        soak.tally.lost += soak.ledger.lost(soak.rig.journal)
        soak.measure()
        report(soak.samples[-1])
        year.slowest_s = max(year.slowest_s, time.monotonic() - began_s)
    year.months = months_of(soak.samples)
    return year


def _deck(soak: Soak, pairs: Sequence[tuple[Fault, Fault]]) -> Iterator[tuple[Fault, Fault]]:
    tried = pairs or pairs_of(soak.faults)
    while True:
        yield from soak.chance.sample(tried, len(tried))


def _begin(soak: Soak, evening: int) -> None:
    soak.set_date(FIRST_EVENING_S + evening * DAY_S)
    if not evening:
        return
    soak.jump(NIGHT_S)
    if evening % MONTH == 0:
        soak.restart()


def _strike(soak: Soak, pair: tuple[Fault, Fault], year: Year) -> None:
    soak.play_on(soak.chance.expovariate(1 / GAP_S))
    soak.attempt(*pair)
    if Alert.SAFE_MODE.sentence in soak.told:
        year.safe[" + ".join(fault.name for fault in pair)] += 1


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


def wrong_in(year: Year, soak: Soak) -> list[str]:
    """What was not as it should be; a trend only where at least a month was lived."""
    tally = soak.tally
    found = [*tally.wrong, *tally.lost, *(f"{what}: {n} times" for what, n in tally.untrue.items())]
    unasked = sum(n for pair, n in year.safe.items() if "starts crash" not in pair)
    if unasked > SAFE_SHARE * max(1, year.evenings):
        found.append(f"{unasked} evenings in safe mode")
    if year.evenings >= 2 * MONTH:
        grown = {name: year.months[name] for name in MOST_A_MONTH if name in year.months}
        found += [
            f"{name} grows by {growth:.3g} a month"
            for name, growth in grown.items()
            if growth > MOST_A_MONTH[name]
        ]
    return found


def table(year: Year, soak: Soak) -> Iterator[str]:
    """The year as a table."""
    tally, pairs = soak.tally, pairs_of(soak.faults)
    thrice = sum(n >= 3 for n in tally.pairs.values())
    months = "; ".join(f"{name} {growth:+.3g}" for name, growth in year.months.items())
    rows = {
        "evenings": f"{year.evenings}, the longest {year.slowest_s:.0f} s",
        "games, throws": f"{soak.games_over}, {soak.throws}",
        "pairs of faults in the same minute": f"{len(tally.pairs)} of {len(pairs)}; "
        f"{thrice} of them three times; {tally.pairs.total()} in all",
        "power cuts; allocations that failed; starts that crashed": f"{tally.cuts}; "
        f"{tally.failed_calls['tried']}; {tally.crashed}",
        "shown lines lost": str(len(tally.lost)),
        "false alarms of loss": str(tally.untrue.total()),
        "wrong scores, faults not named or not over": str(len(tally.wrong)),
        "evenings in safe mode": f"{year.safe.total()}"
        + "".join(f"; {pair}: {n}" for pair, n in year.safe.items()),
        "games given up": str(tally.stuck.total()),
        "grown a month": months or "too few evenings",
    }
    yield "| | |"
    yield "|---|---|"
    for name, text in rows.items():
        yield f"| {name} | {text} |"
