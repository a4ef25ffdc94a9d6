"""Requests of the console for what it cannot do itself: values that the service carries out."""

from dataclasses import dataclass

from appliance.table.menu.settings import Settings
from appliance.table.session.session import Setup
from vision.reading import DieReading, Face


@dataclass(frozen=True, slots=True)
class BeginGame:
    """A new game is to begin; `console.open_session` answers.

    `after` is the game that it follows, if the same players have just played one to its end.
    """

    setup: Setup
    after: int | None = None


@dataclass(frozen=True, slots=True)
class OpenGame:
    """A game put aside is to be resumed, by its number; `console.open_session` answers."""

    number: int


@dataclass(frozen=True, slots=True)
class NamePlayer:
    """The player in this seat of the present game, counted from 0, is to be called this."""

    seat: int
    name: str


@dataclass(frozen=True, slots=True)
class Remember:
    """The settings are to be saved permanently."""

    settings: Settings


@dataclass(frozen=True, slots=True)
class SetBrightness:
    """The board's lights are to be set to this brightness, at once."""

    level: int


@dataclass(frozen=True, slots=True)
class StoreLayout:
    """The board's modules are mounted like this, by the layout's name; a notice says if it knows.

    It is stored on the board itself.
    """

    layout: str


@dataclass(frozen=True, slots=True)
class ShowAbout:
    """The players want to know the appliance's status anew."""


@dataclass(frozen=True, slots=True)
class Calibrate:
    """The calibration takes over until it is done."""


@dataclass(frozen=True, slots=True)
class AnswerDice:
    """The players have said whether dice of another size or colour are new ones."""

    new: bool


@dataclass(frozen=True, slots=True)
class JudgeFace:
    """People have said which face an own die shows; `own_die.with_verdict` answers."""

    reading: DieReading
    face: Face


@dataclass(frozen=True, slots=True)
class UseStick:
    """This is to be done with the stick; a notice later says how it went."""

    word: str


@dataclass(frozen=True, slots=True)
class ShutDown:
    """The appliance is to be switched off; `console.with_refusal` answers if it cannot be."""


Request = (
    BeginGame
    | OpenGame
    | NamePlayer
    | Remember
    | SetBrightness
    | StoreLayout
    | ShowAbout
    | Calibrate
    | AnswerDice
    | JudgeFace
    | UseStick
    | ShutDown
)
