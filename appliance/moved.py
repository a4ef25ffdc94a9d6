"""The places that games had in 1.0: imports from there work for one release more, with a warning.

from appliance.rules.registry import find_game   # is games.registry now
"""

import warnings
from importlib import import_module
from importlib.machinery import ModuleSpec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

_ROOMS = {
    "appliance.rules": "games",
    "appliance.strategy": "games.strategy",
    "appliance.chance": "games.chance",
}
_PARTS = {
    "games.game": ("games.values", "games.game"),
    "games.notation.events": (
        "games.notation.words",
        "games.notation.verbs",
        "games.notation.events",
    ),
    "games.defaults": ("games.modules",),
    "games.box_sheets": ("games.boxes",),
}
"""Modules that have been divided or renamed, each with those that have its names now."""


class MovedFinder:
    """Finds what is nowhere else under its old name, and loads it.

    It has the methods of `importlib.abc`'s classes, but not their module, which every command would
    wait for.
    """

    def find_spec(
        self, name: str, path: "Sequence[str] | None", target: "ModuleType | None" = None
    ) -> ModuleSpec | None:
        """The place of a module that has moved; None for any other."""
        if _new_name(name) is None:
            return None
        at = ModuleSpec(name, None, is_package=name not in ("appliance.chance",))
        at.loader = self  # type: ignore[assignment]
        return at

    def create_module(self, spec: ModuleSpec) -> None:
        """A usual module; with the first, games have their names in capitals, too."""
        from games.game import Game
        from games.modules import FIELDS

        for old, new in FIELDS.items():
            if old not in vars(Game):
                setattr(Game, old, _renamed(old, new))

    def exec_module(self, module: "ModuleType") -> None:
        """Takes the names from where they are now.

        Raises:
            ModuleNotFoundError: there is no such module any more.
        """
        new = _new_name(module.__name__)
        assert new is not None
        parts = _PARTS.get(new, (new,))
        for part in parts:
            found = vars(import_module(part))
            vars(module).update({name: found[name] for name in found if not name.startswith("__")})
        now = " and ".join(parts)
        text = f"{module.__name__} is {now} now; the old name goes with the next release"
        warnings.warn(text, DeprecationWarning, stacklevel=2)


def _renamed(old: str, new: str) -> property:
    """An attribute of games under the name that it had as a constant of a module."""

    def get(game: object) -> object:
        text = f"{old} of a game is {new} now; the old name goes with the next release"
        warnings.warn(text, DeprecationWarning, stacklevel=2)
        return getattr(game, new)

    return property(get)


def _new_name(name: str) -> str | None:
    for old, new in _ROOMS.items():
        if name == old or name.startswith(f"{old}."):
            return new + name.removeprefix(old)
    return None
