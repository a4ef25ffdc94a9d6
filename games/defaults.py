"""Defaults that most games keep: import them into the game's module under their own names.

from games.defaults import goals as goals
from games.defaults import kinds as kinds
"""

from collections.abc import Sequence
from typing import Any

from games.game import DieKind, Face, Hint, Keep, Outcome, State
from games.notation.events import NamedHand
from games.views import Goal, TableView

DICE_KEYS: tuple[tuple[str, int], ...] = (("die", 6),)
RAREST: tuple[str, ...] = ()
LATECOMERS = False
KEEPS: tuple[Keep, ...] = ()
"""None: dice are not kept for another throw."""


def first_throws(start: State, faces: Sequence[Face]) -> tuple[tuple[State, Sequence[Face]], ...]:
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
    """None: hints come from a solver in `games.strategy`, or there are none."""
    return None
