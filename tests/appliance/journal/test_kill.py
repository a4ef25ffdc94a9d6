"""The power may fail at any moment: what the board has shown is on disk."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.appliance.journal.killing import Shown, check, last_shown, play_and_kill
from tests.rigs.examples import examples

SCRIPT = Path(__file__).parent / "endless_game.py"


@pytest.mark.parametrize("seed", range(examples(1, 3)))
def test_what_was_shown_survives_kill_9(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "games.sqlite3"
    shown = Shown()
    # Killed and restarted, so that starting from what a kill left behind is tested too.
    for round_ in range(2):
        child = subprocess.Popen(
            [sys.executable, str(SCRIPT), str(path), str(seed + 100 * round_)],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert child.stdout is not None
        output = ""
        for _ in range(random.Random(seed).randint(1, 120)):
            line = child.stdout.readline()
            assert line, "the game ended by itself"
            output += line
        child.kill()
        output += child.stdout.read()
        child.wait()
        child.stdout.close()
        shown = last_shown(output, shown)
        check(path, shown)


def test_many_kills_one_after_the_other_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    shown = Shown()
    for seed in range(examples(10, 25)):
        shown = play_and_kill(path, seed, shown)
        check(path, shown)
    assert shown.game
