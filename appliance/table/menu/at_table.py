"""Who is at the table of a game that goes on: leaving, joining, getting a name."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from appliance.inputs import Pressed
from appliance.table.menu.console import Console
from appliance.table.menu.draft import Draft
from appliance.table.menu.new_game import PickName
from appliance.table.menu.pages import ListRow, PlainList, Question
from appliance.table.menu.prompting import QuestionPrompt
from appliance.table.menu.settings import number_of_unnamed
from appliance.table.prompts.prompt import Prompt
from appliance.table.session.recording import may_leave, play_leaving, why_nobody_can_join
from appliance.words import Verbatim


class AtTable(PlainList):
    """Who gets a name, leaves or joins?"""

    __slots__ = ()

    def rows(self, console: Console) -> Sequence[ListRow]:
        """Each player who has no name yet, each who may leave, then a new one."""
        session = console.session
        if session is None:
            return ()
        leavers = [
            ListRow("WHO LEAVES?", (Verbatim(name),), partial(_ask_to_leave, seat=seat))
            for seat, name in enumerate(session.record.setup.players)
            if may_leave(session, seat)
        ]
        nameless = [
            ListRow("GIVE A NAME?", (Verbatim(name),), partial(_name_player, seat=seat))
            for seat, name in enumerate(session.record.setup.players)
            if number_of_unnamed(name) is not None
        ]
        return [*nameless, *leavers, ListRow("WHO JOINS?", ("ONE MORE",), _join_game)]


def _name_player(console: Console, seat: int) -> Console:
    session = console.session
    if session is None:
        return console
    setup = session.record.setup
    return console.push(PickName(Draft(setup.game, len(setup.players), setup.players, names=seat)))


@dataclass(frozen=True, slots=True)
class Leaving(Question):
    """Asks whether a player really leaves: it is as heavy as anything that a game can undo."""

    seat: int

    def prompt(self, console: Console) -> Prompt:
        """The question."""
        assert console.session is not None
        return QuestionPrompt("LEAVES?", player=console.session.record.setup.players[self.seat])

    def pressed(self, console: Console, press: Pressed) -> Console:
        """Takes the answer; goes back if the player may no longer leave."""
        if console.session is None or not may_leave(console.session, self.seat):
            return console.back()
        # Named, as a dataclass with slots is not the class that `super()` looks for.
        return Question.pressed(self, console, press)

    def answered(self, console: Console, yes: bool) -> Console:
        """The player leaves, or not."""
        return _leave_game(console, self.seat) if yes else console.back()


def _ask_to_leave(console: Console, seat: int) -> Console:
    return console.push(Leaving(seat))


def _leave_game(console: Console, seat: int) -> Console:
    session = console.session
    if session is None:
        return console
    names, after = session.record.setup.players, play_leaving(session, seat)
    ask = after.record.ask
    turn = () if ask is None else ((Verbatim(names[ask.seat]), "YOUR TURN"),)
    said = console.show_notice((Verbatim(names[seat]), "HAS LEFT"), ("MISTAKE?", "UNDO IT"), *turn)
    return replace(said, session=after)


def _join_game(console: Console) -> Console:
    session = console.session
    if session is None:
        return console
    if (why := why_nobody_can_join(session)) is not None:
        return console.show_notice(why, ("JOIN IN THE", "NEXT GAME"))
    setup = session.record.setup
    draft = Draft(setup.game, len(setup.players) + 1, setup.players, joins=True)
    return console.push(PickName(draft))
