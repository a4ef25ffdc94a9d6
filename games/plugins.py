"""Plugins: what other packages bring by entry points, without a change to this one.

A package names what it brings in its `pyproject.toml`, and once it is installed beside this one, it
is there:

    [project.entry-points."dicetray.games"]
    high-dice = "my_package.high_dice:GAME"

What cannot be loaded is left out with a reason, which `dicetray doctor` shows: a package of
somebody else must not keep the family's own games from starting.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any

_loaded: dict[str, tuple["Plugin", ...]] = {}


@dataclass(frozen=True, slots=True)
class Plugin:
    """Something that another package brings.

    Attributes:
        name: of its entry point.
        package: the distribution and its version, such as `my-dice 1.2`.
        problem: why it was left out; empty if it is there.
    """

    name: str
    package: str
    problem: str = ""


def load_once(group: str, add: Callable[[Any], None]) -> tuple[Plugin, ...]:
    """Loads what installed packages bring in a group; later calls in a process load nothing."""
    if group not in _loaded:
        # What is loaded may ask for the others.
        _loaded[group] = ()
        _loaded[group] = load_plugins(entry_points(group=group), add)
    return _loaded[group]


def leave_out(*groups: str) -> None:
    """Nothing is loaded of these groups, as their packages keep the program from starting."""
    _loaded.update(dict.fromkeys(groups, ()))


def load_plugins(points: Iterable[EntryPoint], add: Callable[[Any], None]) -> tuple[Plugin, ...]:
    """Loads what these entry points name and adds it, in the order of their names.

    Args:
        points: where it is.
        add: adds it; raises for what is not of the right kind.
    """
    return tuple(_load(point, add) for point in sorted(points, key=lambda point: point.name))


def _load(point: EntryPoint, add: Callable[[Any], None]) -> Plugin:
    package = f"{point.dist.name} {point.dist.version}" if point.dist else "an unknown package"
    try:
        add(point.load())
    except Exception as error:
        # Code of others may fail in any way.
        return Plugin(point.name, package, f"{type(error).__name__}: {error}")
    return Plugin(point.name, package)
