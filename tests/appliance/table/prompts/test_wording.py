"""Dice and labels as they are spoken, in every language."""

import pytest

from appliance.table.prompts.wording import dice_in_words, label_in_words
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


def test_labels_in_words() -> None:
    assert label_in_words("C1 FULL H") == "CENTRE 1 FULL HOUSE"
    assert label_in_words("2A LG STR") == "PLAYER 2 A LARGE STRAIGHT"
    with spoken("de"):
        assert label_in_words("2A LG STR") == "SPIELER 2 A GROSSE STRASSE"
