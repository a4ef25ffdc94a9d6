"""Hints for Showdown.

For example:

    from games.game import Rolled
    from games.showdown.game import apply, start
    from games.strategy.showdown.hint import hint

    moved = apply(start(["ANNA", "BOB"], {"first": 0}), Rolled((1,)))
    print(hint(apply(moved, Rolled((5, 5, 5, 2, 2)))))
"""
