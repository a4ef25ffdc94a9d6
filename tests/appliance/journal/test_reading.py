"""Games are read without writing: from a read-only card, and while a game is being played."""

import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from appliance.errors import JournalError
from appliance.journal import old_journal
from appliance.journal.journal import Journal
from appliance.journal.reading import reading
from appliance.journal.saved_game import SavedGame
from tests.rigs.old_journals import add_to_old, open_old, write_old
from tests.rigs.stored_games import games_of


def lines(path: Path) -> list[tuple[str, ...]]:
    with reading(path) as journal:
        return [saved.lines for saved in games_of(journal)]


def files(folder: Path) -> dict[str, bytes]:
    found = (file for file in folder.rglob("*") if file.is_file())
    return {str(file.relative_to(folder)): file.read_bytes() for file in found}


def begin(journal: Journal) -> int:
    return journal.begin("classic", "2009", ("ANNA",), (("first", 0),), "1.0.0")


def old_game(number: int, *texts: str) -> SavedGame:
    options = (("first", 0),)
    return SavedGame(number, "classic", "2009", ("ANNA",), options, "1.0.0", False, texts)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "new" / "games.sqlite3"
    file.parent.mkdir()
    with Journal(file) as journal:
        journal.append(begin(journal), 0, ["one", "two"])
    return file


@pytest.fixture
def killed(tmp_path: Path) -> Path:
    """As a killed program of an earlier version leaves it: a game is only in SQLite's log."""
    file = write_old(tmp_path / "old.sqlite3", [old_game(1, "one", "two")])
    left = tmp_path / "killed" / "games.sqlite3"
    left.parent.mkdir()
    with closing(open_old(file)) as db:
        add_to_old(db, [old_game(2, "three")])
        for suffix in ("", "-wal", "-shm"):
            shutil.copy(f"{file}{suffix}", f"{left}{suffix}")
    return left


def test_nothing_is_written_or_made(path: Path) -> None:
    before = files(path.parent)
    assert lines(path) == [("one", "two")]
    assert files(path.parent) == before


@pytest.mark.parametrize("index", [True, False])
def test_what_a_power_cut_left_in_the_log_is_read_and_stays_there(
    killed: Path, index: bool
) -> None:
    if not index:
        Path(f"{killed}-shm").unlink()
    before = files(killed.parent)
    assert lines(killed) == [("one", "two"), ("three",)]
    assert files(killed.parent) == before


def test_games_are_read_while_one_is_played(path: Path) -> None:
    with Journal(path) as playing:
        playing.append(1, 2, ["three"])
        with reading(path) as journal:
            assert journal.path == path
            assert journal.load(1).lines == ("one", "two", "three")
            playing.append(1, 3, ["four"])
            assert journal.load(1).lines[-1] == "four"


def test_old_games_are_read_while_an_earlier_version_plays(tmp_path: Path) -> None:
    path = write_old(tmp_path / "games.sqlite3", [old_game(1, "one")])
    with closing(open_old(path)) as playing:
        add_to_old(playing, [old_game(2, "two")])
        assert lines(path) == [("one",), ("two",)]
        add_to_old(playing, [old_game(3, "three")])
        assert lines(path) == [("one",), ("two",), ("three",)]


def test_a_line_that_is_being_written_is_not_there_yet(path: Path) -> None:
    (going,) = path.with_suffix("").glob("going/*.game")
    with going.open("ab") as file:
        file.write(b"thr")
    before = files(path.parent)
    assert lines(path) == [("one", "two")]
    assert files(path.parent) == before


def test_a_file_of_somebody_else_is_named(killed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    Path(f"{killed}-shm").unlink()
    monkeypatch.setattr(old_journal, "copy_file", refuse)
    with pytest.raises(JournalError, match=r"Permission denied.*sudo -u dicetray"), reading(killed):
        pass


def mounts() -> bool:
    """True if a folder can be mounted read-only here."""
    try:
        done = subprocess.run(["unshare", "-rm", "true"], capture_output=True, check=False)
    except FileNotFoundError:
        return False
    return done.returncode == 0


READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'


ASK = """
import sys
from pathlib import Path
from appliance.journal.reading import reading
with reading(Path(sys.argv[1])) as journal:
    for game in sorted(journal.games(), key=lambda game: game.id):
        print(*game.lines)
"""


@pytest.mark.skipif(not mounts(), reason="folders cannot be mounted here")
@pytest.mark.parametrize(
    ("lost", "read"),
    [
        (("-wal", "-shm"), "one two\n"),
        (("-shm",), "one two\nthree\n"),
        ((), "one two\nthree\n"),
        (None, "one two\n"),
    ],
)
def test_a_card_that_can_only_be_read_gives_its_games(
    path: Path, killed: Path, lost: tuple[str, ...] | None, read: str
) -> None:
    file = path if lost is None else killed
    for suffix in lost or ():
        Path(f"{killed}{suffix}").unlink()
    inside = [sys.executable, "-c", ASK, str(file)]
    command = ["unshare", "-rm", "sh", "-c", READ_ONLY, str(file.parent), *inside]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == (read, "")
