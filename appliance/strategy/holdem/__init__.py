"""Hints for Hold'em: odds.

For example:

    from appliance.rules.holdem.game import start
    from appliance.strategy.holdem.hint import hint

    for row in hint(start(["ANNA", "BOB"], {})).odds:
        print(row.key, row.win)
"""
