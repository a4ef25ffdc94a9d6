"""The lists of games in documents are those that games themselves give."""

import re
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
    made = list_games.made()
    for each in list_games.lists():
        if each.before != "# A deck file for ":
            assert re.search("new-game|New Game", made[each.file]), each.file
    assert "or New Game a player may join" in made[Path("docs/rules/index.md")]


def test_games_are_counted_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "Two games; two dice games, five more games, six dice. Ten games are built in."
    monkeypatch.setattr(list_games, "GAMES", [find_game("yatzy")] * 7)
    assert list_games.counted(text) == (
        "Seven games; seven dice games, six more games, six dice. Seven games are built in."
    )


def test_a_list_that_is_gone_is_named() -> None:
    listed = list_games.Listed(Path("README.md"), "here:", "end", "games")
    assert listed.of("here: Classic end") == "here:gamesend"
    with pytest.raises(ValueError, match="expected 'here:', then 'end'"):
        listed.of("here: Classic")
