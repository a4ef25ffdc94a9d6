"""Games as the journal has them, turned into records."""

from appliance.errors import JournalError
from appliance.journal.database import SavedGame
from appliance.journal.log import lines_from_text
from appliance.rules.game import RulesError
from appliance.rules.record import Record
from appliance.table.session.session import Setup, resume


def record_of(saved: SavedGame) -> Record:
    """The record of a saved game: the events that hold, without what was undone.

    Raises:
        JournalError: its lines do not replay, as those of a later edition may not.
    """
    setup = Setup(saved.game, saved.players, saved.options)
    try:
        session = resume(setup, lines_from_text(setup, saved.lines), saved.id)
    except (RulesError, IndexError) as error:
        raise JournalError(
            f"game {saved.id}: expected lines that replay, found {error}; "
            f"it was written by dicetray {saved.version}"
        ) from error
    return Record(
        saved.game, saved.edition, saved.players, saved.options, session.events, saved.version
    )
