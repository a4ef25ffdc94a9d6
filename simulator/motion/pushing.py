"""A hand that pushes or turns one die where it lies, or lays it elsewhere."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from simulator.motion.acts import Act, HandKey
from simulator.motion.placing import Place, draw_free_place
from simulator.motion.throwing import DiePath, DieToThrow, place_of_flat_die
from simulator.render.dice_model import DieBody, flat_die
from simulator.render.hand import HandPose

HAND_REACHES_DIE_S = 0.5
PUSH_DURATION_S = 0.2


def turned_about_vertical(die: DieBody, yaw: float) -> DieBody:
    """The die turned about the vertical by an angle in radians."""
    c, s = np.cos(yaw / 2), np.sin(yaw / 2)
    w, x, y, z = die.orientation
    # The quaternion (c, 0, 0, s) times the old one.
    turned = (
        float(c * w - s * z),
        float(c * x - s * y),
        float(c * y + s * x),
        float(c * z + s * w),
    )
    return replace(die, orientation=turned)


def lay_dice_apart(
    rng: np.random.Generator,
    dice: Sequence[DieToThrow],
    others: Mapping[int, DieBody],
    half: tuple[float, float],
    gap: float,
) -> list[DieBody]:
    """Dice laid flat in the tray, at least a gap in millimetres from one another and the wall.

    Args:
        rng: draws their places.
        dice: the dice to lay, in order.
        others: the dice that lie there already.
        half: half of the floor's width and depth.
        gap: between dice, millimetres.

    Raises:
        ValueError: the tray is too full.
    """
    taken = [place_of_flat_die(die) for die in others.values()]
    rests = []
    for die in dice:
        place: Place = draw_free_place(rng, half, taken, gap)
        taken.append(place)
        rests.append(flat_die(die.kind, die.face, place[:2], place[2], die.style))
    return rests


def plan_push(
    before: Mapping[int, DieBody], slot: int, rest: DieBody, start_s: float, outside: HandPose
) -> Act:
    """The act of a hand that moves one die to where it then rests.

    Args:
        before: the dice in the tray, by slot.
        slot: which of them the hand moves.
        rest: the same die as it lies at the end.
        start_s: when the hand starts to move in.
        outside: the hand before it moves in and after it has left.
    """
    die = before[slot]
    reach = start_s + HAND_REACHES_DIE_S
    share = np.linspace(0, 1, 13)[:, None]
    share = 1 - (1 - share) ** 2
    old, new = np.array(die.orientation), np.array(rest.orientation)
    new = new if float(old @ new) >= 0 else -new
    turning = old * (1 - share) + new * share
    path = DiePath(
        reach,
        PUSH_DURATION_S / 12,
        np.array(die.position) * (1 - share) + np.array(rest.position) * share,
        turning / np.linalg.norm(turning, axis=1, keepdims=True),
        rest,
    )
    places = ((body.position[0] + 25, body.position[1] + 85) for body in (die, rest))
    near, past = (replace(outside, place=place, height=10.0) for place in places)
    keys = (
        HandKey(start_s, outside),
        HandKey(reach, near),
        HandKey(reach + PUSH_DURATION_S, past),
        HandKey(reach + PUSH_DURATION_S + HAND_REACHES_DIE_S, outside),
    )
    after = {**before, slot: rest}
    return Act(
        start_s, keys[-1].time_s + 0.02, dict(before), after, {slot: path}, {slot: reach}, keys
    )
