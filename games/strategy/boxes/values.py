"""The worth of every position of a sheet of boxes between two turns, in a file of about a MB.

Between turns three things matter: the open boxes, the upper sum up to what earns the bonus, and the
*special* boxes, whose points change what dice can score elsewhere; which these are is found out by
whoever makes the file (`scripts/solve_boxes.py`). A position is worth the best expected number of
points still to come, the upper bonus among them until it is earned.

Values are rounded to steps, as many to a point as fit into 16 bits, and so wrong by at most half a
step. A turn ends with one value: play by them gives away at most one step in each turn, less than
0.07 points in a game of fifteen boxes. Rows are positions (special points, open boxes), columns
upper sums. Stored are the differences between columns and between rows, low and high bytes
separately, which packs well. Upper sums that a row cannot have repeat the highest it can.

Values by house rules are in the same file, as differences from those by the usual rules: where the
boxes that they change are filled, there is none. Positions that cannot be reached have none, too.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.boxes import UPPER_BONUS_FROM, BoxGame, BoxSheet, House, house_words

UPPER_SUMS = UPPER_BONUS_FROM + 1
"""Upper sums 0 to 63; the last stands for all above it, too."""
_BITS_PER_BYTE = 8
_MOST = (1 << 2 * _BITS_PER_BYTE) - 1
_NAMES = ("low", "high", "steps_per_point", "special")


@dataclass(frozen=True, slots=True)
class Special:
    """The boxes whose points change what dice can score elsewhere.

    Attributes:
        boxes: how many boxes a sheet has.
        points: such a box, points in it, and what they add to the number of the position; points
            that are not listed are like a zero, and add nothing.
    """

    boxes: int
    points: tuple[tuple[int, int, int], ...] = ()

    @property
    def size(self) -> int:
        """How many numbers there are, from 0."""
        most = dict[int, int]()
        for box, _, number in self.points:
            most[box] = max(most.get(box, 0), number)
        return 1 + sum(most.values())

    def number(self, boxes: Sequence[int | None]) -> int:
        """The number of what the special boxes of a sheet hold; 0 for nothing special."""
        return sum(number for box, points, number in self.points if boxes[box] == points)

    def filled(self, number: int) -> tuple[tuple[int, int], ...]:
        """The boxes that hold something special, with their points, by the number."""
        found: list[tuple[int, int]] = []
        for box, points, value in sorted(self.points, key=lambda point: -point[2]):
            if value <= number and box not in dict(found):
                found.append((box, points))
                number -= value
        return tuple(found)

    def masks(self, number: int) -> NDArray[np.intp]:
        """The masks of open boxes that positions of this number can have, ascending."""
        closed = sum(1 << box for box, _ in self.filled(number))
        return np.array([mask for mask in range(1 << self.boxes) if not mask & closed])


@dataclass(frozen=True, slots=True, eq=False)
class Values:
    """The values of a game.

    Attributes:
        special: the special boxes.
        steps_per_point: in how many steps a point is divided.
        steps: (special, masks, 64) the values in steps.
    """

    special: Special
    steps_per_point: int
    steps: NDArray[np.uint16]

    def to_come(self, sheet: BoxSheet) -> float:
        """The expected points that are still to come on a sheet before its next turn."""
        at = self.special.number(sheet.boxes), sheet.open, min(sheet.upper, UPPER_SUMS - 1)
        return int(self.steps[at]) / self.steps_per_point


def values_file(game: BoxGame[Any]) -> Path:
    """Where the values of a game are: beside the module that has its state."""
    module = sys.modules[game.state.__module__]
    assert module.__file__ is not None
    return Path(module.__file__).with_name(f"{game.name.replace('-', '_')}_values.npz")


def load_values(game: BoxGame[Any]) -> Values | None:
    """The values of a game by its house rules, from its file, a few MB; None if it has none."""
    file = values_file(game)
    if not file.exists():
        return None
    with np.load(file) as arrays:
        usual = _arrays_of(arrays, ())
        found = _arrays_of(arrays, game.house)
    if not usual or not found:
        return None
    values = unpack(len(game.boxes), **usual)
    return by_house(values, unpack(len(game.boxes), **found)) if game.house else values


def by_house(usual: Values, differences: Values) -> Values:
    """The values by house rules, from those by the usual rules and the differences."""
    return replace(usual, steps=usual.steps + differences.steps)


def save_values(game: BoxGame[Any], arrays: Mapping[str, NDArray[Any]]) -> Path:
    """Writes the arrays of `pack` to the game's file, beside those by other house rules.

    Returns:
        the file.
    """
    file = values_file(game)
    kept: dict[str, NDArray[Any]] = {}
    # Without the usual values nothing tells what the others differ from.
    if game.house:
        with np.load(file) as before:
            kept = dict(before)
    kept |= {_member(name, game.house): array for name, array in arrays.items()}
    # Equal values give equal bytes.
    np.savez_compressed(file, allow_pickle=False, **dict(sorted(kept.items())))
    return file


def _member(name: str, house: House) -> str:
    return f"{house_words(house)}/{name}" if house else name


def _arrays_of(arrays: Mapping[str, NDArray[Any]], house: House) -> dict[str, NDArray[Any]]:
    named = {name: _member(name, house) for name in _NAMES}
    return {name: arrays[member] for name, member in named.items() if member in arrays}


def pack(
    values: NDArray[np.float64],
    special: Special,
    most_upper: Sequence[int],
    usual: Values | None = None,
) -> dict[str, NDArray[Any]]:
    """The arrays of the file.

    Args:
        values: (special, masks, 64) points to come; NaN where a position cannot be reached.
        special: the special boxes.
        most_upper: the most points in each box of the upper section.
        usual: the values by the usual rules, where these are by house rules.
    """
    numbers = range(special.size)
    masks = [special.masks(number) for number in numbers]
    rows = np.concatenate([values[number, masks[number]] for number in numbers])
    for row, mask in zip(rows, np.concatenate(masks), strict=True):
        highest = sum(most for box, most in enumerate(most_upper) if not mask >> box & 1)
        row[highest + 1 :] = row[min(highest, UPPER_SUMS - 1)]
    # A multiple of 8, so that whole and half points are whole steps.
    lowest, highest_value = np.nanmin(rows), np.nanmax(rows)
    steps_per_point = usual.steps_per_point if usual else int(_MOST / highest_value) // 8 * 8
    if lowest < 0 or not 0 < steps_per_point <= _MOST / highest_value:
        most = _MOST // (usual.steps_per_point if usual else 8)
        raise ValueError(f"expected values from 0 to {most}, got {lowest} to {highest_value}")
    steps = np.round(np.nan_to_num(rows) * steps_per_point).astype(np.uint16)
    if usual:
        if usual.special != special:
            raise ValueError(f"expected {usual.special} as by the usual rules, got {special}")
        before = np.concatenate([usual.steps[number, masks[number]] for number in numbers])
        steps = np.where(np.isnan(rows), np.uint16(0), steps - before)
    # Differences wrap around in 16 bits, and so do the sums that undo them.
    columns = np.diff(steps, axis=1, prepend=np.uint16(0))
    columns[:, 0] = np.diff(steps[:, 0], prepend=np.uint16(0))
    flat = np.ascontiguousarray(columns.T)
    return {
        "low": flat.astype(np.uint8),
        "high": (flat >> _BITS_PER_BYTE).astype(np.uint8),
        "steps_per_point": np.array(steps_per_point),
        "special": np.array(special.points, np.int64).reshape(-1, 3),
    }


def unpack(
    boxes: int,
    low: NDArray[np.uint8],
    high: NDArray[np.uint8],
    steps_per_point: NDArray[np.int64],
    special: NDArray[np.int64],
) -> Values:
    """The values of a sheet of so many boxes, from the arrays of `pack`; or their differences."""
    listed = Special(boxes, tuple((int(b), int(p), int(n)) for b, p, n in special))
    # In place: each copy is a megabyte.
    columns = high.astype(np.uint16)
    columns <<= _BITS_PER_BYTE
    columns |= low
    np.cumsum(columns[0], out=columns[0])
    rows = np.cumsum(columns, axis=0, out=columns).T
    steps = np.zeros((listed.size, 1 << boxes, UPPER_SUMS), np.uint16)
    first = 0
    for number in range(listed.size):
        masks = listed.masks(number)
        steps[number, masks] = rows[first : first + len(masks)]
        first += len(masks)
    return Values(listed, int(steps_per_point), steps)
