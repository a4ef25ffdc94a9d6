"""Hints for Classic: best play, solved.

For example:

    from games.game import Rolled
    from games.classic.game import apply, start
    from games.strategy.classic.hint import hint

    print(hint(apply(start(["ANNA"], {}), Rolled((3, 3, 3, 5, 5)))))
"""
