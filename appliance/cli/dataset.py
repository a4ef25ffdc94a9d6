"""`dicetray dataset`: grows a set of labelled pictures for `dicetray bench vision --data`."""

import argparse
from pathlib import Path

from appliance.cli.shared.progress import with_progress
from appliance.config.paths import state_folder
from appliance.dataset.index import (
    CORRECTIONS_FOLDER,
    INDEX,
    add_picture,
    entry,
    labelled,
    read_index,
)
from appliance.errors import ApplianceError
from calibration.store import load_profile
from vision.files.ordinary import check_ordinary, ordinary_path
from vision.image.files import load_picture
from vision.image.films import is_video, picture_of
from vision.reader import Reader
from vision.reading import POWER_FACES, Face, Kind

REGRESSION_FOLDER = "regression"
"""Folder in the user's state folder to which pictures are added by default."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describes the command and its arguments."""
    parser.description = (
        "For developers: adds pictures and their true dice to a folder for "
        "`dicetray bench vision --data`."
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    add = actions.add_parser(
        "add",
        help="add pictures with the true dice",
        description="Adds a picture to a folder that `dicetray bench vision --data` measures. The "
        "truth names the dice as the reader finds them, left to right: `black:3 red:5 "
        "power:freeze`, with `-` for one that shows no face, as `black:-`. With --corrections "
        "it adds all pictures in which players corrected a die.",
    )
    add.add_argument("picture", nargs="?", type=Path, help="JPEG, PNG or video")
    add.add_argument("--truth", nargs="+", metavar="KIND:VALUE", help="dice, left to right")
    add.add_argument("--frame", type=int, default=0, help="or page, counted from 0")
    kept = "add what players corrected; default: what this user's games kept"
    add.add_argument(
        "--corrections", nargs="?", type=Path, const=_USUAL_FOLDER, metavar="DIR", help=kept
    )
    add.add_argument("--profile", type=ordinary_path, help="calibration profile")
    add.add_argument("--to", type=Path, metavar="DIR", help="the folder; created if missing")
    add.set_defaults(func=run_add)


_USUAL_FOLDER = Path("-")
"""Stands for the folder of this user's games, which is created only when asked for."""


def run_add(args: argparse.Namespace) -> int:
    """Runs `dicetray dataset add`."""
    folder = args.to or state_folder() / REGRESSION_FOLDER
    if (args.corrections is None) == (args.picture is None):
        raise ApplianceError("name a picture with --truth, or --corrections, and not both")
    if args.corrections == _USUAL_FOLDER:
        args.corrections = state_folder() / CORRECTIONS_FOLDER
    if args.corrections is not None:
        count = import_corrections(args.corrections, folder)
        print(f"{folder}: {count} pictures added")
        return 0
    if not args.truth:
        raise ApplianceError("expected --truth with the dice from left to right, as black:3 red:5")
    truth = [parse_die(word) for word in args.truth]
    picture = picture_of(args.picture, args.frame)
    reader = Reader(load_profile(args.profile) if args.profile else None)
    dice = reader.read(picture).dice
    if len(dice) != len(truth):
        places = ((f"{die.kind.value}:{die.value or '?'}", *die.center) for die in dice)
        found = ", ".join(f"{shown} at {x:.0f},{y:.0f}" for shown, x, y in places)
        raise ApplianceError(
            f"{args.picture}: expected {len(truth)} dice as named, found {len(dice)}"
            f"{': ' + found if found else ''}; name all of them, left to right"
        )
    name = args.picture.stem
    if args.frame or is_video(args.picture):
        name += f"_{args.frame:05d}"
    lines = [labelled(die, kind, value) for die, (kind, value) in zip(dice, truth, strict=True)]
    add_picture(folder, picture, entry(f"{name}.jpg", lines, source="added"))
    print(f"{folder}: {name}.jpg added, {len(lines)} dice")
    return 0


def import_corrections(source: Path, folder: Path) -> int:
    """Copies all pictures of one folder that another does not have yet; returns how many.

    Raises:
        ApplianceError: a folder cannot be read or written.
        PictureError: a picture is damaged.
    """
    check_ordinary(source, folder=True)
    # Below what is no folder there would be nothing to find, and nothing to say.
    check_ordinary(source / INDEX)
    have = {raw["file"] for raw in read_index(folder)}
    new = [raw for raw in read_index(source) if raw["file"] not in have]
    for raw in with_progress(new, "pictures", len(new)):
        add_picture(folder, load_picture(source / raw["file"]), raw)
    return len(new)


def parse_die(word: str) -> tuple[Kind, Face | None]:
    """Parses `black:3`, `power:freeze` or `red:-`; ApplianceError where it is none of these."""
    name, _, shown = word.partition(":")
    try:
        kind = Kind(name)
    except ValueError:
        kinds = ", ".join(kind.value for kind in Kind)
        raise ApplianceError(f"{word}: expected KIND:VALUE with one of {kinds}") from None
    if shown == "-":
        return kind, None
    allowed = POWER_FACES if kind is Kind.POWER else tuple("123456")
    if shown in allowed:
        return kind, shown if kind is Kind.POWER else int(shown)
    raise ApplianceError(f"{word}: expected one of {', '.join(allowed)} or - after the colon")
