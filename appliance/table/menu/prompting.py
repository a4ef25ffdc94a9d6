"""What the board has to say when something lies over the game."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from appliance.table.menu.name_entry import Entry
from appliance.table.prompts import Prompt
from appliance.table.session.prompting import prompt
from vision.reading import TrayState

if TYPE_CHECKING:
    from appliance.table.menu.console import Console


class PagePrompt(Prompt):
    """Base of what pages have to say."""

    __slots__ = ()
    at_leisure = True


@dataclass(frozen=True, slots=True)
class ListPrompt(PagePrompt):
    """One item of a list: LEFT and RIGHT go through it.

    Several lines are shown in turn; `index` counts items from 0. `ok` says in a word what OK does;
    it is empty or a figure if OK only goes back.
    """

    title: str
    lines: tuple[str, ...]
    index: int
    count: int
    ok: str = "OK"


@dataclass(frozen=True, slots=True)
class QuestionPrompt(PagePrompt):
    """A question: OK is yes, BACK is no; `more` is a second page of two lines, if not empty.

    `player` is whom it is about, empty for nobody.
    """

    question: str
    more: tuple[str, str] = ("", "")
    player: str = ""


@dataclass(frozen=True, slots=True)
class NamePrompt(PagePrompt):
    """A name letter by letter: LEFT and RIGHT turn the ring, OK takes, BACK deletes."""

    seat: int
    entry: Entry
    remark: str


@dataclass(frozen=True, slots=True)
class BrightnessPrompt(PagePrompt):
    """The brightness."""

    level: int


@dataclass(frozen=True, slots=True)
class ModulesPrompt(PagePrompt):
    """A figure on each module of the board, in one of `count` layouts; `index` counts from 0."""

    index: int
    count: int


@dataclass(frozen=True, slots=True)
class RollOffPrompt(Prompt):
    """Waits for one die from a player.

    It is thrown `again` because of a tie; `last` is who threw before, and what. While the camera
    cannot see the tray (`blind`), OK lets the players enter the die.
    """

    player: str
    again: bool
    last: tuple[str, int] | None
    tray: TrayState
    blind: bool = False


@dataclass(frozen=True, slots=True)
class TellingPrompt(PagePrompt):
    """A page of two lines about how a game goes; `index` counts from 0."""

    lines: tuple[str, str]
    index: int
    count: int


@dataclass(frozen=True, slots=True)
class LessonPrompt(PagePrompt):
    """A step of the lesson in two lines; `index` counts steps from 0.

    `shown` is what the board shows of it in a game, None at what is only to be read. It comes first
    if the newcomer has `acted`.
    """

    lines: tuple[str, str]
    index: int
    count: int
    shown: Prompt | None = None
    acted: bool = False


@dataclass(frozen=True, slots=True)
class NoticePrompt(PagePrompt):
    """Pages of two lines; `passing` ones go away by themselves.

    `about_die` ones are about a die that is shown: another may be, and its face entered.
    """

    pages: tuple[tuple[str, str], ...]
    passing: bool = True
    about_die: bool = False


def console_prompt(console: "Console") -> Prompt:
    """What the board has to say now."""
    if console.notice is not None:
        return NoticePrompt(console.notice.pages, console.notice.passing)
    page = console.page
    if page is not None:
        return page.prompt(console)
    assert console.session is not None
    return prompt(console.session)
