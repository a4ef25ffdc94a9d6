"""Hints for Yatzy: best play, solved.

For example:

    from games.game import Rolled
    from games.yatzy.game import apply, start
    from games.strategy.yatzy.hint import hint

    print(hint(apply(start(["ANNA"], {}), Rolled((3, 3, 3, 5, 5)))))
"""
