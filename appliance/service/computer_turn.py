"""The turn of a computer player: whether it is to decide now, and how it decides."""

from appliance.table.menu.console import Console
from appliance.table.session.modes import Playing
from appliance.table.session.session import Decided, Session, has_decided, is_computers_turn


def deciding_session(console: Console) -> Session | None:
    """The session in which a computer player is to decide now; None if none is to."""
    session = console.session
    if session is None or console.notice is not None or console.page is not None:
        return None
    waits = is_computers_turn(session) and not has_decided(session)
    return session if waits and isinstance(session.mode, Playing) else None


def computer_decision(session: Session) -> Decided:
    """The computer's decision."""
    # Imported when one plays: it takes a game of its own with it.
    from games.strategy import computer

    record = session.record
    return Decided(computer.decision(record.rules, record.state, record.seed))
