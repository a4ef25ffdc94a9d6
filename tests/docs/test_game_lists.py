"""The lists of games in documents are those that games themselves give."""

from dataclasses import replace
from pathlib import Path

import pytest

from games.registry import find_game
from scripts import list_games
from tests.paths import ROOT


def test_all_lists_are_up_to_date() -> None:
    for file, text in list_games.made().items():
        assert (ROOT / file).read_text("utf-8") == text, f"{file}: run scripts/list_games.py"


def test_a_new_game_is_listed_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    new = replace(find_game("yatzy"), name="new-game", title="New Game")
    monkeypatch.setattr(list_games, "GAMES", [*list_games.GAMES, new])
    for file, text in list_games.made().items():
        assert "new-game" in text or "New Game" in text, file
    index = list_games.made()[Path("docs/rules/index.md")]
    assert "the first round of Classic, Power, Yatzy or New Game a player may join" in index


def test_a_list_that_is_gone_is_named() -> None:
    listed = list_games.Listed(Path("README.md"), "here:", "end", "games")
    assert listed.of("here: Classic end") == "here:gamesend"
    with pytest.raises(ValueError, match="expected 'here:', then 'end'"):
        listed.of("here: Classic")
