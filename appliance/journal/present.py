"""The games that have files of their own: the one that this program appends to, and others.

What this module does to names and numbers is done only while the journal is locked.
"""

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from secrets import token_hex

from appliance.errors import DamagedGame
from appliance.journal.files import Files
from appliance.journal.going import (
    Going,
    Written,
    game_of,
    games_going,
    names_going,
    read_going,
)
from appliance.journal.packs import Packs, greatest
from appliance.journal.saved_game import SavedGame, texts_of
from appliance.journal.sums import read_lines
from appliance.journal.tray import known_tray, new_identity, read_tray, this_machine, written_tray
from appliance.journal.twin import SECOND, read_places, remove_places

log = logging.getLogger(__name__)


class Present:
    """The present game's file, and those of games put aside. Every method may raise OSError.

    Args:
        files: where they are.
        packs: the packs there.

    Attributes:
        written: the game that this program appends to; None for none.
        tray_late: whether the tray's file is still to be written: a slow card takes its time.
    """

    def __init__(self, files: Files, packs: Packs) -> None:
        self._files = files
        self._packs = packs
        self.written: Written | None = None
        self.tray_late = False

    def knows(self, number: int) -> bool:
        """True if this program appends to the game with a number."""
        return self.written is not None and self.written.going.number == number

    def find(self, number: int) -> Going | None:
        """The name of a game's file; None if it has none of its own."""
        return next((g for g in games_going(self._files) if g.number == number), None)

    def begin(self, saved: SavedGame, number: int | None = None) -> int:
        """Writes a game as the one opened last; its number, the next one if none is given."""
        older = names_going(self._files)
        top, opened = greatest(self._files, self._packs)
        number = number or top + 1
        name = Going(opened + 1, number, max(top, number))
        saved = replace(saved, id=number, identity=saved.identity or token_hex(16))
        if not saved.tray:
            saved = replace(saved, tray=self._tray())
        self.leave()
        self.written = Written.begun(self._files, name, list(texts_of(saved)), ended=saved.ended)
        for one in older:
            # It said only that no other game is the present one, or was the same game, illegible.
            if one.deleted or one.number == number:
                remove_places(self._files, one.name, sync=False)
        return number

    def _tray(self) -> str:
        """The identity of this tray; a new one is in the game first, and in its own file later."""
        if written_tray(self._files).identity:
            return known_tray(self._files, this_machine()).identity
        self.tray_late = True
        return read_tray(self._files).identity or new_identity()

    def resume(self, number: int) -> Written | None:
        """The game with a number, to append to; None if it has no file of its own.

        Raises:
            JournalError: its first lines are lost.
        """
        if self.knows(number):
            return self.written
        going = self.find(number)
        if going is None:
            return None
        resumed = Written.resumed(going, read_going(self._files, going))
        self.leave()
        self.written = resumed
        return resumed

    def open(self, written: Written) -> None:
        """Makes a game the one opened last."""
        top, opened = greatest(self._files, self._packs)
        old = written.going
        if old.opened >= opened:
            return
        now = replace(old, opened=opened + 1, top=top)
        self._files.rename(old.name, now.name)
        written.going, written.twin.name = now, now.name
        with suppress(FileNotFoundError):
            # The next start sees it if it has the old name again.
            self._files.rename(SECOND + old.name, SECOND + now.name, sync=False)

    def leave(self) -> None:
        """Brings the second place up to date before another game is written."""
        written, self.written = self.written, None
        if written is not None:
            # If the disk refuses, it is done when games put aside are looked after.
            with suppress(OSError):
                written.twin.copy(self._files)

    def remove(self, going: Going) -> None:
        """Deletes a game's file; if it was opened last, a name says that no other one is."""
        if self.knows(going.number):
            self.written = None
        if going == names_going(self._files)[-1]:
            none = replace(going, deleted=True)
            self._files.replace(SECOND + none.name, (b"",))
            self._files.replace(none.name, (b"",))
        remove_places(self._files, going.name)

    def verify(self) -> None:
        """Reads again what this program has appended, and compares.

        If the second place is another, it is written anew by the next `copy`.

        Raises:
            DamagedGame: lines are others, or are missing.
        """
        if self.written is None:
            return
        number, twin = self.written.going.number, self.written.twin
        first, second = read_places(self._files, twin.name)
        if twin.copied >= 0 and second != twin.data[: twin.copied]:
            log.warning("the second place of game %d is another", number)
            twin.copied = -1
        if first != twin.data:
            twin.trusted = False
            raise DamagedGame(
                f"game {number}: expected in {self._files.folder / twin.name} what was written, "
                "found other lines or fewer",
                "they are written anew",
            )

    def put(self, game: SavedGame, note: Callable[[], None]) -> bool | None:
        """Makes the file of a game hold it as it is known, whatever is there.

        Args:
            game: the game as it is known.
            note: called before anything is written.

        Returns:
            Whether there was anything to write; None if there is no such game, or another one.
        """
        going = self.find(game.id)
        there = game_of(self._files, going) if going is not None else None
        if not self.knows(game.id) and there and _is_same(there, game) and _begins(there, game):
            self.resume(game.id)
        written = self.written
        if written is None or not self.knows(game.id):
            return None
        if going is not None:
            # Another program may have renamed it.
            written.going, written.twin.name = going, going.name
        twin = written.twin
        twin.trusted = twin.trusted and twin.is_there(self._files)
        if twin.trusted and there and _is_same(there, game) and there.lines == game.lines:
            # It may be another file with the same in it.
            self._files.close()
            return False
        note()
        texts = _texts_in_place(read_lines(twin.data).texts, game)
        written.rewrite(self._files, texts, ended=game.ended)
        return True


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
