import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from appliance.journal.database import Journal, SavedGame, Unfinished
from appliance.journal.recovery import Known, mend, reading

from appliance.errors import JournalError, JournalGone
from appliance.journal import database as journal_module
from appliance.rules.registry import GAMES


def begin(journal: Journal) -> int:
    return journal.begin("classic", "2009", ["ANNA", "BØB"], [("first", 0)], "0.1.0")


def test_a_new_journal_is_empty(tmp_path: Path) -> None:
    with Journal(tmp_path / "games.sqlite3") as journal:
        assert journal.last() is None
        assert journal.check() == "ok"


def test_lines_come_back_in_order_after_reopening(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    with Journal(path) as journal:
        game = begin(journal)
        journal.append(game, 0, ["roll 1 2 3 4 5", "holding 1"])
        journal.append(game, 2, ["hold 1"])
    with Journal(path) as journal:
        saved = journal.last()
        assert saved is not None
        assert saved.id == game
        assert saved.players == ("ANNA", "BØB")
        assert saved.options == (("first", 0),)
        assert saved.lines == ("roll 1 2 3 4 5", "holding 1", "hold 1")
        assert not saved.ended


def test_players_are_named_on_disk_and_only_in_a_game_that_is_there(tmp_path: Path) -> None:
    with Journal(tmp_path / "games") as journal:
        number = begin(journal)
        count = len(journal.load(number).players)
        journal.name_players(number, ["OTTO"] * count)
        with pytest.raises(JournalGone):
            journal.name_players(number + 1, ["OTTO"])
    with reading(tmp_path / "games") as (there, salvage):
        assert (there.load(number).players, salvage) == (("OTTO",) * count, None)


def test_a_line_is_on_disk_before_append_returns(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    writer = Journal(path)
    game = begin(writer)
    writer.append(game, 0, ["roll 1 2 3 4 5"], ended=True)
    with Journal(path) as reader:
        saved = reader.load(game)
    assert saved.lines == ("roll 1 2 3 4 5",)
    assert saved.ended
    writer.close()


def test_every_commit_is_synced() -> None:
    with Journal(":memory:") as journal:
        assert journal._db.execute("PRAGMA synchronous").fetchone() == (2,)


def test_a_journal_in_memory_has_nothing_to_do_with_a_file_of_that_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = Path(":memory:")
    file.touch()
    with Journal(":memory:") as journal:
        file.unlink()
        journal.look()
        game = SavedGame(7, "classic", "2009", ("ANNA",), (), "1.2.3", False, ("one",))
        number, _ = mend(journal, Known(game))
        assert [saved.lines for saved in journal.games()] == [("one",)]
        assert number is not None
    assert not list(tmp_path.iterdir())


def test_lines_of_all_games_are_counted_and_little_of_them_is_kept_in_memory(
    tmp_path: Path,
) -> None:
    with Journal(tmp_path / "games.sqlite3") as journal:
        assert journal.count_lines() == 0
        for lines in (["one", "two"], ["three"]):
            journal.append(begin(journal), 0, lines)
        assert journal.count_lines() == 3
        (pages,) = journal._db.execute("PRAGMA cache_size").fetchone()
        assert pages == -256


def test_a_line_is_never_written_twice_or_over_another(tmp_path: Path) -> None:
    with Journal(tmp_path / "games.sqlite3") as journal:
        game = begin(journal)
        journal.append(game, 0, ["one", "two"])
        with pytest.raises(JournalError, match="UNIQUE"):
            journal.append(game, 1, ["other", "three"])
        assert journal.load(game).lines == ("one", "two")


def test_the_newest_game_is_the_last(tmp_path: Path) -> None:
    with Journal(tmp_path / "games.sqlite3") as journal:
        first = begin(journal)
        second = begin(journal)
        journal.append(first, 0, ["late line of the first"])
        saved = journal.last()
        assert saved is not None
        assert saved.id == second
        with pytest.raises(JournalError, match="no game 99"):
            journal.load(99)


def test_what_is_no_journal_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    path.write_bytes(b"this is no database" * 100)
    with pytest.raises(JournalError, match=r"games\.sqlite3.*not a database"):
        Journal(path)
    assert path.read_bytes() == b"this is no database" * 100
    with pytest.raises(JournalError, match="unable to open"):
        Journal(tmp_path / "missing" / "games.sqlite3")


def test_a_journal_of_a_later_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    with Journal(path) as journal:
        journal._db.execute("PRAGMA user_version=7")
    with pytest.raises(JournalError, match="expected a journal of version 3, found version 7"):
        Journal(path)


VERSION_1 = """
CREATE TABLE games (
    id INTEGER PRIMARY KEY, game TEXT NOT NULL, edition TEXT NOT NULL, players TEXT NOT NULL,
    options TEXT NOT NULL, version TEXT NOT NULL, ended INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE lines (
    game INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE, seq INTEGER NOT NULL,
    text TEXT NOT NULL, PRIMARY KEY (game, seq)
) STRICT, WITHOUT ROWID;
INSERT INTO games VALUES (1, 'classic', '2009', '["ANNA"]', '{}', '0.1.0', 1);
INSERT INTO games VALUES (2, 'power', '2009', '["ANNA", "BOB"]', '{"first": 1}', '0.1.0', 0);
INSERT INTO lines VALUES (2, 0, 'roll 1 2 3 4 5 power');
PRAGMA user_version=1;
"""


def test_a_journal_of_the_first_version_is_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    old = sqlite3.connect(path)
    old.executescript(VERSION_1)
    old.close()
    for _ in range(2):
        with Journal(path) as journal:
            saved = journal.last()
            assert saved is not None
            assert (saved.id, saved.options) == (2, (("first", 1),))
            assert saved.lines == ("roll 1 2 3 4 5 power",)
            assert [game.id for game in journal.unfinished()] == [2]
            assert journal.check() == "ok"
    with Journal(path) as journal:
        journal.append(2, 1, ["hold 6"])
        assert begin(journal) == 3


def test_a_migration_that_fails_leaves_the_old_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.sqlite3"
    old = sqlite3.connect(path)
    old.executescript(VERSION_1)
    old.close()
    broken = {**journal_module._MIGRATIONS, 2: "UPDATE nothing SET x=1;\n"}
    monkeypatch.setattr(journal_module, "_MIGRATIONS", broken)
    with pytest.raises(JournalError, match="nothing"):
        Journal(path)
    monkeypatch.undo()
    with Journal(path) as journal:
        assert [game.id for game in journal.unfinished()] == [2]


def test_a_game_that_is_gone_on_with_is_the_last(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    with Journal(path) as journal:
        first, second, third = begin(journal), begin(journal), begin(journal)
        for game in (first, second, third):
            journal.append(game, 0, ["roll 1 2 3 4 5"])
        assert journal.open(first).lines == ("roll 1 2 3 4 5",)
        assert [game.id for game in journal.unfinished()] == [first, third, second]
    with Journal(path) as journal:
        saved = journal.last()
        assert saved is not None
        assert saved.id == first
        journal.append(third, 1, ["score chance"], ended=True)
        assert [game.id for game in journal.unfinished()] == [first, second]
        assert journal.unfinished()[0] == Unfinished(first, "classic", ("ANNA", "BØB"))
        with pytest.raises(JournalError, match="no game 99"):
            journal.open(99)


def test_games_in_which_nothing_happened_are_not_offered(tmp_path: Path) -> None:
    with Journal(tmp_path / "games.sqlite3") as journal:
        begin(journal)
        assert journal.unfinished() == ()


def test_settings_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    with Journal(path) as journal:
        assert journal.remembered("desk") is None
        journal.remember("desk", "one")
        journal.remember("desk", "two")
    with Journal(path) as journal:
        assert journal.remembered("desk") == "two"


def test_a_full_disk_is_reported_and_loses_nothing(tmp_path: Path) -> None:
    with Journal(tmp_path / "games.sqlite3") as journal:
        game = begin(journal)
        journal.append(game, 0, ["kept"])
        pages = journal._db.execute("PRAGMA page_count").fetchone()[0]
        journal._db.execute(f"PRAGMA max_page_count={pages}")
        with pytest.raises(JournalError, match="full"):
            journal.append(game, 1, ["x" * 10_000])
        assert journal.load(game).lines == ("kept",)
        assert journal.check() == "ok"


LOCK_THE_INDEX = """
import fcntl, sys
with open(sys.argv[1], "r+b") as file:
    fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, 128)
"""
"""Takes the lock that SQLite's first connection takes before it cuts the index (os_unix.c, DMS)."""


def test_other_programs_see_that_the_database_is_open_after_each_turn(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    with Journal(path) as journal:
        game = GAMES["classic"]
        number = journal.begin("classic", game.EDITION, ("ANNA",), [], "1.0.0")
        for count in range(2):
            journal.append(number, count, ["roll 1 2 3 4 5"])
            journal.checkpoint()
            command = [sys.executable, "-c", LOCK_THE_INDEX, f"{path}-shm"]
            ended = subprocess.run(command, capture_output=True, text=True, check=False)
            assert "BlockingIOError" in ended.stderr, count


def test_a_game_is_loaded_with_everything_that_it_was_begun_with(tmp_path: Path) -> None:
    with Journal(tmp_path / "games") as journal:
        options = (("first", 1), ("joker", False), ("lower", "wild"))
        number = journal.begin("classic", "2009", ["ANNA", "BOB"], options, "1.0.0")
        journal.append(number, 0, ["one", "two"], ended=True)
        version = journal.entries()[0].version
        assert journal.load(number) == SavedGame(
            id=number,
            game="classic",
            edition="2009",
            players=("ANNA", "BOB"),
            options=options,
            version=version,
            ended=True,
            lines=("one", "two"),
        )
        assert version.startswith("1.0.0")


def test_the_log_of_a_file_that_was_moved_away_is_merged_into_it_and_removed(
    tmp_path: Path,
) -> None:
    path, moved = tmp_path / "games", tmp_path / "moved"
    log, index = tmp_path / "games-wal", tmp_path / "games-shm"
    with Journal(path) as journal:
        number = begin(journal)
        journal.append(number, 0, ["roll 1 2 3 4 5"])
        journal.leave()
        assert log.exists()
        path.rename(moved)
        path.write_bytes(b"another one")
        journal.leave()
        assert not log.exists()
        assert not index.exists()
    with Journal(moved) as journal:
        assert journal.load(number).lines == ("roll 1 2 3 4 5",)
