"""How to play well: solvers that know no rules but ask for them.

For example:

    from appliance.rules.game import Rolled
    from appliance.rules.registry import find_game
    from appliance.strategy.advice import hint

    game = find_game("classic")
    print(hint(game.NAME, game.apply(game.start(["ANNA"], {}), Rolled((3, 3, 3, 5, 5)))))
"""
