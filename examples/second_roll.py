"""Monte Carlo: what is the second roll of a turn of Classic worth to somebody who plays well?"""

from random import Random
from statistics import mean
from typing import Any

import dicetray

game, chance = dicetray.find_game("classic"), Random(1)


def best_box(state: Any) -> float:
    """The total to be expected if the roll on the table is scored at once."""
    worth, _ = dicetray.weigh(game, state)
    return max(total for choice, total in worth.items() if not isinstance(choice, dicetray.Keep))


gains = []
for _ in range(1000):
    first = game.apply(game.start(["ANNA"], {}), dicetray.throw([dicetray.Die(0)] * 5, chance))
    second, advised = first, dicetray.hint(game, first)
    if advised and isinstance(keep := advised.choice, dicetray.Keep):
        dice = [dicetray.Die(0)] * (5 - len(keep.slots))
        second = game.apply(game.apply(first, keep), dicetray.throw(dice, chance))
    gains.append(best_box(second) - best_box(first))
print(f"the second roll is worth {mean(gains):.1f} points")
