"""Hints for Power.

For example:

    from games.values import Rolled
    from games.power import GAME
    from games.strategy.power.hint import hint

    print(hint(GAME.apply(GAME.start(["ANNA"], {}), Rolled((4, 4, 4, 4, 6, "double")))))
"""
