"""Copies on a stick: whole or absent; restoring them loses, doubles or changes no game."""

import os
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from appliance.journal.database import Journal, SavedGame

from appliance.errors import JournalError
from appliance.journal.copies import (
    copies,
    profile_in,
    restore_copy,
    restore_profile,
    save_copy,
    save_profile,
)
from calibration import store
from calibration.accuracy import Check
from calibration.errors import StoreError
from tests.calibration.test_store import calibration, same


def add(journal: Journal, player: str, *lines: str) -> int:
    number = journal.begin("power", "2009", [player], [], "0.1.0")
    journal.append(number, 0, lines)
    return number


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "state").mkdir()
    path = tmp_path / "state/games.sqlite3"
    with Journal(path) as journal:
        for player in ("ANNA", "BEN", "CLEO"):
            add(journal, player, "roll 1 2 3 4 5 power", "keep 1 2")
        journal.remember("desk", '{"names": ["ANNA"]}')
    return path


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    (tmp_path / "stick").mkdir()
    return tmp_path / "stick"


def games(path: Path) -> list[SavedGame]:
    with Journal(path) as journal:
        return list(journal.games())


def test_a_copy_has_everything_while_the_games_are_in_use(path: Path, stick: Path) -> None:
    with Journal(path) as playing:
        add(playing, "DORA", "roll 6 6 6 6 6 power")
        assert save_copy(path, stick) == 4
        add(playing, "EMIL")
    assert [file.name for file in stick.iterdir()] == ["dicetray-games-0001.sqlite3"]
    assert games(copies(stick)[0]) == games(path)[:4]


def test_a_game_whose_player_got_a_name_since_is_not_restored_again(
    path: Path, stick: Path
) -> None:
    with Journal(path) as journal:
        number = add(journal, "PLAYER 1", "roll 6 6 6 6 6 power")
        add(journal, "SPIELER 2", "roll 6 6 6 6 6 power")
    save_copy(path, stick)
    with Journal(path) as journal:
        journal.name_players(number, ["DORA"])
    assert restore_copy(path, stick) == 0
    assert [game.players for game in games(path)[3:]] == [("DORA",), ("SPIELER 2",)]


def test_copies_lie_beside_each_other(path: Path, stick: Path) -> None:
    for _ in range(3):
        save_copy(path, stick)
    (stick / "dicetray-games-0002.sqlite3").unlink()
    save_copy(path, stick)
    assert [file.stem[-4:] for file in copies(stick)] == ["0001", "0003", "0004"]


def test_a_full_stick_leaves_the_copies_before_alone(
    path: Path, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_copy(path, stick)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(JournalError, match="No space left"):
        save_copy(path, stick)
    assert len(list(stick.iterdir())) == 1


def test_a_copy_that_comes_back_otherwise_is_none(
    path: Path, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worn or counterfeit stick reports that all is well."""
    real = Journal.copy

    def loses(journal: Journal, to: Path) -> None:
        real(journal, to)
        with closing(sqlite3.connect(to, isolation_level=None)) as copy:
            copy.execute("DELETE FROM games WHERE id=2")

    monkeypatch.setattr(Journal, "copy", loses)
    with pytest.raises(JournalError, match="expected 3 games"):
        save_copy(path, stick)
    assert list(stick.iterdir()) == []


def test_a_new_card_gets_all_games_back(path: Path, stick: Path, tmp_path: Path) -> None:
    save_copy(path, stick)
    new = tmp_path / "new.sqlite3"
    Journal(new).close()
    assert restore_copy(new, stick) == 3
    assert games(new) == games(path)
    with Journal(new) as journal:
        assert journal.remembered("desk") == '{"names": ["ANNA"]}'
    assert restore_copy(new, stick) == 0, "the second time all are there"


def test_the_game_on_the_board_stays_the_one_that_goes_on(
    path: Path, stick: Path, tmp_path: Path
) -> None:
    save_copy(path, stick)
    new = tmp_path / "new.sqlite3"
    with Journal(new) as playing:
        present = add(playing, "ZOE", "roll 2 2 2 2 2 power")
        assert restore_copy(new, stick) == 3
        last = playing.last()
    assert last is not None
    assert last.id == present


def test_games_that_were_played_on_stay_as_they_are(path: Path, stick: Path) -> None:
    save_copy(path, stick)
    with Journal(path) as journal:
        journal.append(1, 2, ["roll 1 1 1 1 1 power"])
        journal.delete(3)
        journal.remember("desk", "{}")
    assert restore_copy(path, stick) == 1
    assert [len(game.lines) for game in games(path)] == [3, 2, 2]
    with Journal(path) as journal:
        assert journal.remembered("desk") == "{}"


def test_numbers_that_other_games_have_are_left_to_them(
    path: Path, stick: Path, tmp_path: Path
) -> None:
    save_copy(path, stick)
    new = tmp_path / "new.sqlite3"
    with Journal(new) as journal:
        add(journal, "ZOE", "roll 2 2 2 2 2 power")
    assert restore_copy(new, stick) == 3
    assert sorted(game.players[0] for game in games(new)) == ["ANNA", "BEN", "CLEO", "ZOE"]
    assert games(new)[0].players == ("ZOE",)


def test_a_damaged_copy_gives_way_to_the_one_before(
    path: Path, stick: Path, tmp_path: Path
) -> None:
    save_copy(path, stick)
    save_copy(path, stick)
    copies(stick)[-1].write_bytes(b"nothing of it is left")
    new = tmp_path / "new.sqlite3"
    Journal(new).close()
    assert restore_copy(new, stick) == 3


def test_an_empty_stick_has_nothing(path: Path, stick: Path) -> None:
    assert copies(stick) == copies(stick / "away") == []
    assert restore_copy(path, stick) == 0


OLD, NEW = calibration(), replace(calibration(), check=Check(90, 0))


@pytest.fixture
def profile(path: Path) -> Path:
    profile = path.parent / "tray.profile"
    store.save(profile, OLD)
    return profile


def test_the_profile_lies_beside_the_games_and_fits_a_new_card(
    path: Path, profile: Path, stick: Path, tmp_path: Path
) -> None:
    for known in (OLD, NEW):
        store.save(profile, known)
        save_copy(path, stick)
        save_profile(profile, stick)
    names = sorted(file.name for file in stick.glob("*.profile"))
    assert names == ["dicetray-games-0001.profile", "dicetray-games-0002.profile"]
    new = tmp_path / "card/tray.profile"
    assert restore_profile(new, stick)
    assert same(store.load(new), NEW)


def test_a_profile_that_is_there_is_left_alone(path: Path, profile: Path, stick: Path) -> None:
    """It may be the newer one: the camera was moved since, and clocks may be wrong."""
    save_copy(path, stick)
    save_profile(profile, stick)
    for content in (store.encode(NEW), b"damaged, or of a later version"):
        profile.write_bytes(content)
        assert not restore_profile(profile, stick)
        assert profile.read_bytes() == content
    profile.unlink()
    store.previous_of(profile).write_bytes(b"of a start that was cut off")
    assert not restore_profile(profile, stick)
    assert not profile.exists()


def test_a_damaged_profile_gives_way_to_the_one_before(
    path: Path, profile: Path, stick: Path, tmp_path: Path
) -> None:
    store.save(profile, NEW)
    profile.write_bytes(profile.read_bytes()[:-1])
    for _ in range(2):
        save_copy(path, stick)
        save_profile(profile, stick)
    found = profile_in(stick)
    assert found is not None
    assert same(found, OLD)
    (stick / "dicetray-games-0002.profile").write_bytes(b"nothing of it is left")
    assert restore_profile(tmp_path / "new.profile", stick)
    assert same(store.load(tmp_path / "new.profile"), OLD)


def test_without_a_whole_profile_none_is_copied(path: Path, profile: Path, stick: Path) -> None:
    save_copy(path, stick)
    profile.write_bytes(b"damaged")
    save_profile(profile, stick)
    profile.unlink()
    save_profile(profile, stick)
    assert not restore_profile(profile, stick)
    assert [file.suffix for file in stick.iterdir()] == [".sqlite3"]


def test_a_profile_that_cannot_be_copied_is_an_error(
    path: Path, profile: Path, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_copy(path, stick)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreError, match="No space left"):
        save_profile(profile, stick)
    assert profile_in(stick) is None


def test_a_profile_that_comes_back_otherwise_is_an_error(
    path: Path, profile: Path, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_copy(path, stick)
    monkeypatch.setattr(store, "encode", lambda _: b"dicetray-profile 2 of a false stick")
    with pytest.raises(StoreError, match="damaged"):
        save_profile(profile, stick)
