"""The worked turns and the filled sheet of Power's booklet, and its sentences in order."""

from functools import partial

import pytest

from games import power
from games.power import CROSSED_SLOT, Cross, FilledSlot, Kind, Score, Sheet, Slot, State
from games.values import Choose, IllegalEvent, Keep, Throw
from tests.builders import play_text

play = partial(play_text, power.GAME, players=2, first=0)


def line(state: State, slot: Slot) -> FilledSlot | None:
    return state.sheets[0].lines[slot]


# The filled sheet, turn by turn, in an order in which each entry lands in its own slot.
FILLED = (
    (Slot.ACES, 4, 2, 8, "1 1 1 1 6 x2; score aces"),
    (Slot.TWOS, 8, 3, 24, "2 2 2 2 6 x3; score twos"),
    (Slot.THREES, 9, 3, 27, "3 3 3 1 6 power; score threes"),
    (Slot.FOURS, 12, 2, 24, "4 4 4 1 6 x2; score fours"),
    (Slot.FIVES, 25, 3, 75, "5 5 5 5 5 x3; score fives"),
    (Slot.SIXES, 18, 3, 54, "6 6 6 1 2 x3; score sixes"),
    (Slot.CHOICE, 12, 1, 12, "6 6 1 2 3 x1; score choice 6"),
    (Slot.TWO_PAIRS, 17, 3, 51, "2 2 6 6 1 x3; score two-pairs"),
    (Slot.THREE_ALIKE_1, 15, 2, 30, "3 3 3 4 2 x2; score three-alike"),
    (Slot.THREE_ALIKE_2, 22, 3, 66, "6 6 6 3 1 x3; score three-alike"),
    (Slot.FOUR_ALIKE_1, 19, 2, 38, "4 4 4 4 3 x2; score four-alike"),
    (Slot.FOUR_ALIKE_2, None, None, 0, "1 2 3 5 6 x1; cross four-alike"),
    (Slot.FULL_HOUSE, 25, 1, 25, "2 2 5 5 5 x1; score full-house"),
    (Slot.SMALL_STRAIGHT_1, 30, 1, 30, "1 2 3 4 6 freeze; score small-straight"),
    (Slot.SMALL_STRAIGHT_2, None, None, 0, "1 1 2 2 6 x1; cross small-straight"),
    (Slot.LARGE_STRAIGHT_1, 40, 2, 80, "1 2 3 4 5 x2; score large-straight"),
    (Slot.LARGE_STRAIGHT_2, 40, 2, 80, "2 3 4 5 6 x2; score large-straight"),
    (Slot.CHANCE, 20, 3, 60, "6 6 5 2 1 x3; score chance"),
    (Slot.FIVE_ALIKE_1, 50, 2, 100, "6 6 6 6 6 x2; score five-alike"),
    (Slot.FIVE_ALIKE_2, 100, 2, 200, "1 1 1 1 1 x2; score five-alike"),
    (Slot.FIVE_ALIKE_3, None, None, 0, "1 2 2 4 6 x2; cross five-alike"),
)


def test_power_10_the_filled_sheet() -> None:
    state = power.GAME.start(["A"], {})
    for *_, text in FILLED:
        state = play(f"roll {text}", state)
    sheet = power.GAME.sheet(state, 0)
    assert [(row.base, row.power, row.points) for row in sheet.rows] == [
        (base, factor, total) for _, base, factor, total, _ in FILLED
    ]
    assert sheet.upper == 224
    assert sheet.upper_bonus == 100
    assert sheet.upper + sheet.upper_bonus == 324
    assert sheet.lower == 760
    assert sheet.total == 1084
    outcome = power.GAME.outcome(state)
    assert outcome is not None
    assert (outcome.scores, outcome.winners) == ((1084,), (0,))


def test_power_10_the_filled_sheet_in_any_order_of_turns() -> None:
    # Backwards: the X of a kind goes to its last slot, so the rows come out the same except that
    # the scores within a kind swap places.
    state = power.GAME.start(["A"], {})
    for *_, text in reversed(FILLED):
        state = play(f"roll {text}", state)
    sheet = power.GAME.sheet(state, 0)
    assert (sheet.upper, sheet.upper_bonus, sheet.lower, sheet.total) == (224, 100, 760, 1084)
    assert line(state, Slot.FIVE_ALIKE_3) == CROSSED_SLOT


def test_power_10_three_fives_with_power_two() -> None:
    state = play("roll 5 5 1 2 6 x1; hold 1 2; roll 4 4 1 x3; hold 1 2; roll 5 4 1 x2; score fives")
    assert line(state, Slot.FIVES) == FilledSlot(15, 2)
    assert power.GAME.scores(state) == (30, 0)


def test_power_10_four_fours_and_a_six_with_double() -> None:
    state = play("roll 4 4 4 4 6 double; score fours; score four-alike")
    assert line(state, Slot.FOURS) == FilledSlot(16, 2)
    assert line(state, Slot.FOUR_ALIKE_1) == FilledSlot(22, 2)
    rows = power.GAME.sheet(state, 0).rows
    assert (rows[Slot.FOURS].points, rows[Slot.FOUR_ALIKE_1].points) == (32, 44)
    assert power.GAME.scores(state) == (76, 0)


def test_power_10_later_in_the_game_a_double_may_cost_a_slot() -> None:
    for cross, slot in (
        ("five-alike", Slot.FIVE_ALIKE_3),
        ("small-straight", Slot.SMALL_STRAIGHT_2),
        ("large-straight", Slot.LARGE_STRAIGHT_2),
    ):
        state = play(f"roll 4 4 4 4 6 double; score fours; cross {cross}")
        assert line(state, slot) == CROSSED_SLOT
        row = power.GAME.sheet(state, 0).rows[slot]
        assert (row.base, row.power, row.points) == (None, None, 0)


def test_power_10_freeze_with_two_ones() -> None:
    state = play("roll 1 1 3 5 6 freeze")
    assert not any(isinstance(choice, Keep) for choice in power.GAME.choices(state))
    state = play("score aces", state)
    assert line(state, Slot.ACES) == FilledSlot(2, 1)
    assert power.GAME.scores(state) == (2, 0)


def test_power_10_a_three_four_sixes_and_power_kept() -> None:
    state = play("roll 6 6 1 1 2 power; hold 1 2 6; roll 6 6 1; hold 1 2 3 4 6; roll 3")
    assert power.GAME.dice(state) == (6, 6, 6, 6, 3, "power")
    assert power.GAME.ask(state) == Choose(0, 3, 4)
    state = play("hold 1 2 3 4 6; roll 6", state)
    assert power.GAME.dice(state) == (6, 6, 6, 6, 6, "power")
    state = play("score five-alike", state)
    assert line(state, Slot.FIVE_ALIKE_1) == FilledSlot(50, 3)
    assert power.GAME.scores(state) == (150, 0)


def test_how_to_play_one_die_each_and_the_highest_goes_first() -> None:
    state = power.GAME.start(["A", "B"], {})
    asked = power.GAME.ask(state)
    assert isinstance(asked, Throw)
    assert len(asked.dice) == 1
    asked = power.GAME.ask(play("roll 2; roll 3", state))
    assert asked is not None
    assert asked.seat == 1


def test_your_turn_six_dice_kept_or_some_or_all_thrown_up_to_three_times() -> None:
    asked = power.GAME.ask(power.GAME.start(["A"], {}))
    assert isinstance(asked, Throw)
    assert (len(asked.dice), asked.rolls) == (6, 3)
    for text in ("", "; hold none; roll 1 1 2 3 3 x2", "; hold none; roll 1 1 2 3 3 x2; hold 2;"):
        if text.endswith(";"):
            text += " roll 1 2 3 3 x2"
        state = play(f"roll 1 1 2 3 3 x2{text}")
        assert power.GAME.preview(state, Score(Kind.THREES)) is not None


def test_your_turn_always_ends_with_a_mark_on_the_sheet() -> None:
    state = play("roll 1 2 2 4 6 x1")
    assert all(isinstance(c, Score | Cross | Keep) for c in power.GAME.choices(state))
    for choice in power.GAME.choices(state):
        if not isinstance(choice, Keep):
            after = power.GAME.apply(state, choice)
            assert (after.sheets[0].filled, after.seat) == (1, 1)


@pytest.mark.parametrize(("face", "total"), [("x1", 15), ("x2", 30), ("x3", 45)])
def test_the_numbers_multiply(face: str, total: int) -> None:
    assert power.GAME.scores(play(f"roll 5 5 5 4 1 {face}; score fives")) == (total, 0)


def test_end_when_one_sheet_is_full_with_scores_or_zeros() -> None:
    state = power.GAME.start(["A", "B"], {"first": 0})
    for _ in range(20):
        state = play("roll 1 1 1 1 6 x1", state)
        state = power.GAME.apply(state, power.GAME.choices(state)[0])
        state = play("roll 6 6 6 6 6 x3", state)
        state = power.GAME.apply(state, power.GAME.choices(state)[0])
    assert power.GAME.outcome(state) is None
    state = play("roll 1 1 1 1 6 x1", state)
    state = power.GAME.apply(state, power.GAME.choices(state)[0])
    outcome = power.GAME.outcome(state)
    assert outcome is not None
    # B's sheet is not full, and B wins.
    assert state.sheets[1].filled == 20
    assert outcome.winners == (1,)


def test_more_a_zero_where_nothing_fits() -> None:
    lines: list[FilledSlot | None] = [CROSSED_SLOT] * 21
    lines[Slot.ACES] = lines[Slot.LARGE_STRAIGHT_1] = lines[Slot.FIVE_ALIKE_1] = None
    state = power.GAME.position(players=["A"], sheets=[Sheet.of(lines)], turns=18)
    state = play("roll 2 2 3 3 6 x3", state)
    labels = [c.key for c in power.GAME.choices(state) if not isinstance(c, Keep)]
    assert labels == ["cross aces", "cross large-straight", "cross five-alike"]


def test_more_choice_scores_a_number_a_second_time() -> None:
    state = play("roll 4 4 4 1 2 x1; score fours; roll 1 1 1 1 1 x1; score aces")
    state = play("roll 4 4 4 4 2 x2; score choice 4", state)
    assert line(state, Slot.FOURS) == FilledSlot(12, 1)
    assert line(state, Slot.CHOICE) == FilledSlot(16, 2, 4)
    assert power.GAME.sheet(state, 0).upper == 12 + 32


def test_more_the_first_slot_of_a_kind_comes_first() -> None:
    state = play("roll 6 6 6 6 6 x1; score five-alike")
    assert line(state, Slot.FIVE_ALIKE_1) == FilledSlot(50, 1)
    state = play(
        "roll 6 6 6 1 2 x1; score three-alike", play("roll 1 2 3 4 6 x1; cross aces", state)
    )
    assert line(state, Slot.THREE_ALIKE_1) == FilledSlot(21, 1)


def test_more_an_x_goes_to_the_third_five_alike_then_the_second_then_the_first() -> None:
    state = power.GAME.start(["A"], {})
    for slot in (Slot.FIVE_ALIKE_3, Slot.FIVE_ALIKE_2, Slot.FIVE_ALIKE_1):
        state = play("roll 1 2 2 4 6 x1; cross five-alike", state)
        assert [line(state, s) for s in (Slot.FIVE_ALIKE_1, slot)][1] == CROSSED_SLOT
    with pytest.raises(IllegalEvent):
        play("roll 1 2 2 4 6 x1; cross five-alike", state)
