"""A journal's work beside the game: second places, packs, what damage and power cuts left."""

import logging
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from itertools import islice

from appliance.errors import JournalError
from appliance.journal.bringing import BRINGING
from appliance.journal.files import Files
from appliance.journal.going import (
    GOING,
    Going,
    Written,
    game_of,
    games_going,
    names_going,
    read_going,
    strays,
)
from appliance.journal.kept import DELETED, SETTINGS, even_out_kept
from appliance.journal.packs import PACKS, PackedGame, Packs
from appliance.journal.places import Places
from appliance.journal.present import Present
from appliance.journal.scrub import Scrub
from appliance.journal.sums import Lines
from appliance.journal.tray import TRAY, known_tray, this_machine, written_tray
from appliance.journal.twin import SECOND, differ_in_size, read_places, remove_places
from appliance.journal.untold import Damage, NoteDamage, keep_damaged

log = logging.getLogger(__name__)

_EVEN = (TRAY, SETTINGS, DELETED)
"""Small files whose second places are looked after."""

_LOOKED_AT = 8
"""Games put aside that are looked at in one go: reading them takes some milliseconds each."""


class Upkeep:
    """Looks after the files of a journal. Every method may raise OSError and JournalError.

    Args:
        files: where they are.
        packs: the packs there.
        present: the games that have files of their own.
        changing: keeps other programs from changing names and numbers meanwhile.
        note: notes that people must be told of a damage.

    Attributes:
        settings_late: whether settings are still to be synced.
    """

    def __init__(
        self,
        files: Files,
        packs: Packs,
        present: Present,
        changing: Callable[[], AbstractContextManager[None]],
        note: NoteDamage,
    ) -> None:
        self._files = files
        self._packs = packs
        self._present = present
        self._changing = changing
        self._note = note
        self._places = Places(files, packs)
        self._scrub = Scrub(files, packs, changing, self.mend, note)
        self.settings_late = False
        # Games put aside that have been looked after, and how many bytes they had.
        self._aside: dict[Going, int | None] = {}

    # ---- at the start ------------------------------------------------------------------------

    def prepare(self) -> None:
        """Makes what a first game needs: a slow card takes its time."""
        for folder in (GOING, PACKS):
            self._files.make_folder(folder)
            self._files.make_folder(f"{SECOND}{folder}")
        going = names_going(self._files)
        self._present.tray_late = bool(going) and not written_tray(self._files).identity

    def finish_what_was_cut(self) -> None:
        """Removes files half written, and gives second places the names of the first.

        Of a game that is in a pack only a second place may be left. Nothing is gone: it goes, too.
        """
        for going in games_going(self._files):
            if self._files.size(going.name) is None and self._is_packed(going.number):
                self._put_away(going)
        if not any(strays(self._files)) and not self._files.unfinished():
            return
        # What is being brought in is being written.
        with suppress(BlockingIOError), self._files.locked(BRINGING), self._changing():
            self._files.sweep()
        with self._changing():
            for second, now in strays(self._files):
                if self._files.size(SECOND + now.name) is None:
                    self._files.rename(SECOND + second.name, SECOND + now.name)
                else:
                    self._files.remove(SECOND + second.name)

    def mend_last(self) -> Damage | None:
        """Mends the present game as far as both of its places allow; what was wrong with it."""
        going = names_going(self._files)
        return self._mend(going[-1]) if going and not going[-1].deleted else None

    def mend(self, number: int) -> None:
        """Mends a game that is not in a pack, unless it is being played."""
        going = self._present.find(number)
        if going is not None and not self._present.knows(number):
            self._mend(going)

    def _mend(self, going: Going) -> Damage | None:
        lines = read_going(self._files, going)
        if lines.torn:
            log.warning("a line of game %d was being written when the power failed", going.number)
        if not lines.mended and lines.copied == lines.size:
            return None
        gone = self._files.size(going.name) is None
        try:
            written = Written.resumed(going, lines)
        except JournalError:
            return self._give_up(going, lines)
        kept = self._keep_damaged(going) if lines.damaged else ""
        if not lines.mended:
            written.twin.copy(self._files)
            if lines.copied < 0:
                # A power cut leaves such a place, too: nothing is missing.
                log.warning("the second place of game %d was another", going.number)
            return None
        lost = max(int(lines.damaged), len(lines.uncounted))
        damage = Damage(going.number, written.lines, lost, kept, gone=gone and not lost)
        if not gone or not self._is_packed(going.number):
            # Else it was packed, and a power cut has left its second place.
            self._note(damage)
        written.twin.rewrite(self._files, written.twin.data)
        written.twin.copy(self._files)
        return damage

    def _is_packed(self, number: int) -> bool:
        return any(game.number == number for game in self._packs.games())

    def _give_up(self, going: Going, lines: Lines) -> Damage | None:
        """Removes a game of which nobody knows any more what game it was; another can begin."""
        with self._changing():
            damage = None
            if not self._is_packed(going.number):
                kept = self._keep_damaged(going)
                damage = Damage(going.number, 0, max(1, len(lines.uncounted)), kept)
                self._note(damage)
            self._present.remove(going)
        return damage

    def _keep_damaged(self, going: Going) -> str:
        """Keeps the bytes of damaged files under other names; the last of these is returned."""
        kept = ""
        for data in filter(None, read_places(self._files, going.name)):
            kept = keep_damaged(self._files, going.name, data)
        return kept

    # ---- while it rests ----------------------------------------------------------------------

    def scrub(self, time_s: float) -> bool:
        """Reads and compares a little of all that is kept; see `Scrub.work`."""
        return self._scrub.work(time_s)

    def tidy(self) -> bool:
        """Does one thing that is due; whether there was one."""
        if self._present.tray_late:
            with self._changing():
                known_tray(self._files, this_machine())
            self._present.tray_late = False
            return True
        if self.settings_late or any(differ_in_size(self._files, name) for name in _EVEN):
            with self._changing():
                done = any(even_out_kept(self._files, name) for name in _EVEN)
                self.settings_late = False
            if done:
                return True
        if self._packs.behind():
            with self._changing():
                self._packs.catch_up()
            return True
        # All but the one opened last, which alone can change.
        older = (one for one in names_going(self._files)[:-1] if not one.deleted)
        size = self._files.size
        fresh = (one for one in older if self._aside.get(one, -1) != size(one.name))
        return any(map(self._put_away, islice(fresh, _LOOKED_AT)))

    def _put_away(self, going: Going) -> bool:
        """Packs a game if it is over, or removes its own file once it is packed; whether it did."""
        if not self._present.knows(going.number):
            with suppress(FileNotFoundError):
                damage = self._mend(going)
                if damage is not None:
                    log.error("game %d was damaged: %d lines are lost", going.number, damage.lost)
        saved = game_of(self._files, going)
        if saved is None or not saved.ended or not saved.identity:
            # What can be read of it stays where it is; or it is gone.
            self._aside[going] = self._files.size(going.name)
            return False
        game = PackedGame.of(saved, going.opened)
        with self._changing():
            held = self._packs.holds(game)
            if held is None:
                self._packs.add(game)
            elif held:
                # If they come back, it is found in the pack again.
                remove_places(self._files, going.name, sync=False)
                if self._present.knows(going.number):
                    self._present.written = None
            else:
                # It went on after it was packed, or it is not there as it was written.
                self._packs.delete({saved.identity})
        return True

    # ---- what was deleted or replaced in play ------------------------------------------------

    def gone(self) -> str:
        """The name of a file that is no longer where it was written; empty if all are there."""
        written = self._present.written
        if written is not None and not self._files.is_here(
            written.going.name, len(written.twin.data)
        ):
            return written.going.name
        return self._places.gone()

    def mend_places(self) -> None:
        """Writes anew the files that were gone, as far as their other places allow.

        The present game is left to `Present.put`.
        """
        with self._changing():
            self._places.mend(self._note)
            for going in games_going(self._files):
                if not self._present.knows(going.number):
                    self._mend(going)
            written = self._present.written
            if written is not None and self._files.size(SECOND + written.going.name) is None:
                written.twin.copied = -1
