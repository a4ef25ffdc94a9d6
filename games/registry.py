"""The games that the appliance can play, by name."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, overload

from games.classic import game as classic
from games.free_for_all import game as free_for_all
from games.game import RulesError
from games.holdem import game as holdem
from games.notation.events import Recordable
from games.power import game as power
from games.showdown import game as showdown
from games.yatzy import game as yatzy

OWN_GAMES: tuple[Recordable[Any], ...] = (
    classic,
    power,
    showdown,
    free_for_all,
    holdem,
    yatzy,
)
"""The games that come with this package, in the order in which they are offered."""

_GAMES: dict[str, Recordable[Any]] = {game.NAME: game for game in OWN_GAMES}
GAMES: Mapping[str, Recordable[Any]] = MappingProxyType(_GAMES)


class NoGame(RulesError):
    """Something that was to be added as a game and is not one; says what it lacks."""


class UnknownGame(RulesError):
    """A name that no game has."""


@overload
def find_game(name: Literal["classic"]) -> Recordable[classic.State]: ...
@overload
def find_game(name: Literal["power"]) -> Recordable[power.State]: ...
@overload
def find_game(name: Literal["showdown"]) -> Recordable[showdown.State]: ...
@overload
def find_game(name: Literal["free-for-all"]) -> Recordable[free_for_all.State]: ...
@overload
def find_game(name: Literal["holdem"]) -> Recordable[holdem.State]: ...
@overload
def find_game(name: Literal["yatzy"]) -> Recordable[yatzy.State]: ...
@overload
def find_game(name: str) -> Recordable[Any]: ...
def find_game(name: str) -> Recordable[Any]:
    """The game with this name.

    Raises:
        UnknownGame: there is none; names the games there are.
    """
    try:
        return GAMES[name]
    except KeyError:
        raise UnknownGame(
            f"there is no game {name!r}; there are: {', '.join(sorted(GAMES))}"
        ) from None


def add_game(game: Recordable[Any]) -> None:
    """Adds a game that another package brings.

    Raises:
        NoGame: it lacks something that a game has, or its name is taken.
    """
    lacks = sorted(name for name in members(Recordable) if not hasattr(game, name))
    if lacks:
        raise NoGame(f"expected a game as `Recordable` describes it, but {game!r} lacks {lacks}")
    if _GAMES.setdefault(game.NAME, game) is not game:
        raise NoGame(f"expected a name that no other game has, found {game.NAME!r}")


def members(protocol: type) -> frozenset[str]:
    """The names of the attributes and functions that a protocol lists."""
    own = (kind for kind in protocol.__mro__ if getattr(kind, "_is_protocol", False))
    return frozenset(
        name
        for kind in own
        for name in {*kind.__annotations__, *vars(kind)}
        if not name.startswith("_")
    )
