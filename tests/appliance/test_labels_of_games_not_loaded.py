"""What is printed is the same whether or not a game has been loaded for something else before."""

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from appliance.journal.journal import Journal
from games.chance import random_game
from games.notation.events import event_to_text
from games.registry import OWN_GAMES, find_game

ALL_LOADED = "from games.registry import GAMES; list(GAMES.values());"
COMMANDS = ("games list", "games show 1", "games export 3", "stats", "stats --json", "review 1")


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished game of each kind."""
    path = tmp_path_factory.mktemp("games") / "games.sqlite3"
    with Journal(path) as journal:
        for name in OWN_GAMES:
            game = find_game(name)
            players = ("ANNA", "BOB")[: game.max_players]
            options = dict.fromkeys((o for o, words in game.option_words.items() if words.seat), 0)
            events, _ = random_game(game, players, options, Random(1))
            number = journal.begin(name, game.edition, players, tuple(options.items()), "1.0.0")
            lines = [event_to_text(game, event) for event in events]
            journal.append(number, 0, lines, ended=True)
            journal.tidy()
    return path


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_prints_the_same_with_all_games_loaded(command: str, journal: Path) -> None:
    words = [*command.split(), "--journal", str(journal)]
    main = f"from appliance.cli.main import main; main({words})"
    printed = [
        subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.PIPE).stdout
        for code in (main, ALL_LOADED + main)
    ]
    assert printed[0]
    assert printed[0] == printed[1]


@pytest.mark.slow
def test_the_names_of_games_are_said_before_any_is_loaded() -> None:
    names = "from appliance.words import Label; print(Label('holdem'), Label('last free-for-all'))"
    done = subprocess.run([sys.executable, "-c", names], check=True, stdout=subprocess.PIPE)
    assert done.stdout == b"HOLD'EM LAST FREE FOR ALL\n"
