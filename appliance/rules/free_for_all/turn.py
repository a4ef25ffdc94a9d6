"""What a roll can be used for in Free for All, and how a turn ends and the next begins."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar

from appliance.rules.dice import five_alike
from appliance.rules.free_for_all.cards import Card, beats, makes, strength
from appliance.rules.free_for_all.deck import CENTRE
from appliance.rules.free_for_all.state import (
    Bank,
    Home,
    Lying,
    Pass,
    State,
    Steal,
    Step,
    Take,
    TakeFive,
    TurnUp,
)
from appliance.rules.game import Points

T = TypeVar("T")

Use = Take | Steal | TakeFive | Pass
"""What ends a turn."""


def uses(state: State) -> Iterator[Use]:
    """Everything that the roll can be used for: centre, homes, five alike, and a pass."""
    for space, card in enumerate(state.centre):
        if card is not None and makes(state.dice, card.kind):
            yield Take(space, card)
    for seat, homes in enumerate(state.homes):
        for home, lying in enumerate(homes):
            if seat != state.seat and lying is not None and _beaten(state, lying):
                yield Steal(seat, home, lying.card)
    if state.apart and five_alike(state.dice):
        yield TakeFive()
    yield Pass()


def _beaten(state: State, lying: Lying) -> bool:
    return beats(state.dice, lying.dice, lying.card.kind)


def worth(state: State, use: Use) -> Points:
    """What a use brings if its card is banked, chips included, and what it is up against.

    The card of a turn that ends the game is never banked.
    """
    over = ends_game(state, use)
    if isinstance(use, Take):
        chips = state.chips[use.space]
        if over:
            return Points(chips, "ENDS GAME")
        return Points(use.card.points + chips, f"CHIPS +{chips}" if chips else "")
    if over:
        return Points(0, "ENDS GAME")
    if isinstance(use, Steal):
        lying = state.homes[use.seat][use.home]
        against = strength(lying.dice, lying.card.kind) if lying is not None else 0
        return Points(use.card.points, f"BEATS {against}")
    if isinstance(use, TakeFive):
        return Points(state.apart[0].points)
    return Points(0, "" if any(not isinstance(u, Pass) for u in uses(state)) else "BUST")


def ends_game(state: State, use: Use) -> bool:
    """Whether the game is over with this turn."""
    return not state.deck if isinstance(use, Take) else state.pile < CENTRE


def apply_use(state: State, use: Use) -> State:
    """The state after a legal use of the roll."""
    over = ends_game(state, use)
    if isinstance(use, Take):
        state = _brought_home(state, use.card)
        return replace(
            state,
            centre=_put(state.centre, use.space, None),
            chips=_put(state.chips, use.space, 0),
            banked_chips=_put(
                state.banked_chips,
                state.seat,
                state.banked_chips[state.seat] + state.chips[use.space],
            ),
            step=Step.OVER if over else Step.TURN_UP,
        )
    if isinstance(use, Steal):
        robbed = _put(state.homes[use.seat], use.home, None)
        state = replace(state, homes=_put(state.homes, use.seat, robbed))
        state = _brought_home(state, use.card)
    elif isinstance(use, TakeFive):
        state = _brought_home(replace(state, apart=state.apart[1:]), state.apart[0])
    if over:
        return replace(state, step=Step.OVER)
    chips = tuple(n + 1 for n in state.chips)
    return _next_turn(replace(state, chips=chips, pile=state.pile - CENTRE))


def _brought_home(state: State, card: Card) -> State:
    """The card on the first free home space of the player, with the dice as they lie."""
    mine = state.homes[state.seat]
    mine = _put(mine, mine.index(None), Lying(card, state.dice))
    return replace(state, homes=_put(state.homes, state.seat, mine))


def turned_up(state: State, event: TurnUp) -> State:
    """The state after a card from the deck has come to the centre."""
    at = state.deck.index(event.card)
    state = replace(
        state,
        deck=state.deck[:at] + state.deck[at + 1 :],
        centre=_put(state.centre, state.centre.index(None), event.card),
    )
    if None in state.centre:
        return state
    # Without dice on the table it was the last card of the set-up.
    return _next_turn(state) if state.dice else begin_turn(state)


def _next_turn(state: State) -> State:
    return begin_turn(replace(state, turns=state.turns + 1, roll=0, dice=(), held=()))


def begin_turn(state: State) -> State:
    """The start of a turn: a card at home is banked, with several the player must choose."""
    lying = [home for home, card in enumerate(state.homes[state.seat]) if card is not None]
    if len(lying) > 1:
        return replace(state, step=Step.BANK)
    return bank(state, lying[0]) if lying else replace(state, step=Step.ROLL)


def bank(state: State, home: int) -> State:
    """The state after the card on a home space of the player is banked."""
    mine: Home = state.homes[state.seat]
    lying = mine[home]
    cards = state.banked[state.seat]
    if lying is not None:
        cards = tuple(sorted((*cards, lying.card)))
    return replace(
        state,
        homes=_put(state.homes, state.seat, _put(mine, home, None)),
        banked=_put(state.banked, state.seat, cards),
        step=Step.ROLL,
    )


def bankable(state: State) -> Iterator[Bank]:
    """The cards at home, of which one is banked."""
    for home, lying in enumerate(state.homes[state.seat]):
        if lying is not None:
            yield Bank(home, lying.card)


def _put(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    return (*items[:at], item, *items[at + 1 :])
