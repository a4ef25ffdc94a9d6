"""Clicks that wait for nothing: none counts for dice that were not on view."""

from pathlib import Path

import pytest

from appliance.rules.registry import GAMES
from tests.rigs.by_hand.clicks import Clicked, click_game
from tests.rigs.proof.games import SETUPS


def check(game: str, folder: Path, seed: int) -> Clicked:
    clicked = click_game(SETUPS[game][-1], seed, most=15, folder=folder)
    assert clicked.faults == []
    assert clicked.throws and clicked.refused
    return clicked


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(GAMES))
def test_no_click_counts_for_dice_that_were_not_on_view(
    game: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.getbasetemp()
    clicked = [check(game, folder, seed) for seed in (0, 1)]
    assert any(one.chosen for one in clicked)
