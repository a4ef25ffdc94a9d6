"""Games as text: events and positions.

For example:

    from games.notation.events import event_from_text, event_to_text
    from games.registry import find_game

    game = find_game("classic")
    rolled = event_from_text(game, "roll 3 3 3 5 5")
    assert event_to_text(game, rolled) == "roll 3 3 3 5 5"
"""
