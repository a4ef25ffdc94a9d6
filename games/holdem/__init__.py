"""Hold'em.

For example:

    from games.game import ShownDie
    from games.holdem.evaluator import SUITS, best_five

    hand, five = best_five(tuple(ShownDie(kind, face) for kind in SUITS[:2] for face in (5, 6, 1)))
    print(hand.rank.word, five)
"""
