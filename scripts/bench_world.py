#!/usr/bin/env python3
"""How strangers' photographs of dice are read: a row for each source that they come from.

    .venv/bin/python scripts/bench_world.py --data DIR [--folder world] [--only TEXT] [--faults]
                                            [--draw FOLDER]

DIR has an index.jsonl whose lines name `source` and `licence`, see `dicetray dataset`. Nothing is
known about these pictures: no camera, no tray, no colours. Times are processor time of one core.
Exit status 1: something was claimed that is wrong, or a picture was refused.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from appliance.cli.bench import DEFAULT_DATA_FOLDER
from appliance.cli.shared.progress import with_progress
from appliance.dataset.evaluation.vision import Case, Tally, load_cases, run
from appliance.dataset.index import INDEX, MOST_BYTES
from vision.errors import PictureError, Unreadable
from vision.files.bounded import read_bounded
from vision.frame import Image
from vision.image.annotate import annotate
from vision.reader import Reader
from vision.reading import TrayReading

UNKNOWN = "unknown"
TOGETHER = "all"


@dataclass(frozen=True, slots=True)
class Source:
    """Where a picture comes from, and under which licence."""

    name: str
    licence: str


@dataclass(slots=True)
class Refusals:
    """The pictures that were not read at all, by the source they come from."""

    by_source: dict[str, int] = field(default_factory=dict)

    def read(self, pictures: list[Image], case: Case) -> TrayReading:
        """Reads a picture as one about which nothing is known, and counts it if it is refused."""
        try:
            return Reader().read(pictures[0])
        except Unreadable:
            self.by_source[case.group] = self.by_source.get(case.group, 0) + 1
            raise


def sources_of(data: Path) -> dict[str, Source]:
    """The source of each picture of an index, by its file."""
    sources: dict[str, Source] = {}
    for line in read_bounded(data / INDEX, MOST_BYTES).decode().splitlines():
        if line.strip():
            raw = json.loads(line)
            where, licence = (str(raw.get(key, UNKNOWN)) for key in ("source", "licence"))
            sources[str(raw["file"])] = Source(where, licence)
    return sources


def table(rows: dict[str, Tally], refused: dict[str, int], licences: dict[str, str]) -> str:
    """A row for each source and one for all, as a Markdown table."""
    lines = [
        "| source | licence | pictures | dice | right | silently wrong | asked | not read "
        "| refused | asked where no die is | median ms | longest ms |",
        "|---|---|" + "---:|" * 10,
    ]
    for name, one in rows.items():
        wrong = one.wrong + one.phantoms_sure
        lines.append(
            f"| {name} | {licences.get(name, '')} | {one.pictures} | {one.dice} "
            f"| {one.right} ({one.right / max(one.dice, 1):.1%}) | {wrong} | {one.unsure} "
            f"| {one.missed} | {refused.get(name, 0)} | {one.phantoms - one.phantoms_sure} "
            f"| {np.median(one.ms):.0f} | {max(one.ms):.0f} |"
        )
    return "\n".join(lines)


def added(rows: Sequence[Tally]) -> Tally:
    """The sum of several rows."""
    whole = Tally()
    for row in rows:
        for name in Tally.__dataclass_fields__:
            setattr(whole, name, getattr(whole, name) + getattr(row, name))
    return whole


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=DEFAULT_DATA_FOLDER, metavar="DIR")
    parser.add_argument("--folder", default="world", help="of the pictures within DIR")
    parser.add_argument("--only", default="", metavar="TEXT", help="files with TEXT in the name")
    parser.add_argument("--faults", action="store_true", help="list what was not read right")
    parser.add_argument("--draw", type=Path, metavar="FOLDER", help="draw those readings here")
    args = parser.parse_args(words)
    cv2.setNumThreads(1)
    try:
        cases = [
            case
            for case in load_cases(args.data)
            if case.file.startswith(f"{args.folder}/") and args.only in case.file
        ]
        sources = sources_of(args.data)
    except PictureError as error:
        raise SystemExit(f"bench_world: {error}") from error
    if not cases:
        raise SystemExit(f"bench_world: {args.data}: there are no pictures in {args.folder}")
    cases = [replace(case, group=sources[case.file].name) for case in cases]
    refusals = Refusals()

    def report(case: Case, faults: list[str]) -> None:
        misread = [fault for fault in faults if not fault.startswith("phantom") or " ok " in fault]
        for fault in misread if args.faults else ():
            print(f"{case.file}: {fault}")
        if misread and args.draw is not None:
            args.draw.mkdir(parents=True, exist_ok=True)
            image = case.load()
            drawn = annotate(image, Reader().read(image))
            cv2.imwrite(str(args.draw / f"{Path(case.file).stem}.png"), drawn)

    counted = run(
        with_progress(cases, "pictures", len(cases), prints=args.faults), refusals.read, report
    )
    # Rows by source and colours are left out.
    rows = {case.group: counted[case.group] for case in cases}
    rows[TOGETHER] = added(list(rows.values()))
    refused = {**refusals.by_source, TOGETHER: sum(refusals.by_source.values())}
    print(table(rows, refused, {one.name: one.licence for one in sources.values()}))
    bad = rows[TOGETHER].wrong + rows[TOGETHER].phantoms_sure + refused[TOGETHER]
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
