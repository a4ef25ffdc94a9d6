"""Hints for Free for All: exact expectation over the rest of the turn.

All throws that are left are enumerated. What a turn brings is the change of the player's points
(cards banked, chips, cards at home by `worth`) less the mean change of the others': to
steal is to gain a card and to deny it. What the cards and chips in the centre will bring later is
left out.
"""

from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from appliance.rules.free_for_all import game as free_for_all
from appliance.rules.free_for_all.game import Bank, Lying, Pass, State, Steal, Step, Take, TakeFive
from appliance.rules.free_for_all.play import Use, ends_game, five_card, uses
from appliance.rules.free_for_all.state import ROLLS
from appliance.rules.game import Choice, Choose, Draw, Hint, Measure
from appliance.strategy.free_for_all.worth import home
from appliance.strategy.turn import HANDS, best_of, keep_worth, weighed_keeps

MEASURE = Measure.GAIN


def hint(state: State) -> Hint | None:
    """The choice that brings most; None while a card must be turned up, which nobody chooses."""
    return best_of(weigh(state), MEASURE)


def weigh(state: State) -> dict[Choice, float]:
    """What each choice brings; empty where nobody chooses."""
    asked = free_for_all.ask(state)
    if not isinstance(asked, Choose) or isinstance(asked, Draw) or state.step is Step.TURN_UP:
        return {}
    found: dict[Choice, float] = {}
    for choice in free_for_all.choices(state):
        if isinstance(choice, Take | Steal | TakeFive | Pass):
            found[choice] = _used(state, choice)
        elif isinstance(choice, Bank):
            found[choice] = _banked(state, choice)
    if state.step is Step.USE and state.roll < ROLLS:
        hands = _hands(replace(state, dice=(), roll=0))
        found |= weighed_keeps(keep_worth(hands, ROLLS - state.roll), state.dice)
    return found


def _cards(state: State, seat: int, but: int | None = None) -> tuple[Lying, ...]:
    """The cards at home of a seat, without the one on the space `but`."""
    homes = enumerate(state.homes[seat])
    return tuple(lying for home, lying in homes if lying is not None and home != but)


def _banked(state: State, bank: Bank) -> float:
    """What banking a card brings: its points, and the others that wait for their turn."""
    cards = _cards(state, state.seat)
    rest = _cards(state, state.seat, bank.home)
    others = len(state.players) - 1
    return bank.card.points + home(rest, others, state) - home(cards, others, state)


def _used(state: State, use: Use) -> float:
    """What a use of the roll on the table brings."""
    seats = len(state.players)
    seat, others = state.seat, seats - 1
    mine = _cards(state, seat)
    before = home(mine, others, state)
    if ends_game(state, use):
        # Nothing at home counts any more, for nobody.
        theirs = sum(
            home(_cards(state, other), (other - seat - 1) % seats, state)
            for other in range(seats)
            if other != seat
        )
        chips = state.chips[use.space] if isinstance(use, Take) else 0
        return chips - before + theirs / others
    if isinstance(use, Pass):
        return 0.0
    if isinstance(use, Take):
        return state.chips[use.space] + _with(state, mine, Lying(use.card, state.dice)) - before
    if isinstance(use, TakeFive):
        return _with(state, mine, Lying(five_card(state, use), state.dice)) - before
    robbed = _cards(state, use.seat)
    left = _cards(state, use.seat, use.home)
    until = (use.seat - seat - 1) % seats
    denied = home(robbed, until, state) - home(left, until, state)
    return _with(state, mine, Lying(use.card, state.dice)) - before + denied / others


def _with(state: State, cards: tuple[Lying, ...], card: Lying) -> float:
    return home((*cards, card), len(state.players) - 1, state)


@lru_cache(maxsize=16)
def _hands(state: State) -> NDArray[np.float64]:
    """(252,) what each hand brings when it is used in the best way."""
    worth = np.empty(len(HANDS))
    for index, hand in enumerate(HANDS):
        rolled = replace(state, dice=hand)
        worth[index] = max(_used(rolled, use) for use in uses(rolled))
    return worth
