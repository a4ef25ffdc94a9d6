"""What the board has to say when something lies over the game."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from appliance.rules.registry import find
from appliance.rules.roll_off import standing, throwers
from appliance.table.menu import main_menu as menu
from appliance.table.menu import new_game as starting
from appliance.table.menu.console import Desk
from appliance.table.menu.name_entry import Entry
from appliance.table.menu.options import seat_option, title, value_words
from appliance.table.menu.pages import (
    About,
    Brightness,
    Games,
    GoodBye,
    Keeping,
    Menu,
    Off,
    PickFirst,
    PickGame,
    PickName,
    PickOption,
    PickPlayers,
    RollOff,
    Rules,
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
        case Menu(index):
            return _list("MENU", menu.items(desk), index)
        case Games(index):
            return _games(desk, index)
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
        case Rules(index):
            return _rules(desk, index)
        case About(index):
            return _about(desk, index)
        case PickGame(index):
            return _list("WHICH GAME?", [find(game).TITLE for game in desk.games], index)
        case PickPlayers():
            return _players(desk, page)
        case PickName(draft, index):
            return _list(f"PLAYER {len(draft.players) + 1}?", starting.names(desk, draft), index)
        case Typing(draft, entry, remark):
            return NamePrompt(len(draft.players), entry, remark)
        case PickOption(draft, name, index):
            values = find(draft.game).OPTIONS[name]
            offered = [value_words(draft.game, name, value) for value in values]
            return _list(f"{title(draft.game, name)}?", offered, index)
        case PickFirst(draft, index):
            who = title(draft.game, seat_option(draft.game))
            return _list(f"{who}?", ["ROLL-OFF", *draft.players], index)
        case RollOff():
            return _roll_off(desk, page)


def _list(what: str, items: Sequence[str], index: int) -> ListPrompt:
    place = index % len(items)
    return ListPrompt(what, (str(items[place]),), place, len(items))


def _games(desk: Desk, index: int) -> ListPrompt | NoticePrompt:
    if not desk.aside:
        return NoticePrompt((("NO OLD", "GAMES"),), passing=False)
    place = index % len(desk.aside)
    aside = desk.aside[place]
    return ListPrompt(find(aside.game).TITLE, lines_of(aside.players), place, len(desk.aside))


def lines_of(names: Sequence[str]) -> tuple[str, ...]:
    """Names two to a line where they are short, else one."""
    lines: list[str] = []
    for name in names:
        if lines and len(lines[-1]) + len(name) < 9:
            lines[-1] += f" {name}"
        else:
            lines.append(name)
    return tuple(lines)


def _rules(desk: Desk, index: int) -> ListPrompt:
    count = len(menu.rule_rows(desk))
    what, lines, changes = menu.rule_lines(desk, index % count)
    return ListPrompt(what, lines, index % count, count, "OK" if changes else "")


def _about(desk: Desk, index: int) -> ListPrompt:
    if not desk.about:
        return ListPrompt("ABOUT", ("DICETRAY",), 0, 1, "")
    label, text = desk.about[index % len(desk.about)]
    return ListPrompt(label, (text,), index % len(desk.about), len(desk.about), "")


def _players(desk: Desk, page: PickPlayers) -> ListPrompt:
    offered = starting.companies(desk, page.draft)
    place = page.index % len(offered)
    wanted = offered[place]
    last = desk.settings.last()
    if isinstance(wanted, int):
        lines: tuple[str, ...] = (f"{wanted} PLAYER{'S' if wanted > 1 else ''}",)
    else:
        lines = lines_of(last.players) if last is not None else ()
    return ListPrompt("WHO PLAYS?", lines, place, len(offered))


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
