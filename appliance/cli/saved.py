"""The games on disk, whoever played them: what `games` and `stats` read."""

import argparse
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from appliance.config import Config, load
from appliance.config.paths import DEFAULT_FILE, journal_path, state_folder
from appliance.errors import ConfigError, JournalError, NoSuchGame
from appliance.journal.database import GameEntry, Journal
from appliance.journal.origin import FILES, Origin, origin_of
from appliance.journal.reading import reading
from appliance.rules.record import Record
from appliance.stats.tally import record_of

PARTLY = 1
"""Exit status where not all games could be read: what is wrong is said, the others come out."""


@dataclass(frozen=True, slots=True)
class SavedEntry:
    """A game on disk: who played it, where it is read, the file it lies in, what is known of it."""

    origin: Origin
    journal: Journal
    path: Path
    entry: GameEntry

    def record(self) -> Record:
        """The game; raises JournalError if it cannot be read."""
        return record_of(self.journal.load(self.entry.id))


def add_journal_arguments(command: argparse.ArgumentParser) -> None:
    """Adds what names the games on disk: `--config`, `--journal`, `--of`."""
    command.add_argument("--config", type=Path, help="configuration file (TOML)")
    command.add_argument(
        "--journal",
        type=Path,
        help="file with the games; default: those of the appliance and of `dicetray play`",
    )
    command.add_argument(
        "--of", choices=tuple(Origin), help="only games of the appliance, a keyboard or the demo"
    )


@contextmanager
def saved_games(args: argparse.Namespace) -> Iterator[tuple[tuple[SavedEntry, ...], bool]]:
    """The games that the arguments or the configuration name, and whether that is all there are.

    Raises:
        ConfigError: the configuration cannot be used.
        JournalError: there are no such files, or none can be read; one of several is only named.
    """
    found: list[SavedEntry] = []
    files, whole, read = journal_files(args), True, 0
    with ExitStack() as stack:
        for origin, path in files:
            try:
                journal, salvage = stack.enter_context(reading(path))
                entries = journal.entries()
            except JournalError as error:
                if path is files[-1][1] and not read:
                    raise
                _say_left_out(error)
                whole = False
                continue
            read += 1
            if salvage is not None:
                whole = False
                print(
                    f"{path}: is damaged ({salvage.fault}), {salvage.games} games with "
                    f"{salvage.lines} lines can be read",
                    file=sys.stderr,
                )
            found += (
                SavedEntry(origin_of(entry.version, origin), journal, path, entry)
                for entry in entries
            )
        yield tuple(game for game in found if args.of in (None, game.origin)), whole


def numbered(games: Iterable[SavedEntry], number: int) -> SavedEntry:
    """The game of a number; JournalError where there is none, or one in several files."""
    those = [game for game in games if game.entry.id == number]
    if not those:
        raise NoSuchGame(
            f"there is no game {number}", "`dicetray games list` shows those there are"
        )
    if len(those) > 1:
        whose = ", ".join(game.origin for game in those)
        raise JournalError(f"game {number}: expected one, found one each of {whose}", "add --of")
    return those[0]


def records_of(games: Iterable[SavedEntry]) -> Iterator[tuple[SavedEntry, Record]]:
    """The records of games; one that cannot be read is named, and does not hide the others."""
    for game in games:
        try:
            yield game, game.record()
        except JournalError as error:
            _say_left_out(error)


def _say_left_out(error: JournalError) -> None:
    print(f"left out: {error}", file=sys.stderr)


def journal_files(args: argparse.Namespace) -> list[tuple[Origin, Path]]:
    """The files that are there, and whose they are; raises as `saved_games` does."""
    path: Path | None = args.journal
    files = [(Origin.APPLIANCE, path)] if path is not None else []
    if path is None:
        file = args.config or DEFAULT_FILE
        path = journal_path(load(file) if args.config or file.exists() else Config())
        files = [(Origin.APPLIANCE, path)]
        with suppress(ConfigError):
            files += ((origin, state_folder(make=False) / name) for origin, name in FILES.items())
    try:
        there = [(origin, path) for origin, path in files if path.is_file()]
    except OSError as error:
        raise JournalError(f"{path}: expected saved games, found: {error.strerror}") from error
    if not there:
        raise JournalError(f"{path}: expected saved games, found no such file", "play one first")
    return there
