"""What version 8708561 has saved opens for ever: a journal of all five games, and a profile."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from appliance.cli.main import main
from appliance.journal.database import Journal
from appliance.journal.library import load_session, resumed
from calibration.store import load
from tests.paths import ROOT
from vision.reader import Reader

KEPT = ROOT / "tests" / "data" / "8708561"
SIZE = (1280, 720)
CAMERA = [[950.23932, 0.0, 634.393937], [0.0, 950.23932, 366.868124], [0.0, 0.0, 1.0]]
TRANSLATION = [2.47448, 0.507246, 327.513415]
TRAY = [
    [-108.45164, -67.800919],
    [107.964889, -67.682515],
    [107.693917, 67.04295],
    [-106.987788, 67.928637],
]
DIE_EDGE_MM = 16.0
"""What that version's own program says of the profile."""


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return Path(shutil.copy(KEPT / "journal.sqlite3", tmp_path / "games.sqlite3"))


def test_its_games_come_out_as_they_did(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "export", "--journal", str(journal)]) == 0
    assert capsys.readouterr().out == (KEPT / "games.txt").read_text(encoding="utf-8")


def test_all_of_them_go_on_where_they_were(journal: Path) -> None:
    with Journal(journal) as games:
        sessions = {saved.game: resumed(saved) for saved in games.games()}
        last = load_session(games, None)
    scores = {game: session.rules.scores(session.state) for game, session in sessions.items()}
    assert scores == {
        "classic": (118, 96),
        "power": (74, 146),
        "showdown": (20, 70),
        "free-for-all": (11, 7),
        "holdem": (120, 220),
    }
    over = {game for game, session in sessions.items() if session.rules.ask(session.state) is None}
    assert over == {"classic"}
    assert last.setup.game == "holdem"


def test_its_profile_has_the_same_values_and_reads() -> None:
    profile = load(KEPT / "tray.profile").profile
    assert profile.size == SIZE
    assert profile.camera == pytest.approx(np.array(CAMERA), abs=1e-6)
    assert profile.translation == pytest.approx(np.array(TRANSLATION), abs=1e-6)
    assert profile.tray == pytest.approx(np.array(TRAY), abs=1e-6)
    assert profile.die_edge_mm == pytest.approx(DIE_EDGE_MM, abs=1e-6)
    assert profile.empty is not None
    empty = np.full((profile.size[1], profile.size[0], 3), 90, np.uint8)
    assert Reader(profile).read(empty).dice == ()
