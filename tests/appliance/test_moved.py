"""Imports from where games were in 1.0, and a game written for it: for one release more."""

import shutil
import subprocess
import sys
from pathlib import Path

from games.registry import find_game
from tests.appliance.test_plugins import installed, run
from tests.paths import ROOT

OLD_PAGE = """
from appliance.rules.game import Rolled
from appliance.rules.registry import find_game
from appliance.rules.notation.events import event_from_text, event_to_text
from appliance.rules.record import position_from_text, position_to_text
from appliance.chance import random_event
from appliance.rules.actions import actions, legal_actions
from appliance.strategy.advice import hint

game = find_game("classic")
state = game.apply(game.start(["ANNA"], {}), Rolled((3, 3, 3, 5, 5)))
assert position_from_text(position_to_text(game, state)) == (game, state)
print(hint(game.NAME, state).choice.key, len(legal_actions(game, state)))
"""
"""What the page on the library showed then, in short."""


def test_the_library_page_of_1_0_runs_with_warnings() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "always::DeprecationWarning", "-c", OLD_PAGE],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "hold 123 29\n", done.stderr
    assert "appliance.rules.registry is games.registry now" in done.stderr
    assert "NAME of a game is name now" in done.stderr


def test_what_never_was_is_not_found() -> None:
    code = "import appliance.rules.nothing"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert "ModuleNotFoundError: No module named 'games.nothing'" in done.stderr
    assert not hasattr(find_game("classic"), "NUMBER")


def test_a_game_written_for_1_0_is_played(tmp_path: Path) -> None:
    shutil.copy(ROOT / "tests/games/high_dice_of_1_0.py.txt", tmp_path / "their_dice.py")
    installed(tmp_path, "their-dice", "high-dice = their_dice")
    done = run(tmp_path, "score", "high-dice", "6", "6", "6", "6", "6", "6")
    assert done.returncode == 0, done.stderr
    assert "BANK" in done.stdout
    assert "36" in done.stdout
    listed = run(tmp_path, "doctor", "--only", "games")
    assert "OK     game high-dice: brought by their-dice 1.2" in listed.stdout
