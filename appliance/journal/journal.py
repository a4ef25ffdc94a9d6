"""Every line of every game on disk before the board shows it: a file for each game going on.

Beside the path of a journal, `games.sqlite3`, is a folder `games` with

- `going/`: games that are not over, and the one opened last (`appliance.journal.going`)
- `packs/`: ended games (`appliance.journal.packs`)
- `settings`: what is remembered of the last time
- `tray`: which tray this is (`appliance.journal.tray`)
- `deleted`: the identities of games that were deleted, so that nothing brings them back
- `untold`: damages that nobody has been told of (`appliance.journal.untold`)
- `scrubbed`: how far everything has been read and compared (`appliance.journal.scrub`)
- `damaged/`: files whose lines are lost, as they were found
- `second/`: the same again, written apart in time

`games.sqlite3` itself is an index of the games (`appliance.journal.index`), which may be lost.
Earlier versions kept the games in it (`appliance.journal.old_journal`).
"""

import errno
import json
import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from secrets import token_hex
from typing import Self

from appliance.errors import DamagedGame, JournalError, JournalGone, NoSuchGame
from appliance.journal.bringing import BRINGING, bring_in
from appliance.journal.counting import Counting, is_indexed
from appliance.journal.files import DiskFiles, Files, MemoryFiles, folder_of, read_places
from appliance.journal.going import GOING, Going, Written, games_going, read_going, strays
from appliance.journal.index import Index, Span
from appliance.journal.kept import (
    add_kept,
    even_out_kept,
    read_kept,
    write_first,
    write_kept,
)
from appliance.journal.lock import refuse_strange
from appliance.journal.old_journal import Kind, kind_of, marks_of
from appliance.journal.origin import Origin, origin_of
from appliance.journal.packed import Packs
from appliance.journal.packs import (
    PACKS,
    SECOND,
    PackedGame,
    differ_in_size,
    game_standing_at,
    lines_of,
)
from appliance.journal.places import Places
from appliance.journal.saved_game import (
    Options,
    SavedGame,
    players_text,
    saved_game,
    texts_of,
)
from appliance.journal.scrub import Scrub
from appliance.journal.summary import Summary, count_game
from appliance.journal.sums import Lines, encode
from appliance.journal.tray import (
    TRAY,
    known_tray,
    new_identity,
    read_tray,
    this_machine,
    written_tray,
)
from appliance.journal.untold import (
    Damage,
    forget_untold,
    keep_damaged,
    note_untold,
    read_untold,
)
from vision.atomic import sync_folder

log = logging.getLogger(__name__)

MEMORY = ":memory:"
"""The path of a journal without files."""

_LOOKED_AT = 8
"""Games put aside that are looked at in one go: reading them takes some milliseconds each."""

_SETTINGS = "settings"
_DELETED = "deleted"
_KEPT = (TRAY, _SETTINGS, _DELETED)
_DONE = "done"
"""Follows the identities of deleted games when nothing of them is left in any file."""


class Journal:
    """The games on disk.

    Args:
        path: the journal's path; the folder of that must exist. ":memory:" keeps nothing.
        read_only: nothing is written.
        patience_s: seconds to wait for another program that gives a number to a game.
        origin: who plays the games that are begun.
        files: where the games are; None for the folder that the path stands for.

    Raises:
        StrangeJournal: it is of a later version, or of another program, or no ordinary file.
        JournalError: it cannot be opened.
    """

    def __init__(
        self,
        path: Path | str,
        *,
        read_only: bool = False,
        patience_s: float = 5.0,
        origin: Origin = Origin.APPLIANCE,
        files: Files | None = None,
    ) -> None:
        self._path = Path(path)
        self.origin = origin
        self._read_only = read_only
        self._index: Index | None = None
        if files is None:
            files = MemoryFiles()
            if str(path) != MEMORY:
                refuse_strange(self._path, writing=not read_only)
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
                files = DiskFiles(folder_of(self._path), patience_s=patience_s)
                self._index = Index(self._path, read_only=read_only)
        self.files = files
        self._packs = Packs(files, self.note_untold)
        self._scrub = Scrub(files, self._packs, self._changing, self.mend, self.note_untold)
        self._places = Places(files, self._packs)
        # What nobody has been told of; None until it is read.
        self._untold: tuple[Damage, ...] | None = None
        self._written: Written | None = None
        # Games that were put aside, and have been looked after.
        self._aside: set[Going] = set()
        self._holding = False
        # Whether settings and tray are still to be written, or synced: a slow card takes its time.
        self._settings_late = False
        self._tray_late = False
        # Packs that the index has, as `Counting.counted` says.
        self._indexed: dict[str, tuple[int, int]] = {}

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
            done = "read" if self._read_only else "written"
            raise JournalError(
                f"{self._path}: the journal cannot be {done}: {error.strerror or error}",
                "check the disk and the folder's owner",
            ) from error

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Keeps other programs from giving numbers or moving games meanwhile."""
        with self._raising_journal_errors():
            if self._holding:
                yield
                return
            with self.files.locked():
                self._holding = True
                try:
                    yield
                finally:
                    self._holding = False

    # ---- the game going on -------------------------------------------------------------------

    def begin(
        self, game: str, edition: str, players: Sequence[str], options: Options, version: str
    ) -> int:
        """Begins a new game; returns its number. On disk when it returns."""
        saved = SavedGame(0, game, edition, tuple(players), tuple(options), version, False, ())
        with self._changing():
            return self._write_new(saved)

    def _write_new(self, saved: SavedGame, number: int | None = None) -> int:
        """Writes a game as the one opened last; its number, the next one if none is given."""
        going = games_going(self.files)
        top, opened = self._greatest(going)
        number = number or top + 1
        name = Going(opened + 1, number, max(top, number))
        saved = replace(saved, id=number, identity=saved.identity or token_hex(16))
        if not saved.tray:
            saved = replace(saved, tray=self._tray())
        self._leave()
        self._written = Written.begun(self.files, name, list(texts_of(saved)), ended=saved.ended)
        for older in going:
            # It said only that no other game is the present one, or was the same game, illegible.
            if older.deleted or older.number == number:
                self._remove_files(older, sync=False)
        return number

    def _tray(self) -> str:
        """The identity of this tray; a new one is in the game first, and in its own file later."""
        if written_tray(self.files).identity:
            return known_tray(self.files, this_machine()).identity
        self._tray_late = True
        return read_tray(self.files).identity or new_identity()

    def _leave(self) -> None:
        """Brings the second place up to date before another game is written."""
        written, self._written = self._written, None
        if written is not None:
            # If the disk refuses, `tidy` does it when it looks after the games put aside.
            self._aside.discard(written.going)
            with suppress(OSError):
                written.copy(self.files, sync=True)

    def _remove_files(self, going: Going, *, sync: bool) -> None:
        self.files.remove(going.second, sync=sync)
        self.files.remove(going.name, sync=sync)

    def _greatest(self, going: Sequence[Going]) -> tuple[int, int]:
        """The greatest number of all games, and how often one was opened."""
        if going:
            return max(g.top for g in going), going[-1].opened
        packed = [(game.number, game.opened) for pack in self._packs.all() for game in pack.games]
        return max((n for n, _ in packed), default=0), max((o for _, o in packed), default=0)

    def append(self, game: int, seq: int, lines: Sequence[str], *, ended: bool = False) -> None:
        """Appends lines to a game, oldest first. On disk when it returns.

        Args:
            game: the game's number.
            seq: the number of the first of these lines, which is how many are there already.
            lines: the texts.
            ended: whether the game is over after them.

        Raises:
            JournalGone: the game or lines before these are no longer in the file.
            JournalError: the disk refuses, or a line with that number is there already.
        """
        with self._raising_journal_errors():
            written = self._writing(game)
            if written.lines < seq:
                raise JournalGone(
                    f"{self._path}: game {game} has fewer than {seq} lines", "they are written anew"
                )
            if written.lines > seq:
                raise JournalError(
                    f"{self._path}: game {game} has a line {seq} already", "start again"
                )
            written.append(self.files, list(lines), ended=ended)

    def _writing(self, game: int) -> Written:
        """The file of a game, to append to; JournalGone if there is no such game."""
        written = self._written
        if written is not None and written.going.number == game:
            return written
        going = self._going(game)
        if going is not None:
            resumed = Written.resumed(going, read_going(self.files, going))
            self._leave()
            self._written = resumed
            return resumed
        with self._changing():
            packed = self._packed(game)
            if packed is None:
                raise JournalGone(f"{self._path}: game {game} is no longer there", "it is lost")
            # An ended game that goes on has a file of its own again.
            self._write_new(self._load_packed(packed), packed.number)
            self._packs.delete({packed.identity})
        assert self._written is not None
        return self._written

    def _load_packed(self, packed: PackedGame) -> SavedGame:
        return saved_game(packed.number, lines_of(self.files, packed))

    def _going(self, game: int) -> Going | None:
        found = (g for g in games_going(self.files) if g.number == game and not g.deleted)
        return next(found, None)

    def name_players(self, game: int, players: Sequence[str]) -> None:
        """Gives the players of a game, in seat order, other names. On disk when it returns.

        Raises:
            JournalGone: the game is no longer there.
            JournalError: the disk refuses.
        """
        with self._raising_journal_errors():
            self._writing(game).add(self.files, [players_text(players)])

    def open(self, game: int) -> SavedGame:
        """Resumes a game: it is the `last` from now on. On disk when it returns.

        Raises as `load`, and JournalError if the disk refuses.
        """
        with self._changing():
            # Here, as a stick may have brought more of it until now.
            saved = self.load(game)
            written = self._writing(game)
            top, opened = self._greatest(games_going(self.files))
            if written.going.opened < opened:
                now = replace(written.going, opened=opened + 1, top=top)
                self._rename(written.going, now)
                written.going = now
        return saved

    def _rename(self, old: Going, new: Going) -> None:
        self.files.rename(old.name, new.name)
        with suppress(FileNotFoundError):
            # The next start sees it if it has the old name again.
            self.files.rename(old.second, new.second, sync=False)

    # ---- what is there -----------------------------------------------------------------------

    def last(self) -> SavedGame | None:
        """The game last begun or resumed by those who play now; None if there is none.

        Also none if that was deleted.

        Raises:
            JournalError: it cannot be read.
        """
        with self._raising_journal_errors():
            for going in reversed(games_going(self.files)):
                if going.deleted:
                    return None
                saved = saved_game(going.number, read_going(self.files, going))
                if origin_of(saved.version) is self.origin:
                    return saved
        return None

    def load(self, game: int) -> SavedGame:
        """A game by its number.

        Raises:
            NoSuchGame: there is none with that number.
            JournalError: its first lines are lost, or the disk refuses.
        """
        with self._raising_journal_errors():
            going = self._going(game)
            fault: JournalError = self.no_game(game)
            if going is not None:
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
            return self._load_packed(packed)

    def _packed(self, number: int) -> PackedGame | None:
        """The game with a number in a pack; None if no pack has it."""
        going = games_going(self.files)
        if going and number > max(g.top for g in going):
            return None
        index = self._index
        if index is None:
            return self._packs.find(number, lambda _: False)
        elsewhere = set[str]()
        for span in index.with_number(number):
            at = span.places().get(number)
            if at is not None:
                # The pack may have been written anew, or damaged, since it was indexed.
                elsewhere.add(span.file)
                with suppress(OSError):
                    game = game_standing_at(self.files, span.file, at)
                    if game is not None and game.number == number:
                        return game

        def has_not(name: str) -> bool:
            return name not in elsewhere and is_indexed(self.files, index, name)

        return self._packs.find(number, has_not)

    def no_game(self, game: int) -> NoSuchGame:
        """The error for a number that no game has."""
        return NoSuchGame(
            f"{self._path}: there is no game {game}", "`dicetray games list` shows those there are"
        )

    def top(self) -> int:
        """The greatest number that a game has had; 0 if there is none."""
        with self._raising_journal_errors():
            return self._greatest(games_going(self.files))[0]

    def going(self) -> list[Going]:
        """The games that have files of their own, by their names, the one opened last first."""
        with self._raising_journal_errors():
            return [one for one in reversed(games_going(self.files)) if not one.deleted]

    def resumable(self, going: Going) -> SavedGame | None:
        """A game, if it can be resumed: not if it cannot be read, or nothing has happened in it."""
        with self._raising_journal_errors():
            try:
                saved = saved_game(going.number, read_going(self.files, going))
            except (JournalError, FileNotFoundError):
                return None
            return saved if saved.lines and not saved.ended else None

    def has_finished(self) -> bool:
        """Whether a game was played to its end; those in packs were, whoever played them."""
        with self._raising_journal_errors():
            if self._packs.names():
                return True
            for going in self.going():
                saved = saved_game(going.number, read_going(self.files, going))
                return saved.ended and origin_of(saved.version) is self.origin
            return False

    def spans(
        self, *, games: bool = True, told: Callable[[int, int], None] | None = None
    ) -> Iterator[Span | None]:
        """What is counted of all games, and None after each step that takes time.

        Args:
            games: whether all about each game is asked for, not only what they add up to.
            told: called with how many bytes of the packs are counted, and how many there are.

        Raises:
            JournalError: the disk refuses.
        """
        with self._raising_journal_errors():
            counting = Counting(self.files, self._index, self.deleted(), games=games)
            for span in counting:
                if told is not None:
                    told(counting.done, counting.all)
                yield span

    def summaries(self) -> tuple[Summary, ...]:
        """What is counted of each game, in the order of their numbers.

        Raises:
            JournalError: the disk refuses.
        """
        spans = filter(None, self.spans())
        return tuple(sorted(entry for span in spans for entry in span.summaries()))

    def summary(self, number: int) -> Summary:
        """What is counted of a game; raises NoSuchGame, and JournalError if the disk refuses."""
        try:
            return count_game(self.load(number), 0)[0]
        except NoSuchGame:
            raise
        except JournalError as error:
            return Summary(number, "", "", 0, "", "", False, fault=str(error))

    def indexing(self) -> Iterator[None]:
        """Indexes what is not indexed yet, a step at a time. Only whoever plays may do it.

        Raises:
            JournalError: the disk refuses.
        """
        if self._index is None:
            return
        with self._raising_journal_errors():
            counting = Counting(self.files, self._index, skipped=self._indexed)
            for _ in counting:
                yield
            for name, (written, size) in counting.counted.items():
                if self._indexed.get(name) != (written, size):
                    self._index.forget(name, written)
            if not self._indexed:
                # Later there is little to forget, and all rows would be gone through.
                there = {going.name for going in games_going(self.files)}
                for name in self._index.files() - there - set(self._packs.names()):
                    self._index.forget(name)
            self._indexed = counting.counted

    def games(self) -> Iterator[SavedGame]:
        """All games, in the order of their numbers; raises as `load` does."""
        for summary in self.summaries():
            yield self.load(summary.id)

    def stored(self) -> Iterator[SavedGame]:
        """All games as they are on the disk; those that cannot be read are left out."""
        seen: set[str] = set()
        with self._raising_journal_errors():
            for going in games_going(self.files):
                if not going.deleted:
                    with suppress(JournalError, FileNotFoundError):
                        saved = saved_game(going.number, read_going(self.files, going))
                        seen.add(saved.identity)
                        yield saved
            for pack in self._packs.all():
                for game in pack.games:
                    if game.identity not in seen:
                        seen.add(game.identity)
                        with suppress(JournalError):
                            yield self._load_packed(game)

    def newest(self, ended: int) -> Iterator[tuple[int, Lines]]:
        """The lines of all games going on, and of so many ended ones, the newest first.

        Each comes with its number. JournalError if the disk refuses.
        """
        with self._raising_journal_errors():
            for going in reversed(games_going(self.files)):
                if not going.deleted:
                    with suppress(FileNotFoundError):
                        yield going.number, read_going(self.files, going)
            packed = (game for pack in self._packs.all() for game in reversed(pack.games))
            for game in islice(packed, ended):
                yield game.number, lines_of(self.files, game)

    # ---- what is remembered ------------------------------------------------------------------

    def remember(self, name: str, text: str, *, sync: bool = True) -> None:
        """Keeps a setting under a name, in place of the one before.

        On disk when it returns, or if `sync` is False some rounds later, with `tidy`.
        """
        with self._changing():
            kept = {**self._settings(), name: text}
            texts = [f"{key} {json.dumps(kept[key])}" for key in sorted(kept)]
            (write_kept if sync else write_first)(self.files, _SETTINGS, texts)
            self._settings_late = not sync

    def settings_texts(self) -> tuple[str, ...]:
        """The lines that keep all settings."""
        with self._raising_journal_errors():
            return read_kept(self.files, _SETTINGS).texts

    def remembered(self, name: str) -> str | None:
        """The setting kept under a name; None if there is none."""
        with self._raising_journal_errors():
            return self._settings().get(name)

    def _settings(self) -> dict[str, str]:
        pairs = (text.partition(" ") for text in read_kept(self.files, _SETTINGS).texts)
        return {name: json.loads(value) for name, _, value in pairs}

    # ---- what is deleted, brought in, moved ---------------------------------------------------

    def deleted(self) -> frozenset[str]:
        """The identities of games that were deleted."""
        with self._raising_journal_errors():
            return frozenset(read_kept(self.files, _DELETED).texts) - {_DONE}

    def delete(self, *games: int, spared: Callable[[SavedGame], bool] | None = None) -> None:
        """Deletes games for good, all or none; nothing brings them back.

        Args:
            games: their numbers.
            spared: says whether the game opened last must stay.

        Raises:
            NoSuchGame: one of them is not there.
            JournalError: one of them must stay, or the disk refuses.
        """
        with self._changing():
            going = {g.number: g for g in games_going(self.files) if not g.deleted}
            last = max(going.values(), default=None)
            played = last is not None and last.number in games and spared is not None
            if played and last and spared and spared(self.load(last.number)):
                wanted = "end it and begin another first"
                raise JournalError(f"game {last.number} is the one being played", wanted)
            there = self.identities()
            marks = [identity for identity, number in there.items() if number in games]
            for game in games:
                if game not in going and game not in there.values():
                    raise self.no_game(game)
                with suppress(JournalError):
                    marks += (one for one in marks_of(self.load(game)) if one not in there)
            add_kept(self.files, _DELETED, dict.fromkeys(marks))
            for game in games:
                if game in going:
                    self._remove(going[game], last=going[game] == last)
            self._packs.delete(frozenset(marks))
            add_kept(self.files, _DELETED, (_DONE,), sync=False)

    def _identity_of(self, going: Going) -> str:
        with suppress(JournalError, FileNotFoundError):
            return saved_game(going.number, read_going(self.files, going)).identity
        return ""

    def _remove(self, going: Going, *, last: bool) -> None:
        if self._knows(going.number):
            self._written = None
        if last:
            none = replace(going, deleted=True)
            self.files.replace(none.second, (b"",))
            self.files.replace(none.name, (b"",))
        self._remove_files(going, sync=True)

    def identities(self) -> dict[str, int]:
        """The numbers of all games by their identities; those that cannot be read are left out."""
        with self._raising_journal_errors():
            found: dict[str, int] = {}
            for going in games_going(self.files):
                if not going.deleted and (identity := self._identity_of(going)):
                    found[identity] = going.number
            # A game that went on stands in a newer pack, too, until the older one is written anew.
            for pack in self._packs.all():
                for game in pack.games:
                    found.setdefault(game.identity, game.number)
        return found

    def bring_in(
        self,
        games: Sequence[tuple[int, SavedGame]],
        numbers: Collection[int] | None = None,
        *,
        keep_opened: bool = False,
    ) -> tuple[int, ...]:
        """Takes in whole games from elsewhere; none of them becomes the present one.

        Each keeps its number if no game has that; where there is no game yet, the order in which
        they were opened holds. On disk when it returns.

        Args:
            games: each with how often one had been opened when it was, and at most a pack full.
            numbers: those of all games in packs, if they are known; else these are read.
            keep_opened: that order holds in any case, so that one may become the present game.

        Returns:
            The numbers that they have now.

        Raises:
            JournalError: the disk refuses; call again, with those that are not there.
        """
        with self._raising_journal_errors():
            return bring_in(self.files, self._packs, games, numbers, keep_opened=keep_opened)

    def is_last(self, game: int) -> bool:
        """Whether a game is the one opened last, which somebody may be playing."""
        with self._raising_journal_errors():
            going = games_going(self.files)
            return bool(going) and going[-1].number == game

    def lengthen(self, game: int, longer: SavedGame, *, spare_last: bool = False) -> bool:
        """Gives a game the lines that it has more of elsewhere, and no other place among games.

        Args:
            game: its number.
            longer: the same game, which begins with the lines here.
            spare_last: the game opened last is left alone, as somebody may be playing it.

        Returns:
            Whether it did.

        Raises:
            NoSuchGame: it is not there.
            JournalError: the disk refuses; call again.
        """
        with self._changing():
            there = self.load(game)
            if spare_last and self.is_last(game):
                return False
            going = self._going(game)
            if longer.lines[: len(there.lines)] != there.lines:
                return False
            if going is not None:
                written = self._writing(game)
                if longer.players != there.players:
                    written.add(self.files, [players_text(longer.players)])
                more = list(longer.lines[len(there.lines) :])
                written.append(self.files, more, ended=longer.ended)
                written.copy(self.files, sync=True)
                return True
            packed = self._packed(game)
            if packed is None:
                raise self.no_game(game)
            whole = replace(longer, id=game, identity=there.identity, tray=there.tray)
            older = [pack for pack in self._packs.all() if packed in pack.games]
            if whole.ended:
                self._packs.write([(packed.opened, whole)], whole.tray)
            else:
                top, _ = self._greatest(games_going(self.files))
                name = Going(0, game, top)
                data, _ = encode(texts_of(whole))
                self.files.replace(name.name, (data,))
                self.files.replace(name.second, (data,))
            for pack in older:
                self._packs.write_anew(pack, without={packed.identity})
        return True

    def bar(self, identities: Iterable[str]) -> None:
        """Notes that these games, none of them here, were deleted elsewhere.

        JournalError if the disk refuses.
        """
        with self._changing():
            fresh = sorted(set(identities) - self.deleted())
            if fresh:
                add_kept(self.files, _DELETED, (*fresh, _DONE))

    def put(self, game: SavedGame) -> tuple[int, bool]:
        """Makes the journal hold the present game as it is known, whatever it held of it.

        Returns the game's number, a new one where another game has its own, and whether there was
        anything to write. JournalError if the disk refuses.
        """
        with self._changing():
            known = self._written if self._knows(game.id) else None
            going = self._going(game.id)
            if known is not None and going is None and self._was_deleted(known):
                # Somebody wanted it gone. What is played on is another game.
                self._written = known = None
                if game.ended:
                    return game.id, False
            there = None
            if going is not None:
                with suppress(JournalError, FileNotFoundError):
                    there = saved_game(game.id, read_going(self.files, going))
            if known is not None:
                if going is not None:
                    # Another program may have renamed it.
                    known.going = going
                known.trusted = known.trusted and self._is_as_written(known)
                if known.trusted and there and _is_same(there, game) and there.lines == game.lines:
                    # It may be another file with the same in it.
                    self.files.close()
                    return game.id, False
                self._note_written_anew(game)
                known.rewrite(self.files, _texts_in_place(known.texts, game))
                known.ended = game.ended
                return game.id, True
            if there is not None and _is_same(there, game) and _begins(there, game):
                written = self._writing(game.id)
                if there.lines == game.lines and written.trusted:
                    return game.id, False
                self._note_written_anew(game)
                written.append(self.files, list(game.lines[written.lines :]), ended=game.ended)
                return game.id, True
            free = there is None and self._packed(game.id) is None
            self._note_written_anew(game)
            return self._write_new(game, game.id if free and game.id > 0 else None), True

    def _note_written_anew(self, game: SavedGame) -> None:
        going = self._going(game.id)
        gone = going is None or not self.files.size(going.name)
        self.note_untold(Damage(game.id, len(game.lines), gone=gone))

    def _knows(self, number: int) -> bool:
        return self._written is not None and self._written.going.number == number

    def _was_deleted(self, written: Written) -> bool:
        lines = Lines(tuple(written.texts), written.last_sum, written.size)
        return saved_game(written.going.number, lines).identity in self.deleted()

    def _is_as_written(self, written: Written) -> bool:
        try:
            return self.files.read(written.going.name) == written.data
        except FileNotFoundError:
            return False

    # ---- what a power cut or damage left ------------------------------------------------------

    def prepare(self) -> None:
        """Makes what a first game needs, as far as the disk lets it: a slow card takes its time."""
        with suppress(OSError):
            for folder in (GOING, PACKS):
                self.files.make_folder(folder)
                self.files.make_folder(f"{SECOND}{folder}")
            going = games_going(self.files)
            self._tray_late = bool(going) and not written_tray(self.files).identity

    def finish_what_was_cut(self) -> None:
        """Finishes what a power cut has interrupted: deletions, names, files half written."""
        with self._raising_journal_errors():
            marks = read_kept(self.files, _DELETED).texts
            cut = bool(marks) and marks[-1] != _DONE
            if not cut and not any(strays(self.files)) and not self.files.unfinished():
                return
            # What is being brought in is being written.
            with suppress(BlockingIOError), self.files.locked(BRINGING), self._changing():
                self.files.sweep()
        with self._changing():
            for second, now in strays(self.files):
                if self.files.size(now.second) is None:
                    self.files.rename(second.second, now.second)
                else:
                    self.files.remove(second.second)
            if cut:
                self._finish_deleting(frozenset(marks) - {_DONE})

    def _finish_deleting(self, identities: frozenset[str]) -> None:
        going = games_going(self.files)
        for one in going:
            if not one.deleted and self._identity_of(one) in identities:
                self._remove(one, last=one == going[-1])
        self._packs.delete(identities)
        add_kept(self.files, _DELETED, (_DONE,), sync=False)

    def mend_last(self) -> Damage | None:
        """Mends the present game as far as both of its places allow; what was wrong with it."""
        with self._raising_journal_errors():
            going = games_going(self.files)
            return self._mend(going[-1]) if going and not going[-1].deleted else None

    def mend(self, game: int) -> Damage | None:
        """Mends a game that is not in a pack, as `mend_last`; None if there was nothing to do."""
        with self._raising_journal_errors():
            going = self._going(game)
            return None if going is None or self._knows(game) else self._mend(going)

    def _mend(self, going: Going) -> Damage | None:
        lines = read_going(self.files, going)
        if lines.torn:
            log.warning("a line of game %d was being written when the power failed", going.number)
        if not lines.mended and lines.copied == lines.size:
            return None
        gone = self.files.size(going.name) is None
        try:
            written = Written.resumed(going, lines)
        except JournalError:
            return self._give_up(going, lines)
        kept = self._keep_damaged(going) if lines.damaged else ""
        if not lines.mended:
            written.copy(self.files, sync=True)
            if lines.copied < 0:
                # A power cut leaves such a place, too: nothing is missing.
                log.warning("the second place of game %d was another", going.number)
            return None
        lost = max(int(lines.damaged), len(lines.uncounted))
        damage = Damage(going.number, written.lines, lost, kept, gone=gone and not lost)
        if not gone or self._packed(going.number) is None:
            # Else it was packed, and a power cut has left its second place.
            self.note_untold(damage)
        written.rewrite(self.files, written.texts)
        written.copy(self.files, sync=True)
        return damage

    def _give_up(self, going: Going, lines: Lines) -> Damage | None:
        """Removes a game of which nobody knows any more what game it was; another can begin."""
        with self._changing():
            packed = self._packed(going.number) is not None
            damage = None
            if not packed:
                kept = self._keep_damaged(going)
                damage = Damage(going.number, 0, max(1, len(lines.uncounted)), kept)
                self.note_untold(damage)
            self._remove(going, last=going == games_going(self.files)[-1])
        return damage

    def _keep_damaged(self, going: Going) -> str:
        """Keeps the bytes of damaged files under other names; the last of these is returned."""
        kept = ""
        for data in read_places(self.files, going.name, going.second):
            if data:
                kept = keep_damaged(self.files, going.name, data)
        return kept

    def untold(self) -> tuple[Damage, ...]:
        """What was found damaged or gone, and nobody has been told of yet."""
        if self._untold is None:
            with self._raising_journal_errors():
                self._untold = read_untold(self.files)
        return self._untold

    def note_untold(self, damage: Damage) -> None:
        """Keeps in mind that people must be told of this. On disk when it returns."""
        self._untold = None
        with self._raising_journal_errors():
            note_untold(self.files, damage)

    def forget_untold(self, told: Collection[Damage]) -> None:
        """Forgets what people have been told of. On disk when it returns."""
        self._untold = None
        with self._raising_journal_errors():
            forget_untold(self.files, told)

    def scrub(self, time_s: float) -> bool:
        """Reads and compares a little of all that is kept; see `Scrub.work`."""
        with self._raising_journal_errors():
            return self._scrub.work(time_s)

    # ---- while it rests ----------------------------------------------------------------------

    def copy(self, *, sync: bool = False) -> None:
        """Writes what the board has shown to its second place."""
        with self._raising_journal_errors():
            if self._written is not None:
                self._written.copy(self.files, sync=sync)

    def tidy(self) -> bool:
        """Does one thing that is due: a second place, or an ended game into a pack.

        Returns whether there was one; it waits while another program gives numbers or moves games.

        Raises:
            JournalError: the disk refuses; nothing is lost.
        """
        try:
            return self._tidy()
        except JournalError as error:
            if isinstance(error.__cause__, BlockingIOError):
                return False
            raise

    def _tidy(self) -> bool:
        with self._raising_journal_errors():
            behind = self._packs.behind()
            if self._tray_late:
                with self._changing():
                    known_tray(self.files, this_machine())
                self._tray_late = False
                return True
            if self._settings_late or any(differ_in_size(self.files, name) for name in _KEPT):
                with self._changing():
                    done = any(even_out_kept(self.files, name) for name in _KEPT)
                    self._settings_late = False
                if done:
                    return True
            if behind is not None:
                with self._changing():
                    self._packs.copy(behind)
                return True
            older = set(games_going(self.files)[:-1]) - self._aside
            # Those that were put aside long ago have time.
            return any(map(self._put_away, sorted(older, reverse=True)[:_LOOKED_AT]))

    def _put_away(self, going: Going) -> bool:
        """Packs a game if it is over, or removes its own file once it is packed; whether it did."""
        # Only the game opened last can change.
        self._aside.add(going)
        if going.deleted:
            return False
        try:
            damage = None if self._knows(going.number) else self._mend(going)
            if damage is not None:
                log.error("game %d was damaged: %d lines are lost", damage.number, damage.lost)
            saved = saved_game(going.number, read_going(self.files, going))
        except (JournalError, FileNotFoundError):
            # What can be read of it stays where it is; or it is gone.
            return False
        if not saved.ended or not saved.identity:
            return False
        data, _ = encode(texts_of(saved))
        with self._changing():
            held = self._packs.holds(saved.identity, data)
            if held is None:
                self._packs.add(going.number, going.opened, saved.identity, saved.tray, data)
            elif held:
                # If they come back, it is found in the pack again.
                self._remove_files(going, sync=False)
                if self._knows(going.number):
                    self._written = None
            else:
                # It went on after it was packed, or it is not there as it was written.
                self._packs.delete({saved.identity})
        self._aside.discard(going)
        return True

    def look(self) -> None:
        """Checks that all files are still where they were written.

        Raises:
            JournalGone: one was deleted, renamed, replaced or cut.
        """
        with self._raising_journal_errors():
            written = self._written
            gone = ""
            if written is not None and not self.files.is_here(written.going.name, written.size):
                gone = written.going.name
            if gone := gone or self._places.gone():
                raise JournalGone(
                    f"{self._path}: expected what was written, found {gone} gone or another",
                    "it is written anew",
                )

    def mend_places(self) -> None:
        """Writes anew the files that were gone, as far as their other places allow.

        The present game is left to `put`.
        """
        with self._raising_journal_errors():
            if str(self._path) != MEMORY and not self._path.parent.is_dir():
                self._path.parent.mkdir(mode=0o750, parents=True)
                sync_folder(self._path.parent.parent)
        with self._changing():
            self._places.mend(self.note_untold)
            for going in games_going(self.files):
                if not going.deleted and not self._knows(going.number):
                    self._mend(going)
            written = self._written
            if written is not None and self.files.size(written.going.second) is None:
                written.copied = -1

    def verify(self) -> None:
        """Reads again what this program has appended, and compares.

        If the second place is another, it is written anew by the next `copy`.

        Raises:
            DamagedGame: lines are others, or are missing.
            JournalError: the disk cannot be read.
        """
        written = self._written
        if written is None:
            return
        with self._raising_journal_errors():
            there, second = read_places(self.files, written.going.name, written.going.second)
        if written.copied >= 0 and second != written.data[: written.copied]:
            log.warning("the second place of game %d is another", written.going.number)
            written.copied = -1
        if there != written.data:
            written.trusted = False
            raise DamagedGame(
                f"game {written.going.number}: expected in {self._path} what was written, found "
                "other lines or fewer",
                "they are written anew",
            )

    def own_trays(self) -> frozenset[str]:
        """The identities of trays whose games are this family's."""
        with self._raising_journal_errors():
            return read_tray(self.files).all

    def close(self) -> None:
        """Brings the second places up to the first, and closes all files."""
        if not self._read_only:
            with suppress(OSError, JournalError):
                self.copy(sync=True)
                if self._settings_late:
                    self.tidy()
        self.files.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _is_same(one: SavedGame, other: SavedGame) -> bool:
    return (one.game, one.players, one.options) == (other.game, other.players, other.options)


def _begins(one: SavedGame, other: SavedGame) -> bool:
    return other.lines[: len(one.lines)] == one.lines


def _texts_in_place(texts: Sequence[str], game: SavedGame) -> list[str]:
    """The lines of a game as it is known, with the tags that only its file has."""
    tags = {text.partition(" ")[0]: text for text in texts if text.startswith("[")}
    fresh = (tags.get(text.partition(" ")[0], text) for text in islice(texts_of(game), 2))
    uncounted = (text for text in texts if text.startswith("[Uncounted "))
    return [*fresh, *islice(texts_of(game), 2, None), *uncounted]
