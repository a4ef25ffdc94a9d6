"""The last turn of Power, played to win."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import power
from games.power import Cross, Kind, Score, State
from games.power.sheet import CROSSED_SLOT, FilledSlot, Sheet, Slot
from games.registry import find_game
from games.strategy import advice
from games.strategy.power import PowerSolver
from games.strategy.power.ending import win_chances
from games.values import Keep, Left, Rolled
from tests.games.strategy.positions import decisions
from tests.rigs.examples import examples


def sheet(*still: Slot, scored: int = 0) -> Sheet:
    """A sheet with these slots open and `scored` points in chance."""
    lines = [None if slot in still else CROSSED_SLOT for slot in Slot]
    if scored:
        lines[Slot.CHANCE] = FilledSlot(scored, 1)
    return Sheet.of(lines)


def turn(mine: Sheet, other: Sheet, dice: tuple[int, ...], power_face: str, roll: int) -> State:
    return State(("A", "B"), (mine, other), 0, 0, 0, roll, dice, power_face, None)


def test_what_is_needed_to_win_is_risked_for() -> None:
    # Four fives score 20 at power 1, and only more than 30 wins: the Power die is thrown again.
    state = turn(sheet(Slot.FIVES), sheet(Slot.ACES, scored=30), (5, 5, 5, 5, 2), "1", 2)
    hint = advice.hint(find_game("power"), state)
    assert hint is not None
    assert isinstance(hint.choice, Keep)
    assert hint.measure == "game"
    keep = hint.choice
    held, wins = power.GAME.apply(state, keep), 0.0
    thrown = [slot for slot in range(6) if slot not in keep.slots]
    assert len(thrown) <= 2
    for face in ("1", "2", "3", "double", "freeze", "power"):
        for die in range(1, 7):
            faces = [face if slot == 5 else die for slot in thrown]
            after = power.GAME.apply(held, Rolled(tuple(faces)))
            wins += max(win_chances(after).values()) / 36
    assert hint.expects == pytest.approx(wins)


def test_a_tie_is_half_a_win_and_a_lead_is_kept() -> None:
    state = turn(sheet(Slot.FIVES), sheet(Slot.ACES, scored=20), (5, 5, 5, 5, 2), "1", 3)
    assert win_chances(state)[Score(Kind.FIVES)] == pytest.approx(0.5)
    assert win_chances(state)[Cross(Kind.FIVES)] == 0
    ahead = turn(sheet(Slot.FIVES), sheet(Slot.ACES, scored=19), (5, 5, 5, 5, 2), "1", 2)
    assert win_chances(ahead)[Score(Kind.FIVES)] == pytest.approx(1)


def test_a_double_in_the_last_two_slots_ends_the_game_before_the_other_scores() -> None:
    mine, other = sheet(Slot.FIVES, Slot.ACES), sheet(Slot.FIVE_ALIKE_3, scored=39)
    double = turn(mine, other, (5, 5, 5, 5, 1), "double", 3)
    assert win_chances(double)[Score(Kind.FIVES)] == pytest.approx(1)
    single = turn(mine, other, (5, 5, 5, 5, 1), "2", 3)
    # The opponent then has a turn left, and may well end with more than 40.
    assert 0 < win_chances(single)[Score(Kind.FIVES)] < 1


def test_alone_and_early_points_count() -> None:
    assert not any(win_chances(state) for state in decisions("power", 1, 2))
    early = turn(Sheet(), Sheet(), (5, 5, 5, 5, 1), "2", 3)
    assert win_chances(early) == {}
    almost = State(
        ("A", "B", "C"), (Sheet(), Sheet(), sheet(Slot.ACES)), 0, 0, 0, 3, (1,) * 5, "2", None
    )
    assert win_chances(almost)
    assert win_chances(power.GAME.apply(almost, Left(2))) == {}


@settings(max_examples=examples(3, 4))
@given(seed=st.integers(0, 10**6), players=st.integers(2, 4))
def test_chances_are_chances_and_the_best_beats_what_points_say(seed: int, players: int) -> None:
    states = list(decisions("power", players, seed))[-12:]
    for state in Random(seed).sample(states, 4):
        if chances := win_chances(state):
            advised, best = PowerSolver(power.GAME).hint(state), advice.hint(power.GAME, state)
            assert set(chances) == set(power.GAME.choices(state))
            assert all(-1e-9 <= chance <= 1 + 1e-9 for chance in chances.values())
            assert advised is not None
            assert advised.choice is not None
            assert best is not None
            assert best.expects >= chances[advised.choice] - 1e-6
