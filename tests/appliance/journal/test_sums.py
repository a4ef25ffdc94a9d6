"""Rows that are not what was written are seen, put right where that can be told, and said."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from appliance.journal.recovery import open_or_salvage, reading

from appliance.errors import DamagedRows
from appliance.journal.journal import Journal
from appliance.journal.sums import check_lines, first_sum, next_sum

LINES = tuple(f"roll {n % 6 + 1} 2 3 4 5" for n in range(8))
GAME = 3
BEGINNING = """
CREATE TABLE games (
    id INTEGER PRIMARY KEY, game TEXT NOT NULL, edition TEXT NOT NULL, players TEXT NOT NULL,
    options TEXT NOT NULL, version TEXT NOT NULL, ended INTEGER NOT NULL DEFAULT 0,
    opened INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE lines (
    game INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE, seq INTEGER NOT NULL,
    text TEXT NOT NULL, PRIMARY KEY (game, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE settings (name TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID;
PRAGMA user_version=2;
"""
"""The tables of version 2, as they were."""

Rows = list[tuple[str, int | None]]


def sealed(texts: Sequence[str], without: int = 0) -> Rows:
    """Rows as they are written; the first ones by an earlier version."""
    rows: Rows = []
    before = first_sum(GAME)
    for seq, text in enumerate(texts):
        before = next_sum(before, text)
        rows.append((text, before if seq >= without else None))
    return rows


@pytest.mark.parametrize("without", [0, 3, len(LINES)])
def test_what_was_written_is_sound(without: int) -> None:
    checked = check_lines(GAME, sealed(LINES, without))
    assert (checked.texts, checked.fault) == (LINES, "")
    assert checked.last_sum == sealed(LINES)[-1][1]
    assert check_lines(GAME, []).texts == ()


@pytest.mark.parametrize("seq", range(len(LINES)))
def test_one_bit_of_a_text_is_seen_and_put_right(seq: int) -> None:
    for place in range(len(LINES[seq])):
        for bit in range(8):
            rows = sealed(LINES)
            data = bytearray(LINES[seq].encode())
            data[place] ^= 1 << bit
            # As SQLite's texts are read from a damaged file.
            rows[seq] = data.decode(errors="replace"), rows[seq][1]
            checked = check_lines(GAME, rows)
            assert checked.fault == f"line {seq + 1} of game 3 is not what was written"
            assert checked.texts == LINES


@pytest.mark.parametrize("seq", range(len(LINES)))
def test_one_bit_of_a_checksum_costs_no_line(seq: int) -> None:
    for bit in range(32):
        rows = sealed(LINES)
        text, stored = rows[seq]
        assert stored is not None
        rows[seq] = text, stored ^ 1 << bit
        checked = check_lines(GAME, rows)
        assert checked.fault
        assert checked.texts == LINES
    rows[seq] = rows[seq][0], None
    # Of a first line without one, nothing says that it ever had one.
    assert bool(check_lines(GAME, rows).fault) == (seq > 0)


def test_lines_that_are_missing_swapped_or_of_another_game_are_seen() -> None:
    rows = sealed(LINES)
    for wrong in ([*rows[:3], *rows[4:]], [*rows[:3], rows[4], rows[3], *rows[5:]]):
        checked = check_lines(GAME, wrong)
        assert checked.fault
        assert checked.texts == LINES[:3]
    assert check_lines(GAME + 1, rows).fault


def test_two_bytes_that_are_others_end_what_is_known() -> None:
    rows = sealed(LINES)
    rows[4] = "roll 6 6 3 4 5", rows[4][1]
    checked = check_lines(GAME, rows)
    assert (checked.texts, checked.fault) == (LINES[:4], "line 5 of game 3 is not what was written")


def test_of_lines_without_checksums_none_is_dropped() -> None:
    """One of the first three is another; which one, nothing says."""
    rows = sealed(LINES, without=3)
    rows[1] = "roll 6 6 6 6 6", None
    checked = check_lines(GAME, rows)
    assert checked.fault == "line 4 of game 3 is not what was written"
    assert checked.texts == (LINES[0], "roll 6 6 6 6 6", *LINES[2:])


# ---- in a journal ------------------------------------------------------------------------------


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal with two games, the second over, and a setting."""
    path = tmp_path / "games.sqlite3"
    with Journal(path) as journal:
        for ended in (False, True):
            number = journal.begin("classic", "2009", ["ANNA", "BEN"], [("first", 0)], "1.0.0")
            for seq, text in enumerate(LINES):
                journal.append(number, seq, [text])
            journal.append(number, len(LINES), ["roll 6 6 6 6 6"], ended=ended)
        journal.remember("desk", "{}")
    return path


def damage(path: Path, *statements: str) -> None:
    """Changes rows as nobody does who knows of checksums."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in statements:
            db.execute(statement)


LEGAL = {
    "a face": "UPDATE lines SET text='roll 1 3 3 4 5' WHERE game=2 AND seq=0",
    "a name": 'UPDATE games SET players=\'["ANNB", "BEN"]\' WHERE id=1',
    "a rule": "UPDATE games SET options='{\"first\": 1}' WHERE id=1",
    "the end": "UPDATE games SET ended=0 WHERE id=2",
    "the order": "UPDATE games SET opened=9 WHERE id=1",
    "a setting": "UPDATE settings SET text='[]'",
    "a line that is gone": "DELETE FROM lines WHERE game=2 AND seq=4",
    "a game that is gone": "DELETE FROM games WHERE id=2",
}


@pytest.mark.parametrize("statement", LEGAL.values(), ids=LEGAL.keys())
def test_a_change_that_looks_legal_is_said_and_the_file_kept(path: Path, statement: str) -> None:
    damage(path, statement)
    before = path.read_bytes()
    journal, salvage = open_or_salvage(path)
    with journal:
        assert salvage is not None
        assert salvage.kept.read_bytes() == before
        assert journal.check() == "ok"
    journal, salvage = open_or_salvage(path)
    with journal:
        assert salvage is None, "once is enough"


def test_a_bit_is_put_right(path: Path) -> None:
    damage(path, LEGAL["a face"])
    with Journal(path) as journal, pytest.raises(DamagedRows, match="line 1 of game 2"):
        journal.load(2)
    with reading(path) as (journal, _):
        assert len(journal.load(1).lines) == len(LINES) + 1
    with open_or_salvage(path)[0] as journal:
        assert journal.load(2).lines == (*LINES, "roll 6 6 6 6 6")


def test_nothing_is_appended_to_what_was_not_written(path: Path) -> None:
    damage(path, "UPDATE lines SET text='roll 1 3 3 4 5' WHERE game=1 AND seq=0")
    with Journal(path) as journal, pytest.raises(DamagedRows) as refused:
        journal.append(1, len(LINES) + 1, ["roll 2 2 2 2 2"])
    assert refused.value.damaged


def test_what_a_running_program_has_written_is_compared_with_the_disk(path: Path) -> None:
    with Journal(path) as journal:
        journal.append(1, len(LINES) + 1, ["roll 2 2 2 2 2"])
        assert journal.checkpoint()
        journal.verify()
        data = path.read_bytes()
        assert data.count(b"roll 2 2 2 2 2") == 1
        with path.open("r+b") as file:
            file.seek(data.index(b"roll 2 2 2 2 2"))
            file.write(b"roll 2 3 2 2 2")
        with pytest.raises(DamagedRows):
            journal.verify()


def test_games_of_version_2_open_for_ever(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    with closing(sqlite3.connect(path)) as db:
        db.executescript(BEGINNING)
        for number in (1, 2):
            row = (number, "classic", "2009", '["ANNA", "BEN"]', '{"first": 0}', "0.9", 0, number)
            db.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
            rows = [(number, seq, text) for seq, text in enumerate(LINES)]
            db.executemany("INSERT INTO lines VALUES (?, ?, ?)", rows)
        db.execute("INSERT INTO settings VALUES ('desk', '{}')")
        db.commit()
    with reading(path) as (journal, salvage):
        assert salvage is None
        assert [game.lines for game in journal.games()] == [LINES, LINES]
    for more in range(2):
        journal, salvage = open_or_salvage(path)
        with journal:
            assert salvage is None
            assert journal.remembered("desk") == "{}"
            journal.append(1, len(LINES) + more, ["roll 6 6 6 6 6"])
            assert [len(game.lines) for game in journal.games()] == [len(LINES) + more + 1, 8]
    # What is written from then on is covered, with all that was there before.
    damage(path, "UPDATE lines SET text='roll 1 3 3 4 5' WHERE game=1 AND seq=0")
    journal, salvage = open_or_salvage(path)
    with journal:
        assert salvage is not None
        assert salvage.fault == "line 9 of game 1 is not what was written"
        assert len(journal.load(1).lines) == len(LINES) + 2
