"""Does anything grow? Pure: samples in, a verdict for each thing that was measured out.

What grows evenly is found by the slope of Theil and Sen, the median of the slopes between all pairs
of samples (https://en.wikipedia.org/wiki/Theil-Sen_estimator); what grows by a step, by the medians
of the first and the last quarter. A few samples that were taken at a bad moment move neither. Games
with pictures take more for as long as they last, so they are compared with one another, and so are
those without: else it would count which kind of game happens to come last.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import median

WARM_UP = 0.25
"""Share of a run, from its start, that is left out: libraries fill their pools then."""

LEAST_SAMPLES = 8
"""Samples after the warm-up without which nothing can be said."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What a process takes at a quiet moment, after its garbage was collected.

    Attributes:
        time_s: since the start, seconds.
        memory: resident, bytes.
        handles: open file descriptors.
        threads: of the process.
        objects: that Python's collector knows.
        games_bytes: of the games on disk.
        other_bytes: of all else in the folder: kept pictures, SQLite's log.
        lines: of all games in the journal.
        pictured: whether the game that is on is read from pictures.
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
    """What a thing may grow.

    Attributes:
        name: for people.
        of: takes it from a sample.
        most: the growth in the time after the warm-up that is still none; with `capped` the
            greatest value at any time.
        unit: of the growth, for people.
        scale: what a growth is divided by before it is shown.
        capped: it goes up and down by itself, and only its height counts.
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
"""What is looked at. Games are kept for good, so that what counts is how much a line takes; the log
of SQLite grows to 4 MB and begins again, pictures are kept up to a number."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one thing.

    Attributes:
        bound: what it may grow.
        first: after the warm-up.
        last: at the end.
        peak: the most at any time after the warm-up.
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
        """Whether it did not grow more than it may."""
        return (self.peak if self.bound.capped else self.growth) <= self.bound.most


def slope(points: Sequence[tuple[float, float]]) -> float:
    """Theil and Sen's slope of (x, y) points; 0 for fewer than two different x.

    At most some two hundred points are looked at, evenly taken.
    """
    step = max(1, len(points) // 200)
    some = points[::step]
    slopes = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in combinations(some, 2) if b[0] != a[0]]
    return median(slopes) if slopes else 0.0


def after_warm_up(samples: Sequence[Sample]) -> Sequence[Sample]:
    """The samples that count.

    Raises:
        ValueError: they are too few.
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
    """A verdict for each thing.

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
    """From the first to the last of them; what a longer time would make of it is unknown."""
    span_s = samples[-1].time_s - samples[0].time_s
    values = [bound.of(s) for s in samples]
    points = list(zip((s.time_s for s in samples), values, strict=True))
    quarter = len(values) // 4
    step = median(values[-quarter:]) - median(values[:quarter])
    return max(slope(points) * span_s, step)
