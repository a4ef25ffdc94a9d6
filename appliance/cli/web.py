"""`dicetray web`: the score page for the room, in a process of its own."""

import argparse
import sys
from pathlib import Path

from appliance.config.paths import runtime_folder
from appliance.errors import ApplianceError


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Describes the command and its arguments."""
    command.description = "Serves the score page of the appliance on this machine, while it is on."
    command.add_argument("--folder", type=Path, help="the appliance's runtime folder")
    command.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Serves until no page is wanted any more."""
    from appliance.web.score import serve  # The packages for it are not installed everywhere.

    try:
        serve(args.folder or runtime_folder())
    except ApplianceError as error:
        if args.folder is None:
            raise
        # A unit was started for a page that is no longer wanted: it would only be started again.
        print(f"dicetray web: {error}", file=sys.stderr)
    return 0
