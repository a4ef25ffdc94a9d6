"""The games of an earlier version are taken in before the first prompt, and people see how far."""

from pathlib import Path
from unittest.mock import patch

import pytest

from appliance.journal import taking_in
from appliance.journal.saved_game import SavedGame
from appliance.screens.drawing import two_lines
from appliance.service.opening import open_games
from appliance.service.phase import LIMIT_S
from appliance.service.phases import Phases
from appliance.service.systemd import Notifier
from tests.rigs.memory_scoreboard import MemoryScoreboard
from tests.rigs.old_journals import write_old


class Heard(Notifier):
    """Keeps what systemd hears."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def _send(self, line: str) -> None:
        self.said.append(line)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    games = [
        SavedGame(n, "classic", "2009", ("ANNA",), (), "1.0.0", True, (f"undo {n}",))
        for n in range(1, 6)
    ]
    return write_old(tmp_path / "games.sqlite3", games)


def test_the_board_and_systemd_are_told_how_far_old_games_are(old: Path) -> None:
    board, heard = MemoryScoreboard(), Heard()
    with patch.object(taking_in, "GAMES_AT_ONCE", 2):
        journal = open_games(old, board, Phases(heard))
    assert not journal.untold()
    journal.close()
    shown = [two_lines("OLD GAMES", f"{done} OF 5") for done in (2, 4)]
    assert [picture.data for picture in board.pictures] == [picture.data for picture in shown]
    told = f"EXTEND_TIMEOUT_USEC={LIMIT_S * 1_000_000}"
    assert heard.said == [
        line
        for done in (2, 4)
        for line in (f"STATUS=takes in games of an earlier version: {done} of 5", told)
    ]
