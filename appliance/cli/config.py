"""`dicetray config`: checks a configuration file, or prints one with every default."""

import argparse
import sys
from collections.abc import Sequence
from importlib.resources import files
from typing import TYPE_CHECKING

from appliance.config import load, mistakes
from appliance.config.parsing import default_deck_text
from appliance.config.paths import DEFAULT_FILE
from appliance.errors import printable
from vision.ordinary import ordinary_path

if TYPE_CHECKING:
    from appliance.devices.camera.listing import ListedCamera

_SOURCE = 'source = "pi"\n'
"""The line of the default file that names the camera."""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Describes the command and its arguments."""
    command.description = (
        "Checks a configuration file as the service would and names all mistakes, or "
        "prints one with every setting, its default and what it means."
    )
    actions = command.add_subparsers(title="actions", metavar="ACTION", required=True)
    check = actions.add_parser("check", help="check a file")
    usual = f"default: {DEFAULT_FILE}"
    check.add_argument("file", nargs="?", type=ordinary_path, default=DEFAULT_FILE, help=usual)
    check.set_defaults(func=run_check)
    default = actions.add_parser("default", help="print a file with every default")
    default.set_defaults(func=run_default)
    deck = actions.add_parser("deck", help="print the deck of Free for All, to edit")
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
    from appliance.diagnostics.camera import lasting_name

    found = mistakes(args.file)
    for mistake in found:
        print(f"dicetray: {printable(str(mistake))}", file=sys.stderr)
    if found:
        return 2
    print(f"{args.file}: all right")
    # A camera's name that may change is no mistake, but worth a line.
    for finding in lasting_name(load(args.file).camera.source, list_cameras()):
        print(*finding.lines(), sep="\n")
    return 0


def run_default(_: argparse.Namespace) -> int:
    """Prints the default file, with the cameras that are there."""
    from appliance.devices.camera.listing import list_cameras

    print(with_cameras(default_text(), list_cameras()), end="")
    return 0


def run_deck(_: argparse.Namespace) -> int:
    """Prints the usual deck of Free for All as a file."""
    print(default_deck_text(), end="")
    return 0
