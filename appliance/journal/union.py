"""Takes games from elsewhere into a journal: those that it lacks, and what they have more of.

A game is known by its identity, whatever its number. If it went on here and there differently, both
are kept, and the second is a game of its own from then on.
"""

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import takewhile
from operator import eq

from appliance.errors import JournalError
from appliance.journal.journal import Journal
from appliance.journal.old_journal import (
    OPENING,
    begins,
    identities_when_shorter,
    old_identities,
)
from appliance.journal.packs import MOST_GAMES
from appliance.journal.saved_game import SavedGame


@dataclass(slots=True)
class United:
    """What became of games that were taken in.

    Attributes:
        new: the numbers here of games that were not there.
        longer: those of games that went on elsewhere.
        apart: those of games that went on here and elsewhere differently; they are `new`, too.
        deleted: how many were deleted here, and stay so.
    """

    new: list[int] = field(default_factory=list)
    longer: list[int] = field(default_factory=list)
    apart: list[int] = field(default_factory=list)
    deleted: int = 0


class Union:
    """Takes in the games of one journal or copy; each method may raise JournalError.

    Args:
        journal: takes them in.
        coming: identities of games that come, if that is known, so that no other is taken for them.
        keep_opened: games that go on keep their place among those here, and one may be opened last.
    """

    def __init__(
        self, journal: Journal, coming: Collection[str] = (), *, keep_opened: bool = False
    ) -> None:
        self.united = United()
        self._journal = journal
        self._keep_opened = keep_opened
        self._there = journal.identities()
        self._unknown = not self._there.keys() <= {*coming}
        self._deleted = journal.deleted()
        self._claimed = {self._there[one] for one in coming if one in self._there}
        # What the games here could have been called while they were shorter.
        self._shorter: dict[str, list[int]] | None = None
        self._fresh: list[tuple[int, SavedGame]] = []
        self._apart: set[str] = set()

    def add(self, opened: int, saved: SavedGame, *, old: bool = False) -> None:
        """Takes in a game; it may be on the disk only after `finish`.

        Args:
            opened: how often a game had been opened when it was.
            saved: the game; with its number, which it keeps if that is free.
            old: whether its identity follows from its content.
        """
        if saved.identity in self._deleted:
            self.united.deleted += 1
            return
        number = self._there.get(saved.identity)
        if number is None and old and self._unknown:
            number = self._find_longer(saved)
        if number is None:
            self._fresh.append((opened, saved))
            if len(self._fresh) >= MOST_GAMES:
                self.finish()
            return
        self._claimed.add(number)
        self._there[saved.identity] = number
        self._compare(number, opened, saved)

    def _compare(self, number: int, opened: int, saved: SavedGame) -> None:
        try:
            there = self._journal.load(number)
        except JournalError:
            self._fresh.append((opened, saved))
            return
        if begins(saved, there):
            return
        if begins(there, saved):
            self._journal.lengthen(number, saved)
            self.united.longer.append(number)
            return
        identity = _identity_apart(saved, there)
        self._apart.add(identity)
        self.add(opened, replace(saved, identity=identity))

    def _find_longer(self, saved: SavedGame) -> int | None:
        """The same game here, where either had fewer lines than an identity takes."""
        shorter = identities_when_shorter(saved)
        found = [self._there[one] for one in reversed(shorter[1:]) if one in self._there]
        # An empty game begins every other: only its number says which it is.
        found += [saved.id] * (self._there.get(shorter[0]) == saved.id)
        number = next((n for n in found if n not in self._claimed), None)
        if number is not None or len(saved.lines) >= OPENING:
            return number
        if self._shorter is None:
            self._shorter = self._openings()
        free = [n for n in self._shorter.get(saved.identity, ()) if n not in self._claimed]
        return saved.id if saved.id in free else next(iter(free if saved.lines else ()), None)

    def _openings(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for number in set(self._there.values()) - self._claimed:
            try:
                game = self._journal.load(number)
            except JournalError:
                continue
            for identity in old_identities(game):
                found.setdefault(identity, []).append(number)
        return found

    def number_of(self, identity: str) -> int | None:
        """The number here of a game that was taken in; None if it was deleted."""
        self.finish()
        return self._there.get(identity)

    def finish(self) -> United:
        """Writes what is not on the disk yet; says what became of all games so far."""
        fresh, self._fresh = self._fresh, []
        numbers = self._journal.bring_in(fresh, keep_opened=self._keep_opened) if fresh else ()
        for number, (_, saved) in zip(numbers, fresh, strict=True):
            self._there[saved.identity] = number
            self._claimed.add(number)
            self.united.new.append(number)
            if saved.identity in self._apart:
                self.united.apart.append(number)
        return self.united


def _identity_apart(saved: SavedGame, there: SavedGame) -> str:
    """The identity of a game that went on differently: the same however long both become."""
    same = sum(takewhile(bool, map(eq, saved.lines, there.lines)))
    text = f"{saved.identity} {same} {saved.lines[same : same + 1]}"
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
