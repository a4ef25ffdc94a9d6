"""The games that the appliance can play, by name."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from appliance.rules.classic import game as classic
from appliance.rules.free_for_all import game as free_for_all
from appliance.rules.game import RulesError
from appliance.rules.holdem import game as holdem
from appliance.rules.notation.events import Recordable
from appliance.rules.power import game as power
from appliance.rules.showdown import game as showdown

_GAMES: dict[str, Recordable[Any]] = {
    game.NAME: game for game in (classic, power, showdown, free_for_all, holdem)
}
GAMES: Mapping[str, Recordable[Any]] = MappingProxyType(_GAMES)


class UnknownGame(RulesError):
    """A name that no game has."""


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
