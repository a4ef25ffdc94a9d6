"""Hints for Power: exact expectation over the rest of the turn, then best solo play.

All remaining throws are enumerated for the five dice and the Power die together: Freeze ends the
rolling at once, Power after the third roll gives a fourth one, a Double is used in the best two
slots. What comes after the turn is in `values`. Each hint maximises the player's own expected
total; about the other players it only asks whether one will end the game before the next turn.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from games import power
from games.dice import FACES, FIVE_DICE
from games.power import State
from games.power import sheet as power_sheet
from games.power import state as power_state
from games.strategy import turn
from games.strategy.aims import Aim, aim_of
from games.strategy.power import values as power_values
from games.strategy.turn import HANDS, KEEP_INDEX, Floats, expected_worth
from games.values import Choice, Choose, Keep

FACES_OF_POWER = tuple(power_state.MULTIPLIER)
"""The faces of the Power die in the order of the last axis of all arrays here."""
_DOUBLE_INDEX = FACES_OF_POWER.index(power_state.DOUBLE)
_FREEZE_INDEX = FACES_OF_POWER.index(power_state.FREEZE)
_POWER_INDEX = FACES_OF_POWER.index(power_state.POWER)
_NEVER_WORTH = -1e9
LAST_TURN = power_values.LastTurn()


def weigh(state: State) -> dict[Choice, float]:
    """The expected grand total after each choice; empty where there is no choice."""
    if not isinstance(power.GAME.ask(state), Choose):
        return {}
    return choice_worths(state, LAST_TURN if is_last_turn(state) else power_values.load_values())


def aim(state: State, keep: Keep) -> str:
    """What the numbered dice are held for, whatever the Power die will show; empty for nothing."""
    sheet = state.sheets[state.seat]
    values = LAST_TURN if is_last_turn(state) else power_values.load_values()
    mask, lower = power_values.mask_and_state(sheet.open)
    now = _Filling(mask, lower, min(sheet.upper, power_values.UPPER_SUMS - 1), values)
    kept = [state.dice[slot] for slot in keep.slots if slot < FIVE_DICE]
    left = max(power_state.ROLLS_PER_TURN - state.roll, 1)
    return aim_of(kept, left, now.aims()) if kept else ""


def is_last_turn(state: State) -> bool:
    """True if another player has one slot left, and so ends the game before one's next turn."""
    others = (state.sheets[seat] for seat in state.stay if seat != state.seat)
    return any(sheet.open.bit_count() == 1 for sheet in others)


def choice_worths(state: State, values: power_values.Values) -> dict[Choice, float]:
    """The expected grand total after each choice: what uses the roll, then what keeps dice."""
    found: dict[Choice, float] = {}
    keeps = list[Keep]()
    for choice in power.GAME.choices(state):
        if isinstance(choice, Keep):
            keeps.append(choice)
        else:
            found[choice] = _total_after(power.GAME.apply(state, choice), state.seat, values)
    if keeps:
        with_power, without = worth_of_throwing(state.sheets[state.seat], state.roll, values)
        face = FACES_OF_POWER.index(state.power)
        for keep in keeps:
            numbers = sorted(state.dice[slot] for slot in keep.slots if slot < FIVE_DICE)
            kept = KEEP_INDEX[tuple(numbers)]
            holds_power = power_state.POWER_SLOT in keep.slots
            found[keep] = float(with_power[kept, face] if holds_power else without[kept])
    return found


def _total_after(state: State, seat: int, values: power_values.Values) -> float:
    """The expected grand total after a choice; a Double gets the best second half."""
    if state.undoubled is None:
        return final_total(state.sheets[seat], values)
    second = (power.GAME.apply(state, choice).sheets[seat] for choice in power.GAME.choices(state))
    return max(final_total(sheet, values) for sheet in second)


def final_total(sheet: power_sheet.Sheet, values: power_values.Values) -> float:
    """The grand total that a sheet is expected to end with, or the share of the win it earns."""
    total = sheet.upper + sheet.lower + power_values.points_to_come(values, sheet)
    if not isinstance(values, ToWin):
        return total
    return float((values.late if sheet.open else values.now)[round(total)])


def expected_total(sheet: power_sheet.Sheet) -> float:
    """The expected grand total, by what best play will still bring."""
    return final_total(sheet, power_values.load_values())


@lru_cache(maxsize=32)
def worth_of_throwing(
    sheet: power_sheet.Sheet, roll: int, values: power_values.Values
) -> tuple[Floats, Floats]:
    """The worth of throwing again after that roll, by the numbered dice kept.

    (462, 6) by the face of the Power die that is kept with them; (462,) when it is thrown.
    """
    if roll >= power_state.ROLLS_PER_TURN:
        # The fourth roll: Power is kept, and the columns of other faces are never looked up.
        used = total_by_hand(sheet, values)[:, [_POWER_INDEX]]
        with_power = expected_worth(used.repeat(len(FACES_OF_POWER), axis=1))
        return with_power, np.full(len(turn.KEEPS), _NEVER_WORTH)
    thrown = expected_worth(worth_of_roll(sheet, roll + 1, values))
    return thrown, np.asarray(thrown.mean(axis=1))


def worth_of_roll(sheet: power_sheet.Sheet, roll: int, values: power_values.Values) -> Floats:
    """(252, 6) what the dice of a roll are worth, by Power's face."""
    used = total_by_hand(sheet, values)
    if roll == power_state.ROLLS_PER_TURN:
        later = used.copy()
        later[:, _POWER_INDEX] = turn.best_keep_worth(expected_worth(used[:, _POWER_INDEX]))
        return later
    with_power, without = worth_of_throwing(sheet, roll, values)
    most = np.maximum(with_power, without[:, None])
    # Keeping all six dice is no throw: the roll is used as it lies.
    most[turn.FIRST_HAND_INDEX :] = np.maximum(used, without[turn.FIRST_HAND_INDEX :, None])
    later = turn.best_keep_worth(most).copy()
    later[:, _FREEZE_INDEX] = used[:, _FREEZE_INDEX]
    return later


@lru_cache(maxsize=32)
def total_by_hand(sheet: power_sheet.Sheet, values: power_values.Values) -> Floats:
    """(252, 6) the expected grand total when a roll is used in the best way, by Power's face."""
    worth = np.empty((len(HANDS), len(FACES_OF_POWER)))
    mask, state = power_values.mask_and_state(sheet.open)
    now = _Filling(mask, state, min(sheet.upper, power_values.UPPER_SUMS - 1), values)
    by_multiplier = {times: now.best_one(times) for times in set(power_state.MULTIPLIER.values())}
    for index, face in enumerate(FACES_OF_POWER):
        worth[:, index] = by_multiplier[power_state.MULTIPLIER[face]]
    if sheet.filled + 1 < len(power_sheet.Slot):
        worth[:, _DOUBLE_INDEX] = now.best_two()
    worth += sheet.upper + sheet.lower
    if isinstance(values, ToWin):
        ends = np.full(len(FACES_OF_POWER), sheet.filled + 1 == len(power_sheet.Slot))
        ends[_DOUBLE_INDEX] = sheet.filled + 2 >= len(power_sheet.Slot)
        at = worth.round().astype(int)
        worth = np.where(ends, values.now[at], values.late[at])
    return worth


@dataclass(frozen=True, eq=False)
class ToWin(power_values.LastTurn):
    """The chances of a total to win: `now`, if the turn ends the game, `late`, if another does."""

    now: Floats
    late: Floats


@dataclass(frozen=True, slots=True)
class _Use:
    """A way to fill a slot; none is followed by one of a lower order, so no pair is tried twice.

    Afterwards the upper section has the open slots `mask`, and the lower one this state. The hands
    that are `made` (252,) score `points` (252,) before the power, 0 for an X.
    """

    order: int
    mask: int
    state: int
    points: NDArray[np.int64]
    made: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class _Filling:
    """A sheet whose slots are being filled: the upper section's open ones, the lower one's state.

    The `upper` sum is (252,), or one number for all hands.
    """

    mask: int
    state: int
    upper: NDArray[np.int64] | int
    values: power_values.Values

    def best_one(self, times: int) -> Floats:
        """(252,) the most still to come, this turn's points included, when one slot is filled."""
        return np.asarray(np.max([self._worth_of_use(use, times) for use in self._uses()], axis=0))

    def aims(self) -> Iterator[Aim]:
        """Each way to fill one slot; nobody aims at an X."""
        kinds = (*power_sheet.Kind,)[: power_sheet.UPPER_SLOTS] + power_values.LOWER_KINDS
        for use in self._uses():
            word = "" if use.points is _NO_POINTS else kinds[use.order].word
            crossed = self.values.row(use.mask, use.state)[self.upper]
            worth = self._worth_of_use(use, 1)
            yield word, slice(None), worth, worth - crossed

    def best_two(self) -> Floats:
        """(252,) the same when two slots are filled, each with twice the score."""
        most = np.full(len(HANDS), _NEVER_WORTH)
        times = power_state.MULTIPLIER[power_state.DOUBLE]
        for first in self._uses():
            points = np.where(first.made, first.points * times, _NEVER_WORTH)
            after = self._after_use(first, times)
            for second in after._uses():
                if second.order >= first.order:
                    np.maximum(most, points + after._worth_of_use(second, times), out=most)
        return most

    def _worth_of_use(self, use: _Use, times: int) -> Floats:
        after = self._after_use(use, times)
        worth = use.points * times + self.values.row(use.mask, use.state)[after.upper]
        return np.where(use.made, worth, _NEVER_WORTH)

    def _after_use(self, use: _Use, times: int) -> "_Filling":
        added = use.points * times if use.mask != self.mask else 0
        return _Filling(use.mask, use.state, self.upper + added, self.values)

    def _uses(self) -> Iterator[_Use]:
        """Every way to fill one slot: scores, and X's."""
        for slot in range(power_sheet.UPPER_SLOTS):
            if self.mask >> slot & 1:
                left = self.mask ^ 1 << slot
                for number in FACES if slot == power_sheet.Slot.CHOICE else (0,):
                    points = _base_scores(power_sheet.Slot(slot), number)
                    yield _Use(slot, left, self.state, points, points > 0)
                yield _Use(slot, left, self.state, _NO_POINTS, _EVERY_HAND)
        for kind in range(len(power_values.LOWER_KINDS)):
            scored = power_values.lower_states().score[self.state, kind]
            crossed = power_values.lower_states().cross[self.state, kind]
            if scored >= 0:
                five = power_values.LOWER_KINDS[kind] is power_sheet.Kind.FIVE_ALIKE
                at = power_values.lower_states().five[self.state] if five else 0
                points = _base_scores(power_sheet.SLOTS_OF[power_values.LOWER_KINDS[kind]][at], 0)
                order = power_sheet.UPPER_SLOTS + kind
                yield _Use(order, self.mask, int(scored), points, points > 0)
                yield _Use(order, self.mask, int(crossed), _NO_POINTS, _EVERY_HAND)


_NO_POINTS = np.zeros(len(HANDS), np.int64)
_EVERY_HAND = np.ones(len(HANDS), np.bool_)


@cache
def _base_scores(slot: power_sheet.Slot, number: int) -> NDArray[np.int64]:
    """(252,) what the hands score in a slot before the power."""
    return np.array([power_sheet.base_score(hand, slot, number) for hand in HANDS])
