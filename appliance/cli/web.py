"""`dicetray web`: the score page for the room, in a process of its own."""

import argparse
import sys
from pathlib import Path

from appliance.config.paths import runtime_folder
from appliance.errors import ApplianceError, printable
from appliance.service.broadcast import NO_STREAM


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Describes the command and its arguments."""
    command.description = (
        "Serves the score page of a dicetray that runs or plays on this machine, until Ctrl-C."
    )
    command.add_argument(
        "--folder", type=Path, help="the appliance's runtime folder; it ends when no page is wanted"
    )
    command.set_defaults(func=run, ends_when_told=True)


def run(args: argparse.Namespace) -> int:
    """Serves until a signal comes; with a folder, as a unit does, while a page is wanted."""
    if sys.platform == "win32":
        raise ApplianceError(NO_STREAM, "on Windows, play in a browser: dicetray play --browser")
    # The packages for it are not installed everywhere.
    from appliance.web.score import serve, serve_for_ever

    if args.folder is None:
        serve_for_ever(runtime_folder())
    try:
        serve(args.folder)
    except ApplianceError as error:
        # Where a page is wanted no longer, an error would only have the unit start it again.
        print(f"dicetray web: {printable(str(error))}", file=sys.stderr)
    return 0
