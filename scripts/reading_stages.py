#!/usr/bin/env python3
"""The cost of a reading, stage by stage, in processor time of one core.

    .venv/bin/python scripts/reading_stages.py [--data DIR] [--only rendered/site]
    .venv/bin/python scripts/reading_stages.py --tree . --tree OLD [--instructions]

Reads labelled pictures as `dicetray bench vision` does, and prints for each folder the median of
every stage in milliseconds, and for whole readings the 95th percentile. What a stage calls that is
a stage itself counts there: `networks` is what they take, and nothing around them. Then come the
networks' operations in millions, as `docs/seeing.md` counts them: median and 95th percentile.

With `--tree`, several versions read the same rendered trays by turns: five dice with the empty
tray known, with geometry only, and with nothing known. Each picture counts with its cheapest
reading, which other work on the machine disturbs least. `--instructions` also counts those of
all but the networks by valgrind: their answers are kept from an earlier reading of the picture.
"""

import argparse
import functools
import importlib
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, os.environ.get("DICETRAY_TREE", str(Path(__file__).parents[1])))

import cv2
import numpy as np

from appliance.cli.bench import DEFAULT_DATA_FOLDER, CaseReaders
from appliance.dataset.evaluation.sites import with_learning
from appliance.dataset.evaluation.vision import load_cases, with_darker, with_geometry
from scripts.training.card import CARDS, WEIGHTS, operations
from vision.classify.network import Network, network
from vision.errors import PictureError, Unreadable
from vision.frame import Image
from vision.geometry.profile_file import load_profile, save_profile
from vision.image.arrays import Float32Array, FloatArray
from vision.reader import Reader

STAGES: tuple[tuple[str, str, str], ...] = (
    ("vision.classify.network", "Network.ask", "networks"),
    ("vision.detect.region", "Region.work", "resizing"),
    ("vision.detect.detector", "find_pips", "spots"),
    ("vision.detect.detector", "find_faces", "patterns"),
    ("vision.detect.detector", "find_tops", "places"),
    ("vision.detect.background", "Background.changes", "places"),
    ("vision.classify.face", "classify_faces", "looks"),
    ("vision.detect.detector", "classify_postures", "looks"),
    ("vision.reader", "match_at", "Power face"),
)
"""Module, function or method, and name of each stage; what is in none of them is the rest."""
ORDER = (
    "resizing", "spots", "patterns", "places", "looks", "networks", "Power face", "rest", "all"
)  # fmt: skip

MEASURED = ("ms", "ms of networks", "million operations of networks")
KINDS = ("calibrated", "geometry only", "nothing known")
THROWS = 4
SIZE = (1280, 720)
SEED = 3
READINGS_BY_TURNS = 6
TREE = "DICETRAY_TREE"
"""Set in a process that measures the version in this folder."""
COUNTED = re.compile(r"Collected : (\d+)")


@dataclass(slots=True)
class Cost:
    """Processor time of readings.

    Attributes:
        ms: of each stage, milliseconds, one entry per reading.
        millions: operations of the networks, one entry per reading.
    """

    ms: dict[str, list[float]] = field(default_factory=lambda: {name: [] for name in ORDER})
    millions: list[float] = field(default_factory=list)
    _now: dict[str, float] = field(default_factory=dict)
    _inside: list[str] = field(default_factory=list)
    _since_s: float = 0.0

    def reading(self, read: Callable[[], Any]) -> Any:
        """Makes one reading and records its cost; to be used within `measured`."""
        self._now = dict.fromkeys(ORDER, 0.0)
        self.millions.append(0.0)
        with self.stage("rest"):
            result = read()
        self._now["all"] = sum(self._now.values())
        for name, value in self._now.items():
            self.ms[name].append(value)
        return result

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Records the time spent inside as that of a stage, but for that of stages within."""
        self._spend()
        self._inside.append(name)
        try:
            yield
        finally:
            self._spend()
            self._inside.pop()

    def asked(self, one: Network, blob: Float32Array) -> None:
        """Records that a network is asked."""
        if self.millions:
            self.millions[-1] += len(blob) * operations_for(one, blob.shape[1:]) / 1e6

    def _spend(self) -> None:
        """Records the time since the last change of stage."""
        now_s = time.process_time()
        if self._inside and self._now:
            self._now[self._inside[-1]] += 1000 * (now_s - self._since_s)
        self._since_s = now_s


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
        kept.append((Network, "ask", Network.ask))
        Network.ask = _counted(Network.ask, cost)  # type: ignore[method-assign]
        yield cost
    finally:
        for owner, name, original in reversed(kept):
            setattr(owner, name, original)


def _counted(ask: Callable[..., Any], cost: Cost) -> Callable[..., Any]:
    def counted(self: Network, blob: Float32Array) -> Any:
        cost.asked(self, blob)
        return ask(self, blob)

    return counted


@functools.cache
def operations_for(one: Network, patch: tuple[int, int, int]) -> int:
    """Operations of a network for one input, (channels, height, width)."""
    (file,) = (card.file for card in CARDS if network(card.file) is one)
    return operations(WEIGHTS / file, patch)


def _timed(original: Callable[..., Any], cost: Cost, stage: str) -> Callable[..., Any]:
    @functools.wraps(original)
    def timed(*args: Any, **how: Any) -> Any:
        with cost.stage(stage):
            return original(*args, **how)

    return timed


def prepare(folder: Path) -> None:
    """Throws five dice into a rendered tray; writes the pictures and what is known of the tray."""
    from dataclasses import replace

    from simulator.motion.simulated_tray import SimulatedTray
    from simulator.motion.watched_tray import geometry_of_tray
    from vision.reading import Kind

    faces = {slot: 1 + slot for slot in range(5)}
    tray = SimulatedTray(SEED, dict.fromkeys(faces, Kind.BLACK))
    profile = geometry_of_tray(tray, SIZE)
    save_profile(profile, folder / KINDS[1])
    save_profile(replace(profile, empty=tray.frame(SIZE).image), folder / KINDS[0])
    for number in range(THROWS):
        tray.throw(faces)
        while tray.busy:
            tray.advance(1 / 30)
        cv2.imwrite(str(folder / f"{number}.png"), tray.frame(SIZE).image)


def _prepared(folder: Path, kind: str) -> tuple[Reader, list[Image]]:
    """What has been prepared, with the reader of this process's version."""
    paths = sorted(folder.glob("*.png"))
    pictures = [np.asarray(cv2.imread(str(path)), np.uint8) for path in paths]
    return Reader(load_profile(folder / kind) if kind in KINDS[:2] else None), pictures


def child(folder: Path) -> dict[str, list[float]]:
    """For each kind milliseconds of all but the networks, of those, and millions of operations.

    It runs in a process of its own.
    """
    result: dict[str, list[float]] = {}
    for kind in KINDS:
        reader, pictures = _prepared(folder, kind)
        for picture in pictures:
            reader.read(picture)
        with measured() as cost:
            for picture in pictures:
                cost.reading(functools.partial(reader.read, picture))
        nets = cost.ms["networks"]
        rest = [whole - net for whole, net in zip(cost.ms["all"], nets, strict=True)]
        result[kind] = [*rest, *nets, *cost.millions]
    return result


def count_in_child(folder: Path, kind: str) -> None:
    """Reads the first picture, counted by valgrind but for what the networks do."""
    reader, (picture, *_) = _prepared(folder, kind)
    answers: list[FloatArray] = []
    ask = Network.ask

    def kept(self: Network, blob: Float32Array) -> FloatArray:
        answer = ask(self, blob)
        # The reader changes some answers in place.
        answers.append(answer.copy())
        return answer

    Network.ask = kept  # type: ignore[method-assign]
    reader.read(picture)
    again = iter([*answers, *answers])
    Network.ask = lambda *_: next(again).copy()  # type: ignore[method-assign]
    reader.read(picture)
    for switch in ("on", "off"):
        subprocess.run(["callgrind_control", "-i", switch, str(os.getpid())], check=True)
        if switch == "on":
            reader.read(picture)


def run_child(tree: Path, *words: str, before: Sequence[str] = ()) -> tuple[str, str]:
    """Runs this script with another version's rooms; returns what it wrote."""
    alone = {"OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0", TREE: str(tree)}
    done = subprocess.run(
        [*before, sys.executable, str(Path(__file__).resolve()), *words],
        env=os.environ | alone,
        cwd=tree,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout, done.stderr


def by_turns(trees: Sequence[Path], times: int, instructions: bool) -> None:
    """Prints what several versions take for the same pictures."""
    with tempfile.TemporaryDirectory(prefix="dicetray-reading-") as name:
        prepare(Path(name))
        least: list[dict[str, list[float]]] = [{} for _ in trees]
        for _ in range(times):
            for best, tree in zip(least, trees, strict=True):
                for kind, ms in json.loads(run_child(tree, "--child", name)[0]).items():
                    best[kind] = [min(pair) for pair in zip(best.get(kind, ms), ms, strict=True)]
        for kind in KINDS:
            for part, what in enumerate(MEASURED):
                of_part = slice(part * THROWS, (part + 1) * THROWS)
                medians = [statistics.median(best[kind][of_part]) for best in least]
                print(f"{kind}, {what}: " + _row(medians))
        for kind in KINDS if instructions else ():
            counts = [_count(tree, name, kind) / 1e6 for tree in trees]
            print(f"{kind}, million instructions: " + _row(counts), flush=True)


def _count(tree: Path, folder: str, kind: str) -> int:
    tool = ("valgrind", "--tool=callgrind", "--instr-atstart=no")
    nowhere = "--callgrind-out-file=/dev/null"
    _, said = run_child(tree, "--count", folder, kind, before=(*tool, nowhere))
    found = COUNTED.search(said)
    if found is None:
        raise SystemExit(f"reading_stages: expected counts from valgrind, found {said[-500:]}")
    return int(found[1])


def _row(values: Sequence[float]) -> str:
    """The values of all trees, and the first one's as a share of each other's."""
    shares = ", ".join(f"{values[0] / other:.2f}" for other in values[1:])
    return " ".join(f"{value:.2f}" for value in values) + (f" ({shares})" if shares else "")


def main(words: list[str] | None = None) -> int:
    """Parses the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--data", type=Path, default=DEFAULT_DATA_FOLDER, help="folder with an index.jsonl"
    )
    parser.add_argument("--only", default="", help="files with this in their name")
    parser.add_argument("--tree", type=Path, action="append", help="a version, by turns")
    parser.add_argument("--times", type=int, default=READINGS_BY_TURNS, help="turns of each")
    parser.add_argument("--instructions", action="store_true", help="with --tree: by valgrind")
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--count", nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args(words)
    cv2.setNumThreads(1)
    if args.child:
        print(json.dumps(child(args.child)))
    elif args.count:
        count_in_child(Path(args.count[0]), args.count[1])
    elif args.tree:
        by_turns([tree.resolve() for tree in args.tree], args.times, args.instructions)
    else:
        return by_folder(args.data, args.only)
    return 0


def by_folder(data: Path, only: str) -> int:
    """Prints what each stage takes for the pictures of each folder."""
    try:
        plain = [case for case in load_cases(data) if only in case.file]
        readers = CaseReaders(plain)
        groups: dict[str, Cost] = {}
        learning = with_learning(plain)
        for case in [*plain, *with_geometry(plain), *learning, *with_darker(learning)]:
            reader, (image, *dark) = readers.reader_of(case), case.pictures()
            with measured(groups.setdefault(case.group, Cost())) as cost, suppress(Unreadable):
                cost.reading(functools.partial(reader.read, image, dark))
    except PictureError as error:
        print(f"reading_stages: {error}", file=sys.stderr)
        return 2
    titles = (*ORDER, "95 of 100", "million operations", "95 of 100")
    print("| pictures | readings | " + " | ".join(titles) + " |")
    print("|---" + "|---:" * (len(titles) + 1) + "|")
    for name, cost in sorted(groups.items()):
        medians = " | ".join(f"{statistics.median(cost.ms[stage]):.1f}" for stage in ORDER)
        longest = np.percentile(cost.ms["all"], 95)
        millions, most = np.percentile(cost.millions, (50, 95))
        row = f"{medians} | {longest:.1f} | {millions:.0f} | {most:.0f}"
        print(f"| {name} | {len(cost.ms['all'])} | {row} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
