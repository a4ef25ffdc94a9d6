"""What the board has to say when something lies over the game."""

from dataclasses import dataclass, replace

from appliance.rules.roll_off import standing, throwers
from appliance.table.menu.console import Desk
from appliance.table.menu.lists import rows_of
from appliance.table.menu.name_entry import Entry
from appliance.table.menu.pages import (
    Brightness,
    Games,
    GoodBye,
    Keeping,
    Off,
    RollOff,
    Scores,
    Typing,
)
from appliance.table.prompts import CountPrompt, Prompt, TellPrompt
from appliance.table.session.prompting import prompt
from vision.reading import DieState, TrayState


@dataclass(frozen=True, slots=True)
class ListPrompt:
    """One item of a list: LEFT and RIGHT go through it.

    Attributes:
        title: what the list is about.
        lines: the item; where there are more lines than one they take turns.
        index: which item this is, from 0.
        count: how many items there are.
        ok: what OK does, a word; empty if it does nothing but go back.
    """

    title: str
    lines: tuple[str, ...]
    index: int
    count: int
    ok: str = "OK"


@dataclass(frozen=True, slots=True)
class QuestionPrompt:
    """A question: OK is yes, BACK is no; `more` is a second page of two lines, if not empty."""

    question: str
    more: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class NamePrompt:
    """A name letter by letter: LEFT and RIGHT turn the ring, OK takes, BACK deletes."""

    seat: int
    entry: Entry
    remark: str


@dataclass(frozen=True, slots=True)
class BrightnessPrompt:
    """The brightness, 0 to 15."""

    level: int


@dataclass(frozen=True, slots=True)
class RollOffPrompt:
    """Waits for one die of a player.

    Attributes:
        player: who throws.
        again: because of a tie.
        last: who threw before, and what; None at the beginning.
        tray: what goes on in the tray.
    """

    player: str
    again: bool
    last: tuple[str, int] | None
    tray: TrayState


@dataclass(frozen=True, slots=True)
class NoticePrompt:
    """Pages of two lines; `passing` ones go away by themselves."""

    pages: tuple[tuple[str, str], ...]
    passing: bool = True


DeskPrompt = (
    Prompt
    | ListPrompt
    | QuestionPrompt
    | NamePrompt
    | BrightnessPrompt
    | RollOffPrompt
    | NoticePrompt
)


def desk_prompt(desk: Desk) -> DeskPrompt:
    """What the board has to say now."""
    if desk.notice is not None:
        return NoticePrompt(desk.notice.pages)
    session = desk.session
    page = desk.page
    match page:
        case None:
            assert session is not None
            return prompt(session)
        case Games() if not desk.aside:
            return NoticePrompt((("NO OLD", "GAMES"),), passing=False)
        case Keeping():
            return QuestionPrompt("NEW GAME?", ("THIS GAME", "IS KEPT"))
        case Off():
            return QuestionPrompt("SHUT DOWN?")
        case GoodBye():
            return NoticePrompt((("GOOD BYE", "SHUTS DOWN"),), passing=False)
        case Scores(sheet):
            assert session is not None
            return prompt(replace(session, mode=sheet))
        case Brightness():
            return BrightnessPrompt(desk.brightness)
        case Typing(draft, entry, remark):
            return NamePrompt(len(draft.players), entry, remark)
        case RollOff():
            return _roll_off(desk, page)
        case _:
            rows = rows_of(desk, page)
            place = page.index % len(rows)
            row = rows[place]
            return ListPrompt(row.title, row.lines, place, len(rows), row.ok)


def _roll_off(desk: Desk, page: RollOff) -> RollOffPrompt | TellPrompt | CountPrompt:
    players = page.draft.players
    now = standing(page.draft.count, page.totals)
    if page.telling is not None:
        return TellPrompt(players[now.seat], 0, page.telling, DieState.UNSURE, (None,))
    if page.thrown:
        return CountPrompt(players[now.seat], page.thrown, 1)
    last = None
    if page.totals:
        thrower = throwers(page.draft.count, page.totals)[-1]
        last = players[thrower], page.totals[-1]
    return RollOffPrompt(players[now.seat], now.again, last, desk.tray)
