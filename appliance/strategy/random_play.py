"""Random legal play of any game, for tests, benchmarks and players that know nothing."""

from collections.abc import Sequence
from random import Random
from typing import Any

from appliance.rules.game import Die, DieKind, Draw, Event, Face, Game, Options, Rolled, Throw
from appliance.rules.holdem import game as holdem
from appliance.strategy.holdem.bag import draw

_NUMBERED: tuple[Face, ...] = (1, 2, 3, 4, 5, 6)
_POWER: tuple[Face, ...] = ("1", "2", "3", "double", "freeze", "power")


def throw(dice: Sequence[Die], random: Random) -> Rolled:
    """A throw of these dice."""
    pick = random.choice
    return Rolled(tuple([pick(_POWER if die.kind is DieKind.POWER else _NUMBERED) for die in dice]))


def random_event(game: Game[Any], state: Any, random: Random) -> Event | None:
    """What happens next when dice and players do as they like; None when the game is over."""
    asked = game.ask(state)
    if asked is None:
        return None
    if isinstance(asked, Draw):
        return random.choice(asked.lots)
    choices = game.choices(state)
    if choices:
        return random.choice(choices)
    if isinstance(asked, Throw) and not asked.coloured:
        return throw(asked.dice, random)
    if isinstance(state, holdem.State):
        return draw(state, random)
    raise ValueError(f"expected a throw or a choice, but {game.NAME} asks for {asked}")


def random_game(
    game: Game[Any], players: Sequence[str], options: Options, random: Random
) -> tuple[list[Event], Any]:
    """A whole game: its events and the last state."""
    state = game.start(players, options)
    events = []
    while (event := random_event(game, state, random)) is not None:
        state = game.apply(state, event)
        events.append(event)
    return events, state


def choice_counts(
    game: Game[Any], players: Sequence[str], options: Options, random: Random
) -> list[int]:
    """The number of legal choices at every choice of a random game.

    As with the perft counts of chess programs, a fixed seed gives a fixed list as long as choices,
    their order and the course of the game stay what they are.
    """
    state = game.start(players, options)
    counts = []
    while (event := random_event(game, state, random)) is not None:
        if choices := game.choices(state):
            counts.append(len(choices))
        state = game.apply(state, event)
    return counts
