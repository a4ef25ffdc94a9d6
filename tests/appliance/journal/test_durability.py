"""Power may fail between any two writes: every state the disk can then be in is opened."""

from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from appliance.errors import JournalError
from appliance.journal.journal import Journal
from tests.appliance.journal.crash_disk import (
    ALL_SUBSETS,
    SECTOR,
    Create,
    Delete,
    Operation,
    Sync,
    Tape,
    Truncate,
    Write,
    crashes,
    library,
    most_loose,
    put,
    recording,
)

pytestmark = pytest.mark.skipif(
    library() is None, reason="this Python's SQLite cannot be reached by ctypes"
)


@dataclass(frozen=True, slots=True)
class Shown:
    """What the journal had promised when this many operations had been issued."""

    operations: int
    games: tuple[tuple[str, ...], ...]


def play(path: Path, tape: Tape, lines: int) -> list[Shown]:
    """Writes games as the appliance does; what was promised, and when."""
    random = Random(5)
    games: list[tuple[str, ...]] = []
    shown = [Shown(len(tape), ())]

    def promised() -> None:
        shown.append(Shown(len(tape), tuple(games)))

    for session in range(2):
        with Journal(path) as journal:
            # Makes checkpoints, which move pages from the log to the database, frequent.
            journal._db.execute("PRAGMA wal_autocheckpoint=6")
            number = journal.begin("classic", "2009", [f"P{session}"], [], "0.1.0")
            games.append(())
            promised()
            while len(games[-1]) < lines:
                new = [f"roll {random.randint(0, 99999)}"] * random.choice((1, 1, 2))
                journal.append(number, len(games[-1]), new)
                games[-1] += tuple(new)
                promised()
        promised()
    return shown


def found(folder: Path, name: str) -> tuple[tuple[str, ...], ...]:
    with Journal(folder / name) as journal:
        assert journal.check() == "ok"
        return tuple(saved.lines for saved in journal.games())


def holds(after: tuple[tuple[str, ...], ...], promised: Shown, coming: Shown) -> bool:
    """Whether all that was promised is there, and nothing else but what was being written."""
    return after in (promised.games, coming.games)


def test_every_state_after_a_crash_has_all_that_was_shown(tmp_path: Path) -> None:
    live, dead = tmp_path / "live", tmp_path / "dead"
    live.mkdir()
    dead.mkdir()
    with recording() as tape:
        shown = play(live / "games.sqlite3", tape, lines=14)
    assert {type(op) for op in tape.operations} >= {Write, Sync, Delete}
    # So that no state is left to chance.
    assert most_loose(tape) <= ALL_SUBSETS
    tried = 0
    for count, files in crashes(tape):
        later = [s for s in shown if s.operations > count]
        # One operation may have fulfilled several promises: the last of them counts.
        promised = [s for s in shown if s.operations <= count][-1]
        coming = later[0] if later else promised
        put(files, dead)
        after = found(dead, "games.sqlite3")
        assert holds(after, promised, coming), (count, tape.operations[count - 1], after)
        tried += 1
    assert tried > 700


def test_without_syncs_the_same_disk_loses_what_was_shown(tmp_path: Path) -> None:
    live, dead = tmp_path / "live", tmp_path / "dead"
    live.mkdir()
    dead.mkdir()
    with recording() as tape:
        shown = play(live / "games.sqlite3", tape, lines=2)
    # As with PRAGMA synchronous=OFF from the first promise on.
    first = shown[1].operations
    unsynced = [op for i, op in enumerate(tape.operations) if i < first or not isinstance(op, Sync)]
    done = Shown(len(unsynced), shown[-1].games)
    lost = next(
        (
            files
            for count, files in crashes(Tape(unsynced))
            if count == len(unsynced) and not intact(dead, files, done)
        ),
        None,
    )
    assert lost is not None


def intact(folder: Path, files: dict[str, bytes], promised: Shown) -> bool:
    put(files, folder)
    try:
        return found(folder, "games.sqlite3") == promised.games
    except (JournalError, AssertionError):
        return False


def states(*operations: Operation) -> set[bytes | None]:
    """What file "a" may hold after a crash following the last of these."""
    tape = Tape(list(operations))
    return {files.get("a") for count, files in crashes(tape) if count == len(tape)}


def test_the_disk_gives_what_posix_allows() -> None:
    made = (Create("a"), Write("a", 0, b"12"))
    assert states(*made) == {None, b"", b"12"}
    assert states(*made, Sync("a")) == {None, b"12"}
    there = (*made, Sync("a", folder=True))
    assert states(*there) == {b"12"}
    assert states(*there, Write("a", 1, b"3")) == {b"12", b"13"}
    assert states(*there, Write("a", 1, b"3"), Truncate("a", 1)) == {b"12", b"13", b"1"}
    assert states(*there, Delete("a")) == {None, b"12"}
    assert states(*there, Delete("a"), Sync("b", folder=True)) == {None}
    long = Write("a", 0, b"x" * 3 * SECTOR)
    torn = states(Create("a"), Sync("a", folder=True), long)
    assert b"x" * SECTOR in torn
    assert bytes(SECTOR) + b"x" * 2 * SECTOR in torn
