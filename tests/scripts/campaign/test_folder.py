"""Folders of training data: begun with settings, resumed only with the same ones."""

from pathlib import Path

import pytest

from scripts.campaign.folder import NAME, code_hash, opened, settings_of
from scripts.campaign.results import CampaignError
from scripts.training.train_faces import main

SETTINGS = {"patches": {"seed": 1}, "code": "ab", "views": []}


def test_a_folder_is_gone_on_with_by_the_same_settings(tmp_path: Path) -> None:
    folder = tmp_path / "patches"
    opened(folder, SETTINGS)
    (folder / "00001.npz").touch()
    opened(folder, SETTINGS)
    assert settings_of(folder) == SETTINGS


def test_a_folder_of_other_settings_is_refused(tmp_path: Path) -> None:
    opened(tmp_path, SETTINGS)
    with pytest.raises(CampaignError, match="code 'ab'"):
        opened(tmp_path, {**SETTINGS, "code": "cd"})
    assert settings_of(tmp_path) == SETTINGS


def test_files_of_unknown_origin_are_refused(tmp_path: Path) -> None:
    (tmp_path / "00001.npz").touch()
    with pytest.raises(CampaignError, match="unknown settings"):
        opened(tmp_path, SETTINGS)


@pytest.mark.parametrize("text", ["{", "\xff", ""])
def test_damaged_settings_are_an_error(tmp_path: Path, text: str) -> None:
    (tmp_path / NAME).write_text(text, "latin-1")
    with pytest.raises(CampaignError, match=r"settings\.json"):
        opened(tmp_path, SETTINGS)


def test_the_code_is_known_by_what_it_says(tmp_path: Path) -> None:
    assert code_hash("vision/frame.py") == code_hash("vision/frame.py")
    assert code_hash("vision/frame.py") != code_hash("vision/events.py")


def test_the_command_says_so_and_ends_with_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    opened(tmp_path, SETTINGS)
    assert main(["patches", "--out", str(tmp_path), "--shards", "1", "--shard", "1"]) == 2
    assert "take another folder" in capsys.readouterr().err
