"""Tells a newcomer how a game goes, in a few short pages; whole rules are in `docs/rules/`."""

from dataclasses import dataclass

from appliance.inputs import Button, Pressed
from appliance.table.menu.console import Console, Page
from appliance.table.menu.prompting import TellingPrompt
from appliance.table.prompts.prompt import Prompt
from games.registry import GAMES


def open_telling(console: Console, game: str) -> Console:
    """Tells how a game goes; unchanged for one of which nothing is told."""
    return console.push(Telling(game)) if GAMES[game].telling else console


@dataclass(frozen=True, slots=True)
class Telling(Page):
    """A page of what a game is about; OK turns to the next, and after the last one closes."""

    game: str
    index: int = 0

    def prompt(self, console: Console) -> Prompt:
        """The page."""
        told = GAMES[self.game].telling
        return TellingPrompt(told[self.index], self.index, len(told))

    def pressed(self, console: Console, press: Pressed) -> Console:
        """OK, RIGHT and HINT turn to the next page, LEFT goes back by one, BACK closes."""
        step = {Button.LEFT: -1, Button.RIGHT: 1, Button.OK: 1, Button.HINT: 1}
        if press.button is Button.BACK:
            return console.back()
        at = self.index + step.get(press.button, 0)
        if at >= len(GAMES[self.game].telling):
            return console.back()
        return console.replace_top(Telling(self.game, max(at, 0)))
