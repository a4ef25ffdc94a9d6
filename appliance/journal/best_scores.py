"""Everybody's best scores in the finished games, counted bit by bit while the appliance rests."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from appliance.journal.journal import Journal
from appliance.journal.origin import origin_of
from appliance.journal.summary import Summary
from appliance.rules.registry import GAMES
from appliance.table.menu.console import Console
from appliance.table.menu.main_menu import FinalScore, best_scores


def finished_games(journal: Journal) -> Iterator[Summary]:
    """The games played to their end by those who play now."""
    for entry in journal.summaries():
        if entry.ended and entry.game in GAMES and origin_of(entry.version) is journal.origin:
            yield entry


class BestScores:
    """Counts the best scores of a journal's games, each game once."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def with_records(self, console: Console, enough: Callable[[], bool]) -> Console:
        """The console with everybody's best scores, or unchanged while there is more to count.

        `enough` says whether to stop counting for now; at least one game is always counted.

        Raises:
            JournalError: the journal cannot be read.
        """
        scores: list[FinalScore] = []
        for entry in finished_games(self._journal):
            pairs = zip(entry.players, entry.points, strict=False)
            scores += (FinalScore(entry.game, name, scored) for name, scored in pairs)
        return replace(console, records=best_scores(scores))
