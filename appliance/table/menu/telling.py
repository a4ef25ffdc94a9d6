"""Tells a newcomer how a game goes, in five short pages; whole rules are in `docs/rules/`."""

from collections.abc import Mapping
from dataclasses import dataclass

from appliance.inputs import Button, Pressed
from appliance.table.menu.console import Console, Page
from appliance.table.menu.prompting import TellingPrompt
from appliance.table.prompts.prompt import Prompt

TELLINGS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "classic": (
        ("THREE ROLLS,", "THEN ONE BOX"),
        ("HOLD WHAT FITS", "ROLL THE REST"),
        ("13 BOXES, EACH", "FILLED ONCE"),
        ("NOTHING FITS?", "A ZERO SOMEWHERE"),
        ("63 IN ACES TO", "SIXES: 35 MORE"),
    ),
    "yatzy": (
        ("THREE ROLLS,", "THEN ONE BOX"),
        ("HOLD WHAT FITS", "ROLL THE REST"),
        ("15 BOXES, EACH", "FILLED ONCE"),
        ("NOTHING FITS?", "A ZERO SOMEWHERE"),
        ("63 IN ONES TO", "SIXES: 50 MORE"),
    ),
    "power": (
        ("THREE ROLLS,", "THEN ONE SLOT"),
        ("21 SLOTS, EACH", "FILLED ONCE"),
        ("POWER DIE 1 2 3", "MULTIPLIES"),
        ("DOUBLE: TWO", "SLOTS, EACH X2"),
        ("FREEZE: NO MORE", "POWER: TIMES 3"),
    ),
    "showdown": (
        ("RED DIE: MOVE", "ON THE RING"),
        ("EMPTY SPACE?", "PLACE A CARD"),
        ("ON THEIR CARD?", "MEET IT, TAKE IT"),
        ("ON A CORNER?", "ANY CARD"),
        ("ALL 12 PLACED?", "ONE LAST TURN"),
    ),
    "free-for-all": (
        ("3 CARDS LIE IN", "THE CENTRE"),
        ("THREE ROLLS TO", "TAKE ONE HOME"),
        ("IN YOUR NEXT", "TURN IT COUNTS"),
        ("UNTIL THEN IT", "CAN BE STOLEN"),
        ("CHIPS UNDER IT", "COUNT AT ONCE"),
    ),
    "holdem": (
        ("TWO HIDDEN DICE", "IN YOUR CUP"),
        ("BET, CALL,", "RAISE OR FOLD"),
        ("DEALER THROWS", "3, 1 AND 1 DICE"),
        ("THE BEST 5", "OF ALL 7 WIN"),
        ("NO CHIPS: OUT", "LAST ONE WINS"),
    ),
}
"""How each game goes: five pages of two lines."""


def open_telling(console: Console, game: str) -> Console:
    """Tells how a game goes; unchanged for one of which nothing is told."""
    return console.push(Telling(game)) if game in TELLINGS else console


@dataclass(frozen=True, slots=True)
class Telling(Page):
    """A page of what a game is about; OK turns to the next, and after the last one closes."""

    game: str
    index: int = 0

    def prompt(self, console: Console) -> Prompt:
        """The page."""
        told = TELLINGS[self.game]
        return TellingPrompt(told[self.index], self.index, len(told))

    def pressed(self, console: Console, press: Pressed) -> Console:
        """OK, RIGHT and HINT turn to the next page, LEFT goes back by one, BACK closes."""
        step = {Button.LEFT: -1, Button.RIGHT: 1, Button.OK: 1, Button.HINT: 1}
        if press.button is Button.BACK:
            return console.back()
        at = self.index + step.get(press.button, 0)
        if at >= len(TELLINGS[self.game]):
            return console.back()
        return console.replace_top(Telling(self.game, max(at, 0)))
