"""What a reading costs, stage by stage: processor time of one core."""

import functools
import importlib
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

STAGES: tuple[tuple[str, str, str], ...] = (
    ("vision.detect.detector", "find_pips", "spots"),
    ("vision.detect.detection", "find_pips", "spots"),
    ("vision.detect.detector", "find_faces", "patterns"),
    ("vision.detect.detection", "find_faces", "patterns"),
    ("vision.detect.proposals", "propose_patterns", "places"),
    ("vision.detect.proposals", "propose_bodies", "places"),
    ("vision.detect.proposals", "propose_small", "places"),
    ("vision.detect.proposals", "propose_lone", "places"),
    ("vision.detect.background", "Background.changes", "places"),
    ("vision.detect.background", "Changes.places", "places"),
    ("vision.detect.floor", "Floor.foreground", "places"),
    ("vision.detect.floor", "Foreground.places", "places"),
    ("vision.classify.face", "classify_faces", "networks"),
    ("vision.detect.detector", "classify_postures", "networks"),
    ("vision.reader", "match_at", "Power face"),
)
"""Module, function or method, and name of each stage; what is in none of them is the rest."""
ORDER = ("spots", "patterns", "places", "networks", "Power face", "rest", "all")


@dataclass(slots=True)
class Cost:
    """Processor time of readings.

    Attributes:
        ms: of each stage, milliseconds, one entry a reading.
    """

    ms: dict[str, list[float]] = field(default_factory=lambda: {name: [] for name in ORDER})
    _now: dict[str, float] = field(default_factory=dict)
    _inside: bool = False

    def reading(self, read: Callable[[], Any]) -> Any:
        """Makes one reading and notes what it costs; within `measured`."""
        self._now = dict.fromkeys(ORDER, 0.0)
        start = time.process_time()
        result = read()
        total = 1000 * (time.process_time() - start)
        self._now["all"] = total
        self._now["rest"] = total - sum(self._now[name] for name in ORDER[:-2])
        for name, value in self._now.items():
            self.ms[name].append(value)
        return result

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Notes the time spent inside as that of a stage, if in no other one already."""
        if self._inside or name not in self._now:
            yield
            return
        self._inside = True
        start = time.process_time()
        try:
            yield
        finally:
            self._now[name] += 1000 * (time.process_time() - start)
            self._inside = False


@contextmanager
def measured() -> Iterator[Cost]:
    """Measures the stages of all readings made inside."""
    cost = Cost()
    kept: list[tuple[Any, str, Any]] = []
    try:
        for module_name, path, stage in STAGES:
            *owners, name = path.split(".")
            owner = functools.reduce(getattr, owners, importlib.import_module(module_name))
            original = getattr(owner, name)
            kept.append((owner, name, original))
            setattr(owner, name, _timed(original, cost, stage))
        yield cost
    finally:
        for owner, name, original in reversed(kept):
            setattr(owner, name, original)


def _timed(original: Callable[..., Any], cost: Cost, stage: str) -> Callable[..., Any]:
    @functools.wraps(original)
    def timed(*args: Any, **how: Any) -> Any:
        with cost.stage(stage):
            return original(*args, **how)

    return timed
