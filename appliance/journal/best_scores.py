"""Everybody's best scores in the finished games."""

from collections.abc import Iterator

from appliance.journal.origin import Origin
from appliance.journal.reader import JournalReader
from appliance.journal.totals import Totals
from appliance.table.menu.final_scores import FinalScore, best_scores
from games.registry import GAMES


def records_in_steps(journal: JournalReader) -> Iterator[tuple[FinalScore, ...] | None]:
    """The best scores in this family's games; None after each step until they are known.

    Raises:
        JournalError: the journal cannot be read.
    """
    totals = Totals(journal.own_trays())
    for row in journal.counted(games=False):
        if row is not None:
            totals.add(row.totals)
        yield None
    played = totals.of(journal.origin, Origin.APPLIANCE).players.items()
    yield best_scores(
        FinalScore(game, player, fared.best) for (game, player), fared in played if game in GAMES
    )
