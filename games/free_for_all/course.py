"""The course of a turn of Free for All: what a roll is used for, what that brings, who is next."""

from collections.abc import Iterator
from dataclasses import replace

from games import checks
from games import values as rules
from games.dice import five_alike
from games.free_for_all.cards import Card, beats, makes, strength
from games.free_for_all.deck import CENTRE_SPACES
from games.free_for_all.state import (
    Home,
    Lying,
    State,
    Steal,
    Step,
    Take,
    TakeFive,
    TurnUp,
)
from games.seats import without_player

Use = Take | Steal | TakeFive | rules.Pass
"""A use of the roll, which ends the turn."""


def uses_of_roll(state: State) -> Iterator[Use]:
    """Everything that the roll can be used for: centre, homes, five alike, and a pass."""
    for space, card in enumerate(state.centre):
        if card is not None and makes(state.dice, card.kind):
            yield Take(space, card)
    others = ((seat, homes) for seat, homes in enumerate(state.homes) if seat != state.seat)
    for seat, homes in others:
        for home, lying in enumerate(homes):
            if lying is not None and beats(state.dice, lying.dice, lying.card.kind):
                yield Steal(seat, home, lying.card)
    if state.apart and five_alike(state.dice):
        worths = sorted({card.points for card in state.apart}, reverse=True)
        yield from [TakeFive(worth) for worth in worths] if len(worths) > 1 else [TakeFive()]
    yield rules.Pass()


def five_card(state: State, use: TakeFive) -> Card:
    """The card that is taken from those apart."""
    return next(card for card in state.apart if use.points in (0, card.points))


def points_of_use(state: State, use: Use) -> rules.Points:
    """The points of a use if its card is banked, chips included, and what it is up against.

    The card of a turn that ends the game is never banked.
    """
    over = ends_game(state, use)
    if isinstance(use, Take):
        chips = state.chips[use.space]
        if over:
            return rules.Points(chips, "ends-game")
        return rules.Points(use.card.points + chips, f"chips +{chips}" if chips else "")
    if over:
        return rules.Points(0, "ends-game")
    if isinstance(use, Steal):
        lying = state.homes[use.seat][use.home]
        against = strength(lying.dice, lying.card.kind) if lying is not None else 0
        return rules.Points(use.card.points, f"beats {against}")
    if isinstance(use, TakeFive):
        return rules.Points(five_card(state, use).points)
    useful = any(not isinstance(other, rules.Pass) for other in uses_of_roll(state))
    return rules.Points(0, "" if useful else "bust")


def ends_game(state: State, use: Use) -> bool:
    """True if this turn ends the game."""
    return not state.deck if isinstance(use, Take) else state.pile < CENTRE_SPACES


def apply_use(state: State, use: Use) -> State:
    """The state after a legal use of the roll."""
    over = ends_game(state, use)
    if isinstance(use, Take):
        state = _with_card_at_home(state, use.card)
        centre = checks.with_item(state.centre, use.space, None)
        chips = checks.with_item(state.chips, use.space, 0)
        had = state.banked_chips[state.seat] + state.chips[use.space]
        banked = checks.with_item(state.banked_chips, state.seat, had)
        step = Step.OVER if over else Step.TURN_UP
        return replace(state, centre=centre, chips=chips, banked_chips=banked, step=step)
    if isinstance(use, Steal):
        robbed = checks.with_item(state.homes[use.seat], use.home, None)
        state = replace(state, homes=checks.with_item(state.homes, use.seat, robbed))
        state = _with_card_at_home(state, use.card)
    elif isinstance(use, TakeFive):
        card = five_card(state, use)
        state = _with_card_at_home(replace(state, apart=_without_card(state.apart, card)), card)
    if over:
        return replace(state, step=Step.OVER)
    return _next_turn(replace(state, chips=tuple(n + 1 for n in state.chips)))


def _without_card(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """The cards without one card equal to this one."""
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def _with_card_at_home(state: State, card: Card) -> State:
    """The state with the card on the player's first free home space, with the dice as they lie."""
    mine = state.homes[state.seat]
    mine = checks.with_item(mine, mine.index(None), Lying(card, state.dice))
    return replace(state, homes=checks.with_item(state.homes, state.seat, mine))


def turn_up_card(state: State, event: TurnUp) -> State:
    """The state after a card from the deck has come to the centre."""
    state = replace(
        state,
        deck=_without_card(state.deck, event.card),
        centre=checks.with_item(state.centre, state.centre.index(None), event.card),
    )
    if None in state.centre:
        return state
    # Without dice on the table it was the last card of the set-up.
    return _next_turn(state) if state.dice else begin_turn(state)


def _next_turn(state: State) -> State:
    turns = state.turns + state.to_next(state.seat)
    return begin_turn(replace(state, turns=turns, roll=0, dice=(), held=()))


def after_leaving(state: State, event: rules.Left) -> State:
    """The state after a player has left: the cards at home stay there, and may be stolen."""
    state = without_player(state, event, now=state.step not in (Step.TURN_UP, Step.OVER))
    if len(state.stay) == 1:
        return replace(state, step=Step.OVER, roll=0, dice=(), held=())
    # A turn that is cut short puts no chips under the cards.
    return _next_turn(state) if event.seat == state.seat else state


def begin_turn(state: State) -> State:
    """The start of a turn: a card at home is banked; with several, the player must choose."""
    homes = state.homes[state.seat]
    lying = [home for home, card in enumerate(homes) if card is not None]
    if state.late and len(lying) < len(homes):
        return replace(state, step=Step.ROLL)
    if len(lying) > 1:
        return replace(state, step=Step.BANK)
    return bank_card(state, lying[0]) if lying else replace(state, step=Step.ROLL)


def bank_card(state: State, home: int) -> State:
    """The state after the card on a home space of the player is banked."""
    mine: Home = state.homes[state.seat]
    lying = mine[home]
    cards = state.banked[state.seat]
    if lying is not None:
        cards = tuple(sorted((*cards, lying.card)))
    return replace(
        state,
        homes=checks.with_item(state.homes, state.seat, checks.with_item(mine, home, None)),
        banked=checks.with_item(state.banked, state.seat, cards),
        step=Step.ROLL,
    )
