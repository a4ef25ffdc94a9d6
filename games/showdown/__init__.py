"""Showdown.

For example:

    from games.showdown.cards import Card, chips_by_card

    chips = chips_by_card((5, 5, 5, 2, 2))
    print([(Card(card).word, count) for card, count in enumerate(chips) if count])
"""
