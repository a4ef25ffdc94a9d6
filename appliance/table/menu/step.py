"""One step of the desk: something happens, and the next desk comes out, with requests."""

from dataclasses import replace

from appliance.inputs import Button, Chord, Pressed
from appliance.table.menu.console import Desk, Waited
from appliance.table.menu.main_menu import Menu, Off
from appliance.table.menu.pages import SettingUp
from appliance.table.menu.requests import Request
from appliance.table.session.modes import Playing
from appliance.table.session.step import Input, step
from vision.events import Cleared, Found, PickedUp, Roll, TrayChanged
from vision.reading import TrayState

Happening = Input | Chord | Waited


def advance(desk: Desk, happened: Happening) -> tuple[Desk, tuple[Request, ...]]:
    """The desk after something happened, and what is to be done for it, in this order.

    Whatever comes in whatever order, a desk comes out; what makes no sense now changes nothing.
    """
    after = _advance(desk, happened)
    return replace(after, requests=()), after.requests


def _advance(desk: Desk, happened: Happening) -> Desk:
    match happened:
        case Waited():
            return replace(desk, notice=None)
        case Chord():
            desk = replace(desk, notice=None)
            return desk if _switches_off(desk) else desk.push(Off())
        case Pressed():
            read = replace(desk, notice=None)
            # A notice over the game is in nobody's way; one over a page is taken away first.
            return read if desk.notice and desk.page is not None else _pressed(read, happened)
        case _:
            return _in_tray(_watched(desk, happened), happened)


def _pressed(desk: Desk, press: Pressed) -> Desk:
    page = desk.page
    if page is None:
        return _in_session(desk, press)
    if press.long and press.button is Button.OK and page.closes:
        return desk.close()
    return page.pressed(desk, press)


def _switches_off(desk: Desk) -> bool:
    return desk.page is not None and desk.page.switches_off


def _in_session(desk: Desk, press: Pressed) -> Desk:
    """A press in the game itself; OK long, and OK at its end, open the menu."""
    session = desk.session
    if session is None:
        return desk
    ended = desk.over and isinstance(session.mode, Playing)
    if press.button is Button.OK and (press.long or ended):
        return replace(desk, session=replace(session, remark="")).push(Menu())
    return replace(desk, session=step(session, press))


def _watched(desk: Desk, happened: Input) -> Desk:
    """Keeps in mind what lies in the tray, for the next game."""
    match happened:
        case TrayChanged(state=state):
            hands = state in (TrayState.HAND, TrayState.MOVING)
            return replace(desk, tray=state, notice=None if hands else desk.notice)
        case Roll(dice=dice):
            return replace(desk, lying=len(dice), notice=None)
        case Found(dice=dice):
            return replace(desk, lying=len(dice))
        case PickedUp(slots=slots):
            return replace(desk, lying=max(0, desk.lying - len(slots)))
        case Cleared():
            return replace(desk, lying=0)
        case _:
            return desk


def _in_tray(desk: Desk, happened: Input) -> Desk:
    """A throw belongs to the game that is being set up, if one is, else to the present game."""
    if isinstance(happened, Roll | Found) and any(isinstance(p, SettingUp) for p in desk.pages):
        page = desk.page
        if isinstance(happened, Roll) and isinstance(page, SettingUp):
            return page.rolled(desk, happened.dice)
        return desk
    session = desk.session
    if session is None:
        return desk
    after = step(session, happened)
    # Whoever throws wants to see the throw: menus over the game go away.
    seen = isinstance(happened, Roll) and (after.state, after.mode) != (session.state, session.mode)
    desk = replace(desk, session=after)
    return desk.close() if seen and not _switches_off(desk) else desk
