"""Who is at the table: in mid-game a player leaves, or somebody joins."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from appliance.table.menu.new_game import Draft, PickName
from appliance.table.menu.pages import ListRow, PlainList
from appliance.table.session.joining import why_not
from appliance.table.session.recording import leave, may_leave
from appliance.words import Verbatim

if TYPE_CHECKING:
    from appliance.table.menu.console import Console


class AtTable(PlainList):
    """Who leaves, or joins?"""

    __slots__ = ()

    def rows(self, console: "Console") -> Sequence[ListRow]:
        """Each player who may leave, then a new one."""
        session = console.session
        if session is None:
            return ()
        leavers = [
            ListRow("WHO LEAVES?", (Verbatim(name),), partial(_leave, seat=seat))
            for seat, name in enumerate(session.setup.players)
            if may_leave(session, seat)
        ]
        return [*leavers, ListRow("WHO JOINS?", ("ONE MORE",), _join)]


def _leave(console: "Console", seat: int) -> "Console":
    session = console.session
    if session is None:
        return console
    names, after = session.setup.players, leave(session, seat)
    ask = after.rules.ask(after.state)
    turn = () if ask is None else ((Verbatim(names[ask.seat]), "YOUR TURN"),)
    said = console.say((Verbatim(names[seat]), "HAS LEFT"), ("WRONG?", "BACK: UNDO"), *turn)
    return replace(said, session=after)


def _join(console: "Console") -> "Console":
    session = console.session
    if session is None:
        return console
    if (why := why_not(session)) is not None:
        return console.say(why, ("BEGIN A", "NEW GAME"))
    setup = session.setup
    draft = Draft(setup.game, len(setup.players) + 1, setup.players, joins=True)
    return console.push(PickName(draft))
