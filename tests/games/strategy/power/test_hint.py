"""Hints for Power against plain enumeration by the rules."""

from dataclasses import replace
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import power
from games.power import Cross, Kind, Score, Sheet, State
from games.power.sheet import CROSSED_SLOT, SLOTS, FilledSlot, upper_bonus
from games.power.state import FREEZE, POWER_SLOT
from games.strategy.power import PowerSolver
from games.strategy.power.hint import (
    FACES_OF_POWER,
    LAST_TURN,
    final_total,
    is_last_turn,
    total_by_hand,
    worth_of_roll,
)
from games.strategy.power.values import Values, load_values, mask_and_state, points_to_come
from games.strategy.turn import HANDS, expected_worth
from games.values import Choice, Face, Keep, Rolled
from tests.games.strategy.positions import decisions
from tests.rigs.examples import examples

hint = PowerSolver(power.GAME).hint


def best_use(state: State, seat: int, values: Values) -> float:
    """The best expected total over all ways to use a roll, by the rules."""
    found = []
    for choice in power.GAME.choices(state):
        if not isinstance(choice, Keep):
            after = power.GAME.apply(state, choice)
            halfway = after.undoubled is not None
            done = final_total(after.sheets[seat], values)
            found.append(best_use(after, seat, values) if halfway else done)
    return max(found)


def pick(seed: int) -> State:
    found: list[State] = list(decisions("power", 1 + seed % 2, seed))
    return Random(seed).choice(found)


@settings(max_examples=examples(5, 10))
@given(st.integers(0, 10**6), st.booleans())
def test_hands_are_used_as_the_rules_allow(seed: int, last: bool) -> None:
    values: Values = LAST_TURN if last else load_values()
    state = pick(seed)
    state = replace(
        state, undoubled=None, sheets=tuple(s if s.open else Sheet() for s in state.sheets)
    )
    sheet = state.sheets[state.seat]
    worths = total_by_hand(sheet, values)
    random = Random(seed)
    for index in random.sample(range(len(HANDS)), 6):
        for column, face in enumerate(FACES_OF_POWER):
            lying = replace(state, dice=HANDS[index], power=face, roll=3, held=None)
            assert worths[index, column] == pytest.approx(
                best_use(lying, state.seat, values), abs=1e-6
            )


@settings(max_examples=examples(5, 15))
@given(st.integers(0, 10**6))
def test_a_hold_is_worth_the_mean_of_what_can_follow(seed: int) -> None:
    state = pick(seed)
    advised = hint(state)
    assert advised is not None
    keeps = [c for c in power.GAME.choices(state) if isinstance(c, Keep)]
    if not keeps:
        return
    few = [c for c in keeps if len(c.slots) >= 4]
    keep = advised.choice if advised.choice in few else Random(seed).choice(few)
    assert isinstance(keep, Keep)
    held = power.GAME.apply(state, keep)
    thrown = [slot for slot in range(6) if slot not in keep.slots]
    faces: list[tuple[Face, ...]] = [
        FACES_OF_POWER if slot == POWER_SLOT else tuple(range(1, 7)) for slot in thrown
    ]
    values = []
    for roll in product(*faces):
        after = hint(power.GAME.apply(held, Rolled(roll)))
        assert after is not None
        values.append(after.expects)
    mean = sum(values) / len(values)
    if keep == advised.choice:
        assert advised.expects == pytest.approx(mean)
    else:
        assert advised.expects >= mean - 1e-6


def roll(dice: tuple[int, ...], face: str, number: int, sheet: Sheet | None = None) -> State:
    return power.GAME.position(
        players=["A"],
        sheets=[sheet or Sheet()],
        first=0,
        roll=number,
        dice=dice,
        power=face,
        held=None,
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
        state = power.GAME.apply(state, advised.choice)
    assert power.GAME.scores(state) == (88,)


def test_a_full_upper_section_has_its_bonus_for_certain() -> None:
    for total in (149, 210, 300, 420):
        state = mask_and_state(1 << 17)
        row = load_values().row(*state)
        assert row[total] - row[0] == pytest.approx(upper_bonus(total), abs=1)
        assert LAST_TURN.row(*state)[total] == upper_bonus(total)


@pytest.mark.parametrize("slot", range(SLOTS))
def test_the_last_slot_is_worth_what_one_turn_brings(slot: int) -> None:
    for total in (0, 60, 120, 149, 199, 250, 299):
        lines: list[FilledSlot | None] = [CROSSED_SLOT] * SLOTS
        lines[0 if slot else 1] = FilledSlot(total, 1)
        lines[slot] = None
        sheet = Sheet.of(lines)
        mask, state = mask_and_state(sheet.open)
        brings = float(expected_worth(worth_of_roll(sheet, 1, LAST_TURN))[0].mean()) - sheet.total
        now = float(load_values().row(mask, state)[total]) - upper_bonus(total)
        assert now == pytest.approx(brings, abs=4), (slot, total)


def test_a_whole_game_is_worth_what_was_solved() -> None:
    # scripts/solve_power.py
    assert points_to_come(load_values(), Sheet()) == pytest.approx(1075.7878620359, abs=2)


def test_the_last_turn_gives_no_points_away() -> None:
    """B, who comes next, has one slot left and fills it whatever the throw."""
    random = Random(5)
    one_left = Sheet.of([CROSSED_SLOT] * (SLOTS - 1) + [None])
    for _ in range(40):
        fresh = Sheet.of([CROSSED_SLOT if random.random() < 0.5 else None for _ in range(SLOTS)])
        dice = HANDS[random.randrange(len(HANDS))]
        blank = power.GAME.start(["A", "B"], {"first": 0})
        state = replace(blank, sheets=(fresh, one_left), roll=3, dice=dice, power="2", held=None)
        assert is_last_turn(state)
        advised = hint(state)
        assert advised is not None
        points: dict[Choice | None, int] = {}
        for choice in power.GAME.choices(state):
            brings = power.GAME.preview(state, choice)
            assert brings is not None
            points[choice] = brings.points
        assert points[advised.choice] == max(points.values())
        assert advised.expects == fresh.total + max(points.values())
