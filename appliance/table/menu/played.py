"""Pages about what was played: best scores, games put aside, a review, the sheets of this game."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from appliance.inputs import Button, Pressed
from appliance.table.menu import prompting
from appliance.table.menu.console import Console, Page
from appliance.table.menu.final_scores import FinalScore
from appliance.table.menu.new_game import lines_of_names
from appliance.table.menu.pages import ListPage, ListRow, PlainList
from appliance.table.menu.requests import OpenGame
from appliance.table.prompts.prompt import Prompt
from appliance.table.prompts.wording import CARD_PLACE
from appliance.table.session.modes import ViewingSheet
from appliance.table.session.prompting import prompt as session_prompt
from appliance.table.session.recording import last_scored
from appliance.table.session.step import step
from appliance.words import Label, Verbatim

_MAX_LETTERS_WITH_POINTS = 15
"""Letters of a name and figures that fit on one line."""


class Records(PlainList):
    """Lists the best scores; the service counts them while this is the top page."""

    __slots__ = ()
    empty = "STILL", "COUNTING"

    def rows(self, console: Console) -> Sequence[ListRow]:
        """One score per row."""
        return [_score_row(score) for score in console.kept.records or ()]

    def prompt(self, console: Console) -> Prompt:
        """The score shown, or why there is none."""
        none = prompting.NoticePrompt((("NO GAME", "FINISHED"),), passing=False)
        return none if console.kept.records == () else super().prompt(console)


def _score_row(score: FinalScore) -> ListRow:
    title, player, points = Label(score.game), Verbatim(score.player), str(score.points)
    if len(player) + len(points) > _MAX_LETTERS_WITH_POINTS:
        return ListRow(title, (player, points), ok="")
    return ListRow(title, (player,), ok=points)


@dataclass(frozen=True, slots=True)
class LastTurns(ListPage):
    """The last turns: who, what, and what it has brought; the last one first."""

    empty = "LAST TURNS", "NONE YET"
    turns: tuple[ListRow, ...]
    index: int = 0

    def rows(self, console: Console) -> Sequence[ListRow]:
        """One turn per row."""
        return self.turns


def open_last_turns(console: Console) -> Console:
    """The console with the last turns of its game on top."""
    session = console.session
    assert session is not None
    names = session.record.setup.players
    rows = list[ListRow]()
    for scored in last_scored(session, _LAST_TURNS):
        label: str = Label(scored.choice.key)
        if CARD_PLACE.match(label):
            label = CARD_PLACE.sub("", label)
        for seat, gained in scored.won or ((scored.seat, scored.points),):
            figure = f"{gained:+d}" if gained else "0" if scored.is_zero else ""
            rows.append(ListRow(Verbatim(names[seat]), (label,), ok=figure))
    return console.push(LastTurns(tuple(rows)))


_LAST_TURNS = 3


class OldGames(PlainList):
    """The games that were put aside."""

    __slots__ = ()
    empty = "NO OLD", "GAMES"

    def rows(self, console: Console) -> Sequence[ListRow]:
        """One game per row."""
        return [
            ListRow(
                Label(aside.game),
                lines_of_names(aside.players),
                partial(_open_old_game, number=aside.number),
            )
            for aside in console.kept.aside
        ]


def _open_old_game(console: Console, number: int) -> Console:
    return console.with_requests(OpenGame(number))


class Review(PlainList):
    """A look back at the game; the service assesses its decisions while this is the top page."""

    __slots__ = ()
    empty = "REVIEW", "THINKING"

    def rows(self, console: Console) -> Sequence[ListRow]:
        """How a player fared, or a decision; OK shows the next."""
        onward = Review(self.index + 1)
        return [
            ListRow(said.title, said.lines, lambda console: console.replace_top(onward))
            for said in console.kept.review or ()
        ]

    def prompt(self, console: Console) -> Prompt:
        """A decision is shown with the throw that it was about."""
        said = console.kept.review or ()
        at = self.index % len(said) if said else 0
        if said and said[at].dice:
            return prompting.DecisionPrompt(said[at], at, len(said))
        return PlainList.prompt(self, console)


@dataclass(frozen=True, slots=True)
class Scores(Page):
    """The sheets of the current game, as the session shows them; the game below is unchanged."""

    sheet: ViewingSheet

    def prompt(self, console: Console) -> Prompt:
        """The sheet."""
        assert console.session is not None
        return session_prompt(replace(console.session, mode=self.sheet))

    def pressed(self, console: Console, press: Pressed) -> Console:
        """Turns pages, or goes back."""
        if press.button is Button.BACK or console.session is None:
            return console.back()
        looking = step(replace(console.session, mode=self.sheet), Pressed(press.button)).mode
        return (
            console.replace_top(Scores(looking)) if isinstance(looking, ViewingSheet) else console
        )
