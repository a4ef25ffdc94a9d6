"""Yatzy, as families play it in Scandinavia: fifteen boxes, five dice, three rolls a turn.

For example:

    from games.game import Rolled
    from games.yatzy.game import apply, choices, start

    state = apply(start(["ANNA"], {}), Rolled((3, 3, 3, 5, 5)))
    print([choice.key for choice in choices(state)])
"""
