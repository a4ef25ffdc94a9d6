"""What Showdown asks for, what may be answered, and the state after it."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from appliance.rules.dice import FIVE
from appliance.rules.game import (
    Ask,
    Choice,
    Choose,
    Corrected,
    Die,
    DieKind,
    Event,
    Face,
    IllegalEvent,
    Keep,
    Points,
    Rolled,
    Throw,
)
from appliance.rules.holding import keeps, thrown_by
from appliance.rules.showdown import turn as showdown_turn
from appliance.rules.showdown.cards import CARDS, Card
from appliance.rules.showdown.state import (
    RED_SLOT,
    ROLLS,
    MoveOn,
    Pass,
    Place,
    Raise,
    State,
    Stay,
    Step,
    Take,
    is_wild,
)

_KEEPS = keeps(FIVE)
_THROWN = thrown_by(FIVE)
_ON_LANDING = (MoveOn(), Stay())


def ask(state: State) -> Ask | None:
    """A throw, a choice, or None when the Showdown round is over."""
    if state.step is Step.MOVE:
        return Throw(state.seat, (Die(RED_SLOT, DieKind.RED),), purpose="RED DIE")
    if state.step is Step.LANDED:
        return Choose(state.seat, purpose="OWN CARD")
    if state.step is Step.ROLL:
        return _throw(state.seat, state.held, state.roll + 1, _purpose(state))
    if state.step is Step.USE:
        return Choose(state.seat, state.roll, ROLLS, _purpose(state))
    return None


@lru_cache(maxsize=128)
def _throw(seat: int, held: tuple[int, ...], roll: int, purpose: str) -> Throw:
    return Throw(seat, tuple(Die(slot) for slot in _THROWN[held]), roll, ROLLS, purpose)


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


def choices(state: State) -> Sequence[Choice]:
    """What the roll may be used for, a pass, then, before roll 3, what may be kept.

    On a card of one's own before the roll: to move on or to stay.
    """
    if state.step is Step.LANDED:
        return _ON_LANDING
    if state.step is not Step.USE:
        return ()
    again = _KEEPS if state.roll < ROLLS else ()
    return (*showdown_turn.uses(state), Pass(), *again)


def preview(state: State, choice: Choice) -> Points | None:
    """By how much a choice makes the player's points grow, and why; None for a `Keep`.

    Raises:
        IllegalEvent: for a choice that is not legal now.
    """
    _check_choice(state, choice)
    if isinstance(choice, Keep):
        return None
    if isinstance(choice, Place | Take | Raise):
        return showdown_turn.gain(state, choice)
    if isinstance(choice, MoveOn):
        return Points(0, "RED DIE")
    if isinstance(choice, Stay):
        card = state.card_at(state.pawns[state.seat])
        stack = None if card is None else state.cards[card]
        return Points(0, f"BEAT {stack.chips}" if stack else "")
    return Points(0)


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
        return _on_table(state, Step.ROLL, state.roll, state.dice, event.slots)
    if isinstance(event, Place | Take | Raise):
        return showdown_turn.apply_use(state, event)
    if isinstance(event, MoveOn):
        return showdown_turn.move_again(state)
    if isinstance(event, Stay):
        return _on_table(state, Step.ROLL, 0, (), ())
    return showdown_turn.end_turn(state)


def _on_table(
    state: State, step: Step, roll: int, dice: tuple[int, ...], held: tuple[int, ...]
) -> State:
    return replace(state, step=step, roll=roll, dice=dice, held=held)


def _rolled(state: State, event: Rolled) -> State:
    if state.step is Step.MOVE:
        if len(event.faces) != 1:
            raise _refusal(state, event)
        (red,) = _numbers(state, event, event.faces)
        return showdown_turn.move(state, state.pawns[state.seat], red)
    if state.step is not Step.ROLL:
        raise _refusal(state, event)
    slots = _THROWN[state.held]
    if len(event.faces) != len(slots):
        raise _refusal(state, event)
    faces = dict(zip(slots, _numbers(state, event, event.faces), strict=True))
    thrown = tuple(faces[slot] if slot in faces else state.dice[slot] for slot in range(FIVE))
    return _on_table(state, Step.USE, state.roll + 1, thrown, ())


def _numbers(state: State, event: Event, faces: Sequence[Face]) -> tuple[int, ...]:
    numbers: list[int] = []
    for face in faces:
        # Not isinstance: True must not pass for a 1.
        if type(face) is not int or not 1 <= face <= 6:
            raise _refusal(state, event)
        numbers.append(face)
    return tuple(numbers)


def _corrected(state: State, event: Corrected) -> State:
    slot, face = event.slot, event.face
    if type(slot) is not int or not 0 <= slot <= RED_SLOT:
        raise IllegalEvent(f"expected a slot from 0 to {RED_SLOT}, got {slot!r}")
    if type(face) is not int or not 1 <= face <= 6:
        raise IllegalEvent(f"expected a face from 1 to 6, got {face!r}")
    if slot == RED_SLOT and state.red:
        # A correction that changes nothing must not take back a choice to stay.
        return state if face == state.red else showdown_turn.move(state, state.origin, face)
    if slot != RED_SLOT and state.step is Step.USE:
        dice = (*state.dice[:slot], face, *state.dice[slot + 1 :])
        return replace(state, dice=dice)
    raise _refusal(state, event)


def _check_choice(state: State, choice: Event) -> None:
    if state.step is Step.LANDED and isinstance(choice, MoveOn | Stay):
        return
    if state.step is Step.USE:
        if isinstance(choice, Pass):
            return
        if isinstance(choice, Keep) and state.roll < ROLLS and choice.slots in _THROWN:
            return
        if (
            isinstance(choice, Place | Take | Raise)
            and isinstance(choice.card, int)
            and 0 <= choice.card < CARDS
            and choice == showdown_turn.use_of(state, Card(choice.card))
        ):
            return
    raise _refusal(state, choice)


def _refusal(state: State, event: Event) -> IllegalEvent:
    """The error for an event that is not legal now."""
    now = ask(state)
    if now is None:
        expected = "nothing, for the game is over"
    elif isinstance(now, Throw):
        count = len(now.dice)
        what = "the red die" if state.step is Step.MOVE else f"{count} black dice"
        expected = f"faces from 1 to 6 of {what}, thrown by {state.players[now.seat]}"
    else:
        labels = [_told(choice) for choice in choices(state) if not isinstance(choice, Keep)]
        or_hold = " or a hold of four dice at most" if 0 < state.roll < ROLLS else ""
        expected = f"{', '.join(labels)}{or_hold}, chosen by {state.players[now.seat]}"
    return IllegalEvent(f"expected {expected}; got {event!r}")


def _told(choice: Choice) -> str:
    verb = f"{type(choice).__name__.upper()} " if isinstance(choice, Place | Take | Raise) else ""
    return f"{verb}{choice.label}"
