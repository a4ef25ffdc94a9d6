"""Hints for Power: exact expectation over the rest of the turn.

All throws that are left are enumerated for the five dice and the Power die together: Freeze ends
the rolling at once, Power after the third roll gives a fourth one, a Double is used in the best two
slots. What comes after the turn is in `worth`. Other players are left out: each hint
makes the player's own expected total the greatest.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from appliance.rules.dice import FACES, FIVE
from appliance.rules.game import Choice, Choose, Hint, Keep, Measure
from appliance.rules.power import game as power
from appliance.rules.power.game import State
from appliance.rules.power.sheet import SLOTS_OF, UPPER, Kind, Sheet, Slot, base
from appliance.rules.power.state import DOUBLE, FREEZE, MULTIPLIER, POWER, POWER_SLOT, ROLLS
from appliance.strategy.power.worth import UPPER_MASK, bonus, final, table
from appliance.strategy.turn import FIRST_HAND, HANDS, INDEX, KEEPS, best, expected

FACES_OF_POWER = tuple(MULTIPLIER)
"""The faces of the Power die in the order of the last axis of all arrays here."""
_DOUBLE, _FREEZE, _POWER = (FACES_OF_POWER.index(face) for face in (DOUBLE, FREEZE, POWER))
_NEVER = -1e9


def hint(state: State) -> Hint | None:
    """The choice with the highest expected grand total."""
    if not isinstance(power.ask(state), Choose):
        return None
    found: dict[Choice, float] = {}
    for choice in power.choices(state):
        if not isinstance(choice, Keep):
            found[choice] = _after(power.apply(state, choice), state.seat)
    best_use = max(found, key=lambda choice: found[choice])
    keeps = [choice for choice in power.choices(state) if isinstance(choice, Keep)]
    if keeps:
        with_power, without = throwing(state.sheets[state.seat], state.roll)
        face = FACES_OF_POWER.index(state.power)
        worth: dict[Choice, float] = {}
        for keep in keeps:
            kept = tuple(sorted(state.dice[slot] for slot in keep.slots if slot < FIVE))
            if POWER_SLOT in keep.slots:
                worth[keep] = float(with_power[INDEX[kept], face])
            else:
                worth[keep] = float(without[INDEX[kept]])
        keep_best = max(worth, key=lambda keep: worth[keep])
        if worth[keep_best] > found[best_use]:
            return Hint(keep_best, worth[keep_best], Measure.TOTAL)
    return Hint(best_use, found[best_use], Measure.TOTAL)


def _after(state: State, seat: int) -> float:
    """The expected grand total after a choice; of the second half of a Double the best is taken."""
    if state.undoubled is None:
        return final(state.sheets[seat])
    return max(final(power.apply(state, c).sheets[seat]) for c in power.choices(state))


@lru_cache(maxsize=32)
def throwing(sheet: Sheet, roll: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What throwing again is worth after that roll.

    Returns:
        (462, 6) by the numbered dice kept and the face of the Power die that is kept with them;
        (462,) by the numbered dice kept when the Power die is thrown.
    """
    used = hands(sheet)
    if roll >= ROLLS:
        # The fourth roll: Power is kept, and the rows of other faces are never looked up.
        return expected(used[:, [_POWER]].repeat(len(FACES_OF_POWER), axis=1)), _never()
    if roll == ROLLS - 1:
        later = used.copy()
        later[:, _POWER] = best(expected(used[:, _POWER]))
    else:
        with_power, without = throwing(sheet, roll + 1)
        most = np.maximum(with_power, without[:, None])
        # All six dice kept is no throw: the roll is used as it lies.
        most[FIRST_HAND:] = np.maximum(used, without[FIRST_HAND:, None])
        later = best(most).copy()
        later[:, _FREEZE] = used[:, _FREEZE]
    thrown = expected(later)
    return thrown, np.asarray(thrown.mean(axis=1))


@cache
def _never() -> NDArray[np.float64]:
    return np.full(len(KEEPS), _NEVER)


@lru_cache(maxsize=32)
def hands(sheet: Sheet) -> NDArray[np.float64]:
    """(252, 6) the expected grand total when a roll is used in the best way, by Power's face."""
    worth = np.empty((len(HANDS), len(FACES_OF_POWER)))
    by_multiplier = {times: _single(sheet, times) for times in set(MULTIPLIER.values())}
    for index, face in enumerate(FACES_OF_POWER):
        worth[:, index] = by_multiplier[MULTIPLIER[face]]
    if sheet.filled + 1 < len(Slot):
        worth[:, _DOUBLE] = _double(sheet)
    return worth


@cache
def _base(slot: Slot, number: int) -> NDArray[np.int64]:
    """(252,) what the hands score in a slot before the power."""
    return np.array([base(hand, slot, number) for hand in HANDS])


@dataclass(frozen=True, slots=True)
class _Gain:
    """What one way to fill a slot brings.

    Attributes:
        slot: the slot that is filled.
        worth: (252,) the points less what the slot would have brought, `_NEVER` where hands do not
            qualify.
        upper: (252,) what is added to the upper sum.
    """

    slot: int
    worth: NDArray[np.float64]
    upper: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Filling:
    """A sheet in which slots are filled with a multiplier, until `count` of them are open."""

    sheet: Sheet
    times: int
    count: int

    @property
    def before(self) -> float:
        """The expected total without the bonus, before what is filled now brings anything."""
        means = table().mean[self.count]
        open_slots = (slot for slot in Slot if self.sheet.open >> slot & 1)
        return self.sheet.upper + self.sheet.lower + float(sum(means[s] for s in open_slots))

    def gain(self, slot: int, bases: NDArray[np.int64]) -> _Gain:
        """A slot filled with a score."""
        mean = float(table().mean[self.count, slot])
        points = bases * self.times
        upper = points if slot < UPPER else _NONE
        return _Gain(slot, np.where(bases > 0, points - mean, _NEVER), upper)

    def cross(self, slot: int) -> _Gain:
        """A slot filled with an X."""
        mean = float(table().mean[self.count, slot])
        return _Gain(slot, np.full(len(HANDS), -mean), _NONE)

    def gains(self, kinds: Iterable[Kind]) -> list[_Gain]:
        """Every way to fill one slot of these kinds."""
        found = []
        for kind in kinds:
            slot, last = self.sheet.slot_to_score(kind), self.sheet.slot_to_cross(kind)
            if slot is None or last is None:
                continue
            numbers = FACES if kind is Kind.CHOICE else (0,)
            found += [self.gain(slot, _base(slot, number)) for number in numbers]
            found.append(self.cross(last))
        return found

    def bonus(self, *gains: _Gain) -> NDArray[np.float64]:
        """(252,) the bonus expected once these slots are filled."""
        left, more = self.sheet.open, _NONE
        for gain in gains:
            left ^= 1 << gain.slot
            more = more + gain.upper
        return bonus(left & UPPER_MASK, self.count)[self.sheet.upper + more]


_NONE = np.zeros(len(HANDS), np.int64)
_UPPER_KINDS = tuple(kind for kind in Kind if SLOTS_OF[kind][0] < UPPER)
_LOWER_KINDS = tuple(kind for kind in Kind if SLOTS_OF[kind][0] >= UPPER)


def _single(sheet: Sheet, times: int) -> NDArray[np.float64]:
    """(252,) the expected total when one slot is filled."""
    filling = _Filling(sheet, times, sheet.open.bit_count() - 1)
    worths = [gain.worth + filling.bonus(gain) for gain in filling.gains(Kind)]
    return np.asarray(filling.before + np.max(worths, axis=0))


def _double(sheet: Sheet) -> NDArray[np.float64]:
    """(252,) the expected total when two slots are filled, each with twice the score.

    Lower slots do not touch the bonus, so that of them only the best one or two of each hand
    count; pairs within a kind are apart, because scores and X's fill its slots from two ends.
    """
    filling = _Filling(sheet, MULTIPLIER[DOUBLE], sheet.open.bit_count() - 2)
    by_kind = [filling.gains([kind]) for kind in _LOWER_KINDS]
    lower = np.array([np.max([g.worth for g in gains], axis=0) for gains in by_kind if gains])
    upper = filling.gains(_UPPER_KINDS)
    worths = []
    if len(lower):
        worths += [g.worth + filling.bonus(g) + lower.max(axis=0) for g in upper]
    if len(lower) > 1:
        worths.append(np.sort(lower, axis=0)[-2:].sum(axis=0) + filling.bonus())
    for one, other in combinations(upper, 2):
        if one.slot != other.slot:
            worths.append(one.worth + other.worth + filling.bonus(one, other))
    for kind in _LOWER_KINDS:
        slots = [slot for slot in SLOTS_OF[kind] if sheet.open >> slot & 1]
        if len(slots) > 1:
            first, second, last, before = slots[0], slots[1], slots[-1], slots[-2]
            made = filling.gain(first, _base(first, 0)).worth
            again = filling.gain(second, _base(second, 0)).worth
            crossed = filling.cross(last).worth
            pairs = (made + again, made + crossed, filling.cross(before).worth + crossed)
            worths.append(np.max(pairs, axis=0) + filling.bonus())
    return np.asarray(filling.before + np.max(worths, axis=0))
