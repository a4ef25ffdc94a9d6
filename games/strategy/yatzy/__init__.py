"""Hints for Yatzy: best play, solved.

For example:

    from games.values import Rolled
    from games.yatzy import GAME
    from games.strategy.yatzy.hint import hint

    print(hint(GAME.apply(GAME.start(["ANNA"], {}), Rolled((3, 3, 3, 5, 5)))))
"""
