"""One step of the console: something happens, and the next console comes out, with requests."""

from dataclasses import replace

from appliance.inputs import SHOW_MODULES, Button, Chord, Picked, Pressed, Typed
from appliance.table.menu import new_game
from appliance.table.menu.console import Console, Notice, SettingUp, Waited
from appliance.table.menu.lesson import Lesson
from appliance.table.menu.main_menu import Menu, PlayAgain, over_menu
from appliance.table.menu.modules import ask_for_layout
from appliance.table.menu.own_die import OwnDie
from appliance.table.menu.requests import OpenGame, Request
from appliance.table.menu.telling import open_telling
from appliance.table.menu.upkeep import Off
from appliance.table.session.by_hand import enters_throw
from appliance.table.session.hinting import what_is_awaited
from appliance.table.session.modes import Playing
from appliance.table.session.presses import pressed
from appliance.table.session.session import (
    Decided,
    Session,
    Sight,
    is_computers_turn,
    player_choices,
)
from appliance.table.session.step import Input, step
from games.values import Choice, Throw
from vision.events import Found, Moved, Roll, TrayEvent
from vision.reading import TrayState

Happening = Input | Chord | Typed | Waited


def advance(console: Console, happened: Happening) -> tuple[Console, tuple[Request, ...]]:
    """The console after something happened, and what is to be done for it, in this order.

    Any input in any order yields a console; one that makes no sense now changes nothing.
    """
    after = over_menu(_apply(over_menu(console), happened))
    return replace(after, requests=()), after.requests


def _apply(console: Console, happened: Happening) -> Console:
    match happened:
        case Waited():
            return replace(console, notice=None)
        case Pressed() | Typed() if console.notice is not None:
            # Nobody sees what lies under a notice: whatever takes it away does nothing else.
            return replace(console, notice=None)
        case Typed(letters):
            page = console.page
            return page.typed(console, letters) if isinstance(page, new_game.Typing) else console
        case Chord() if happened == SHOW_MODULES:
            return ask_for_layout(replace(console, notice=None))
        case Chord():
            console = replace(console, notice=None)
            return console if _switches_off(console) else console.push(Off())
        case Pressed():
            return _press_page_or_game(console, happened)
        case Picked():
            # The page that it was picked on shows the game beside a notice, but not behind a menu.
            if console.page is not None or console.session is None:
                return console
            session = step(console.session, happened)
            return replace(console, session=session, notice=None)
        case Sight(blind):
            state = TrayState.STILL if blind else TrayState.MOVING
            tray = replace(console.tray, state=state, blind=blind)
            return _follow_sight(replace(console, tray=tray), happened)
        case Decided():
            return _pass_to_game_or_setup(replace(console, notice=None), happened)
        case _:
            return _pass_to_game_or_setup(_note_what_lies_there(console, happened), happened)


def _follow_sight(console: Console, sight: Sight) -> Console:
    """The camera is gone, or is back: a notice then says so to players entering throws."""
    session, notice = console.session, console.notice
    if isinstance(console.page, Lesson):
        console = console.page.happened(console, sight)
    if session is None:
        return console
    if not sight.blind and (session.tracked.by_hand or enters_throw(session)):
        enter = (("CAMERA WORKS", "BUT FIRST"), ("ENTER ALL DICE", "OF THIS ROLL"))
        notice = Notice(enter if enters_throw(session) else (("CAMERA WORKS", "PLAY ON"),))
    return replace(console, session=step(session, sight), notice=notice)


def _press_page_or_game(console: Console, press: Pressed) -> Console:
    page = console.page
    if page is None:
        return _press_in_game(console, press)
    if press.long and press.button is Button.OK and page.closes:
        return console.close()
    return page.pressed(console, press)


def _switches_off(console: Console) -> bool:
    return console.page is not None and console.page.switches_off


def _press_in_game(console: Console, press: Pressed) -> Console:
    """A press in the game itself; a long OK opens the menu, OK at its end asks for another."""
    session = console.session
    if session is None:
        return console
    if press.button is Button.OK and press.long:
        return replace(console, session=replace(session, remark="")).push(Menu())
    if press.button is Button.OK and console.over and isinstance(session.mode, Playing):
        return console.push(PlayAgain())
    if press == Pressed(Button.BACK) and console.kept.ended is not None and _is_untouched(session):
        # A slip of the finger must not end the evening's best game.
        return console.with_requests(OpenGame(console.kept.ended))
    if press.button is Button.HINT and _is_first_throw(session):
        return open_telling(console, session.record.setup.game)
    after = pressed(session, press)
    if replace(after, remark="", scored=None) == replace(session, remark="", scored=None):
        # A press that changes nothing is answered with what the board is waiting for.
        pages = () if after.remark else what_is_awaited(after)
        return replace(console, session=after, notice=Notice(pages) if pages else None)
    return replace(console, session=after)


def _is_first_throw(session: Session) -> bool:
    """True if somebody's first turn of this game begins, when a newcomer asks how it goes."""
    record, ask = session.record, session.record.ask
    told = record.rules.telling and isinstance(session.mode, Playing)
    begins = isinstance(ask, Throw) and ask.roll == 1 and record.rules.turn(record.state) <= 1
    return bool(told) and begins and not is_computers_turn(session)


def _is_untouched(session: Session) -> bool:
    """True while nobody has thrown or chosen yet; the appliance may have drawn lots."""
    lots = all(isinstance(event, Choice) for event in session.record.events)
    return lots and not player_choices(session)


def _note_what_lies_there(console: Console, happened: Input) -> Console:
    """Keeps track of what lies in the tray, for the next game."""
    if not isinstance(happened, TrayEvent):
        return console
    before, now = console.tray, console.tray.after(happened)
    # A camera that is back begins with movement, which must not take a notice away.
    hands = now.state.is_busy and not before.state.is_busy
    noticed = hands or isinstance(happened, Roll)
    return replace(console, tray=now, notice=None if noticed else console.notice)


def _pass_to_game_or_setup(console: Console, happened: Input) -> Console:
    """A throw belongs to the game being set up, if there is one, else to the current game."""
    if isinstance(console.page, Lesson) and isinstance(happened, TrayEvent):
        return console.page.happened(console, happened)
    if isinstance(happened, Roll | Found | Moved) and isinstance(console.page, OwnDie):
        return console.page.rolled(console, happened.dice)
    if isinstance(happened, Roll | Found) and any(isinstance(p, SettingUp) for p in console.pages):
        page = console.page
        if isinstance(happened, Roll) and isinstance(page, SettingUp):
            return page.rolled(console, happened.dice)
        return console
    session = console.session
    if session is None:
        return console
    after = step(session, happened)
    # Players who throw want to see the throw: menus over the game close.
    same = after.record.state == session.record.state and after.mode == session.mode
    console = replace(console, session=after)
    seen = isinstance(happened, Roll) and not same
    return console.close() if seen and not _switches_off(console) else console
