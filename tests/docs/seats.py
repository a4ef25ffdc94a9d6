"""Seats, the example of the developer's guide: a whole screen in one file.

A page that shows who sits where, which the menu offers while there is a game; its drawing; its
scene in the gallery.
"""

from dataclasses import dataclass

from appliance.guidance import GO_BACK, SHOW_OTHERS, Guidance, guidance
from appliance.inputs import Button, Pressed
from appliance.picture import Picture
from appliance.screens.drawing.canvas import Canvas
from appliance.screens.drawing.film import pages
from appliance.screens.drawing.layout import LOWER_LINE_ROW, draw_list_bar
from appliance.table.menu.console import Console, Page
from appliance.table.menu.main_menu import MenuEntry
from appliance.table.menu.prompting import PagePrompt
from appliance.table.prompts.prompt import Prompt
from appliance.words import Verbatim
from tests.rigs.gallery.scenes import Scene


@dataclass(frozen=True, slots=True)
class SeatPrompt(PagePrompt):
    """Who sits in a seat, and how many seats there are."""

    player: str
    seat: int
    count: int

    def can_do(self, hands: bool = True) -> Guidance:
        """Other seats are looked at."""
        says = Verbatim(f"{self.player}: {self.seat + 1}/{self.count}")
        return guidance(says, SHOW_OTHERS, GO_BACK)


@dataclass(frozen=True, slots=True)
class Seats(Page):
    """The seats of the current game; `seat` is the one shown."""

    seat: int = 0

    def prompt(self, console: Console) -> Prompt:
        """The seat shown."""
        players = console.session.setup.players if console.session is not None else ("NOBODY",)
        seat = self.seat % len(players)
        return SeatPrompt(players[seat], seat, len(players))

    def pressed(self, console: Console, press: Pressed) -> Console:
        """LEFT and RIGHT go round the table, OK and BACK go back."""
        if press.button in (Button.OK, Button.BACK):
            return console.back()
        step = {Button.LEFT: -1, Button.RIGHT: 1}.get(press.button, 0)
        return console.replace_top(Seats(self.seat + step))


@pages.register
def _seat_pages(prompt: SeatPrompt) -> tuple[Picture, ...]:
    canvas = Canvas()
    canvas.line(0, prompt.player)
    canvas.small_line(LOWER_LINE_ROW, f"SEAT {prompt.seat + 1}", f"OF {prompt.count}")
    draw_list_bar(canvas, prompt.seat, prompt.count)
    return (canvas.picture,)


# What goes into lists elsewhere: the scenes of `tests/rigs/gallery/asides.py`, and the entries of
# the menu.

SCENE = Scene("seats", "Who sits where.", SeatPrompt("CLEO", 2, 4))

ENTRY = MenuEntry(
    "SEATS", lambda console: console.push(Seats()), lambda console: console.session is not None
)
