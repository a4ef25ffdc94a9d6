"""The testable sentences of the second part of the booklet, in its order.

Where a sentence only repeats a clause, `test_rules` has the full test.
"""

from dataclasses import replace
from functools import partial
from itertools import combinations

import pytest

from games import classic
from games.boxes import Score, Zero
from games.classic import Box, Sheet, State
from games.values import IllegalEvent, Keep, Rolled, Throw
from tests.builders import play_text

play = partial(play_text, classic.GAME)


def boxes(state: State) -> set[Box]:
    return {Box(choice.box) for choice in classic.GAME.choices(state) if isinstance(choice, Score)}


def score(faces: str, box: Box) -> int:
    points = classic.GAME.preview(play(f"roll {faces}"), Score(box))
    assert points is not None
    return points.points


def test_contents_five_dice() -> None:
    asked = classic.GAME.ask(classic.GAME.start(["A"], {}))
    assert isinstance(asked, Throw)
    assert len(asked.dice) == 5


def test_summary_thirteen_categories() -> None:
    assert len(Box) == 13
    assert len(boxes(play("roll 1 2 3 4 6"))) == 13


def test_how_to_play_each_player_rolls_all_five_and_the_highest_goes_first() -> None:
    state = classic.GAME.start(["A", "B"], {})
    state = play("roll 6 6 6 6 5; roll 6 6 6 6 6", state)
    asked = classic.GAME.ask(state)
    assert asked is not None
    assert asked.seat == 1


def test_turn_may_stop_after_the_first_or_second_roll() -> None:
    assert boxes(play("roll 1 2 3 4 6"))
    assert boxes(play("roll 1 2 3 4 6; hold 1 2; roll 1 1 1"))


def test_turn_any_or_all_dice_on_the_second_and_third_roll() -> None:
    for first in ("roll 1 2 3 4 6", "roll 1 2 3 4 6; hold 1 2; roll 1 1 1"):
        state = play(first)
        for kept in range(5):
            for slots in combinations(range(5), kept):
                again = classic.GAME.apply(state, Keep(slots))
                after = classic.GAME.apply(again, Rolled((5,) * (5 - kept)))
                before = classic.GAME.dice(state)
                expected = tuple(before[slot] if slot in slots else 5 for slot in range(5))
                assert classic.GAME.dice(after) == expected


def test_turn_may_change_its_mind_about_keepers() -> None:
    state = play("roll 6 6 1 2 3; hold 1 2; roll 1 2 4; hold 3 4 5; roll 3 5")
    assert classic.GAME.dice(state) == (3, 5, 1, 2, 4)
    assert classic.GAME.preview(state, Score(Box.LARGE_STRAIGHT)) is not None


def test_turn_a_box_must_be_filled_after_the_third_roll() -> None:
    state = play("roll 1 2 3 4 6; hold 1; roll 1 1 1 2; hold none; roll 6 6 6 5 5")
    assert all(isinstance(choice, Score | Zero) for choice in classic.GAME.choices(state))
    for event in (Keep((0,)), Rolled((1, 1, 1, 1, 1))):
        with pytest.raises(IllegalEvent):
            classic.GAME.apply(state, event)


def test_turn_is_over_after_a_box_is_filled() -> None:
    state = classic.GAME.start(["A", "B"], {"first": 0})
    state = play("roll 1 2 3 4 6; score chance", state)
    asked = classic.GAME.ask(state)
    assert isinstance(asked, Throw)
    assert (asked.seat, asked.roll) == (1, 1)


def test_scoring_a_zero_by_choice_where_the_dice_fit() -> None:
    # "can't, or don't want to": a zero may go into a box that the roll would fill.
    state = play("roll 6 6 6 6 1; zero four-alike")
    assert state.sheets[0].boxes[Box.FOUR_ALIKE] == 0
    assert state.sheets[0].total == 0
    with pytest.raises(IllegalEvent):
        play("roll 6 6 6 6 1; zero small-straight")


def test_a_joker_is_no_zero() -> None:
    state = play("roll 6 6 6 6 6; score five-alike; roll 6 6 6 6 6")
    assert not any(isinstance(choice, Zero) for choice in classic.GAME.choices(state))


def test_scoring_a_zero_where_nothing_fits() -> None:
    state = play("roll 1 1 2 2 4; score four-alike")
    assert state.sheets[0].boxes[Box.FOUR_ALIKE] == 0


def test_scoring_boxes_in_any_order_each_once() -> None:
    state = classic.GAME.start(["A"], {})
    for box in sorted(Box, key=lambda b: b * 5 % 13):
        state = play("roll 1 1 2 2 4", state)
        assert box in boxes(state)
        state = classic.GAME.apply(state, Score(box))
    assert classic.GAME.outcome(state) is not None


def test_upper_section_adds_only_dice_of_the_number() -> None:
    assert score("4 4 1 4 6", Box.FOURS) == 12
    assert score("4 4 1 4 6", Box.ACES) == 1
    assert score("4 4 1 4 6", Box.FIVES) == 0


def test_upper_section_bonus_by_three_of_each_number() -> None:
    state = classic.GAME.start(["A"], {})
    for face, box in enumerate(tuple(Box)[:6], start=1):
        others = "1 2" if face > 2 else "5 6"
        state = play(f"roll {face} {face} {face} {others}; score {box.word}", state)
    assert (classic.GAME.sheet(state, 0).upper, classic.GAME.scores(state)) == (63, (98,))


def test_upper_section_bonus_by_any_combination_of_63() -> None:
    state = classic.GAME.position(
        players=["A"], sheets=[Sheet.of([None, None, 3, 16, 20, 24, *[None] * 7])]
    )
    assert classic.GAME.scores(state) == (63 + 35,)


def test_three_of_a_kind_needs_three_or_more() -> None:
    assert score("2 2 2 5 6", Box.THREE_ALIKE) == 17
    assert score("2 2 2 2 6", Box.THREE_ALIKE) == 14
    assert score("2 2 2 2 2", Box.THREE_ALIKE) == 10
    assert score("2 2 5 5 6", Box.THREE_ALIKE) == 0


def test_four_of_a_kind_needs_four_or_more() -> None:
    assert score("2 2 2 2 6", Box.FOUR_ALIKE) == 14
    assert score("2 2 2 2 2", Box.FOUR_ALIKE) == 10
    assert score("2 2 2 5 5", Box.FOUR_ALIKE) == 0


def test_any_full_house_is_25() -> None:
    for three in range(1, 7):
        for two in range(1, 7):
            faces = " ".join(map(str, (three, two, three, two, three)))
            assert score(faces, Box.FULL_HOUSE) == (25 if three != two else 0)


@pytest.mark.parametrize("faces", ["1 2 3 4 1", "5 2 3 4 6", "6 5 4 3 1", "2 3 4 5 6"])
def test_any_small_straight_is_30(faces: str) -> None:
    assert score(faces, Box.SMALL_STRAIGHT) == 30


@pytest.mark.parametrize(
    ("faces", "points"), [("5 1 4 2 3", 40), ("2 3 4 5 6", 40), ("1 2 3 4 6", 0)]
)
def test_any_large_straight_is_40(faces: str, points: int) -> None:
    assert score(faces, Box.LARGE_STRAIGHT) == points


def test_first_five_alike_is_50() -> None:
    assert score("3 3 3 3 3", Box.FIVE_ALIKE) == 50
    assert score("3 3 3 3 4", Box.FIVE_ALIKE) == 0


def test_chance_is_the_total_of_any_five_dice() -> None:
    assert score("1 2 4 5 6", Box.CHANCE) == 18
    assert score("1 1 1 1 1", Box.CHANCE) == 5


def test_bonus_for_each_additional_five_alike_after_a_50() -> None:
    state = play("roll 2 2 2 2 2; score five-alike")
    for count, face in enumerate((2, 2, 6, 1), start=1):
        state = play(f"roll {face} {face} {face} {face} {face}", state)
        state = classic.GAME.apply(state, classic.GAME.choices(state)[0])
        assert classic.GAME.sheet(state, 0).bonuses == count


def test_bonus_counts_even_beyond_the_ten_chips_of_the_box() -> None:
    state = play("roll 1 1 1 1 1; score five-alike")
    while classic.GAME.ask(state) is not None:
        state = play("roll 6 6 6 6 6", state)
        state = classic.GAME.apply(state, classic.GAME.choices(state)[0])
    assert classic.GAME.sheet(state, 0).bonuses == 12


def test_no_bonus_after_a_zero_but_the_joker_must_be_used() -> None:
    state = play("roll 1 2 3 4 6; score five-alike; roll 2 2 2 2 2")
    assert boxes(state) == {Box.TWOS}
    assert classic.GAME.sheet(play("score twos", state), 0).bonuses == 0


def test_joker_example_five_fours_in_the_large_straight() -> None:
    state = play("roll 1 2 3 4 6; score five-alike; roll 4 4 1 2 2; score fours")
    state = play("roll 4 4 4 4 4", state)
    assert boxes(state) == set(tuple(Box)[6:]) - {Box.FIVE_ALIKE}
    before = classic.GAME.scores(state)[0]
    state = play("score large-straight", state)
    assert classic.GAME.scores(state)[0] - before == 40


def test_ending_when_every_player_has_filled_thirteen_boxes() -> None:
    state = classic.GAME.start(["A", "B"], {"first": 1})
    for _ in range(26):
        assert classic.GAME.outcome(state) is None
        state = play("roll 1 1 2 2 4", state)
        state = classic.GAME.apply(state, classic.GAME.choices(state)[0])
    assert classic.GAME.outcome(state) is not None


def test_grand_total_adds_both_sections_and_all_bonuses() -> None:
    sheet = replace(Sheet.of([3, 6, 9, 12, 15, 18, 20, 0, 25, 30, 40, 50, 22]), bonuses=2)
    state = classic.GAME.position(players=["A"], sheets=[sheet], held=None)
    read = classic.GAME.sheet(state, 0)
    assert (read.upper, read.upper_bonus, read.lower, read.bonuses) == (63, 35, 187, 2)
    assert read.total == 63 + 35 + 187 + 200


def test_solo_play() -> None:
    assert classic.GAME.min_players == 1
