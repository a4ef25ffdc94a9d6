"""The last two rounds of Classic, played to win: exact, given that the others play for points.

What the others will still score follows from their own best play. The player's turns are solved for
the chance to beat them all: a choice in the last turn but one looks ahead through the last one,
which is played to win, too.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from appliance.rules.classic import game as classic
from appliance.rules.classic.game import Score, Sheet, State
from appliance.rules.classic.sheet import ROLLS, UPPER, UPPER_BONUS_FROM, Box, fill
from appliance.rules.game import Choice, Choose
from appliance.strategy.classic.hint import total, uses
from appliance.strategy.turn import HANDS, INDEX, Floats, best_use, keep_worth, weighed_keeps
from appliance.strategy.winning import played, shares

ROUNDS = 2
_TOTALS = 1600


def win(state: State) -> dict[Choice, float]:
    """The chance to win after each choice in the last two rounds of several players, else empty."""
    sheet = state.sheets[state.seat]
    late = sheet.open.bit_count() <= ROUNDS and len(state.stay) > 1
    if not late or not isinstance(classic.ask(state), Choose):
        return {}
    others = enumerate(state.sheets)
    share = shares([_spread(s, seat in state.stay) for seat, s in others if seat != state.seat])
    scores = [choice for choice in classic.choices(state) if isinstance(choice, Score)]
    after = [fill(sheet, state.dice, choice.box) for choice in scores]
    found: dict[Choice, float] = dict(zip(scores, _chances(after, share), strict=True))
    if state.roll < ROLLS:
        found |= weighed_keeps(keep_worth(_hands(sheet, share), ROLLS - state.roll), state.dice)
    return found


def _chances(sheets: Sequence[Sheet], share: Floats) -> list[float]:
    """The chance to win with each of several sheets that have equally many boxes open."""
    if not sheets[0].open:
        return [float(share[sheet.total]) for sheet in sheets]
    each = {(_plain(sheet), sheet.total): sheet for sheet in sheets}
    hands = np.stack([_hands(sheet, share) for sheet in each.values()], axis=1)
    found = dict(zip(each, keep_worth(hands, ROLLS)[INDEX[()]].tolist(), strict=True))
    return [found[_plain(sheet), sheet.total] for sheet in sheets]


def _hands(sheet: Sheet, share: Floats) -> Floats:
    """(252,) the chance to win when a hand is scored in the best box."""
    hands, after = zip(*uses(_plain(sheet)), strict=True)
    extra = sheet.total - _plain(sheet).total
    return best_use(zip(hands, _chances(after, share[extra:]), strict=True))


def _spread(sheet: Sheet, stays: bool) -> Floats:
    """(1600,) the chance of each final total of another player; one who has left scores no more."""
    found = np.zeros(_TOTALS)
    more = _to_come(_plain(sheet)) if stays else np.ones(1)
    found[sheet.total : sheet.total + len(more)] = more
    return found


@lru_cache(maxsize=2048)
def _to_come(sheet: Sheet) -> Floats:
    """The chance of each number of points that a sheet will still bring in play for points."""
    if not sheet.open:
        return np.ones(1)
    every = uses(sheet)
    worth, use = np.full(len(HANDS), -np.inf), np.zeros(len(HANDS), np.intp)
    for number, (index, after) in enumerate(every):
        better = index[total(after) > worth[index]]
        worth[better], use[better] = total(after), number
    found = np.zeros(_TOTALS)
    for chance, (_, after) in zip(np.bincount(use, played(worth, ROLLS)), every, strict=False):
        if chance:
            more, gained = _to_come(_plain(after)), after.total - sheet.total
            found[gained : gained + len(more)] += chance * more
    return np.trim_zeros(found, "b")


@lru_cache(maxsize=4096)
def _plain(sheet: Sheet) -> Sheet:
    """A sheet with the same points still to come, and nothing scored but what they depend on."""
    held = [None if points is None else 0 for points in sheet.boxes]
    held[Box.FIVE_ALIKE] = sheet.boxes[Box.FIVE_ALIKE]
    if sheet.open & (1 << UPPER) - 1 and 0 in held[:UPPER]:
        held[held.index(0)] = min(sheet.upper, UPPER_BONUS_FROM)
    return Sheet(tuple(held), 0, sheet.open)
