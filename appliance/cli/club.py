"""`dicetray club`: all tables of a club's evening on one page, and the league of their games."""

import argparse

from appliance.config import load
from appliance.config.paths import DEFAULT_FILE, state_folder
from appliance.words import set_language
from vision.files.ordinary import ordinary_path


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Describes the command and its arguments."""
    command.description = "Follows all trays of a broker on one page, and keeps the league."
    add = command.add_argument
    add("--config", type=ordinary_path, default=DEFAULT_FILE, help=f"default: {DEFAULT_FILE}")
    add(
        "--games",
        type=ordinary_path,
        metavar="FILE",
        help="file of the games; default: in your folder",
    )
    add("--host", default="127.0.0.1", help="an address of this machine, for others to look")
    add("--port", type=int, default=8090, help="default: 8090")
    command.set_defaults(func=main, ends_when_told=True)


def main(args: argparse.Namespace) -> int:
    """Follows the tables until a signal comes."""
    # An extra, which is not installed everywhere.
    from appliance.club.evening import evening

    games = args.games or state_folder() / "club.jsonl"
    config = load(args.config)
    set_language(config.scoreboard.language)
    evening(config.mqtt, games, args.host, args.port)
    return 0
