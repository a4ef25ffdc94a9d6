"""Games going on: in two places, named so that nothing has to be read to know the present one."""

import errno
from pathlib import Path

import pytest

from appliance.errors import JournalError
from appliance.journal.files import MemoryFiles, NotSynced
from appliance.journal.going import Going, Written, games_going, names_going, read_going, strays
from appliance.journal.saved_game import SavedGame, texts_of
from appliance.journal.sums import encode
from appliance.journal.twin import SECOND
from tests.appliance.journal.crash_disk import RecordingFiles, Sync, Write

GAME = SavedGame(12, "classic", "2009", ("ANNA", "BØB"), (), "1.0.0", False, (), "5f" * 16, "0b")
NAME = Going(17, 12, 14)


def begun(files: MemoryFiles | RecordingFiles) -> Written:
    return Written.begun(files, NAME, list(texts_of(GAME)))


def test_the_name_says_which_game_is_the_present_one() -> None:
    assert NAME.name == "going/000017-000012-000014.game"
    assert SECOND + NAME.name == "second/going/000017-000012-000014.game"
    none = Going(18, 3, 14, deleted=True)
    names = (Going(9, 13, 13).name, NAME.name, none.name, "going/foreign", "going/1-2.game")
    files = MemoryFiles(dict.fromkeys(names, b""))
    assert names_going(files) == [Going(9, 13, 13), NAME, none]
    assert games_going(files) == [Going(9, 13, 13), NAME]


def test_a_lost_name_is_known_from_the_second_place_and_an_old_one_there_does_not_count() -> None:
    older = Going(5, 12, 12)
    files = MemoryFiles(
        {SECOND + NAME.name: b"", SECOND + older.name: b"", Going(9, 1, 9).name: b""}
    )
    assert games_going(files) == [Going(9, 1, 9), NAME]
    assert list(strays(files)) == []
    files = MemoryFiles({SECOND + older.name: b"", NAME.name: b""})
    assert games_going(files) == [NAME]
    assert list(strays(files)) == [(older, NAME)]


def test_lines_are_in_the_first_place_at_once_and_in_the_second_when_they_were_shown() -> None:
    files = MemoryFiles()
    written = begun(files)
    written.append(files, ["one", "two"], ended=False)
    written.twin.copy(files, sync=False)
    written.append(files, ["three"], ended=True)
    first, second = files.read(NAME.name), files.read(SECOND + NAME.name)
    assert first == written.twin.data
    assert first.startswith(second)
    assert b"two" in second
    assert b"three" not in second
    assert (written.lines, written.ended) == (3, True)
    written.twin.copy(files, sync=True)
    assert files.read(SECOND + NAME.name) == first
    assert read_going(files, NAME).texts[-1] == "[Ended true]"
    files.remove(NAME.name)
    assert read_going(files, NAME).texts[-2] == "three"
    files.remove(SECOND + NAME.name)
    with pytest.raises(FileNotFoundError):
        read_going(files, NAME)


def test_each_line_is_synced_once_and_the_second_place_when_it_is_asked_for(
    tmp_path: Path,
) -> None:
    files = RecordingFiles(tmp_path)
    written = begun(files)
    written.twin.copy(files, sync=False)
    done = len(files.tape)
    for line in ("one", "two"):
        written.append(files, [line], ended=False)
        written.twin.copy(files, sync=False)
    first, second = files._numbers[NAME.name], files._numbers[SECOND + NAME.name]
    assert [op for op in files.tape[done:] if isinstance(op, Sync)] == [Sync(first)] * 2
    done = len(files.tape)
    for _ in range(2):
        written.twin.copy(files, sync=True)
    # What was written before, unsynced, is synced now; once.
    assert [op for op in files.tape[done:] if not isinstance(op, Write) or op.data] == [
        Sync(second)
    ]


def resumed(first: bytes, second: bytes) -> tuple[MemoryFiles, Written]:
    files = MemoryFiles({NAME.name: first, SECOND + NAME.name: second})
    return files, Written.resumed(NAME, read_going(files, NAME))


@pytest.mark.parametrize("count", range(8, 12))
@pytest.mark.parametrize("tail", [b"", b"thr", bytes(9)])
def test_a_game_goes_on_whatever_a_power_cut_left_of_its_places(count: int, tail: bytes) -> None:
    texts = [*texts_of(GAME), "one", "two", "three", "four"]
    data = encode(texts)[0]
    for second in (encode(texts[:count])[0] + tail, tail, data[: len(data) // 2] + bytes(40)):
        files, written = resumed(data + tail, second[: len(data)])
        assert written.lines == 4
        written.append(files, ["five"], ended=False)
        written.twin.copy(files, sync=True)
        whole = encode([*texts, "five"])[0]
        assert files.read(NAME.name) == files.read(SECOND + NAME.name) == whole == written.twin.data


def test_a_damaged_place_is_written_anew_with_the_next_line() -> None:
    texts = [*texts_of(GAME), "one", "two", "three"]
    data = encode(texts)[0]
    for damaged in (data.replace(b"two", b"tow"), b"", data[:-40]):
        for first, second in ((damaged, data), (data, damaged)):
            files, written = resumed(first, second)
            written.append(files, ["four"], ended=True)
            written.twin.copy(files, sync=False)
            whole = encode([*texts, "four", "[Ended true]"])[0]
            assert files.read(NAME.name) == files.read(SECOND + NAME.name) == whole


def test_lines_behind_a_loss_are_kept_and_do_not_count() -> None:
    texts = [*texts_of(GAME), "one", "two", "three"]
    damaged = encode(texts)[0].replace(b"two", b"tow")
    files, written = resumed(damaged, damaged)
    written.append(files, ["other"], ended=False)
    written.twin.copy(files, sync=True)
    for place in (NAME.name, SECOND + NAME.name):
        found = read_going(MemoryFiles({NAME.name: files.read(place)}), NAME).texts
        assert found[-4:] == ("one", '[Uncounted "tow"]', '[Uncounted "three"]', "other")
    assert written.lines == 2


def test_a_game_whose_first_lines_are_lost_in_both_places_is_none() -> None:
    data = encode([*texts_of(GAME), "one"])[0]
    with pytest.raises(JournalError, match="expected its players"):
        resumed(bytes(30) + data[30:], bytes(30) + data[30:])


@pytest.mark.parametrize("step", [1, 2])
def test_what_was_refused_is_not_there_and_can_be_tried_again(tmp_path: Path, step: int) -> None:
    files = RecordingFiles(tmp_path)
    written = begun(files)
    written.append(files, ["one"], ended=False)
    files.errors = {files.steps + step: errno.ENOSPC}
    with pytest.raises(OSError, match="space"):
        written.append(files, ["two"], ended=True)
    assert (written.lines, written.ended) == (1, False)
    assert files.read(NAME.name) == written.twin.data
    written.append(files, ["two"], ended=True)
    assert files.read(NAME.name) == written.twin.data
    assert read_going(files, NAME).texts[-2:] == ("two", "[Ended true]")


def test_what_could_not_be_synced_goes_into_a_new_file(tmp_path: Path) -> None:
    files = RecordingFiles(tmp_path)
    written = begun(files)
    written.append(files, ["one"], ended=False)
    before = (tmp_path / NAME.name).stat().st_ino
    files.errors = {files.steps + 2: errno.EIO}
    with pytest.raises(NotSynced):
        written.append(files, ["two"], ended=False)
    # Nor can it be written anew at first.
    files.errors = {files.steps + 1: errno.EIO}
    with pytest.raises(OSError, match="Input"):
        written.append(files, ["two"], ended=False)
    written.append(files, ["two"], ended=False)
    assert (tmp_path / NAME.name).stat().st_ino != before
    assert files.read(NAME.name) == written.twin.data


def test_a_rewriting_that_is_refused_is_done_with_the_next_line(tmp_path: Path) -> None:
    files = RecordingFiles(tmp_path)
    written = begun(files)
    files.errors = {files.steps + 1: errno.ENOSPC}
    with pytest.raises(OSError, match="space"):
        written.rewrite(files, [*texts_of(GAME), "one"], ended=False)
    written.append(files, ["two"], ended=False)
    assert files.read(NAME.name) == written.twin.data == encode([*texts_of(GAME), "one", "two"])[0]
    assert written.lines == 2


@pytest.mark.parametrize("step", range(1, 4))
def test_a_second_place_that_was_refused_is_written_later(tmp_path: Path, step: int) -> None:
    files = RecordingFiles(tmp_path)
    written = begun(files)
    written.twin.copy(files, sync=True)
    written.append(files, ["one"], ended=False)
    files.errors = dict.fromkeys(range(files.steps + step, files.steps + 9), errno.ENOSPC)
    if step < 3:
        with pytest.raises(OSError, match="space"):
            written.twin.copy(files, sync=True)
    files.errors = {}
    written.append(files, ["two"], ended=False)
    written.twin.copy(files, sync=True)
    assert files.read(SECOND + NAME.name) == written.twin.data
