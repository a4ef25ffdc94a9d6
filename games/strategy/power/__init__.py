"""Hints for Power.

For example:

    from games.game import Rolled
    from games.power.game import apply, start
    from games.strategy.power.hint import hint

    print(hint(apply(start(["ANNA"], {}), Rolled((4, 4, 4, 4, 6, "double")))))
"""
