"""Files on a disk: appended to, replaced in one step, read around bad sectors, synced."""

import errno
import gc
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO

import pytest

from appliance.journal import files as module
from appliance.journal.files import Files, MemoryFiles, NotSynced
from appliance.journal.twin import read_places, write_places
from tests.appliance.journal.crash_disk import RecordingFiles, Sync, SyncNames
from tests.rigs.dropped import closed_when_dropped
from vision.files import system


@pytest.fixture(params=[Files, lambda _: MemoryFiles()], ids=["disk", "memory"])
def files(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Files]:
    with closing(request.param(tmp_path / "games")) as made:
        yield made


def test_a_file_is_made_appended_to_read_and_removed(files: Files) -> None:
    assert files.size("going/a") is None
    files.replace("going/a", (b"on", b"e\n"))
    files.append("going/a", b"two\n", at=4)
    assert files.read("going/a") == b"one\ntwo\n"
    assert files.read("going/a", 4, 2) == b"tw"
    assert (files.size("going/a"), files.is_here("going/a", 8)) == (8, True)
    assert not files.is_here("going/a", 9)
    files.replace("b", (b"",))
    assert files.names("going") == ("going/a",)
    files.rename("going/a", "going/c")
    files.append("going/c", b"!", at=8)
    assert files.read("going/c")[-2:] == b"\n!"
    files.remove("going/c")
    files.remove("going/c")
    assert files.names("going") == files.names("elsewhere") == ()
    files.close()


def test_what_follows_is_cut_off_before_anything_is_appended(files: Files) -> None:
    files.replace("a", (b"one\nhalf a li",))
    files.append("a", b"two\n", at=4)
    assert files.read("a") == b"one\ntwo\n"


@pytest.mark.parametrize("at", [0, 9])
def test_nothing_is_appended_to_a_file_that_is_gone_or_shorter(files: Files, at: int) -> None:
    with pytest.raises(FileNotFoundError):
        files.append("a", b"x", at=at)
    files.replace("a", (b"12345678",))
    with pytest.raises(FileNotFoundError):
        files.append("a", b"x", at=9)
    assert files.read("a") == b"12345678"
    with pytest.raises(FileNotFoundError):
        files.read("b")
    with pytest.raises(FileNotFoundError):
        files.rename("b", "c")


def put_another_there(path: Path) -> None:
    other = path.with_name("other")
    other.write_bytes(path.read_bytes())
    other.replace(path)


@pytest.mark.parametrize("change", [put_another_there, Path.unlink])
def test_a_file_that_is_another_one_now_is_noticed(
    tmp_path: Path, change: Callable[[Path], None]
) -> None:
    files = closed_when_dropped(Files(tmp_path))
    files.replace("a", (b"one\n",))
    files.append("a", b"two\n", at=4)
    change(tmp_path / "a")
    assert not files.is_here("a", 8)
    with pytest.raises(FileNotFoundError):
        files.append("a", b"three\n", at=8)
    files.replace("a", (b"new\n",))
    files.append("a", b"two\n", at=4)
    assert (tmp_path / "a").read_bytes() == b"new\ntwo\n"


def test_unfinished_files_have_no_name_and_are_swept_away(tmp_path: Path) -> None:
    files = closed_when_dropped(Files(tmp_path))
    files.replace("going/a", (b"1",))
    (tmp_path / "going" / "b.new").write_bytes(b"half")
    assert files.names("going") == ("going/a",)
    assert files.unfinished()
    files.sweep()
    assert not files.unfinished()
    assert files.read("going/a") == b"1"


def test_what_a_replacement_leaves_is_all_or_nothing(tmp_path: Path) -> None:
    files = closed_when_dropped(Files(tmp_path))
    files.replace("a", (b"old",))

    def pieces() -> object:
        yield b"new"
        raise MemoryError

    with pytest.raises(MemoryError):
        files.replace("a", pieces())  # type: ignore[arg-type]
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert files.read("a") == b"old"


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO])
def test_a_file_that_was_not_written_whole_is_cut_back(tmp_path: Path, number: int) -> None:
    files = RecordingFiles(tmp_path)
    files.replace("a", (b"one\n",))
    files.errors = {files.steps + 1: number}
    with pytest.raises(OSError, match=r"device|error") as raised:
        files.append("a", b"two\n", at=4)
    assert raised.value.errno == number
    assert files.read("a") == b"one\n"
    files.append("a", b"two\n", at=4)
    assert files.read("a") == b"one\ntwo\n"


def test_a_file_that_could_not_be_synced_is_cut_back_or_only_replaced(tmp_path: Path) -> None:
    files = RecordingFiles(tmp_path)
    files.replace("a", (b"one\n",))
    files.errors = {files.steps + 2: errno.EIO}
    with pytest.raises(NotSynced):
        files.append("a", b"two\n", at=4)
    assert files.read("a") == b"one\n"
    # Now it cannot even be cut back.
    files.errors = dict.fromkeys(range(files.steps + 2, files.steps + 4), errno.EIO)
    with pytest.raises(NotSynced):
        files.append("a", b"two\n", at=4)
    for _ in range(2):
        with pytest.raises(NotSynced):
            files.append("a", b"two\n", at=4)
    files.replace("a", (b"one\ntwo\n",))
    files.append("a", b"three\n", at=8)
    assert files.read("a") == b"one\ntwo\nthree\n"


def test_what_could_not_be_synced_is_synced_when_it_is_tried_again(tmp_path: Path) -> None:
    files = RecordingFiles(tmp_path)
    files.replace("a", (b"1",))
    for do in (partial(files.rename, "a", "b"), partial(files.remove, "b")):
        files.errors = {files.steps + 2: errno.EIO}
        with pytest.raises(OSError, match="Input"):
            do()
        done = len(files.tape)
        do()
        assert SyncNames("") in files.tape[done:]
    assert files.names("") == ()


def test_a_folder_whose_name_is_not_synced_is_made_again(tmp_path: Path) -> None:
    files = RecordingFiles(tmp_path)
    files.errors = {2: errno.EIO}
    with pytest.raises(OSError, match="Input"):
        files.replace("going/a", (b"1",))
    assert not (tmp_path / "going").exists()
    files.replace("going/a", (b"1",))
    assert SyncNames("") in files.tape
    assert sum(isinstance(one, Sync) for one in files.tape) == 1


def test_what_is_not_to_be_synced_is_not(tmp_path: Path) -> None:
    files = RecordingFiles(tmp_path)
    files.replace("a", (b"1",))
    done = len(files.tape)
    files.append("a", b"2", at=1, sync=False)
    files.rename("a", "b", sync=False)
    files.remove("b", sync=False)
    assert not [one for one in files.tape[done:] if isinstance(one, Sync | SyncNames)]


OPENING, WHOLE = -1, -2
"""In place of where a file is read."""


class Unreadable(BufferedReader):
    """A file that cannot be read at once."""

    def read(self, size: int | None = -1, /) -> bytes:
        raise OSError(errno.EIO, "Input/output error")


def unreadable(monkeypatch: pytest.MonkeyPatch, bad: Callable[[int], bool]) -> list[int]:
    """Lets reading files fail at places; those where it did."""
    failed: list[int] = []
    read_at = system.read_at
    open_to_read: Callable[[Path], BinaryIO] = vars(module)["open_to_read"]

    def refuse(place: int) -> bool:
        if wrong := bad(place):
            failed.append(place)
        return wrong

    def opened(path: Path) -> BinaryIO:
        if refuse(OPENING):
            raise OSError(errno.EIO, "Input/output error")
        file = open_to_read(path)
        if refuse(WHOLE):
            assert isinstance(file, BufferedReader)
            return Unreadable(file.detach())
        return file

    def piece(handle: int, size: int, place: int) -> bytes:
        if refuse(place):
            raise OSError(errno.EIO, "Input/output error")
        return read_at(handle, size, place)

    monkeypatch.setattr(system, "read_at", piece)
    monkeypatch.setattr(module, "open_to_read", opened)
    return failed


def test_zeros_stand_in_place_of_a_bad_sector(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = closed_when_dropped(Files(tmp_path))
    data = os.urandom(20_000)
    files.replace("a", (data,))
    failed = unreadable(monkeypatch, lambda place: place in (WHOLE, 8192))
    assert files.read("a") == data[:8192] + bytes(4096) + data[12288:]
    assert failed.count(8192) > 1


@pytest.mark.parametrize("size", [5000, 99_999])
def test_of_a_part_with_a_bad_sector_as_much_is_read_as_was_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    files = closed_when_dropped(Files(tmp_path))
    data = os.urandom(20_000)
    files.replace("a", (data,))
    whole = files.read("a", 100, size)
    unreadable(monkeypatch, lambda place: place in (WHOLE, 4196))
    part = files.read("a", 100, size)
    assert len(part) == len(whole)
    assert part[:4096] == whole[:4096]


@pytest.mark.parametrize("places", [(OPENING,), (WHOLE, 0)])
def test_a_disk_that_fails_for_a_moment_costs_nothing_and_one_that_fails_is_no_empty_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, places: tuple[int, ...]
) -> None:
    files = closed_when_dropped(Files(tmp_path))
    files.replace("a", (b"one\n",))
    left = 30

    def bad(place: int) -> bool:
        nonlocal left
        left -= place in places
        return place in places and left >= 0

    failed = unreadable(monkeypatch, bad)
    assert files.read("a") == b"one\n"
    assert len(failed) == 30
    left = 10**6
    with pytest.raises(OSError, match="Input/output"):
        files.read("a")


def test_a_place_that_cannot_be_read_is_read_from_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = closed_when_dropped(Files(tmp_path))
    files.replace("a", (b"first",))
    files.replace("second/a", (b"second",))
    assert read_places(files, "a") == (b"first", b"second")
    real = Files.read
    wrong = {"a"}

    def read(self: Files, name: str, start: int = 0, size: int = -1) -> bytes:
        if name in wrong:
            raise OSError(errno.EIO, "Input/output error")
        return real(self, name, start, size)

    monkeypatch.setattr(Files, "read", read)
    assert read_places(files, "a") == (b"", b"second")
    wrong.add("second/a")
    with pytest.raises(OSError, match="Input/output"):
        read_places(files, "a")
    # A file that is not there says nothing about one that cannot be read.
    files.remove("second/a")
    with pytest.raises(OSError, match="Input/output"):
        read_places(files, "a")
    with pytest.raises(FileNotFoundError):
        read_places(files, "c")


def test_the_second_place_stays_until_the_first_is_read_back(
    files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_places(files, "a", b"old")
    real = Files.read
    lies = [b"\0ew"]
    monkeypatch.setattr(Files, "read", lambda *args: lies.pop() if lies else real(*args))
    with pytest.raises(OSError, match="other bytes"):
        write_places(files, "a", b"new")
    assert read_places(files, "a") == (b"new", b"old")


HOLDER = """
import sys
from pathlib import Path
from appliance.journal.files import Files
with Files(Path(sys.argv[1])).locked():
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.mark.slow
def test_one_program_at_a_time_changes_things_and_a_killed_one_keeps_nobody_out(
    tmp_path: Path,
) -> None:
    files = closed_when_dropped(Files(tmp_path, patience_s=0.0))
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, tmp_path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(BlockingIOError), files.locked():
            pass
        with files.locked("another"):
            pass
        holder.kill()
        holder.wait()
    with files.locked():
        pass


@pytest.mark.skipif(sys.platform == "win32", reason="has no permissions")
def test_nobody_else_reads_the_games(tmp_path: Path) -> None:
    files = closed_when_dropped(Files(tmp_path / "games"))
    files.replace("going/a", (b"1",))
    modes = [(tmp_path / name).stat().st_mode & 0o7 for name in ("games", "games/going")]
    assert [*modes, (tmp_path / "games" / "going" / "a").stat().st_mode & 0o7] == [0, 0, 0]


def test_files_in_memory_are_forgotten_in_silence_if_their_folder_is_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", said.append)
    files = MemoryFiles({"a": b"one\n"})
    folder = files.folder
    # As whatever clears temporary files does.
    shutil.rmtree(folder)
    del files
    gc.collect()
    assert said == []
    assert not folder.exists()
