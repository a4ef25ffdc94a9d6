"""What most games leave as it is: import it into the game's module under its own name.

from appliance.rules.defaults import goals as goals
from appliance.rules.defaults import kinds as kinds
"""

from typing import Any

from appliance.rules.game import DieKind, Goal, Hint, TableView

LEGEND: tuple[tuple[str, int], ...] = (("DIE", 6),)


def kinds(state: Any) -> tuple[DieKind | None, ...]:
    """None: colours do not count."""
    return ()


def unseen(state: Any) -> tuple[DieKind, ...]:
    """None: dice are not drawn blind."""
    return ()


def goals(state: Any, seat: int) -> tuple[Goal, ...]:
    """None: there are no bonuses."""
    return ()


def table_view(state: Any) -> TableView:
    """Empty: every player has a sheet, and no more."""
    return TableView()


def hint(state: Any) -> Hint | None:
    """None: a solver in `appliance.strategy` knows the game, or nobody does."""
    return None
