"""The rules of a game with a sheet of boxes as tables: what is legal, what it scores, what follows.

No rule is repeated here. Positions are set up with `position`, dice arrive as `Rolled`, and
`choices`, `preview` and `apply` are called. What the tables assume is checked along the way, and a
`TableError` says where it does not hold:

- What is legal depends only on the open boxes, the special boxes and the dice: tabulated in full,
  on sheets whose filled boxes hold the least they can.
- What a box scores depends only on the special boxes, which of the *telling* boxes are open, and
  the dice, wherever it is legal: read once for each, and compared in a sample of other positions.
- A box is special if its points make a difference while it is the only one that is filled, and
  telling if being filled does.
- Any part of a hand may be kept before the last roll.
- The upper section counts only through its sum, and of that no more than 63 matters: its bonus is
  read from full sheets of every sum.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from games.boxes import UPPER_BOXES, BoxGame, BoxSheet, BoxState, Score
from games.strategy.boxes.values import UPPER_SUMS, Special
from games.strategy.turn import HANDS, KEEPS
from games.values import Choice, Keep, Rolled

_COMPARE_EVERY = 29
"""Scores are compared with the tables at one in this many positions; coprime to the 252 hands."""

_MOST_VARIANTS = 64
"""Tables of more than that many variants would not fit into the memory of a small computer."""


class TableError(RuntimeError):
    """The rules do not have the form that the tables rest on."""


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The rules as arrays, by the number of what the special boxes hold.

    Attributes:
        special: the special boxes.
        telling: the telling boxes, as bits. A *variant* is a number of what the special boxes hold
            with which of these are open.
        variants: the numbers of the variants.
        most_upper: the most points in each box of the upper section.
        legal: (special, masks, 252) uint32; bit b is set where box b is legal, by the mask of open
            boxes (bit b for box b), and the hand; 0 for a mask that cannot be reached.
        points: (variants, boxes, 252) what a box scores, the upper bonus left out.
        upper: (variants, boxes, 252) by how much the upper sum grows.
        after: (variants, boxes, 252) the number of what the special boxes hold afterwards.
        bonus: (64,) the upper bonus by upper sum: by how much the total exceeds the boxes.
    """

    special: Special
    telling: int
    variants: Mapping[tuple[int, int], int]
    most_upper: tuple[int, ...]
    legal: NDArray[np.uint32]
    points: NDArray[np.int64]
    upper: NDArray[np.int64]
    after: NDArray[np.int64]
    bonus: NDArray[np.int64]

    def variant(self, number: int, mask: int) -> int:
        """The number of the variant, by that of what the special boxes hold and the open boxes."""
        return self.variants[number, mask & self.telling]


def tabulate(game: BoxGame[Any], masks: int | None = None) -> Table:
    """Tabulates the rules; takes half a minute for thirteen boxes.

    Args:
        game: the game.
        masks: only positions whose open boxes are among these; by default all that can be reached.

    Raises:
        TableError: the rules do not have the form described above.
    """
    return _Tabulating(game).tabulate((1 << len(game.boxes)) - 1 if masks is None else masks)


class _Tabulating:
    def __init__(self, game: BoxGame[Any]) -> None:
        self._game = game
        scores = np.array([game.box_scores(hand) for hand in HANDS])
        self._lowest = [int(least) for least in scores.min(axis=0)]
        """The least that a filled box can hold."""
        self._possible = [sorted({0, *map(int, column)}) for column in scores.T]
        boxes = len(game.boxes)
        special, telling = self._find_special()
        variants = dict[tuple[int, int], int]()
        for number in range(special.size):
            for mask in special.masks(number).tolist():
                variants.setdefault((number, mask & telling), len(variants))
        if len(variants) > _MOST_VARIANTS:
            raise TableError(f"scores depend on too much: {special}, filled boxes {telling:b}")
        shape = (len(variants), boxes, len(HANDS))
        most = tuple(int(points) for points in scores.max(axis=0)[:UPPER_BOXES])
        self._table = Table(
            special,
            telling,
            variants,
            most,
            np.zeros((special.size, 1 << boxes, len(HANDS)), np.uint32),
            np.full(shape, -1),
            np.zeros(shape, np.int64),
            np.zeros(shape, np.int64),
            self._upper_bonus(sum(most)),
        )

    def tabulate(self, masks: int) -> Table:
        self._check_keeps()
        rolled = [Rolled(hand) for hand in HANDS]
        special = self._table.special
        visits = 0
        reached = {masks}
        for number in range(special.size):
            read: dict[tuple[int, int], int] = {}
            # What follows has fewer open boxes, and so a smaller mask.
            for mask in reversed(special.masks(number).tolist()):
                if mask not in reached or not mask:
                    continue
                before = self._turn(number, mask)
                row = []
                for hand, event in enumerate(rolled):
                    state = self._game.apply(before, event)
                    boxes = _boxes(self._game.choices(state))
                    row.append(boxes)
                    visits += 1
                    at = self._table.variant(number, mask), hand
                    if boxes & ~read.get(at, 0) or boxes != mask or visits % _COMPARE_EVERY == 0:
                        self._read_scores(*at, state)
                        read[at] = read.get(at, 0) | boxes
                self._table.legal[number, mask] = row
                used = reduce(or_, row)
                reached |= {mask & ~(1 << box) for box in range(special.boxes) if used >> box & 1}
        return self._table

    def _sheet(self, boxes: Sequence[int | None]) -> BoxSheet:
        return type(self._game.empty_sheet).of(boxes)

    def _state(self, sheet: BoxSheet, **what: Any) -> BoxState[Any]:
        game = self._game
        state: BoxState[Any] = game.state(("A",), (sheet,), **what, house=game.house)
        return cast(BoxState[Any], game.position(state))

    def _turn(self, number: int, mask: int) -> BoxState[Any]:
        """The start of a turn with these boxes open and the least in the others."""
        boxes = [None if mask >> box & 1 else least for box, least in enumerate(self._lowest)]
        for box, points in self._table.special.filled(number):
            boxes[box] = points
        return self._state(self._sheet(boxes))

    def _find_special(self) -> tuple[Special, int]:
        """The special boxes, outside the upper section, and the telling ones as bits."""
        found = []
        telling = 0
        numbers = 1
        for box in range(len(self._game.boxes)):
            first = self._with_one(box, 0)
            telling |= (self._with_one(box, None) != first) << box
            kinds = {first: 0}
            if box < UPPER_BOXES:
                continue
            for points in self._possible[box]:
                number = kinds.setdefault(self._with_one(box, points), len(kinds))
                if number:
                    found.append((box, points, number * numbers))
            numbers *= len(kinds)
        return Special(len(self._game.boxes), tuple(found)), telling

    def _with_one(self, box: int, points: int | None) -> tuple[int, ...]:
        """What is legal and scores but for a box, by hand, on a sheet with no other one filled."""
        boxes: list[int | None] = [None] * len(self._game.boxes)
        boxes[box] = points
        sheet = self._sheet(boxes)
        before = sheet.total
        found = []
        for hand in HANDS:
            legal = self._game.legal(sheet, hand) & ~(1 << box)
            found.append(legal)
            for other in range(len(boxes)):
                if legal >> other & 1:
                    found.append(self._game.fill(sheet, hand, other).total - before)
        return tuple(found)

    def _read_scores(self, variant: int, hand: int, state: BoxState[Any]) -> None:
        """Reads what the legal boxes score, or compares it with what was read before."""
        game, table = self._game, self._table
        total, upper_sum = game.scores(state)[0], state.sheets[0].upper
        for choice in game.choices(state):
            if not isinstance(choice, Score):
                continue
            preview = game.preview(state, choice)
            after = game.apply(state, choice)
            points = game.scores(after)[0] - total
            if preview is None or preview.points != points:
                raise TableError(
                    f"{choice} scores {points} but the preview tells {preview}: {state}"
                )
            upper = after.sheets[0].upper - upper_sum
            held = table.special.number(after.sheets[0].boxes)
            at = variant, choice.box, hand
            if table.points[at] < 0:
                table.points[at], table.upper[at], table.after[at] = points, upper, held
            elif (table.points[at], table.upper[at], table.after[at]) != (points, upper, held):
                raise TableError(f"{choice} scores otherwise than elsewhere: {state}")

    def _upper_bonus(self, most: int) -> NDArray[np.int64]:
        """By how much full sheets exceed the sum of their boxes, by upper sum."""
        bonus = [self._above(total) for total in range(most + 1)]
        if any(above != bonus[UPPER_SUMS - 1] for above in bonus[UPPER_SUMS:]):
            raise TableError(f"an upper sum above {UPPER_SUMS - 1} matters: {bonus}")
        return np.array(bonus[:UPPER_SUMS])

    def _above(self, total: int) -> int:
        boxes = list(self._lowest)
        for box in reversed(range(UPPER_BOXES)):
            boxes[box] = max(points for points in self._possible[box] if points <= total)
            total -= boxes[box]
        state = self._state(self._sheet(boxes), held=None)
        return self._game.scores(state)[0] - sum(boxes)

    def _check_keeps(self) -> None:
        """Makes sure that before the last roll any part of a hand may be kept, and none after."""
        game = self._game
        for hand in HANDS:
            state = game.apply(self._state(game.empty_sheet), Rolled(hand))
            for _ in range(2):
                kept = {
                    tuple(hand[slot] for slot in choice.slots)
                    for choice in game.choices(state)
                    if isinstance(choice, Keep)
                }
                parts = {keep for keep in KEEPS[: -len(HANDS)] if _within(keep, hand)}
                if kept != parts:
                    raise TableError(f"of {hand} {sorted(parts ^ kept)} may not be kept: {state}")
                state = game.apply(game.apply(state, Keep(())), Rolled(hand))
            if any(isinstance(choice, Keep) for choice in game.choices(state)):
                raise TableError(f"there is a fourth roll: {state}")


def _boxes(choices: Sequence[Choice]) -> int:
    found = 0
    for choice in choices:
        if type(choice) is Score:
            found |= 1 << choice.box
    return found


def _within(keep: tuple[int, ...], hand: tuple[int, ...]) -> bool:
    return all(keep.count(face) <= hand.count(face) for face in set(keep))
