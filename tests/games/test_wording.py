"""What people read of a game is checked as the game is made: a wrong one brings no other down."""

from dataclasses import replace
from typing import Any

import pytest

from games.registry import find_game
from games.wording import BadWording, Wording

TOLD = Wording(telling=(("FIVE DICE", "ONE ROLL"),))


@pytest.mark.parametrize(
    ("wording", "found"),
    [
        ({"en": {"pair": "PAIR"}}, "expected a Wording for 'en', found {'pair': 'PAIR'}"),
        ({"de": TOLD}, "expected 0 pages to tell the game, found 1 for 'de'"),
        ({"en": TOLD, "de": Wording(telling=TOLD.telling * 2)}, "expected 1 pages .*found 2"),
    ],
)
def test_words_that_cannot_be_shown_are_refused(wording: Any, found: str) -> None:
    with pytest.raises(BadWording, match=found):
        replace(find_game("yatzy"), wording=wording)


@pytest.mark.parametrize(
    ("labels", "telling", "found"),
    [
        ({"pair": 2}, (), "expected texts in a Wording, found 2"),
        ({}, (("ONE", 2),), "expected texts in a Wording, found 2"),
        ({}, (("ONE", "TWO", "THREE"),), "expected 2 lines a page"),
    ],
)
def test_texts_are_texts_and_pages_have_two_lines(labels: Any, telling: Any, found: str) -> None:
    with pytest.raises(BadWording, match=found):
        Wording(labels, telling)


def test_a_language_may_leave_out_how_a_game_goes() -> None:
    game = replace(find_game("yatzy"), wording={"en": TOLD, "de": Wording({"pair": "PAAR"})})
    assert game.telling == TOLD.telling
    assert replace(game, wording={}).telling == ()
