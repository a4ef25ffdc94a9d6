"""Yatzy, as families play it in Scandinavia: fifteen boxes, five dice, three rolls a turn.

For example:

    from appliance.rules.game import Rolled
    from appliance.rules.yatzy.game import apply, choices, start

    state = apply(start(["ANNA"], {}), Rolled((3, 3, 3, 5, 5)))
    print([choice.key for choice in choices(state)])
"""
