"""The chance to win at the showdown of Hold'em, counted over everything that can still come.

Nobody's hidden dice are known here, and none are asked for. Every die that nobody has seen is alike
likely to lie under a cup or in the bag, and every face is alike likely on it: so all pockets and
all community dice to come are enumerated, with their chances by the colours that are left. Nobody
folds until the showdown, whatever they hold. A pot that is shared by k counts as 1/k of a win.

Opponents draw from one bag without putting back, which is followed exactly by the colours that are
left, except where that would take too long (`EXACT`): there each opponent draws as if the others
had not, which changes the chances by less than half a percent.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations_with_replacement, product

import numpy as np
from numpy.typing import NDArray

from appliance.rules.dice import FACES
from appliance.rules.game import ShownDie
from appliance.rules.holdem.evaluator import OF_A_SUIT, SUITS, Rank
from appliance.rules.holdem.state import COMMUNITY, POCKET
from appliance.strategy.holdem.vectorised import strengths, to_hand
from appliance.strategy.winning import NODES, WEIGHTS

Colours = tuple[int, ...]
"""How many dice of each colour are left, in the order of `SUITS`."""

EXACT = {0: 5, 1: 3, 2: 2}
"""The most opponents that are followed exactly, by how many community dice are to come."""


@dataclass(frozen=True, slots=True)
class Draws:
    """All that some dice from the bag can be.

    Attributes:
        colours: the colours of the dice, as indices into `SUITS`, without order.
        faces: (throws, dice) all throws, alike likely.
    """

    colours: tuple[tuple[int, ...], ...]
    faces: NDArray[np.int64]

    @property
    def throws(self) -> int:
        """How many throws there are of the dice, whatever their colours."""
        return len(self.faces)


@cache
def draws(dice: int) -> Draws:
    """All draws of so many dice."""
    colours = tuple(combinations_with_replacement(range(len(SUITS)), dice))
    throws = np.array(list(product(FACES, repeat=dice)), np.int64)
    return Draws(colours, throws.reshape(len(FACES) ** dice, dice))


def left_of(seen: Sequence[ShownDie]) -> Colours:
    """The colours of the dice that nobody has seen."""
    kinds = [die.kind for die in seen]
    return tuple(OF_A_SUIT - kinds.count(kind) for kind in SUITS)


@lru_cache(maxsize=256)
def chances(left: Colours, dice: int) -> tuple[float, ...]:
    """The chance of each of the colours of `draws`, when so many dice are drawn from those left."""
    found = []
    for colours in draws(dice).colours:
        ways, rest, total = 1.0, list(left), sum(left)
        for colour in colours:
            ways *= rest[colour] / total
            rest[colour] -= 1
            total -= 1
        alike = len(set(colours)) == len(colours) and len(colours) > 1
        found.append(ways * 2 if alike else ways)
    return tuple(found)


def without(left: Colours, colours: Sequence[int]) -> Colours:
    """The colours that are left when these are drawn."""
    return tuple(count - colours.count(suit) for suit, count in enumerate(left))


def share(
    below: NDArray[np.float64],
    equal: NDArray[np.float64],
    left: Colours,
    opponents: int,
    exact: bool,
) -> NDArray[np.float64]:
    """The expected share of the pot against hidden pockets that are drawn from one bag.

    Ties are integrated as in `winning.shares`.

    Args:
        below: (10, hands) by the colours of a pocket, the chance that a hand of ours beats it.
        equal: (10, hands) the chance that they are equal.
        left: the colours in the bag and under the cups.
        opponents: how many pockets there are, up to five.
        exact: whether they are drawn without putting back.
    """
    total = np.zeros(below.shape[1])
    for node, weight in zip(NODES, WEIGHTS, strict=True):
        one = below + node * equal
        if exact:
            total += weight * _drawn(one, left, opponents, {})
        else:
            total += weight * (np.array(chances(left, POCKET)) @ one) ** opponents
    return total


def _drawn(
    one: NDArray[np.float64],
    left: Colours,
    opponents: int,
    known: dict[Colours, NDArray[np.float64]],
) -> NDArray[np.float64]:
    """The mean of the product over opponents who draw one after the other."""
    if opponents == 1:
        return np.asarray(np.array(chances(left, POCKET)) @ one)
    if left not in known:
        total = np.zeros(one.shape[1])
        for pair, chance in enumerate(chances(left, POCKET)):
            if chance:
                rest = without(left, draws(POCKET).colours[pair])
                total += chance * one[pair] * _drawn(one, rest, opponents - 1, known)
        known[left] = total
    return known[left]


def chance_of_shown(
    community: Sequence[ShownDie],
    pocket: Sequence[ShownDie],
    others: Sequence[Sequence[ShownDie]],
    hidden: int,
) -> float:
    """The chance that a shown pocket wins when all community dice lie.

    Args:
        community: the five community dice.
        pocket: the two dice.
        others: pockets that were shown by opponents who are in.
        hidden: how many opponents are in who have not shown theirs.

    Returns:
        The chance from 0 to 1, a shared win by its share.
    """
    mine, *theirs = (_one(community, shown) for shown in (pocket, *others))
    if any(other > mine for other in theirs):
        return 0.0
    ties = theirs.count(mine)
    left = left_of([*community, *pocket, *(die for other in others for die in other)])
    worth = worth_of(community, (), np.zeros((1, 0), np.int64))[0]
    below, equal = (worth < mine).mean(axis=1)[:, None], (worth == mine).mean(axis=1)[:, None]
    total = 0.0
    for node, weight in zip(NODES, WEIGHTS, strict=True):
        product_of = 1.0
        if hidden:
            product_of = float(_drawn(below + node * equal, left, hidden, {})[0])
        total += float(weight * node**ties) * product_of
    return min(1.0, total)


def _one(community: Sequence[ShownDie], pocket: Sequence[ShownDie]) -> int:
    dice = [*community, *pocket]
    suits, faces = [[SUITS.index(die.kind) for die in dice]], [[die.face for die in dice]]
    return int(strengths(suits, faces)[0])


def worth_of(
    community: Sequence[ShownDie], colours: Sequence[int], faces: NDArray[np.int64]
) -> NDArray[np.int32]:
    """(boards, 10, 36) the strength of every pocket, by throws of the community dice to come."""
    pocket = draws(POCKET)
    boards, pairs, throws = len(faces), len(pocket.colours), pocket.throws
    shape = (boards, pairs, throws)
    size = len(community) + len(colours) + POCKET
    suit, face = np.empty((*shape, size), np.int8), np.empty((*shape, size), np.int8)
    for slot, die in enumerate(community):
        suit[..., slot], face[..., slot] = SUITS.index(die.kind), die.face
    for slot, colour in enumerate(colours, start=len(community)):
        suit[..., slot] = colour
        face[..., slot] = faces[:, slot - len(community), None, None]
    for slot in range(POCKET):
        column = size - POCKET + slot
        suit[..., column] = np.array([pair[slot] for pair in pocket.colours])[None, :, None]
        face[..., column] = pocket.faces[None, None, :, slot]
    return strengths(suit.reshape(-1, size), face.reshape(-1, size)).reshape(shape)


@dataclass(frozen=True, slots=True)
class RankOdds:
    """What it is worth to hold a hand of a rank.

    Attributes:
        rank: of the best hand with the dice that lie now.
        held: the chance that an unknown pocket makes it.
        win: the chance to win at the showdown with it, a shared win by its share.
    """

    rank: Rank
    held: float
    win: float


def pocket_shares(
    worth: NDArray[np.int32], left: Colours, opponents: int, exact: bool
) -> NDArray[np.float64]:
    """The expected share of the pot for every pocket of ours against hidden ones.

    Args:
        worth: (boards, 10, 36) the strength of every pocket, by the throws on the table.
        left: the colours in the bag and under the cups, ours among them.
        opponents: how many others are in.
        exact: whether they draw without putting back.

    Returns:
        (boards, 10, 36) shares; 0 for a pocket that cannot be drawn.
    """
    boards, pairs, throws = worth.shape
    values, place = np.unique(worth, return_inverse=True)
    place = place.reshape(worth.shape)
    # How many throws of an opponent's pocket are as strong as each value, then below or equal.
    cells = np.arange(boards * pairs)[:, None] * len(values) + place.reshape(boards * pairs, throws)
    counted = np.bincount(cells.ravel(), minlength=boards * pairs * len(values))
    equal_to = counted.reshape(boards, pairs, len(values)) / throws
    below_of = np.cumsum(equal_to, axis=2) - equal_to
    shares = np.zeros(worth.shape)
    for pair, chance in enumerate(chances(left, POCKET)):
        if chance:
            mine = np.broadcast_to(place[:, pair][:, None, :], (boards, pairs, throws))
            below, equal = (
                np.moveaxis(np.take_along_axis(table, mine, axis=2), 1, 0).reshape(pairs, -1)
                for table in (below_of, equal_to)
            )
            rest = without(left, draws(POCKET).colours[pair])
            won = share(below, equal, rest, opponents, exact)
            shares[:, pair] = won.reshape(boards, throws)
    return shares


@lru_cache(maxsize=16)
def by_rank(community: tuple[ShownDie, ...], opponents: int) -> tuple[RankOdds, ...]:
    """The chance to win at the showdown by what a pocket makes with the dice that lie now.

    Args:
        community: three to five community dice.
        opponents: how many others are in, with hidden pockets.

    Returns:
        Every rank that can be held, the highest first.
    """
    coming = COMMUNITY - len(community)
    exact = opponents <= EXACT[coming]
    left = left_of(community)
    now = worth_of(community, (), np.zeros((1, 0), np.int64))[0]
    known = {worth: to_hand(worth).rank for worth in set(now.ravel().tolist())}
    ranks = np.vectorize(known.__getitem__, otypes=[int])(now)
    held, won = np.zeros(len(Rank)), np.zeros(len(Rank))
    board = draws(coming)
    for colours, drawn in zip(board.colours, chances(left, coming), strict=True):
        if not drawn:
            continue
        after = without(left, colours)
        worth = worth_of(community, colours, board.faces)
        shares = pocket_shares(worth, after, opponents, exact).mean(axis=0)
        weights = drawn * np.array(chances(after, POCKET))[:, None] / draws(POCKET).throws
        weights = np.broadcast_to(weights, ranks.shape)
        held += np.bincount(ranks.ravel(), weights.ravel(), len(Rank))
        won += np.bincount(ranks.ravel(), (weights * shares).ravel(), len(Rank))
    return tuple(
        RankOdds(rank, float(held[rank]), min(1.0, float(won[rank] / held[rank])))
        for rank in reversed(Rank)
        if held[rank] > 0
    )
