"""Hints for Showdown.

For example:

    from games.values import Rolled
    from games.showdown import GAME
    from games.strategy.showdown.hint import hint

    moved = GAME.apply(GAME.start(["ANNA", "BOB"], {"first": 0}), Rolled((1,)))
    print(hint(GAME.apply(moved, Rolled((5, 5, 5, 2, 2)))))
"""
