"""Hints for Hold'em: odds.

For example:

    from games.holdem.game import start
    from games.strategy.holdem.hint import hint

    for row in hint(start(["ANNA", "BOB"], {})).odds:
        print(row.key, row.win)
"""
