"""Hold'em: dice in four colours, hidden pockets, bets; rules in `docs/rules/holdem.md`.

For example:

    from games.holdem.evaluator import SUITS, best_five
    from games.values import ShownDie

    hand, five = best_five(tuple(ShownDie(kind, face) for kind in SUITS[:2] for face in (5, 6, 1)))
    print(hand.rank.word, five)
"""

from games.holdem.game import GAME as GAME
from games.holdem.state import State as State
