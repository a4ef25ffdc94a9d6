"""The games on disk, whoever played them: what `games` and `stats` read."""

import argparse
import re
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from string import ascii_uppercase
from typing import NamedTuple

from appliance.config import Config, load
from appliance.config.paths import DEFAULT_FILE, journal_path, state_folder
from appliance.errors import ApplianceError, ConfigError, JournalError, NoSuchGame
from appliance.journal.library import SETTINGS
from appliance.journal.lock import claimed
from appliance.journal.origin import FILES, LETTERS, Origin, origin_of
from appliance.journal.reader import JournalReader
from appliance.journal.reading import files_of, has_games, reading
from appliance.journal.saved_game import SavedGame
from appliance.journal.summary import Summary, record_of
from appliance.journal.taking_in import take_in_old
from appliance.journal.totals import Group, Totals
from appliance.table.menu.settings import from_text
from appliance.words import say, set_language
from games.record import Record
from vision.files.ordinary import check_distinct, open_to_write, ordinary_path

QUIET_S = 3.0
"""Seconds of processor after which it is said, and said again, how far counting is."""

EXIT_PARTLY = 1
"""Exit status where some games could not be read: they are reported, the others are output."""


class SavedEntry(NamedTuple):
    """A game on disk: who played it, its journal, the file it is in, what is known about it.

    `filed` is whose games the file is for: almost always who played.
    """

    origin: Origin
    journal: JournalReader
    path: Path
    entry: Summary
    filed: Origin

    @property
    def number(self) -> str:
        """The game's number for people, unique among the games of all files: 12, K12 or D12."""
        return f"{LETTERS[self.filed]}{self.entry.id}"

    def record(self) -> Record:
        """The game; raises JournalError if it cannot be read."""
        return record_of(self.stored())

    def stored(self) -> SavedGame:
        """The game as it is on the disk; raises JournalError if it cannot be read."""
        return self.journal.load(self.entry.id)


@dataclass(frozen=True, slots=True)
class _GameFile:
    """A file of games. With `alone` its games are called after whoever played them."""

    origin: Origin
    path: Path
    journal: JournalReader
    alone: bool

    def entry(self, summary: Summary) -> SavedEntry:
        whose = origin_of(summary.version, self.origin)
        filed = whose if self.alone else self.origin
        return SavedEntry(whose, self.journal, self.path, summary, filed)


class SavedGames:
    """The games named by the arguments or the configuration.

    Args:
        files: where they are.
        origin: whose games are meant; None for all.
        whole: whether all files could be read.

    Attributes:
        whole: likewise.
        paths: the files' names.
        left: how many megabytes are counted, and how many there are, if counting was given up.
    """

    def __init__(self, files: Sequence[_GameFile], origin: str | None, *, whole: bool) -> None:
        self._files = files
        self._origin = origin
        self.whole = whole
        self.paths = tuple(file.path for file in files)
        self.left: tuple[int, int] | None = None

    def __iter__(self) -> Iterator[SavedEntry]:
        """All games, file by file, in no order."""
        for file in self._files:
            for row in filter(None, file.journal.counted(told=_Progress().told)):
                yield from filter(self._is_meant, map(file.entry, row.summaries()))

    def in_order(self) -> list[SavedEntry]:
        """All games, file by file, in the order of their numbers."""
        return sorted(self, key=lambda game: (self.paths.index(game.path), game.entry.id))

    def _is_meant(self, game: SavedEntry) -> bool:
        return self._origin in (None, game.origin)

    def with_number(self, number: str) -> SavedEntry:
        """The game with a number, whose letter may be left out where one alone has it.

        NoSuchGame if there is none; JournalError if several have it.
        """
        those = []
        for file in self._files:
            with suppress(NoSuchGame):
                game = file.entry(file.journal.summary(int(number.lstrip(ascii_uppercase))))
                if self._is_meant(game) and number in (game.number, str(game.entry.id)):
                    those.append(game)
        exact = [game for game in those if game.number == number]
        if not those:
            shown = "`dicetray games list` shows those there are"
            raise NoSuchGame(f"there is no game {number}", shown)
        if len(those) > 1 and len(exact) != 1:
            whose = " and ".join(game.number for game in those)
            raise JournalError(
                f"there is more than one game {number}: {whose}", "name one of these"
            )
        return (exact or those)[0]

    def latest(self) -> SavedEntry:
        """The game begun or resumed last: of the appliance, else of others; NoSuchGame for none."""
        for file in self._files:
            for going in file.journal.going()[:1]:
                with suppress(NoSuchGame):
                    game = file.entry(file.journal.summary(going.number))
                    if self._is_meant(game) and game.origin is file.origin:
                        return game
        order = tuple(Origin).index
        latest = min(self, key=lambda g: (order(g.origin), -g.entry.opened), default=None)
        if latest is None:
            raise NoSuchGame("there is no game yet", "play one first")
        return latest

    def played(self, *, all_trays: bool, within_s: float | None) -> dict[Origin, Group]:
        """The counts of those who played, by origin.

        Args:
            all_trays: whether games of other trays count, too.
            within_s: seconds after which what is not counted yet is `left`; None for no limit.
        """
        found = {origin: Group() for origin in Origin if self._origin in (None, origin)}
        ends_s = None if within_s is None else time.monotonic() + within_s
        for file in self._files:
            totals, progress = Totals(None if all_trays else file.journal.own_trays()), _Progress()
            for row in file.journal.counted(games=False, told=progress.told):
                if row is not None:
                    totals.add(row.totals)
                elif ends_s is not None and time.monotonic() > ends_s:
                    self.left = progress.megabytes
                    break
            for origin, group in found.items():
                group.join(totals.of(origin, file.origin))
        return found


class _Progress:
    """Says now and then how far counting is, once it has taken long."""

    def __init__(self) -> None:
        self._told_s = time.process_time()
        self.megabytes = 0, 0

    def told(self, done: int, there: int) -> None:
        """Takes in how many bytes are counted, and how many there are."""
        self.megabytes = done // 1_000_000, max(1, there // 1_000_000)
        if time.process_time() - self._told_s > QUIET_S:
            self._told_s = time.process_time()
            print(still_counting(*self.megabytes), file=sys.stderr, flush=True)


def still_counting(done: int, there: int) -> str:
    """Says how many megabytes of games are counted, and how many there are."""
    return say("STILL COUNTING: {done} OF {all} MB", done=done, all=there)


def add_journal_arguments(command: argparse.ArgumentParser) -> None:
    """Adds the arguments that select the games on disk: `--config`, `--journal`, `--of`."""
    add = command.add_argument
    add("--config", type=ordinary_path, help="configuration file (TOML)")
    journal = "file of games; default: those of the service and of `dicetray play`"
    add("--journal", type=ordinary_path, help=journal)
    whose = "only games at a real tray, at a keyboard or of the demo"
    add("--of", choices=[origin.value for origin in Origin], help=whose)


@contextmanager
def saved_games(args: argparse.Namespace) -> Iterator[SavedGames]:
    """The games named by the arguments or the configuration.

    ConfigError for a bad configuration; JournalError where there are no files, or none can be read.
    """
    found: list[_GameFile] = []
    wrong: list[JournalError] = []
    files = _game_files(args)
    with ExitStack() as stack:
        for origin, path in files:
            try:
                if not _file_exists(path):
                    continue
                journal = stack.enter_context(reading(path))
                journal.top()
                if language := from_text(journal.remembered(SETTINGS) or "").language:
                    set_language(language)
            except JournalError as error:
                wrong.append(error)
                continue
            found.append(_GameFile(origin, path, journal, len(files) == 1))
        if not found:
            nothing = f"{files[0][1]}: there are no saved games; the file does not exist"
            raise wrong[0] if wrong else JournalError(nothing, "play one first")
        for problem in wrong:
            _report_left_out(problem)
        yield SavedGames(found, args.of, whole=not wrong)


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


def records_of(games: Iterable[SavedEntry]) -> Iterator[tuple[SavedEntry, Record]]:
    """The records of games; one that cannot be read is reported, and does not hide the others."""
    for game in games:
        try:
            yield game, game.record()
        except JournalError as error:
            _report_left_out(error)


class OutputError(ApplianceError, OSError):
    """The requested output cannot be written."""


def write_out(file: Path, text: str, games: SavedGames) -> None:
    """Writes the text made from games; OutputError if it cannot, or would replace the games."""
    try:
        _check_distinct(file, games)
        with open_to_write(file) as out:
            out.write(text.encode())
    except OSError as error:
        raise OutputError(f"{file}: cannot be written: {error.strerror}") from error


def write_picture(file: Path, svg: str, games: SavedGames) -> None:
    """Writes a picture made from games; OutputError as `write_out`, or if the name is no SVG's."""
    _check_distinct(file, games)
    if file.suffix.lower() != ".svg":
        raise OutputError(f"{file}: expected a name that ends in .svg")
    write_out(file, svg, games)


def _check_distinct(file: Path, games: SavedGames) -> None:
    for path in games.paths:
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
