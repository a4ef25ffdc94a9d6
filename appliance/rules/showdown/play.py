"""How a turn of Showdown goes: what is asked for, what may be answered, the state after it.

It begins where the pawn lands, goes on to what a roll may be used for, and ends with what follows.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from appliance.rules import game as rules
from appliance.rules.checks import check_slot, numbers, put, refusal, right_number
from appliance.rules.dice import FIVE, KEEPS, THROWN, five_alike, rethrown, throw
from appliance.rules.leaving import left
from appliance.rules.showdown.cards import CARDS, CHIP, FULL, Card, made, stacks
from appliance.rules.showdown.state import (
    RED_SLOT,
    ROLLS,
    SPACES,
    MoveOn,
    Place,
    Raise,
    Stack,
    State,
    Stay,
    Step,
    Take,
    is_wild,
)

_ON_LANDING = (MoveOn(), Stay())


def ask(state: State) -> rules.Ask | None:
    """A throw, a choice, or None when the Showdown round is over."""
    if state.step is Step.MOVE:
        return rules.Throw(state.seat, (rules.Die(RED_SLOT, rules.DieKind.RED),), purpose="RED DIE")
    if state.step is Step.LANDED:
        return rules.Choose(state.seat, purpose="OWN CARD")
    if state.step is Step.ROLL:
        return throw(state.seat, state.held, state.roll + 1, ROLLS, _purpose(state))
    if state.step is Step.USE:
        return rules.Choose(state.seat, state.roll, ROLLS, _purpose(state))
    return None


def _purpose(state: State) -> str:
    """What the black dice are rolled for."""
    space = state.pawns[state.seat]
    if is_wild(space):
        return "WILD"
    card = state.card_at(space)
    stack = None if card is None else state.cards[card]
    if stack is None:
        return "PLACE"
    return "RAISE" if stack.seat == state.seat else "TAKE"


def choices(state: State) -> Sequence[rules.Choice]:
    """What the roll may be used for, a pass, then, before roll 3, what may be kept.

    On a card of one's own before the roll: to move on or to stay.
    """
    if state.step is Step.LANDED:
        return _ON_LANDING
    if state.step is not Step.USE:
        return ()
    again = KEEPS if state.roll < ROLLS else ()
    return (*uses(state), rules.Pass(), *again)


def preview(state: State, choice: rules.Choice) -> rules.Points | None:
    """By how much a choice makes the player's points grow, and why; None for a `Keep`."""
    _check_choice(state, choice)
    if isinstance(choice, rules.Keep):
        return None
    if isinstance(choice, Place | Take | Raise):
        return gain(state, choice)
    if isinstance(choice, MoveOn):
        return rules.Points(0, "RED DIE")
    if isinstance(choice, Stay):
        card = state.card_at(state.pawns[state.seat])
        stack = None if card is None else state.cards[card]
        return rules.Points(0, f"BEAT {stack.chips}" if stack else "")
    return rules.Points(0)


def apply(state: State, event: rules.Event) -> State:
    """The state after an event."""
    if isinstance(event, rules.Rolled):
        return _rolled(state, event)
    if isinstance(event, rules.Corrected):
        return _corrected(state, event)
    if isinstance(event, rules.Left):
        gone = left(state, event, now=state.step is not Step.OVER)
        return end_turn(gone) if len(gone.stay) == 1 or event.seat == state.seat else gone
    _check_choice(state, event)
    if isinstance(event, rules.Keep):
        return replace(state, step=Step.ROLL, held=event.slots)
    if isinstance(event, Place | Take | Raise):
        return apply_use(state, event)
    if isinstance(event, MoveOn):
        return move_again(state)
    if isinstance(event, Stay):
        return replace(state, step=Step.ROLL, roll=0, dice=(), held=())
    return end_turn(state)


def _rolled(state: State, event: rules.Rolled) -> State:
    red = state.step is Step.MOVE
    count = 1 if red else FIVE - len(state.held)
    found = numbers(event.faces, count) if red or state.step is Step.ROLL else None
    if found is None:
        raise _refusal(state, event)
    if red:
        return move(state, state.pawns[state.seat], found[0])
    dice = rethrown(state.dice, state.held, found)
    return replace(state, step=Step.USE, roll=state.roll + 1, dice=dice, held=())


def _corrected(state: State, event: rules.Corrected) -> State:
    check_slot(event, RED_SLOT + 1)
    slot, face = event.slot, right_number(event)
    if slot == RED_SLOT and state.red:
        # A correction that changes nothing must not take back a choice to stay.
        return state if face == state.red else move(state, state.origin, face)
    if slot != RED_SLOT and state.step is Step.USE:
        return replace(state, dice=put(state.dice, slot, face))
    raise _refusal(state, event)


def _check_choice(state: State, choice: rules.Event) -> None:
    if state.step is Step.LANDED and isinstance(choice, MoveOn | Stay):
        return
    if state.step is Step.USE:
        if isinstance(choice, rules.Pass):
            return
        if isinstance(choice, rules.Keep) and state.roll < ROLLS and choice.slots in THROWN:
            return
        if (
            isinstance(choice, Place | Take | Raise)
            and isinstance(choice.card, int)
            and 0 <= choice.card < CARDS
            and choice == use_of(state, Card(choice.card))
        ):
            return
    raise _refusal(state, choice)


def _refusal(state: State, event: rules.Event) -> rules.IllegalEvent:
    """The error for an event that is not legal now."""
    now = ask(state)
    expected = ""
    if isinstance(now, rules.Throw):
        count = len(now.dice)
        what = "the red die" if state.step is Step.MOVE else f"{count} black dice"
        expected = f"faces from 1 to 6 of {what}, thrown by {state.players[now.seat]}"
    elif now is not None:
        labels = [_named(choice) for choice in choices(state) if not isinstance(choice, rules.Keep)]
        or_hold = " or a hold of four dice at most" if 0 < state.roll < ROLLS else ""
        expected = f"{', '.join(labels)}{or_hold}, chosen by {state.players[now.seat]}"
    return refusal(expected, event)


def _named(choice: rules.Choice) -> str:
    verb = f"{type(choice).__name__.upper()} " if isinstance(choice, Place | Take | Raise) else ""
    return f"{verb}{choice.label}"


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
    moved = replace(state, pawns=put(state.pawns, state.seat, space), red=red, origin=origin)
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


def use_of(state: State, card: Card, roll: tuple[int, ...] = ()) -> Use | None:
    """What a roll, else that on the table, may be used for with this card; None for nothing.

    Five alike places any card or takes any that another player has. Otherwise the dice must make
    the card, and the pawn must be where it can be reached: from a Wild corner every card can, from
    an empty space those off the board, from a card that one.
    """
    dice = roll or state.dice
    five, chips = five_alike(dice), made(dice)[card]
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


def gain(state: State, use: Use) -> rules.Points:
    """By how much a use of the roll makes the player's points grow, and why."""
    card = Card(use.card)
    chips = stacks(state.dice)[card]
    stack = state.cards[card]
    before = stack.chips if stack is not None else 0
    points = CHIP * (chips - before if isinstance(use, Raise) else chips)
    if five_alike(state.dice) and not isinstance(use, Raise):
        return rules.Points(points, "FIVE ALIKE")
    if isinstance(use, Place):
        return rules.Points(points, "PLACE")
    if not card.is_number:
        return rules.Points(points, "TAKE")
    return rules.Points(points, f"{'BEATS' if chips > before else 'MEETS'} {before}")


def apply_use(state: State, use: Use) -> State:
    """The state after the roll was used: card, chips and pawn in place, and the turn gone on.

    In the Showdown round another move follows a card that was taken (and, by the house rule, a
    raise); everything else ends the turn.
    """
    card, seat = Card(use.card), state.seat
    stack = state.cards[card]
    space = next_empty(state, state.pawns[seat]) if stack is None else stack.space
    chips = stacks(state.dice)[card]
    cards: tuple[Stack | None, ...] = put(state.cards, card, Stack(space, seat, chips))
    after = replace(state, cards=cards, pawns=put(state.pawns, seat, space))
    goes_on = isinstance(use, Take) or (isinstance(use, Raise) and state.raise_continues)
    return move_again(after) if state.in_showdown and goes_on else end_turn(after)


def move_again(state: State) -> State:
    """The state when the same player throws the red die next."""
    return replace(state, step=Step.MOVE, red=0, origin=0, roll=0, dice=(), held=())


def end_turn(state: State) -> State:
    """The state after the turn; the turn that places the last card begins the Showdown round.

    The turns of those who have left go by unplayed; the last one in has won.
    """
    turns = state.turns + 1
    end = state.end
    if end is None and None not in state.cards:
        end = turns + len(state.players)
    alone = len(state.stay) == 1
    after = replace(move_again(state), turns=turns, end=end)
    while after.seat in after.out and after.turns != end and not alone:
        after = replace(after, turns=after.turns + 1)
    return replace(after, step=Step.OVER) if alone or after.turns == end else after
