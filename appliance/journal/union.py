"""Takes games from elsewhere into a journal: those that it lacks, and what they have more of.

A game is known by its identity, whatever its number. If it went on here and there differently, both
are kept, and the second is a game of its own from then on; its identity still begins with that of
the first, so that neither comes twice, in whatever order trays and sticks are united.
"""

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from itertools import takewhile
from operator import eq

from appliance.errors import JournalError
from appliance.journal.held import Held
from appliance.journal.journal import Journal
from appliance.journal.old_journal import (
    OPENING,
    begins,
    identities_when_shorter,
    old_identities,
)
from appliance.journal.packs import PackedGame
from appliance.journal.reader import JournalReader
from appliance.journal.saved_game import SavedGame

log = logging.getLogger(__name__)

MOST = 20_000
"""Games that are brought in at a time, or compared line by line; the others come the next time."""

_MOST_APART = 20
"""How often a game can have gone on differently: a bound to what is compared with each other."""

_MOST_LINES = 100_000
"""Lines of games that are in memory at a time, some 10 MB."""

_TAGS = 8
"""Lines of a game that are none of its log."""


@dataclass(frozen=True, slots=True)
class Found:
    """A game elsewhere.

    Attributes:
        game: as it would stand in a pack.
        tray: the identity of the tray it was played on; empty if nobody knows.
        own: whether that is this tray.
        old: whether its identity follows from its content.
    """

    game: PackedGame
    tray: str
    own: bool
    old: bool = False


@dataclass(slots=True)
class United:
    """The outcome of taking in games.

    Attributes:
        new: the numbers here of games that were not there.
        longer: those of games that went on elsewhere.
        apart: those of games that went on here and elsewhere differently; they are `new`, too.
        unread: how many cannot be read.
    """

    new: list[int] = field(default_factory=list)
    longer: list[int] = field(default_factory=list)
    apart: list[int] = field(default_factory=list)
    unread: int = 0

    @property
    def games(self) -> int:
        """How many games there are more, or longer."""
        return len({*self.new, *self.longer})


class Union:
    """Takes in the games of one journal, or of a stick; each method may raise JournalError.

    Args:
        journal: takes them in; with one that only reads, it is a trial.
        coming: identities of games that come, if that is known, so that no other is taken for them.
        held: the games of the journal, if they are known.
        keep_opened: games that go on keep their place among those here, and one may be opened last.
        spare_last: the game opened last stays as it is, as somebody may be playing it.
        trial: only says what would be done.

    Attributes:
        united: what became of the games so far.
        has_others: whether there are games in the journal that are not among those that come.
    """

    def __init__(
        self,
        journal: JournalReader,
        coming: Collection[str] = (),
        *,
        held: Held | None = None,
        keep_opened: bool = False,
        spare_last: bool = False,
        trial: bool = False,
    ) -> None:
        self.united = United()
        self._journal = journal
        self._keep_opened = keep_opened
        self._spare_last = spare_last
        # Who writes; None for a trial.
        self._writer = journal if isinstance(journal, Journal) and not trial else None
        self._held = held or Held(journal.files).look()
        self._there = self._held.numbers()
        self.has_others = not self._there.keys() <= {*coming}
        self._kin: dict[str, list[int]] = {}
        for identity, one in self._there.items():
            self._kin.setdefault(base_of(identity), []).append(one)
        self._deleted = journal.deleted()
        self._claimed = {self._there[one] for one in coming if one in self._there}
        self._fresh: list[tuple[int, SavedGame]] = []
        self._coming: set[str] = set()
        self._lines = 0
        self._apart: set[str] = set()
        self._left = MOST

    def take(self, found: Found, tray: str = "") -> bool:
        """Takes in a game from a stick, unless it is here just so; reads it only if it must.

        Args:
            found: the game.
            tray: where it was played if it does not say so itself.

        Returns:
            Whether the journal has more by it.
        """
        game, base = found.game, base_of(found.game.identity)
        if self._left <= 0 or self._held.has(game, old=found.old):
            return False
        if self._writer is None and (base in self._coming or game.identity in self._deleted):
            return False
        self._left -= 1
        if self._writer is None and not found.old and not self._kin.get(base):
            self._coming.add(base)
            return True
        try:
            saved = game.saved
        except JournalError as error:
            log.warning("a game on a stick cannot be read: %s", error)
            self.united.unread += 1
            return False
        of = saved.tray or found.tray or tray
        known = replace(saved, id=game.number, identity=game.identity, tray=of)
        return self.add(game.opened, known, old=found.old)

    def add(self, opened: int, saved: SavedGame, *, old: bool = False) -> bool:
        """Takes in a game; it may be on the disk only after `finish`.

        Args:
            opened: how often a game had been opened when it was.
            saved: the game; with its number, which it keeps if that is free.
            old: whether its identity follows from its content.

        Returns:
            Whether the journal has more by it.
        """
        base = base_of(saved.identity)
        if saved.identity in self._deleted:
            return False
        if base in self._coming:
            self.finish()
        numbers = self._kin.get(base, [])
        if not numbers and old and self.has_others:
            numbers = self._find_longer(saved)
        self._claimed.update(numbers)
        theres = [there for number in numbers if (there := self._load(number))]
        for there in sorted(theres, key=lambda there: -len(there.lines)):
            if begins(saved, there) or begins(there, saved):
                self._there.setdefault(saved.identity, there.id)
                return not begins(saved, there) and self._lengthen(there.id, saved)
        identity = _identity_apart(saved, theres)
        if identity in self._deleted or len(theres) > _MOST_APART:
            return False
        self._coming.add(base)
        if self._writer is not None:
            self._fresh.append((opened, replace(saved, identity=identity)))
            self._lines += len(saved.lines) + _TAGS
            if theres:
                self._apart.add(identity)
        if self._lines > _MOST_LINES:
            self.finish()
        return True

    def _load(self, number: int) -> SavedGame | None:
        try:
            return self._journal.load(number)
        except JournalError:
            return None

    def _lengthen(self, number: int, saved: SavedGame) -> bool:
        """Gives a game here the lines that it has more of; whether it did, for the first time."""
        longer = self.united.longer
        if self._writer is None:
            spared = self._spare_last and self._journal.is_last(number)
        else:
            spared = not self._writer.lengthen(number, saved, spare_last=self._spare_last)
        if spared or number in longer:
            return False
        longer.append(number)
        return True

    def _find_longer(self, saved: SavedGame) -> list[int]:
        """The number of the same game here, where either had fewer lines than an identity takes."""
        shorter = identities_when_shorter(saved)
        found = [self._there[one] for one in reversed(shorter[1:]) if one in self._there]
        # An empty game begins every other: only its number says which it is.
        found += [saved.id] * (self._there.get(shorter[0]) == saved.id)
        free = [number for number in found if number not in self._claimed]
        if free or len(saved.lines) >= OPENING:
            return free[:1]
        same = self._load(saved.id) if saved.lines and saved.id not in self._claimed else None
        if same and old_identities(same) and begins(saved, same):
            # Mostly it has its number still, and the others need not be read.
            return [saved.id]
        free = [n for n in self._shorter.get(saved.identity, ()) if n not in self._claimed]
        return [saved.id] if saved.id in free else free[: min(1, len(saved.lines))]

    @cached_property
    def _shorter(self) -> dict[str, list[int]]:
        """The identities that the games here could have had while they were shorter."""
        found: dict[str, list[int]] = {}
        for game in self._journal.games():
            for identity in old_identities(game):
                found.setdefault(identity, []).append(game.id)
        return found

    def number_of(self, identity: str) -> int | None:
        """The number here of a game that was taken in; None if it was deleted."""
        self.finish()
        return self._there.get(identity)

    def finish(self) -> United:
        """Writes what is not on the disk yet; says what became of all games so far."""
        fresh, self._fresh, self._lines = self._fresh, [], 0
        numbers: Sequence[int] = ()
        if fresh and self._writer is not None:
            numbers = self._writer.bring_in(fresh, self._held, keep_opened=self._keep_opened)
        for number, (_, saved) in zip(numbers, fresh, strict=True):
            self._there[saved.identity] = number
            self._kin.setdefault(base_of(saved.identity), []).append(number)
            self._claimed.add(number)
            self.united.new.append(number)
            if saved.identity in self._apart:
                self.united.apart.append(number)
        self._coming.clear()
        return self.united


def base_of(identity: str) -> str:
    """The identity that a game had before it was played on differently elsewhere."""
    return identity.partition("-")[0]


def _identity_apart(saved: SavedGame, theres: Sequence[SavedGame]) -> str:
    """The identity of a game that went on differently: the same however long all become."""
    if all(saved.identity != there.identity for there in theres):
        return saved.identity
    same = max(sum(takewhile(bool, map(eq, saved.lines, there.lines))) for there in theres)
    text = "\n".join(saved.lines[: same + 1])
    own = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{base_of(saved.identity)}-{own}"
