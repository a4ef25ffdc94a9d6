"""The last two rounds of Classic, played to win: exact, given that the others play for points.

What the others will still score follows from their own best play. The player's turns are solved for
the chance to beat them all: a choice in the last turn but one looks ahead through the last one,
which is played to win, too.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from games import classic
from games.boxes import ROLLS_PER_TURN, UPPER_BONUS_FROM, UPPER_BOXES, Score
from games.classic import GAME, Box, Sheet, State
from games.strategy.classic.hint import expected_total, hand_uses
from games.strategy.turn import (
    HANDS,
    KEEP_INDEX,
    Floats,
    best_use_worth,
    keep_worth,
    weighed_keeps,
)
from games.strategy.winning import final_hand_chances, win_shares
from games.values import Choice, Choose

LAST_ROUNDS = 2
_DISTINCT_TOTALS = 1600
"""Totals from 0 on; the highest there is is 1575."""


def win_chances(state: State) -> dict[Choice, float]:
    """The chance to win after each choice in the last two rounds of several players, else empty."""
    sheet = state.sheets[state.seat]
    late = sheet.open.bit_count() <= LAST_ROUNDS and len(state.stay) > 1
    if not late or not isinstance(classic.GAME.ask(state), Choose):
        return {}
    others = enumerate(state.sheets)
    spreads = [
        _spread_of_totals(other, seat in state.stay) for seat, other in others if seat != state.seat
    ]
    share = win_shares(spreads)
    scores = [choice for choice in classic.GAME.choices(state) if isinstance(choice, Score)]
    after = [GAME.fill(sheet, state.dice, choice.box) for choice in scores]
    found: dict[Choice, float] = dict(zip(scores, _chances_with_sheets(after, share), strict=True))
    if state.roll < ROLLS_PER_TURN:
        keeps = keep_worth(_chance_by_hand(sheet, share), ROLLS_PER_TURN - state.roll)
        found |= weighed_keeps(keeps, state.dice)
    return found


def _chances_with_sheets(sheets: Sequence[Sheet], share: Floats) -> list[float]:
    """The chance to win with each of several sheets that have equally many boxes open."""
    if not sheets[0].open:
        return [float(share[sheet.total]) for sheet in sheets]
    each = {(_equivalent_sheet(sheet), sheet.total): sheet for sheet in sheets}
    hands = np.stack([_chance_by_hand(sheet, share) for sheet in each.values()], axis=1)
    found = dict(zip(each, keep_worth(hands, ROLLS_PER_TURN)[KEEP_INDEX[()]].tolist(), strict=True))
    return [found[_equivalent_sheet(sheet), sheet.total] for sheet in sheets]


def _chance_by_hand(sheet: Sheet, share: Floats) -> Floats:
    """(252,) the chance to win when a hand is scored in the best box."""
    hands, after = zip(*hand_uses(_equivalent_sheet(sheet)), strict=True)
    extra = sheet.total - _equivalent_sheet(sheet).total
    return best_use_worth(zip(hands, _chances_with_sheets(after, share[extra:]), strict=True))


def _spread_of_totals(sheet: Sheet, stays: bool) -> Floats:
    """(1600,) the chance of each final total of another player; one who has left scores no more."""
    found = np.zeros(_DISTINCT_TOTALS)
    more = _spread_to_come(_equivalent_sheet(sheet)) if stays else np.ones(1)
    found[sheet.total : sheet.total + len(more)] = more
    return found


@lru_cache(maxsize=2048)
def _spread_to_come(sheet: Sheet) -> Floats:
    """The chance of each number of points that a sheet will still bring in play for points."""
    if not sheet.open:
        return np.ones(1)
    every = hand_uses(sheet)
    worth, use = np.full(len(HANDS), -np.inf), np.zeros(len(HANDS), np.intp)
    for number, (index, after) in enumerate(every):
        better = index[expected_total(after) > worth[index]]
        worth[better], use[better] = expected_total(after), number
    found = np.zeros(_DISTINCT_TOTALS)
    chances = np.bincount(use, final_hand_chances(worth, ROLLS_PER_TURN))
    for chance, (_, after) in zip(chances, every, strict=False):
        if chance:
            more, gained = _spread_to_come(_equivalent_sheet(after)), after.total - sheet.total
            found[gained : gained + len(more)] += chance * more
    return np.trim_zeros(found, "b")


@lru_cache(maxsize=4096)
def _equivalent_sheet(sheet: Sheet) -> Sheet:
    """A sheet with the same points still to come, and nothing scored but what they depend on."""
    held = [None if points is None else 0 for points in sheet.boxes]
    held[Box.FIVE_ALIKE] = sheet.boxes[Box.FIVE_ALIKE]
    if sheet.open & (1 << UPPER_BOXES) - 1 and 0 in held[:UPPER_BOXES]:
        held[held.index(0)] = min(sheet.upper, UPPER_BONUS_FROM)
    return Sheet(tuple(held), sheet.open)
