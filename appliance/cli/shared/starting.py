"""Common parts of the commands that play: which game is wanted, and which is resumed."""

import argparse
import logging
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from appliance.cli.shared.game_names import game_name
from appliance.config import Config, GamesConfig
from appliance.config.parsing import read_deck
from appliance.devices.voice import PROGRAM, Mute, Speaker, Voice, can_speak
from appliance.errors import ConfigError, JournalError
from appliance.journal.journal import Journal
from appliance.journal.sessions import load_session
from appliance.service.environment import Environment
from appliance.table.menu.options import seat_option
from appliance.table.menu.settings import Settings, unnamed
from appliance.table.names import STRENGTH_OF_COMPUTER, check_names
from appliance.table.session.session import Session, Setup
from appliance.words import language_codes, say
from games.registry import GAMES
from games.values import ROLL_OFF, OptionValue
from vision.files.ordinary import ordinary_path

log = logging.getLogger(__name__)


def add_game_arguments(command: argparse.ArgumentParser) -> None:
    """Adds the arguments that describe a game: `--game`, `--players` and the like."""
    add = command.add_argument
    add(
        "--game",
        type=game_name,
        choices=GAMES,
        metavar="GAME",
        help=f"one of: %(choices)s; default: {GamesConfig().game}",
    )
    computers = ", ".join(STRENGTH_OF_COMPUTER).lower()
    players = f"1 to 6 names in seat order; the computer plays for {computers}"
    add("--players", nargs="+", metavar="NAME", help=players)
    add("--first", help="who begins: a number from 1, or roll-off; default: the game's rule")
    deck = "your own cards, for games that have a deck"
    add("--deck", type=ordinary_path, metavar="FILE", help=deck)
    add("--language", choices=language_codes(), help="language of board and terminal")
    add("--new", action="store_true", help="start a new game, even if one is unfinished")


def number_between(least: float, most: float) -> Callable[[str], float]:
    """An argument type: a number within these bounds."""

    def number(text: str) -> float:
        with suppress(ValueError):
            if least <= float(text) <= most:
                return float(text)
        expected = f"expected a number from {least:g} to {most:g}"
        raise argparse.ArgumentTypeError(f"{expected}, found {text!r}")

    return number


@dataclass(frozen=True, slots=True)
class GameOptions:
    """Which game is wanted; None for what was not given.

    With `new`, it is a new game, whatever was saved. The players are in seat order. With `count`,
    it is a new game for so many of whom nobody said who they are.
    """

    game: str | None = None
    players: tuple[str, ...] | None = None
    first: str | None = None
    new: bool = False
    language: str | None = None
    count: int | None = None

    @classmethod
    def of(cls, args: argparse.Namespace) -> Self:
        """The options on the command line."""
        # No name has a comma.
        players = tuple(",".join(args.players).split(",")) if args.players else None
        return cls(args.game, players, args.first, args.new, args.language)

    @property
    def named(self) -> bool:
        """True if a particular game is wanted."""
        return bool(self.game or self.players or self.first)


def setup_from(wanted: GameOptions, config: Config) -> Setup:
    """The wanted game, with the configuration's defaults.

    ConfigError for names or options that cannot be used.
    """
    game = wanted.game or config.games.game
    if game not in GAMES:
        raise ConfigError(f"game {game!r}: expected one of {', '.join(GAMES)}")
    named = config.games.players
    unnamed = tuple(map(say, named)) if named == GamesConfig().players else named
    players = check_names(wanted.players or unnamed)
    setup = Setup(game, players).with_house_rules(house_options(config))
    if wanted.first is None:
        return setup
    option = seat_option(game)
    if not option:
        raise ConfigError(f"--first: who begins {game} cannot be chosen")
    return setup.with_house_rules({option: _parse_first_seat(wanted.first, game, len(players))})


def house_options(config: Config) -> Mapping[str, OptionValue]:
    """The house rules for every game that has them; ConfigError for a bad deck file."""
    return read_deck(Path(config.games.deck)) if config.games.deck else {}


def with_deck(config: Config, file: Path | None) -> Config:
    """The configuration with the deck file of the command line, if there is one."""
    if file is None:
        return config
    return replace(config, games=replace(config.games, deck=str(file)))


def open_session(wanted: GameOptions, config: Config, journal: Journal) -> Session:
    """The last game, if it is not over and no other is named; else a new one.

    ConfigError for names or options that cannot be used, JournalError where the saved game cannot
    be replayed, RulesError where the game cannot be started like this.
    """
    last = journal.last()
    goes_on = last is not None and not last.ended and not wanted.new and not wanted.named
    return load_session(journal, None if goes_on else setup_from(wanted, config), fresh=wanted.new)


def session_or_menu(wanted: GameOptions, config: Config, journal: Journal) -> Session | None:
    """The game to begin with where there are buttons; None for the menu.

    That is where there is no game to resume and none is named. Raises as `open_session`, but the
    last game, if it cannot be replayed, does not keep the appliance from starting: it stays where
    it is.
    """
    if wanted.named:
        return open_session(wanted, config, journal)
    try:
        last = journal.last()
        if last is None or last.ended or wanted.new:
            return None
        return load_session(journal, None)
    except JournalError as error:
        log.warning("%s", error)
        return None


def session_at_once(wanted: GameOptions, config: Config, journal: Journal) -> Session:
    """The game to begin with where there is no menu; raises as `open_session`.

    The players of a new one, where nobody named them, are those of the last game, if they are as
    many as wanted; else players without names, one where no number was said.
    """
    last = journal.last()
    before = () if last is None else last.players
    if wanted.count is not None:
        known = wanted.players or before
        players = known if len(known) == wanted.count else _players_without_names(wanted.count)
        wanted = replace(wanted, players=players, new=True)
    elif not wanted.named and config.games.players == GamesConfig().players:
        # Names are typed in once.
        players = before or _players_without_names(1)
        config = replace(config, games=replace(config.games, players=players))
    return open_session(wanted, config, journal)


def _players_without_names(count: int) -> tuple[str, ...]:
    return tuple(unnamed(number) for number in range(1, count + 1))


def environment_from(config: Config) -> Environment:
    """The environment that the configuration settles."""
    names = check_names(config.games.players)
    # Nobody has played as PLAYER 1 yet, so nobody is asked whether they play again.
    setup = Setup(config.games.game, () if names == GamesConfig().players else names)
    return Environment(
        games=tuple(GAMES),
        settings=Settings().with_game_begun(setup) if setup.players else Settings(names, (setup,)),
        house=house_options(config),
        brightness=config.scoreboard.brightness,
    )


def open_voice(config: Config, stack: ExitStack, device: Callable[[], str] = str) -> Voice:
    """A voice, which ends with the stack; a mute one where there can be none.

    `device` finds that of ALSA, empty for the default one.
    """
    if can_speak():
        return stack.enter_context(Speaker(device()))
    if config.sound.voice:
        log.warning("no voice: %s is not installed; look at: dicetray doctor", PROGRAM)
    return Mute()


def speaks_at_first(voice: Voice, config: Config) -> bool | None:
    """True if a voice speaks where nobody has chosen in the menu; None where it cannot."""
    return None if isinstance(voice, Mute) else config.sound.voice


def _parse_first_seat(text: str, game: str, players: int) -> int | str:
    """The seat as rules and records count it, from 0; people count from 1."""
    can_roll = ROLL_OFF in GAMES[game].options[seat_option(game)]
    if text == ROLL_OFF and can_roll:
        return text
    if not text.isdecimal():
        either = "roll-off or " if can_roll else ""
        raise ConfigError(f"--first: expected {either}a number from 1, found {text!r}")
    if not 1 <= int(text) <= players:
        seats = (
            "1, the only player" if players == 1 else f"1 to {players}, one of {players} players"
        )
        raise ConfigError(f"--first: expected {seats}, found {text}")
    return int(text) - 1
