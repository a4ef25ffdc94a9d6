"""All lists: which items each holds, and what a press does in them."""

from collections.abc import Sequence
from dataclasses import replace

from appliance.inputs import Button
from appliance.table.menu import main_menu, new_game
from appliance.table.menu.console import Desk, ListRow, ask_for, back, turn_to
from appliance.table.menu.pages import (
    About,
    Games,
    ListPage,
    Menu,
    PickFirst,
    PickGame,
    PickName,
    PickOption,
    PickPlayers,
    Rules,
)
from appliance.table.menu.requests import LookAround


def rows_of(desk: Desk, page: ListPage) -> Sequence[ListRow]:
    """What the list holds now."""
    match page:
        case Menu():
            return main_menu.menu_rows(desk)
        case Games():
            return main_menu.aside_rows(desk)
        case Rules():
            return main_menu.rule_rows(desk)
        case About():
            return main_menu.about_rows(desk)
        case PickGame():
            return new_game.game_rows(desk)
        case PickPlayers(draft):
            return new_game.player_rows(desk, draft)
        case PickName(draft):
            return new_game.name_rows(desk, draft)
        case PickOption(draft, name):
            return new_game.option_rows(draft, name)
        case PickFirst(draft):
            return new_game.first_rows(draft)


def in_list(desk: Desk, page: ListPage, button: Button) -> Desk:
    """After a press in a list, which has no ends; an empty one goes away."""
    rows = rows_of(desk, page)
    if button is Button.BACK or not rows:
        return back(desk)
    if button is Button.OK:
        return rows[page.index % len(rows)].chosen(desk)
    step = {Button.LEFT: -1, Button.RIGHT: 1}.get(button, 0)
    after = turn_to(desk, replace(page, index=(page.index + step) % len(rows)))
    return ask_for(after, LookAround()) if isinstance(page, About) else after
