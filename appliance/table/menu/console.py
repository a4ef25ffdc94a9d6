"""The menu console: the current game and everything over it, from power-on to shutdown.

A `Session` is one game; the console is everything around the games. Like the session, it is a
value: `advance` (in `step`) takes what happens and returns the next one and service requests.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from typing import ClassVar

from appliance.inputs import Pressed
from appliance.picture import BRIGHTNESS_LEVELS
from appliance.table.menu.board_modules import BoardModules
from appliance.table.menu.final_scores import FinalScore
from appliance.table.menu.requests import Remember, Request, SetBrightness
from appliance.table.menu.reviewing import Reviewed
from appliance.table.menu.settings import Settings
from appliance.table.prompts.prompt import Prompt
from appliance.table.session.session import Session
from appliance.table.session.tray import TraySeen
from appliance.words import Label, Verbatim
from games.registry import GAMES
from vision.events import TrackedDie


@dataclass(frozen=True, slots=True)
class Aside:
    """A game that was put aside and can be resumed, by its number in the journal."""

    number: int
    game: str
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GamesKept:
    """The games that are kept, as far as they are known.

    Attributes:
        aside: games that were put aside, the latest first.
        finished: whether there are games that were played to their end.
        records: everybody's best scores; None until they are counted.
        review: what there is to say about decisions in the current one; None until it is known.
        ended: the game that the current one was begun right after; None if there was none.
    """

    aside: tuple[Aside, ...] = ()
    finished: bool = False
    records: tuple[FinalScore, ...] | None = None
    review: tuple[Reviewed, ...] | None = None
    ended: int | None = None


@dataclass(frozen=True, slots=True)
class Equipment:
    """The equipment of this appliance, its abilities, and what it says about itself.

    Attributes:
        games: the names of those that can be played.
        can_calibrate: whether a calibration can be started.
        judges_dice: whether somebody says why a die of the owner's is not read.
        speaks: whether a voice says what the board shows; None where there is no voice.
        advises: whether beginners see the best choice first; None where nobody could say it.
        about: labels and texts about versions and health, as last requested.
        network: a new PIN for a score page, then labels and texts about the network; empty if
            there is no page.
        modules: what the scoreboard says about its modules.
        stick: what can be done with the stick that is plugged in.
        cameras: those on the Pi's own connectors, by libcamera's names.
    """

    games: tuple[str, ...] = field(default_factory=lambda: tuple(GAMES))
    can_calibrate: bool = False
    judges_dice: bool = False
    speaks: bool | None = None
    advises: bool | None = None
    about: tuple[tuple[str, str], ...] = ()
    network: tuple[tuple[str, str], ...] = ()
    modules: BoardModules = field(default_factory=BoardModules)
    stick: tuple[str, ...] = ()
    cameras: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Notice:
    """Pages of two lines; `passing` ones go away by themselves, or as soon as something happens.

    A press takes them away and does nothing else.
    """

    pages: tuple[tuple[str, str], ...]
    passing: bool = True


@dataclass(frozen=True, slots=True)
class Waited:
    """A notice has been shown long enough: the service, which has a clock, says so."""


class Page(ABC):
    """A page; each kind is a value, for instance a frozen dataclass."""

    __slots__ = ()

    closes: ClassVar[bool] = True
    """True if a long press of OK leads back to the game."""
    switches_off: ClassVar[bool] = False
    """True if it is about switching off, so that no throw takes it away."""
    private: ClassVar[bool] = False
    """True if it is only for those at the tray, and shown nowhere else."""

    @abstractmethod
    def prompt(self, console: "Console") -> Prompt:
        """The page's prompt for the board."""

    @abstractmethod
    def pressed(self, console: "Console", press: Pressed) -> "Console":
        """The console after a press."""


class SettingUp(Page):
    """A step of setting up a game: throws meanwhile do not belong to the current one."""

    __slots__ = ()

    # A long press of OK is a slow finger here, which must not undo everything.
    closes = False

    def rolled(self, console: "Console", dice: tuple[TrackedDie, ...]) -> "Console":
        """The console after a throw."""
        return console


@dataclass(frozen=True, slots=True)
class Console:
    """Everything that the board and the buttons work on.

    Attributes:
        pages: what lies over the game, the top page last; where there is no game, the menu lies at
            the bottom (`main_menu.over_menu`).
        kept: what is known of other games.
        equipment: what this appliance has and can do.
        notice: a message shown in passing.
        tray: what was last seen of the tray.
        requests: what is to be done, oldest first; `advance` hands them over.
    """

    session: Session | None = None
    pages: tuple[Page, ...] = ()
    settings: Settings = field(default_factory=Settings)
    kept: GamesKept = field(default_factory=GamesKept)
    equipment: Equipment = field(default_factory=Equipment)
    brightness: int = 3
    notice: Notice | None = None
    tray: TraySeen = field(default_factory=TraySeen)
    requests: tuple[Request, ...] = ()

    @property
    def page(self) -> Page | None:
        """The top page; None when it is the game itself."""
        return self.pages[-1] if self.pages else None

    @property
    def over(self) -> bool:
        """True once the current game is over."""
        session = self.session
        return session is not None and session.record.ask is None

    def push(self, page: Page) -> "Console":
        """Lays a page on top."""
        return replace(self, pages=(*self.pages, page))

    def replace_top(self, page: Page) -> "Console":
        """Replaces the top page, for instance with itself in another state."""
        return replace(self, pages=(*self.pages[:-1], page))

    def back(self) -> "Console":
        """Takes away the top page; under the last one lies the game, or the menu."""
        return replace(self, pages=self.pages[:-1])

    def close(self) -> "Console":
        """Takes away all pages."""
        return replace(self, pages=())

    def show_notice(self, *pages: tuple[str, str]) -> "Console":
        """Shows the game itself, with pages of two lines over it in passing."""
        return replace(self.close(), notice=Notice(pages))

    def with_requests(self, *requests: Request) -> "Console":
        """The console with further requests."""
        return replace(self, requests=(*self.requests, *requests))

    def with_settings(self, settings: Settings) -> "Console":
        """The console with other settings, to be saved."""
        return replace(self, settings=settings).with_requests(Remember(settings))

    def with_brightness(self, level: int) -> "Console":
        """Sets the board's brightness, at once and permanently; there is none beyond its levels."""
        if level not in BRIGHTNESS_LEVELS or level == self.brightness:
            return self
        console = replace(self, brightness=level).with_requests(SetBrightness(level))
        return console.with_settings(replace(self.settings, brightness=level))


def open_session(console: Console, session: Session, notice: Notice | None = None) -> Console:
    """The console with a game that was begun or resumed."""
    session = replace(session, tray=console.tray)
    return replace(console, session=session, pages=(), notice=notice)


def resume_notice(session: Session, greeting: str) -> Notice:
    """Says which game is resumed and whose turn it is."""
    ask = session.record.ask
    who = () if ask is None else ((Verbatim(session.record.setup.players[ask.seat]), "YOUR TURN"),)
    return Notice(((greeting, Label(session.record.rules.name)), *who))


def with_refusal(console: Console, what: str, why: str) -> Console:
    """The console after something could not be done: all is as before, and the board says so."""
    pages = tuple(page for page in console.pages if not page.switches_off)
    return replace(console, pages=pages, notice=Notice(((what, why),)))
