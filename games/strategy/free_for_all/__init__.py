"""Hints for Free for All.

For example:

    from games.record import position_from_text
    from games.strategy.free_for_all.hint import hint

    game, state = position_from_text(line)  # the last line of `dicetray replay`
    print(hint(state))
"""
