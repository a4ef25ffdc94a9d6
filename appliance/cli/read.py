"""`dicetray read`: reads pictures and videos and says what the dice show."""

import argparse
import json
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2

from appliance.cli.commands import report_bad_input
from appliance.cli.shared.progress import with_progress
from calibration.readers import UncalibratedReader
from calibration.store import load_profile
from vision.errors import PictureError, ProfileError, Unreadable, VisionError
from vision.files.ordinary import (
    NotOrdinary,
    check_distinct,
    check_ordinary,
    open_to_write,
    ordinary_path,
)
from vision.frame import Image
from vision.geometry.profile import Profile
from vision.image.annotate import annotate
from vision.image.files import Pictures
from vision.image.films import Film, is_video
from vision.reader import Reader
from vision.reading import DieReading, TrayReading
from vision.watch.darker import TrayReader

MAX_IN_DOUBT = 7
"""Places in doubt that a table lists: no game has more dice."""


@dataclass(frozen=True, slots=True, eq=False)
class ReadPicture:
    """One picture read, or a frame of a video (counted from 0), and the milliseconds it took."""

    file: Path
    frame: int | None
    image: Image
    reading: TrayReading
    ms: float


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describes the command and its arguments."""
    parser.description = (
        "Reads photographs (JPEG, PNG, WebP, BMP, TIFF, AVIF, HEIC) and videos. Every "
        "frame of a video is read unless --frames picks some. A file that cannot be read is "
        "reported on standard error; the others are still read, and the exit code is 2."
    )
    add = parser.add_argument
    add("files", nargs="+", type=Path, metavar="FILE")
    add("--json", action="store_true", help="print one JSON object per picture, with all places")
    out = (
        "write the picture with the reading drawn in: OUT is a picture file where one picture is "
        "read, else a folder"
    )
    add("--annotate", type=Path, metavar="OUT", help=out)
    add("--frames", type=frame_list, metavar="N,N", help="frames or pages, counted from 0")
    add("--profile", type=ordinary_path, help="calibration profile")
    parser.set_defaults(func=run)


def frame_list(text: str) -> tuple[int, ...]:
    """Parses `73,76`; ArgumentTypeError where it is no list of whole numbers from 0."""
    try:
        frames = tuple(sorted({int(part) for part in text.split(",")}))
    except ValueError:
        frames = ()
    if not frames or frames[0] < 0:
        raise argparse.ArgumentTypeError(f"expected frame numbers such as 73,76, found {text!r}")
    return frames


def run(args: argparse.Namespace) -> int:
    """Runs the subcommand."""
    try:
        profile = None if args.profile is None else load_profile(args.profile)
        out = None if args.annotate is None else _Annotations(args.annotate, args)
    except VisionError as error:
        return _print_error(error)
    reader = UncalibratedReader() if profile is None else Reader(profile)
    code = 0
    for file in args.files:
        try:
            read = read_file(reader, file, args.frames)
            for result in with_progress(read, f"frames of {file.name}", prints=True):
                print(json.dumps(as_json(result, profile)) if args.json else as_table(result))
                if out is not None:
                    out.write(result)
        except (Unreadable, ProfileError) as error:
            # What is wrong with a file names it already.
            code = _print_error(f"{file}: {error}")
        except VisionError as error:
            code = _print_error(error)
    return code


def _print_error(error: VisionError | str) -> int:
    sys.stdout.flush()
    return report_bad_input("read", str(error))


def read_file(
    reader: TrayReader, file: Path, frames: Sequence[int] | None = None
) -> Iterator[ReadPicture]:
    """Reads the pictures of one file: frames of a video or an animation, pages, or just one.

    Args:
        reader: what reads them.
        file: the file.
        frames: of the pictures to read, counted from 0; None for all frames of a video, and for
            the first picture of any other file.

    Raises:
        PictureError: the file cannot be read.
        ProfileError: the reader's profile is for pictures of another size.
    """
    pictures: Iterable[tuple[int | None, Image]]
    if is_video(file):
        pictures = ((frame.index, frame.image) for frame in Film(file).frames(frames))
    else:
        pictures = _pictures(file, frames)
    for index, image in pictures:
        start = time.perf_counter()
        reading = reader.read(image)
        yield ReadPicture(file, index, image, reading, 1000 * (time.perf_counter() - start))


def _pictures(file: Path, frames: Sequence[int] | None) -> Iterable[tuple[int | None, Image]]:
    """What is read of a file that is no video."""
    stored = Pictures(file)
    if stored.count == 1:
        return [(None, stored.picture())]
    if frames is None:
        more = f"this is the first; --frames 1 reads another, up to {stored.count - 1}"
        print(f"{file}: holds {stored.count} pictures, {more}", file=sys.stderr)
    return [(index, stored.picture(index)) for index in frames or (0,)]


def as_json(result: ReadPicture, profile: Profile | None = None) -> dict[str, Any]:
    """The result as plain values for JSON. `mm` is present only with a profile."""
    return {
        "file": str(result.file),
        "frame": result.frame,
        "tray": result.reading.tray.value,
        "ms": round(result.ms, 2),
        "dice": [_die_as_dict(die, profile is not None) for die in result.reading.dice],
    }


def _die_as_dict(die: DieReading, with_mm: bool) -> dict[str, Any]:
    out: dict[str, Any] = {
        "kind": die.kind.value,
        "value": die.value,
        "state": die.state.value,
        "candidates": [
            {"value": c.value, "probability": round(c.probability, 4)} for c in die.candidates
        ],
        "confidence": round(die.confidence, 4),
        "center": [round(v, 2) for v in die.center],
        "outline": [[round(x, 2), round(y, 2)] for x, y in die.outline],
    }
    if with_mm and die.mm is not None:
        out["mm"] = [round(v, 2) for v in die.mm]
    return out


def as_table(result: ReadPicture) -> str:
    """The result as a plain table for people, which lists only the likeliest places in doubt."""
    name = str(result.file) if result.frame is None else f"{result.file} frame {result.frame}"
    dice = result.reading.dice
    crowded = ", many spots: some dice may be missing" if result.reading.crowded else ""
    lines = [f"{name}: {result.reading.tray.value}, {len(dice)} dice, {result.ms:.0f} ms{crowded}"]
    doubtful = [k for k, die in enumerate(dice) if not die.sure]
    left_out = set(sorted(doubtful, key=lambda k: -dice[k].confidence)[MAX_IN_DOUBT:])
    for die in (die for k, die in enumerate(dice) if k not in left_out):
        value = "?" if die.value is None else str(die.value)
        maybe = " ".join(f"{c.value}:{c.probability:.0%}" for c in die.candidates)
        where = f"({die.center[0]:.0f}, {die.center[1]:.0f})"
        if die.mm is not None:
            where += f" = ({die.mm[0]:.1f}, {die.mm[1]:.1f}) mm"
        lines.append(
            f"  {die.kind.value:<7}{value:>7}  {die.state.value:<8}{die.confidence:>5.0%}"
            f"  {where}{'' if die.sure else '  ' + maybe}".rstrip()
        )
    if left_out:
        lines.append(f"  and {len(left_out)} more place{'s'[: len(left_out) > 1]} in doubt")
    return "\n".join(lines)


class _Annotations:
    """Where annotated pictures go: one file, or a folder with one file per picture."""

    def __init__(self, out: Path, args: argparse.Namespace) -> None:
        pictures = len(args.files)
        self._read: tuple[Path, ...] = tuple(args.files)
        try:
            check_ordinary(out, folder=True)
        except OSError as error:
            raise PictureError(f"{out}: cannot be written: {error.strerror}") from error
        if pictures == 1 and (args.frames or is_video(args.files[0])):
            pictures = len(args.frames) if args.frames else 2
        self._file: Path | None = None
        self._folder = out
        self._used: set[str] = set()
        if pictures == 1 and not out.is_dir():
            if out.suffix.lower() not in (".jpg", ".jpeg", ".png"):
                raise PictureError(f"{out}: expected a name that ends in .jpg or .png")
            self._file = out
            self._must_not_replace(out)
            return
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise PictureError(f"{out}: cannot be created as a folder: {error.strerror}") from error

    def _must_not_replace(self, path: Path) -> None:
        """PictureError if it is one of the pictures that are read, under whatever name."""
        try:
            check_distinct(path, self._read)
        except NotOrdinary as error:
            raise PictureError(str(error)) from error

    def write(self, result: ReadPicture) -> None:
        path = self._file if self._file is not None else self._folder / self._file_name_of(result)
        good, data = cv2.imencode(path.suffix.lower(), annotate(result.image, result.reading))
        try:
            if not good:
                raise PictureError(f"{path}: the annotated picture cannot be encoded")
            self._must_not_replace(path)
            with open_to_write(path) as file:
                file.write(data.tobytes())
        except OSError as error:
            raise PictureError(f"{path}: cannot be written: {error.strerror}") from error

    def _file_name_of(self, result: ReadPicture) -> str:
        stem = result.file.stem
        if result.frame is not None:
            stem += f"_{result.frame:05d}"
        suffix = ".png" if result.file.suffix.lower() == ".png" else ".jpg"
        name = stem + suffix
        count = 1
        while name in self._used:
            count += 1
            name = f"{stem}_{count}{suffix}"
        self._used.add(name)
        return name
