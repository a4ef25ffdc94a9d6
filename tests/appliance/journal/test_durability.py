"""Power may fail between any two steps of the disk: every state it can then be in is opened."""

import errno
from pathlib import Path
from random import Random

import pytest

from tests.appliance.journal.crash_disk import (
    SECTOR,
    Disk,
    Name,
    Operation,
    Sync,
    SyncNames,
    Truncate,
    Unlink,
    Write,
)
from tests.appliance.journal.cutting import (
    KINDS,
    Recording,
    cuts,
    evening,
    fault_of,
    found_without,
    steps_of,
    syncs,
)
from tests.rigs.examples import examples

STATES = 3
"""States after each cut that are tried: nothing is left, everything, and one of those between."""


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    return evening(tmp_path_factory.mktemp("evening"), seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_every_cut_leaves_all_that_was_shown(recording: Recording, kind: str) -> None:
    random = Random(kind)
    steps = steps_of(recording, kind)
    assert steps
    some = random.sample(steps, min(len(steps), examples(3, 8)))
    for step, state, promised, coming in cuts(recording, STATES, random, some):
        assert not fault_of(state, promised, coming), (step, recording.tape[step - 1])


@pytest.mark.slow
@pytest.mark.parametrize("part", range(examples(2, 4)))
def test_every_sync_is_needed(recording: Recording, part: int) -> None:
    """Some of them; `scripts/cut_often.py` leaves out each."""
    all_syncs = syncs(recording.tape)
    for at in Random(part).sample(all_syncs, examples(3, 6)):
        assert found_without(recording, at, 6, Random(at)), (at, recording.tape[at])


@pytest.mark.slow
@pytest.mark.parametrize("number", [errno.EIO, errno.ENOSPC])
@pytest.mark.parametrize("length", [1, 4])
def test_whatever_fails_once_is_done_when_it_is_tried_again(
    recording: Recording, tmp_path: Path, number: int, length: int
) -> None:
    """The disk forgets what could not be synced, though reading still shows it."""
    random = Random(number * length)
    firsts = random.sample(range(1, len(recording.tape)), examples(2, 6))
    for part, first in enumerate(firsts):
        errors = dict.fromkeys(range(first, first + length), number)
        tried = evening(tmp_path / f"{part}", 1, errors)
        last = [len(tried.tape)]
        for _, state, promised, coming in cuts(tried, STATES, random, last):
            assert not fault_of(state, promised, coming), first


def states(*operations: Operation) -> set[bytes | None]:
    """The contents file "a" may have after a crash following the last of these; None for none."""
    disk = Disk()
    for operation in operations:
        disk.do(operation)
    return {state.get("a") for state in disk.states(1000, Random(0))}


MADE = (Name("", "a", 1), Write(1, 0, b"12"))
THERE = (*MADE, Sync(1), SyncNames(""))


def test_the_disk_gives_what_posix_allows() -> None:
    assert states(*MADE) == {None, b"", b"12"}
    assert states(*MADE, Sync(1)) == {None, b"12"}
    assert states(*MADE, SyncNames("")) == {b"", b"12"}
    assert states(*THERE) == {b"12"}
    assert states(*THERE, Write(1, 1, b"3")) == {b"12", b"13"}
    assert states(*THERE, Write(1, 1, b"3"), Truncate(1, 1)) == {b"12", b"13", b"1"}
    assert states(*THERE, Unlink("", "a")) == {None, b"12"}
    assert states(*THERE, Unlink("", "a"), SyncNames("other")) == {None, b"12"}
    assert states(*THERE, Unlink("", "a"), SyncNames("")) == {None}


def test_a_file_that_takes_the_place_of_another_is_there_or_the_other_is() -> None:
    new = (Name("", "a.new", 2), Write(2, 0, b"3"), Sync(2), Name("", "a", 2, "a.new"))
    assert states(*THERE, *new) == {b"12", b"3"}
    assert states(*THERE, *new, SyncNames("")) == {b"3"}
    unsynced = (*new[:2], *new[3:])
    assert states(*THERE, *unsynced, SyncNames("")) == {b"", b"3"}


def test_a_file_in_a_folder_without_a_name_is_not_there() -> None:
    disk = Disk()
    for operation in (Name("", "b", 1), Name("b", "a", 2), Write(2, 0, b"1"), Sync(2)):
        disk.do(operation)
    disk.do(SyncNames("b"))
    assert {*map(str, disk.states(100, Random(0)))} == {"{}", "{'b/a': b'1'}"}


def test_a_long_write_is_torn_between_sectors() -> None:
    torn = states(*THERE, Write(1, 2, b"x" * 3 * SECTOR))
    head = SECTOR - 2
    assert b"12" + b"x" * head in torn
    assert b"12" + bytes(head) + b"x" * (3 * SECTOR - head) in torn
