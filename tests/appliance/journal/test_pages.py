"""Rows are found on single pages, in SQLite's log too, and only rows that were written."""

import os
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from appliance.journal.pages import Pages, Row, Value, rows_on
from appliance.journal.wal import PAGE

from appliance.journal.journal import Journal
from tests.appliance.journal.test_database import begin

LINES = tuple(f"roll {n} " + "." * 20 for n in range(300))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "games.sqlite3"
    with Journal(file) as journal:
        journal.append(begin(journal), 0, LINES)
        journal.remember("desk", "é" * 5000)
    return file


def numbered(path: Path) -> list[Row]:
    with path.open("rb") as file:
        return list(rows_on(Pages(path, file)))


def rows(path: Path) -> list[tuple[Value, ...]]:
    return [values for _, values in numbered(path)]


def lines(path: Path) -> list[tuple[Value, ...]]:
    """Game, number and text of each line; its checksum is left out."""
    return sorted(values[:3] for values in rows(path) if len(values) == 4)


def test_every_row_is_found_also_one_that_is_longer_than_a_page(path: Path) -> None:
    assert lines(path) == [(1, n, text) for n, text in enumerate(LINES)]
    assert ("desk", "é" * 5000) in [values[:2] for values in rows(path)]
    games = [(number, values[:8]) for number, values in numbered(path) if len(values) == 9]
    assert games == [
        (1, (None, "classic", "2009", '["ANNA", "B\\u00d8B"]', '{"first": 0}', "0.1.0", 0, 1))
    ]


def test_what_is_in_the_log_only_is_found_as_far_as_it_was_committed(path: Path) -> None:
    with Journal(path) as journal:
        for n in range(3):
            journal.append(1, 300 + n, [f"late {n}"])
        log = path.with_name(f"{path.name}-wal")
        whole, file = log.read_bytes(), path.read_bytes()
    for cut, late in ((0, 3), (1, 2), (PAGE + 24 + 1, 1)):
        path.write_bytes(file)
        log.write_bytes(whole[: len(whole) - cut])
        assert len(lines(path)) == 300 + late
    # A frame that was torn between its sectors.
    torn = bytearray(whole)
    torn[-600:] = bytes(600)
    log.write_bytes(torn)
    assert len(lines(path)) == 302
    log.write_bytes(whole)
    path.write_bytes(b"")
    assert (1, 302, "late 2") in lines(path)


@pytest.mark.parametrize("seed", range(20))
def test_pages_of_chance_hold_no_rows_of_ours_and_end_nothing(path: Path, seed: int) -> None:
    random = Random(seed)
    data = bytearray(path.read_bytes())
    for start in range(PAGE, len(data), PAGE):
        kind = data[start]
        data[start : start + PAGE] = random.randbytes(PAGE)
        # As if it held rows.
        data[start] = kind
    path.write_bytes(data)
    assert lines(path) == []


@pytest.mark.parametrize("seed", range(20))
def test_bytes_of_chance_end_nothing(path: Path, seed: int) -> None:
    random = Random(seed)
    data = bytearray(path.read_bytes())
    for _ in range(500):
        data[random.randrange(len(data))] = random.randrange(256)
    path.write_bytes(data)
    assert len(rows(path)) < 320


def test_pages_that_a_worn_card_cannot_read_hide_no_others(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.pread

    def pread(descriptor: int, size: int, offset: int) -> bytes:
        if offset == 4 * PAGE:
            raise OSError(5, "Input/output error")
        return real(descriptor, size, offset)

    monkeypatch.setattr(os, "pread", pread)
    assert 100 < len(lines(path)) < 300


def test_pages_are_read_one_by_one_so_that_whoever_watches_sees_them_get_on(path: Path) -> None:
    with path.open("rb") as file:
        found = rows_on(Pages(path, file))
        seen = [bytes_read() for _ in found]
    # Looking is counted, too, with a few bytes; a page is more.
    read = [later - before > PAGE for before, later in pairwise(seen)]
    assert sum(read) >= len(lines(path)) * 20 // PAGE


def bytes_read() -> int:
    """What this thread has read so far."""
    return int(Path("/proc/thread-self/io").read_text().split()[1])
