"""What Free for All asks for, what may be answered, and the state after it."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from appliance.rules.dice import FIVE
from appliance.rules.free_for_all.state import (
    ROLLS,
    Bank,
    Pass,
    State,
    Steal,
    Step,
    Take,
    TakeFive,
    TurnUp,
)
from appliance.rules.free_for_all.turn import apply_use, bank, bankable, turned_up, uses, worth
from appliance.rules.game import (
    Ask,
    Choice,
    Choose,
    Corrected,
    Die,
    Draw,
    Event,
    IllegalEvent,
    Keep,
    Points,
    Rolled,
    Throw,
)
from appliance.rules.holding import keeps, thrown_by

_KEEPS = keeps(FIVE)
_THROWN = thrown_by(FIVE)


def ask(state: State) -> Ask | None:
    """A card from the deck, a choice, a throw, or None when the game is over."""
    if state.step is Step.ROLL:
        return _throw(state.seat, state.held, state.roll + 1)
    if state.step is Step.USE:
        return Choose(state.seat, state.roll, ROLLS, "TAKE")
    if state.step is Step.BANK:
        return Choose(state.seat, purpose="BANK")
    if state.step is Step.OVER:
        return None
    if state.virtual:
        lots = tuple(TurnUp(card) for card in state.deck)
        return Draw(state.seat, purpose="NEW CARD", lots=lots)
    return Choose(state.seat, purpose="NEW CARD")


@lru_cache(maxsize=128)
def _throw(seat: int, held: tuple[int, ...], roll: int) -> Throw:
    return Throw(seat, tuple(Die(slot) for slot in _THROWN[held]), roll, ROLLS)


def choices(state: State) -> Sequence[Choice]:
    """What the roll may be used for, then, before roll 3, what may be kept.

    When a card comes up, every different card that is left in the deck; at the start of a turn
    with several cards at home, these.
    """
    if state.step is Step.USE:
        again = _KEEPS if state.roll < ROLLS else ()
        return (*uses(state), *again)
    if state.step is Step.BANK:
        return tuple(bankable(state))
    if state.step is Step.TURN_UP:
        return tuple(TurnUp(card) for card in dict.fromkeys(state.deck))
    return ()


def preview(state: State, choice: Choice) -> Points | None:
    """What a card is worth, with the chips that come with it, and why; None for a `Keep`.

    The points of a card count once it is banked, those of the chips at once.

    Raises:
        IllegalEvent: for a choice that is not legal now.
    """
    _check_choice(state, choice)
    if isinstance(choice, Take | Steal | TakeFive | Pass):
        return worth(state, choice)
    if isinstance(choice, Bank | TurnUp):
        return Points(choice.card.points)
    return None


def apply(state: State, event: Event) -> State:
    """The state after an event.

    Raises:
        IllegalEvent: for one that the rules do not allow now; says what was expected.
    """
    if isinstance(event, Rolled):
        return _rolled(state, event)
    if isinstance(event, Corrected):
        return _corrected(state, event)
    _check_choice(state, event)
    if isinstance(event, Keep):
        return replace(state, step=Step.ROLL, held=event.slots)
    if isinstance(event, Take | Steal | TakeFive | Pass):
        return apply_use(state, event)
    if isinstance(event, Bank):
        return bank(state, event.home)
    if isinstance(event, TurnUp):
        return turned_up(state, event)
    raise _refusal(state, event)


def _rolled(state: State, event: Rolled) -> State:
    if state.step is not Step.ROLL:
        raise _refusal(state, event)
    slots = _THROWN[state.held]
    numbers: list[int] = []
    for face in event.faces:
        # Not isinstance: True must not pass for a 1.
        if type(face) is not int or not 1 <= face <= 6:
            raise _refusal(state, event)
        numbers.append(face)
    if len(numbers) != len(slots):
        raise _refusal(state, event)
    thrown = dict(zip(slots, numbers, strict=True))
    dice = tuple(thrown[s] if s in thrown else state.dice[s] for s in range(FIVE))
    return replace(state, step=Step.USE, roll=state.roll + 1, dice=dice, held=())


def _corrected(state: State, event: Corrected) -> State:
    slot, face = event.slot, event.face
    if type(slot) is not int or not 0 <= slot < FIVE:
        raise IllegalEvent(f"expected a slot from 0 to {FIVE - 1}, got {slot!r}")
    if type(face) is not int or not 1 <= face <= 6:
        raise IllegalEvent(f"expected a face from 1 to 6, got {face!r}")
    if state.step is not Step.USE:
        raise _refusal(state, event)
    return replace(state, dice=(*state.dice[:slot], face, *state.dice[slot + 1 :]))


def _check_choice(state: State, choice: Event) -> None:
    if isinstance(choice, Keep):
        legal = state.step is Step.USE and state.roll < ROLLS and choice.slots in _THROWN
    elif state.step is Step.USE:
        legal = choice in tuple(uses(state))
    else:
        legal = choice in choices(state)
    if not legal:
        raise _refusal(state, choice)


def _refusal(state: State, event: Event) -> IllegalEvent:
    """The error for an event that is not legal now."""
    now = ask(state)
    if now is None:
        expected = "nothing, for the game is over"
    elif isinstance(now, Throw):
        expected = f"{len(now.dice)} faces from 1 to 6, thrown by {state.players[now.seat]}"
    else:
        labels = [choice.label for choice in choices(state) if not isinstance(choice, Keep)]
        or_hold = " or a hold of four dice at most" if 0 < state.roll < ROLLS else ""
        who = "drawn" if isinstance(now, Draw) else f"chosen by {state.players[now.seat]}"
        expected = f"one of {', '.join(labels)}{or_hold}, {who}"
    return IllegalEvent(f"expected {expected}; got {event!r}")
