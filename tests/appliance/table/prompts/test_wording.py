"""Dice and labels as they are spoken, in every language."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.table.prompts.wording import (
    dice_in_words,
    label_in_words,
    name_in_words,
    needs_in_words,
    row_in_words,
    told_dice,
    told_goals,
)
from appliance.words import Label
from games.views import Goal
from tests.rigs.spoken import spoken


@pytest.mark.parametrize(
    ("faces", "english", "german"),
    [
        ((6, 2, 6, 6, 1), "three sixes, a two, a one", "drei sechsen, eine zwei, eine eins"),
        ((1, 1, 1, 1, 1), "five ones", "fünf einsen"),
        ((3, None, 5, None, None), "a five, a three", "eine fünf, eine drei"),
    ],
)
def test_dice_in_words(faces: tuple[int | None, ...], english: str, german: str) -> None:
    assert dice_in_words(faces) == english
    with spoken("de"):
        assert dice_in_words(faces) == german


@given(st.lists(st.none() | st.integers(1, 6) | st.sampled_from(["2", "double", "freeze"])))
def test_of_dice_in_a_row_those_that_are_not_there_yet_are_left_out(
    faces: list[int | str | None],
) -> None:
    known = [place for place, face in enumerate(faces) if face is not None]
    there = faces[known[0] : known[-1] + 1] if known else []
    said = " ".join(told_dice(faces))
    assert bool(said) == bool(known)
    assert row_in_words(faces) == row_in_words(there)
    # A die among others keeps its place: buttons hold them by that.
    assert said.count("unknown") == there.count(None)
    assert [int(digit) for digit in said if digit.isdecimal()] == [
        int(face) for face in there if face is not None and str(face).isdecimal()
    ]


def test_labels_are_said_in_whole_words() -> None:
    full_house, straight = Label("c1 full-house"), Label("2a large-straight")
    assert label_in_words(full_house) == "full house, CENTRE 1"
    assert label_in_words(straight) == "large straight, PLAYER 2"
    with spoken("de"):
        assert label_in_words(full_house) == "Full House, MITTE 1"


@pytest.mark.parametrize(
    ("card", "note", "mine", "needs", "english", "german"),
    [
        ("fives", "need 2", False, 2, "two fives to take it", "dafür zwei fünfen"),
        ("fives", "need 3", True, 3, "three fives to raise it", "zum Erhöhen drei fünfen"),
        ("1a fours", "beat 3", False, 4, "four fours to take it", "dafür vier vieren"),
        ("1a fours", "beat 3", True, 4, "others need four fours", "andere brauchen vier vieren"),
        ("1a chance", "beat 17", False, 18, "18 or more to take it", "dafür mindestens 18"),
        (
            "1a chance",
            "beat 17",
            True,
            18,
            "others need 18 or more",
            "andere brauchen mindestens 18",
        ),
        ("c1 chance", "chips +2", False, 0, "chips +2", "CHIPS +2"),
        ("fives", "full", True, 0, "FULL", "VOLL"),
        ("fives", "", False, 0, "", ""),
    ],
)
def test_what_a_card_takes_is_said_in_dice(
    card: str, note: str, mine: bool, needs: int, english: str, german: str
) -> None:
    assert needs_in_words(Label(card), Label(note), mine, needs) == english
    with spoken("de"):
        assert needs_in_words(Label(card), Label(note), mine, needs) == german


def test_what_is_missing_for_a_bonus_is_said() -> None:
    goal = Goal("upper", 25, 63, 35)
    assert [*told_goals([goal])] == ["38 for the bonus of 35: 25 of 63."]
    with spoken("de"):
        assert [*told_goals([goal])] == ["Noch 38 bis zum Bonus von 35: 25 von 63."]


def test_the_stars_of_a_computer_are_counted() -> None:
    assert name_in_words("ROBO **") == "Robo 2 stars"
    assert name_in_words("BEEP *") == "Beep 1 star"
    with spoken("de"):
        assert name_in_words("ROBO ***") == "Robo 3 Sterne"
