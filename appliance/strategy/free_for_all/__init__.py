"""Hints for Free for All.

For example:

    from appliance.rules.record import position_from_text
    from appliance.strategy.free_for_all.hint import hint

    game, state = position_from_text(line)  # the last line of `dicetray replay`
    print(hint(state))
"""
