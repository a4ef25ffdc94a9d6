"""Free for All: cards to take, to steal and to bank; rules in `docs/rules/free-for-all.md`.

For example:

    from games.free_for_all.cards import beats, card_from_word

    card = card_from_word("fours:4")
    assert beats((4, 4, 4, 1, 2), (4, 4, 6, 6, 6), card.kind)
"""

from games.free_for_all.cards import Card as Card
from games.free_for_all.cards import Kind as Kind
from games.free_for_all.deck import Deck as Deck
from games.free_for_all.deck import DeckError as DeckError
from games.free_for_all.deck import deck_from_text as deck_from_text
from games.free_for_all.deck import deck_from_toml as deck_from_toml
from games.free_for_all.game import GAME as GAME
from games.free_for_all.state import Bank as Bank
from games.free_for_all.state import Lying as Lying
from games.free_for_all.state import State as State
from games.free_for_all.state import Steal as Steal
from games.free_for_all.state import Step as Step
from games.free_for_all.state import Take as Take
from games.free_for_all.state import TakeFive as TakeFive
from games.free_for_all.state import TurnUp as TurnUp
