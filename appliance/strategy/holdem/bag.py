"""The bag and the cups of Hold'em where nobody is there to draw and throw."""

from random import Random

from appliance.rules.dice import FACES
from appliance.rules.game import DieKind, Reveal, Shown, ShownDie, Throw
from appliance.rules.holdem import game as holdem
from appliance.rules.holdem.evaluator import OF_A_SUIT, SUITS
from appliance.rules.holdem.state import State


def unseen(state: State) -> list[DieKind]:
    """The colours of the dice that lie in the bag or under cups as far as anybody can know."""
    left = [kind for kind in SUITS for _ in range(OF_A_SUIT)]
    for some in (state.community, *state.pockets):
        for die in some or ():
            left.remove(die.kind)
    return left


def draw(state: State, random: Random) -> Shown:
    """Community or pocket dice that answer what is asked for.

    All dice that were not seen are alike likely to be any of the unseen ones, so that it makes no
    difference whether a pocket is drawn before the community dice or only when it is shown.

    Raises:
        ValueError: when no dice with colours are asked for.
    """
    asked = holdem.ask(state)
    if isinstance(asked, Throw) and asked.coloured:
        again = bool(state.thrown) and asked.roll == 1
        kinds = [die.kind for die in asked.dice] if again else unseen(state)
    elif isinstance(asked, Reveal):
        kinds = unseen(state)
    else:
        raise ValueError(f"expected an ask for dice with colours, got {asked}")
    if len(kinds) > len(asked.dice):
        kinds = random.sample(kinds, len(asked.dice))
    return Shown(tuple(ShownDie(kind, random.choice(FACES)) for kind in kinds))
