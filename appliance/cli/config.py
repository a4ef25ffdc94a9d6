"""`dicetray config`: checks a configuration file, prints one, or moves a password out of it."""

import argparse
import sys
from collections.abc import Sequence
from importlib.resources import files
from itertools import chain
from typing import TYPE_CHECKING

from appliance.config import load, mistakes
from appliance.config.parsing import default_deck_text
from appliance.config.paths import DEFAULT_FILE
from appliance.errors import printable
from vision.files.ordinary import ordinary_path

if TYPE_CHECKING:
    from appliance.devices.camera.listing import ListedCamera

_SOURCE = 'source = "pi"\n'
"""The line of the default file that names the camera."""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Describes the command and its arguments."""
    command.description = (
        "Checks a configuration file as the service would and names all mistakes, or "
        "prints one with every setting, its default and what it means, or moves the camera's "
        "password out of it."
    )
    actions = command.add_subparsers(title="actions", metavar="ACTION", required=True)
    check = actions.add_parser("check", help="check a file")
    usual = f"default: {DEFAULT_FILE}"
    check.add_argument("file", nargs="?", type=ordinary_path, default=DEFAULT_FILE, help=usual)
    check.set_defaults(func=run_check)
    move = actions.add_parser(
        "move-password",
        help="move the camera's password into a file of its own",
        description="Moves the password in the camera's address into a file that only its owner "
        "may read, beside the configuration; for the service into /etc/credstore.",
    )
    move.add_argument("file", nargs="?", type=ordinary_path, default=DEFAULT_FILE, help=usual)
    move.set_defaults(func=run_move)
    default = actions.add_parser("default", help="print a file with every default")
    default.set_defaults(func=run_default)
    deck = actions.add_parser("deck", help="print the cards of games that have a deck, to edit")
    deck.set_defaults(func=run_deck)


def default_text() -> str:
    """The commented file with every default."""
    return files("appliance.config").joinpath("default.toml").read_text(encoding="utf-8")


def with_cameras(text: str, cameras: "Sequence[ListedCamera]") -> str:
    """The default file with the cameras of this machine, by names that stay theirs."""
    lines = [f"#     {camera.spec}    {camera.name}\n" for camera in cameras]
    told = f"# Here there are now:\n{''.join(lines)}" if lines else ""
    return text.replace(_SOURCE, told + _SOURCE, 1)


def run_check(args: argparse.Namespace) -> int:
    """Says that a file is valid, or everything that is wrong with it."""
    # Imported here so that `dicetray --help` does not wait for OpenCV.
    from appliance.devices.camera.listing import list_cameras
    from appliance.diagnostics.camera import lasting_name, open_password

    found = mistakes(args.file)
    for mistake in found:
        print(f"dicetray: {printable(str(mistake))}", file=sys.stderr)
    if found:
        return 2
    print(f"{args.file}: all right")
    # What others can read, and a name that may change, are no mistakes, but worth a line.
    source = load(args.file).camera.source
    for finding in chain(open_password(source), lasting_name(source, list_cameras())):
        print(*finding.lines(), sep="\n")
    return 0


def run_move(args: argparse.Namespace) -> int:
    """Moves the camera's password out of the configuration."""
    from appliance.config.moving import move_passwords

    moved = move_passwords(args.file)
    print(f"{args.file}: the camera's password is in {moved.file} now")
    for line in moved.left_in_lines:
        print(f"NOTE   line {line} of {args.file} still has it: delete it there")
    return 0


def run_default(_: argparse.Namespace) -> int:
    """Prints the default file, with the cameras that are there."""
    from appliance.devices.camera.listing import list_cameras

    print(with_cameras(default_text(), list_cameras()), end="")
    return 0


def run_deck(_: argparse.Namespace) -> int:
    """Prints the usual deck as a file."""
    print(default_deck_text(), end="")
    return 0
