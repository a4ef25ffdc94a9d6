"""Hints for Classic: best play, solved.

For example:

    from appliance.rules.game import Rolled
    from appliance.rules.classic.game import apply, start
    from appliance.strategy.classic.hint import hint

    print(hint(apply(start(["ANNA"], {}), Rolled((3, 3, 3, 5, 5)))))
"""
