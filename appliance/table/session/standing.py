"""News for everybody between two turns: who leads, and whether the end is near."""

from appliance.table.prompts.turn import Standing
from appliance.table.session.session import Session
from appliance.table.session.sheets import LOTS_THROWN
from games.values import Reveal, Throw

_MAX_CARDS_LEFT = 3
"""From this many cards on the deck of Free for All is announced to run out."""
_MAX_CHIPS_LEFT = 5
"""From this many chips on they are: a turn in which no card is taken needs three."""


def standing(session: Session, ask: Throw | Reveal) -> Standing | None:
    """How the game stands as a turn begins; None at other times, and for who plays alone."""
    players = session.record.setup.players
    begins = isinstance(ask, Throw) and ask.roll == 1 and not ask.coloured
    if not begins or not session.record.events or ask.purpose in LOTS_THROWN:
        return None
    closing = closing_words(session, ask.seat)
    if len(players) == 1:
        return Standing((), closing) if closing else None
    totals = tuple(zip(players, session.record.rules.scores(session.record.state), strict=True))
    return Standing(totals, closing, session.banked)


def announcement(session: Session) -> tuple[str, int]:
    """The announcement as a turn begins: that the end is near, and what was banked."""
    ask = session.record.ask
    now = standing(session, ask) if isinstance(ask, Throw) else None
    return ("", 0) if now is None else (now.closing, now.banked)


def closing_words(session: Session, seat: int) -> str:
    """The announcement as the end comes near, in a turn of this seat; empty before that."""
    state = session.record.state
    match session.record.setup.game:
        case "classic" | "yatzy":
            return "LAST ROUND" if _open_rows(session, seat) == 1 else ""
        case "power":
            return "ONE SLOT LEFT" if _open_rows(session, seat) == 1 else ""
        case "showdown":
            return "SHOWDOWN ROUND" if state.end is not None else ""
        case "free-for-all":
            return _what_runs_out(len(state.deck), state.pile)
        case _:
            return ""


def _what_runs_out(cards: int, chips: int) -> str:
    if cards <= _MAX_CARDS_LEFT:
        return {0: "NO CARDS LEFT", 1: "1 CARD LEFT"}.get(cards, f"{cards} CARDS LEFT")
    if chips <= _MAX_CHIPS_LEFT:
        return {0: "NO CHIPS LEFT", 1: "1 CHIP LEFT"}.get(chips, f"{chips} CHIPS LEFT")
    return ""


def _open_rows(session: Session, seat: int) -> int:
    rows = session.record.rules.sheet(session.record.state, seat).rows
    return sum(row.points is None for row in rows)
