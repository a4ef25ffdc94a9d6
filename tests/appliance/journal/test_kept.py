"""Small files, in two places: what is wrong in one is read from the other."""

import errno
from pathlib import Path

import pytest

from appliance.journal.files import MemoryFiles
from appliance.journal.journal import Journal
from appliance.journal.kept import add_kept, even_out_kept, read_kept, write_kept
from appliance.journal.reader import MEMORY
from appliance.journal.sums import encode
from appliance.journal.tray import read_tray, written_tray
from tests.appliance.journal.crash_disk import RecordingFiles

OLD, NEW = ("one 1", "two 2", "three 3"), ("one 1", "two 7", "three 3")


def kept(first: bytes | None, second: bytes | None) -> tuple[str, ...]:
    """The lines read from these two places."""
    places = {"a": first, "second/a": second}
    files = MemoryFiles({name: data for name, data in places.items() if data is not None})
    return read_kept(files, "a").texts


def test_what_is_written_is_read_and_there_may_be_nothing() -> None:
    files = MemoryFiles()
    assert read_kept(files, "a").texts == ()
    write_kept(files, "a", OLD)
    write_kept(files, "a", NEW)
    assert read_kept(files, "a").texts == NEW
    add_kept(files, "a", ("four",))
    assert read_kept(files, "a").texts == (*NEW, "four")
    assert files.read("a") == files.read("second/a") == encode((*NEW, "four"))[0]


def test_a_cut_between_the_places_leaves_the_new_or_the_old() -> None:
    new, old = encode(NEW)[0], encode(OLD)[0]
    assert kept(new, old) == NEW
    assert kept(new, None) == kept(None, new) == NEW
    assert kept(b"", old) == OLD
    shorter = ("one", "two", "three")
    assert kept(encode(shorter)[0], old) == shorter


def test_of_a_damaged_first_place_nothing_is_mixed_with_an_old_second_one() -> None:
    new, old = encode(NEW)[0], encode(OLD)[0]
    for at in range(len(new)):
        for wrong in (b"\0", b"\n"):
            damaged = new[:at] + wrong + new[at + 1 :]
            if damaged == new:
                continue
            assert kept(damaged, old) == OLD
            assert kept(damaged, new) == NEW
        # Also where the end is gone, with the last line break or without.
        assert kept(new[:at], old) == OLD
        assert kept(new[:at] + bytes(len(new) - at), old) == OLD


def test_an_appended_line_that_one_place_lacks_counts() -> None:
    both, one = encode((*OLD, "four"))[0], encode(OLD)[0]
    assert kept(both, one) == kept(one, both) == (*OLD, "four")
    assert kept(both[:-3], one) == OLD


@pytest.mark.parametrize("wrong", [b"", b"x\n", encode(OLD)[0] + b"fou", encode(OLD[:1])[0], None])
@pytest.mark.parametrize("place", ["a", "second/a"])
def test_whatever_a_place_had_both_have_all_lines_after_one_more(
    wrong: bytes | None, place: str
) -> None:
    data = encode(OLD)[0]
    places = {"a": data, "second/a": data, place: wrong}
    whole = encode((*OLD, "four"))[0]
    files = MemoryFiles({name: there for name, there in places.items() if there is not None})
    add_kept(files, "a", ("four",))
    assert files.read("a") == files.read("second/a") == whole


def test_places_that_differ_are_made_even() -> None:
    files = MemoryFiles()
    assert not even_out_kept(files, "a")
    write_kept(files, "a", OLD)
    assert not even_out_kept(files, "a")
    for place in ("a", "second/a"):
        files.replace(place, (b"nonsense\n",))
        assert even_out_kept(files, "a")
        assert files.read("a") == files.read("second/a") == encode(OLD)[0]


def test_a_line_that_could_not_be_synced_is_written_anew(tmp_path: Path) -> None:
    files = RecordingFiles(tmp_path)
    write_kept(files, "a", OLD)
    # Written, not synced, and not cut back either: only a new file can be trusted.
    files.errors = dict.fromkeys((files.steps + 2, files.steps + 3), errno.EIO)
    done = len(files.tape)
    add_kept(files, "a", ("four",))
    assert any(getattr(step, "name", "") == "a.new" for step in files.tape[done:])
    assert read_kept(files, "a").texts == (*OLD, "four")


def test_settings_that_may_wait_are_in_both_places_after_tidying_up() -> None:
    files = MemoryFiles()
    with Journal(MEMORY, files=files) as journal:
        journal.remember("desk", "old")
        journal.remember("desk", "new", sync=False)
        assert journal.remembered("desk") == "new"
        assert files.read("settings") != files.read("second/settings")
        journal.look()
        journal.mend_places()
        assert journal.untold() == (), "nothing was gone"
        assert journal.tidy()
        assert files.read("settings") == files.read("second/settings")


def test_what_never_had_a_second_place_is_not_told_as_gone() -> None:
    files = MemoryFiles()
    with Journal(MEMORY, files=files) as journal:
        journal.remember("desk", "new", sync=False)
        journal.look()
        journal.mend_places()
        assert journal.untold() == ()
        assert files.read("settings") == files.read("second/settings")


def test_a_tray_whose_file_is_lost_or_not_written_yet_is_that_of_the_game_opened_last() -> None:
    files = MemoryFiles()
    with Journal(MEMORY, files=files) as journal:
        game = journal.begin("classic", "2009", ("ANNA",), (), "1.1.0")
        tray = journal.load(game).tray
        assert tray
        assert written_tray(files).identity == ""
        assert read_tray(files).identity == tray
        assert journal.tidy()
        assert written_tray(files).identity == tray
        for place in ("tray", "second/tray"):
            files.remove(place)
        assert journal.load(journal.begin("classic", "2009", ("ANNA",), (), "1.1.0")).tray == tray
        journal.delete(2)
        journal.prepare()
        journal.tidy()
        assert written_tray(files).identity == tray
