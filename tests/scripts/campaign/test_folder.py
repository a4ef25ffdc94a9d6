"""Folders of training data: begun with settings, resumed only with the same ones."""

from pathlib import Path

import pytest

from scripts.campaign.folder import NAME, code_hash, files_of, opened, settings_of, whole_file
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


def test_what_is_missing_is_named_until_every_part_is_done(tmp_path: Path) -> None:
    for _ in range(2):  # both machines that share the work
        opened(tmp_path, SETTINGS, files=["2.npz", "1.npz", "3.npz"])
    (tmp_path / "2.npz").touch()
    with pytest.raises(CampaignError, match=r"expected 3 files, found 1; .*: 1\.npz, 3\.npz$"):
        files_of(tmp_path)
    for name in ("1.npz", "3.npz", "3.npz.other-machine-7.begun"):
        (tmp_path / name).touch()
    assert files_of(tmp_path) == [tmp_path / f"{k}.npz" for k in (1, 2, 3)]


def test_a_folder_of_other_files_is_refused(tmp_path: Path) -> None:
    opened(tmp_path, SETTINGS, files=["1.npz", "2.npz"])
    with pytest.raises(CampaignError, match=r"found it made with 2 files;") as refused:
        opened(tmp_path, SETTINGS, files=["1.npz"])
    assert "1.npz" not in str(refused.value)


def test_a_folder_that_does_not_say_what_it_is_to_have_is_taken_as_it_is(tmp_path: Path) -> None:
    with pytest.raises(CampaignError, match="found none"):
        files_of(tmp_path)
    (tmp_path / "1.npz").touch()
    assert files_of(tmp_path) == [tmp_path / "1.npz"]


def test_of_two_that_write_a_file_at_once_neither_spoils_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "1.npz"
    with whole_file(path) as given_up:
        given_up.write(b"half of")
        monkeypatch.setattr("socket.gethostname", lambda: "other")
        with whole_file(path) as file:
            file.write(b"all of it")
        assert path.read_bytes() == b"all of it"
        given_up.write(b" it and more")
    assert path.read_bytes() == b"half of it and more"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_was_not_completed_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="full"), whole_file(tmp_path / "1.npz"):
        raise OSError("disk full")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("text", ["{", "\xff", ""])
def test_damaged_settings_are_an_error(tmp_path: Path, text: str) -> None:
    (tmp_path / NAME).write_text(text, "latin-1")
    with pytest.raises(CampaignError, match=r"settings\.json"):
        opened(tmp_path, SETTINGS)


def test_the_code_is_known_by_what_it_says(tmp_path: Path) -> None:
    assert code_hash("vision/frame.py") == code_hash("vision/frame.py")
    assert code_hash("vision/frame.py") != code_hash("vision/events.py")


def test_files_are_not_made_from_an_incomplete_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    opened(tmp_path / "views", SETTINGS, files=["00000.npz"])
    for command in ("patches", "lessons"):
        words = [command, "--views", str(tmp_path / "views"), "--out", str(tmp_path / "out")]
        assert main(words) == 2
        assert "expected 1 files, found 0" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_the_command_says_so_and_ends_with_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    opened(tmp_path, SETTINGS)
    assert main(["patches", "--out", str(tmp_path), "--shards", "1", "--shard", "1"]) == 2
    assert "take another folder" in capsys.readouterr().err
