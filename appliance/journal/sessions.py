"""Sessions and the journal: resumes the last game, begins a new one, saves a session."""

from appliance.errors import JournalError
from appliance.journal.journal import Journal
from appliance.journal.log import line_to_text
from appliance.journal.origin import Origin, written_by
from appliance.journal.saved_game import SavedGame
from appliance.journal.summary import resume_saved
from appliance.table.session.session import Session, Setup, new_session


def load_session(journal: Journal, setup: Setup | None, *, fresh: bool = False) -> Session:
    """The session to play: the last game if it is not over, else a new one.

    Args:
        journal: where games are kept.
        setup: what a new game is started with; a saved game is resumed if it has this setup. None
            resumes whatever game was last.
        fresh: always begin a new game.

    Raises:
        JournalError: the saved game cannot be replayed, or there is none and no setup.
        RulesError: the game cannot be started with this setup.
    """
    saved = journal.last()
    if saved is not None and not saved.ended and not fresh:
        found = Setup(saved.game, saved.players, saved.options)
        if setup is None or found == setup:
            session = resume_saved(saved)
            # Whoever deletes it before its next line is noticed, too.
            journal.hold(saved.id)
            return session
    if setup is None:
        raise JournalError("there is no saved game to go on with", "name game and players")
    return begin_session(journal, new_session(setup))


def saved_game_of(session: Session, origin: Origin = Origin.APPLIANCE) -> SavedGame:
    """A session as the journal should have it."""
    setup = session.record.setup
    return SavedGame(
        id=session.record.serial,
        game=setup.game,
        edition=setup.rules.edition,
        players=setup.players,
        options=setup.options,
        version=written_by(origin),
        ended=session.record.rules.outcome(session.record.state) is not None,
        lines=tuple(line_to_text(setup, line) for line in session.record.log),
    )


def begin_session(journal: Journal, session: Session) -> Session:
    """Begins a new game in the journal; returns the session with the number that it has there."""
    setup = session.record.setup
    number = journal.begin(
        setup.game, setup.rules.edition, setup.players, setup.options, written_by(journal.origin)
    )
    return session.numbered(number)
