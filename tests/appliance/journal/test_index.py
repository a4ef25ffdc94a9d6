"""Indexed games are not counted again; others, and those damaged there, are counted anew."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from shutil import copytree
from typing import Any, NoReturn

import pytest

from appliance.cli.main import main
from appliance.cli.shared import saved as reading_games
from appliance.errors import NoSuchGame
from appliance.journal import counting, index, packs
from appliance.journal.files import Files, folder_of
from appliance.journal.journal import Journal
from appliance.journal.library import MOST_READ, Library
from appliance.journal.old_journal import INDEX_TABLE, INDEX_VERSION
from appliance.journal.saved_game import SavedGame
from appliance.journal.summary import count_in_steps
from appliance.service.broadcast import MAX_ENDED_GAMES
from appliance.service.past_games import past_games
from appliance.table.menu.console import Console
from tests.paths import ROOT
from tests.rigs.examples import examples
from tests.rigs.grown_journal import answers, differences, grow, hurt, played

GAMES, A_PACK = 11, 3
PACKS = -(-GAMES // A_PACK)


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal with games in packs, and others that were put aside; nothing is indexed."""
    path = tmp_path_factory.mktemp("grown") / "games.sqlite3"
    grow(path, GAMES, aside=3, kinds=4, a_pack=A_PACK)
    return path


@pytest.fixture(scope="module")
def grown_indexed(grown: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """That journal, with an index of its games."""
    folder = tmp_path_factory.mktemp("indexed") / "of"
    copytree(grown.parent, folder)
    index_all(folder / grown.name)
    return folder / grown.name


@pytest.fixture
def path(grown: Path, tmp_path: Path) -> Path:
    """A copy of `grown` of one's own."""
    copytree(grown.parent, tmp_path, dirs_exist_ok=True)
    return tmp_path / grown.name


@pytest.fixture
def indexed(grown_indexed: Path, tmp_path: Path) -> Path:
    """A copy of `grown_indexed` of one's own."""
    copytree(grown_indexed.parent, tmp_path, dirs_exist_ok=True)
    return tmp_path / grown_indexed.name


@pytest.fixture(scope="module")
def by_files(grown: Path) -> tuple[str, ...]:
    """The games, told by their files alone."""
    return answers(grown)


def index_all(path: Path) -> None:
    with Journal(path) as journal:
        list(journal.indexing())


def no_counting(*_: object) -> NoReturn:
    raise AssertionError("a game is counted that is indexed")


def rows(path: Path, query: str = f"SELECT file, size FROM {INDEX_TABLE} ORDER BY 1") -> list[Any]:
    with closing(sqlite3.connect(path)) as base, base:
        return base.execute(query).fetchall()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(examples(3, 12)))
def test_answers_by_the_index_are_those_by_the_files(
    tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # So that few games fill several packs.
    monkeypatch.setattr(packs, "MOST_BYTES", 10_000)
    assert differences(tmp_path, seed) == []


def test_what_is_indexed_is_not_counted_again(
    indexed: Path, by_files: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    # The game opened last changes all the time.
    last = GAMES + 3
    with Journal(indexed) as journal:
        journal.delete(last)
    without_last = answers(indexed)
    monkeypatch.setattr(counting, "count_in_steps", no_counting)
    assert answers(indexed) == without_last != by_files
    index_all(indexed)


def test_of_a_pack_that_has_grown_only_what_is_new_is_counted(
    indexed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_packs = f"SELECT file, size FROM {INDEX_TABLE} WHERE file LIKE 'packs/%' ORDER BY 1"
    before = rows(indexed, in_packs)
    with Journal(indexed) as journal:
        for _ in range(2):
            game = played(4)[0]
            number = journal.begin(game.game, game.edition, game.players, (), "1.1.0")
            journal.append(number, 0, game.lines, ended=True)
        while journal.tidy():
            pass
    by_files = answers(indexed)
    counted: list[int] = []

    def counting_one(saved: SavedGame, opened: int) -> object:
        counted.append(saved.id)
        return count_in_steps(saved, opened)

    monkeypatch.setattr(counting, "count_in_steps", counting_one)
    index_all(indexed)
    # One was the game opened last until now, one is it now.
    assert sorted(counted) == [GAMES + 3, number - 1, number]
    *full, last = rows(indexed, in_packs)
    assert full == before[:-1]
    assert (folder_of(indexed) / last[0]).stat().st_size == last[1] > before[-1][1]
    monkeypatch.undo()
    assert answers(indexed) == by_files


def test_rows_of_games_that_are_gone_are_forgotten(indexed: Path) -> None:
    gone = f"going/{GAMES + 1:06}-{GAMES + 1:06}-{GAMES + 3:06}.game"
    assert gone in dict(rows(indexed))
    with Journal(indexed) as journal:
        journal.delete(1, GAMES + 1)
        list(journal.indexing())
    files = {str(row[0]) for row in rows(indexed)}
    there = {f"{file.parent.name}/{file.name}" for file in folder_of(indexed).glob("*/*.*")}
    assert files < there


@pytest.mark.parametrize("column", ["totals", "games", "keys", "size", "last"])
def test_a_wrong_row_is_seen_and_counted_again(
    indexed: Path, by_files: tuple[str, ...], column: str
) -> None:
    with closing(sqlite3.connect(indexed)) as base, base:
        base.execute(f"UPDATE {INDEX_TABLE} SET {column} = replace({column}, '1', '2')")
    assert answers(indexed) == by_files
    index_all(indexed)
    assert answers(indexed) == by_files


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(examples(3, 10)))
def test_a_damaged_index_is_made_anew(
    indexed: Path, by_files: tuple[str, ...], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    hurt(indexed, Random(seed))
    assert answers(indexed) == by_files
    index_all(indexed)
    index_all(indexed)
    assert answers(indexed) == by_files
    assert rows(indexed, "PRAGMA user_version") == [(INDEX_VERSION,)]
    with Journal(indexed) as journal:
        journal.delete(GAMES + 3)
    monkeypatch.setattr(counting, "count_in_steps", no_counting)
    answers(indexed)


def test_an_index_that_is_locked_is_left_alone(
    indexed: Path, by_files: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "_READING_PATIENCE_S", 0.0)
    before = indexed.read_bytes()
    with closing(sqlite3.connect(indexed)) as base, base:
        base.execute("BEGIN EXCLUSIVE")
        assert answers(indexed) == by_files
        index_all(indexed)
        base.rollback()
    assert indexed.read_bytes() == before


def test_a_journal_of_an_earlier_version_is_no_index_to_be_made_anew(path: Path) -> None:
    with Journal(path) as journal:
        with closing(sqlite3.connect(path)) as base, base:
            base.executescript("CREATE TABLE games (id); PRAGMA user_version = 3")
        list(journal.indexing())
        assert rows(path, "SELECT name FROM sqlite_schema") == [("games",)]


def test_who_only_reads_writes_no_index(path: Path) -> None:
    assert "ANNA" in answers(path)[0]
    assert not path.exists()


def test_nobody_else_may_read_the_names_in_the_index(indexed: Path) -> None:
    assert indexed.stat().st_mode & 0o007 == 0


def test_a_game_is_found_by_the_index(indexed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Journal(indexed) as read:
        wanted = read.load(2)
        pack_of = packs.Pack.read
        looked_at: list[str] = []

        def read_one(files: Files, name: str) -> packs.Pack:
            looked_at.append(name)
            return pack_of(files, name)

        monkeypatch.setattr(packs.Pack, "read", read_one)
        assert read.load(2) == wanted
        assert looked_at == [min(name for name, _ in rows(indexed) if name.startswith("packs/"))]


def test_of_a_number_that_no_game_has_the_index_knows(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal(path) as journal:
        journal.delete(3)
        with pytest.raises(NoSuchGame):
            journal.load(3)
        list(journal.indexing())
        monkeypatch.setattr(packs.Pack, "read", no_counting)
        for number in (3, 10**30):
            with pytest.raises(NoSuchGame):
                journal.load(number)


def test_a_game_that_has_moved_since_it_was_indexed_is_found(indexed: Path) -> None:
    with Journal(indexed) as read:
        wanted = read.load(5)
        read.delete(2)
        assert read.load(5) == wanted
        (folder_of(indexed) / "packs").rename(folder_of(indexed) / "nothing")
        assert read.load(5) == wanted
        assert answers(indexed)


@pytest.mark.parametrize("at", [0, 300, 9000])
def test_a_sector_that_cannot_be_read_costs_no_game(
    path: Path, by_files: tuple[str, ...], at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = Files.read

    def reading(self: Files, name: str, start: int = 0, size: int = -1) -> bytes:
        end = start + size if size >= 0 else 10**9
        if name.startswith("packs/") and start < at + 512 and end > at:
            raise OSError(5, "Input/output error")
        return read(self, name, start, size)

    monkeypatch.setattr(Files, "read", reading)
    assert answers(path) == by_files
    index_all(path)
    assert answers(path) == by_files


def test_records_come_bit_by_bit(path: Path) -> None:
    with Journal(path) as read:
        library, looked, console = Library(read), 0, Console()
        while console.kept.records is None:
            console = library.with_records(console, lambda: True)
            looked += 1
        assert looked > GAMES
        # What was counted for them is indexed.
        assert len(rows(path)) >= PACKS
        assert library.with_records(Console(), lambda: False).kept.records == console.kept.records


def test_of_many_games_put_aside_the_latest_are_read_first(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    grow(path, 1, aside=2 * MOST_READ + 3, kinds=2)
    with Journal(path) as read:
        library = Library(read)
        console = library.with_aside(Console())
        top = read.top()
        assert [a.number for a in console.kept.aside] == [*range(top, top - MOST_READ, -1)]
        while not library.knows_aside:
            console = library.with_aside(console)
        assert [a.number for a in console.kept.aside] == [*range(top, 1, -1)]


def test_games_that_another_program_brings_in_are_indexed_once_old_games_are_looked_at(
    indexed: Path,
) -> None:
    def unindexed() -> set[str]:
        there = folder_of(indexed).glob("packs/*.pack")
        known = dict(rows(indexed))
        return {one.name for one in there if known.get(f"packs/{one.name}") != one.stat().st_size}

    with Journal(indexed) as journal, Journal(indexed) as other:
        library = Library(journal)
        library.index(lambda: False)
        assert not unindexed()
        other.bring_in([(1, replace(played(4)[0], tray="00000000000000aa"))])
        assert unindexed()
        library.index(lambda: False)
        library.with_aside(Console())
        library.index(lambda: False)
        assert not unindexed()


def test_games_of_other_trays_count_only_if_they_are_asked_for(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal(path) as journal:
        ours = answers(path)
        journal.bring_in([(1, replace(played(4)[0], tray="00000000000000aa"))])
        index_all(path)
        listed, _, stats, all_trays, records = answers(path)
        assert len(listed.splitlines()) == len(ours[0].splitlines()) + 1
        assert (stats, records) == (ours[2], ours[4])
        assert all_trays != ours[3]
        numbers = {event["game"] for event in past_games(journal, ())}
        assert numbers == set(range(1, GAMES + 1))


def test_the_last_games_are_published_the_latest_last(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    grow(path, MAX_ENDED_GAMES + 5, aside=2, kinds=2)
    with Journal(path) as read:
        numbers = [event["game"] for event in past_games(read, {9, 20})]
    assert numbers == [n for n in range(6, MAX_ENDED_GAMES + 6) if n not in (9, 20)]


def test_statistics_end_in_time_and_say_what_is_left(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["stats", "--journal", str(path), "--within", "-1"]) == 75
    assert capsys.readouterr().out.startswith("STILL COUNTING: 0 OF 1 MB\n\n")
    assert main(["stats", "--journal", str(path), "--within", "-1", "--json"]) == 75
    assert '"still_counting": {"megabytes": 0, "of": 1}' in capsys.readouterr().out
    index_all(path)
    with Journal(path) as journal:
        journal.delete(GAMES + 3)
    assert main(["stats", "--journal", str(path), "--within", "-1"]) == 0
    assert "COUNTING" not in capsys.readouterr().out


def test_who_waits_long_is_told_how_far_counting_is(
    path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading_games, "QUIET_S", -1.0)
    assert main(["games", "list", "--journal", str(path)]) == 0
    said = capsys.readouterr()
    assert "STILL COUNTING: 0 OF 1 MB" in said.err
    assert "COUNTING" not in said.out


def test_each_step_is_short(path: Path) -> None:
    """However long a game is: some hundred dice are counted at a time."""
    long = next(game for game in played(60) if len(game.lines) > 1000)
    with Journal(path) as journal:
        number = journal.begin(long.game, long.edition, long.players, (), "1.1.0")
        journal.append(number, 0, long.lines, ended=True)
        steps = [0]
        for row in journal.counted():
            steps[-1] += 1
            if row is not None and number in row.numbers:
                break
            if row is not None:
                steps.append(0)
    assert steps[-1] > len(long.lines) / 300


WRITES = 150
STRESS = """
import logging, sys
from pathlib import Path
from appliance.journal.index import Index, Row

logging.basicConfig(level=logging.WARNING)
found, name = Index(Path(sys.argv[1]), read_only=False), sys.argv[2]
for number in range(int(sys.argv[3])):
    found.write(Row(f"{name}{number % 7}", number, number, games="[" + "0," * (number % 50) + "0]"))
    for row in found.rows().values():
        assert row.size == row.last
    if number % 10 == 9:
        found.forget(f"{name}{number % 7}")
print(len(found.rows()))
"""


@pytest.mark.slow
def test_two_processes_at_once_damage_nothing(tmp_path: Path) -> None:
    """Nor can SQLite's race of databases in WAL mode, which it is not in."""
    path = tmp_path / "games.sqlite3"
    running = [
        subprocess.Popen(
            [sys.executable, "-c", STRESS, str(path), name, str(WRITES)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        for name in ("a", "b")
    ]
    for process in running:
        out, errors = process.communicate(timeout=120)
        assert (process.returncode, errors) == (0, ""), "damage would be warned of"
        assert int(out) > 0
    with closing(sqlite3.connect(path)) as base:
        assert base.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert base.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    rows = index.Index(path, read_only=True).rows()
    assert {file[0] for file in rows} == {"a", "b"}
    # The 19th and the 20th byte are 1 in a database with a rollback journal, 2 in one with WAL.
    assert path.read_bytes()[18:20] == b"\1\1"
