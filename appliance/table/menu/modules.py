"""How the scoreboard's modules are mounted: a page that can be answered without reading a word.

As long as a board expects another layout than it has, whatever it says is scrambled. The page shows
a figure on each module, in one layout after another: LEFT and RIGHT go on until the figures stand
upright and in order, OK stores that one on the board, BACK leaves everything as it was.
"""

from dataclasses import dataclass, replace

from appliance.inputs import Button, Pressed
from appliance.table.menu import prompting
from appliance.table.menu.console import Console, Page
from appliance.table.menu.requests import StoreLayout
from appliance.table.prompts.prompt import Prompt


@dataclass(frozen=True, slots=True)
class Modules(Page):
    """Shows figures in a layout; the appliance makes the board try it meanwhile."""

    index: int = 0

    # A long press of OK is a slow finger here.
    closes = False

    def prompt(self, console: Console) -> Prompt:
        """The figures, or why no layout can be chosen."""
        modules = console.modules
        if modules.trouble:
            return prompting.NoticePrompt(modules.trouble, passing=False)
        return prompting.ModulesPrompt(self.index, len(modules.layouts))

    def pressed(self, console: Console, press: Pressed) -> Console:
        """LEFT and RIGHT try another layout, OK stores this one, BACK goes back."""
        layouts, trouble = console.modules.layouts, console.modules.trouble
        if press.button is Button.BACK or trouble or not layouts:
            return console.back()
        if press.button is Button.OK:
            return console.back().with_requests(StoreLayout(layouts[self.index % len(layouts)]))
        step = {Button.LEFT: -1, Button.RIGHT: 1}.get(press.button, 0)
        return console.replace_top(replace(self, index=(self.index + step) % len(layouts)))


def layout_on_trial(console: Console) -> str | None:
    """The layout that the board is to try now; None for its own."""
    page, modules = console.page, console.modules
    if not isinstance(page, Modules) or console.notice is not None or modules.trouble:
        return None
    return modules.layouts[page.index % len(modules.layouts)] if modules.layouts else None


def ask_for_layout(console: Console) -> Console:
    """Lays the page on top, unless it is there or there is no board; the board's layout first."""
    page, modules = console.page, console.modules
    in_the_way = page is not None and (isinstance(page, Modules) or page.switches_off)
    if in_the_way or not modules.layouts:
        return console
    known = modules.layout in modules.layouts
    return console.push(Modules(modules.layouts.index(modules.layout) if known else 0))
