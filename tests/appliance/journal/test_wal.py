"""Damage to SQLite's log is told from a power cut, said, kept and saved from; a cut never is."""

import shutil
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from random import Random
from typing import BinaryIO

import pytest
from appliance.journal.recovery import (
    Salvage,
    beside,
    open_or_rescue_log,
    open_or_salvage,
    reading,
)
from appliance.journal.wal import PAGE, fault_of_log, page_of, read_log

from appliance.cli.main import main
from appliance.errors import DamagedLog
from appliance.journal import wal
from appliance.journal.journal import Journal
from appliance.journal.library import Library
from appliance.journal.origin import Origin
from appliance.journal.sessions import load_session
from appliance.rules.game import Rolled
from appliance.table.menu.console import Console
from appliance.table.session.recording import choose, play
from appliance.table.session.session import Session, Setup
from appliance.words import Label
from tests.appliance.journal.crash_disk import Tape, crashes, library, put, recording

LINES = 270
HEADER, FRAME = 32, PAGE + 24
LOG, INDEX = "games.sqlite3-wal", "games.sqlite3-shm"

Files = Mapping[str, bytes]


def line(number: int) -> str:
    return f"roll {number} 2 3 4 5 ......"


def begin(journal: Journal) -> int:
    return journal.begin("classic", "2009", ["ANNA", "BEN"], [("first", 0)], "1.0.0")


def lying_in(folder: Path) -> Files:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """The files of a game whose lines are all in the log, as they lie while it is played."""
    folder = tmp_path_factory.mktemp("running")
    with Journal(folder / "games.sqlite3") as journal:
        number = begin(journal)
        for seq in range(LINES):
            journal.append(number, seq, [line(seq)])
        return lying_in(folder)


def frames(files: Files) -> int:
    return (len(files[LOG]) - HEADER) // FRAME


def started(folder: Path, files: Files) -> tuple[tuple[str, ...], Salvage | None]:
    """The lines that a start finds in these files, and what it says."""
    put(dict(files), folder)
    journal, salvage = open_or_salvage(folder / "games.sqlite3")
    with journal:
        assert journal.check() == "ok"
        games = list(journal.games())
    if salvage is not None:
        kept = {beside(salvage.kept, suffix).name for suffix in ("", "-wal")}
        assert {(folder / name).read_bytes() for name in kept} == {
            files["games.sqlite3"],
            files[LOG],
        }
    return games[0].lines if games else (), salvage


def changed(files: Files, at: int, how: Callable[[bytearray, int], None]) -> Files:
    log = bytearray(files[LOG])
    how(log, at)
    return {**files, LOG: bytes(log)}


def one_bit(log: bytearray, at: int) -> None:
    log[at] ^= 1 << at % 8


def a_block(log: bytearray, at: int) -> None:
    """As a card loses one: a multiple of its 4 kB."""
    at = at // 4096 * 4096
    log[at : at + 4096] = bytes(len(log[at : at + 4096]))


def without_index(files: Files) -> Files:
    return {name: data for name, data in files.items() if name != INDEX}


@pytest.mark.parametrize("seed", range(12))
def test_one_bit_of_a_running_games_log_takes_no_line(
    tmp_path: Path, running: Files, seed: int
) -> None:
    random = Random(seed)
    for frame in random.sample(range(frames(running) - 1), 4):
        # The three low bytes of each word: what the checksum pins down.
        offset = random.choice([at for at in range(8, FRAME) if at % 4 not in (2, 3)])
        damaged = changed(running, HEADER + frame * FRAME + offset, one_bit)
        for files in (damaged, without_index(damaged)):
            found, salvage = started(tmp_path, files)
            assert salvage is not None
            assert "SQLite's log is damaged" in salvage.sentence
            assert found == tuple(line(seq) for seq in range(LINES))


def test_the_frame_with_the_games_players_comes_back(tmp_path: Path, running: Files) -> None:
    found, salvage = started(tmp_path, changed(running, HEADER + 4 * FRAME + 100, one_bit))
    assert salvage is not None
    assert salvage.fault == "frame 5 of SQLite's log is damaged, 288 frames from there on"
    assert (salvage.games, len(found)) == (1, LINES)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("harm", [one_bit, a_block])
def test_whatever_is_damaged_is_said_and_no_line_is_another(
    tmp_path: Path, running: Files, harm: Callable[[bytearray, int], None], seed: int
) -> None:
    random = Random(100 + seed)
    for _ in range(4):
        # Any bit, also of the header, and of the last transaction: with the index, that is seen.
        damaged = changed(running, random.randrange(len(running[LOG])), harm)
        found, salvage = started(tmp_path, damaged)
        assert salvage is not None
        assert found == tuple(line(seq) for seq in range(len(found)))
        assert salvage.lines == len(found)


@pytest.mark.parametrize("offset", [0, 5, 8, 17, 100, 4000])
def test_with_the_index_damage_to_the_last_line_is_said_too(
    tmp_path: Path, running: Files, offset: int
) -> None:
    damaged = changed(running, HEADER + (frames(running) - 1) * FRAME + offset, one_bit)
    found, salvage = started(tmp_path, damaged)
    assert salvage is not None
    assert len(found) >= LINES - 1
    # Without it, a power cut may have torn that line as it was written.
    found, salvage = started(tmp_path, without_index(damaged))
    assert salvage is None
    assert len(found) == LINES - 1


def test_no_page_is_taken_that_was_never_written(tmp_path: Path, running: Files) -> None:
    put(dict(without_index(running)), tmp_path)
    path = tmp_path / "games.sqlite3"
    written = {(frame.number, frame.page) for frame in read_log(path).frames}
    random = Random(8)
    for _ in range(40):
        frame, word = random.randrange(frames(running) - 2), random.randrange(PAGE // 4)
        # Often the highest byte of a word, where the checksum is weak.
        at = HEADER + frame * FRAME + 24 + 4 * word + random.choice((0, 1, 2, 3, 3, 3))
        log = changed(running, at, lambda log, at: flip(log, at, random.randrange(8)))[LOG]
        (tmp_path / LOG).write_bytes(log)
        damaged = read_log(path)
        assert damaged.fault
        good, bad = damaged.salvaged(partial(page_of, path))
        assert set(good.items()) <= written
        assert len(bad) == 1


def flip(log: bytearray, at: int, bit: int) -> None:
    log[at] ^= 1 << bit


@pytest.mark.parametrize("at", range(0, HEADER, 3))
def test_the_header_of_the_log_is_as_dear_as_what_is_behind_it(
    tmp_path: Path, running: Files, at: int
) -> None:
    found, salvage = started(tmp_path, without_index(changed(running, at, one_bit)))
    assert salvage is not None
    assert salvage.fault == "the header of SQLite's log is damaged"
    assert len(found) == LINES


@pytest.mark.parametrize("size", [HEADER, 512, 4096])
def test_what_lies_behind_a_lost_beginning_comes_back(
    tmp_path: Path, running: Files, size: int
) -> None:
    log = bytes(size) + running[LOG][size:]
    found, salvage = started(tmp_path, {**without_index(running), LOG: log})
    assert salvage is not None
    assert salvage.fault == "the header of SQLite's log is damaged"
    assert found == tuple(line(seq) for seq in range(LINES))


def test_a_damaged_log_is_not_moved_into_the_file_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    with Journal(path) as journal:
        number = begin(journal)
        assert journal.checkpoint()
        journal.append(number, 0, [line(0)])
        journal.append(number, 1, [line(1)])
        before = path.read_bytes()
        with (tmp_path / LOG).open("r+b") as file:
            file.write(bytes(HEADER + FRAME - 8))
        with pytest.raises(DamagedLog):
            journal.checkpoint()
    assert path.read_bytes() == before
    assert (tmp_path / LOG).stat().st_size > 2 * FRAME
    journal, salvage = open_or_salvage(path)
    with journal:
        assert salvage is not None
        assert journal.load(number).lines[-1] == line(1)


def test_an_older_page_of_the_log_never_replaces_the_files(tmp_path: Path, running: Files) -> None:
    live = tmp_path / "live"
    live.mkdir()
    put(dict(without_index(running)), live)
    with Journal(live / "games.sqlite3") as journal:
        # As SQLite does by itself after a thousand pages: copied, and the log is left as it is.
        journal._db.execute("PRAGMA wal_checkpoint(PASSIVE)")
        files = without_index(lying_in(live))
    assert len(files["games.sqlite3"]) > len(running["games.sqlite3"])
    (tmp_path / "dead").mkdir()
    for frame in (4, 150, 290):
        damaged = changed(files, HEADER + frame * FRAME + 24, lambda log, at: clear(log, at))
        found, salvage = started(tmp_path / "dead", damaged)
        assert salvage is not None
        assert found == tuple(line(seq) for seq in range(LINES))


def clear(log: bytearray, at: int) -> None:
    log[at : at + PAGE] = bytes(PAGE)


def test_damage_is_said_by_every_command_that_looks(
    tmp_path: Path, running: Files, capsys: pytest.CaptureFixture[str]
) -> None:
    damaged = changed(running, HEADER + 4 * FRAME + 100, one_bit)
    for files in (damaged, without_index(damaged)):
        put(dict(files), tmp_path)
        path = tmp_path / "games.sqlite3"
        with reading(path) as (journal, salvage):
            assert salvage is not None
            assert len(journal.load(1).lines) == LINES
        assert main(["games", "list", "--journal", str(path)]) == 1
        assert "frame 5 of SQLite's log is damaged" in capsys.readouterr().err
        # Whatever would write, and so let SQLite overwrite the log, does not.
        with pytest.raises(DamagedLog) as refused:
            Journal(path)
        assert refused.value.damaged
        assert main(["games", "delete", "1", "--yes", "--journal", str(path)]) == 2
        assert {name: (tmp_path / name).read_bytes() for name in ("games.sqlite3", LOG)} == {
            name: files[name] for name in ("games.sqlite3", LOG)
        }


def test_a_player_without_a_board_goes_on_with_what_was_saved(
    tmp_path: Path, running: Files
) -> None:
    put(dict(changed(running, HEADER + 4 * FRAME + 100, one_bit)), tmp_path)
    for damaged in (True, False):
        journal, salvage = open_or_rescue_log(tmp_path / "games.sqlite3", Origin.KEYBOARD)
        with journal:
            assert journal.origin is Origin.KEYBOARD
            assert (salvage is not None) == damaged
            assert len(journal.load(1).lines) == LINES


# ---- what a power cut leaves is no damage -------------------------------------------------------


def test_a_log_that_ends_anywhere_is_no_damage(tmp_path: Path, running: Files) -> None:
    random = Random(3)
    for _ in range(60):
        cut = random.randrange(len(running[LOG]) + 1)
        put({**without_index(running), LOG: running[LOG][:cut]}, tmp_path)
        assert fault_of_log(tmp_path / "games.sqlite3") == ""


def test_what_a_failed_transaction_left_behind_a_shorter_one_is_no_damage(tmp_path: Path) -> None:
    folder = tmp_path / "live"
    folder.mkdir()
    with Journal(folder / "games.sqlite3") as journal:
        number = begin(journal)
        journal.append(number, 0, ["one"])
        before = lying_in(folder)
        journal.append(number, 1, ["x" * 3 * PAGE])
        longer = lying_in(folder)[LOG]
    # As if the sync of the longer one had failed: the next begins at the same place.
    put(dict(without_index(before)), folder)
    with Journal(folder / "games.sqlite3") as journal:
        journal.append(number, 1, ["two"])
        files = without_index(lying_in(folder))
    assert len(longer) > len(files[LOG]) + 2 * FRAME
    mixed = files[LOG] + longer[len(files[LOG]) :]
    put({**files, LOG: mixed}, folder)
    log = read_log(folder / "games.sqlite3")
    assert any(frame.linked and not frame.valid for frame in log.frames)
    assert log.fault == ""
    assert started(folder, {**files, LOG: mixed}) == (("one", "two"), None)


def test_the_log_of_an_earlier_generation_is_no_damage(tmp_path: Path) -> None:
    with Journal(tmp_path / "games.sqlite3") as journal:
        number = begin(journal)
        for seq in range(20):
            journal.append(number, seq, [line(seq)])
        journal._db.execute("PRAGMA wal_checkpoint(RESTART)")
        journal.append(number, 20, [line(20)])
        log = read_log(tmp_path / "games.sqlite3", index=True)
        assert len(log.frames) < 4 < frames(lying_in(tmp_path))
        assert log.fault == ""


def test_an_index_of_another_log_proves_nothing(tmp_path: Path, running: Files) -> None:
    with Journal(tmp_path / "games.sqlite3") as journal:
        journal.append(begin(journal), 0, ["one"])
        files = lying_in(tmp_path)
    put({**files, INDEX: running[INDEX]}, tmp_path)
    assert read_log(tmp_path / "games.sqlite3", index=True).counted == 0
    put({**files, INDEX: bytes(len(files[INDEX]))}, tmp_path)
    assert read_log(tmp_path / "games.sqlite3", index=True).counted == 0


def test_log_and_index_are_compared_as_they_were_at_one_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game that writes meanwhile is no damage, however often it writes."""
    with Journal(tmp_path / "games.sqlite3") as journal:
        number = begin(journal)
        journal.append(number, 0, ["one"])
        lines, read = ["one"], wal._read_index

        def read_and_write(path: Path, index: bool | BinaryIO) -> bytes:
            known = read(path, index)
            journal.append(number, len(lines), ["more"])
            lines.append("more")
            return known

        with monkeypatch.context() as writing:
            writing.setattr(wal, "_read_index", read_and_write)
            assert fault_of_log(tmp_path / "games.sqlite3", index=journal._index or False) == ""
        assert lines == ["one", "more"]


def shown(path: Path, tape: Tape) -> list[tuple[int, tuple[str, ...]]]:
    """Plays with transactions of many sizes; how many operations had promised which lines."""
    random = Random(7)
    with Journal(path) as journal:
        number = begin(journal)
        lines: tuple[str, ...] = ()
        promised = [(len(tape), lines)]
        for turn in range(4):
            for _ in range(3):
                # Up to eight pages at once, so that they overflow and the tree splits.
                sizes = random.choices((9, 2000, 6000, 14_000), (4, 2, 1, 1), k=1 + turn % 2)
                new = tuple("y" * size for size in sizes)
                journal.append(number, len(lines), new)
                lines += new
                promised.append((len(tape), lines))
            if turn % 2:
                assert journal.checkpoint()
            else:
                # The next begins anew over the old frames.
                journal._db.execute("PRAGMA wal_checkpoint(RESTART)")
    return promised


@pytest.mark.skipif(library() is None, reason="this Python's SQLite cannot be reached by ctypes")
def test_of_no_power_cut_anything_is_said_nor_lost(tmp_path: Path) -> None:
    live, dead = tmp_path / "live", tmp_path / "dead"
    live.mkdir()
    dead.mkdir()
    with recording() as tape:
        promised = shown(live / "games.sqlite3", tape)
    tried, looked_at = 0, set[bytes]()
    opened = Random(5)
    for count, files in crashes(tape, Random(5)):
        tried += 1
        log = files.get(LOG, b"")
        if log not in looked_at:
            looked_at.add(log)
            put(files, dead)
            assert read_log(dead / "games.sqlite3", index=True).fault == "", count
        # Opening one takes a sync: only some are opened, of a journal that was made.
        if count >= promised[0][0] and opened.random() < 0.03:
            put(files, dead)
            journal, salvage = open_or_salvage(dead / "games.sqlite3")
            with journal:
                games = list(journal.games())
            assert salvage is None
            sure = [lines for operations, lines in promised if operations <= count][-1]
            coming = [lines for operations, lines in promised if operations > count][:1]
            assert games[0].lines in (sure, *coming)
    assert tried > 1000
    assert len(looked_at) > 500


# ---- little is in the log ----------------------------------------------------------------------


@pytest.fixture
def table(tmp_path: Path) -> Iterator[tuple[Library, Journal, Session]]:
    with Journal(tmp_path / "games.sqlite3") as journal:
        session = load_session(journal, Setup("classic", ("ANNA", "BEN"), (("first", 0),)))
        yield Library(journal), journal, session


def test_after_a_turn_its_lines_are_in_the_file(
    table: tuple[Library, Journal, Session], tmp_path: Path
) -> None:
    games, _, session = table
    file, log = tmp_path / "games.sqlite3", tmp_path / LOG
    games.look()
    # The game that was begun.
    assert log.stat().st_size == 0
    thrown = play(session, Rolled((1, 2, 3, 4, 5)))
    console = games.write(session, Console(session=thrown))
    games.look()
    assert log.stat().st_size > 0
    assert console.session is not None
    choices = session.rules.choices(thrown.state)
    scored = choose(console.session, next(c for c in choices if Label(c.key) == "CHANCE"))
    games.write(console.session, Console(session=scored))
    assert log.stat().st_size > 0
    games.look()
    assert log.stat().st_size == 0
    shutil.copy(file, tmp_path / "copy")
    with Journal(tmp_path / "copy") as copy:
        assert len(copy.load(session.serial).lines) == len(scored.log) > len(thrown.log)


def test_while_somebody_reads_the_log_stays_and_is_tried_again(
    table: tuple[Library, Journal, Session], tmp_path: Path
) -> None:
    games, journal, _ = table
    journal._db.execute("PRAGMA busy_timeout=0")
    with Journal(tmp_path / "games.sqlite3", read_only=True) as reader:
        reader._db.execute("BEGIN")
        reader.entries()
        # The first look of all: the game that was begun.
        games.look()
        assert (tmp_path / LOG).stat().st_size > 0
        reader._db.execute("ROLLBACK")
    games.look()
    assert (tmp_path / LOG).stat().st_size == 0
