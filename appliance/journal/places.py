"""Notices files that were deleted, replaced or renamed in play, and writes anew what can be.

What one place of a file still has comes back from there; small files whose both places are gone
come back from the program's memory.
"""

from appliance.journal.files import Files
from appliance.journal.going import GOING, games_going, names_going
from appliance.journal.kept import read_kept, write_kept
from appliance.journal.packs import PACKS, Packs, split
from appliance.journal.scrub import KEPT_FILES
from appliance.journal.twin import SECOND, differ_in_size
from appliance.journal.untold import Damage, NoteDamage

_FOLDERS = ("", GOING, PACKS, SECOND.rstrip("/"), SECOND + GOING, SECOND + PACKS)


class Places:
    """The files that were there when they were last looked at. Methods may raise OSError.

    Args:
        files: where they are.
        packs: the packs there.
    """

    def __init__(self, files: Files, packs: Packs) -> None:
        self._files = files
        self._packs = packs
        self._known: frozenset[str] = frozenset()
        # Size and lines of each small file.
        self._kept: dict[str, tuple[int, tuple[str, ...]]] = {}
        self._had_games = False

    def gone(self) -> str:
        """The first place of a file that is found gone; empty if all are there."""
        packs, going = self._packs.names(), games_going(self._files)
        names = {*KEPT_FILES, *packs, *(one.name for one in going)}
        there = frozenset(place for folder in _FOLDERS for place in self._files.names(folder))
        # The second place comes later than the first.
        gone = {name for name in names if SECOND + name in there} - there
        # Games that other programs delete are no longer called so; nothing else is ever deleted.
        places = names | {SECOND + name for name in names}
        gone |= {place for place in self._known if GOING not in place or place in places} - there
        if not gone:
            self._known = there & places
            self._had_games = bool(packs or going[:-1])
            self._note_kept()
        return min(gone, default="")

    def _is_there(self, place: str) -> bool:
        return self._files.size(place) is not None

    def _note_kept(self) -> None:
        for name in KEPT_FILES:
            size = self._files.size(name)
            known, _ = self._kept.get(name, (None, ()))
            if size is not None and size != known and self._is_there(SECOND + name):
                self._kept[name] = size, read_kept(self._files, name).texts

    def mend(self, note: NoteDamage) -> None:
        """Writes anew what has one place left or is remembered, but for games going on.

        `note` is called with what was gone, before that.
        """
        for name in KEPT_FILES:
            self._mend_kept(name, note)
        packs = self._packs.names()
        lost = {place for place in self._known if place.startswith("packs/")} - {*packs}
        if lost or (self._had_games and not names_going(self._files)):
            note(Damage(0, lost=1, gone=True, games=0))
        for name in packs:
            self._write_anew(name, SECOND + name, note)
        for name in (*packs, *(one.name for one in games_going(self._files))):
            if SECOND + name in self._known:
                self._write_anew(SECOND + name, name, note)
        for name in packs:
            if differ_in_size(self._files, name):
                self._packs.mend(name)
        self._known, self._had_games = frozenset(), False

    def _mend_kept(self, name: str, note: NoteDamage) -> None:
        there = [self._is_there(place) for place in (name, SECOND + name)]
        _, texts = self._kept.get(name, (0, ()))
        if all(there) or not (any(there) or texts):
            return
        if name in self._kept:
            # Else it was never seen with both: the second comes later.
            note(Damage(0, gone=True, games=0))
        write_kept(self._files, name, read_kept(self._files, name).texts if any(there) else texts)

    def _write_anew(self, place: str, other: str, note: NoteDamage) -> None:
        """Writes a place that is gone anew from the other one."""
        if self._is_there(other) and not self._is_there(place):
            data = self._files.read(other)
            note(Damage(0, gone=True, games=0 if place.startswith(SECOND) else len(split(data))))
            self._files.replace(place, (data,))
