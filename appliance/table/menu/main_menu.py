"""The menu and what it leads to, but for setting up a game."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from appliance.inputs import Button, Pressed
from appliance.rules.registry import find
from appliance.table.menu import new_game
from appliance.table.menu.options import asked, in_force, title, value_words
from appliance.table.menu.pages import ListRow, Page, PlainList
from appliance.table.menu.prompting import (
    BrightnessPrompt,
    DeskPrompt,
    NoticePrompt,
    QuestionPrompt,
)
from appliance.table.menu.requests import Calibrate, LookAround, OpenGame, ShutDown
from appliance.table.session.modes import ViewingSheet
from appliance.table.session.prompting import prompt as session_prompt
from appliance.table.session.step import step

if TYPE_CHECKING:
    from appliance.table.menu.console import Desk


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """What the menu can offer.

    Attributes:
        word: as the board calls it.
        chosen: what OK does.
        offered: whether it is offered now.
    """

    word: str
    chosen: Callable[["Desk"], "Desk"]
    offered: Callable[["Desk"], object] = lambda desk: True


class Menu(PlainList):
    """The menu."""

    __slots__ = ()

    def rows(self, desk: "Desk") -> Sequence[ListRow]:
        """What is offered now."""
        return [
            ListRow("MENU", (entry.word,), entry.chosen) for entry in ENTRIES if entry.offered(desk)
        ]


class Games(PlainList):
    """The games that were put aside."""

    __slots__ = ()

    def rows(self, desk: "Desk") -> Sequence[ListRow]:
        """A game each."""
        return [
            ListRow(
                find(aside.game).TITLE,
                new_game.lines_of(aside.players),
                partial(_open, number=aside.number),
            )
            for aside in desk.aside
        ]

    def prompt(self, desk: "Desk") -> DeskPrompt:
        """The game shown, or that there is none."""
        if not desk.aside:
            return NoticePrompt((("NO OLD", "GAMES"),), passing=False)
        return super().prompt(desk)


def _open(desk: "Desk", number: int) -> "Desk":
    return desk.ask_for(OpenGame(number))


@dataclass(frozen=True, slots=True)
class Keeping(Page):
    """Asks whether a new game shall begin, and says that the present one is kept."""

    def prompt(self, desk: "Desk") -> DeskPrompt:
        """The question."""
        return QuestionPrompt("NEW GAME?", ("THIS GAME", "IS KEPT"))

    def pressed(self, desk: "Desk", press: Pressed) -> "Desk":
        """OK is yes, BACK is no."""
        if press.button is Button.BACK:
            return desk.back()
        return new_game.begin(desk) if press.button is Button.OK else desk


@dataclass(frozen=True, slots=True)
class Scores(Page):
    """The sheets of the present game: the session's own, the game below stays as it is."""

    sheet: ViewingSheet

    def prompt(self, desk: "Desk") -> DeskPrompt:
        """The sheet."""
        assert desk.session is not None
        return session_prompt(replace(desk.session, mode=self.sheet))

    def pressed(self, desk: "Desk", press: Pressed) -> "Desk":
        """Pages, or goes back."""
        if press.button is Button.BACK or desk.session is None:
            return desk.back()
        looking = step(replace(desk.session, mode=self.sheet), Pressed(press.button)).mode
        return desk.replace_top(Scores(looking)) if isinstance(looking, ViewingSheet) else desk


@dataclass(frozen=True, slots=True)
class Brightness(Page):
    """The brightness, changed live; `before` comes back with BACK."""

    before: int

    def prompt(self, desk: "Desk") -> DeskPrompt:
        """The brightness now."""
        return BrightnessPrompt(desk.brightness)

    def pressed(self, desk: "Desk", press: Pressed) -> "Desk":
        """LEFT and RIGHT change it, OK takes it."""
        if press.button is Button.BACK:
            return desk.brighten(self.before).back()
        if press.button is Button.OK:
            return desk.back()
        change = {Button.LEFT: -1, Button.RIGHT: 1}.get(press.button, 0)
        return desk.brighten(desk.brightness + change)


class Rules(PlainList):
    """The options of the present game, and those of the next."""

    __slots__ = ()

    def rows(self, desk: "Desk") -> Sequence[ListRow]:
        """An option each; OK changes those that the next game is asked about."""
        if desk.session is None:
            return ()
        setup = desk.session.setup
        game, changing = setup.game, asked(setup.game)
        rows = []
        for name in setup.rules.OPTIONS:
            text = value_words(game, name, in_force(setup, name), setup.players)
            if name not in changing:
                rows.append(ListRow(title(game, name), (text,), _back, ""))
                continue
            later = value_words(game, name, desk.settings.option(game, name))
            lines = (f"NOW {text}",) if later == text else (f"NOW {text}", f"NEXT {later}")
            rows.append(
                ListRow(title(game, name), lines, partial(_next_value, game=game, name=name))
            )
        return rows


def _next_value(desk: "Desk", game: str, name: str) -> "Desk":
    values = find(game).OPTIONS[name]
    coming = desk.settings.option(game, name)
    following = values[(values.index(coming) + 1) % len(values)] if coming in values else values[0]
    return desk.remember(desk.settings.with_option(game, name, following))


def _back(desk: "Desk") -> "Desk":
    return desk.back()


class About(PlainList):
    """Versions and how everything is."""

    __slots__ = ()

    def rows(self, desk: "Desk") -> Sequence[ListRow]:
        """A thing each, as last told."""
        about = desk.about or (("ABOUT", "DICETRAY"),)
        return [ListRow(label, (text,), _back, "") for label, text in about]

    def pressed(self, desk: "Desk", press: Pressed) -> "Desk":
        """Goes through the list, and asks anew how everything is."""
        after = super().pressed(desk, press)
        return after.ask_for(LookAround()) if isinstance(after.page, About) else after


@dataclass(frozen=True, slots=True)
class Off(Page):
    """Asks whether the appliance shall be switched off."""

    switches_off = True

    def prompt(self, desk: "Desk") -> DeskPrompt:
        """The question."""
        return QuestionPrompt("SHUT DOWN?")

    def pressed(self, desk: "Desk", press: Pressed) -> "Desk":
        """OK is yes, BACK is no."""
        if press.button is Button.BACK:
            return desk.back()
        return (
            desk.replace_top(GoodBye()).ask_for(ShutDown()) if press.button is Button.OK else desk
        )


@dataclass(frozen=True, slots=True)
class GoodBye(Page):
    """The appliance is being switched off."""

    closes = False
    switches_off = True

    def prompt(self, desk: "Desk") -> DeskPrompt:
        """That it shuts down."""
        return NoticePrompt((("GOOD BYE", "SHUTS DOWN"),), passing=False)

    def pressed(self, desk: "Desk", press: Pressed) -> "Desk":
        """Nothing changes any more."""
        return desk


def _playing(desk: "Desk") -> bool:
    return desk.session is not None and not desk.over


def _scores(desk: "Desk") -> "Desk":
    session = desk.session
    ask = None if session is None else session.rules.ask(session.state)
    return desk.push(Scores(ViewingSheet(0 if ask is None else ask.seat)))


def _new(desk: "Desk") -> "Desk":
    kept = desk.session is not None and not desk.over and desk.session.events
    return desk.push(Keeping()) if kept else new_game.begin(desk)


ENTRIES: tuple[MenuEntry, ...] = (
    MenuEntry("GO ON", lambda desk: desk.close(), _playing),
    MenuEntry("PLAY AGAIN", new_game.again, lambda desk: desk.over),
    MenuEntry("SCORES", _scores, _playing),
    MenuEntry("NEW GAME", _new),
    MenuEntry("SCORES", _scores, lambda desk: desk.over),
    MenuEntry("OLD GAMES", lambda desk: desk.push(Games()), lambda desk: desk.aside),
    MenuEntry("BRIGHTNESS", lambda desk: desk.push(Brightness(desk.brightness))),
    MenuEntry("RULES", lambda desk: desk.push(Rules()), lambda desk: desk.session is not None),
    MenuEntry(
        "CALIBRATE",
        lambda desk: desk.close().ask_for(Calibrate()),
        lambda desk: desk.can_calibrate,
    ),
    MenuEntry("ABOUT", lambda desk: desk.push(About()).ask_for(LookAround())),
    MenuEntry("SHUT DOWN", lambda desk: desk.push(Off())),
)
"""What the menu can offer, in its order: what is wanted most first."""
