"""Hints for Hold'em: odds.

For example:

    from games.holdem import GAME
    from games.strategy.holdem.hint import hint

    for row in hint(GAME.start(["ANNA", "BOB"], {})).odds:
        print(row.key, row.win)
"""
