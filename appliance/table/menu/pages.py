"""Pages over the game: each defines both what the board says and what a press does.

Pages are stacked; BACK takes away the top one.
"""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import Field, dataclass, replace
from typing import Any, ClassVar

from appliance.inputs import Button, Pressed
from appliance.table.menu.console import Console, Page
from appliance.table.menu.prompting import ListPrompt, NoticePrompt
from appliance.table.prompts.prompt import Prompt


@dataclass(frozen=True, slots=True)
class ListRow:
    """An item of a list, with a title; several lines are shown in turn.

    OK calls `chosen`, or goes back; its word `ok` is empty or a figure if it goes back.
    """

    title: str
    lines: tuple[str, ...]
    chosen: Callable[[Console], Console] = lambda console: console.back()
    ok: str = "OK"


class ListPage(Page):
    """Shows one item of a list: LEFT and RIGHT browse, OK takes it, BACK goes back.

    A list wraps around; an empty one closes. Each kind is a dataclass.
    """

    __slots__ = ()
    empty: ClassVar[tuple[str, str]] = ("", "")
    """Two lines shown in place of an empty list."""
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    index: int

    @abstractmethod
    def rows(self, console: Console) -> Sequence[ListRow]:
        """The list's present rows."""

    def prompt(self, console: Console) -> Prompt:
        """The item shown."""
        rows = self.rows(console)
        if not rows:
            return NoticePrompt((self.empty,), passing=False)
        row = rows[place := self.index % len(rows)]
        return ListPrompt(row.title, row.lines, place, len(rows), row.ok)

    def pressed(self, console: Console, press: Pressed) -> Console:
        """Goes through the list, takes an item, or goes back."""
        rows = self.rows(console)
        if press.button is Button.BACK or not rows:
            return console.back()
        if press.button is Button.OK:
            return rows[self.index % len(rows)].chosen(console)
        step = {Button.LEFT: -1, Button.RIGHT: 1}.get(press.button, 0)
        return console.replace_top(replace(self, index=(self.index + step) % len(rows)))


@dataclass(frozen=True, slots=True)
class PlainList(ListPage):
    """A list whose only state is which item is shown."""

    index: int = 0


class Question(Page):
    """Asks something: OK is yes, BACK is no, and the other buttons do nothing."""

    __slots__ = ()

    @abstractmethod
    def answered(self, console: Console, yes: bool) -> Console:
        """The console after an answer."""

    def pressed(self, console: Console, press: Pressed) -> Console:
        """Takes the answer."""
        if press.button not in (Button.OK, Button.BACK):
            return console
        return self.answered(console, press.button is Button.OK)
