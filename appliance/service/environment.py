"""Facts settled for the appliance before it starts: the games, the settings, and who is told."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from appliance.table.menu.settings import Settings
from games.registry import GAMES
from games.values import OptionValue

Lines = tuple[tuple[str, str], ...]
"""Pages of two lines each."""


@dataclass(frozen=True, slots=True)
class Environment:
    """The facts that are settled before the start.

    Attributes:
        games: those that the menu offers, by name.
        settings: the settings to use while the journal has none.
        house: the house rules, for every new game that has them.
        brightness: of the board at the start, where none is remembered.
        language: the language to use, whatever is remembered; None for the remembered one.
        health: lines about versions and the state of everything; None where there are none.
        advises: whether beginners may see the best choice first.
        guided: whether a line beside the board tells what each button does now.
        speaks: whether the voice does if nobody has chosen in the menu; None where it cannot.
        dim_after_s: seconds without a press or a movement in the tray until the board dims.
        dark_after_s: the same until it goes dark.
        network: a new PIN for the score page, and lines about the network that it is on.
        page: whether there is a score page if nobody has chosen at the board.
    """

    games: tuple[str, ...] = field(default_factory=lambda: tuple(GAMES))
    settings: Settings = field(default_factory=Settings)
    house: Mapping[str, OptionValue] = field(default_factory=dict)
    brightness: int = 3
    language: str | None = None
    health: Callable[[], Lines] | None = None
    advises: bool = False
    guided: bool = False
    speaks: bool | None = None
    dim_after_s: float = math.inf
    dark_after_s: float = math.inf
    network: Callable[[], Lines] = tuple
    page: bool = False
