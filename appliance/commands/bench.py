"""`dicetray bench`: measures how right and how fast the rooms are."""

import argparse
import sys
from pathlib import Path
from typing import Any

from appliance.bench.truth import profile_of
from appliance.bench.vision import Case, load_cases, run, table, with_geometry
from vision.errors import VisionError
from vision.frame import Image
from vision.reader import Reader
from vision.reading import TrayReading


def add_parser(subparsers: Any) -> None:
    """Adds the subcommand to `dicetray`'s parser."""
    parser = subparsers.add_parser("bench", help="measure accuracy and cost")
    rooms = parser.add_subparsers(dest="room", required=True, metavar="ROOM")
    vision = rooms.add_parser("vision", help="accuracy of the reader on labelled pictures")
    vision.add_argument(
        "--data",
        type=Path,
        default=Path(__file__).parents[2].parent / "shared" / "data",
        help="folder with an index.jsonl (default: the pictures beside the checkout)",
    )
    vision.add_argument("--only", default="", metavar="TEXT", help="files with TEXT in the name")
    vision.add_argument("--markdown", type=Path, metavar="FILE", help="write the table here too")
    vision.add_argument("--faults", action="store_true", help="list what was not read right")
    vision.set_defaults(func=run_vision)


def run_vision(args: argparse.Namespace) -> int:
    """Runs `dicetray bench vision`."""
    reader = Reader()

    def read(image: Image, case: Case) -> TrayReading:
        if case.geometry and case.truth is not None:
            return Reader(profile_of(case.truth)).read(image)
        return reader.read(image)

    def report(case: Case, faults: list[str]) -> None:
        for fault in faults:
            frame = "" if case.frame is None else f" frame {case.frame}"
            print(f"{case.file}{frame}: {fault}")

    try:
        cases = [case for case in load_cases(args.data) if args.only in case.file]
        cases += with_geometry(cases)
        rows = run(cases, read, report if args.faults else None)
    except VisionError as error:
        print(f"dicetray bench: {error}", file=sys.stderr)
        return 2
    text = table(rows)
    print(text, end="")
    if args.markdown is not None:
        try:
            args.markdown.write_text(text, "utf-8")
        except OSError as error:
            print(
                f"dicetray bench: {args.markdown}: cannot be written: {error.strerror}",
                file=sys.stderr,
            )
            return 2
    return 0
