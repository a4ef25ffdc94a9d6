"""Reads all that is kept once a month, compares both places, and mends one from the other.

A month is 20 days of use, or 20 days by the clock if that is sooner. A day of use is a start, or 24
hours of running on: a Pi has no clock of its own, and without a network its date may stand still
or leap. The work is done in slices while nothing is played; how far it has come is kept.
"""

import json
import logging
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import Self

from appliance.journal.files import Files
from appliance.journal.going import games_going
from appliance.journal.kept import read_kept, write_kept
from appliance.journal.packed import Packs
from appliance.journal.packs import OWN_LINES, SECOND, read_pack
from appliance.journal.sums import check_lines, encode, read_lines
from appliance.journal.untold import UNTOLD, Damage

log = logging.getLogger(__name__)

SCRUBBED = "scrubbed"

KEPT_FILES = ("settings", "tray", "deleted", UNTOLD, SCRUBBED)

DAYS = 20
"""After so many days everything is read again: within a month, even if some are skipped."""

_DAY_S = 86_400.0
_SLICE_BYTES = 1 << 15
_BEGUN = "begun"


@dataclass(frozen=True, slots=True)
class State:
    """How far it has come.

    Attributes:
        begun: the day on which everything was begun to be read, by the clock.
        days: days of use since.
        done: the last file that was read; empty once all are.
    """

    begun: str = ""
    days: int = 0
    done: str = ""

    @classmethod
    def read(cls, files: Files) -> Self:
        """As it is kept; anew where it cannot be read."""
        with suppress(ValueError, TypeError):
            return cls(*(json.loads(text) for text in read_kept(files, SCRUBBED).texts))
        return cls()

    def write(self, files: Files) -> None:
        """Keeps it; raises OSError if the disk refuses.

        It is not synced, as that takes a slow card seconds: without it, more is read once more.
        """
        data, _ = encode(json.dumps(value) for value in asdict(self).values())
        for place in (SCRUBBED, SECOND + SCRUBBED):
            files.replace(place, (data,), sync=False, named=False)

    def is_due(self, today: date) -> bool:
        """Whether there is something to read now."""
        try:
            # A clock that was wrong then or is now makes it sooner, not later.
            by_clock = abs((today - date.fromisoformat(self.begun)).days) >= DAYS
        except ValueError:
            by_clock = True
        return bool(self.done) or by_clock or self.days >= DAYS


class Scrub:
    """Reads all files of a journal now and then. `work` may raise OSError.

    Args:
        files: where they are.
        packs: the packs there.
        changing: keeps other programs from changing anything meanwhile.
        mend: mends a game that is not in a pack, and notes that people must be told.
        note: notes that people must be told.
        today: the day, by a clock that may be wrong.
    """

    def __init__(
        self,
        files: Files,
        packs: Packs,
        changing: Callable[[], AbstractContextManager[None]],
        mend: Callable[[int], object],
        note: Callable[[Damage], None],
        today: Callable[[], date] = date.today,
    ) -> None:
        self._files = files
        self._packs = packs
        self._changing = changing
        self._mend = mend
        self._note = note
        self._today = today
        self._counted_s: float | None = None
        self._state = State()
        self._round: Iterator[None] | None = None

    def work(self, time_s: float) -> bool:
        """Does a slice of it; returns whether there is more to do.

        Args:
            time_s: seconds, on a clock that only runs forward.
        """
        if self._counted_s is None or time_s - self._counted_s >= _DAY_S:
            self._counted_s = time_s
            state = State.read(self._files)
            self._state = replace(state, days=state.days + 1)
            if self._round is None and self._state.is_due(self._today()):
                self._round = self._read_all()
            self._state.write(self._files)
        if self._round is None:
            return False
        try:
            next(self._round)
        except StopIteration:
            self._round = None
        except OSError:
            # Begun anew with the file that was being read, after a day of use.
            self._round = None
            raise
        return self._round is not None

    def _read_all(self) -> Iterator[None]:
        if not self._state.done:
            self._state = State(self._today().isoformat(), 0, _BEGUN)
            self._state.write(self._files)
        for name in KEPT_FILES:
            self._mend_kept(name)
            yield
        # The present game is read back after each turn.
        for going in games_going(self._files)[:-1]:
            for place in (going.name, going.second):
                self._files.forget_cached(place)
            self._mend(going.number)
            yield
        for name in self._packs.names():
            if name > self._state.done:
                yield from self._read_pack(name)
                self._state = replace(self._state, done=name)
                self._state.write(self._files)
                yield
        self._state = replace(self._state, done="")
        self._state.write(self._files)
        log.info("all games were read in both places")

    def _mend_kept(self, name: str) -> None:
        places = [
            self._files.read(place) if self._files.size(place) is not None else b""
            for place in (name, SECOND + name)
        ]
        if places[0] == places[1]:
            return
        lines = read_kept(self._files, name)
        # A power cut leaves whole ones that differ.
        if lines.damaged or any(read_lines(place).damaged for place in places):
            self._note(Damage(0, lost=len(lines.uncounted), games=0))
            log.error("the file %s was damaged", name)
        with self._changing():
            write_kept(self._files, name, read_kept(self._files, name).texts)

    def _read_pack(self, name: str) -> Iterator[None]:
        """Compares both places of a pack, and mends it if they differ."""
        places = (name, SECOND + name)
        sizes = [self._files.size(place) for place in places]
        same = sizes[0] == sizes[1]
        for place in places:
            self._files.forget_cached(place)
        rest, before, rotten = b"", 0, False
        for at in range(0, sizes[0] or 0, _SLICE_BYTES):
            if not same:
                break
            with suppress(FileNotFoundError):
                first, second = (self._files.read(place, at, _SLICE_BYTES) for place in places)
                lines, end, rest = (rest + first).rpartition(b"\n")
                found = check_lines(lines + end, before, OWN_LINES)
                # Damage may be older than the second place.
                rotten = found is None
                same = first == second and not rotten
                before = found or 0
            yield
        if not same or rest:
            self._mend_pack(name, rotten)

    def _mend_pack(self, name: str, rotten: bool) -> None:
        with self._changing(), suppress(FileNotFoundError):
            pack = read_pack(self._files, name)
            if pack.whole and pack.copied >= 0 and not rotten:
                # What was added has no second place yet, or another program has written it anew.
                self._packs.copy(name)
                return
            log.error("%s was damaged", name)
            if not self._packs.write_anew(pack):
                # In its second place only, or between games.
                self._note(Damage(0, games=0))
