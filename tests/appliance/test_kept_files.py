"""Files written by version 8708561 must open for ever: games, a profile, a configuration.

`games.txt` is what its `dicetray games export` printed, `profile.json` what it read from its
profile, numbers to 1e-9, pictures by their SHA-256.
"""

import json
import shutil
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from appliance.cli.config import default_text
from appliance.cli.main import main
from appliance.config import load
from appliance.journal.files import folder_of
from appliance.journal.mending import open_and_mend
from appliance.journal.reading import reading
from appliance.journal.sessions import load_session
from appliance.journal.summary import resume_saved
from calibration.store import load_profile
from simulator.motion.simulated_tray import SimulatedTray
from simulator.scenes.installations import marked_scene
from tests.builders import config_of
from tests.paths import ROOT
from tests.rigs.stored_games import games_of
from vision.reader import Reader
from vision.reading import DieState

KEPT = ROOT / "tests/data/8708561"
GAMES = ("classic", "power", "showdown", "free-for-all", "holdem")
NEAR = 1e-9


@pytest.fixture(params=["itself", "a link to it"])
def journal(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    (tmp_path / "state").mkdir()
    copy = tmp_path / "state" / "journal.sqlite3"
    shutil.copy(KEPT / "journal.sqlite3", copy)
    if request.param == "itself":
        return copy
    link = tmp_path / "journal.sqlite3"
    link.symlink_to(copy)
    return link


def test_the_games_are_listed(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "list", "--journal", str(journal)]) == 0
    lines = capsys.readouterr().out.splitlines()
    with reading(journal) as games:
        names = [saved.game for saved in games_of(games)]
    assert sorted(names) == sorted(GAMES)
    assert len(lines) == len(GAMES)
    assert sum("finished" in line for line in lines) == 1
    assert not any("cannot be read" in line for line in lines)
    assert journal.read_bytes() == (KEPT / "journal.sqlite3").read_bytes()
    assert not folder_of(journal).exists()


def test_the_games_are_exported_byte_for_byte(
    journal: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["games", "export", "--journal", str(journal)]) == 0
    assert capsysbinary.readouterr().out == (KEPT / "games.txt").read_bytes()
    open_and_mend(journal)[0].close()
    assert main(["games", "export", "--journal", str(journal)]) == 0
    assert capsysbinary.readouterr().out == (KEPT / "games.txt").read_bytes()


def test_each_game_is_where_it_was(journal: Path) -> None:
    games, mended = open_and_mend(journal)
    assert mended is None
    with games:
        saved = {game.game: game for game in games_of(games)}
        assert [game for game in GAMES if saved[game].ended] == ["classic"]
        over = resume_saved(saved["classic"])
        assert over.record.rules.outcome(over.record.state) is not None
        for name in GAMES[1:]:
            games.open(saved[name].id)
            session = load_session(games, None)
            assert (session.record.serial, session.record.setup.game) == (saved[name].id, name)
            assert session.record.rules.outcome(session.record.state) is None
            assert session.record.ask is not None
            assert len(session.record.log) == len(saved[name].lines) > 0


def test_the_finished_game_replays_to_its_scores(
    journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "classic.txt"
    first = (KEPT / "games.txt").read_text().split("\n[Game ")[0]
    record.write_text(first)
    assert main(["replay", "--json", str(record)]) == 0
    replayed = json.loads(capsys.readouterr().out)
    assert replayed["over"]
    assert (replayed["players"], replayed["scores"]) == (["ANNA", "BOB"], SCORES)


SCORES = [118, 96]
"""The scores that version 8708561 showed at the end of its game of Classic."""


def picture_sum(picture: NDArray[np.uint8] | None) -> str:
    assert picture is not None
    return sha256(np.ascontiguousarray(picture).tobytes()).hexdigest()


def test_the_profile_gives_the_same_values() -> None:
    profile = load_profile(KEPT / "tray.profile")
    was: dict[str, Any] = json.loads((KEPT / "profile.json").read_text())
    assert list(profile.size) == was["size"]
    for name in ("camera", "distortion", "rotation", "translation", "tray"):
        np.testing.assert_allclose(getattr(profile, name), was[name], rtol=0, atol=NEAR)
    assert profile.die_edge_mm == was["die_edge_mm"]
    assert profile.holders is None
    colours = [[c.kind.value, list(c.body), list(c.pip), c.count] for c in profile.colours]
    assert colours == was["colours"]
    assert [[f.value, picture_sum(f.patch)] for f in profile.power_faces] == was["power_faces"]
    assert picture_sum(profile.empty) == was["empty"]


def test_a_reader_with_the_profile_reads_dice() -> None:
    profile = load_profile(KEPT / "tray.profile")
    tray = SimulatedTray(4, scene=marked_scene())
    tray.throw(dict(enumerate((1, 2, 3, 5, 6))))
    while tray.busy:
        tray.advance(0.1)
    reading = Reader(profile).read(tray.frame(profile.size).image)
    assert sorted(str(die.value) for die in reading.dice) == ["1", "2", "3", "5", "6"]
    assert all(die.state is DieState.OK for die in reading.dice)


def test_its_default_configuration_means_the_same_today() -> None:
    assert load(KEPT / "default.toml") == config_of(default_text())
