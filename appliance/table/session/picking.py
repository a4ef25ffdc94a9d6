"""Choosing on a page: an entry of the list is pointed at, which counts only for what was shown.

    choices = listed_choices(session)
    now = moment_of(session)
    picked(session, Picked(now.game, now.number, index))

A page may be behind: someone else has pressed a button, or the dice were read anew. What was shown
is known by its moment.
"""

from dataclasses import dataclass, replace

from appliance.inputs import Picked
from appliance.table.session import modes
from appliance.table.session import session as sessions
from appliance.table.session.listing import (
    browsing,
    is_advised,
    listed_choices,
    may_choose,
    only_passes,
)
from appliance.table.session.recording import choose
from appliance.table.session.session import Session
from games.values import Choice, Choose


@dataclass(frozen=True, slots=True)
class Moment:
    """When in which game something was shown.

    Attributes:
        game: the serial number of the game.
        happened: how much has happened in it; holding dice does not count.
        advised: whether a beginner was told what is best to take, which then comes first.
    """

    game: int
    happened: int
    advised: bool

    @property
    def number(self) -> int:
        """A number that grows with whatever changes the list of choices."""
        return 2 * self.happened + self.advised


def moment_of(session: Session) -> Moment:
    """The present moment of a session."""
    happened = sum(not isinstance(line, sessions.Holding) for line in session.record.log)
    return Moment(session.record.serial, happened, is_advised(session))


def pickable_choices(session: Session) -> tuple[Choice, ...]:
    """Choices that can be picked now, in the list's order; empty where something else is asked."""
    behind = modes.mode_behind_hint(session.mode)
    ask = session.record.ask
    decides = modes.Playing | modes.Browsing | modes.LookingOver
    if not isinstance(ask, Choose) or not isinstance(behind, decides):
        return ()
    return () if sessions.is_computers_turn(session) else listed_choices(session)


def is_asked_about(session: Session, choice: Choice) -> bool:
    """True if a choice needs a second yes; passing may be all that is left."""
    if only_passes(session):
        return False
    return session.record.rules.asks_again(session.record.state, choice)


def picked(session: Session, pick: Picked) -> Session:
    """The session with a choice taken or asked about; unchanged if it was not shown like this."""
    choices, now = pickable_choices(session), moment_of(session)
    if (pick.game, pick.asked) != (now.game, now.number):
        return session
    if not 0 <= pick.index < len(choices):
        return session
    choice = choices[pick.index]
    session = replace(session, remark="", mode=modes.mode_behind_hint(session.mode))
    if not may_choose(session, choice):
        return replace(session, remark="NOT POSSIBLE")
    asked = browsing(session, pick.index, confirm=True)
    asking = session.mode == asked
    if is_asked_about(session, choice) and not (asking and pick.confirmed):
        return replace(session, mode=asked, scored=None)
    return choose(session, choice)
