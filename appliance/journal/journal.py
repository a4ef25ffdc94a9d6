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
- `second/`: the same again, written apart in time (`appliance.journal.twin`)

`games.sqlite3` itself is an index of the games (`appliance.journal.index`), which may be lost.
Earlier versions kept the games in it (`appliance.journal.old_journal`).
"""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from appliance.errors import JournalError, JournalGone
from appliance.journal.bringing import bring_in
from appliance.journal.counting import Counting
from appliance.journal.files import Files
from appliance.journal.going import Going, Written, game_of, games_going, names_going
from appliance.journal.held import Held
from appliance.journal.kept import DELETED, SETTINGS, add_kept, read_kept, write_first, write_kept
from appliance.journal.old_journal import marks_of
from appliance.journal.origin import Origin
from appliance.journal.packs import PackedGame, Packs
from appliance.journal.present import Present
from appliance.journal.reader import DONE, MEMORY, JournalReader
from appliance.journal.saved_game import Options, SavedGame, players_text, texts_of
from appliance.journal.sums import encode
from appliance.journal.twin import write_places
from appliance.journal.untold import Damage, forget_untold, note_untold
from appliance.journal.upkeep import Upkeep
from vision.files.atomic import sync_folder


class Journal(JournalReader):
    """The games on disk, for whoever plays or changes them; raises as `JournalReader`."""

    _WRITES = True

    def __init__(
        self,
        path: Path | str,
        *,
        patience_s: float = 5.0,
        origin: Origin = Origin.APPLIANCE,
        files: Files | None = None,
    ) -> None:
        super().__init__(path, patience_s=patience_s, origin=origin, files=files)
        files = self.files
        self._packs = Packs(files, self.note_untold)
        self._present = Present(files, self._packs)
        self._upkeep = Upkeep(files, self._packs, self._present, self._changing, self.note_untold)
        # What nobody has been told of; None until it is read.
        self._untold: tuple[Damage, ...] | None = None
        self._holding = False

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
            return self._present.begin(saved)

    def hold(self, game: int) -> None:
        """Looks after a game from now on as if this program had written it; raises as `load`."""
        with self._raising_journal_errors():
            self._present.resume(game)

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
        written = self._present.resume(game)
        if written is not None:
            return written
        with self._changing():
            packed = self._packed(game)
            if packed is None:
                raise JournalGone(f"{self._path}: game {game} is no longer there", "it is lost")
            # An ended game that goes on has a file of its own again.
            self._present.begin(packed.saved, game)
            self._packs.delete({packed.identity})
        assert self._present.written is not None
        return self._present.written

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
            self._present.open(self._writing(game))
        return saved

    def put(self, game: SavedGame) -> tuple[int, bool]:
        """Makes the journal hold the present game as it is known, whatever it held of it.

        Returns the game's number, a new one where another game has its own, and whether there was
        anything to write. JournalError if the disk refuses.
        """

        def note() -> None:
            gone = not any(self.files.size(one.name) for one in self._own_file(game.id))
            self.note_untold(Damage(game.id, len(game.lines), gone=gone))

        with self._changing():
            own = self._own_file(game.id)
            written = self._present.written if self._present.knows(game.id) else None
            if not own and written is not None and written.saved.identity in self.deleted():
                # Somebody wanted it gone. What is played on is another game.
                self._present.written = None
                if game.ended:
                    return game.id, False
            done = self._present.put(game, note)
            if done is not None:
                return game.id, done
            free = game.id > 0 and not self._own_file(game.id) and self._packed(game.id) is None
            note()
            return self._present.begin(game, game.id if free else None), True

    def verify(self) -> None:
        """Reads again what this program has appended, and compares.

        Raises:
            DamagedGame: lines are others, or are missing.
            JournalError: the disk cannot be read.
        """
        with self._raising_journal_errors():
            self._present.verify()

    def copy(self, *, sync: bool = False) -> None:
        """Writes what the board has shown to its second place."""
        with self._raising_journal_errors():
            if self._present.written is not None:
                self._present.written.twin.copy(self.files, sync=sync)

    # ---- what is counted, and remembered ------------------------------------------------------

    def indexing(self) -> Iterator[None]:
        """Indexes what is not indexed yet, a step at a time. Only whoever plays may do it.

        Raises:
            JournalError: the disk refuses.
        """
        if self._index is None:
            return
        with self._raising_journal_errors():
            for _ in Counting(self.files, self._index, games=False):
                yield
            there = {*self._packs.names(), *(one.name for one in games_going(self.files))}
            for name in self._index.rows(games=False).keys() - there:
                self._index.forget(name)

    def remember(self, name: str, text: str, *, sync: bool = True) -> None:
        """Keeps a setting under a name, in place of the one before.

        On disk when it returns, or if `sync` is False some rounds later, with `tidy`.
        """
        with self._changing():
            kept = {**self._settings(), name: text}
            texts = [f"{key} {json.dumps(kept[key])}" for key in sorted(kept)]
            (write_kept if sync else write_first)(self.files, SETTINGS, texts)
            self._upkeep.settings_late = not sync

    # ---- what is deleted, brought in, lengthened ----------------------------------------------

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
            last = names_going(self.files)[-1:]
            played = [one for one in last if one.number in games and not one.deleted]
            if spared is not None and any(spared(self.load(one.number)) for one in played):
                wanted = "end it and begin another first"
                raise JournalError(f"game {played[0].number} is the one being played", wanted)
            there = self.identities()
            marks = [identity for identity, number in there.items() if number in games]
            for game in games:
                if not self._own_file(game) and game not in there.values():
                    raise self.no_game(game)
                with suppress(JournalError):
                    marks += (one for one in marks_of(self.load(game)) if one not in there)
            add_kept(self.files, DELETED, dict.fromkeys(marks))
            self._delete(frozenset(marks), games)

    def _delete(self, identities: frozenset[str], numbers: Collection[int] = ()) -> None:
        for one in games_going(self.files):
            saved = game_of(self.files, one)
            if one.number in numbers or (saved is not None and saved.identity in identities):
                self._present.remove(one)
        self._packs.delete(identities)
        add_kept(self.files, DELETED, (DONE,), sync=False)

    def bar(self, identities: Iterable[str]) -> None:
        """Notes that these games, none of them here, were deleted elsewhere.

        JournalError if the disk refuses.
        """
        with self._changing():
            fresh = sorted(set(identities) - self.deleted())
            if fresh:
                add_kept(self.files, DELETED, (*fresh, DONE))

    def bring_in(
        self,
        games: Sequence[tuple[int, SavedGame]],
        held: Held | None = None,
        *,
        keep_opened: bool = False,
    ) -> tuple[int, ...]:
        """Takes in whole games from elsewhere; none of them becomes the present one.

        Each keeps its number if no game has that; where there is no game yet, the order in which
        they were opened holds. On disk when it returns.

        Args:
            games: each with how often one had been opened when it was.
            held: the games that are here, as far as they are known; what comes in is added.
            keep_opened: that order holds in any case, so that one may become the present game.

        Returns:
            The numbers that they have now.

        Raises:
            JournalError: the disk refuses; call again, with those that are not there.
        """
        with self._raising_journal_errors():
            return bring_in(self.files, self._packs, games, held, keep_opened=keep_opened)

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
            if longer.lines[: len(there.lines)] != there.lines:
                return False
            whole = replace(longer, id=game, identity=there.identity, tray=there.tray)
            if self._own_file(game):
                written = self._writing(game)
                if longer.players != there.players:
                    written.add(self.files, [players_text(longer.players)])
                more = list(longer.lines[len(there.lines) :])
                written.append(self.files, more, ended=longer.ended)
                written.twin.copy(self.files)
                return True
            packed = self._packed(game)
            if packed is None:
                raise self.no_game(game)
            older = self._packs.names()
            if whole.ended:
                self._packs.admit(self._packs.stage([PackedGame.of(whole, packed.opened)]))
            else:
                data, _ = encode(texts_of(whole))
                write_places(self.files, Going(0, game, self.top()).name, data)
            self._packs.delete({packed.identity}, among=older)
        return True

    # ---- what a power cut or damage left ------------------------------------------------------

    def prepare(self) -> None:
        """Makes what a first game needs, as far as the disk lets it."""
        with suppress(OSError):
            self._upkeep.prepare()

    def finish_what_was_cut(self) -> None:
        """Finishes what a power cut has interrupted: deletions, names, files half written."""
        with self._raising_journal_errors():
            self._upkeep.finish_what_was_cut()
            marks = read_kept(self.files, DELETED).texts
        if marks and marks[-1] != DONE:
            with self._changing():
                self._delete(frozenset(marks) - {DONE})

    def mend_last(self) -> Damage | None:
        """Mends the present game as far as both of its places allow; what was wrong with it."""
        with self._raising_journal_errors():
            return self._upkeep.mend_last()

    def untold(self) -> tuple[Damage, ...]:
        """The damage or loss that was found, and that nobody has been told of yet."""
        if self._untold is None:
            self._untold = super().untold()
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
            return self._upkeep.scrub(time_s)

    def tidy(self) -> bool:
        """Does one thing that is due: a second place, or an ended game into a pack.

        Returns whether there was one; it waits while another program gives numbers or moves games.

        Raises:
            JournalError: the disk refuses; nothing is lost.
        """
        try:
            with self._raising_journal_errors():
                return self._upkeep.tidy()
        except JournalError as error:
            if isinstance(error.__cause__, BlockingIOError):
                return False
            raise

    def look(self) -> None:
        """Checks that all files are still where they were written.

        Raises:
            JournalGone: one was deleted, renamed, replaced or cut.
        """
        with self._raising_journal_errors():
            if gone := self._upkeep.gone():
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
            self._upkeep.mend_places()

    def close(self) -> None:
        """Brings the second places up to the first, and closes all files."""
        with suppress(OSError, JournalError):
            self.copy(sync=True)
            if self._upkeep.settings_late:
                self.tidy()
        super().close()
