"""The dice of Hold'em that lie on the table, and their corrections."""

from dataclasses import replace

from appliance.rules.dice import FACES
from appliance.rules.game import Corrected, DieKind, Face, IllegalEvent, Recoloured, ShownDie
from appliance.rules.holdem.course import showed, taker
from appliance.rules.holdem.evaluator import is_bag_die, surplus
from appliance.rules.holdem.state import COMMUNITY, LYING, POCKET, Stage, State

SHOWING = tuple(range(COMMUNITY, COMMUNITY + POCKET))
"""The slots of the pocket dice of the seat that shows them."""


def showing(state: State) -> int | None:
    """The seat whose pocket dice lie open beside the community dice, or are to; None for none."""
    if state.stage is Stage.SHOWDOWN:
        return state.order[0]
    return taker(state) if state.stage is Stage.PAY else None


def on_table(state: State) -> tuple[ShownDie | None, ...]:
    """The dice on the table by slot; None for those that are to be thrown or shown."""
    lying = state.community[: LYING.get(state.stage, COMMUNITY) - state.due]
    missing = (None,) * (COMMUNITY - len(lying))
    seat = showing(state)
    pocket = None if seat is None else state.pockets[seat]
    if state.stage is Stage.SHOWDOWN:
        return (*lying, *missing, *(pocket or (None,) * POCKET))
    return (*lying, *missing, *(pocket or ()))


def dice(state: State) -> tuple[Face | None, ...]:
    """The faces by slot: the community dice, and at the showdown the pocket that is shown."""
    return tuple(die.face if die else None for die in on_table(state))


def kinds(state: State) -> tuple[DieKind | None, ...]:
    """The colours by slot, as `dice` has the faces."""
    return tuple(die.kind if die else None for die in on_table(state))


def held(state: State) -> tuple[int, ...]:
    """The slots that lie on the table while others are to be thrown or shown."""
    lying = on_table(state)
    if state.due or (state.stage is Stage.SHOWDOWN and None in lying):
        return tuple(slot for slot, die in enumerate(lying) if die)
    return ()


def possible(state: State) -> State:
    """The state, if the bag has all the dice that it shows.

    Raises:
        IllegalEvent: naming the colour of which there are too many.
    """
    lying = [die for some in (state.community, *state.pockets) if some for die in some]
    if kind := surplus(lying):
        raise IllegalEvent(
            f"expected at most five {kind} dice, as in the bag, but now there are more: "
            "put the colours of the dice on the table right"
        )
    return state


def corrected(state: State, event: Corrected | Recoloured) -> State:
    """The state with a die of the table put right: a community die, or of the pocket shown.

    Raises:
        IllegalEvent: for a slot without a die, and for a face or colour that is not in the bag.
    """
    slot = event.slot
    seat = showing(state)
    pocket = None if seat is None else state.pockets[seat]
    if type(slot) is int and 0 <= slot < len(state.community):
        community = list(state.community)
        community[slot] = _right(community[slot], event)
        return possible(replace(state, community=tuple(community)))
    if type(slot) is int and slot in SHOWING and seat is not None and pocket:
        first, second = pocket
        if slot == SHOWING[0]:
            first = _right(first, event)
        else:
            second = _right(second, event)
        return possible(showed(state, seat, (first, second)))
    raise IllegalEvent(f"expected the slot of a die that lies open, got {event!r}")


def _right(die: ShownDie, event: Corrected | Recoloured) -> ShownDie:
    face = event.face if isinstance(event, Corrected) else die.face
    kind = event.kind if isinstance(event, Recoloured) else die.kind
    if type(face) is int:
        right = ShownDie(kind, face)
        if is_bag_die(right):
            return right
    raise IllegalEvent(f"expected a face from {FACES[0]} to {FACES[-1]} or a colour, got {event!r}")
