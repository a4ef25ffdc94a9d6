"""What the console wants done that it cannot do itself: values that the service carries out."""

from dataclasses import dataclass

from appliance.table.menu.settings import Settings
from appliance.table.session.session import Setup


@dataclass(frozen=True, slots=True)
class BeginGame:
    """A new game is to begin; `console.opened` answers.

    It may follow `after` another, just played to its end by the same players.
    """

    setup: Setup
    after: int | None = None


@dataclass(frozen=True, slots=True)
class OpenGame:
    """A game that was put aside goes on, by its number in the journal; `console.opened` answers."""

    number: int


@dataclass(frozen=True, slots=True)
class Remember:
    """The settings are to be kept for good."""

    settings: Settings


@dataclass(frozen=True, slots=True)
class SetBrightness:
    """The board's lights are to be this bright, 0 to 15, at once."""

    level: int


@dataclass(frozen=True, slots=True)
class ShowAbout:
    """The players want to know how the appliance is; `with_about` answers."""


@dataclass(frozen=True, slots=True)
class Calibrate:
    """The calibration takes over until it is done."""


@dataclass(frozen=True, slots=True)
class UseStick:
    """This is to be done with the stick; a notice says later what came of it."""

    word: str


@dataclass(frozen=True, slots=True)
class ShutDown:
    """The appliance is to be switched off; `console.refused` answers if it cannot be."""


Request = (
    BeginGame | OpenGame | Remember | SetBrightness | ShowAbout | Calibrate | UseStick | ShutDown
)
