"""Does anything grow? Pure: samples in, a verdict on each measured quantity out.

Steady growth is found by the Theil-Sen slope, the median of the slopes between all pairs of samples
(https://en.wikipedia.org/wiki/Theil-Sen_estimator); growth in a step, by the medians of the first
and the last quarter. A few samples taken at a bad moment affect neither. Games with pictures take
more for as long as they last, so they are compared with one another, and so are those without:
otherwise it would matter which kind of game happens to come last.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import median

WARM_UP = 0.25
"""Share of a run, from its start, that is ignored: libraries fill their pools then."""

LEAST_SAMPLES = 8
"""Fewest samples after the warm-up from which anything can be said."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The resources of a process at a quiet moment, after garbage collection.

    Attributes:
        time_s: since the start, seconds.
        memory: resident memory, bytes.
        handles: open file descriptors.
        threads: threads of the process.
        objects: objects that Python's collector knows.
        games_bytes: size of the games on disk.
        other_bytes: size of everything else in the folder: kept pictures, SQLite's log.
        lines: lines of all games in the journal.
        pictured: whether the current game is read from pictures.
    """

    time_s: float
    memory: int
    handles: int
    threads: int
    objects: int
    games_bytes: int
    other_bytes: int
    lines: int
    pictured: bool = False


@dataclass(frozen=True, slots=True)
class Bound:
    """How much a quantity may grow.

    Attributes:
        name: for people.
        of: takes it from a sample.
        most: growth after the warm-up that still counts as none; with `capped` the greatest value
            allowed at any time.
        unit: of the growth, for people.
        scale: what a growth is divided by before it is shown.
        capped: whether it goes up and down by itself, so that only its height counts.
    """

    name: str
    of: Callable[[Sample], float]
    most: float
    unit: str = ""
    scale: float = 1.0
    capped: bool = False


def _bytes_a_line(sample: Sample) -> float:
    return sample.games_bytes / max(1, sample.lines)


BOUNDS = (
    Bound("memory", lambda s: s.memory, 8e6, "MB", 1e6),
    Bound("file handles", lambda s: s.handles, 1.5),
    Bound("threads", lambda s: s.threads, 1.5),
    Bound("Python objects", lambda s: s.objects, 20_000),
    Bound("games on disk, for each line", _bytes_a_line, 20.0, "bytes"),
    Bound("other files on disk", lambda s: s.other_bytes, 8e6, "MB", 1e6, capped=True),
)
"""The quantities that are checked. Games are kept for good, so what counts is how much a line
takes; SQLite's log grows to 4 MB and begins again, and pictures are kept up to a number."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome for one quantity.

    Attributes:
        bound: how much it may grow.
        first: after the warm-up.
        last: at the end.
        peak: the highest value after the warm-up.
        growth: by slope or step, whichever is more, from the first to the last game with pictures
            after the warm-up, or without, whichever is more; in the bound's plain unit.
    """

    bound: Bound
    first: float
    last: float
    peak: float
    growth: float

    @property
    def flat(self) -> bool:
        """True if it did not grow more than it may."""
        return (self.peak if self.bound.capped else self.growth) <= self.bound.most


def slope(points: Sequence[tuple[float, float]]) -> float:
    """The Theil-Sen slope of (x, y) points; 0 for fewer than two different x.

    Looks at about two hundred points at most, evenly spaced.
    """
    step = max(1, len(points) // 200)
    some = points[::step]
    slopes = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in combinations(some, 2) if b[0] != a[0]]
    return median(slopes) if slopes else 0.0


def after_warm_up(samples: Sequence[Sample]) -> Sequence[Sample]:
    """The samples that count.

    Raises:
        ValueError: there are too few.
    """
    if samples:
        start, end = samples[0].time_s, samples[-1].time_s
        samples = [s for s in samples if s.time_s >= start + WARM_UP * (end - start)]
    if len(samples) < LEAST_SAMPLES:
        raise ValueError(
            f"expected {LEAST_SAMPLES} samples after the warm-up, found {len(samples)}; "
            "run for longer"
        )
    return samples


def assess(samples: Sequence[Sample], bounds: Sequence[Bound] = BOUNDS) -> tuple[Verdict, ...]:
    """A verdict on each quantity.

    Raises:
        ValueError: there are too few samples.
    """
    counted = after_warm_up(samples)
    kinds = ([s for s in counted if s.pictured is kind] for kind in (False, True))
    alike = [kind for kind in kinds if len(kind) >= LEAST_SAMPLES] or [list(counted)]
    verdicts = []
    for bound in bounds:
        values = [bound.of(s) for s in counted]
        growth = max(_growth(bound, kind) for kind in alike)
        verdicts.append(Verdict(bound, values[0], values[-1], max(values), growth))
    return tuple(verdicts)


def _growth(bound: Bound, samples: Sequence[Sample]) -> float:
    """Growth from the first to the last sample, not extrapolated to a longer time."""
    span_s = samples[-1].time_s - samples[0].time_s
    values = [bound.of(s) for s in samples]
    points = list(zip((s.time_s for s in samples), values, strict=True))
    quarter = len(values) // 4
    step = median(values[-quarter:]) - median(values[:quarter])
    return max(slope(points) * span_s, step)
