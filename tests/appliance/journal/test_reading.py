"""Games are read without writing: from a read-only card, and while a game is being played."""

import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from appliance.journal.recovery import BESIDE, beside, reading
from tests.appliance.journal.test_database import VERSION_1, begin

from appliance.errors import JournalError
from appliance.journal import recovery
from appliance.journal.journal import Journal


def lines(path: Path) -> list[tuple[str, ...]]:
    with reading(path) as (journal, salvage):
        assert salvage is None
        return [saved.lines for saved in journal.games()]


def files(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "games.sqlite3"
    with Journal(file) as journal:
        journal.append(begin(journal), 0, ["one", "two"])
    return file


@pytest.fixture
def killed(tmp_path: Path, path: Path) -> Path:
    """As a killed program leaves it: the last line is only in SQLite's log."""
    folder = tmp_path / "killed"
    folder.mkdir()
    with Journal(path) as journal:
        journal.append(1, 2, ["three"])
        for suffix in ("", *BESIDE):
            shutil.copy(beside(path, suffix), folder)
    return folder / path.name


def test_nothing_is_written_or_made_beside(path: Path) -> None:
    before = files(path.parent)
    assert lines(path) == [("one", "two")]
    assert files(path.parent) == before


def test_what_a_power_cut_left_in_the_log_is_read_and_stays_there(killed: Path) -> None:
    beside(killed, "-shm").unlink()
    before = files(killed.parent)
    assert lines(killed) == [("one", "two", "three")]
    assert files(killed.parent) == before


def test_games_are_read_while_one_is_played(path: Path) -> None:
    with Journal(path) as playing:
        playing.append(1, 2, ["three"])
        with reading(path) as (journal, _):
            assert journal.path == path
            assert journal.load(1).lines == ("one", "two", "three")
            playing.append(1, 3, ["four"])
            assert journal.load(1).lines[-1] == "four"
            with pytest.raises(JournalError, match="readonly"):
                journal.delete(1)


def test_sqlite_need_not_be_able_to_make_its_log(path: Path) -> None:
    path.with_name("games.sqlite3-wal").mkdir()
    with pytest.raises(JournalError, match="unable to open"):
        Journal(path)
    assert lines(path) == [("one", "two")]


def test_a_journal_of_the_first_version_is_read_and_stays_one(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    old = sqlite3.connect(path)
    old.executescript(VERSION_1)
    old.close()
    before = files(tmp_path)
    assert lines(path) == [(), ("roll 1 2 3 4 5 power",)]
    assert files(tmp_path) == before


def test_of_a_damaged_file_is_read_what_can_be_and_it_stays_as_it_is(path: Path) -> None:
    path.write_bytes(bytes(4096) + path.read_bytes()[4096:])
    before = files(path.parent)
    with reading(path) as (journal, salvage):
        assert salvage is not None
        assert journal.load(1).lines == ("one", "two")
    assert files(path.parent) == before


def test_a_file_that_is_larger_than_all_games_is_not_copied(path: Path) -> None:
    with path.open("r+b") as file:
        # Takes no room on the disk.
        file.truncate(2_000_000_000)
    with pytest.raises(JournalError, match="Larger than"), reading(path):
        pass


def test_a_file_of_somebody_else_is_named(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(recovery, "copy_file", refuse)
    with pytest.raises(JournalError, match=r"Permission denied.*sudo -u dicetray"), reading(path):
        pass


def mounts() -> bool:
    """Whether a folder can be mounted read-only here."""
    try:
        done = subprocess.run(["unshare", "-rm", "true"], capture_output=True, check=False)
    except FileNotFoundError:
        return False
    return done.returncode == 0


READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'


ASK = """
import sys
from pathlib import Path
from appliance.journal.recovery import reading
with reading(Path(sys.argv[1])) as (journal, _):
    print(*journal.load(1).lines)
"""


@pytest.mark.skipif(not mounts(), reason="folders cannot be mounted here")
@pytest.mark.parametrize(
    ("lost", "read"),
    [(BESIDE, "one two"), (("-shm",), "one two three"), ((), "one two three")],
)
def test_a_card_that_can_only_be_read_gives_its_games(
    killed: Path, lost: tuple[str, ...], read: str
) -> None:
    for suffix in lost:
        beside(killed, suffix).unlink()
    inside = [sys.executable, "-c", ASK, str(killed)]
    command = ["unshare", "-rm", "sh", "-c", READ_ONLY, str(killed.parent), *inside]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == (f"{read}\n", "")


MEMORY_FULL = "mount -t tmpfs -o size=64k none /dev/shm && head -c 65536 /dev/zero >/dev/shm/full; "
MEMORY_LOCKED = "mount -t tmpfs -o ro none /dev/shm; "
NO_MEMORY = "mount --bind /dev/null /dev/shm 2>/dev/null; mount -t tmpfs none /dev; "


@pytest.mark.skipif(not mounts(), reason="folders cannot be mounted here")
@pytest.mark.parametrize(
    "memory", [MEMORY_FULL, MEMORY_LOCKED, NO_MEMORY], ids=["full", "locked", "none"]
)
@pytest.mark.parametrize("damaged", [False, True])
def test_games_are_read_whatever_state_the_memorys_folder_is_in(
    path: Path, memory: str, damaged: bool
) -> None:
    if damaged:
        with path.open("r+b") as file:
            file.write(b"not SQLite")
    inside = [sys.executable, "-c", ASK, str(path)]
    command = ["unshare", "-rm", "sh", "-c", memory + 'exec "$0" "$@"', *inside]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("one two\n", "")
