"""The menu and what it leads to, but for setting up a game: what each press does."""

from dataclasses import replace
from enum import StrEnum

from appliance.inputs import Button, Pressed
from appliance.rules.game import OptionValue
from appliance.table.menu import new_game as starting
from appliance.table.menu.console import (
    Desk,
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
    Menu,
    Off,
    Rules,
    Scores,
)
from appliance.table.menu.requests import Calibrate, LookAround, OpenGame, ShutDown
from appliance.table.session.session import Session, Sheet
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


def turned(index: int, button: Button, count: int) -> int:
    """Where LEFT and RIGHT lead in a list that has no ends."""
    step = {Button.LEFT: -1, Button.RIGHT: 1}.get(button, 0)
    return (index + step) % max(count, 1)


def in_menu(desk: Desk, page: Menu, button: Button) -> Desk:
    """After a press in the menu itself."""
    offered = items(desk)
    if button is Button.BACK:
        return close(desk)
    if button is not Button.OK:
        return turn_to(desk, Menu(turned(page.index, button, len(offered))))
    match offered[page.index % len(offered)]:
        case Item.GO_ON:
            return close(desk)
        case Item.AGAIN:
            return starting.again(desk)
        case Item.SCORES:
            return push(desk, Scores(Sheet(_seat(desk.session))))
        case Item.NEW:
            kept = desk.session is not None and not desk.over and desk.session.events
            return push(desk, Keeping()) if kept else starting.begin(desk)
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


def in_games(desk: Desk, page: Games, button: Button) -> Desk:
    """After a press in the list of games that were put aside."""
    if button is Button.BACK or not desk.aside:
        return back(desk)
    if button is Button.OK:
        return ask_for(desk, OpenGame(desk.aside[page.index % len(desk.aside)].number))
    return turn_to(desk, Games(turned(page.index, button, len(desk.aside))))


def in_question(desk: Desk, page: Keeping | Off, button: Button) -> Desk:
    """After a press at a question: OK is yes, BACK is no."""
    if button is Button.BACK:
        return back(desk)
    if button is not Button.OK:
        return desk
    if isinstance(page, Keeping):
        return starting.begin(desk)
    return ask_for(turn_to(desk, GoodBye()), ShutDown())


def in_scores(desk: Desk, page: Scores, press: Pressed) -> Desk:
    """After a press at the sheets: they are the session's own, the game below stays as it is."""
    if press.button is Button.BACK or desk.session is None:
        return back(desk)
    looking = step(replace(desk.session, mode=page.sheet), Pressed(press.button)).mode
    return turn_to(desk, Scores(looking)) if isinstance(looking, Sheet) else desk


def in_brightness(desk: Desk, page: Brightness, button: Button) -> Desk:
    """After a press while the brightness is set."""
    if button is Button.BACK:
        return back(brighten(desk, page.before))
    if button is Button.OK:
        return back(desk)
    return brighten(desk, desk.brightness + {Button.LEFT: -1, Button.RIGHT: 1}.get(button, 0))


def in_about(desk: Desk, page: About, button: Button) -> Desk:
    """After a press at versions and health."""
    if button in (Button.BACK, Button.OK):
        return back(desk)
    after = turn_to(desk, About(turned(page.index, button, len(desk.about))))
    return ask_for(after, LookAround())


def rule_rows(desk: Desk) -> tuple[tuple[str, OptionValue, OptionValue | None], ...]:
    """The options of the present game: name, value now, and the next game's where it may differ."""
    if desk.session is None:
        return ()
    setup = desk.session.setup
    changing = asked(setup.game)
    return tuple(
        (
            name,
            in_force(setup, name),
            desk.settings.option(setup.game, name) if name in changing else None,
        )
        for name in setup.rules.OPTIONS
    )


def rule_lines(desk: Desk, index: int) -> tuple[str, tuple[str, ...], bool]:
    """Title and text of an option of the present game, and whether OK changes the next game's."""
    assert desk.session is not None
    game = desk.session.setup.game
    name, now, coming = rule_rows(desk)[index]
    text = value_words(game, name, now, desk.session.setup.players)
    if coming is None:
        return title(game, name), (text,), False
    later = value_words(game, name, coming)
    lines = (f"NOW {text}",) if later == text else (f"NOW {text}", f"NEXT {later}")
    return title(game, name), lines, True


def in_rules(desk: Desk, page: Rules, button: Button) -> Desk:
    """After a press at the rules: OK changes what the next game is played with."""
    rows = rule_rows(desk)
    if button is Button.BACK or not rows or desk.session is None:
        return back(desk)
    if button is not Button.OK:
        return turn_to(desk, Rules(turned(page.index, button, len(rows))))
    game = desk.session.setup.game
    name, _, coming = rows[page.index % len(rows)]
    if coming is None:
        return back(desk)
    values = desk.session.rules.OPTIONS[name]
    following = values[(values.index(coming) + 1) % len(values)] if coming in values else values[0]
    return remember(desk, desk.settings.with_option(game, name, following))
