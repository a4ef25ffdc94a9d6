"""The menu and what it leads to, but for setting up a game: what each press does."""

from dataclasses import replace
from enum import StrEnum
from functools import partial

from appliance.inputs import Button, Pressed
from appliance.rules.registry import find
from appliance.table.menu import new_game
from appliance.table.menu.console import (
    Desk,
    ListRow,
    ask_for,
    back,
    brighten,
    close,
    push,
    remember,
    turn_to,
)
from appliance.table.menu.options import asked, in_force, title, value_words
from appliance.table.menu.pages import (
    About,
    Brightness,
    Games,
    GoodBye,
    Keeping,
    Off,
    Rules,
    Scores,
)
from appliance.table.menu.requests import Calibrate, LookAround, OpenGame, ShutDown
from appliance.table.session.session import Session, ViewingSheet
from appliance.table.session.step import step


class Item(StrEnum):
    """What the menu offers, as the board calls it."""

    GO_ON = "GO ON"
    AGAIN = "PLAY AGAIN"
    SCORES = "SCORES"
    NEW = "NEW GAME"
    GAMES = "OLD GAMES"
    BRIGHTNESS = "BRIGHTNESS"
    RULES = "RULES"
    CALIBRATE = "CALIBRATE"
    ABOUT = "ABOUT"
    OFF = "SHUT DOWN"


def items(desk: Desk) -> tuple[Item, ...]:
    """What the menu offers now, what is wanted most first."""
    if desk.session is None:
        first = [Item.NEW]
    elif desk.over:
        first = [Item.AGAIN, Item.NEW, Item.SCORES]
    else:
        first = [Item.GO_ON, Item.SCORES, Item.NEW]
    if desk.aside:
        first.append(Item.GAMES)
    first.append(Item.BRIGHTNESS)
    if desk.session is not None:
        first.append(Item.RULES)
    if desk.can_calibrate:
        first.append(Item.CALIBRATE)
    return (*first, Item.ABOUT, Item.OFF)


def menu_rows(desk: Desk) -> list[ListRow]:
    """The menu."""
    return [ListRow("MENU", (item.value,), partial(_chosen, item=item)) for item in items(desk)]


def _chosen(desk: Desk, item: Item) -> Desk:
    match item:
        case Item.GO_ON:
            return close(desk)
        case Item.AGAIN:
            return new_game.again(desk)
        case Item.SCORES:
            return push(desk, Scores(ViewingSheet(_seat(desk.session))))
        case Item.NEW:
            kept = desk.session is not None and not desk.over and desk.session.events
            return push(desk, Keeping()) if kept else new_game.begin(desk)
        case Item.GAMES:
            return push(desk, Games())
        case Item.BRIGHTNESS:
            return push(desk, Brightness(desk.brightness))
        case Item.RULES:
            return push(desk, Rules())
        case Item.CALIBRATE:
            return ask_for(close(desk), Calibrate())
        case Item.ABOUT:
            return ask_for(push(desk, About()), LookAround())
        case Item.OFF:
            return push(desk, Off())


def _seat(session: Session | None) -> int:
    ask = None if session is None else session.rules.ask(session.state)
    return 0 if ask is None else ask.seat


def aside_rows(desk: Desk) -> list[ListRow]:
    """The games that were put aside."""
    return [
        ListRow(
            find(aside.game).TITLE,
            new_game.lines_of(aside.players),
            partial(_open, number=aside.number),
        )
        for aside in desk.aside
    ]


def _open(desk: Desk, number: int) -> Desk:
    return ask_for(desk, OpenGame(number))


def in_question(desk: Desk, page: Keeping | Off, button: Button) -> Desk:
    """After a press at a question: OK is yes, BACK is no."""
    if button is Button.BACK:
        return back(desk)
    if button is not Button.OK:
        return desk
    if isinstance(page, Keeping):
        return new_game.begin(desk)
    return ask_for(turn_to(desk, GoodBye()), ShutDown())


def in_scores(desk: Desk, page: Scores, press: Pressed) -> Desk:
    """After a press at the sheets: they are the session's own, the game below stays as it is."""
    if press.button is Button.BACK or desk.session is None:
        return back(desk)
    looking = step(replace(desk.session, mode=page.sheet), Pressed(press.button)).mode
    return turn_to(desk, Scores(looking)) if isinstance(looking, ViewingSheet) else desk


def in_brightness(desk: Desk, page: Brightness, button: Button) -> Desk:
    """After a press while the brightness is set."""
    if button is Button.BACK:
        return back(brighten(desk, page.before))
    if button is Button.OK:
        return back(desk)
    return brighten(desk, desk.brightness + {Button.LEFT: -1, Button.RIGHT: 1}.get(button, 0))


def about_rows(desk: Desk) -> list[ListRow]:
    """Versions and health."""
    about = desk.about or (("ABOUT", "DICETRAY"),)
    return [ListRow(label, (text,), back, "") for label, text in about]


def rule_rows(desk: Desk) -> list[ListRow]:
    """The options of the present game; OK changes those that the next game is asked about."""
    if desk.session is None:
        return []
    setup = desk.session.setup
    game, changing = setup.game, asked(setup.game)
    rows = []
    for name in setup.rules.OPTIONS:
        text = value_words(game, name, in_force(setup, name), setup.players)
        if name not in changing:
            rows.append(ListRow(title(game, name), (text,), back, ""))
            continue
        later = value_words(game, name, desk.settings.option(game, name))
        lines = (f"NOW {text}",) if later == text else (f"NOW {text}", f"NEXT {later}")
        rows.append(ListRow(title(game, name), lines, partial(_next_value, game=game, name=name)))
    return rows


def _next_value(desk: Desk, game: str, name: str) -> Desk:
    values = find(game).OPTIONS[name]
    coming = desk.settings.option(game, name)
    following = values[(values.index(coming) + 1) % len(values)] if coming in values else values[0]
    return remember(desk, desk.settings.with_option(game, name, following))
