"""`dicetray web`: the score page for the room, in a process of its own."""

import argparse
from pathlib import Path

from appliance.config.paths import runtime_folder


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Describes the command and its arguments."""
    command.description = "Serves the score page of the appliance on this machine, while it is on."
    command.add_argument("--folder", type=Path, help="the appliance's runtime folder")
    command.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Serves until no page is wanted any more."""
    from appliance.web.score import serve  # The packages for it are not installed everywhere.

    serve(args.folder or runtime_folder())
    return 0
