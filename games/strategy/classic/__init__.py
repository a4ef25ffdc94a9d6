"""Hints for Classic: best play, solved.

For example:

    from games.values import Rolled
    from games.classic import GAME
    from games.strategy.classic.hint import hint

    print(hint(GAME.apply(GAME.start(["ANNA"], {}), Rolled((3, 3, 3, 5, 5)))))
"""
