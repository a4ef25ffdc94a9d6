"""The games on disk, whoever played them: what `games` and `stats` read."""

import argparse
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from appliance.config import Config, load
from appliance.config.paths import DEFAULT_FILE, journal_path, state_folder
from appliance.errors import ApplianceError, ConfigError, JournalError, NoSuchGame
from appliance.journal.journal import Journal
from appliance.journal.library import Library
from appliance.journal.lock import claimed
from appliance.journal.origin import FILES, LETTERS, Origin, origin_of
from appliance.journal.reading import files_of, has_games, reading
from appliance.journal.summary import Summary, record_of
from appliance.journal.taking_in import take_in_old
from appliance.rules.record import Record
from appliance.table.menu.settings import Settings
from appliance.words import set_language
from vision.ordinary import check_distinct, open_to_write, ordinary_path

EXIT_PARTLY = 1
"""Exit status where some games could not be read: they are reported, the others are output."""


@dataclass(frozen=True, slots=True)
class SavedEntry:
    """A game on disk: who played it, its journal, the file it is in, what is known about it.

    `filed` is whose games the file is for: almost always who played.
    """

    origin: Origin
    journal: Journal
    path: Path
    entry: Summary
    filed: Origin

    @property
    def number(self) -> str:
        """What people call it, unique among the games of all files: 12, K12 or D12."""
        return f"{LETTERS[self.filed]}{self.entry.id}"

    def record(self) -> Record:
        """The game; raises JournalError if it cannot be read."""
        return record_of(self.journal.load(self.entry.id))


def add_journal_arguments(command: argparse.ArgumentParser) -> None:
    """Adds the arguments that select the games on disk: `--config`, `--journal`, `--of`."""
    add = command.add_argument
    add("--config", type=ordinary_path, help="configuration file (TOML)")
    journal = "file of games; default: those of the service and of `dicetray play`"
    add("--journal", type=ordinary_path, help=journal)
    whose = "only games at a real tray, at a keyboard or of the demo"
    add("--of", choices=[origin.value for origin in Origin], help=whose)


@contextmanager
def saved_games(args: argparse.Namespace) -> Iterator[tuple[tuple[SavedEntry, ...], bool]]:
    """The games named by the arguments or the configuration, and whether all could be read.

    ConfigError for a bad configuration; JournalError where there are no files, or none can be read.
    """
    found: list[SavedEntry] = []
    wrong: list[JournalError] = []
    files = _game_files(args)
    read = False
    with ExitStack() as stack:
        for origin, path in files:
            try:
                if not _file_exists(path):
                    continue
                journal = stack.enter_context(reading(path))
                entries = tuple(journal.summaries())
                if language := Library(journal).settings(Settings()).language:
                    set_language(language)
            except JournalError as error:
                wrong.append(error)
                continue
            read = True
            for entry in entries:
                whose = origin_of(entry.version, origin)
                filed = whose if len(files) == 1 else origin
                found.append(SavedEntry(whose, journal, path, entry, filed))
        if not read:
            nothing = f"{files[0][1]}: there are no saved games; the file does not exist"
            raise wrong[0] if wrong else JournalError(nothing, "play one first")
        for problem in wrong:
            _report_left_out(problem)
        yield tuple(g for g in found if args.of in (None, g.origin)), not wrong


def take_in_old_games(args: argparse.Namespace) -> None:
    """Takes in games of an earlier version, so that they can be changed, unless somebody plays."""
    for _, path in _game_files(args):
        with suppress(OSError):
            if has_games(path):
                with claimed(path):
                    take_in_old(path)


def game_number(text: str) -> str:
    """A game's number as typed, for argparse, which is told if it is none."""
    if not re.fullmatch(r"[A-Z]?[0-9]+", number := text.upper()):
        raise argparse.ArgumentTypeError(
            f"expected a number as `games list` shows it, found {text}"
        )
    return number


def game_with_number(games: Iterable[SavedEntry], number: str) -> SavedEntry:
    """The game with a number, whose letter may be left out where one alone has it.

    NoSuchGame if there is none; JournalError if several have it.
    """
    those = [game for game in games if number in (game.number, str(game.entry.id))]
    exact = [game for game in those if game.number == number]
    if not those:
        shown = "`dicetray games list` shows those there are"
        raise NoSuchGame(f"there is no game {number}", shown)
    if len(those) > 1 and len(exact) != 1:
        whose = " and ".join(game.number for game in those)
        raise JournalError(f"there is more than one game {number}: {whose}", "name one of these")
    return (exact or those)[0]


def records_of(games: Iterable[SavedEntry]) -> Iterator[tuple[SavedEntry, Record]]:
    """The records of games; one that cannot be read is reported, and does not hide the others."""
    for game in games:
        try:
            yield game, game.record()
        except JournalError as error:
            _report_left_out(error)


def readable(games: Iterable[SavedEntry]) -> Iterator[SavedEntry]:
    """The games that can be read; one that cannot is reported, and does not hide the others."""
    for game in games:
        if game.entry.fault:
            print(f"left out: {game.entry.fault}", file=sys.stderr)
        else:
            yield game


class OutputError(ApplianceError, OSError):
    """The requested output cannot be written."""


def write_out(file: Path, text: str, games: Iterable[SavedEntry]) -> None:
    """Writes the text made from games; OutputError if it cannot, or would replace the games."""
    try:
        _check_distinct(file, games)
        with open_to_write(file) as out:
            out.write(text.encode())
    except OSError as error:
        raise OutputError(f"{file}: cannot be written: {error.strerror}") from error


def write_picture(file: Path, svg: str, games: Iterable[SavedEntry]) -> None:
    """Writes a picture made from games; OutputError as `write_out`, or if the name is no SVG's."""
    games = tuple(games)
    _check_distinct(file, games)
    if file.suffix.lower() != ".svg":
        raise OutputError(f"{file}: expected a name that ends in .svg")
    write_out(file, svg, games)


def _check_distinct(file: Path, games: Iterable[SavedEntry]) -> None:
    for path in {game.path for game in games}:
        check_distinct(file, files_of(path))


def _report_left_out(error: JournalError) -> None:
    print(f"left out: {error}", file=sys.stderr)


def _game_files(args: argparse.Namespace) -> list[tuple[Origin, Path]]:
    """The files to read, and whose games they hold."""
    if args.journal is not None:
        return [(Origin.APPLIANCE, args.journal)]
    file = args.config or DEFAULT_FILE
    config = load(file) if args.config or file.exists() else Config()
    set_language(config.scoreboard.language)
    files = [(Origin.APPLIANCE, journal_path(config))]
    with suppress(ConfigError):
        files += ((origin, state_folder(make=False) / name) for origin, name in FILES.items())
    return files


def _file_exists(path: Path) -> bool:
    try:
        return has_games(path)
    except OSError as error:
        raise JournalError(f"{path}: the saved games cannot be read: {error.strerror}") from error
