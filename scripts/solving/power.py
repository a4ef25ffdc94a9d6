"""Best solo play of Power, by dynamic programming over all sheets.

Between turns three things matter: which upper slots are open, how many of each lower kind are
(scores fill a kind from one end, X's from the other), and the upper sum, to 300. The worth of each
sheet is the best expected number of points still to come, the bonus with them. A sheet is solved
from those with one or two slots less, all its sums at once. The rules are asked for every base; how
a turn goes is written here once more, for speed, and compared by the tests with how hints see it.

The loops are compiled by Numba, which only this needs (the extra `solve`).
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import product

import numpy as np
from numba import njit
from numpy.typing import NDArray

from appliance.rules.dice import FACES, FIVE, rolls
from appliance.rules.power.sheet import SLOTS_OF, UPPER, Kind, Sheet, Slot, base, upper_bonus
from appliance.strategy.turn import FIRST_HAND, HANDS, INDEX, KEEPS

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SUMS = 301
"""Sums of the upper section that differ: from 300 on, all bring the same bonus."""
CHUNK = 64
"""Sums that are solved together, so that all arrays of a turn stay in the processor's cache."""
LENGTH = 7 * CHUNK
"""Sums that are stored: behind 300 there is room for what the two halves of a Double can add."""
MASKS = 1 << UPPER
_LOWER_KINDS = tuple(kind for kind in Kind if SLOTS_OF[kind][0] >= UPPER)
_UPPER_POINTS = tuple(FIVE * 3 * number for number in (*FACES, FACES[-1]))


def _kinds() -> list[list[tuple[int, int]]]:
    """The states of each lower kind: from which of its slots to before which is open."""
    found = []
    for kind in _LOWER_KINDS:
        slots = len(SLOTS_OF[kind])
        if kind is Kind.FIVE_ALIKE:
            states = [(low, high) for low in range(slots) for high in range(low + 1, slots + 1)]
            found.append([(0, 0), *states])
        else:
            # The slots of any other kind are alike: how many are open is all.
            found.append([(0, high) for high in range(slots + 1)])
    return found


@dataclass(frozen=True, slots=True)
class Lower:
    """All states of the lower section.

    Attributes:
        open: (n,) how many slots are open.
        score: (n, 8) the state after a score of a kind, -1 where no slot is open.
        cross: (n, 8) the state after an X of a kind, the same.
        five: (n,) which slot five alike goes into, from 0.
    """

    open: Ints
    score: Ints
    cross: Ints
    five: Ints


def lower_states() -> tuple[Lower, dict[tuple[tuple[int, int], ...], int]]:
    """The states of the lower section, and where each of them stands."""
    every = list(product(*_kinds()))
    index = {state: at for at, state in enumerate(every)}
    size = (len(every), len(_LOWER_KINDS))
    score, cross = np.full(size, -1), np.full(size, -1)
    five_at = _LOWER_KINDS.index(Kind.FIVE_ALIKE)
    for at, state in enumerate(every):
        for kind, (low, high) in enumerate(state):
            if low == high:
                continue
            scored = (low + 1, high) if kind == five_at else (low, high - 1)
            for table, left in ((score, scored), (cross, (low, high - 1))):
                left = left if left[0] < left[1] else (0, 0)
                table[at, kind] = index[(*state[:kind], left, *state[kind + 1 :])]
    opened = np.array([sum(high - low for low, high in state) for state in every])
    five = np.array([state[five_at][0] for state in every])
    return Lower(opened, score, cross, five), index


LOWER, _LOWER_INDEX = lower_states()
STATES = len(LOWER.open)


def index_of(sheet: Sheet) -> tuple[int, int, int]:
    """Where a sheet stands: its upper mask, its lower state and its upper sum."""
    parts = []
    for kind in _LOWER_KINDS:
        slots = [i for i, slot in enumerate(SLOTS_OF[kind]) if sheet.open >> slot & 1]
        span = (slots[0], slots[-1] + 1) if slots else (0, 0)
        parts.append(span if kind is Kind.FIVE_ALIKE else (0, span[1] - span[0]))
    return sheet.open & (MASKS - 1), _LOWER_INDEX[tuple(parts)], min(sheet.upper, SUMS - 1)


def highest_sum(mask: int) -> int:
    """The highest sum that can stand on a sheet with these upper slots open."""
    filled = (points for slot, points in enumerate(_UPPER_POINTS) if not mask >> slot & 1)
    return min(SUMS - 1, sum(filled))


def chunks(mask: int) -> int:
    """How many chunks of sums a mask needs."""
    return highest_sum(mask) // CHUNK + 1


def _more() -> Ints:
    """(210, 6) the keep with one more die, by face."""
    found = np.zeros((FIRST_HAND, len(FACES)), np.int64)
    for at, keep in enumerate(KEEPS[:FIRST_HAND]):
        found[at] = [INDEX[tuple(sorted((*keep, face)))] for face in FACES]
    return found


def _fewer() -> Ints:
    """(462, 5) the keeps with one die less, one for each face; -1 where there are no more."""
    found = np.full((len(KEEPS), FIVE), -1)
    for at, keep in enumerate(KEEPS):
        for i, face in enumerate(sorted(set(keep))):
            less = list(keep)
            less.remove(face)
            found[at, i] = INDEX[tuple(less)]
    return found


MORE, FEWER = _more(), _fewer()
KEEPS_ = len(KEEPS)
CHANCE = np.array([ways for _, ways in rolls(FIVE)]) / len(FACES) ** FIVE
"""(252,) the chance of each hand."""
NUMBERS = np.array([[base(hand, Slot(face - 1)) for face in FACES] for hand in HANDS])
"""(252, 6) the sum of each number in a hand."""
BASES = np.array([[base(hand, SLOTS_OF[kind][0]) for kind in _LOWER_KINDS] for hand in HANDS])
"""(252, 8) what a hand scores in the first slot of each lower kind."""
FIVES = np.array([base((1,) * FIVE, slot) for slot in SLOTS_OF[Kind.FIVE_ALIKE]])
"""(3,) what the slots of five alike score."""


@njit(nogil=True, fastmath={"nnan", "nsz", "ninf"}, cache=True)
def _raise_to(out: Floats, points: float, row: Floats, start: int) -> None:
    """Raises values to those of a row, from one of its sums on, and some points."""
    for i in range(CHUNK):
        other = points + row[start + i]
        out[i] = max(other, out[i])


@njit(nogil=True, fastmath={"nnan", "nsz", "ninf"}, cache=True)
def _expect(hands: Floats, keeps: Floats, more: Ints) -> None:
    """What each keep (462, c) is worth, from the hands (252, c) that may come."""
    for hand in range(hands.shape[0]):
        keeps[FIRST_HAND + hand] = hands[hand]
    for keep in range(FIRST_HAND - 1, -1, -1):
        a, b, c = keeps[more[keep, 0]], keeps[more[keep, 1]], keeps[more[keep, 2]]
        d, e, f = keeps[more[keep, 3]], keeps[more[keep, 4]], keeps[more[keep, 5]]
        out = keeps[keep]
        for i in range(CHUNK):
            out[i] = (a[i] + b[i] + c[i] + d[i] + e[i] + f[i]) * (1 / 6)


@njit(nogil=True, fastmath={"nnan", "nsz", "ninf"}, cache=True)
def _choose(keeps: Floats, fewer: Ints) -> None:
    """Raises the worth of each keep to that of the best keep in it."""
    for keep in range(1, keeps.shape[0]):
        out = keeps[keep]
        for die in range(FIVE):
            less = fewer[keep, die]
            if less < 0:
                break
            other = keeps[less]
            for i in range(CHUNK):
                out[i] = max(other[i], out[i])


@njit(nogil=True, fastmath={"nnan", "nsz", "ninf"}, cache=True)
def _options(
    mask: int,
    lower: int,
    hand: int,
    numbers: Ints,
    bases: Ints,
    fives: Ints,
    score: Ints,
    five: Ints,
    out: Ints,
) -> int:
    """The ways to score a hand: mask, state, base and what of it counts above; how many."""
    count = 0
    for slot in range(6):
        if mask >> slot & 1 and numbers[hand, slot]:
            out[count] = (mask ^ (1 << slot), lower, numbers[hand, slot], 1)
            count += 1
    if mask >> 6 & 1:
        for face in range(6):
            if numbers[hand, face]:
                out[count] = (mask ^ 64, lower, numbers[hand, face], 1)
                count += 1
    for kind in range(8):
        after = score[lower, kind]
        if after >= 0 and bases[hand, kind]:
            points = fives[five[lower]] if kind == 7 else bases[hand, kind]
            out[count] = (mask, after, points, 0)
            count += 1
    return count


@njit(nogil=True, fastmath={"nnan", "nsz", "ninf"}, cache=True)
def _solve(
    values: Floats,
    mask: int,
    lower: int,
    start: int,
    slots: int,
    score: Ints,
    cross: Ints,
    five: Ints,
    numbers: Ints,
    bases: Ints,
    fives: Ints,
    more: Ints,
    fewer: Ints,
    chance: Floats,
) -> Floats:
    """(64,) what a sheet is worth, by the sums from `start` on."""
    hands = numbers.shape[0]
    first = np.empty((32, 4), np.int64)
    second = np.empty((32, 4), np.int64)
    crossed = np.full(CHUNK, -1e9)
    both = np.full(CHUNK, -1e9)
    # What an X brings, and two of them; and what an X brings behind a score.
    for slot in range(7 + 8):
        to_mask, to_lower = mask, lower
        if slot < 7:
            if not mask >> slot & 1:
                continue
            to_mask = mask ^ (1 << slot)
        else:
            to_lower = cross[lower, slot - 7]
            if to_lower < 0:
                continue
        _raise_to(crossed, 0.0, values[to_mask, to_lower], start)
        for other in range(slot, 7 + 8):
            if other < 7:
                if to_mask >> other & 1:
                    _raise_to(both, 0.0, values[to_mask ^ (1 << other), to_lower], start)
            elif cross[to_lower, other - 7] >= 0:
                _raise_to(both, 0.0, values[to_mask, cross[to_lower, other - 7]], start)
    # By the slot or kind that was scored in: the best X behind it, by sum.
    behind = np.full((15, LENGTH), -1e9)
    if slots > 1:
        for slot in range(15):
            to_mask, to_lower = mask, lower
            if slot < 7:
                if not mask >> slot & 1:
                    continue
                to_mask = mask ^ (1 << slot)
            else:
                to_lower = score[lower, slot - 7]
                if to_lower < 0:
                    continue
            last = min(LENGTH, start + CHUNK + 64)
            for other in range(15):
                end_mask, end_lower = to_mask, to_lower
                if other < 7:
                    if not to_mask >> other & 1:
                        continue
                    end_mask = to_mask ^ (1 << other)
                else:
                    end_lower = cross[to_lower, other - 7]
                    if end_lower < 0:
                        continue
                row, out = values[end_mask, end_lower], behind[slot]
                for i in range(start, last):
                    out[i] = max(row[i], out[i])
    # By the Power die: 1 and Freeze, 2, 3 and Power, Double.
    used = np.empty((4, hands, CHUNK))
    for hand in range(hands):
        count = _options(mask, lower, hand, numbers, bases, fives, score, five, first)
        for times in range(1, 4):
            out = used[times - 1, hand]
            out[:] = crossed
            for option in range(count):
                points = first[option, 2] * times
                row = values[first[option, 0], first[option, 1]]
                _raise_to(out, points, row, start + points * first[option, 3])
        out = used[3, hand]
        if slots == 1:
            out[:] = used[1, hand]
            continue
        out[:] = both
        for option in range(count):
            to_mask, to_lower = first[option, 0], first[option, 1]
            points, upper = 2 * first[option, 2], 2 * first[option, 2] * first[option, 3]
            if to_mask != mask:
                slot = 0
                while (mask ^ to_mask) >> slot != 1:
                    slot += 1
            else:
                slot = 7
                while score[lower, slot - 7] != to_lower:
                    slot += 1
            _raise_to(out, points, behind[slot], start + upper)
            many = _options(to_mask, to_lower, hand, numbers, bases, fives, score, five, second)
            for other in range(many):
                more_points = 2 * second[other, 2]
                row = values[second[other, 0], second[other, 1]]
                up = upper + more_points * second[other, 3]
                _raise_to(out, points + more_points, row, start + up)
    # later[f]: what a roll is worth, after the last roll; then after the second, then the first.
    keeps = np.empty((5, KEEPS_, CHUNK))
    frozen = np.empty((KEEPS_, CHUNK))
    without = np.empty((KEEPS_, CHUNK))
    _expect(used[0], frozen, more)
    keeps[0] = frozen
    _expect(used[1], keeps[1], more)
    _expect(used[2], keeps[2], more)
    _expect(used[3], keeps[3], more)
    keeps[4] = keeps[2]
    _choose(keeps[4], fewer)
    _expect(keeps[4, FIRST_HAND:].copy(), keeps[4], more)
    for roll in range(2):
        for keep in range(KEEPS_):
            for i in range(CHUNK):
                total = frozen[keep, i]
                for face in range(5):
                    total += keeps[face, keep, i]
                without[keep, i] = total * (1 / 6)
        for face in range(5):
            now = used[2 if face == 4 else face]
            out = keeps[face]
            for keep in range(FIRST_HAND):
                for i in range(CHUNK):
                    out[keep, i] = max(without[keep, i], out[keep, i])
            for hand in range(hands):
                for i in range(CHUNK):
                    out[FIRST_HAND + hand, i] = max(without[FIRST_HAND + hand, i], now[hand, i])
            _choose(out, fewer)
            if roll == 0:
                _expect(out[FIRST_HAND:].copy(), out, more)
    result = np.zeros(CHUNK)
    for hand in range(hands):
        share = chance[hand] * (1 / 6)
        for i in range(CHUNK):
            total = used[0, hand, i]
            for face in range(5):
                total += keeps[face, FIRST_HAND + hand, i]
            result[i] += share * total
    return result


def sheets(slots: int) -> Iterator[tuple[int, int]]:
    """The upper masks and lower states with so many open slots."""
    for mask in range(MASKS):
        for lower in np.flatnonzero(LOWER.open == slots - mask.bit_count()):
            yield mask, int(lower)


def new_values() -> Floats:
    """(128, 4536, 448) the worth of all sheets, of which only the full ones are known."""
    values = np.zeros((MASKS, STATES, LENGTH))
    full = int(np.flatnonzero(LOWER.open == 0)[0])
    values[0, full] = [upper_bonus(total) for total in range(LENGTH)]
    return values


def solve_sheet(values: Floats, mask: int, lower: int) -> Floats:
    """(448,) the worth of a sheet by its upper sum; of sums that cannot be, nothing is said."""
    slots = mask.bit_count() + int(LOWER.open[lower])
    row = np.zeros(LENGTH)
    for chunk in range(chunks(mask)):
        at = chunk * CHUNK
        row[at : at + CHUNK] = _solve(
            values, mask, lower, at, slots, LOWER.score, LOWER.cross, LOWER.five,
            NUMBERS, BASES, FIVES, MORE, FEWER, CHANCE,
        )  # fmt: skip
    row[SUMS:] = row[SUMS - 1]
    return row


def solve_sheets(values: Floats, some: Sequence[tuple[int, int]], jobs: int) -> None:
    """Solves sheets whose followers are known, and puts them into the values."""

    def one(sheet: tuple[int, int]) -> None:
        values[sheet] = solve_sheet(values, *sheet)

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(one, some, chunksize=64))
