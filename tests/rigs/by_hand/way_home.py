"""The quickest way to end a game of Showdown: every roll is for a card that is off the board.

Players without a plan wait for a large straight, and games differ in length by a factor of fifty.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np

from appliance.journal.origin import Origin
from appliance.journal.reader import JournalReader
from appliance.journal.summary import resume_saved
from games import showdown
from games.showdown import Place, State
from games.showdown.state import ROLLS_PER_TURN, Step
from games.strategy.solver import best_hint
from games.strategy.turn import HANDS, keep_worth, weighed_keeps
from games.values import Keep, Measure


def way_home(journal: Path) -> tuple[int, ...] | None:
    """The slots to hold for the next throw in the most recently saved game.

    Returns:
        None if the roll should be used as it is, and for any game but Showdown.
    """
    with JournalReader(journal, origin=Origin.KEYBOARD) as games:
        saved = games.last()
    state = None if saved is None else resume_saved(saved).record.state
    return to_hold(state) if isinstance(state, State) else None


def to_hold(state: State) -> tuple[int, ...] | None:
    """The slots to hold if another throw can help to place a card; None if it cannot."""
    if state.step is not Step.USE or state.roll == ROLLS_PER_TURN or state.in_showdown:
        return None
    if places(state):
        return None
    hands = np.array([float(places(replace(state, dice=hand))) for hand in HANDS])
    if not hands.any():
        return None
    best = best_hint(
        weighed_keeps(keep_worth(hands, ROLLS_PER_TURN - state.roll), state.dice), Measure.GAIN
    )
    return best.choice.slots if best is not None and isinstance(best.choice, Keep) else None


def places(state: State) -> bool:
    """True if a card can be placed with the dice as they lie."""
    return any(isinstance(choice, Place) for choice in showdown.GAME.choices(state))
