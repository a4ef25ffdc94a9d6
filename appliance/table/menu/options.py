"""Which options of the games players are asked about, and what the board calls them."""

from appliance.table.session.session import Setup
from appliance.words import Label, Verbatim
from games.registry import find_game
from games.values import ROLL_OFF, OptionValue, OptionWords

MAX_OPTION_NAME_LETTERS = 13
"""Maximum length of the name of an option that has no words of its own."""


def option_words(game: str, name: str) -> OptionWords:
    """The keys of an option of a game; without any of its own, its name in the rules."""
    plain = OptionWords(name.replace("_", "-")[:MAX_OPTION_NAME_LETTERS].strip("-"))
    return find_game(game).option_words.get(name, plain)


def seat_option(game: str) -> str:
    """The option of this game that says who begins; empty where the game has none."""
    named = (name for name in find_game(game).options if option_words(game, name).seat)
    return next(named, "")


def options_asked(game: str, players: int = 0) -> tuple[str, ...]:
    """The house rules that this many players are asked about, in the order of the questions."""
    offered = options_offered(game, players)
    return tuple(name for name in offered if option_words(game, name).asked)


def options_offered(game: str, players: int = 0) -> tuple[str, ...]:
    """The house rules that this many players can choose, in the order of the menu."""
    options = {
        name: option_words(game, name) for name, v in find_game(game).options.items() if len(v) > 1
    }
    return tuple(n for n, w in options.items() if not w.seat and (not w.most or players <= w.most))


def option_values(game: str, name: str) -> tuple[OptionValue, ...]:
    """The values that an option can have, numbers in ascending order."""
    of = find_game(game).options[name]
    return tuple(sorted(of)) if all(type(value) is int for value in of) else of


def option_in_force(setup: Setup, name: str) -> OptionValue:
    """The value of an option in a game: the one it was begun with, or the default."""
    given = dict(setup.options)
    return given[name] if name in given else setup.rules.options[name][0]


def option_title(game: str, name: str) -> str:
    """The title of an option."""
    return Label(option_words(game, name).title)


def option_value_words(
    game: str, name: str, value: OptionValue, players: tuple[str, ...] = ()
) -> str:
    """The words for a value of an option; a seat goes by its player's name."""
    words = option_words(game, name)
    if words.seat and isinstance(value, int):
        return Verbatim(players[value]) if value < len(players) else f"SEAT {value + 1}"
    if value == ROLL_OFF:
        return "ROLL-OFF"
    # A bool is equal to 0 or 1, and no option has both.
    return Label(words.values.get(value, words.other or str(value).lower()))
