"""The menu: what it offers when, where it lies, and what it asks before a new game."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from appliance.table.menu import new_game, prompting
from appliance.table.menu.at_table import AtTable
from appliance.table.menu.console import Console
from appliance.table.menu.lesson import open_lesson
from appliance.table.menu.modules import ask_for_layout
from appliance.table.menu.own_die import OwnDie
from appliance.table.menu.pages import ListRow, PlainList, Question
from appliance.table.menu.played import OldGames, Records, Review, Scores, open_last_turns
from appliance.table.menu.preferences import (
    Beginners,
    Brightness,
    CameraPage,
    HouseRules,
    Languages,
    NetworkPage,
    VoicePage,
    can_choose_camera,
)
from appliance.table.menu.requests import Calibrate, ShowAbout
from appliance.table.menu.telling import open_telling
from appliance.table.menu.upkeep import About, Off, Stick
from appliance.table.prompts.prompt import Prompt
from appliance.table.session.modes import ViewingSheet
from appliance.words import Label
from games.registry import GAMES
from games.values import Throw


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """An entry of the menu: its word on the board, what OK does, whether it is offered now."""

    word: str
    chosen: Callable[[Console], Console]
    offered: Callable[[Console], object] = lambda console: True


class Menu(PlainList):
    """The menu."""

    __slots__ = ()

    def rows(self, console: Console) -> Sequence[ListRow]:
        """The entries that are offered now."""
        offered = (entry for entry in MENU_ENTRIES if entry.offered(console))
        return [ListRow("MENU", (entry.word,), entry.chosen) for entry in offered]


def over_menu(console: Console) -> Console:
    """The console with the menu below all pages, where there is no game."""
    if console.session is not None or any(isinstance(page, Menu) for page in console.pages[:1]):
        return console
    return replace(console, pages=(Menu(), *console.pages))


def with_stick(console: Console, words: tuple[str, ...]) -> Console:
    """The console with what a stick can be used for; a new one is offered over the game or menu."""
    new = words and not console.equipment.stick
    if new and console.notice is not None:
        return console
    pages = tuple(page for page in console.pages if words or not isinstance(page, Stick))
    equipment = replace(console.equipment, stick=words)
    console = over_menu(replace(console, equipment=equipment, pages=pages))
    # In a game the menu is something that people are in.
    free = console.page is None or (console.session is None and console.page == Menu())
    return console.push(Stick()) if new and free else console


@dataclass(frozen=True, slots=True)
class Keeping(Question):
    """Asks whether to begin a new game, and says that the current one is kept."""

    def prompt(self, console: Console) -> Prompt:
        """The question."""
        return prompting.QuestionPrompt("NEW GAME?", ("THIS GAME", "IS KEPT"))

    def answered(self, console: Console, yes: bool) -> Console:
        """Sets up a new game, or goes back."""
        return new_game.begin_setup(console) if yes else console.back()


@dataclass(frozen=True, slots=True)
class PlayAgain(Question):
    """Asks whether to play again: one OK too many must not hide who has won."""

    def prompt(self, console: Console) -> Prompt:
        """The question."""
        return prompting.QuestionPrompt("PLAY AGAIN?")

    def answered(self, console: Console, yes: bool) -> Console:
        """Begins the game again, or goes back."""
        return new_game.play_again(console) if yes else console.back()


class Games(PlainList):
    """The games, to be told how one goes."""

    __slots__ = ()

    def rows(self, console: Console) -> Sequence[ListRow]:
        """One game per row."""
        return [
            ListRow("RULES", (Label(game),), partial(open_telling, game=game))
            for game in console.equipment.games
            if GAMES[game].telling
        ]


def _tell_rules(console: Console) -> Console:
    """Tells how the current game goes; without one, whichever is chosen."""
    session = console.session
    if session is None:
        return console.push(Games())
    return open_telling(console, session.record.setup.game)


def _is_playing(console: Console) -> bool:
    return console.session is not None and not console.over


def _begins_turn(console: Console) -> bool:
    """True if a turn begins, so that no dice in the tray are needed for it."""
    session = console.session
    ask = None if session is None else session.record.ask
    return isinstance(ask, Throw) and ask.roll == 1 and not ask.coloured


def _open_scores(console: Console) -> Console:
    session = console.session
    ask = None if session is None else session.record.ask
    return console.push(Scores(ViewingSheet(0 if ask is None else ask.seat)))


def _ask_for_new_game(console: Console) -> Console:
    kept = console.session is not None and not console.over and console.session.record.events
    return console.push(Keeping()) if kept else new_game.begin_setup(console)


MENU_ENTRIES: tuple[MenuEntry, ...] = (
    MenuEntry("GO ON", lambda console: console.close(), _is_playing),
    MenuEntry("PLAY AGAIN", new_game.play_again, lambda console: console.over),
    MenuEntry("SCORES", _open_scores, _is_playing),
    MenuEntry("NEW GAME", _ask_for_new_game),
    MenuEntry("SCORES", _open_scores, lambda console: console.over),
    MenuEntry("LAST TURNS", open_last_turns, lambda console: console.session is not None),
    MenuEntry(
        "REVIEW",
        lambda console: replace(console, kept=replace(console.kept, review=None)).push(Review()),
        lambda console: console.over,
    ),
    MenuEntry("PLAYERS", lambda console: console.push(AtTable()), _is_playing),
    MenuEntry(
        "OLD GAMES", lambda console: console.push(OldGames()), lambda console: console.kept.aside
    ),
    MenuEntry(
        "RECORDS",
        lambda console: replace(console, kept=replace(console.kept, records=None)).push(Records()),
        lambda console: console.kept.finished or console.over,
    ),
    MenuEntry(
        "STICK", lambda console: console.push(Stick()), lambda console: console.equipment.stick
    ),
    MenuEntry(
        "NETWORK",
        lambda console: console.push(NetworkPage()).with_requests(ShowAbout()),
        lambda console: console.equipment.network,
    ),
    MenuEntry("BRIGHTNESS", lambda console: console.push(Brightness(console.brightness))),
    MenuEntry("LANGUAGE", lambda console: console.push(Languages())),
    MenuEntry("CAMERA", lambda console: console.push(CameraPage()), can_choose_camera),
    MenuEntry(
        "VOICE",
        lambda console: console.push(VoicePage()),
        lambda console: console.equipment.speaks is not None,
    ),
    MenuEntry(
        "BEGINNERS",
        lambda console: console.push(Beginners()),
        lambda console: console.equipment.advises is not None,
    ),
    MenuEntry(
        "RULES",
        _tell_rules,
        lambda console: console.session is None or console.session.record.rules.telling,
    ),
    MenuEntry(
        new_game.TRY_A_TURN,
        open_lesson,
        lambda console: not _is_playing(console) or _begins_turn(console),
    ),
    MenuEntry(
        "HOUSE RULES",
        lambda console: console.push(HouseRules()),
        lambda console: console.session,
    ),
    MenuEntry(
        "CALIBRATE",
        lambda console: console.close().with_requests(Calibrate()),
        lambda console: console.equipment.can_calibrate,
    ),
    MenuEntry(
        "MY DICE",
        lambda console: console.push(OwnDie()),
        lambda console: console.equipment.judges_dice,
    ),
    MenuEntry("MODULES", ask_for_layout, lambda console: console.equipment.modules.layouts),
    MenuEntry("ABOUT", lambda console: console.push(About()).with_requests(ShowAbout())),
    MenuEntry("SHUT DOWN", lambda console: console.push(Off())),
)
"""Entries that the menu can offer, in order: the most wanted first."""
