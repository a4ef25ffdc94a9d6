"""Showdown.

For example:

    from appliance.rules.showdown.state import Card, stacks

    chips = stacks((5, 5, 5, 2, 2))
    print([(Card(card).label, count) for card, count in enumerate(chips) if count])
"""
