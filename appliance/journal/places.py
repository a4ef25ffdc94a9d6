"""Notices files that were deleted, replaced or renamed in play, and writes anew what can be.

Each file is in two places (`appliance.journal.packs.SECOND`). What one of them still has comes back
from there; small files whose both places are gone come back from the program's memory.
"""

from collections.abc import Callable

from appliance.journal.files import Files
from appliance.journal.going import games_going
from appliance.journal.kept import read_kept, write_kept
from appliance.journal.packed import Packs
from appliance.journal.packs import SECOND, read_pack
from appliance.journal.scrub import KEPT_FILES
from appliance.journal.untold import Damage


class Places:
    """The files that were there when they were last looked at. Methods may raise OSError.

    Args:
        files: where they are.
        packs: the packs there.
    """

    def __init__(self, files: Files, packs: Packs) -> None:
        self._files = files
        self._packs = packs
        # Packs, and second places of games and packs.
        self._known: frozenset[str] = frozenset()
        # Size and lines of each small file.
        self._kept: dict[str, tuple[int | None, tuple[str, ...]]] = {}
        self._others = False

    def gone(self) -> str:
        """The first file found gone from one of its places; empty if all are there."""
        name = self._gone_pack() or self._gone_kept() or self._gone_game()
        if not name:
            self._note_known()
        return name

    def _note_known(self) -> None:
        packs, going = self._packs.names(), games_going(self._files)
        names = (*packs, *(SECOND + name for name in packs), *(one.second for one in going))
        self._known = frozenset(name for name in names if self._is_there(name))
        self._others = bool(packs or going[:-1])

    def _is_there(self, name: str) -> bool:
        return self._files.size(name) is not None

    def _gone_pack(self) -> str:
        names = self._packs.names()
        if lost := self._known_packs() - {*names}:
            return min(lost)
        for name in names:
            first, second = self._files.size(name), self._files.size(SECOND + name)
            if first is None:
                return name
            # The newest one's second place comes later.
            old = name != names[-1] and self._packs.behind() is None
            if (second is None and SECOND + name in self._known) or (old and first != second):
                return SECOND + name
        return ""

    def _known_packs(self) -> frozenset[str]:
        return frozenset(name for name in self._known if name.startswith("packs/"))

    def _gone_kept(self) -> str:
        for name in KEPT_FILES:
            size = self._files.size(name)
            known = self._kept.get(name, (None, ()))[0]
            if size is None and (known is not None or self._is_there(SECOND + name)):
                return name
            if size is not None and not self._is_there(SECOND + name):
                if known is not None:
                    return SECOND + name
                # It comes later than the first.
                continue
            if size != known:
                self._kept[name] = size, read_kept(self._files, name).texts
        return ""

    def _gone_game(self) -> str:
        for one in games_going(self._files):
            if not one.deleted and not self._is_there(one.name):
                return one.name
            if one.second in self._known and not self._is_there(one.second):
                return one.second
        return ""

    def mend(self, note: Callable[[Damage], None]) -> None:
        """Writes anew what has one place left or is remembered, but for games going on.

        `note` is called with what was gone, before that.
        """
        for name in KEPT_FILES:
            there = [self._is_there(place) for place in (name, SECOND + name)]
            texts = self._kept.get(name, (None, ()))[1]
            if all(there) or not (any(there) or texts):
                continue
            if name in self._kept:
                # Else it was never seen with both: the second comes later.
                note(Damage(0, gone=True, games=0))
            found = read_kept(self._files, name).texts if any(there) else texts
            write_kept(self._files, name, found)
        names = self._packs.names()
        if self._known_packs() - {*names} or (self._others and not games_going(self._files)):
            note(Damage(0, lost=1, gone=True, games=0))
        for name in names:
            self._mend_pack(name, note)
        for one in games_going(self._files):
            if one.second in self._known and not self._is_there(one.second):
                note(Damage(0, gone=True, games=0))
                self._files.replace(one.second, (self._files.read(one.name),))
        self._known, self._others = frozenset(), False

    def _mend_pack(self, name: str, note: Callable[[Damage], None]) -> None:
        first, second = self._files.size(name), self._files.size(SECOND + name)
        if first is None:
            games = len(read_pack(self._files, name).games)
            note(Damage(0, gone=True, games=games))
            self._files.replace(name, (self._files.read(SECOND + name),))
        elif first != second:
            if second is None and SECOND + name in self._known:
                note(Damage(0, gone=True, games=0))
            self._packs.copy(name)
