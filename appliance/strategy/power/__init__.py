"""Hints for Power.

For example:

    from appliance.rules.game import Rolled
    from appliance.rules.power.game import apply, start
    from appliance.strategy.power.hint import hint

    print(hint(apply(start(["ANNA"], {}), Rolled((4, 4, 4, 4, 6, "double")))))
"""
