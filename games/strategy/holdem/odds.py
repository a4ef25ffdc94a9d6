"""The chance of shown dice to win against hidden ones at the showdown of Hold'em.

Nobody's hidden dice are known here, and none are asked for. Every die that nobody has seen is
equally likely to lie under a cup or in the bag, and every face is equally likely on it. Opponents
draw from one bag without replacement, which is tracked by the colours that are left. A pot shared
by k counts as 1/k of a win.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations_with_replacement, product

import numpy as np
from numpy.typing import NDArray

from games.dice import FACES
from games.holdem.evaluator import DICE_PER_SUIT, SUITS
from games.holdem.state import POCKET_DICE
from games.strategy.holdem.vectorised import strengths
from games.strategy.turn import Floats
from games.strategy.winning import QUADRATURE_NODES, QUADRATURE_WEIGHTS
from games.values import ShownDie

Colours = tuple[int, ...]
"""How many dice of each colour are left, in the order of `SUITS`."""


@dataclass(frozen=True, slots=True)
class Draws:
    """The dice that the bag can bring: colours (of `SUITS`, without order), (throws, dice) faces.

    All throws are equally likely.
    """

    colours: tuple[tuple[int, ...], ...]
    faces: NDArray[np.int64]

    @property
    def throws(self) -> int:
        """How many throws there are of the dice, whatever their colours."""
        return len(self.faces)


@cache
def possible_draws(dice: int) -> Draws:
    """All draws of this many dice."""
    colours = tuple(combinations_with_replacement(range(len(SUITS)), dice))
    throws = np.array(list(product(FACES, repeat=dice)), np.int64)
    return Draws(colours, throws.reshape(len(FACES) ** dice, dice))


def unseen_colours(seen: Sequence[ShownDie]) -> Colours:
    """The colours of the dice that nobody has seen."""
    kinds = [die.kind for die in seen]
    # A computer has dice of its own: more of a colour may be seen than the bag holds.
    return tuple(max(0, DICE_PER_SUIT - kinds.count(kind)) for kind in SUITS)


@lru_cache(maxsize=256)
def colour_chances(left: Colours, dice: int) -> tuple[float, ...]:
    """The chance of each of the colours of `possible_draws` when dice are drawn from those left."""
    found = []
    for colours in possible_draws(dice).colours:
        ways, rest, total = 1.0, list(left), sum(left)
        for colour in colours:
            ways *= rest[colour] / total
            rest[colour] -= 1
            total -= 1
        alike = len(set(colours)) == len(colours) and len(colours) > 1
        found.append(ways * 2 if alike else ways)
    return tuple(found)


def colours_left(left: Colours, colours: Sequence[int]) -> Colours:
    """The colours that are left when these are drawn."""
    return tuple(count - colours.count(suit) for suit, count in enumerate(left))


def mean_over_draws(
    one: Floats, left: Colours, opponents: int, known: dict[Colours, Floats]
) -> Floats:
    """The mean product of chances over opponents who draw one after the other."""
    if opponents == 1:
        return np.asarray(np.array(colour_chances(left, POCKET_DICE)) @ one)
    if left not in known:
        total = np.zeros(one.shape[1])
        for pair, chance in enumerate(colour_chances(left, POCKET_DICE)):
            if chance:
                rest = colours_left(left, possible_draws(POCKET_DICE).colours[pair])
                total += chance * one[pair] * mean_over_draws(one, rest, opponents - 1, known)
        known[left] = total
    return known[left]


def chance_of_shown(
    community: Sequence[ShownDie],
    pocket: Sequence[ShownDie],
    others: Sequence[Sequence[ShownDie]],
    hidden: int,
) -> float:
    """The chance that a shown pocket wins on a full board against shown and hidden ones."""
    mine, *theirs = (_strength_of_shown(community, shown) for shown in (pocket, *others))
    if any(other > mine for other in theirs):
        return 0.0
    ties = theirs.count(mine)
    left = unseen_colours([*community, *pocket, *(die for other in others for die in other)])
    worth = pocket_strengths(community, (), np.zeros((1, 0), np.int64))[0]
    below, equal = (worth < mine).mean(axis=1)[:, None], (worth == mine).mean(axis=1)[:, None]
    total = 0.0
    for node, weight in zip(QUADRATURE_NODES, QUADRATURE_WEIGHTS, strict=True):
        beaten = 1.0
        if hidden:
            beaten = float(mean_over_draws(below + node * equal, left, hidden, {})[0])
        total += float(weight * node**ties) * beaten
    return min(1.0, total)


def _strength_of_shown(community: Sequence[ShownDie], pocket: Sequence[ShownDie]) -> int:
    dice = [*community, *pocket]
    suits, faces = [[SUITS.index(die.kind) for die in dice]], [[die.face for die in dice]]
    return int(strengths(suits, faces)[0])


def pocket_strengths(
    community: Sequence[ShownDie], colours: Sequence[int], faces: NDArray[np.int64]
) -> NDArray[np.int32]:
    """(boards, 10, 36) the strength of every pocket, by throws of the community dice to come."""
    pocket = possible_draws(POCKET_DICE)
    boards, pairs, throws = len(faces), len(pocket.colours), pocket.throws
    shape = (boards, pairs, throws)
    size = len(community) + len(colours) + POCKET_DICE
    suit, face = np.empty((*shape, size), np.int8), np.empty((*shape, size), np.int8)
    for slot, die in enumerate(community):
        suit[..., slot], face[..., slot] = SUITS.index(die.kind), die.face
    for slot, colour in enumerate(colours, start=len(community)):
        suit[..., slot] = colour
        face[..., slot] = faces[:, slot - len(community), None, None]
    for slot in range(POCKET_DICE):
        column = size - POCKET_DICE + slot
        suit[..., column] = np.array([pair[slot] for pair in pocket.colours])[None, :, None]
        face[..., column] = pocket.faces[None, None, :, slot]
    return strengths(suit.reshape(-1, size), face.reshape(-1, size)).reshape(shape)
