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
from appliance.journal.packs import Pack, Packs
from appliance.journal.sums import encode, read_lines
from appliance.journal.twin import SECOND, read_places
from appliance.journal.untold import UNTOLD, Damage, NoteDamage

log = logging.getLogger(__name__)

SCRUBBED = "scrubbed"

KEPT_FILES = ("settings", "tray", "deleted", UNTOLD, SCRUBBED)

DAYS = 20
"""After so many days everything is read again: within a month, even if some are skipped."""

_DAY_S = 86_400.0
_SLICE_BYTES = 1 << 16
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
        """True if there is something to read now."""
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
    """

    def __init__(
        self,
        files: Files,
        packs: Packs,
        changing: Callable[[], AbstractContextManager[None]],
        mend: Callable[[int], object],
        note: NoteDamage,
    ) -> None:
        self._files = files
        self._packs = packs
        self._changing = changing
        self._mend = mend
        self._note = note
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
            if self._round is None and self._state.is_due(date.today()):
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
            self._state = State(date.today().isoformat(), 0, _BEGUN)
            self._state.write(self._files)
        for name in KEPT_FILES:
            self._mend_kept(name)
            yield
        # The present game is read back after each turn.
        for going in games_going(self._files)[:-1]:
            yield from self._read_from_disk(going.name)
            self._mend(going.number)
            yield
        for name in self._packs.names():
            if name > self._state.done:
                with suppress(FileNotFoundError):
                    yield from self._read_pack(name)
                self._state = replace(self._state, done=name)
                self._state.write(self._files)
                yield
        self._state = replace(self._state, done="")
        self._state.write(self._files)
        log.info("all games were read in both places")

    def _read_from_disk(self, name: str) -> Iterator[None]:
        """Reads both places slice by slice; read again they come from memory, if there is enough.

        Nothing is made of it, so another program may write them anew meanwhile.
        """
        for place in (name, SECOND + name):
            self._files.forget_cached(place)
            for at in range(0, self._files.size(place) or 0, _SLICE_BYTES):
                with suppress(FileNotFoundError):
                    self._files.read(place, at, _SLICE_BYTES)
                yield

    def _mend_kept(self, name: str) -> None:
        if self._files.size(name) is None and self._files.size(SECOND + name) is None:
            return
        places = read_places(self._files, name)
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
        """Reads both places of a pack, and mends it if one is damaged."""
        yield from self._read_from_disk(name)
        pack = Pack.read(self._files, name)
        sound = pack.first == pack.second == b"".join(game.data for game in pack.games)
        sound = sound and not pack.former
        for game in pack.games:
            # Damage may be older than the second place.
            sound = sound and not (game.lines.mended or game.lines.damaged)
            yield
        if not sound:
            with self._changing():
                self._packs.mend(name)
