"""How to play well: solvers that know no rules but ask for them.

For example:

    from games.values import Rolled
    from games.registry import find_game
    from games.strategy.advice import hint

    game = find_game("classic")
    print(hint(game, game.apply(game.start(["ANNA"], {}), Rolled((3, 3, 3, 5, 5)))))
"""
