#!/usr/bin/env python3
"""Counts what a pocket of Hold'em is worth before any community die lies, over all boards.

Every different set of five community dice (alike but for names of colours: one) is weighted by
its chance; pockets are enumerated as in `appliance.strategy.holdem.odds`, opponents as if the
others had not drawn. Writes the small table that hints read. About five minutes on one core.
"""

import json
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from itertools import combinations_with_replacement, permutations
from math import factorial, prod
from pathlib import Path

import numpy as np

from appliance.rules.dice import FACES
from appliance.rules.game import ShownDie
from appliance.rules.holdem.evaluator import OF_A_SUIT, SUITS
from appliance.rules.holdem.state import COMMUNITY, MAX_PLAYERS, POCKET
from appliance.strategy.holdem import hint as holdem_hint
from appliance.strategy.holdem.odds import chances, draws, left_of, pocket_shares, worth_of

Board = tuple[tuple[int, int], ...]
"""Colour and face of each community die, ascending."""


def boards() -> Counter[Board]:
    """One board for all that differ by names of colours only, with how many ways there are.

    A way is a choice of dice from the bag and a face for each of them.
    """
    found: Counter[Board] = Counter()
    kinds = [(suit, face) for suit in range(len(SUITS)) for face in FACES]
    renamed = list(permutations(range(len(SUITS))))
    known: dict[Board, Board] = {}
    for board in combinations_with_replacement(kinds, COMMUNITY):
        of_suit = [sum(suit == s for suit, _ in board) for s in range(len(SUITS))]
        # Dice of a colour are drawn one by one, and each shows any face.
        drawn = prod(factorial(OF_A_SUIT) // factorial(OF_A_SUIT - n) for n in of_suit)
        ways = drawn * factorial(COMMUNITY) // prod(map(factorial, Counter(board).values()))
        if board not in known:
            alike = {tuple(sorted((names[s], f) for s, f in board)) for names in renamed}
            known.update(dict.fromkeys(alike, board))
        found[known[board]] += ways
    return found


def every_pocket() -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Colours and faces of all pockets, in the order of `holdem_odds`."""
    pocket = draws(POCKET)
    for colours in pocket.colours:
        for faces in pocket.faces.tolist():
            yield colours, tuple(faces)


def pocket_type(colours: tuple[int, ...], faces: tuple[int, ...]) -> str:
    """What the board calls a pocket: the pair, else whether it has one colour."""
    if faces[0] == faces[1]:
        return f"PAIR OF {faces[0]}"
    return "1 COLOUR" if colours[0] == colours[1] else "2 COLOURS"


def main() -> None:
    types = [pocket_type(pair, faces) for pair, faces in every_pocket()]
    labels = sorted(set(types))
    column = np.array([labels.index(name) for name in types])
    held = np.zeros(len(labels))
    won = np.zeros((MAX_PLAYERS - 1, len(labels)))
    for board, ways in boards().items():
        community = [ShownDie(SUITS[suit], face) for suit, face in board]
        left = left_of(community)
        worth = worth_of(community, (), np.zeros((1, 0), np.int64))
        weights = np.repeat(chances(left, POCKET), draws(POCKET).throws) * ways
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
    Path(str(files("appliance.strategy.holdem") / holdem_hint.FILE)).write_text(text)
    print(text, end="")


if __name__ == "__main__":
    main()
