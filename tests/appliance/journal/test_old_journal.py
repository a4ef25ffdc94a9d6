"""Old journals: what is in them is read by SQLite alone, and taken into files of their own."""

import os
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from appliance.alerts import Alert
from appliance.errors import JournalError, StrangeJournal
from appliance.journal import old_journal, taking_in
from appliance.journal.files import Files, MemoryFiles, folder_of
from appliance.journal.index import Index, empty_index
from appliance.journal.journal import Journal
from appliance.journal.mending import open_and_mend
from appliance.journal.old_journal import (
    OPENING,
    Kind,
    OldJournal,
    Ruined,
    identity_of_old,
    kind_of,
)
from appliance.journal.reader import JournalReader
from appliance.journal.reading import reading
from appliance.journal.saved_game import SavedGame
from appliance.journal.taking_in import take_in_old
from appliance.journal.union import Union
from tests.appliance.journal.crash_disk import Disk, Operation, RecordingFiles, Sync, SyncNames
from tests.paths import ROOT
from tests.rigs.examples import FULL
from tests.rigs.old_journals import add_to_old, open_old, write_old
from tests.rigs.stored_games import games_of
from vision.files import system

VERSIONS = (1, 2, 3)


def lines_of(seed: int, count: int) -> tuple[str, ...]:
    rng = random.Random(seed)
    return tuple(f"roll {' '.join(str(rng.randint(1, 6)) for _ in range(5))}" for _ in range(count))


def old_game(number: int, count: int = 40, *, ended: bool = True, seed: int = 0) -> SavedGame:
    lines = lines_of(seed or number, count)
    names = ("ANNA", "BEN")
    return SavedGame(number, "classic", "2009", names, (("first", 0),), "1.0.0", ended, lines)


GAMES = (
    old_game(1),
    old_game(2, 12, ended=False),
    old_game(3),
    old_game(5, 3, ended=False),
    old_game(6, 300),
    old_game(7, 50, ended=False),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "games.sqlite3"


@pytest.fixture
def old(path: Path) -> Path:
    path.parent.mkdir()
    return write_old(path, GAMES, {"desk": "{}"})


def read_all(path: Path) -> dict[int, tuple[str, ...]]:
    with reading(path) as journal:
        return {game.id: game.lines for game in games_of(journal)}


def resumable(journal: JournalReader) -> list[int]:
    return [going.number for going in journal.going() if journal.resumable(going)]


def all_lines(games: Sequence[SavedGame] = GAMES) -> dict[int, tuple[str, ...]]:
    return {game.id: game.lines for game in games}


# ---- reading ---------------------------------------------------------------------------------


@pytest.mark.parametrize("version", VERSIONS)
def test_each_version_is_read(tmp_path: Path, version: int) -> None:
    path = write_old(tmp_path / "old", GAMES, {"desk": "text"}, version=version)
    with OldJournal(path) as old:
        old.check()
        found = [game for _, game in old.games()]
        assert old.settings() == ({} if version == 1 else {"desk": "text"})
        assert not old.wrong
    assert [replace(game, identity="") for game in found] == list(GAMES)


def test_a_reader_makes_and_changes_nothing(old: Path) -> None:
    before = {file: file.read_bytes() for file in old.parent.iterdir()}
    assert read_all(old) == all_lines()
    with reading(old) as journal:
        last = journal.last()
        assert last is not None
        assert last.id == 7
        assert resumable(journal) == [7, 5, 2]
        assert journal.remembered("desk") == "{}"
    assert {file: file.read_bytes() for file in old.parent.iterdir()} == before


@pytest.mark.parametrize("index", [False, True])
def test_what_is_in_the_log_is_read_and_taken_in(old: Path, tmp_path: Path, index: bool) -> None:
    more = old_game(8, ended=False)
    left = tmp_path / "left" / old.name
    left.parent.mkdir()
    with closing(open_old(old)) as db:
        add_to_old(db, [more])
        for suffix in ("", "-wal", "-shm")[: 3 if index else 2]:
            shutil.copyfile(f"{old}{suffix}", f"{left}{suffix}")
    before = set(left.parent.iterdir())
    assert read_all(left) == all_lines((*GAMES, more))
    assert set(left.parent.iterdir()) == before
    journal, _ = open_and_mend(left)
    with journal:
        last = journal.last()
        assert last is not None
        assert last.id == 8
    beside = {file.name for file in left.parent.iterdir()}
    assert beside == {"games", "games.sqlite3", "games.sqlite3.before-1"}
    shutil.rmtree(folder_of(left))
    left.with_name("games.sqlite3.before-1").rename(left)
    assert read_all(left) == all_lines((*GAMES, more))


def damaged(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute(statement, values)
        db.commit()


@pytest.mark.parametrize(
    ("statement", "counted"),
    [
        ("UPDATE lines SET text='roll 1 1 1 1 1' WHERE game=3 AND seq=10", 10),
        ("DELETE FROM lines WHERE game=3 AND seq=10", 10),
        ("UPDATE lines SET text=CAST(x'72ff' AS TEXT), sum=NULL WHERE game=3 AND seq=10", 10),
        # A checksum alone costs no line, unless it is the last.
        ("UPDATE lines SET sum=sum+1 WHERE game=3 AND seq=10", 40),
        ("UPDATE lines SET sum=sum+1 WHERE game=3 AND seq=39", 39),
    ],
)
def test_lines_from_a_damaged_one_on_do_not_count(old: Path, statement: str, counted: int) -> None:
    damaged(old, statement)
    with OldJournal(old) as journal:
        games = {saved.id: saved for _, saved in journal.games()}
        told = [f"line {counted + 1} of game 3 is not what was written"]
        assert list(journal.wrong) == told * (counted < 40)
    assert games[3].lines == GAMES[2].lines[:counted]
    assert games[3].uncounted[-29:] == GAMES[2].lines[max(counted, 11) :][-29:]
    del games[3]
    assert {game.id: game.lines for game in games.values()} == all_lines(GAMES[:2] + GAMES[3:])


def test_lines_without_a_checksum_are_covered_by_the_first_that_has_one(tmp_path: Path) -> None:
    path = write_old(tmp_path / "old", [old_game(1, 20)])
    damaged(path, "UPDATE lines SET sum=NULL WHERE seq<12")
    with OldJournal(path) as journal:
        assert [saved.lines for _, saved in journal.games()] == [old_game(1, 20).lines]
        assert not journal.wrong
    damaged(path, "UPDATE lines SET text='roll 1 1 1 1 1' WHERE seq=5")
    with OldJournal(path) as journal:
        ((_, saved),) = journal.games()
        assert len(saved.lines) == 12
        assert len(saved.uncounted) == 8
        assert journal.wrong


def test_games_behind_a_damaged_page_are_read(tmp_path: Path) -> None:
    games = [old_game(n, 4) for n in range(1, 400)]
    path = write_old(tmp_path / "old", games)
    with closing(sqlite3.connect(path)) as db:
        (page,) = db.execute(
            "SELECT pageno FROM dbstat WHERE name='games' AND pagetype='leaf' LIMIT 1 OFFSET 2"
        ).fetchone()
    data = bytearray(path.read_bytes())
    data[(page - 1) * 4096 : page * 4096] = bytes(4096)
    path.write_bytes(data)
    with OldJournal(path) as journal:
        found = [saved.id for _, saved in journal.games()]
        assert journal.wrong
    gone = sorted({game.id for game in games} - {*found})
    assert len(found) > 300
    # What is on one page, and no more.
    assert gone == list(range(gone[0], gone[-1] + 1))


@pytest.mark.parametrize(
    ("limits", "says"),
    [
        ({"_LARGEST_GAME": 5000}, "more lines than any game has"),
        ({"_STEPS": 10_000, "_READINGS": 0}, "more in it than fits into it"),
        ({"_LONGEST": 1000}, "too big"),
    ],
)
def test_what_is_read_of_a_file_has_a_limit(
    old: Path, limits: dict[str, int], says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(5):
        damaged(old, "UPDATE lines SET text=text || text || text WHERE game=3")
    for name, value in limits.items():
        monkeypatch.setattr(old_journal, name, value)
    with OldJournal(old) as journal:
        found = list(journal.games())
        assert any(says in text for text in journal.wrong)
    assert sum(len(saved.lines) for _, saved in found) < sum(len(game.lines) for game in GAMES)


def test_a_query_that_goes_on_and_on_is_ended(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"_STEPS": 500, "_READINGS": 0, "_STEPS_AT_ONCE": 10}.items():
        monkeypatch.setattr(old_journal, name, value)
    with OldJournal(old) as journal:
        found = list(journal.games())
        assert journal.wrong[0] == "the rest of game 1 cannot be read: interrupted"
    assert [len(saved.lines) < 40 for _, saved in found] == [True]


# ---- what may lie there ------------------------------------------------------------------------


def test_what_lies_there_is_known(old: Path, tmp_path: Path) -> None:
    assert kind_of(tmp_path / "nothing") is Kind.NOTHING
    assert kind_of(old) is Kind.OLD
    garbage = tmp_path / "garbage.sqlite3"
    garbage.write_bytes(b"nonsense" * 999)
    assert kind_of(garbage) is Kind.RUIN
    folder_of(garbage).mkdir()
    assert kind_of(garbage) is Kind.RUIN
    (folder_of(garbage) / "packs").mkdir()
    assert kind_of(garbage) is Kind.INDEX
    garbage.write_bytes(bytes(4096) + b"roll 1 2 3 4 5" * 99)
    assert kind_of(garbage) is Kind.RUIN
    (tmp_path / "empty").touch()
    assert kind_of(tmp_path / "empty") is Kind.RUIN
    open_and_mend(old)[0].close()
    assert kind_of(old) is Kind.INDEX


@pytest.mark.parametrize(
    ("statement", "alert"),
    [
        ("PRAGMA user_version=5", Alert.GAMES_NEWER),
        ("CREATE VIEW more AS SELECT 1", Alert.GAMES_FOREIGN),
        ("CREATE TRIGGER more AFTER INSERT ON games BEGIN SELECT 1; END", Alert.GAMES_FOREIGN),
        ("CREATE VIRTUAL TABLE more USING fts5(text)", Alert.GAMES_FOREIGN),
        (None, Alert.GAMES_FOREIGN),
    ],
)
def test_later_and_foreign_files_are_left_alone(
    old: Path, statement: str | None, alert: Alert
) -> None:
    if statement is None:
        old.unlink()
        statement = "CREATE TABLE cookies (name)"
    damaged(old, statement)
    data = old.read_bytes()
    for opening in (open_and_mend, Journal, lambda p: reading(p).__enter__()):
        with pytest.raises(StrangeJournal) as raised:
            opening(old)
        assert raised.value.alert is alert
    assert old.read_bytes() == data
    assert not folder_of(old).exists()


def test_columns_that_are_computed_are_none_of_ours(old: Path) -> None:
    damaged(old, "ALTER TABLE lines RENAME COLUMN text TO stored")
    damaged(old, "ALTER TABLE lines ADD COLUMN text TEXT AS (stored || stored)")
    with pytest.raises(Ruined, match="lines lacks text"), OldJournal(old):
        pass


@pytest.mark.parametrize("data", [b"", b"nonsense" * 999, b"SQLite format 3\0" + bytes(4080)])
def test_a_ruin_is_kept_and_told(path: Path, data: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(data)
    left = path.with_name("games.sqlite3-wal")
    left.write_bytes(b"log" * 99)
    with pytest.raises(JournalError), reading(path):
        pass
    mended = None
    for operations in range(100):
        try:
            with cut_after(operations):
                journal, mended = open_and_mend(path)
        except Cut:
            continue
        with journal:
            assert journal.last() is None
        break
    assert mended is not None
    assert path.with_name("games.sqlite3.damaged-1").read_bytes() == data
    assert path.with_name("games.sqlite3.damaged-1-wal").read_bytes() == b"log" * 99
    assert not left.exists()
    assert "damaged-1" in mended.sentence
    # Until somebody has read it.
    journal, again = open_and_mend(path)
    assert again == mended
    journal.forget_untold(mended.damages)
    journal.close()
    journal, again = open_and_mend(path)
    journal.close()
    assert again is None


def test_an_empty_old_journal_is_taken_in(path: Path) -> None:
    path.parent.mkdir()
    write_old(path, ())
    assert read_all(path) == {}
    journal, mended = open_and_mend(path)
    with journal:
        assert journal.last() is None
        assert journal.begin("classic", "2009", ("ANNA",), (), "1.1.0") == 1
    assert mended is None


def test_who_does_not_play_writes_into_no_old_journal(old: Path) -> None:
    with pytest.raises(JournalError, match="start dicetray once"):
        Journal(old)


# ---- identities --------------------------------------------------------------------------------


def test_a_game_has_the_same_identity_in_every_journal_and_copy(tmp_path: Path) -> None:
    renamed = replace(old_game(9, 41, seed=1), players=("CLEO", "DORA"), ended=False)
    one, other = write_old(tmp_path / "one", GAMES), write_old(tmp_path / "two", [renamed])
    with OldJournal(one) as first, OldJournal(other) as second:
        (_, known), *_ = first.games()
        ((_, found),) = second.games()
    assert known.identity == found.identity != ""


def test_an_identity_follows_from_game_options_and_opening() -> None:
    lines = lines_of(1, 40)
    known = identity_of_old("classic", (("first", 0),), lines)
    assert known == identity_of_old("classic", (("first", 0),), lines[:OPENING])
    others = (
        identity_of_old("yatzy", (("first", 0),), lines),
        identity_of_old("classic", (("first", 1),), lines),
        identity_of_old("classic", (("first", 0),), lines[: OPENING - 1]),
        identity_of_old("classic", (("first", 0),), (*lines[: OPENING - 1], "roll 1")),
        identity_of_old("classic", (("first", 0),), lines, twin=1),
    )
    assert len({known, *others}) == 6
    # For ever: journals and sticks have it.
    assert known == "84c0fa92d0d6191547fd4e8e7a947da6"


def test_equal_games_of_one_journal_all_stay(path: Path) -> None:
    path.parent.mkdir()
    games = [old_game(n, 5, seed=1, ended=n % 2 == 0) for n in range(1, 5)]
    games += [old_game(n, 0, ended=False) for n in (5, 6)]
    write_old(path, games)
    for _ in range(2):
        journal, _ = open_and_mend(path)
        with journal:
            assert {game.id: game.lines for game in games_of(journal)} == all_lines(games)
        kept = path.with_name("games.sqlite3.before-1")
        if kept.exists():
            kept.replace(path)


# ---- taking in ---------------------------------------------------------------------------------


def check_taken_in(path: Path, games: Sequence[SavedGame] = GAMES) -> None:
    with reading(path) as journal:
        assert {game.id: game.lines for game in games_of(journal)} == all_lines(games)
        assert [game.ended for game in games_of(journal)] == [game.ended for game in games]
        last = journal.last()
        assert last is not None
        assert last.id == games[-1].id
        going = [game.id for game in games if not game.ended]
        assert resumable(journal) == going[::-1]
        assert journal.remembered("desk") == "{}"


def test_an_old_journal_is_taken_in_once(old: Path) -> None:
    data, said = old.read_bytes(), []
    with patch.object(taking_in, "GAMES_AT_ONCE", 2):
        journal, mended = open_and_mend(old, progress=lambda *done: said.append(done))
    journal.close()
    assert mended is None
    assert said == [(2, 6), (4, 6), (6, 6)]
    check_taken_in(old)
    assert old.with_name("games.sqlite3.before-1").read_bytes() == data
    files = {file: file.read_bytes() for file in old.parent.rglob("*") if file.is_file()}
    assert take_in_old(old) is None
    assert {file: file.read_bytes() for file in old.parent.rglob("*") if file.is_file()} == files


@pytest.mark.parametrize("lost", [False, True])
def test_the_index_in_its_place_is_refused_as_of_a_later_version(old: Path, lost: bool) -> None:
    journal, _ = open_and_mend(old)
    with journal:
        if lost:
            old.write_bytes(b"nonsense")
            # It is dropped, and made anew.
            list(journal.indexing())
            list(journal.indexing())
        index = Index(old, read_only=False)
        list(journal.indexing())
        assert index.rows()
    assert refusal_of_1_0_0(old) == "GAMES_NEWER"
    assert kind_of(old) is Kind.INDEX


def test_damage_in_the_index_keeps_nobody_from_playing(old: Path) -> None:
    open_and_mend(old)[0].close()
    whole = old.read_bytes()
    for place in range(0, 4096, 7 if FULL else 37):
        data = bytearray(whole)
        data[place] ^= 0x10
        old.write_bytes(data)
        assert kind_of(old) is Kind.INDEX, place
    for place in range(60, 64):
        data = bytearray(whole)
        data[place] ^= 1
        old.write_bytes(data)
        journal, mended = open_and_mend(old)
        with journal:
            list(journal.indexing())
            assert len(games_of(journal)) == len(GAMES)
        assert mended is None


def refusal_of_1_0_0(path: Path) -> str:
    """The refusal by version 1.0.0 of a file with this version and columns, as it was seen."""
    columns = "id, game, edition, players, options, version, ended, opened, sum"
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        (version,) = db.execute("PRAGMA user_version").fetchone()
        # By these it knows that it is a journal.
        db.execute(f"SELECT {columns} FROM games")
    return "" if version <= 3 else "GAMES_NEWER"


REAL = "3aa97479"
"""The last commit whose journals were old ones."""

OPEN_AS_1_0_0 = """
import sys
from pathlib import Path
from appliance.journal.recovery import open_or_salvage
try:
    open_or_salvage(Path(sys.argv[1]))
except Exception as error:
    print(error.alert.name)
"""


def test_the_real_earlier_version_refuses_the_index_and_opens_the_kept_file(
    old: Path, tmp_path: Path
) -> None:
    found = subprocess.run(
        ["git", "archive", REAL, "appliance", "vision", "calibration"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if found.returncode:
        pytest.skip("this checkout has no history")
    former = tmp_path / "former"
    former.mkdir()
    subprocess.run(["tar", "x", "-C", former], input=found.stdout, check=True)
    open_and_mend(old)[0].close()
    kept = old.with_name("games.sqlite3.before-1")
    said = [
        subprocess.run(
            [sys.executable, "-c", OPEN_AS_1_0_0, file],
            cwd=former,
            env={**os.environ, "PYTHONPATH": str(former)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for file in (old, kept)
    ]
    assert said == ["GAMES_NEWER", ""]


class Cut(BaseException):
    """The power fails."""


@contextmanager
def cut_after(operations: int) -> Iterator[list[int]]:
    """The power fails before one of the things that are done to the disk."""
    done = [0]

    def counted(what: Callable[..., object]) -> Callable[..., object]:
        def one(*args: object, **more: object) -> object:
            if done[0] == operations:
                raise Cut
            done[0] += 1
            return what(*args, **more)

        return one

    on_disk = ("_mkdir", "_create", "_write", "_sync", "_rename", "_unlink", "_sync_names")
    changed = type("Counted", (Files,), {n: counted(getattr(Files, n)) for n in on_disk})
    others = (
        "copy_file",
        "open_new",
        "remove_file",
        "rename_file",
        "sync_folder",
        "_merge_log",
    )
    patched: dict[str, Any] = {name: counted(getattr(taking_in, name)) for name in others}
    with patch.multiple(taking_in, **patched, Files=changed):
        yield done


@pytest.mark.parametrize("games", [GAMES, (*GAMES[:2], old_game(8))])
def test_a_cut_anywhere_costs_nothing(
    path: Path, tmp_path: Path, games: Sequence[SavedGame]
) -> None:
    path.parent.mkdir()
    old = write_old(path, games, {"desk": "{}"})

    def try_once(operations: int) -> bool:
        folder = tmp_path / "try"
        shutil.copytree(old.parent, folder)
        path = folder / old.name
        # Nothing is asked of the disk but the order of what is done to it.
        with patch.multiple(system, sync_data=ignore, sync_names=ignore):
            try:
                with cut_after(operations):
                    open_and_mend(path)[0].close()
                cut = False
            except Cut:
                cut = True
            assert read_all(path) == all_lines(games)
            open_and_mend(path)[0].close()
        check_taken_in(path, games)
        names = {file.name for file in folder.iterdir()}
        assert names <= {"games", "games.sqlite3", "games.sqlite3.before-1"}, operations
        shutil.rmtree(folder)
        return cut

    every = 1 if FULL else 5
    operations = 0
    while try_once(operations):
        operations += every
    assert operations > 60


def ignore(_: object) -> None:
    pass


def taken_in_after(steps: Sequence[Operation], old: bytes, folder: Path, seed: int) -> int:
    """Starts again from what a cut after these steps may leave; how many such states there are.

    What is at the journal's own path, and beside it, takes its names after all of these steps.
    """
    disk, rng, count = Disk(), random.Random(seed), 0
    for step in steps:
        disk.do(step)
    for state in disk.states(4, rng):
        shutil.rmtree(folder, ignore_errors=True)
        path = folder / "games.sqlite3"
        for name, data in state.items():
            file = folder_of(path) / name
            file.parent.mkdir(parents=True, exist_ok=True)
            if file.name in ("going", "packs", "second"):
                file.mkdir(exist_ok=True)
            else:
                file.write_bytes(data)
        folder.mkdir(exist_ok=True)
        path.write_bytes(old)
        journal, mended = open_and_mend(path)
        journal.close()
        assert mended is None
        check_taken_in(path)
        count += 1
    return count


def test_nothing_that_a_disk_forgets_costs_a_game(old: Path, tmp_path: Path) -> None:
    data = old.read_bytes()
    files = RecordingFiles(folder_of(old))
    with patch.object(taking_in, "Files", lambda *_, **__: files):
        take_in_old(old)
    tape = files.tape
    count = 0
    with patch.multiple(system, sync_data=ignore, sync_names=ignore):
        for step in range(0, len(tape), 3 if FULL else 12):
            count += taken_in_after(tape[:step], data, tmp_path / "left", seed=step)
        count += taken_in_after(tape, empty_index(), tmp_path / "left", seed=1)
    assert count > (90 if FULL else 22)
    # Without the syncs, games would be gone.
    unsynced = [one for one in tape if not isinstance(one, Sync | SyncNames)]
    with pytest.raises((AssertionError, JournalError)):
        taken_in_after(unsynced, empty_index(), tmp_path / "left", seed=1)


def test_after_a_downgrade_its_games_and_lines_are_taken_too(old: Path) -> None:
    journal, _ = open_and_mend(old)
    with journal:
        # Game 8 here, and another game 8 there.
        here = journal.begin("classic", "2009", ("ANNA",), (), "1.1.0")
        journal.append(here, 0, ["roll 1 2 3 4 5"])
        journal.delete(3)
    old.with_name("games.sqlite3.before-1").replace(old)
    longer = replace(GAMES[-1], lines=lines_of(7, 60))
    new = old_game(8, ended=False)
    with closing(open_old(old)) as db:
        db.execute("DELETE FROM games WHERE id=7")
        db.execute("DELETE FROM lines WHERE game=7")
        add_to_old(db, [new, longer])
    journal, mended = open_and_mend(old)
    with journal:
        found = {game.id: game.lines for game in games_of(journal)}
        last = journal.last()
    assert mended is None
    assert here == 8
    assert found.pop(8) == ("roll 1 2 3 4 5",)
    assert found.pop(9) == new.lines
    assert found.pop(7) == longer.lines
    assert last is not None
    assert last.id == 7
    assert found == {game.id: game.lines for game in GAMES if game.id not in (3, 7)}
    names = {file.name for file in old.parent.iterdir()}
    assert names == {"games", "games.sqlite3", "games.sqlite3.before-1"}


def test_a_game_that_went_on_here_and_there_is_kept_twice_and_told(old: Path) -> None:
    journal, _ = open_and_mend(old)
    with journal:
        journal.append(7, 50, ["roll 1 1 1 1 1"])
    kept = old.with_name("games.sqlite3.before-1")
    for again in range(2):
        shutil.copyfile(kept, old)
        with closing(open_old(old)) as db:
            db.execute("DELETE FROM games WHERE id=7")
            db.execute("DELETE FROM lines WHERE game=7")
            there = (*GAMES[-1].lines, "roll 2 2 2 2 2", *["roll 3 3 3 3 3"] * again)
            add_to_old(db, [replace(GAMES[-1], lines=there)])
        journal, mended = open_and_mend(old)
        with journal:
            found = {game.id: game.lines for game in games_of(journal)}
            journal.forget_untold(journal.untold())
        assert found.pop(7) == (*GAMES[-1].lines, "roll 1 1 1 1 1")
        assert found.pop(8) == there
        assert found == all_lines(GAMES[:-1])
        assert (mended is None) == bool(again)


@pytest.mark.parametrize("place", [20, 4000, -9])
def test_a_damaged_log_is_told_and_kept(old: Path, tmp_path: Path, place: int) -> None:
    left = tmp_path / "left" / old.name
    left.parent.mkdir()
    with closing(open_old(old)) as db:
        for number in (8, 9):
            add_to_old(db, [old_game(number)])
        for suffix in ("", "-wal", "-shm"):
            shutil.copyfile(f"{old}{suffix}", f"{left}{suffix}")
    data = bytearray(Path(f"{left}-wal").read_bytes())
    data[place] ^= 1
    Path(f"{left}-wal").write_bytes(data)
    with pytest.raises(Cut), cut_after(2):
        open_and_mend(left)
    journal, mended = open_and_mend(left)
    with journal:
        found = {game.id: game.lines for game in games_of(journal)}
    assert found.items() >= all_lines().items()
    assert 9 not in found
    assert mended is not None
    assert "SQLite's log" in mended.sentence
    assert Path(f"{left}.damaged-1-wal").read_bytes() == data
    assert not Path(f"{left}-wal").exists()


def test_a_damaged_old_journal_is_taken_in_as_far_as_it_can_be_read(old: Path) -> None:
    damaged(old, "UPDATE lines SET text='roll 1 1 1 1 1' WHERE game=3 AND seq=10")
    data = old.read_bytes()
    journal, mended = open_and_mend(old)
    with journal:
        found = {game.id: game for game in games_of(journal)}
    assert found[3].uncounted == ("roll 1 1 1 1 1", *GAMES[2].lines[11:])
    cut_off = replace(GAMES[2], lines=GAMES[2].lines[:10])
    assert all_lines(list(found.values())) == all_lines((*GAMES[:2], cut_off, *GAMES[3:]))
    assert old.with_name("games.sqlite3.damaged-1").read_bytes() == data
    assert mended is not None
    assert "30 lines of them do not count any more" in mended.sentence


# ---- games with few lines ----------------------------------------------------------------------


def united(there: Sequence[SavedGame], coming: Sequence[SavedGame]) -> dict[int, int]:
    """The numbers and lengths of games after some of one old journal met those of another."""
    with Journal("x", files=MemoryFiles()) as journal:
        for games in (there, coming):
            union = Union(journal, keep_opened=True)
            for game in games:
                identity = identity_of_old(game.game, game.options, game.lines)
                union.add(game.id, replace(game, identity=identity), old=True)
            union.finish()
        return {game.id: len(game.lines) for game in games_of(journal)}


@pytest.mark.parametrize("ended", [True, False])
@pytest.mark.parametrize(("one", "other"), [(5, 12), (5, 40), (23, 24), (24, 25), (40, 41)])
def test_a_game_met_at_another_time_is_the_same(one: int, other: int, ended: bool) -> None:
    short, long = old_game(1, one, ended=False, seed=3), old_game(1, other, ended=ended, seed=3)
    elsewhere = [replace(game, id=9) for game in (short, long)]
    assert united([short], [elsewhere[1]]) == {1: other}
    assert united([long], [elsewhere[0]]) == {1: other}
    assert united([long, old_game(2)], [elsewhere[0], elsewhere[1]]) == {1: other, 2: 40}


def test_games_that_begin_otherwise_are_others() -> None:
    short, other = old_game(1, 5, ended=False, seed=3), old_game(1, 40, seed=4)
    assert united([short], [other]) == {1: 5, 2: 40}
    assert united([other], [short]) == {1: 40, 2: 5}


def test_an_empty_game_is_the_same_only_by_its_number() -> None:
    empty, other = old_game(1, 0, ended=False), old_game(2, 40)
    assert united([empty], [other]) == {1: 0, 2: 40}
    assert united([other], [empty]) == {1: 0, 2: 40}
    assert united([empty], [old_game(1, 30, ended=False)]) == {1: 30}


@pytest.mark.parametrize("lines", [9, 24, 40])
def test_a_deleted_game_stays_deleted_whenever_it_was_copied(lines: int) -> None:
    with Journal("x", files=MemoryFiles()) as journal:
        for game in (old_game(1), old_game(1, lines, ended=False)):
            identity = identity_of_old(game.game, game.options, game.lines)
            union = Union(journal)
            union.add(1, replace(game, identity=identity), old=True)
            union.finish()
            if game.ended:
                journal.delete(1)
        assert not games_of(journal)
