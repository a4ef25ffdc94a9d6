#!/usr/bin/env python3
"""Computes what a Hold'em pocket is worth before any community die is out, over all boards.

Each set of five community dice (one for all that differ only in the names of colours) is weighted
by its chance; pockets are enumerated as in `games.strategy.holdem.odds`, each opponent's as if
the others had not drawn. Writes the small table that hints read. About five minutes on one core.
"""

import json
from collections import Counter
from importlib.resources import files
from itertools import combinations_with_replacement, permutations
from math import factorial, prod
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from games.dice import FACES
from games.holdem.evaluator import DICE_PER_SUIT, SUITS
from games.holdem.state import COMMUNITY_DICE, MAX_PLAYERS, POCKET_DICE
from games.strategy.holdem import hint as holdem_hint
from games.strategy.holdem.advising import pocket_type, pockets
from games.strategy.holdem.odds import (
    Colours,
    colour_chances,
    colours_left,
    mean_over_draws,
    pocket_strengths,
    possible_draws,
    unseen_colours,
)
from games.strategy.winning import QUADRATURE_NODES, QUADRATURE_WEIGHTS
from games.values import ShownDie

Board = tuple[tuple[int, int], ...]
"""Colour and face of each community die, ascending."""


def boards() -> Counter[Board]:
    """One board for all that differ only in the names of colours, with the number of ways to it.

    A way is a choice of dice from the bag and a face for each of them.
    """
    found: Counter[Board] = Counter()
    kinds = [(suit, face) for suit in range(len(SUITS)) for face in FACES]
    renamed = list(permutations(range(len(SUITS))))
    known: dict[Board, Board] = {}
    for board in combinations_with_replacement(kinds, COMMUNITY_DICE):
        of_suit = [sum(suit == s for suit, _ in board) for s in range(len(SUITS))]
        # Dice of a colour are drawn one by one, and each can show any face.
        drawn = prod(factorial(DICE_PER_SUIT) // factorial(DICE_PER_SUIT - n) for n in of_suit)
        ways = drawn * factorial(COMMUNITY_DICE) // prod(map(factorial, Counter(board).values()))
        if board not in known:
            alike = {tuple(sorted((names[s], f) for s, f in board)) for names in renamed}
            known.update(dict.fromkeys(alike, board))
        found[known[board]] += ways
    return found


def share(
    below: NDArray[np.float64],
    equal: NDArray[np.float64],
    left: Colours,
    opponents: int,
    exact: bool,
) -> NDArray[np.float64]:
    """The expected share of the pot against hidden pockets that are drawn from one bag.

    Ties are integrated as in `winning.win_shares`.

    Args:
        below: (10, hands) by the colours of a pocket, the chance that a hand of ours beats it.
        equal: (10, hands) the chance that they are equal.
        left: the colours in the bag and under the cups.
        opponents: how many pockets there are, up to five.
        exact: whether they are drawn without replacement.
    """
    total = np.zeros(below.shape[1])
    for node, weight in zip(QUADRATURE_NODES, QUADRATURE_WEIGHTS, strict=True):
        one = below + node * equal
        if exact:
            total += weight * mean_over_draws(one, left, opponents, {})
        else:
            total += weight * (np.array(colour_chances(left, POCKET_DICE)) @ one) ** opponents
    return total


def pocket_shares(
    worth: NDArray[np.int32], left: Colours, opponents: int, exact: bool
) -> NDArray[np.float64]:
    """The expected share of the pot for every pocket of ours against hidden ones.

    Args:
        worth: (boards, 10, 36) the strength of every pocket, by the throws on the table.
        left: the colours in the bag and under the cups, ours among them.
        opponents: how many others are still in.
        exact: whether they draw without replacement.

    Returns:
        (boards, 10, 36) shares; 0 for a pocket that cannot be drawn.
    """
    boards, pairs, throws = worth.shape
    values, place = np.unique(worth, return_inverse=True)
    place = place.reshape(worth.shape)
    # How many throws of an opponent's pocket equal each value, then the shares equal and below.
    cells = np.arange(boards * pairs)[:, None] * len(values) + place.reshape(boards * pairs, throws)
    counted = np.bincount(cells.ravel(), minlength=boards * pairs * len(values))
    equal_to = counted.reshape(boards, pairs, len(values)) / throws
    below_of = np.cumsum(equal_to, axis=2) - equal_to
    shares = np.zeros(worth.shape)
    for pair, chance in enumerate(colour_chances(left, POCKET_DICE)):
        if chance:
            mine = np.broadcast_to(place[:, pair][:, None, :], (boards, pairs, throws))
            below, equal = (
                np.moveaxis(np.take_along_axis(table, mine, axis=2), 1, 0).reshape(pairs, -1)
                for table in (below_of, equal_to)
            )
            rest = colours_left(left, possible_draws(POCKET_DICE).colours[pair])
            won = share(below, equal, rest, opponents, exact)
            shares[:, pair] = won.reshape(boards, throws)
    return shares


def main() -> None:
    types = [pocket_type(pair, faces) for pair, faces in pockets()]
    labels = sorted(set(types))
    column = np.array([labels.index(name) for name in types])
    held = np.zeros(len(labels))
    won = np.zeros((MAX_PLAYERS - 1, len(labels)))
    for board, ways in boards().items():
        community = [ShownDie(SUITS[suit], face) for suit, face in board]
        left = unseen_colours(community)
        worth = pocket_strengths(community, (), np.zeros((1, 0), np.int64))
        weights = (
            np.repeat(colour_chances(left, POCKET_DICE), possible_draws(POCKET_DICE).throws) * ways
        )
        held += np.bincount(column, weights, len(labels))
        for others in range(1, MAX_PLAYERS):
            shares = pocket_shares(worth, left, others, exact=False)[0].ravel()
            won[others - 1] += np.bincount(column, weights * shares, len(labels))
    table = {
        label: [round(float(chance), 4) for chance in won[:, at] / held[at]]
        for at, label in enumerate(labels)
    }
    ordered = dict(sorted(table.items(), key=lambda row: -row[1][0]))
    rows = ",\n".join(f"{json.dumps(label)}: {row}" for label, row in ordered.items())
    text = f"{{\n{rows}\n}}\n"
    Path(str(files("games.strategy.holdem") / holdem_hint.HOLDEM_OPEN_FILE)).write_text(text)
    print(text, end="")


if __name__ == "__main__":
    main()
