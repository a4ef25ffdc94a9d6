"""What the commands that play have in common: naming a game, ending in order."""

import argparse
import signal
from collections.abc import Iterator
from contextlib import contextmanager

from appliance.config import Config
from appliance.errors import ConfigError
from appliance.names import check_names
from appliance.table.session import Setup

PLAYABLE = ("classic", "power", "showdown", "free-for-all")
"""The games that the table has screens for."""


def add_game_arguments(command: argparse.ArgumentParser) -> None:
    """Adds what names a game: `--game`, `--players`, `--first`, `--new`."""
    command.add_argument("--game", choices=PLAYABLE, help="which game; default: classic")
    command.add_argument("--players", nargs="+", metavar="NAME", help="1 to 6 names, in seat order")
    command.add_argument(
        "--first", help="who begins: a number from 1, or roll-off; default: as the game has it"
    )
    command.add_argument("--new", action="store_true", help="begin a new game, whatever was saved")


def setup_from(args: argparse.Namespace, config: Config) -> Setup:
    """The game that the arguments name, with the configuration's defaults.

    Raises:
        ConfigError: names or options that cannot be used.
    """
    game = args.game or config.games.game
    if game not in PLAYABLE:
        raise ConfigError(f"game {game!r}: expected one of {', '.join(PLAYABLE)}")
    players = check_names(args.players or config.games.players)
    options = () if args.first is None else (("first", _first(args.first, len(players))),)
    return Setup(game, players, options)


def _first(text: str, players: int) -> int | str:
    if text == "roll-off":
        return text
    if not text.isdecimal():
        raise ConfigError(f"--first: expected roll-off or a number from 1, found {text!r}")
    if not 1 <= int(text) <= players:
        raise ConfigError(f"--first: expected 1 to {players} for {players} players, found {text}")
    return int(text) - 1


@contextmanager
def stopping_on_signals() -> Iterator[None]:
    """Turns SIGTERM into the same orderly end as Ctrl-C."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    previous = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, previous)
