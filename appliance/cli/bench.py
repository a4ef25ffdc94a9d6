"""`dicetray bench`: measures how accurate and how fast the rooms are."""

import argparse
from collections.abc import Sequence
from pathlib import Path

import cv2

from appliance.cli.commands import report_bad_input
from appliance.cli.shared.progress import with_progress
from appliance.dataset.evaluation import vision as evaluation
from appliance.dataset.evaluation.sites import learn_site, with_learning
from appliance.dataset.evaluation.truth import profile_of
from appliance.dataset.index import INDEX
from vision.errors import PictureError, VisionError
from vision.files.ordinary import check_distinct, open_to_write, ordinary_path
from vision.files.system import peak_memory_bytes
from vision.geometry.profile import Profile
from vision.reader import Reader

DEFAULT_DATA_FOLDER = Path(__file__).parents[2].parent / "shared" / "data"


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
    data = args.data or DEFAULT_DATA_FOLDER
    try:
        plain = _labelled_cases(data, args.only, given=args.data is not None)
        readers = CaseReaders(plain)
        usual = [*plain, *evaluation.with_geometry(plain), *with_learning(plain)]
        cases = [*usual, *evaluation.with_darker(usual)]
        rows = evaluation.run(
            with_progress(cases, "pictures", len(cases), prints=args.faults),
            lambda pictures, case: readers.reader_of(case).read(pictures[0], pictures[1:]),
            _print_faults if args.faults else None,
            readers.reader_of,
        )
    except VisionError as error:
        return report_bad_input("bench", str(error))
    text = _report(evaluation.table(rows), readers.notes)
    print(text, end="")
    if args.markdown is None:
        return 0
    try:
        check_distinct(args.markdown, (data / INDEX, *(data / case.file for case in plain)))
        with open_to_write(args.markdown) as out:
            out.write(text.encode())
    except OSError as error:
        return report_bad_input("bench", f"{args.markdown}: cannot be written: {error.strerror}")
    return 0


def _labelled_cases(data: Path, only: str, *, given: bool) -> list[evaluation.Case]:
    """The pictures of a folder, as they are; `given` says whether somebody has named it."""
    if not given and not data.is_dir():
        raise PictureError(
            "there are no labelled pictures beside this program; name their folder with --data, "
            "or make one: scripts/render_dataset.py DIR --pictures 10"
        )
    cases = [case for case in evaluation.load_cases(data) if only in case.file]
    if not cases:
        named = f" with {only!r} in the name" if only else ""
        raise PictureError(f"{data}: index.jsonl lists no pictures{named}")
    return cases


class CaseReaders:
    """The readers of cases: one without geometry, one for each tray whose geometry is known.

    Attributes:
        notes: what could not be learnt of trays, in lines.
    """

    def __init__(self, plain: Sequence[evaluation.Case]) -> None:
        self._plain = plain
        self._readers: dict[str, Reader] = {}
        self.notes: list[str] = []

    def reader_of(self, case: evaluation.Case) -> Reader:
        """The reader for a case; its profile is made before the clock starts."""
        if not case.geometry or case.truth is None:
            return self._readers.setdefault("", Reader())
        key = f"{case.site} {case.site and case.darker} {case.truth}"
        if key not in self._readers:
            self._readers[key] = Reader(self._profile_of(case, case.truth))
        return self._readers[key]

    def _profile_of(self, case: evaluation.Case, truth: Path) -> Profile:
        if not case.site:
            return profile_of(truth)
        learnt = learn_site(case, self._plain)
        where = truth.parent.name + (", darker" if case.darker else "")
        self.notes.extend(f"{where}: {refusal}" for refusal in learnt.refused)
        return learnt.profile


def _print_faults(case: evaluation.Case, faults: list[str]) -> None:
    for fault in faults:
        frame = "" if case.frame is None else f" frame {case.frame}"
        print(f"{case.file}{frame}: {fault}")


def _report(table: str, notes: Sequence[str]) -> str:
    """The table, what could not be learnt, and the memory that was needed."""
    parts = [table]
    if notes:
        parts.append("".join(f"- {note}\n" for note in notes))
    if peak := peak_memory_bytes():
        parts.append(f"Peak memory: {peak / 2**20:.0f} MiB\n")
    return "\n".join(parts)
