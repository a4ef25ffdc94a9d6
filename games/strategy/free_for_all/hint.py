"""Hints for Free for All: exact expectation over the rest of the turn.

All remaining throws are enumerated. What a turn brings is the change in the player's points (cards
banked, chips, cards at home by `worth`) less the mean change in the others': stealing a card both
gains it and denies it. What the cards and chips in the centre will bring later is left out.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from games import free_for_all
from games.free_for_all import course
from games.free_for_all.state import ROLLS_PER_TURN
from games.strategy.aims import Aim, aim_of
from games.strategy.free_for_all.worth import worth_of_home
from games.strategy.turn import HANDS, Floats, keep_worth, weighed_keeps
from games.values import Choice, Choose, Draw, Keep, Pass


def weigh(state: free_for_all.State, worth: "WorthOfUse | None" = None) -> dict[Choice, float]:
    """The gain of each choice, or its worth by another measure; empty where nobody chooses."""
    asked = free_for_all.GAME.ask(state)
    if (
        not isinstance(asked, Choose)
        or isinstance(asked, Draw)
        or state.step is free_for_all.Step.TURN_UP
    ):
        return {}
    worth_of = worth or gain_of_use
    found: dict[Choice, float] = {
        choice: worth_of(state, choice)
        for choice in free_for_all.GAME.choices(state)
        if isinstance(choice, course.Use | free_for_all.Bank)
    }
    if state.step is free_for_all.Step.USE and state.roll < ROLLS_PER_TURN:
        hands = _worth_by_hand(replace(state, dice=(), roll=0), worth_of)
        found |= weighed_keeps(keep_worth(hands, ROLLS_PER_TURN - state.roll), state.dice)
    return found


def worth_at_home(
    state: free_for_all.State,
    seat: int,
    more: tuple[free_for_all.Lying, ...] = (),
    but: int | None = None,
) -> float:
    """The worth of a seat's cards at home, with `more` cards or without the one on space `but`.

    Nothing if the player has left: nobody banks them.
    """
    if seat in state.out:
        return 0.0
    lying = [c for space, c in enumerate(state.homes[seat]) if c is not None and space != but]
    turns = _turns_until_next(state.seat, seat, state.stay, len(state.players))
    return worth_of_home((*lying, *more), turns, state)


@lru_cache(maxsize=256)
def _turns_until_next(mover: int, seat: int, stay: tuple[int, ...], seats: int) -> int:
    """The turns of others before a seat's next one."""
    before = range(1, (seat - mover) % seats or seats)
    return sum((mover + step) % seats in stay for step in before)


def gain_of_use(state: free_for_all.State, choice: course.Use | free_for_all.Bank) -> float:
    """The gain from banking a card, or from a use of the roll on the table."""
    seat = state.seat
    before = worth_at_home(state, seat)
    if isinstance(choice, free_for_all.Bank):
        return choice.card.points + worth_at_home(state, seat, but=choice.home) - before
    others = [other for other in state.stay if other != seat]
    chips = state.chips[choice.space] if isinstance(choice, free_for_all.Take) else 0
    if course.ends_game(state, choice):
        # Cards at home no longer count, for anybody.
        return chips - before + sum(worth_at_home(state, other) for other in others) / len(others)
    if isinstance(choice, Pass):
        return 0.0
    card = (
        course.five_card(state, choice)
        if isinstance(choice, free_for_all.TakeFive)
        else choice.card
    )
    gain = chips + worth_at_home(state, seat, (free_for_all.Lying(card, state.dice),)) - before
    if isinstance(choice, free_for_all.Steal):
        had = worth_at_home(state, choice.seat)
        has = worth_at_home(state, choice.seat, but=choice.home)
        gain += (had - has) / len(others)
    return gain


def aim(state: free_for_all.State, keep: Keep) -> str:
    """The card that dice are held for; empty where none is."""
    kept = [state.dice[slot] for slot in keep.slots]
    left = ROLLS_PER_TURN - state.roll
    return aim_of(kept, left, _aims(replace(state, dice=(), roll=0))) if kept else ""


@lru_cache(maxsize=16)
def _aims(state: free_for_all.State) -> Sequence[Aim]:
    """What each hand is best used for."""
    found = list[Aim]()
    for number, hand in enumerate(HANDS):
        rolled = replace(state, dice=hand)
        worth, use = max(
            ((gain_of_use(rolled, use), use) for use in course.uses_of_roll(rolled)),
            key=lambda pair: pair[0],
        )
        card = getattr(use, "card", None)
        kind = "five-alike" if isinstance(use, free_for_all.TakeFive) else ""
        found.append((card.kind.word if card else kind, number, worth, worth))
    return found


WorthOfUse = Callable[[free_for_all.State, course.Use | free_for_all.Bank], float]


@lru_cache(maxsize=16)
def _worth_by_hand(state: free_for_all.State, worth: WorthOfUse) -> Floats:
    """(252,) what each hand is worth when it is used in the best way."""
    rolled = (replace(state, dice=hand) for hand in HANDS)
    return np.array([max(worth(each, use) for use in course.uses_of_roll(each)) for each in rolled])
