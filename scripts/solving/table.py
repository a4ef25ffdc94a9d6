"""The rules of Classic as tables: which boxes are legal, what they score, what follows.

No rule is repeated here. Positions are set up with `classic.position`, dice arrive as `Rolled`, and
`choices`, `preview` and `apply` are called. What the tables assume is checked along the way, and a
`TableError` says where it does not hold:

- What is legal depends only on the open boxes, the five-alike box and the dice: tabulated in full,
  on sheets whose filled boxes hold the least they can.
- What a box scores depends only on the five-alike box and the dice, wherever it is legal: read once
  for each, and compared in a sample of other positions.
- Any part of a hand may be kept before the last roll.
- The upper section counts only through its sum, and of that no more than 63 matters: its bonus is
  read from full sheets of every sum.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from games import classic
from games.boxes import Score
from games.classic import Box, Sheet, State
from games.strategy.classic.values import (
    BOXES,
    FIFTY,
    FIVE_ALIKE_SCORES,
    OPEN,
    OPEN_MASKS,
    UPPER_SUMS,
    ZERO,
    five_alike_state,
)
from games.strategy.turn import HANDS, KEEPS
from games.values import Choice, Keep, Rolled

_LOWEST = tuple(5 if box is Box.CHANCE else 0 for box in Box)
"""The least that a filled box can hold."""
_COMPARE_EVERY = 29
"""Scores are compared with the tables at one in this many positions; coprime to the 252 hands."""


class TableError(RuntimeError):
    """The rules do not have the form that the tables rest on."""


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The rules as arrays.

    Attributes:
        legal: (3, 8192, 252) uint16; bit b is set where box b is legal, by what the five-alike box
            holds, the mask of open boxes (bit b for box b), and the hand.
        points: (3, 13, 252) what a box scores, five-alike bonus included, upper bonus not.
        upper: (3, 13, 252) by how much the upper sum grows.
        fifty: (3, 13, 252) what the five-alike box holds afterwards.
        bonus: (64,) the upper bonus by upper sum: by how much the total exceeds the boxes.
    """

    legal: NDArray[np.uint16]
    points: NDArray[np.int64]
    upper: NDArray[np.int64]
    fifty: NDArray[np.int8]
    bonus: NDArray[np.int64]


def tabulate(masks: int = OPEN_MASKS - 1) -> Table:
    """Tabulates the rules; takes about half a minute.

    Args:
        masks: only positions whose open boxes are among these; the rest is left empty.

    Raises:
        TableError: the rules do not have the form described above.
    """
    _check_keeps()
    shape = (3, BOXES, len(HANDS))
    table = Table(
        np.zeros((3, OPEN_MASKS, len(HANDS)), np.uint16),
        np.full(shape, -1),
        np.zeros(shape, np.int64),
        np.zeros(shape, np.int8),
        _upper_bonus(),
    )
    rolled = [Rolled(hand) for hand in HANDS]
    read = [[0] * len(HANDS) for _ in FIVE_ALIKE_SCORES]
    visits = 0
    for fifty, mask in product((OPEN, ZERO, FIFTY), range(1, OPEN_MASKS)):
        if mask & ~masks or (fifty == OPEN) != bool(mask >> Box.FIVE_ALIKE & 1):
            continue
        before = _turn(fifty, mask)
        row = []
        for hand, event in enumerate(rolled):
            state = classic.GAME.apply(before, event)
            boxes = _boxes(classic.GAME.choices(state))
            row.append(boxes)
            visits += 1
            if boxes & ~read[fifty][hand] or boxes != mask or visits % _COMPARE_EVERY == 0:
                _read_scores(table, fifty, hand, state)
                read[fifty][hand] |= boxes
        table.legal[fifty, mask] = row
    return table


def _turn(fifty: int, mask: int) -> State:
    """The start of a turn with these boxes open and the least in the others."""
    boxes = [None if mask >> box & 1 else _LOWEST[box] for box in Box]
    boxes[Box.FIVE_ALIKE] = FIVE_ALIKE_SCORES[fifty]
    return classic.GAME.position(State(("A",), (Sheet.of(boxes),)))


def _boxes(choices: Sequence[Choice]) -> int:
    found = 0
    for choice in choices:
        if type(choice) is Score:
            found |= 1 << choice.box
    return found


def _read_scores(table: Table, fifty: int, hand: int, state: State) -> None:
    """Reads what the legal boxes score, or compares it with what was read before."""
    total, upper_sum = classic.GAME.scores(state)[0], state.sheets[0].upper
    for choice in classic.GAME.choices(state):
        if not isinstance(choice, Score):
            continue
        preview = classic.GAME.preview(state, choice)
        after = classic.GAME.apply(state, choice)
        points = classic.GAME.scores(after)[0] - total
        if preview is None or preview.points != points:
            raise TableError(f"{choice} scores {points} but the preview tells {preview}: {state}")
        upper = after.sheets[0].upper - upper_sum
        held = five_alike_state(after.sheets[0])
        at = fifty, choice.box, hand
        if table.points[at] < 0:
            table.points[at], table.upper[at], table.fifty[at] = points, upper, held
        elif (table.points[at], table.upper[at], table.fifty[at]) != (points, upper, held):
            raise TableError(f"{choice} scores otherwise than elsewhere: {state}")


def _upper_bonus() -> NDArray[np.int64]:
    """By how much full sheets exceed the sum of their boxes, by upper sum."""
    bonus = [_above(total) for total in range(105 + 1)]
    if any(above != bonus[UPPER_SUMS - 1] for above in bonus[UPPER_SUMS:]):
        raise TableError(f"an upper sum above {UPPER_SUMS - 1} matters: {bonus}")
    return np.array(bonus[:UPPER_SUMS])


def _above(total: int) -> int:
    boxes = list(_LOWEST)
    for box in range(Box.SIXES, -1, -1):
        boxes[box] = min(total // (box + 1), 5) * (box + 1)
        total -= boxes[box]
    state = classic.GAME.position(State(("A",), (Sheet.of(boxes),), held=None))
    return classic.GAME.scores(state)[0] - sum(boxes)


def _check_keeps() -> None:
    """Makes sure that before the last roll any part of a hand may be kept, and none after it."""
    for hand in HANDS:
        state = classic.GAME.apply(_turn(OPEN, OPEN_MASKS - 1), Rolled(hand))
        for _ in range(2):
            kept = {
                tuple(hand[slot] for slot in choice.slots)
                for choice in classic.GAME.choices(state)
                if isinstance(choice, Keep)
            }
            parts = {keep for keep in KEEPS[: -len(HANDS)] if _within(keep, hand)}
            if kept != parts:
                raise TableError(f"of {hand} {sorted(parts ^ kept)} may not be kept: {state}")
            state = classic.GAME.apply(classic.GAME.apply(state, Keep(())), Rolled(hand))
        if any(isinstance(choice, Keep) for choice in classic.GAME.choices(state)):
            raise TableError(f"there is a fourth roll: {state}")


def _within(keep: tuple[int, ...], hand: tuple[int, ...]) -> bool:
    return all(keep.count(face) <= hand.count(face) for face in set(keep))
