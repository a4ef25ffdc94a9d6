"""Who comes late: in games that allow it a player joins in the first round and plays last in it.

Nothing that happened changes: it is replayed in a game with one player more, which is a record of
its own; the game without that player stays where it is.
"""

from dataclasses import replace

from appliance.rules.game import Corrected, Event, Left
from appliance.table.session.session import Holding, Played, Session, Setup, replay


def why_not(session: Session) -> tuple[str, str] | None:
    """Why nobody can join now, in the board's words; None where somebody can."""
    rules, turn = session.rules, session.rules.turn(session.state)
    if not rules.LATECOMERS:
        return "NOBODY JOINS", "THIS GAME"
    if len(session.setup.players) >= rules.MAX_PLAYERS:
        return "THE TABLE", "IS FULL"
    if turn > 1:
        return "TOO LATE", "TO JOIN"
    return None if turn else ("NOT YET:", "WHO BEGINS?")


def joined(session: Session, name: str) -> Session:
    """The session with one player more, who has the last turn of the round; a game of its own.

    IllegalEvent or BadOptions if nobody can join now.
    """
    rules, setup = session.rules, session.setup
    first: int = session.state.first
    at = first or len(setup.players)
    players = (*setup.players[:at], name, *setup.players[at:])
    options = dict(setup.options) | {"first": first + (at <= first)}
    setup = Setup(setup.game, players, tuple(sorted(options.items())))
    events: list[Event] = []
    state = rules.start(session.setup.players, dict(session.setup.options))
    for event in session.events:
        # The roll-off is left out, with what was put right in it.
        if rules.turn(state) == 1 and (events or not isinstance(event, Corrected)):
            shifted = isinstance(event, Left) and event.seat >= at
            events.append(Left(event.seat + 1) if isinstance(event, Left) and shifted else event)
        state = rules.apply(state, event)
    held = (Holding(tuple(sorted(session.holds))),) if session.holds else ()
    return replace(
        session,
        setup=setup,
        serial=session.serial + 1,
        state=replay(setup, tuple(events)),
        events=tuple(events),
        log=(*map(Played, events), *held),
    )
