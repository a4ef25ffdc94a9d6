"""The solver of Power against plain enumeration by the rules and the arithmetic of hints."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from games import power
from games.chance import random_event
from games.power import Sheet, State
from games.power.sheet import CROSSED_SLOT, SLOTS, FilledSlot, upper_bonus
from games.strategy.power import hint as power_hint
from games.strategy.power.values import highest_sum, mask_and_state
from games.strategy.turn import HANDS, expected_worth
from games.values import Keep

solver = pytest.importorskip("scripts.solving.power", reason="Numba is not installed")

Worth = Callable[[Sheet], float]


def sheet(open_slots: tuple[int, ...], upper: int) -> Sheet:
    """A sheet with these slots open and this upper sum; otherwise the filled ones do not matter."""
    lines: list[FilledSlot | None] = [CROSSED_SLOT] * SLOTS
    lines[next(s for s in range(7) if s not in open_slots)] = FilledSlot(upper, 1)
    for slot in open_slots:
        lines[slot] = None
    return Sheet.of(lines)


def used(state: State, worth: Worth) -> float:
    """The worth of a roll that must be used now: points plus the worth of the sheet after it."""
    found = []
    for choice in power.GAME.choices(state):
        if not isinstance(choice, Keep):
            after = power.GAME.apply(state, choice)
            done = after.undoubled is None
            found.append(_value(after.sheets[0], worth) if done else used(after, worth))
    return max(found)


def _value(after: Sheet, worth: Worth) -> float:
    return after.upper + after.lower + worth(after)


def by_the_rules(now: Sheet, worth: Worth, monkeypatch: pytest.MonkeyPatch) -> float:
    """The worth of a sheet before its turn, by the rules and by the arithmetic of hints."""
    blank = replace(power.GAME.start(["A"], {}), sheets=(now,))
    hands = np.empty((len(HANDS), 6))
    for index, hand in enumerate(HANDS):
        for column, face in enumerate(power_hint.FACES_OF_POWER):
            state = replace(blank, roll=1, dice=hand, power=face, held=None)
            hands[index, column] = used(state, worth)
    monkeypatch.setattr(power_hint, "total_by_hand", lambda *_: hands)
    power_hint.worth_of_throwing.cache_clear()
    worth_of_first = power_hint.worth_of_roll(now, 1, power_hint.LAST_TURN)
    power_hint.worth_of_throwing.cache_clear()
    return float(expected_worth(worth_of_first)[0].mean()) - now.upper - now.lower


@pytest.fixture(scope="module")
def values() -> np.ndarray:
    """The worth of all sheets with at most two open slots."""
    found: np.ndarray = solver.new_values()
    for slots in (1, 2):
        solver.solve_sheets(found, list(solver.sheets(slots)), 1)
    return found


@pytest.mark.parametrize(
    ("open_slots", "upper"),
    [
        ((0,), 140),
        ((6,), 290),
        ((17,), 0),
        ((20,), 200),
        ((5, 6), 130),
        ((8, 9), 60),
        ((18, 19), 0),
        ((3, 16), 145),
        ((12, 19), 199),
    ],
)
def test_sheets_are_worth_what_the_rules_say(
    open_slots: tuple[int, ...], upper: int, values: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = sheet(open_slots, upper)

    def worth(after: Sheet) -> float:
        if not after.open:
            return float(upper_bonus(after.upper))
        return float(values[*mask_and_state(after.open), min(after.upper, 300)])

    expected_worth = by_the_rules(now, worth, monkeypatch)
    assert values[*mask_and_state(now.open), upper] == pytest.approx(expected_worth, abs=1e-9)


def test_every_sheet_of_a_game_has_its_place() -> None:
    assert mask_and_state(Sheet().open) == (127, int(np.argmax(solver.LOWER.open)))
    random, state = Random(1), power.GAME.start(["A"], {})
    while (event := random_event(power.GAME, state, random)) is not None:
        state = power.GAME.apply(state, event)
        mask, lower = mask_and_state(state.sheets[0].open)
        opened = mask.bit_count() + int(solver.LOWER.open[lower])
        assert opened == state.sheets[0].open.bit_count()
        assert min(state.sheets[0].upper, 300) <= highest_sum(mask)
