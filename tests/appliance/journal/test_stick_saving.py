"""Saving on a stick: only what is new is written, and a stick pulled out keeps what it had."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import pytest

from appliance.errors import JournalError
from appliance.journal.files import Files
from appliance.journal.journal import Journal
from appliance.journal.packs import PackedGame
from appliance.journal.saved_game import texts_of
from appliance.journal.stick_copies import _games_on, compare
from appliance.journal.stick_files import StickFiles
from appliance.journal.stick_saving import save
from appliance.journal.sums import encode
from tests.appliance.journal.test_stick_copies import Card, files_on
from tests.appliance.journal.test_stick_copies import anna as anna
from tests.appliance.journal.test_stick_copies import new_card as new_card
from tests.appliance.journal.test_stick_copies import stick as stick

OPERATIONS = ("_mkdir", "_create", "_write", "_sync", "_rename", "_unlink", "_sync_names")


def whole_games(stick: Path, folder: Path) -> int:
    """How many games a new card gets from a stick; each has to be whole."""
    shutil.rmtree(folder, ignore_errors=True)
    card = Card(folder)
    with Journal(card.path) as games:
        own = [found.game.saved for found in _games_on(compare(games, stick, calibrated=True))]
    assert all(len(game.lines) and not game.uncounted for game in own)
    return len({game.identity for game in own})


def test_a_further_save_writes_nothing(anna: Card, stick: Path) -> None:
    anna.save(stick)
    before = {path: path.stat().st_mtime_ns for path in stick.rglob("*") if path.is_file()}
    anna.save(stick)
    assert {path: path.stat().st_mtime_ns for path in stick.rglob("*") if path.is_file()} == before


def test_a_further_save_writes_what_changed(anna: Card, stick: Path) -> None:
    anna.save(stick)
    before = files_on(stick)
    anna.play("ANNA")
    anna.save(stick)
    after = files_on(stick)
    assert {Path(name).name for name in after.keys() - before.keys()} == {"going~2.pack"}
    assert {Path(name).name for name in before.keys() - after.keys()} == {"going~1.pack"}
    with Journal(anna.path) as games:
        games.append(6, 1, ["keep 1"], ended=True)
    anna.play("ANNA")
    anna.pack()
    anna.save(stick)
    packs = sorted(path.name[:4] + path.name[-7:] for path in stick.rglob("0*.pack"))
    assert packs == ["0001~2.pack"], "the pack has grown, and the one before it went"


def test_two_cards_of_a_tray_stand_side_by_side(
    anna: Card, stick: Path, tmp_path: Path, new_card: Callable[[str], Card]
) -> None:
    anna.save(stick)
    new = new_card("new")
    new.restore(stick)
    new.play("EVA")
    anna.play("ANNA", "roll 2 2 2 2 2 power")
    anna.save(stick)
    new.save(stick)
    assert whole_games(stick, tmp_path / "third") == 7
    new.restore(stick)
    new.play("EVA")
    new.save(stick)
    assert whole_games(stick, tmp_path / "third") == 8
    assert len(list(stick.rglob("going*.pack"))) == 1, "what is saved elsewhere has gone"
    assert len(list(stick.rglob("0*.pack"))) == 1


def test_what_the_present_game_has_more_of_on_the_stick_stays_there(
    anna: Card, stick: Path, new_card: Callable[[str], Card]
) -> None:
    anna.save(stick)
    new = new_card("new")
    new.restore(stick)
    anna.go_on(5, "keep 1")
    anna.save(stick)
    new.restore(stick)
    new.save(stick)
    new.play("ANNA")
    assert new.restore(stick).longer == [5]


def test_a_file_stays_that_has_a_game_of_a_later_version(
    anna: Card, stick: Path, new_card: Callable[[str], Card]
) -> None:
    anna.save(stick)
    new = new_card("new")
    new.restore(stick)
    game = next(game for game in new.games() if game.id == 4)
    texts = [*texts_of(game), '[Weather "rain"]']
    later = PackedGame(4, 4, len(texts), game.identity, encode(texts)[0])
    folder = next((stick / "dicetray").iterdir())
    (folder / "0009-5f3a09c1d2e4b687~1.pack").write_bytes(later.data)
    new.save(stick)
    assert (folder / "0009-5f3a09c1d2e4b687~1.pack").exists()
    (folder / "0009-5f3a09c1d2e4b687~1.pack").write_bytes(PackedGame.of(game, 4).data)
    new.save(stick)
    assert not (folder / "0009-5f3a09c1d2e4b687~1.pack").exists()


def test_a_card_put_back_to_an_earlier_day_destroys_nothing(
    anna: Card, stick: Path, tmp_path: Path
) -> None:
    for _ in range(2):
        anna.play("ANNA", ended=True)
    anna.pack()
    shutil.copytree(anna.path.parent, tmp_path / "image")
    anna.play("ANNA", "roll 2 2 2 2 2 power", ended=True)
    anna.play("ANNA")
    anna.pack()
    anna.save(stick)
    shutil.rmtree(anna.path.parent)
    shutil.copytree(tmp_path / "image", anna.path.parent)
    anna.play("ANNA", "roll 3 3 3 3 3 power", ended=True)
    anna.play("ANNA")
    anna.pack()
    anna.save(stick)
    assert whole_games(stick, tmp_path / "new") == 11


def test_pulled_out_at_any_moment(
    anna: Card, stick: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna.save(stick)
    shutil.copytree(stick, tmp_path / "before")
    anna.play("ANNA", ended=True)
    anna.play("ANNA")
    anna.pack()
    left = [0]

    def pulled(name: str) -> None:
        real = getattr(StickFiles, name)

        def operation(files: StickFiles, *args: object) -> object:
            left[0] -= 1
            if left[0] < 0:
                raise OSError(5, "the stick is gone")
            return real(files, *args)

        monkeypatch.setattr(StickFiles, name, operation)

    for name in OPERATIONS:
        pulled(name)
    for moment in range(100):
        shutil.rmtree(stick)
        shutil.copytree(tmp_path / "before", stick)
        left[0] = moment
        try:
            anna.save(stick)
            break
        except JournalError:
            left[0] = 1000
            assert whole_games(stick, tmp_path / "new") >= 5, moment
            assert anna.save(stick) == 7
            assert whole_games(stick, tmp_path / "new") == 7
            assert len(list(stick.rglob("*.pack"))) == 2
    assert moment > 10


def test_a_file_goes_only_when_the_next_one_has_its_name_for_good(
    anna: Card, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FAT keeps no log: what was not synced is there or not, each by itself."""
    anna.save(stick)
    anna.play("ANNA")
    done: list[str] = []

    def noted(name: str) -> None:
        real = getattr(StickFiles, name)

        def operation(files: StickFiles, *args: object) -> object:
            done.append(name)
            return real(files, *args)

        monkeypatch.setattr(StickFiles, name, operation)

    for name in OPERATIONS:
        noted(name)
    anna.save(stick)
    assert [name for name in done if name != "_write"] == [
        *("_create", "_sync", "_rename", "_sync", "_sync_names", "_unlink", "_sync_names")
    ]


def test_a_stick_that_is_pulled_out_at_once_has_whole_files(
    anna: Card, stick: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As vfat of Linux 6.12: a file that was renamed is empty there until it is synced anew."""
    rename, sync, empty = Files._rename, Files._sync, set[str]()

    def renamed(files: Files, old: str, new: str) -> None:
        rename(files, old, new)
        if files.folder == stick:
            empty.discard(old)
            empty.add(new)

    def synced(files: Files, name: str, file: BinaryIO) -> None:
        sync(files, name, file)
        empty.discard(name)

    monkeypatch.setattr(Files, "_rename", renamed)
    monkeypatch.setattr(Files, "_sync", synced)
    anna.save(stick)
    for name in empty:
        (stick / name).write_bytes(b"")
    assert whole_games(stick, tmp_path / "new") == 5


def test_a_stick_that_loses_what_it_is_given_is_found_out(
    anna: Card, stick: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna.save(stick)
    before = files_on(stick)
    real = StickFiles._write

    def loses(files: StickFiles, name: str, file: BinaryIO, data: bytes, at: int) -> None:
        real(files, name, file, data, at)
        if b"[Packed" in data:
            file.seek(at + len(data) - 9)
            file.write(b"\0\0\0")
            file.seek(0, 2)

    monkeypatch.setattr(StickFiles, "_write", loses)
    anna.play("ANNA")
    with pytest.raises(JournalError, match="other bytes are read than were written"):
        anna.save(stick)
    assert files_on(stick) == before


def test_a_pack_that_is_damaged_at_home_is_saved_whole(
    anna: Card, stick: Path, tmp_path: Path
) -> None:
    pack = next(path for path in (anna.path.parent / "games/packs").iterdir())
    data = bytearray(pack.read_bytes())
    data[len(data) // 2] ^= 0xFF
    pack.write_bytes(data)
    assert anna.save(stick) == 5
    assert whole_games(stick, tmp_path / "new") == 5


def test_what_is_lost_at_home_stays_on_the_stick(
    anna: Card, stick: Path, new_card: Callable[[str], Card]
) -> None:
    anna.save(stick)
    pack = next((anna.path.parent / "games/packs").iterdir())
    for place in (pack, anna.path.parent / "games/second/packs" / pack.name):
        place.write_bytes(place.read_bytes().replace(b"roll 1 2 3 4 5", b"roll 1 2 3 4 6", 1))
    there = next(stick.rglob("0001*.pack"))
    there.rename(there.with_name(f"another{there.name}"))
    anna.save(stick)
    new = new_card("new")
    new.restore(stick)
    assert sorted(len(game.lines) for game in new.games()) == [1, 1, 2, 2, 2]


def test_a_full_stick_is_said(anna: Card, stick: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(StickFiles, "_write", full)
    with pytest.raises(JournalError, match="No space left on device"), Journal(anna.path) as games:
        save(games, stick, anna.profile)
    assert files_on(stick) == {}
