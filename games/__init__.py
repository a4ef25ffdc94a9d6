"""The rules of the games: pure functions, no I/O, no clock, no random numbers.

A game is one value of a class, which `Game` in `game` describes; the registry has all games:

    from games.values import Rolled
    from games.registry import find_game

    game = find_game("classic")
    state = game.apply(game.start(["ANNA"], {}), Rolled((3, 3, 3, 5, 5)))
    print([(choice.key, game.preview(state, choice)) for choice in game.choices(state)])
"""
