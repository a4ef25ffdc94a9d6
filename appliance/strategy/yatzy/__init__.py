"""Hints for Yatzy: best play, solved.

For example:

    from appliance.rules.game import Rolled
    from appliance.rules.yatzy.game import apply, start
    from appliance.strategy.yatzy.hint import hint

    print(hint(apply(start(["ANNA"], {}), Rolled((3, 3, 3, 5, 5)))))
"""
