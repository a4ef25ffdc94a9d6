"""Games as text: events and positions.

For example:

    from appliance.rules.notation.events import Words, event_to_text, read_event
    from appliance.rules.registry import find_game

    game = find_game("classic")
    rolled = read_event(game, Words.of("roll 3 3 3 5 5"))
    assert event_to_text(game, rolled) == "roll 3 3 3 5 5"
"""
