"""Clicks that wait for nothing: none counts for dice that were not on view."""

from pathlib import Path

import pytest

from games.registry import GAMES
from tests.rigs.by_hand.clicks import click_game
from tests.rigs.examples import examples
from tests.rigs.proof.games import SETUPS


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(GAMES))
def test_no_click_counts_for_dice_that_were_not_on_view(game: str) -> None:
    taken_back = 0
    games = [*enumerate(SETUPS[game] * 2)]
    # The last two: one is clicked on a page, the other typed.
    for seed, setup in games[-examples(2, len(games)) :]:
        clicked = click_game(setup, seed, most=examples(20, 40), pictures=False)
        assert clicked.faults == []
        assert clicked.throws and clicked.chosen and clicked.refused
        taken_back += clicked.taken_back
    assert taken_back


@pytest.mark.slow
def test_a_game_ends_by_clicks_that_wait_for_nothing(tmp_path: Path) -> None:
    setup = SETUPS["holdem"][0]
    clicked = click_game(setup, 0, most=400, pictures=False)
    assert clicked.ended
    assert clicked.faults == []
    drawn = click_game(setup, 1, most=8, folder=tmp_path)
    assert drawn.faults == []
    assert drawn.throws
