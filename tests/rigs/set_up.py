"""Game states made of the parts that matter in a test, checked like any other position."""

from collections.abc import Mapping, Sequence
from typing import Any

from games import classic as classic_game
from games import free_for_all as free_for_all_game
from games import power as power_game
from games import showdown as showdown_game
from games.free_for_all.state import Home, home_spaces
from games.showdown import Card, Stack


def classic(
    players: Sequence[str], sheets: Sequence[classic_game.Sheet], **fields: Any
) -> classic_game.State:
    """A state of Classic with these fields."""
    return classic_game.GAME.position(classic_game.State(tuple(players), tuple(sheets), **fields))


def power(
    players: Sequence[str], sheets: Sequence[power_game.Sheet], **fields: Any
) -> power_game.State:
    """A state of Power with these fields."""
    return power_game.GAME.position(power_game.State(tuple(players), tuple(sheets), **fields))


def showdown(
    players: Sequence[str],
    *,
    pawns: Sequence[int],
    cards: Mapping[Card, Stack] | None = None,
    **fields: Any,
) -> showdown_game.State:
    """A state of Showdown with these cards on the board; by default one turn is over for each."""
    there = cards or {}
    stacks = tuple(there.get(card) for card in Card)
    fields = {"turns": len(there), **fields}
    state = showdown_game.State(tuple(players), tuple(pawns), stacks, **fields)
    return showdown_game.GAME.position(state)


def free_for_all(
    players: Sequence[str],
    *,
    homes: Sequence[Home] | None = None,
    banked: Sequence[Sequence[free_for_all_game.Card]] | None = None,
    **fields: Any,
) -> free_for_all_game.State:
    """A state of Free for All at a throw; by default nobody has anything."""
    seats = len(players)
    empty: Home = (None,) * home_spaces(seats)
    parts = {
        "first": 0,
        "virtual": True,
        "apart": (),
        "banked_chips": (0,) * seats,
        "step": free_for_all_game.Step.ROLL,
        **fields,
    }
    state = free_for_all_game.State(
        tuple(players),
        homes=tuple(homes or (empty,) * seats),
        banked=tuple(map(tuple, banked or ((),) * seats)),
        **parts,
    )
    return free_for_all_game.GAME.position(state)
