"""Everybody's best scores in the finished games, counted bit by bit while the appliance rests."""

from collections.abc import Callable
from dataclasses import replace

from appliance.errors import JournalError
from appliance.journal.database import GameEntry, Journal
from appliance.journal.origin import origin_of
from appliance.journal.sessions import resume_saved
from appliance.rules.registry import GAMES
from appliance.table.menu.console import Console
from appliance.table.menu.main_menu import FinalScore, best_scores


def finished_games(journal: Journal) -> list[GameEntry]:
    """The games played to their end by those who play now."""
    return [
        entry
        for entry in journal.entries()
        if entry.ended and entry.game in GAMES and origin_of(entry.version) is journal.origin
    ]


class BestScores:
    """Counts the best scores of a journal's games, each game once."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._scores: dict[tuple[int, int, int], tuple[FinalScore, ...]] = {}

    def with_records(self, console: Console, enough: Callable[[], bool]) -> Console:
        """The console with everybody's best scores, or unchanged while there is more to count.

        `enough` says whether to stop counting for now; at least one game is always counted.

        Raises:
            JournalError: the journal cannot be read.
        """
        present = console.session
        scores: list[FinalScore] = []
        stop = False
        for entry in finished_games(self._journal):
            # Only the present game can change.
            lines = len(present.log) if present is not None and present.serial == entry.id else 0
            key = entry.id, entry.opened, lines
            if key not in self._scores:
                if stop:
                    return console
                self._scores[key] = self._final_scores(entry.id)
                stop = enough()
            scores += self._scores[key]
        return replace(console, records=best_scores(scores))

    def _final_scores(self, number: int) -> tuple[FinalScore, ...]:
        """How everybody fared; nothing for a game that can no longer be read."""
        try:
            session = resume_saved(self._journal.load(number))
        except JournalError:
            return ()
        names, points = session.setup.players, session.rules.scores(session.state)
        game, seats = session.setup.game, zip(names, points, strict=True)
        return tuple(FinalScore(game, name, scored) for name, scored in seats)
