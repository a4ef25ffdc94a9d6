"""News for everybody between two turns: who leads, and whether the end is near."""

from appliance.table.prompts.turn import Standing
from appliance.table.session.session import Session
from appliance.table.session.sheets import LOTS_THROWN
from appliance.words import Label
from games.values import Reveal, Throw


def standing(session: Session, ask: Throw | Reveal) -> Standing | None:
    """How the game stands as a turn begins; None at other times."""
    players, rules, state = session.record.setup.players, session.record.rules, session.record.state
    begins = isinstance(ask, Throw) and ask.roll == 1 and not ask.coloured
    if not begins or not session.record.events or ask.purpose in LOTS_THROWN:
        return None
    closing = closing_words(session, ask.seat)
    rounds = rules.rounds(state)
    now = {"round": rules.turn(state) if rounds else 0, "rounds": rounds}
    if len(players) == 1:
        return Standing((), closing, **now) if closing or rounds else None
    totals = tuple(zip(players, rules.scores(state), strict=True))
    return Standing(totals, closing, session.banked, **now)


def announcement(session: Session) -> tuple[str, int]:
    """The announcement as a turn begins: that the end is near, and what was banked."""
    ask = session.record.ask
    now = standing(session, ask) if isinstance(ask, Throw) else None
    return ("", 0) if now is None else (now.closing, now.banked)


def closing_words(session: Session, seat: int) -> str:
    """The announcement as the end comes near, in a turn of this seat; empty before that."""
    return Label(session.record.rules.closing(session.record.state, seat))
