"""Showdown: pawns on a ring, twelve cards to place and take; rules in `docs/rules/showdown.md`.

For example:

    from games.showdown import Card
    from games.showdown.cards import chips_by_card

    chips = chips_by_card((5, 5, 5, 2, 2))
    print([(Card(card).word, count) for card, count in enumerate(chips) if count])
"""

from games.showdown.cards import Card as Card
from games.showdown.game import GAME as GAME
from games.showdown.state import MoveOn as MoveOn
from games.showdown.state import Place as Place
from games.showdown.state import Raise as Raise
from games.showdown.state import Stack as Stack
from games.showdown.state import State as State
from games.showdown.state import Stay as Stay
from games.showdown.state import Step as Step
from games.showdown.state import Take as Take
