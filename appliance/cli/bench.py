"""`dicetray bench`: measures how accurate and how fast the rooms are."""

import argparse
import resource
from pathlib import Path

import cv2

from appliance.cli.commands import refused
from appliance.cli.shared.progress import counted
from appliance.dataset.evaluation import vision as evaluation
from appliance.dataset.evaluation.sites import learn_site, with_learning
from appliance.dataset.evaluation.truth import profile_of
from appliance.dataset.index import INDEX
from vision.errors import PictureError, VisionError
from vision.ordinary import check_distinct, open_to_write, ordinary_path
from vision.reader import Reader

BESIDE = Path(__file__).parents[2].parent / "shared" / "data"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describes the command and its arguments."""
    about = "measures how many dice in labelled pictures are read right, and how fast"
    parser.description = f"For developers: {about}."
    rooms = parser.add_subparsers(title="rooms", metavar="ROOM", required=True)
    vision = rooms.add_parser(
        "vision",
        help=about,
        description="Reads all pictures of a folder made by `dicetray dataset add` or "
        "scripts/render_dataset.py, and compares with the truth.",
    )
    data = "folder with an index.jsonl; default: shared/data beside a developer's checkout"
    vision.add_argument("--data", type=Path, metavar="DIR", help=data)
    vision.add_argument("--only", default="", metavar="TEXT", help="files with TEXT in the name")
    vision.add_argument(
        "--markdown", type=ordinary_path, metavar="FILE", help="write the table here too"
    )
    vision.add_argument("--faults", action="store_true", help="list what was misread")
    vision.set_defaults(func=run_vision)


def run_vision(args: argparse.Namespace) -> int:
    """Runs `dicetray bench vision`."""
    cv2.setNumThreads(1)
    readers: dict[str, Reader] = {}
    notes: list[str] = []

    def report(case: evaluation.Case, faults: list[str]) -> None:
        for fault in faults:
            frame = "" if case.frame is None else f" frame {case.frame}"
            print(f"{case.file}{frame}: {fault}")

    data = args.data or BESIDE
    try:
        if args.data is None and not data.is_dir():
            raise PictureError(
                "expected labelled pictures, found none beside this program; name their folder "
                "with --data, or make one: scripts/render_dataset.py DIR --pictures 10"
            )
        plain = [case for case in evaluation.load_cases(data) if args.only in case.file]
        if not plain:
            named = f" with {args.only!r} in the name" if args.only else ""
            raise PictureError(f"{data}: expected pictures{named}, its index.jsonl names none")

        def reader_of(case: evaluation.Case) -> Reader:
            """The reader for a case; its profile is made before the clock starts."""
            if not case.geometry or case.truth is None:
                return readers.setdefault("", Reader())
            key = f"{case.site} {case.site and case.darker} {case.truth}"
            if key not in readers:
                if case.site:
                    learnt = learn_site(case, plain)
                    where = case.truth.parent.name + (", darker" if case.darker else "")
                    notes.extend(f"{where}: {refusal}" for refusal in learnt.refused)
                    readers[key] = Reader(learnt.profile)
                else:
                    readers[key] = Reader(profile_of(case.truth))
            return readers[key]

        usual = [*plain, *evaluation.with_geometry(plain), *with_learning(plain)]
        cases = [*usual, *evaluation.with_darker(usual)]
        shown = counted(cases, "pictures", len(cases), prints=args.faults)
        rows = evaluation.run(
            shown,
            lambda pictures, case: reader_of(case).read(pictures[0], pictures[1:]),
            report if args.faults else None,
            reader_of,
        )
    except VisionError as error:
        return refused("bench", str(error))
    parts = [evaluation.table(rows)]
    if notes:
        parts.append("".join(f"- {note}\n" for note in notes))
    peak_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    parts.append(f"Peak memory: {peak_mib:.0f} MiB\n")
    text = "\n".join(parts)
    print(text, end="")
    if args.markdown is not None:
        try:
            check_distinct(args.markdown, (data / INDEX, *(data / case.file for case in plain)))
            with open_to_write(args.markdown) as out:
                out.write(text.encode())
        except OSError as error:
            return refused("bench", f"{args.markdown}: cannot be written: {error.strerror}")
    return 0
