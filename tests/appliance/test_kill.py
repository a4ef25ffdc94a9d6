"""The power may go at any moment: what the board has shown is on disk."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from appliance.journal import Journal
from appliance.service import load_session
from appliance.table.log import line_to_text

SCRIPT = Path(__file__).parent / "endless_game.py"


@pytest.mark.parametrize("seed", range(12))
def test_what_was_shown_survives_kill_9(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "games.sqlite3"
    shown = (0, "")
    # Killed and started again, so that starting on what a kill left behind is tried too.
    for round_ in range(2):
        child = subprocess.Popen(
            [sys.executable, str(SCRIPT), str(path), str(seed + 100 * round_)],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert child.stdout is not None
        lines = random.Random(seed).randint(1, 120)
        for _ in range(lines):
            line = child.stdout.readline()
            assert line, "the game ended by itself"
            game, _, log = line.rstrip("\n").partition("|")
            shown = (int(game), log)
        child.kill()
        rest = child.stdout.read()
        child.wait()
        child.stdout.close()
        for line in rest.splitlines(keepends=True):
            if line.endswith("\n"):
                game, _, log = line.rstrip("\n").partition("|")
                shown = (int(game), log)
        with Journal(path) as journal:
            assert journal.check() == "ok"
            saved = journal.load(shown[0])
            assert ";".join(saved.lines).startswith(shown[1])
            session = load_session(journal, None)
            texts = [line_to_text(session.setup, line) for line in session.log]
            last = journal.last()
            assert last is not None
            assert tuple(texts) == last.lines or last.ended
