"""Games written as modules, as they were in 1.0: functions, and names in capitals.

They are played for one release more. What most of them took from `appliance.rules.defaults` is
here; a game of today inherits it from `games.game.Game`.
"""

from collections.abc import Collection, Sequence
from dataclasses import fields
from inspect import isabstract, isfunction
from types import ModuleType
from typing import Any

from games.game import Game
from games.notation.positions import Codec
from games.notation.verbs import NamedHand
from games.values import DieKind, Face, Hint, Keep, Outcome, RulesError
from games.views import Goal, TableView

_RENAMED = {"dice_kinds": "dice"}
_SINCE = {"title", "deck", "position_codec", "shared_rows", "solver", "wording"}
"""What games have only since they are values."""
FIELDS = {
    _RENAMED.get(field.name, field.name).upper(): field.name
    for field in fields(Game)
    if field.name not in _SINCE
}
"""The names in a module, each with the attribute of a game that it became."""
_NO_CODEC = Codec[Any](dict, (), ())
"""For modules, which have functions to write positions and read them."""
_FUNCTIONS = tuple(
    name for name, value in vars(Game).items() if isfunction(value) and not name.startswith("_")
)


class NoModuleGame(RulesError):
    """A module that lacks something a game needs; says what."""


def game_of_module(module: ModuleType) -> Game[Any]:
    """The game that a module describes.

    Raises:
        NoModuleGame: it lacks a name or a function.
    """
    found = {name: getattr(module, name) for name in _FUNCTIONS if hasattr(module, name)}
    methods = {name: staticmethod(function) for name, function in found.items()}
    kind = type("ModuleGame", (Game,), methods)
    lacks = sorted({name for name in FIELDS if not hasattr(module, name)} | _missing(kind, found))
    if lacks:
        raise NoModuleGame(f"expected a game, but {module.__name__} lacks {', '.join(lacks)}")
    values: dict[str, Any] = {field: getattr(module, name) for name, field in FIELDS.items()}
    made: Game[Any] = kind(position_codec=_NO_CODEC, **values)
    return made


def _missing(kind: type[Game[Any]], found: Collection[str]) -> set[str]:
    abstract = set(kind.__abstractmethods__) if isabstract(kind) else set()
    return abstract | {"position_to_text", "position_from_text"} - set(found)


DICE_KEYS: tuple[tuple[str, int], ...] = (("die", 6),)
RAREST: tuple[str, ...] = ()
LATECOMERS = False
KEEPS: tuple[Keep, ...] = ()
"""None: dice are not kept for another throw."""


def first_throws(start: Any, faces: Sequence[Face]) -> tuple[tuple[Any, Sequence[Face]], ...]:
    """The first throw of a game."""
    return ((start, faces),)


def name_hand(words: Sequence[str]) -> NamedHand | None:
    """None: throws are scored."""
    return None


def kinds(state: Any) -> tuple[DieKind | None, ...]:
    """None: colours do not count."""
    return ()


def unseen(state: Any) -> tuple[DieKind, ...]:
    """None: dice are not drawn blind."""
    return ()


def held(state: Any) -> tuple[int, ...]:
    """The slots kept for the throw that is due."""
    return tuple(state.held or ())


def scores(state: Any) -> tuple[int, ...]:
    """The totals of the sheets so far, bonuses included."""
    return tuple(sheet.total for sheet in state.sheets)


def outcome(state: Any) -> Outcome | None:
    """The totals of the sheets and who has the highest; equal totals share the win."""
    if state.held is not None or state.roll:
        return None
    return Outcome.of_totals(scores(state))


def goals(state: Any, seat: int) -> tuple[Goal, ...]:
    """None: there are no bonuses."""
    return ()


def table_view(state: Any) -> TableView:
    """Empty: every player has a sheet and nothing else."""
    return TableView()


def hint(state: Any) -> Hint | None:
    """None: hints come from a solver, or there are none."""
    return None
