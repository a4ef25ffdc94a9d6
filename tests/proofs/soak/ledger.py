"""Every line that was shown, and whether the games on disk still begin with them."""

from collections.abc import Iterator
from hashlib import sha1

from appliance.journal.log import line_to_text
from appliance.journal.reader import JournalReader
from appliance.table.session.session import Session
from tests.rigs.stored_games import games_of


def _sum_of(lines: tuple[str, ...]) -> str:
    return sha1("\n".join(lines).encode(), usedforsecurity=False).hexdigest()


def _lines_of(session: Session) -> tuple[str, ...]:
    setup = session.record.setup
    return tuple(line_to_text(setup, line) for line in session.record.log)


class Ledger:
    """The lines that were shown of each game, by its number.

    Of a game that another has followed it keeps the count and a checksum.
    """

    def __init__(self) -> None:
        self._present: Session | None = None
        self._sums: dict[int, tuple[int, str]] = {}

    def note(self, session: Session | None) -> None:
        """What is shown from now on; None for no game."""
        before = self._present
        if before is not None and (
            session is None or session.record.serial != before.record.serial
        ):
            lines = _lines_of(before)
            self._sums[before.record.serial] = len(lines), _sum_of(lines)
        if session is not None:
            self._sums.pop(session.record.serial, None)
        self._present = session

    def count(self, number: int) -> int:
        """How many lines of a game were shown."""
        if self._present is not None and self._present.record.serial == number:
            return len(self._present.record.log)
        return self._sums.get(number, (0, ""))[0]

    def forget_others(self) -> None:
        """All games but the present one are gone, and people were told."""
        self._sums.clear()

    def lost(self, journal: JournalReader) -> Iterator[str]:
        """What was shown and is not on the disk; forgets it, so that it is told once."""
        there = {game.id: game.lines for game in games_of(journal)}
        known = dict(self._sums)
        if self._present is not None:
            lines = _lines_of(self._present)
            known[self._present.record.serial] = len(lines), _sum_of(lines)
        for number, (count, wanted) in known.items():
            found = there.get(number, ())
            if count and (len(found) < count or _sum_of(found[:count]) != wanted):
                same = "as many" if len(found) >= count else f"{len(found)}"
                yield f"game {number}: {same} of {count} lines that were shown"
                self._sums.pop(number, None)
