"""Best solo play of Power, by dynamic programming over all sheets.

Between turns three things matter: which upper slots are open, how many of each lower kind are
(scores fill a kind from one end, X's from the other), and the upper sum, up to 300. The worth of a
sheet is the best expected number of points still to come, with the bonus. A sheet is solved from
those with one or two fewer open slots, for all its sums at once. Every base score comes from the
rules; a turn is written here again, for speed, and tests compare it with how hints see it.

The loops are compiled by Numba, which only this needs (the extra `solve`).
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from games.dice import FACES, FIVE_DICE, rolls
from games.power.sheet import SLOTS_OF, Kind, Slot, base_score, upper_bonus
from games.strategy.power.values import (
    LOWER_KINDS,
    SUMS_PER_ROW,
    UPPER_MASKS,
    UPPER_SUMS,
    Ints,
    highest_sum,
    lower_states,
)
from games.strategy.turn import FIRST_HAND_INDEX, HANDS, KEEP_INDEX, KEEPS

Floats = NDArray[np.float64]

SUMS_PER_CHUNK = 64
"""Sums that are solved together, so that all arrays of a turn stay in the processor's cache."""
LOWER = lower_states()
STATES = len(LOWER.open)


def chunks(mask: int) -> int:
    """How many chunks of sums a mask needs."""
    return highest_sum(mask) // SUMS_PER_CHUNK + 1


def _one_die_more() -> Ints:
    """(210, 6) the keep with one more die, by face."""
    found = np.zeros((FIRST_HAND_INDEX, len(FACES)), np.int64)
    for at, keep in enumerate(KEEPS[:FIRST_HAND_INDEX]):
        found[at] = [KEEP_INDEX[tuple(sorted((*keep, face)))] for face in FACES]
    return found


def _one_die_fewer() -> Ints:
    """(462, 5) the keeps with one die fewer, one for each face; -1 after the last."""
    found = np.full((len(KEEPS), FIVE_DICE), -1)
    for at, keep in enumerate(KEEPS):
        for i, face in enumerate(sorted(set(keep))):
            less = list(keep)
            less.remove(face)
            found[at, i] = KEEP_INDEX[tuple(less)]
    return found


KEEP_COUNT = len(KEEPS)


class Tables(NamedTuple):
    """The tables in which the compiled loops look things up.

    Attributes:
        score: `Lower.score`.
        cross: `Lower.cross`.
        five: `Lower.five`.
        numbers: (252, 6) the sum of each number in a hand.
        bases: (252, 8) what a hand scores in the first slot of each lower kind.
        fives: (3,) what the slots of five alike score.
        more: (210, 6) the keep with one more die, by face.
        fewer: (462, 5) the keeps with one die fewer; -1 after the last.
        chance: (252,) the chance of each hand.
    """

    score: Ints
    cross: Ints
    five: Ints
    numbers: Ints
    bases: Ints
    fives: Ints
    more: Ints
    fewer: Ints
    chance: Floats


TABLES = Tables(
    score=LOWER.score,
    cross=LOWER.cross,
    five=LOWER.five,
    numbers=np.array([[base_score(hand, Slot(face - 1)) for face in FACES] for hand in HANDS]),
    bases=np.array(
        [[base_score(hand, SLOTS_OF[kind][0]) for kind in LOWER_KINDS] for hand in HANDS]
    ),
    fives=np.array([base_score((1,) * FIVE_DICE, slot) for slot in SLOTS_OF[Kind.FIVE_ALIKE]]),
    more=_one_die_more(),
    fewer=_one_die_fewer(),
    chance=np.array([ways for _, ways in rolls(FIVE_DICE)]) / len(FACES) ** FIVE_DICE,
)
FAST = njit(nogil=True, fastmath={"nnan", "nsz", "ninf"}, cache=True)
"""Compiles a loop over sums, all of which are finite."""


@FAST
def _raise_to(out: Floats, points: float, row: Floats, start: int) -> None:
    """Raises values to those of a row from `start` on plus `points`, where these are higher."""
    for i in range(SUMS_PER_CHUNK):
        other = points + row[start + i]
        out[i] = max(other, out[i])


@FAST
def _expect(hands: Floats, keeps: Floats, more: Ints) -> None:
    """The worth of each keep (462, c), from the hands (252, c) that may come."""
    for hand in range(hands.shape[0]):
        keeps[FIRST_HAND_INDEX + hand] = hands[hand]
    for keep in range(FIRST_HAND_INDEX - 1, -1, -1):
        a, b, c = keeps[more[keep, 0]], keeps[more[keep, 1]], keeps[more[keep, 2]]
        d, e, f = keeps[more[keep, 3]], keeps[more[keep, 4]], keeps[more[keep, 5]]
        out = keeps[keep]
        for i in range(SUMS_PER_CHUNK):
            out[i] = (a[i] + b[i] + c[i] + d[i] + e[i] + f[i]) * (1 / 6)


@FAST
def _choose(keeps: Floats, fewer: Ints) -> None:
    """Raises the worth of each keep to that of the best keep within it."""
    for keep in range(1, keeps.shape[0]):
        out = keeps[keep]
        for die in range(FIVE_DICE):
            less = fewer[keep, die]
            if less < 0:
                break
            other = keeps[less]
            for i in range(SUMS_PER_CHUNK):
                out[i] = max(other[i], out[i])


@njit(nogil=True, cache=True)
def _filled(mask: int, lower: int, table: Ints, slot: int) -> tuple[int, int]:
    """The mask and state after filling a slot (0 to 6) or lower kind (7 to 14).

    The state is -1 where no such slot is open.

    Args:
        mask: the open upper slots.
        lower: the state of the lower section.
        table: `Lower.score` or `Lower.cross`.
        slot: what is filled.
    """
    if slot >= 7:
        return mask, table[lower, slot - 7]
    return mask ^ (1 << slot), lower if mask >> slot & 1 else -1


@FAST
def _list_scores(mask: int, lower: int, hand: int, tables: Tables, out: Ints) -> int:
    """Writes how a hand can score: mask, state, base, whether upper, slot; returns how many."""
    count = 0
    for slot in range(6):
        if mask >> slot & 1 and tables.numbers[hand, slot]:
            out[count] = (mask ^ (1 << slot), lower, tables.numbers[hand, slot], 1, slot)
            count += 1
    if mask >> 6 & 1:
        for face in range(6):
            if tables.numbers[hand, face]:
                out[count] = (mask ^ 64, lower, tables.numbers[hand, face], 1, 6)
                count += 1
    for kind in range(8):
        after = tables.score[lower, kind]
        if after >= 0 and tables.bases[hand, kind]:
            points = tables.fives[tables.five[lower]] if kind == 7 else tables.bases[hand, kind]
            out[count] = (mask, after, points, 0, 7 + kind)
            count += 1
    return count


@FAST
def _after_crosses(
    values: Floats, mask: int, lower: int, start: int, tables: Tables
) -> tuple[Floats, Floats]:
    """(64,) what the best X leaves, and the best two of them."""
    one = np.full(SUMS_PER_CHUNK, -1e9)
    two = np.full(SUMS_PER_CHUNK, -1e9)
    for slot in range(15):
        to_mask, to_lower = _filled(mask, lower, tables.cross, slot)
        if to_lower < 0:
            continue
        _raise_to(one, 0.0, values[to_mask, to_lower], start)
        for other in range(slot, 15):
            end_mask, end_lower = _filled(to_mask, to_lower, tables.cross, other)
            if end_lower >= 0:
                _raise_to(two, 0.0, values[end_mask, end_lower], start)
    return one, two


@FAST
def _after_score_and_cross(
    values: Floats, mask: int, lower: int, start: int, tables: Tables
) -> Floats:
    """(15, 448) by the slot or kind that was scored in: what the best X after it leaves, by sum."""
    behind = np.full((15, SUMS_PER_ROW), -1e9)
    last = min(SUMS_PER_ROW, start + SUMS_PER_CHUNK + 64)
    for slot in range(15):
        to_mask, to_lower = _filled(mask, lower, tables.score, slot)
        if to_lower < 0:
            continue
        for other in range(15):
            end_mask, end_lower = _filled(to_mask, to_lower, tables.cross, other)
            if end_lower < 0:
                continue
            row, out = values[end_mask, end_lower], behind[slot]
            for i in range(start, last):
                out[i] = max(row[i], out[i])
    return behind


@FAST
def _raise_to_doubles(
    out: Floats,
    values: Floats,
    hand: int,
    start: int,
    behind: Floats,
    scores: Ints,
    count: int,
    seconds: Ints,
    tables: Tables,
) -> None:
    """Raises values to those of a hand that scores twice, or scores and gets an X.

    Args:
        out: (64,) the values, by sum.
        values: of all sheets.
        hand: its index.
        start: the first sum.
        behind: what `_after_score_and_cross` returns.
        scores: what `_list_scores` wrote for the hand.
        count: how many it wrote.
        seconds: room for the scores after the first.
        tables: the constant ones.
    """
    for first in range(count):
        to_mask, to_lower = scores[first, 0], scores[first, 1]
        points, upper = 2 * scores[first, 2], 2 * scores[first, 2] * scores[first, 3]
        _raise_to(out, points, behind[scores[first, 4]], start + upper)
        for second in range(_list_scores(to_mask, to_lower, hand, tables, seconds)):
            more_points = 2 * seconds[second, 2]
            row = values[seconds[second, 0], seconds[second, 1]]
            up = upper + more_points * seconds[second, 3]
            _raise_to(out, points + more_points, row, start + up)


@FAST
def _use_hands(
    values: Floats, mask: int, lower: int, start: int, slots: int, tables: Tables
) -> Floats:
    """(4, 252, 64) the worth of each hand that is used now, by sum.

    By the Power die: 1 and Freeze, 2, 3 and Power, Double.
    """
    hands = tables.numbers.shape[0]
    scores = np.empty((32, 5), np.int64)
    seconds = np.empty((32, 5), np.int64)
    crossed, crossed_twice = _after_crosses(values, mask, lower, start, tables)
    behind = _after_score_and_cross(values, mask, lower, start, tables)
    used = np.empty((4, hands, SUMS_PER_CHUNK))
    for hand in range(hands):
        count = _list_scores(mask, lower, hand, tables, scores)
        for times in range(1, 4):
            out = used[times - 1, hand]
            out[:] = crossed
            for option in range(count):
                points = scores[option, 2] * times
                row = values[scores[option, 0], scores[option, 1]]
                _raise_to(out, points, row, start + points * scores[option, 3])
        doubled = used[3, hand]
        if slots == 1:
            # There is no second slot to fill.
            doubled[:] = used[1, hand]
        else:
            doubled[:] = crossed_twice
            _raise_to_doubles(doubled, values, hand, start, behind, scores, count, seconds, tables)
    return used


@FAST
def _before_last_roll(used: Floats, tables: Tables) -> tuple[Floats, Floats]:
    """The worth of keeps before the last roll, by the Power die.

    Returns:
        (5, 462, 64) by its face 1, 2, 3, Double and Power, and (462, 64) where it is frozen.
    """
    keeps = np.empty((5, KEEP_COUNT, SUMS_PER_CHUNK))
    frozen = np.empty((KEEP_COUNT, SUMS_PER_CHUNK))
    _expect(used[0], frozen, tables.more)
    keeps[0] = frozen
    _expect(used[1], keeps[1], tables.more)
    _expect(used[2], keeps[2], tables.more)
    _expect(used[3], keeps[3], tables.more)
    # Power is kept through a roll more.
    keeps[4] = keeps[2]
    _choose(keeps[4], tables.fewer)
    _expect(keeps[4, FIRST_HAND_INDEX:].copy(), keeps[4], tables.more)
    return keeps, frozen


@FAST
def _throw_the_power_die(keeps: Floats, frozen: Floats, without: Floats) -> None:
    """Writes what each keep (462, 64) is worth where the Power die is thrown again."""
    for keep in range(KEEP_COUNT):
        for i in range(SUMS_PER_CHUNK):
            total = frozen[keep, i]
            for face in range(5):
                total += keeps[face, keep, i]
            without[keep, i] = total * (1 / 6)


@FAST
def _stop_or_roll(out: Floats, without: Floats, now: Floats, fewer: Ints) -> None:
    """Raises the worth of keeps, with a face of the Power die, to that of the best thing to do.

    Args:
        out: (462, 64) the keeps' worth if they and the Power die are kept.
        without: theirs if the Power die is thrown again.
        now: (252, 64) that of the hands if they are used now.
        fewer: the keeps within each.
    """
    for keep in range(FIRST_HAND_INDEX):
        for i in range(SUMS_PER_CHUNK):
            out[keep, i] = max(without[keep, i], out[keep, i])
    for hand in range(now.shape[0]):
        for i in range(SUMS_PER_CHUNK):
            out[FIRST_HAND_INDEX + hand, i] = max(without[FIRST_HAND_INDEX + hand, i], now[hand, i])
    _choose(out, fewer)


@FAST
def _average_first_roll(used: Floats, keeps: Floats, chance: Floats) -> Floats:
    """(64,) what the first roll is worth on average, with all faces of the Power die."""
    result = np.zeros(SUMS_PER_CHUNK)
    for hand in range(chance.shape[0]):
        share = chance[hand] * (1 / 6)
        for i in range(SUMS_PER_CHUNK):
            total = used[0, hand, i]
            for face in range(5):
                total += keeps[face, FIRST_HAND_INDEX + hand, i]
            result[i] += share * total
    return result


@FAST
def _solve(values: Floats, mask: int, lower: int, start: int, slots: int, tables: Tables) -> Floats:
    """(64,) what a sheet is worth, by the sums from `start` on."""
    used = _use_hands(values, mask, lower, start, slots, tables)
    keeps, frozen = _before_last_roll(used, tables)
    without = np.empty((KEEP_COUNT, SUMS_PER_CHUNK))
    # Back to the second roll, then to the first.
    for roll in range(2):
        _throw_the_power_die(keeps, frozen, without)
        for face in range(5):
            out = keeps[face]
            _stop_or_roll(out, without, used[2 if face == 4 else face], tables.fewer)
            if roll == 0:
                _expect(out[FIRST_HAND_INDEX:].copy(), out, tables.more)
    worth: Floats = _average_first_roll(used, keeps, tables.chance)
    return worth


def sheets(slots: int) -> Iterator[tuple[int, int]]:
    """The upper masks and lower states with this many open slots."""
    for mask in range(UPPER_MASKS):
        for state in np.flatnonzero(LOWER.open == slots - mask.bit_count()):
            yield mask, int(state)


def new_values() -> Floats:
    """(128, 4536, 448) the worth of all sheets, with only the full ones known."""
    values = np.zeros((UPPER_MASKS, STATES, SUMS_PER_ROW))
    full = int(np.flatnonzero(LOWER.open == 0)[0])
    values[0, full] = [upper_bonus(total) for total in range(SUMS_PER_ROW)]
    return values


def solve_sheet(values: Floats, mask: int, lower: int) -> Floats:
    """(448,) the worth of a sheet by its upper sum; for impossible sums it means nothing."""
    slots = mask.bit_count() + int(LOWER.open[lower])
    row = np.zeros(SUMS_PER_ROW)
    for chunk in range(chunks(mask)):
        at = chunk * SUMS_PER_CHUNK
        row[at : at + SUMS_PER_CHUNK] = _solve(values, mask, lower, at, slots, TABLES)
    row[UPPER_SUMS:] = row[UPPER_SUMS - 1]
    return row


def solve_sheets(values: Floats, some: Sequence[tuple[int, int]], jobs: int) -> None:
    """Solves sheets whose successors are known, and stores them in the values."""

    def one(sheet: tuple[int, int]) -> None:
        values[sheet] = solve_sheet(values, *sheet)

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(one, some, chunksize=64))


class Exact:
    """The solved values in the form that hints read.

    Args:
        values: (128, 4536, 448) from `new_values`, solved.
    """

    def __init__(self, values: Floats) -> None:
        self._values = values

    def row(self, mask: int, state: int) -> Floats:
        """(448,) points by upper sum."""
        return np.asarray(self._values[mask, state])


def factors(values: Floats, rank: int) -> tuple[Floats, Floats]:
    """The product of two matrices closest to all sheets, weighted by how likely they are.

    By randomised subspace iteration: N. Halko, P. G. Martinsson, J. A. Tropp, "Finding structure
    with randomness" (2011), algorithm 4.4.

    Returns:
        (25403, rank) by mask and sum, and (4536, rank) by lower state.
    """
    rows, likely = [], []
    for mask in range(UPPER_MASKS):
        sums = np.arange(highest_sum(mask) + 1)
        rows.append(values[mask][:, sums].T.astype(np.float32))
        filled = np.array([MEANS[slot] for slot in range(len(MEANS)) if not mask >> slot & 1])
        spread = 1.6 * max(6.0, 0.6 * float(np.sqrt((filled**2).sum())))
        likely.append(np.maximum(np.exp(-(((sums - filled.sum()) / spread) ** 2) / 2), 0.2))
    weights = np.concatenate(likely).astype(np.float32)[:, None]
    # Nearly full sheets weigh more: a game passes through few of them, out of few.
    late = (1 + 3 * np.exp(-LOWER.open / 3)).astype(np.float32)
    table = np.concatenate(rows) * weights * late
    basis = table @ np.random.default_rng(0).standard_normal((STATES, rank + 8), np.float32)
    for _ in range(3):
        basis = table @ (table.T @ np.linalg.qr(basis)[0])
    basis = np.linalg.qr(basis)[0]
    left, sizes, right = np.linalg.svd(basis.T @ table, full_matrices=False)
    root = np.sqrt(sizes[:rank])
    return (basis @ left)[:, :rank] * root / weights, (right[:rank] / late).T * root


MEANS = tuple(5.6 * number for number in (*FACES, FACES[-1]))
"""Approximate points that the upper slots bring in a game."""


def packed(values: Floats, rank: int = 24) -> dict[str, NDArray[Any]]:
    """The arrays for `values.Packed`: 16-bit numbers, and differences, which pack better."""
    upper, lower_factor = factors(values, rank)
    steps = [np.abs(part).max(axis=0) / 32_000 for part in (upper, lower_factor)]
    whole = [
        np.round(part / step).astype(np.int16)
        for part, step in zip((upper, lower_factor), steps, strict=True)
    ]
    return {
        "steps": np.diff(whole[0], axis=0, prepend=np.zeros((1, rank), np.int16)),
        "lower": whole[1],
        "scale": (steps[0] * steps[1]).astype(np.float32),
    }
