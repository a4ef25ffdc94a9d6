"""What the options of the games are called on the board, and which of them are asked about."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from appliance.rules.free_for_all import deck as free_for_all_deck
from appliance.rules.game import OptionValue
from appliance.rules.registry import find
from appliance.table.session.session import Setup

ROLL_OFF = "roll-off"
"""The value of a game's option of who begins with which the game itself asks for the throws."""


@dataclass(frozen=True, slots=True)
class Words:
    """What an option and its values are called.

    Attributes:
        title: the option.
        values: its values; those left out are shown as they are.
    """

    title: str
    values: Mapping[OptionValue, str] = field(default_factory=dict)


OPTION_WORDS: Mapping[str, Words] = {
    "first": Words("WHO BEGINS"),
    "dealer": Words("WHO DEALS"),
    "showdown_raise_continues": Words("AFTER RAISE", {False: "STOP", True: "MOVE ON"}),
    "deck": Words("CARDS", {"virtual": "DEALT HERE", "table": "PRINTED"}),
    "cards": Words("DECK", {free_for_all_deck.DEFAULT.text: "STANDARD"}),
    "stack": Words("CHIPS EACH"),
    "flop_again": Words("FLOP AGAIN", {"always": "ALWAYS", "once": "ONCE", "never": "NEVER"}),
}
"""The options of all games by their name in the rules."""

SEATS = ("first", "dealer")
"""Options that name a seat; every game has one of them."""

_OWN_DECK = "OWN"


def seat_option(game: str) -> str:
    """The option of this game that says who begins."""
    return next(name for name in find(game).OPTIONS if name in SEATS)


def asked(game: str) -> tuple[str, ...]:
    """The house rules that players can choose about, in the order in which they are asked."""
    options = find(game).OPTIONS
    return tuple(n for n, values in options.items() if n not in SEATS and len(values) > 1)


def in_force(setup: Setup, name: str) -> OptionValue:
    """The value of an option in a game: the one it was begun with, or the default."""
    given = dict(setup.options)
    return given[name] if name in given else setup.rules.OPTIONS[name][0]


def title(name: str) -> str:
    """What an option is called."""
    return OPTION_WORDS[name].title


def value_words(name: str, value: OptionValue, players: tuple[str, ...] = ()) -> str:
    """What a value of an option is called; a seat by its player's name."""
    if name in SEATS and isinstance(value, int):
        return players[value] if value < len(players) else f"SEAT {value + 1}"
    values = OPTION_WORDS[name].values
    # A bool is equal to 0 or 1, and no option has both.
    return values.get(value, _OWN_DECK if name == "cards" else str(value).upper())
