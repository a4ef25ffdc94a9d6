"""The worth of cards at home in Free for All before they are banked, and what stealing denies.

A card counts only once it is banked, one at the start of each of its owner's turns, and until then
every other player may steal it. So it is worth its points times the chance that the game is still
on and that the card is still there: `(1 - tries * chance) ** turns`, with the turns of others until
it can be banked and the exact chance to beat its dice in three throws by best play. Several cards
at home are banked in the best order. How often another player goes for a card that can be beaten
(`TRY_SHARE_BY_PLAYERS`) and how often a turn takes a card from the centre (`TAKE_SHARE`), which
decides how long the game goes on, were counted in games that follow hints
(`scripts/bench_hints.py --count free-for-all`).
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import permutations

import numpy as np

from games.free_for_all.cards import Kind, makes, strength
from games.free_for_all.deck import CENTRE_SPACES
from games.free_for_all.state import ROLLS_PER_TURN, Lying, State
from games.strategy.turn import HANDS, KEEP_INDEX, Floats, keep_worth

TRY_SHARE_BY_PLAYERS = {2: 0.72, 3: 0.41, 4: 0.30, 5: 0.25, 6: 0.21}
"""How often a turn goes for a given card at another player's home, by number of players."""
TAKE_SHARE = 0.7
"""The share of turns in which a card of the centre is taken."""


@lru_cache(maxsize=4096)
def chance_to_beat(lying: Lying) -> float:
    """The chance to beat the dice of a card in three throws by best play."""
    kind = lying.card.kind
    return _chances_to_beat()[kind, strength(lying.dice, kind)]


@cache
def _chances_to_beat() -> dict[tuple[Kind, int], float]:
    """The chance to beat each strength that a roll for a kind can have."""
    rows: list[Floats] = []
    keys: list[tuple[Kind, int]] = []
    for kind in Kind:
        power = np.array([strength(hand, kind) if makes(hand, kind) else 0 for hand in HANDS])
        for least in sorted(set(power.tolist()) - {0}):
            keys.append((kind, least))
            rows.append((power > least).astype(float))
    won = keep_worth(np.stack(rows, axis=1), ROLLS_PER_TURN)[KEEP_INDEX[()]]
    return dict(zip(keys, won.tolist(), strict=True))


@lru_cache(maxsize=4096)
def chance_still_on(deck: int, pile: int, turns: int) -> float:
    """The chance that the game is not over after this many more turns, by what is left."""
    if not turns:
        return 1.0
    taken = chance_still_on(deck - 1, pile, turns - 1) if deck else 0.0
    passed = (
        chance_still_on(deck, pile - CENTRE_SPACES, turns - 1) if pile >= CENTRE_SPACES else 0.0
    )
    return TAKE_SHARE * taken + (1 - TAKE_SHARE) * passed


def worth_of_home(cards: Sequence[Lying], first: int, state: State) -> float:
    """The worth of cards at home to their owner, with `first` turns of others to come before."""
    deck, pile, others = len(state.deck), state.pile, len(state.stay) - 1
    tries = TRY_SHARE_BY_PLAYERS[len(state.stay)]
    rows = tuple((lying.card.points, 1 - tries * chance_to_beat(lying)) for lying in cards)
    return _best_order(rows, first, others, deck, pile)


@lru_cache(maxsize=4096)
def _best_order(
    rows: tuple[tuple[int, float], ...], first: int, others: int, deck: int, pile: int
) -> float:
    most = 0.0
    for order in permutations(rows):
        worth = 0.0
        for place, (points, kept) in enumerate(order):
            exposed = first + place * others
            # The owner's own turns count for how long the game goes on.
            worth += points * kept**exposed * chance_still_on(deck, pile, exposed + place)
        most = max(most, worth)
    return most
