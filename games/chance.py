"""Chance and players without a plan: throws, draws and random legal play of any game.

The rules take chance as an input; this is where it comes from when no dice are thrown:

    from random import Random

    from games.chance import random_game
    from games.registry import find_game

    events, state = random_game(find_game("classic"), ["ANNA", "BEN"], {}, Random(1))

The same seed gives the same game.
"""

from collections.abc import Sequence
from random import Random
from typing import Any, TypeVar

from games.dice import FACES, POWER_FACES
from games.game import Game
from games.values import (
    Choose,
    Die,
    DieKind,
    Draw,
    Event,
    Face,
    Options,
    Rolled,
    Shown,
    ShownDie,
    Throw,
)

T = TypeVar("T")


def throw(dice: Sequence[Die], random: Random) -> Rolled:
    """A throw of these dice."""
    bits, power = random.getrandbits, DieKind.POWER
    faces: list[Face] = []
    for die in dice:
        # As `random.choice` of six sides draws one, at a third of the cost.
        side = bits(3)
        while side >= 6:
            side = bits(3)
        faces.append(POWER_FACES[side] if die.kind is power else side + 1)
    return Rolled(tuple(faces))


def one_of(things: Sequence[T], random: Random) -> T:
    """One of these, all equally likely: the one that `random.choice` draws, in half the time.

    Raises:
        IndexError: there are none.
    """
    count, bits = len(things), random.getrandbits
    digits = count.bit_length()
    place = bits(digits)
    while place >= count > 0:
        place = bits(digits)
    return things[place]


def draw(game: Game[Any], state: Any, random: Random) -> Shown:
    """Coloured dice that answer what is asked for.

    Every die not seen yet is equally likely to be any of the unseen ones, so it makes no difference
    whether hidden dice are drawn before the community dice or only when they are shown.

    Raises:
        ValueError: no coloured dice are asked for.
    """
    asked = game.ask(state)
    kinds = list(game.unseen(state))
    if asked is None or isinstance(asked, Choose) or not kinds:
        raise ValueError(f"expected an ask for dice with colours, but {game.name} has {asked}")
    if len(kinds) > len(asked.dice):
        kinds = random.sample(kinds, len(asked.dice))
    return Shown(tuple(ShownDie(kind, one_of(FACES, random)) for kind in kinds))


def random_event(game: Game[Any], state: Any, random: Random) -> Event | None:
    """The next event when dice and players do as they like; None when the game is over."""
    asked = game.ask(state)
    if asked is None:
        return None
    if isinstance(asked, Choose):
        return one_of(asked.lots if isinstance(asked, Draw) else game.choices(state), random)
    if isinstance(asked, Throw) and not asked.coloured:
        return throw(asked.dice, random)
    return draw(game, state, random)


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
