"""Games of this version are read without writing: after a cut, damaged, while they are moved."""

import subprocess
import sys
from pathlib import Path

import pytest

from appliance.errors import JournalError
from appliance.journal.files import Files, folder_of
from appliance.journal.journal import Journal
from appliance.journal.reading import has_games, reading
from tests.appliance.journal.test_journal import begin, tidy
from tests.appliance.journal.test_reading import READ_ONLY, mounts
from tests.rigs.stored_games import games_of


def lines(path: Path) -> list[tuple[str, ...]]:
    with reading(path) as journal:
        return [saved.lines for saved in games_of(journal)]


def files(folder: Path) -> dict[str, bytes]:
    return {str(file): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """An ended game in a pack, and one that goes on."""
    file = tmp_path / "games.sqlite3"
    with Journal(file) as journal:
        journal.append(begin(journal), 0, ["one", "two"], ended=True)
        journal.append(begin(journal), 0, ["three"])
        tidy(journal)
    return file


@pytest.fixture
def cut(path: Path) -> Path:
    """A journal after a power cut: half a line, a file being written, second places behind."""
    folder = folder_of(path)
    (going,) = (folder / "going").iterdir()
    with going.open("ab") as file:
        file.write(b"fou")
    (folder / "packs" / "0002.pack.new").write_bytes(b"x")
    for second in ((folder / "second").rglob("*.game"), (folder / "second").rglob("*.pack")):
        for place in second:
            place.unlink()
    return path


def test_nothing_is_written_or_made_beside(path: Path) -> None:
    before = files(path.parent)
    assert lines(path) == [("one", "two"), ("three",)]
    assert files(path.parent) == before


def test_what_a_power_cut_left_is_read_and_stays_there(cut: Path) -> None:
    before = files(cut.parent)
    assert lines(cut) == [("one", "two"), ("three",)]
    assert files(cut.parent) == before


def test_there_may_be_no_games_at_all(tmp_path: Path) -> None:
    assert not has_games(tmp_path / "games.sqlite3")
    assert lines(tmp_path / "games.sqlite3") == []
    assert not list(tmp_path.iterdir())


def test_games_are_read_while_one_is_played_and_locked_and_moved(path: Path) -> None:
    with Journal(path) as playing, reading(path) as journal:
        assert journal.path == path
        playing.append(2, 1, ["four"])
        assert journal.load(2).lines == ("three", "four")
        with playing.files.locked():
            assert len(games_of(journal)) == 2
        playing.append(2, 2, ["five"], ended=True)
        begin(playing)
        while playing.tidy():
            assert [saved.lines for saved in games_of(journal)][1] == ("three", "four", "five")
        assert journal.load(2).ended


def test_a_game_that_is_packed_while_it_is_read_is_found(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal(path) as playing, reading(path) as journal:
        playing.append(2, 1, ["four"], ended=True)
        begin(playing)
        real = Files.read

        def packed_just_before(self: Files, name: str, start: int = 0, size: int = -1) -> bytes:
            monkeypatch.setattr(Files, "read", real)
            tidy(playing)
            return real(self, name, start, size)

        monkeypatch.setattr(Files, "read", packed_just_before)
        assert journal.load(2).lines == ("three", "four")


@pytest.mark.parametrize("wrong", [b"", b"nonsense" * 100])
def test_of_a_damaged_file_all_is_read_and_it_stays_as_it_is(path: Path, wrong: bytes) -> None:
    for place in (*folder_of(path).glob("going/*"), *folder_of(path).glob("packs/*")):
        place.write_bytes(wrong)
    before = files(path.parent)
    assert lines(path) == [("one", "two"), ("three",)]
    assert files(path.parent) == before


def test_a_pack_that_was_damaged_after_it_was_indexed_is_read_from_its_other_place(
    path: Path,
) -> None:
    with Journal(path) as journal:
        for _ in journal.indexing():
            pass
    (pack,) = folder_of(path).glob("packs/*")
    data = pack.read_bytes()
    head = data.index(b"\n") + 1
    pack.write_bytes(data[:head] + bytes(len(data) - head))
    with reading(path) as journal:
        assert journal.load(1).lines == ("one", "two")


ASK = """
import sys
from pathlib import Path
from appliance.journal.reading import reading
with reading(Path(sys.argv[1])) as journal:
    print(*journal.load(1).lines, *journal.load(2).lines, len([*journal.games()]))
"""


@pytest.mark.slow
@pytest.mark.skipif(not mounts(), reason="folders cannot be mounted here")
@pytest.mark.parametrize("index", [True, False])
def test_a_card_that_can_only_be_read_gives_its_games(cut: Path, index: bool) -> None:
    if not index:
        cut.unlink(missing_ok=True)
    inside = [sys.executable, "-c", ASK, str(cut)]
    command = ["unshare", "-rm", "sh", "-c", READ_ONLY, str(cut.parent), *inside]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("one two three 2\n", "")


PLAY = """
import sys
from pathlib import Path
from appliance.errors import JournalError
from appliance.journal.mending import open_and_mend
try:
    journal, _ = open_and_mend(Path(sys.argv[1]))
    journal.append(2, 1, ["four"])
except JournalError as error:
    print(error)
"""


@pytest.mark.slow
@pytest.mark.skipif(not mounts(), reason="folders cannot be mounted here")
def test_on_a_card_that_can_only_be_read_nobody_plays_and_that_is_said(cut: Path) -> None:
    inside = [sys.executable, "-c", PLAY, str(cut)]
    command = ["unshare", "-rm", "sh", "-c", READ_ONLY, str(cut.parent), *inside]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "cannot be written" in done.stdout
    assert "Traceback" not in done.stderr
    assert lines(cut) == [("one", "two"), ("three",)]


def test_games_that_may_not_be_read_are_named(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Files, "read", refuse)
    with pytest.raises(JournalError, match="cannot be read: Permission denied"):
        lines(path)
