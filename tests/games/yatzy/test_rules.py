"""Yatzy by its published rules; sources: Wikipedia "Yatzy", gambiter.com/dice/Yatzy.html."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import classic, yatzy
from games.actions import actions
from games.boxes import BoxGame, Score
from games.chance import random_event, random_game
from games.dice import FIVE_DICE, rolls
from games.notation.positions import BadPosition
from games.notation.words import RecordError
from games.record import position_from_text, position_to_text
from games.values import Corrected, IllegalEvent, Keep, Left, Points, Rolled
from games.yatzy import Box, Sheet, State, box_scores


def test_a_changed_copy_of_a_game_is_made_of_its_own_parts() -> None:
    house: BoxGame[Any] = replace(yatzy.GAME, name="house-yatzy")
    assert [verb.word for verb in house.verbs] == ["score"]
    assert actions(house) == actions(yatzy.GAME)
    other = replace(house, state=classic.State, empty_sheet=classic.Sheet(), takes_zeros=True)
    assert [verb.word for verb in other.verbs] == ["score", "zero"]
    assert other.boxes is classic.Box
    assert other.verbs[0].actions == tuple(box.word for box in classic.Box)
    assert "five-alike" in {row.key for row in other.sheet(other.start(["A"], {}), 0).rows}


@pytest.mark.parametrize(
    ("box", "dice", "points"),
    [
        (Box.ONES, (1, 1, 1, 5, 6), 3),
        (Box.SIXES, (6, 6, 6, 6, 6), 30),
        (Box.FOURS, (1, 2, 3, 5, 6), 0),
        (Box.PAIR, (5, 3, 3, 2, 1), 6),
        (Box.PAIR, (5, 5, 3, 3, 1), 10),
        (Box.PAIR, (4, 4, 4, 4, 4), 8),
        (Box.PAIR, (1, 2, 3, 4, 6), 0),
        (Box.TWO_PAIRS, (5, 3, 3, 4, 4), 14),
        (Box.TWO_PAIRS, (3, 3, 3, 4, 4), 14),
        (Box.TWO_PAIRS, (4, 4, 4, 4, 1), 0),
        (Box.THREE_ALIKE, (5, 3, 3, 3, 2), 9),
        (Box.THREE_ALIKE, (6, 6, 6, 6, 6), 18),
        (Box.FOUR_ALIKE, (5, 4, 4, 4, 4), 16),
        (Box.FOUR_ALIKE, (3, 3, 3, 5, 5), 0),
        (Box.SMALL_STRAIGHT, (5, 4, 3, 2, 1), 15),
        (Box.SMALL_STRAIGHT, (2, 3, 4, 5, 6), 0),
        (Box.SMALL_STRAIGHT, (1, 2, 3, 4, 6), 0),
        (Box.LARGE_STRAIGHT, (6, 2, 4, 3, 5), 20),
        (Box.LARGE_STRAIGHT, (1, 2, 3, 4, 5), 0),
        (Box.FULL_HOUSE, (3, 5, 5, 3, 3), 19),
        (Box.FULL_HOUSE, (3, 3, 3, 3, 3), 0),
        (Box.CHANCE, (6, 6, 5, 4, 1), 22),
        (Box.YATZY, (2, 2, 2, 2, 2), 50),
        (Box.YATZY, (2, 2, 2, 2, 3), 0),
    ],
)
def test_what_a_roll_scores(box: Box, dice: tuple[int, ...], points: int) -> None:
    assert box_scores(dice)[box] == points
    state = yatzy.GAME.apply(yatzy.GAME.start(["ANNA"], {}), Rolled(dice))
    assert yatzy.GAME.preview(state, Score(box)) == Points(points)
    assert yatzy.GAME.scores(yatzy.GAME.apply(state, Score(box))) == (points,)


def play(*turns: tuple[tuple[int, ...], Box]) -> State:
    state = yatzy.GAME.start(["ANNA"], {})
    for dice, box in turns:
        state = yatzy.GAME.apply(yatzy.GAME.apply(state, Rolled(dice)), Score(box))
    return state


def test_the_bonus_comes_with_63_and_is_50() -> None:
    three = [((face,) * 3 + (face % 6 + 1,) * 2, Box(face - 1)) for face in range(1, 7)]
    before = play(*three[:-1])
    assert yatzy.GAME.goals(before, 0)[0].bonus == 50
    last = yatzy.GAME.apply(before, Rolled((6, 6, 6, 1, 1)))
    assert yatzy.GAME.preview(last, Score(Box.SIXES)) == Points(18 + 50, "upper +50")
    after = yatzy.GAME.apply(last, Score(Box.SIXES))
    assert yatzy.GAME.scores(after) == (63 + 50,)
    assert yatzy.GAME.goals(after, 0) == ()


def test_the_best_game_has_374_points() -> None:
    every = [dice for dice, _ in rolls(FIVE_DICE)]
    best = [max((box_scores(dice)[box], dice) for dice in every) for box in Box]
    state = play(*((dice, box) for (_, dice), box in zip(best, Box, strict=True)))
    assert yatzy.GAME.ask(state) is None
    outcome = yatzy.GAME.outcome(state)
    assert outcome is not None
    assert outcome.scores == (374,)


def test_any_open_box_may_be_chosen_once() -> None:
    state = play(((1, 2, 3, 4, 6), Box.YATZY))
    state = yatzy.GAME.apply(state, Rolled((6, 6, 6, 6, 6)))
    boxes = {choice.box for choice in yatzy.GAME.choices(state) if isinstance(choice, Score)}
    assert boxes == set(Box) - {Box.YATZY}
    with pytest.raises(IllegalEvent, match=r"expected a score in ones, .*chance or a hold"):
        yatzy.GAME.apply(state, Score(Box.YATZY))


def test_three_rolls_corrections_and_leaving_are_those_of_classic() -> None:
    state = yatzy.GAME.start(["ANNA", "BEN"], {"first": 0})
    state = yatzy.GAME.apply(state, Rolled((1, 2, 3, 4, 6)))
    for _ in range(2):
        state = yatzy.GAME.apply(yatzy.GAME.apply(state, Keep((0, 1, 2, 3))), Rolled((6,)))
    assert not any(isinstance(choice, Keep) for choice in yatzy.GAME.choices(state))
    state = yatzy.GAME.apply(state, Corrected(4, 5))
    assert yatzy.GAME.preview(state, Score(Box.SMALL_STRAIGHT)) == Points(15)
    state = yatzy.GAME.apply(state, Left(0))
    assert (state.seat, state.roll, state.held) == (1, 0, ())


@given(st.integers(0, 2**32 - 1), st.integers(1, 6))
def test_a_random_game_ends_with_full_sheets(seed: int, players: int) -> None:
    names = list("ABCDEF"[:players])
    events, state = random_game(yatzy.GAME, names, {}, Random(seed))
    assert sum(isinstance(event, Score) for event in events) == 15 * players
    assert all(0 <= total <= 374 for total in yatzy.GAME.scores(state))


@pytest.mark.parametrize("seed", range(4))
def test_every_position_can_be_written_down(seed: int) -> None:
    random = Random(seed)
    state = yatzy.GAME.start(list("ABCD"[: seed + 1]), {})
    while (event := random_event(yatzy.GAME, state, random)) is not None:
        text = position_to_text(yatzy.GAME, state)
        assert position_from_text(text) == (yatzy.GAME, state)
        state = yatzy.GAME.apply(state, event)


@pytest.mark.parametrize(
    ("boxes", "expected"),
    [
        ("7 - - - - - - - - - - - - - -", "a score of ones, got 7"),
        ("- - - - - - 3 - - - - - - - -", "a score of pair, got 3"),
        ("- - - - - - - - - - 20 - - - -", "a score of small-straight, got 20"),
        ("- - - - - - - - - - - - 30 - -", "a score of full-house, got 30"),
    ],
)
def test_impossible_positions_are_refused(boxes: str, expected: str) -> None:
    with pytest.raises(BadPosition, match=expected):
        position_from_text(f'yatzy seat 1 first 1 | "A" {boxes}')
    short: Any = boxes.rpartition(" ")[0]
    with pytest.raises(RecordError):
        position_from_text(f'yatzy seat 1 first 1 | "A" {short}')


def test_a_sheet_says_what_is_open() -> None:
    sheet = Sheet.of([3, *[None] * 14])
    assert sheet.filled == 1
    assert (sheet.upper, sheet.total) == (3, 3)
    assert [row.key for row in sheet.rows][5:9] == ["sixes", "pair", "two-pairs", "three-alike"]
