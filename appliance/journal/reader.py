"""The games on disk, for whoever only reads them, whoever plays meanwhile."""

import errno
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import ClassVar, Self

from appliance.errors import JournalError, JournalGone, NoSuchGame
from appliance.journal.counting import Counting, key_of
from appliance.journal.files import Files, MemoryFiles, folder_of
from appliance.journal.going import Going, game_of, games_going, names_going, read_going
from appliance.journal.held import Held
from appliance.journal.index import Index, Row
from appliance.journal.kept import DELETED, SETTINGS, read_kept
from appliance.journal.lock import refuse_strange
from appliance.journal.old_journal import Kind, kind_of
from appliance.journal.origin import Origin, origin_of
from appliance.journal.packs import Pack, PackedGame, Packs, greatest
from appliance.journal.saved_game import SavedGame, saved_game
from appliance.journal.summary import Summary, count_game
from appliance.journal.sums import Lines
from appliance.journal.tray import read_tray
from appliance.journal.untold import Damage, read_untold

MEMORY = ":memory:"
"""The path of a journal without files."""

DONE = "done"
"""Follows the identities of deleted games when nothing of them is left in any file."""


class JournalReader:
    """The games on disk. Nothing is written, locked or mended.

    Args:
        path: the journal's path; the folder of that must exist. ":memory:" keeps nothing.
        patience_s: seconds to wait for another program that gives a number to a game.
        origin: who plays the games that are begun.
        files: where the games are; None for the folder that the path stands for.

    Raises:
        StrangeJournal: it is of a later version, or of another program, or no ordinary file.
        JournalError: it cannot be opened.
    """

    _WRITES: ClassVar[bool] = False

    def __init__(
        self,
        path: Path | str,
        *,
        patience_s: float = 5.0,
        origin: Origin = Origin.APPLIANCE,
        files: Files | None = None,
    ) -> None:
        self._path = Path(path)
        self.origin = origin
        self._index: Index | None = None
        if files is None and str(path) == MEMORY:
            files = MemoryFiles()
        elif files is None:
            refuse_strange(self._path, writing=self._WRITES)
            if not self._path.parent.is_dir():
                raise JournalError(
                    f"{self._path}: expected a folder to keep it in, found none",
                    "name another file as `journal` under [games], or with --journal",
                )
            if kind_of(self._path) in (Kind.OLD, Kind.RUIN):
                raise JournalError(
                    f"{path}: expected games of this version, found those of an earlier one",
                    "start dicetray once, which takes them in",
                )
            files = Files(folder_of(self._path), patience_s=patience_s)
            self._index = Index(self._path, read_only=not self._WRITES)
        self.files = files
        self._packs = Packs(files)

    @property
    def path(self) -> Path:
        """The journal's path."""
        return self._path

    @contextmanager
    def _raising_journal_errors(self) -> Iterator[None]:
        try:
            yield
        except JournalError:
            raise
        except FileNotFoundError as error:
            raise JournalGone(
                f"{self._path}: expected the file that was written, found {error}",
                "it is written anew",
            ) from error
        except OSError as error:
            if error.errno == errno.ENOMEM:
                raise MemoryError from error
            done = "written" if self._WRITES else "read"
            raise JournalError(
                f"{self._path}: the journal cannot be {done}: {error.strerror or error}",
                "check the disk and the folder's owner",
            ) from error

    def last(self) -> SavedGame | None:
        """The game last begun or resumed by those who play now; None if there is none.

        Also none if that was deleted.

        Raises:
            JournalError: it cannot be read.
        """
        with self._raising_journal_errors():
            for going in reversed(names_going(self.files)):
                if going.deleted:
                    return None
                saved = saved_game(going.number, read_going(self.files, going))
                if origin_of(saved.version) is self.origin:
                    return saved
        return None

    def going(self) -> list[Going]:
        """The games that have files of their own, by their names, the one opened last first."""
        with self._raising_journal_errors():
            return games_going(self.files)[::-1]

    def resumable(self, going: Going) -> SavedGame | None:
        """A game, if it can be resumed: not if it cannot be read, or nothing has happened in it."""
        with self._raising_journal_errors():
            saved = game_of(self.files, going)
            return saved if saved and saved.lines and not saved.ended else None

    def top(self) -> int:
        """The greatest number that a game has had; 0 if there is none."""
        with self._raising_journal_errors():
            return greatest(self.files, self._packs)[0]

    def has_finished(self) -> bool:
        """True if a game was played to its end; those in packs were, whoever played them."""
        with self._raising_journal_errors():
            if self._packs.names():
                return True
            latest = next((s for one in self.going() if (s := game_of(self.files, one))), None)
            return bool(latest and latest.ended and origin_of(latest.version) is self.origin)

    def load(self, game: int) -> SavedGame:
        """A game by its number.

        Raises:
            NoSuchGame: there is none with that number.
            JournalError: its first lines are lost, or the disk refuses.
        """
        with self._raising_journal_errors():
            fault: JournalError = self.no_game(game)
            for going in self._own_file(game):
                try:
                    return saved_game(game, read_going(self.files, going))
                except JournalError as error:
                    # It may have been packed just before.
                    fault = error
                except FileNotFoundError:
                    pass
            packed = self._packed(game)
            if packed is None:
                raise fault
            return packed.saved

    def _own_file(self, game: int) -> list[Going]:
        return [one for one in games_going(self.files) if one.number == game]

    def _packed(self, number: int) -> PackedGame | None:
        """The game with a number in a pack; None if no pack has it."""
        going = names_going(self.files)
        if going and number > max(g.top for g in going):
            return None
        rows = {} if self._index is None else self._index.rows(games=False)
        for name in reversed(self._packs.names()):
            row = rows.get(name)
            known = row is not None and (row.size, row.last) == key_of(self.files, name)
            if row is None or not known or number in row.numbers:
                with suppress(FileNotFoundError):
                    for game in Pack.read(self.files, name).games:
                        if game.number == number:
                            return game
        return None

    def no_game(self, game: int) -> NoSuchGame:
        """The error for a number that no game has."""
        return NoSuchGame(
            f"{self._path}: there is no game {game}", "`dicetray games list` shows those there are"
        )

    def summary(self, number: int) -> Summary:
        """The summary of a game; raises NoSuchGame, and JournalError if the disk refuses."""
        try:
            return count_game(self.load(number), 0)[0]
        except NoSuchGame:
            raise
        except JournalError as error:
            return Summary(number, "", "", 0, "", "", False, fault=str(error))

    def counted(
        self, *, games: bool = True, told: Callable[[int, int], None] | None = None
    ) -> Iterator[Row | None]:
        """The counts of all games, and None after each step that takes time.

        Args:
            games: whether all about each game is asked for, not only what they add up to.
            told: called with how many bytes of the packs are counted, and how many there are.

        Raises:
            JournalError: the disk refuses.
        """
        with self._raising_journal_errors():
            counting = Counting(self.files, self._index, self.deleted(), games=games)
            for row in counting:
                if told is not None:
                    told(counting.done, counting.all)
                yield row

    def games(self) -> Iterator[SavedGame]:
        """All games as they are on the disk; those that cannot be read are left out."""
        seen: set[str] = set()
        with self._raising_journal_errors():
            for saved in filter(None, (game_of(self.files, one) for one in self.going())):
                seen.add(saved.identity)
                yield saved
            for game in self._packs.games():
                if game.identity not in seen:
                    seen.add(game.identity)
                    with suppress(JournalError):
                        yield game.saved

    def newest(self, ended: int) -> Iterator[tuple[int, Lines]]:
        """The lines of all games going on, and of so many ended ones, the newest first.

        Each comes with its number. JournalError if the disk refuses.
        """
        with self._raising_journal_errors():
            for going in self.going():
                with suppress(FileNotFoundError):
                    yield going.number, read_going(self.files, going)
            for game in islice(self._packs.games(), ended):
                yield game.number, game.lines

    def identities(self) -> dict[str, int]:
        """The numbers of all games by their identities; those that cannot be read are left out."""
        with self._raising_journal_errors():
            return Held(self.files).look().numbers()

    def is_last(self, game: int) -> bool:
        """True if a game is the one opened last, which somebody may be playing."""
        with self._raising_journal_errors():
            going = games_going(self.files)
            return bool(going) and going[-1].number == game

    def settings_texts(self) -> tuple[str, ...]:
        """The lines that keep all settings."""
        with self._raising_journal_errors():
            return read_kept(self.files, SETTINGS).texts

    def remembered(self, name: str) -> str | None:
        """The setting kept under a name; None if there is none."""
        with self._raising_journal_errors():
            return self._settings().get(name)

    def _settings(self) -> dict[str, str]:
        pairs = (text.partition(" ") for text in read_kept(self.files, SETTINGS).texts)
        return {name: json.loads(value) for name, _, value in pairs}

    def own_trays(self) -> frozenset[str]:
        """The identities of trays whose games are this family's."""
        with self._raising_journal_errors():
            return read_tray(self.files).all

    def deleted(self) -> frozenset[str]:
        """The identities of games that were deleted."""
        with self._raising_journal_errors():
            return frozenset(read_kept(self.files, DELETED).texts) - {DONE}

    def untold(self) -> tuple[Damage, ...]:
        """The damage or loss that was found, and that nobody has been told of yet."""
        with self._raising_journal_errors():
            return read_untold(self.files)

    def close(self) -> None:
        """Closes all files."""
        self.files.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
