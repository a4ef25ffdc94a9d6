"""Which of the games found elsewhere a journal may lack, told without reading those it has."""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import islice

from appliance.errors import JournalError
from appliance.journal.going import games_going, read_going
from appliance.journal.journal import Journal
from appliance.journal.packed import Packs
from appliance.journal.saved_game import SavedGame, saved_game
from appliance.journal.union import Union, United, base_of

log = logging.getLogger(__name__)

MOST = 20_000
"""Games that are compared at a time; the others come with the next RESTORE."""


@dataclass(frozen=True, slots=True)
class Found:
    """A game elsewhere.

    Attributes:
        identity: the same on every tray and stick.
        number: that of its journal.
        opened: the greater, the later it was begun or resumed.
        tray: the identity of the tray it was played on; empty if nobody knows.
        lines: how many lines its log has.
        last: the end of its last line, a checksum of all; empty in copies of earlier versions.
        load: reads it; raises JournalError or OSError.
    """

    identity: str
    number: int
    opened: int
    tray: str
    lines: int
    last: bytes
    load: Callable[[], SavedGame]


class Held:
    """The games of a journal, as far as others are compared with them.

    Attributes:
        known: lines and last line of each game, by its identity.
        present: the identity of the game opened last; empty if nobody knows.
        deleted: the identities of games that nothing brings back.

    Raises:
        JournalError, OSError: the games cannot be read.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.known: dict[str, tuple[int, bytes]] = {}
        self.present = ""
        for going in games_going(journal.files):
            self.present = ""
            if not going.deleted:
                try:
                    lines = read_going(journal.files, going)
                    saved = saved_game(going.number, lines)
                except (JournalError, FileNotFoundError):
                    continue
                last = f"{lines.last_sum:08x}\n".encode()
                self.known[saved.identity] = len(saved.lines), last
                self.present = saved.identity
        for pack in Packs(journal.files).all():
            for game in pack.games:
                self.known.setdefault(game.identity, (game.lines, game.last))
        self.deleted = journal.deleted()

    def lacks(self, game: Found) -> bool:
        """Whether a game is missing here, or may be another one here."""
        there = self.known.get(game.identity)
        same = there and (there[1] == game.last if game.last else there[0] == game.lines)
        return not same and game.identity not in self.deleted

    def count(self, games: Iterable[Found]) -> int:
        """How many games of these there would be more, or longer; nothing is written."""
        lacking = list(islice(filter(self.lacks, games), MOST))
        bases = set(map(base_of, self.known))
        new = {base_of(game.identity) for game in lacking if game.last} - bases
        others = [game for game in lacking if base_of(game.identity) not in new]
        return len(new) + (unite(self._journal, others, trial=True).games if others else 0)


def unite(
    journal: Journal, games: Iterable[Found], tray: str = "", *, trial: bool = False
) -> United:
    """Takes in games from elsewhere, with the tray they were played on where only we know it.

    With `trial`, nothing is written.

    Raises:
        JournalError: the disk refuses; what is in by then stays, and the others can follow.
    """
    # Of each game the longest copy first, and the game opened last: where there is no other, it
    # becomes the present one.
    longest: dict[str, Found] = {}
    ordered = sorted(islice(games, MOST), key=lambda game: -game.lines)
    for game in ordered:
        longest.setdefault(game.identity, game)
    first = sorted(longest.values(), key=lambda game: -game.opened)
    rest = [game for game in ordered if longest[game.identity] is not game]
    union = Union(journal, longest, spare_last=True, trial=trial)
    for game in (*first, *rest):
        saved = read(game)
        if saved is not None:
            of = saved.tray or game.tray or tray
            saved = replace(saved, id=game.number, identity=game.identity, tray=of)
            union.add(game.opened, saved, old=not game.last)
    return union.finish()


def read(game: Found) -> SavedGame | None:
    """A game that was found; None, said in the log, if it cannot be read."""
    try:
        return game.load()
    except (JournalError, OSError) as error:
        log.warning("a game on a stick cannot be read: %s", error)
        return None
