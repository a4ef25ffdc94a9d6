"""All games of a journal, in the order of their numbers."""

from appliance.journal.reader import JournalReader
from appliance.journal.saved_game import SavedGame
from appliance.journal.summary import Summary


def games_of(journal: JournalReader) -> list[SavedGame]:
    """The games; raises JournalError if the disk refuses."""
    return sorted(journal.games(), key=lambda game: game.id)


def summaries_of(journal: JournalReader) -> list[Summary]:
    """The summary of each; raises JournalError if the disk refuses."""
    rows = filter(None, journal.counted())
    return sorted(entry for row in rows for entry in row.summaries())
