"""While a damaged journal is salvaged the disk fails, and then the power: nothing is lost."""

import shutil
import sys
from pathlib import Path
from typing import BinaryIO

import pytest
from appliance.journal.recovery import open_or_salvage

from appliance.alerts import Alert
from appliance.errors import JournalError
from appliance.journal import recovery, wal
from appliance.journal.journal import Journal
from tests.appliance.journal.failing import DAMAGES, LINES, play, salvage
from vision import system
from vision.ordinary import open_to_read

needs_gcc = pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("gcc") is None, reason="needs Linux and gcc"
)


@needs_gcc
def test_what_was_shown_survives_a_power_cut_while_recovering_from_a_failing_disk(
    tmp_path: Path,
) -> None:
    outcomes = list(play(tmp_path, 6, 3))
    assert any(one.refused for one in outcomes)
    assert sum(one.lines for one in outcomes) > 10


@needs_gcc
def test_what_can_be_saved_is_saved_whenever_the_disk_or_the_power_fails(tmp_path: Path) -> None:
    outcomes = list(salvage(tmp_path, 2 * len(DAMAGES), 1))
    assert any(one.refused for one in outcomes)
    assert any(one.calls < 0 for one in outcomes)
    for one in outcomes:
        assert one.lossless, one


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    """A journal whose log, the only copy of a game, has a damaged frame in its middle."""
    live, folder = tmp_path / "live", tmp_path / "left"
    live.mkdir()
    folder.mkdir()
    with Journal(live / "games") as journal:
        number = journal.begin("classic", "2009", ["ANNA"], [("first", 0)], "0.1.0")
        for done in range(LINES):
            journal.append(number, done, [f"roll {done}"])
        for name in ("games", "games-wal"):
            shutil.copyfile(live / name, folder / name)
    log = bytearray((folder / "games-wal").read_bytes())
    log[len(log) // 2] ^= 255
    (folder / "games-wal").write_bytes(log)
    return folder / "games"


@pytest.mark.parametrize("renamings", range(4))
def test_a_power_cut_between_the_names_of_a_file_and_of_its_log_loses_neither(
    damaged: Path, monkeypatch: pytest.MonkeyPatch, renamings: int
) -> None:
    log = (damaged.with_name("games-wal")).read_bytes()
    left = [renamings]
    rename = recovery._rename_durably

    def cut(old: Path, new: Path) -> None:
        if not left[0]:
            raise OSError("the power fails")
        left[0] -= 1
        rename(old, new)

    monkeypatch.setattr(recovery, "_rename_durably", cut)
    if renamings < 3:
        with pytest.raises(JournalError, match="the power fails"):
            open_or_salvage(damaged)
        left[0] = 99
    journal, _ = open_or_salvage(damaged)
    with journal:
        assert [len(saved.lines) for saved in journal.games()] == [LINES]
    assert damaged.with_name("games.damaged-1-wal").read_bytes() == log
    assert damaged.with_name("games.damaged-1").exists()


@pytest.mark.parametrize("failures", [1, wal._TRIES, 10_000])
def test_a_log_that_cannot_be_read_is_read_again_and_never_taken_for_none(
    damaged: Path, monkeypatch: pytest.MonkeyPatch, failures: int
) -> None:
    """A page that cannot be read at all is as one that is damaged."""
    left = [failures]
    read_at = system.read_at

    class Unwilling:
        def __init__(self, file: object) -> None:
            self._file = file

        def read(self) -> bytes:
            raise OSError(5, "Input/output error")

        def fileno(self) -> int:
            return self._file.fileno()  # type: ignore[attr-defined,no-any-return]

    def fails(handle: int, size: int, place: int) -> bytes:
        if place == wal.PAGE * 20 and left[0]:
            left[0] -= 1
            raise OSError(5, "Input/output error")
        return read_at(handle, size, place)

    with open_to_read(damaged.with_name("games-wal")) as file:
        whole = file.read()
        monkeypatch.setattr(system, "read_at", fails)
        found = wal._read_patiently(Unwilling(file))  # type: ignore[arg-type]
    hole = slice(wal.PAGE * 20, wal.PAGE * 21)
    assert found[: hole.start] + found[hole.stop :] == whole[: hole.start] + whole[hole.stop :]
    assert found[hole] == (whole[hole] if failures < wal._TRIES else bytes(wal.PAGE))


def test_a_log_that_cannot_be_opened_is_not_taken_for_none(
    damaged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = damaged.with_name("games-wal").read_bytes()

    def fails(path: Path) -> BinaryIO:
        if path.name == "games-wal":
            raise OSError(5, "Input/output error")
        return open_to_read(path)

    monkeypatch.setattr(wal, "open_to_read", fails)
    for opening in (open_or_salvage, Journal):
        with pytest.raises(JournalError, match="cannot be") as raised:
            opening(damaged)
        assert raised.value.alert is Alert.DISK_FAULT
    assert damaged.with_name("games-wal").read_bytes() == log


def test_who_only_reads_is_told_of_a_damaged_log_and_gets_every_line(damaged: Path) -> None:
    with recovery.reading(damaged) as (journal, done):
        assert done is not None
        assert "SQLite's log" in done.fault
        assert [len(game.lines) for game in journal.games()] == [LINES]


def test_a_new_journal_that_is_not_whole_does_not_take_the_place_of_the_damaged_one(
    damaged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite says nothing where it cannot move the log into the file that it closes."""
    monkeypatch.setattr(Journal, "checkpoint", lambda _: False)
    before = damaged.read_bytes(), damaged.with_name("games-wal").read_bytes()
    with pytest.raises(JournalError, match="another program"):
        open_or_salvage(damaged)
    assert (damaged.read_bytes(), damaged.with_name("games-wal").read_bytes()) == before
    monkeypatch.undo()
    journal, done = open_or_salvage(damaged)
    with journal:
        assert done is not None
        assert done.lines == LINES
