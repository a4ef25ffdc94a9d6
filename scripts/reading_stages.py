#!/usr/bin/env python3
"""The cost of a reading, stage by stage, in CPU time of one core.

    .venv/bin/python scripts/reading_stages.py [--data DIR] [--only rendered/site]

Reads labelled pictures as `dicetray bench vision` does, and prints for each folder the median of
every stage in milliseconds, and for whole readings the 95th percentile.
"""

import argparse
import functools
import importlib
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).parents[1]))

import cv2
import numpy as np

from appliance.cli.bench import DEFAULT_DATA_FOLDER, CaseReaders
from appliance.dataset.evaluation.sites import with_learning
from appliance.dataset.evaluation.vision import load_cases, with_geometry
from vision.errors import PictureError, Unreadable

STAGES: tuple[tuple[str, str, str], ...] = (
    ("vision.detect.region", "Region.work", "resizing"),
    ("vision.detect.detector", "find_pips", "spots"),
    ("vision.detect.detector", "find_faces", "patterns"),
    ("vision.detect.detector", "find_tops", "places"),
    ("vision.detect.background", "Background.changes", "places"),
    ("vision.detect.background", "Changes.places", "places"),
    ("vision.classify.face", "classify_faces", "networks"),
    ("vision.detect.detector", "classify_postures", "networks"),
    ("vision.reader", "match_at", "Power face"),
)
"""Module, function or method, and name of each stage; what is in none of them is the rest."""
ORDER = ("resizing", "spots", "patterns", "places", "networks", "Power face", "rest", "all")


@dataclass(slots=True)
class Cost:
    """CPU time of readings.

    Attributes:
        ms: of each stage, milliseconds, one entry per reading.
    """

    ms: dict[str, list[float]] = field(default_factory=lambda: {name: [] for name in ORDER})
    _now: dict[str, float] = field(default_factory=dict)
    _inside: bool = False

    def reading(self, read: Callable[[], Any]) -> Any:
        """Makes one reading and records its cost; to be used within `measured`."""
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
        """Records the time spent inside as that of a stage, unless inside another one already."""
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
def measured(cost: Cost | None = None) -> Iterator[Cost]:
    """Measures the stages of all readings made inside; adds them to those of `cost`, if given."""
    cost = cost or Cost()
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


def main(words: list[str] | None = None) -> int:
    """Parses the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--data", type=Path, default=DEFAULT_DATA_FOLDER, help="folder with an index.jsonl"
    )
    parser.add_argument("--only", default="", help="files with this in their name")
    args = parser.parse_args(words)
    cv2.setNumThreads(1)
    try:
        plain = [case for case in load_cases(args.data) if args.only in case.file]
        readers = CaseReaders(plain)
        groups: dict[str, Cost] = {}
        for case in [*plain, *with_geometry(plain), *with_learning(plain)]:
            reader, image = readers.reader_of(case), case.load()
            with measured(groups.setdefault(case.group, Cost())) as cost, suppress(Unreadable):
                cost.reading(functools.partial(reader.read, image))
    except PictureError as error:
        print(f"reading_stages: {error}", file=sys.stderr)
        return 2
    print("| pictures | readings | " + " | ".join(ORDER) + " | 95 of 100 |")
    print("|---" + "|---:" * (len(ORDER) + 2) + "|")
    for name, cost in sorted(groups.items()):
        medians = " | ".join(f"{statistics.median(cost.ms[stage]):.1f}" for stage in ORDER)
        longest = np.percentile(cost.ms["all"], 95)
        print(f"| {name} | {len(cost.ms['all'])} | {medians} | {longest:.1f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
