"""How a turn of Free for All goes: what is asked for, what may be answered, the state after it.

It begins with banking, goes on to what a roll can be used for, and ends with a card turned up.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from appliance.rules import game as rules
from appliance.rules.checks import check_slot, numbers, put, refusal, right_number
from appliance.rules.dice import FIVE, KEEPS, THROWN, five_alike, rethrown, throw
from appliance.rules.free_for_all.cards import Card, beats, makes, strength
from appliance.rules.free_for_all.deck import CENTRE
from appliance.rules.free_for_all.state import (
    ROLLS,
    Bank,
    Home,
    Lying,
    State,
    Steal,
    Step,
    Take,
    TakeFive,
    TurnUp,
)
from appliance.rules.leaving import left

Use = Take | Steal | TakeFive | rules.Pass
"""What ends a turn."""


def uses(state: State) -> Iterator[Use]:
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


def worth(state: State, use: Use) -> rules.Points:
    """What a use brings if its card is banked, chips included, and what it is up against.

    The card of a turn that ends the game is never banked.
    """
    over = ends_game(state, use)
    if isinstance(use, Take):
        chips = state.chips[use.space]
        if over:
            return rules.Points(chips, "ENDS GAME")
        return rules.Points(use.card.points + chips, f"CHIPS +{chips}" if chips else "")
    if over:
        return rules.Points(0, "ENDS GAME")
    if isinstance(use, Steal):
        lying = state.homes[use.seat][use.home]
        against = strength(lying.dice, lying.card.kind) if lying is not None else 0
        return rules.Points(use.card.points, f"BEATS {against}")
    if isinstance(use, TakeFive):
        return rules.Points(five_card(state, use).points)
    return rules.Points(
        0, "" if any(not isinstance(u, rules.Pass) for u in uses(state)) else "BUST"
    )


def ends_game(state: State, use: Use) -> bool:
    """Whether the game is over with this turn."""
    return not state.deck if isinstance(use, Take) else state.pile < CENTRE


def apply_use(state: State, use: Use) -> State:
    """The state after a legal use of the roll."""
    over = ends_game(state, use)
    if isinstance(use, Take):
        state = _brought_home(state, use.card)
        centre, chips = put(state.centre, use.space, None), put(state.chips, use.space, 0)
        had = state.banked_chips[state.seat] + state.chips[use.space]
        banked = put(state.banked_chips, state.seat, had)
        step = Step.OVER if over else Step.TURN_UP
        return replace(state, centre=centre, chips=chips, banked_chips=banked, step=step)
    if isinstance(use, Steal):
        robbed = put(state.homes[use.seat], use.home, None)
        state = replace(state, homes=put(state.homes, use.seat, robbed))
        state = _brought_home(state, use.card)
    elif isinstance(use, TakeFive):
        card = five_card(state, use)
        state = _brought_home(replace(state, apart=_less(state.apart, card)), card)
    if over:
        return replace(state, step=Step.OVER)
    return _next_turn(replace(state, chips=tuple(n + 1 for n in state.chips)))


def _less(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """The cards without one of those that equal this one."""
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def _brought_home(state: State, card: Card) -> State:
    """The card on the first free home space of the player, with the dice as they lie."""
    mine = state.homes[state.seat]
    mine = put(mine, mine.index(None), Lying(card, state.dice))
    return replace(state, homes=put(state.homes, state.seat, mine))


def turned_up(state: State, event: TurnUp) -> State:
    """The state after a card from the deck has come to the centre."""
    state = replace(
        state,
        deck=_less(state.deck, event.card),
        centre=put(state.centre, state.centre.index(None), event.card),
    )
    if None in state.centre:
        return state
    # Without dice on the table it was the last card of the set-up.
    return _next_turn(state) if state.dice else begin_turn(state)


def _next_turn(state: State) -> State:
    turns = state.turns + state.to_next(state.seat)
    return begin_turn(replace(state, turns=turns, roll=0, dice=(), held=()))


def _without(state: State, event: rules.Left) -> State:
    """The state after a player has left: the cards at home stay there, and may be stolen."""
    state = left(state, event, now=state.step not in (Step.TURN_UP, Step.OVER))
    if len(state.stay) == 1:
        return replace(state, step=Step.OVER, roll=0, dice=(), held=())
    # A turn that is broken off puts no chips under the cards.
    return _next_turn(state) if event.seat == state.seat else state


def begin_turn(state: State) -> State:
    """The start of a turn: a card at home is banked, with several the player must choose."""
    homes = state.homes[state.seat]
    lying = [home for home, card in enumerate(homes) if card is not None]
    if state.late and len(lying) < len(homes):
        return replace(state, step=Step.ROLL)
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
        homes=put(state.homes, state.seat, put(mine, home, None)),
        banked=put(state.banked, state.seat, cards),
        step=Step.ROLL,
    )


def ask(state: State) -> rules.Ask | None:
    """A card from the deck, a choice, a throw, or None when the game is over."""
    if state.step is Step.ROLL:
        return throw(state.seat, state.held, state.roll + 1, ROLLS)
    if state.step is Step.USE:
        return rules.Choose(state.seat, state.roll, ROLLS, "TAKE")
    if state.step is Step.BANK:
        return rules.Choose(state.seat, purpose="BANK")
    if state.step is Step.OVER:
        return None
    if state.virtual:
        lots = tuple(TurnUp(card) for card in state.deck)
        return rules.Draw(state.seat, purpose="NEW CARD", lots=lots)
    return rules.Choose(state.seat, purpose="NEW CARD", reported=True)


def choices(state: State) -> Sequence[rules.Choice]:
    """What the roll may be used for, then, before roll 3, what may be kept.

    When a card comes up, every different card that is left in the deck; at the start of a turn
    with several cards at home, these.
    """
    if state.step is Step.USE:
        again = KEEPS if state.roll < ROLLS else ()
        return (*uses(state), *again)
    if state.step is Step.BANK:
        homes = enumerate(state.homes[state.seat])
        return tuple(Bank(home, lying.card) for home, lying in homes if lying is not None)
    if state.step is Step.TURN_UP:
        return tuple(TurnUp(card) for card in dict.fromkeys(state.deck))
    return ()


def preview(state: State, choice: rules.Choice) -> rules.Points | None:
    """What a card is worth, with the chips that come with it, and why; None for a `Keep`.

    The points of a card count once it is banked, those of the chips at once.
    """
    _check_choice(state, choice)
    if isinstance(choice, Take | Steal | TakeFive | rules.Pass):
        return worth(state, choice)
    if isinstance(choice, Bank | TurnUp):
        return rules.Points(choice.card.points)
    return None


def apply(state: State, event: rules.Event) -> State:
    """The state after an event."""
    if isinstance(event, rules.Rolled):
        return _rolled(state, event)
    if isinstance(event, rules.Corrected):
        return _corrected(state, event)
    if isinstance(event, rules.Left):
        return _without(state, event)
    _check_choice(state, event)
    if isinstance(event, rules.Keep):
        return replace(state, step=Step.ROLL, held=event.slots)
    if isinstance(event, Take | Steal | TakeFive | rules.Pass):
        return apply_use(state, event)
    if isinstance(event, Bank):
        return bank(state, event.home)
    if isinstance(event, TurnUp):
        return turned_up(state, event)
    raise _refusal(state, event)


def _rolled(state: State, event: rules.Rolled) -> State:
    found = numbers(event.faces, FIVE - len(state.held)) if state.step is Step.ROLL else None
    if found is None:
        raise _refusal(state, event)
    dice = rethrown(state.dice, state.held, found)
    return replace(state, step=Step.USE, roll=state.roll + 1, dice=dice, held=())


def _corrected(state: State, event: rules.Corrected) -> State:
    check_slot(event, FIVE)
    face = right_number(event)
    if state.step is not Step.USE:
        raise _refusal(state, event)
    return replace(state, dice=put(state.dice, event.slot, face))


def _check_choice(state: State, choice: rules.Event) -> None:
    if isinstance(choice, rules.Keep):
        legal = state.step is Step.USE and state.roll < ROLLS and choice.slots in THROWN
    elif state.step is Step.USE:
        # Records of before name no points where cards of different points lie apart.
        legal = choice in (found := tuple(uses(state))) or (
            choice == TakeFive() and any(isinstance(use, TakeFive) for use in found)
        )
    else:
        legal = choice in choices(state)
    if not legal:
        raise _refusal(state, choice)


def _refusal(state: State, event: rules.Event) -> rules.IllegalEvent:
    """The error for an event that is not legal now."""
    now = ask(state)
    expected = ""
    if isinstance(now, rules.Throw):
        expected = f"{len(now.dice)} faces from 1 to 6, thrown by {state.players[now.seat]}"
    elif now is not None:
        labels = [choice.label for choice in choices(state) if not isinstance(choice, rules.Keep)]
        or_hold = " or a hold of four dice at most" if 0 < state.roll < ROLLS else ""
        who = "drawn" if isinstance(now, rules.Draw) else f"chosen by {state.players[now.seat]}"
        expected = f"one of {', '.join(labels)}{or_hold}, {who}"
    return refusal(expected, event)
