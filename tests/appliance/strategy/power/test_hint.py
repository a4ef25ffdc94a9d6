"""Hints for Power against plain enumeration by the rules."""

from dataclasses import replace
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.rules.game import Face, Keep, Rolled
from appliance.rules.power import game as power
from appliance.rules.power.game import Cross, Kind, Score, Sheet, State
from appliance.rules.power.sheet import SLOTS, upper_bonus
from appliance.rules.power.state import FREEZE, POWER_SLOT
from appliance.strategy.power.hint import FACES_OF_POWER, hands, hint
from appliance.strategy.power.worth import SlotTable, bonus, final, table
from appliance.strategy.turn import HANDS
from tests.appliance.strategy.positions import decisions


def best_use(state: State, seat: int) -> float:
    """The best expected total over all ways to use a roll, by the rules."""
    found = []
    for choice in power.choices(state):
        if not isinstance(choice, Keep):
            after = power.apply(state, choice)
            halfway = after.undoubled is not None
            found.append(best_use(after, seat) if halfway else final(after.sheets[seat]))
    return max(found)


def pick(seed: int) -> State:
    found: list[State] = list(decisions("power", 1 + seed % 2, seed))
    return Random(seed).choice(found)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**6))
def test_hands_are_used_as_the_rules_allow(seed: int) -> None:
    state = pick(seed)
    state = replace(
        state, undoubled=None, sheets=tuple(s if s.open else Sheet() for s in state.sheets)
    )
    sheet = state.sheets[state.seat]
    worths = hands(sheet)
    random = Random(seed)
    for index in random.sample(range(len(HANDS)), 6):
        for column, face in enumerate(FACES_OF_POWER):
            rolled = replace(state, dice=HANDS[index], power=face, roll=3, held=None)
            assert worths[index, column] == pytest.approx(best_use(rolled, state.seat), abs=1e-6)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6))
def test_a_hold_is_worth_the_mean_of_what_can_follow(seed: int) -> None:
    state = pick(seed)
    advised = hint(state)
    assert advised is not None
    keeps = [c for c in power.choices(state) if isinstance(c, Keep)]
    if not keeps:
        return
    few = [c for c in keeps if len(c.slots) >= 4]
    keep = advised.choice if advised.choice in few else Random(seed).choice(few)
    assert isinstance(keep, Keep)
    held = power.apply(state, keep)
    thrown = [slot for slot in range(6) if slot not in keep.slots]
    faces: list[tuple[Face, ...]] = [
        FACES_OF_POWER if slot == POWER_SLOT else tuple(range(1, 7)) for slot in thrown
    ]
    values = []
    for roll in product(*faces):
        after = hint(power.apply(held, Rolled(roll)))
        assert after is not None
        values.append(after.expects)
    mean = sum(values) / len(values)
    if keep == advised.choice:
        assert advised.expects == pytest.approx(mean)
    else:
        assert advised.expects >= mean - 1e-6


def roll(dice: tuple[int, ...], face: str, number: int, sheet: Sheet | None = None) -> State:
    return power.position(
        ["A"], [sheet or Sheet()], first=0, roll=number, dice=dice, power=face, held=None
    )


def test_five_alike_with_power_after_three_rolls_is_scored() -> None:
    advised = hint(roll((6, 6, 6, 6, 6), "power", 3))
    assert advised is not None
    assert isinstance(advised.choice, Score)


def test_power_after_three_rolls_is_used_for_a_fourth() -> None:
    advised = hint(roll((1, 2, 3, 4, 6), "power", 3))
    assert advised is not None
    assert advised.choice == Keep((0, 1, 2, 3, POWER_SLOT))


def test_freeze_leaves_only_scores() -> None:
    advised = hint(roll((1, 1, 3, 5, 6), FREEZE, 1))
    assert advised is not None
    assert isinstance(advised.choice, Score | Cross)


def test_a_double_of_four_fours_takes_the_four_alike() -> None:
    state = roll((4, 4, 4, 4, 6), "double", 3)
    for _ in range(2):
        advised = hint(state)
        assert advised is not None
        assert isinstance(advised.choice, Score)
        assert advised.choice.kind is Kind.FOUR_ALIKE
        state = power.apply(state, advised.choice)
    assert power.scores(state) == (88,)


def test_a_full_upper_section_has_its_bonus_for_certain() -> None:
    assert bonus(0, 3)[210] == upper_bonus(210) == 100
    assert bonus(0, 3)[149] == 0
    # An open slot can only help, and never to more than the highest bonus.
    assert 100 < bonus(1 << 5, 4)[290] <= 200
    assert (np.diff(bonus((1 << 7) - 1, 21)) >= -1e-9).all()


def test_the_table_is_as_it_is_written() -> None:
    again = SlotTable.from_text(table().text)
    assert np.array_equal(again.mean, table().mean)
    assert table().mean.shape == table().deviation.shape == (SLOTS + 1, SLOTS)
    # A first three of a kind is filled before the second one.
    assert table().mean[SLOTS, 8] > table().mean[SLOTS, 9]
