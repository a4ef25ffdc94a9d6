"""`dicetray look`: tries a camera over real dice, says what would help, and begins a game."""

import argparse

from appliance.cli.shared.launch import Launch
from appliance.cli.shared.launching import has_browser, look
from appliance.cli.shared.starting import add_game_arguments, with_deck
from appliance.config import Config, load
from appliance.words import set_language
from vision.files.ordinary import ordinary_path

BOARDS = ("browser", "terminal")


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Describes the command and its arguments."""
    command.description = (
        "Shows what a camera sees, each die outlined with its value or its doubt, and one sentence "
        "on what to do. Enter begins a game with it, a number one for as many players: no "
        "calibration is needed. Without --camera the only USB camera is taken, or you choose; "
        "never the one in a laptop's lid."
    )
    add = command.add_argument
    add("--camera", metavar="SPEC", help="v4l2:N, phone, http://... or rtsp://...")
    add("--board", choices=BOARDS, help="where; default: the browser, if there is a display")
    add("--no-open", action="store_true", help="with the browser: do not open the page")
    add("--config", type=ordinary_path, help="configuration file (TOML)")
    add_game_arguments(command)
    command.set_defaults(func=main, plays=True)


def main(args: argparse.Namespace) -> int:
    """Looks, and plays if somebody wants to."""
    config = with_deck(load(args.config) if args.config else Config(), args.deck)
    set_language(args.language or config.scoreboard.language)
    paged = args.board == "browser" if args.board else has_browser()
    return look(Launch.of(args, args.camera or ""), config, paged=paged, show=not args.no_open)
