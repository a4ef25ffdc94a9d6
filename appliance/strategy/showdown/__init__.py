"""Hints for Showdown.

For example:

    from appliance.rules.game import Rolled
    from appliance.rules.showdown.game import apply, start
    from appliance.strategy.showdown.hint import hint

    moved = apply(start(["ANNA", "BOB"], {"first": 0}), Rolled((1,)))
    print(hint(apply(moved, Rolled((5, 5, 5, 2, 2)))))
"""
