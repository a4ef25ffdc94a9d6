"""The games that can be played, by name: those of this package, and those of packages installed.

A game is imported once it is asked for. The games of this package stand in a table; a package of
somebody else names its game as an entry point, and it is loaded and checked in the same way:

    [project.entry-points."dicetray.games"]
    high-dice = "my_package.high_dice:GAME"
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from games.game import Game
from games.values import RulesError

if TYPE_CHECKING:
    from games.plugins import Plugin

GROUP = "dicetray.games"
"""The group of entry points that name games."""

OWN_GAMES: Mapping[str, str] = {
    "classic": "games.classic:GAME",
    "power": "games.power:GAME",
    "showdown": "games.showdown:GAME",
    "free-for-all": "games.free_for_all:GAME",
    "holdem": "games.holdem:GAME",
    "yatzy": "games.yatzy:GAME",
}
"""The games that come with this package, in the order in which they are offered."""


class NoGame(RulesError):
    """Something that was to be added as a game and is not one; says what it lacks."""


class UnknownGame(RulesError):
    """A name that no game has."""


class _Games(Mapping[str, Game[Any]]):
    """All games by name, imported when first used; those of other packages with the first list."""

    def __init__(self) -> None:
        self._own: dict[str, Game[Any]] = {}
        self._others: dict[str, Game[Any]] = {}

    def __getitem__(self, name: str) -> Game[Any]:
        if name in OWN_GAMES:
            if name not in self._own:
                module, _, attribute = OWN_GAMES[name].partition(":")
                self._own[name] = as_game(getattr(import_module(module), attribute))
            return self._own[name]
        load_others()
        return self._others[name]

    def __contains__(self, name: object) -> bool:
        if name in OWN_GAMES:
            return True
        load_others()
        return name in self._others

    def __iter__(self) -> Iterator[str]:
        load_others()
        return iter((*OWN_GAMES, *self._others))

    def __len__(self) -> int:
        load_others()
        return len(OWN_GAMES) + len(self._others)

    def loaded(self) -> Mapping[str, Game[Any]]:
        """Those that are loaded, by name: ours in the order of their list, then the others."""
        ours = {name: self._own[name] for name in OWN_GAMES if name in self._own}
        return ours | self._others

    def add(self, game: Game[Any]) -> None:
        """Adds a game of another package; raises NoGame for a name that is taken."""
        if game.name in OWN_GAMES or self._others.setdefault(game.name, game) is not game:
            raise NoGame(f"expected a name that no other game has, found {game.name!r}")


_GAMES = _Games()
GAMES: Mapping[str, Game[Any]] = _GAMES
"""All games by name, those of other packages, too; a game is loaded when it is looked up."""


def games_loaded() -> Mapping[str, Game[Any]]:
    """The games that are loaded by now, by name; none is loaded for it."""
    return _GAMES.loaded()


def find_game(name: str) -> Game[Any]:
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


def load_others() -> "tuple[Plugin, ...]":
    """Loads the games of other packages, once in a process; says what came of each."""
    # Whoever plays our games need not wait for it.
    from games.plugins import load_once

    return load_once(GROUP, add_game)


def add_game(found: object) -> None:
    """Adds a game that another package brings.

    Raises:
        NoGame: it is none, or its name is taken.
    """
    _GAMES.add(as_game(found))


def as_game(found: object) -> Game[Any]:
    """The game that was found under a name; one that is written as a module is made one.

    Raises:
        NoGame: it is none; says what it lacks.
    """
    if isinstance(found, Game):
        return found
    if isinstance(found, ModuleType):
        from games.modules import game_of_module

        return game_of_module(found)
    raise NoGame(f"expected a value of games.game.Game, found {found!r}")
