"""The hidden dice of computer players: of a bag of their own, thrown by the seed of the game."""

from appliance.rules.dice import FACES
from appliance.rules.game import ShownDie
from appliance.rules.holdem.evaluator import BAG
from appliance.rules.holdem.state import Pocket, State
from appliance.rules.lots import lot


def pocket_of(seed: str, state: State, seat: int) -> Pocket:
    """The two dice of a computer in this hand: neither an undo nor a restart changes them."""
    lots = f"{seed} {state.hand} {seat}"
    first = lot(lots, 0, BAG)
    left = list(BAG)
    left.remove(first)
    second = lot(lots, 1, left)
    return ShownDie(first, lot(lots, 2, FACES)), ShownDie(second, lot(lots, 3, FACES))
