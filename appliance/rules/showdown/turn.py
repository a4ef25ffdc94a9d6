"""How a turn of Showdown goes: where the pawn lands, what a roll may be used for, what follows."""

from collections.abc import Iterator
from dataclasses import replace

from appliance.rules.dice import five_alike
from appliance.rules.game import Points
from appliance.rules.showdown.cards import CHIP, FULL, Card, made, stacks
from appliance.rules.showdown.state import SPACES, Place, Raise, Stack, State, Step, Take, is_wild

Use = Place | Take | Raise
"""What a roll can be used for."""


def next_empty(state: State, space: int) -> int:
    """The space itself if a card may be placed there, else the next such one clockwise.

    There is one as long as a card is off the board: there is a diamond space for each card.
    """
    taken = {stack.space for stack in state.cards if stack is not None}
    ring = ((space + step) % SPACES for step in range(SPACES))
    return next(s for s in ring if not is_wild(s) and s not in taken)


def move(state: State, origin: int, red: int) -> State:
    """The state after the red die showed `red` for a pawn on `origin`.

    Black dice on the table stay as they are when a correction moves the pawn: where it stands
    matters only once a roll is used. But on a card of one's own none can have been thrown yet.
    """
    space = (origin + red) % SPACES
    moved = replace(state, pawns=_put(state.pawns, state.seat, space), red=red, origin=origin)
    landing = landing_step(moved)
    if landing is not Step.ROLL:
        return replace(moved, step=landing, roll=0, dice=(), held=())
    return replace(moved, step=Step.USE if state.step is Step.USE else Step.ROLL)


def landing_step(state: State) -> Step:
    """What follows on landing where the pawn of the seat to move stands.

    On one's own card the player moves on, or may choose to stay where it can hold more chips.
    Everywhere else the black dice are rolled.
    """
    card = state.card_at(state.pawns[state.seat])
    stack = None if card is None else state.cards[card]
    if card is None or stack is None or stack.seat != state.seat:
        return Step.ROLL
    return Step.LANDED if card.is_number and stack.chips < FULL[card] else Step.MOVE


def uses(state: State) -> Iterator[Use]:
    """What the roll on the table may be used for, in the order of the cards."""
    return (use for card in Card if (use := use_of(state, card)) is not None)


def use_of(state: State, card: Card) -> Use | None:
    """What the roll on the table may be used for with this card; None for nothing.

    Five alike places any card or takes any that another player has. Otherwise the dice must make
    the card, and the pawn must be where it can be reached: from a Wild corner every card can, from
    an empty space those off the board, from a card that one.
    """
    five = five_alike(state.dice)
    chips = made(state.dice)[card]
    if not (five or chips):
        return None
    space = state.pawns[state.seat]
    stack = state.cards[card]
    if stack is None:
        return Place(card) if five or state.card_at(space) is None else None
    reached = is_wild(space) or stack.space == space
    if stack.seat == state.seat:
        return Raise(card) if reached and chips > stack.chips else None
    return Take(card) if five or (reached and chips >= stack.chips) else None


def gain(state: State, use: Use) -> Points:
    """By how much a use of the roll makes the player's points grow, and why."""
    card = Card(use.card)
    chips = stacks(state.dice)[card]
    stack = state.cards[card]
    before = stack.chips if stack is not None else 0
    points = CHIP * (chips - before if isinstance(use, Raise) else chips)
    if five_alike(state.dice) and not isinstance(use, Raise):
        return Points(points, "FIVE ALIKE")
    if isinstance(use, Place):
        return Points(points, "PLACE")
    if not card.is_number:
        return Points(points, "TAKE")
    return Points(points, f"{'BEATS' if chips > before else 'MEETS'} {before}")


def apply_use(state: State, use: Use) -> State:
    """The state after the roll was used: card, chips and pawn in place, and the turn gone on.

    In the Showdown round another move follows a card that was taken (and, by the house rule, a
    raise); everything else ends the turn.
    """
    card, seat = Card(use.card), state.seat
    stack = state.cards[card]
    space = next_empty(state, state.pawns[seat]) if stack is None else stack.space
    chips = stacks(state.dice)[card]
    cards = (*state.cards[:card], Stack(space, seat, chips), *state.cards[card + 1 :])
    after = replace(state, cards=cards, pawns=_put(state.pawns, seat, space))
    goes_on = isinstance(use, Take) or (isinstance(use, Raise) and state.raise_continues)
    return move_again(after) if state.in_showdown and goes_on else end_turn(after)


def move_again(state: State) -> State:
    """The state when the same player throws the red die next."""
    return replace(state, step=Step.MOVE, red=0, origin=0, roll=0, dice=(), held=())


def end_turn(state: State) -> State:
    """The state after the turn; the turn that places the last card begins the Showdown round."""
    turns = state.turns + 1
    end = state.end
    if end is None and None not in state.cards:
        end = turns + len(state.players)
    after = replace(move_again(state), turns=turns, end=end)
    return replace(after, step=Step.OVER) if turns == end else after


def _put(spaces: tuple[int, ...], seat: int, space: int) -> tuple[int, ...]:
    return (*spaces[:seat], space, *spaces[seat + 1 :])
