"""Free for All.

For example:

    from games.free_for_all.cards import beats, card_from_word

    card = card_from_word("fours:4")
    assert beats((4, 4, 4, 1, 2), (4, 4, 6, 6, 6), card.kind)
"""

from games.free_for_all.deck import (
    Deck,
    DeckError,
    deck_from_text,
    deck_from_toml,
    lines_of_toml,
    nearest_line,
)

__all__ = ["Deck", "DeckError", "deck_from_text", "deck_from_toml", "lines_of_toml", "nearest_line"]
