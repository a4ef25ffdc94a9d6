"""SQLite's log (`NAME-wal`), read without SQLite: what is valid in it, and whether it was damaged.

Until a checkpoint the log is the only copy of what it holds. A start of SQLite takes its frames up
to the first whose checksum is wrong, and overwrites the rest without a word, as that is what a
power cut leaves: https://www.sqlite.org/fileformat2.html#the_write_ahead_log. So one flipped bit
would take everything behind it. Here it is told from a power cut.

A log has a header with two salts, random for each generation of the log; each frame has the salts,
a page, its number, and a checksum of all of the log so far. As a frame states the checksum up to
it, the frame behind it can be checked from there, whatever lies before: such a frame is *linked*.
The last frame of a transaction, a commit, states the size of the database.

What a power cut leaves: with `synchronous=FULL` a commit returns once the log is synced, and the
header of a new generation is synced before its frames are written (`sqlite3WalFrames` in SQLite's
wal.c, 3.40). So only the frames of the one transaction that was being written can be missing, in
any order, or torn between sectors. Its commit, if it got there, is the last frame with these salts.
What a transaction left that was rolled back, or whose sync failed, is overwritten from its first
frame on; what stands behind is linked among itself, but has nothing behind its commit.

So it is damage, and not a power cut, where behind a frame that is not valid

- a linked frame stands right behind a commit: it was written after the transaction of that commit
  had returned, and so after all before it was synced. The commit must be linked itself, or its
  header lie within one sector, which a disk writes whole: a torn one might only look like a commit;
- or the index of the log beside it (`NAME-shm`) counts the frame as committed for these salts:
  SQLite counts it after the sync. A power cut may leave an old index or none, which proves nothing,
  but never one that is ahead of the log;
- or the header is not valid, but the log is long enough for a frame behind it: it lies within one
  sector and was synced before the first frame was written.

What cannot be told from a power cut is damage to the one transaction that was written last, where
the index is lost: one line of a game, or a few.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from struct import Struct, iter_unpack, unpack_from
from typing import BinaryIO

from vision import system
from vision.ordinary import NotOrdinary, open_to_read

PAGE = 4096
"""Bytes per page, SQLite's default."""

SECTOR = 512
"""Bytes that a disk writes whole or not at all, the least that there are."""

_HEADER = 32
_FRAME = Struct(">2I8s2I")
"""Before each page: its number, the size of the database in pages or 0, salts, checksum."""

_SIZE = _FRAME.size + PAGE
_MAGIC = 0x377F0682
"""In a log of a machine that is little-endian; one more on others."""

_VERSION = 3007000
_WORD = 2**32 - 1
_INDEX = Struct("=3I2BH4I8s2I")
"""The header of the index, twice: version, unused, changes, whether it is set up, order, page size,
frames, pages, the last frame's checksum, salts, its own checksum; in the machine's order."""

_INDEX_SUMMED = 40

Sums = tuple[int, int]
Stored = Callable[[int], bytes]
"""The page of a number as the database has it; empty if it has none."""

_TRIES = 5
"""How often a page is read that cannot be read."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame of this generation of the log.

    Attributes:
        index: counts the frames of the log from 1.
        head: the page's number from 1, and in a commit the size of the database in pages, else 0.
        page: what the page held from then on.
        stated: the checksum of all of the log up to here, as the frame has it.
        valid: whether everything up to here is as it was written.
        linked: whether this frame is as it was written, going by what the one before it states.
    """

    index: int
    head: bytes
    page: bytes
    stated: Sums
    valid: bool
    linked: bool

    @property
    def number(self) -> int:
        """The page's number."""
        return int.from_bytes(self.head[:4], "big")

    @property
    def commits(self) -> bool:
        """Whether it says that it ends a transaction."""
        return any(self.head[4:])

    @property
    def surely_commits(self) -> bool:
        """Whether it does even if the log was cut off by a power cut."""
        at = _HEADER + (self.index - 1) * _SIZE
        whole = at // SECTOR == (at + _FRAME.size - 1) // SECTOR
        return self.commits and (self.linked or whole)


@dataclass(frozen=True, slots=True)
class Log:
    """A log as it lies on the disk.

    Attributes:
        frames: those of this generation, in order.
        begin: the checksum of the header.
        order: "<" or ">", the order of bytes for checksums.
        sound_header: whether the header is as it was written.
        counted: frames that the index counts as committed; 0 if it says nothing about this log.
        indexed: the same of whatever log the index is of; 0 if it was not read.
    """

    frames: tuple[Frame, ...] = ()
    begin: Sums = (0, 0)
    order: str = "<"
    sound_header: bool = True
    counted: int = 0
    indexed: int = 0

    @property
    def fault(self) -> str:
        """What is wrong with it that no power cut explains; empty if nothing is."""
        valid = sum(frame.valid for frame in self.frames)
        behind = [frame for frame in self.frames if not frame.valid]
        if not self.sound_header:
            return "the header of SQLite's log is damaged"
        lost = f"frame {valid + 1} of SQLite's log is damaged, {len(behind)} frames from there on"
        if self.counted > valid:
            return lost
        commits = {frame.index for frame in behind if frame.surely_commits}
        after = any(frame.linked and frame.index - 1 in commits for frame in behind)
        return lost if after else ""

    def pages(self) -> dict[int, bytes]:
        """The newest version of each page that SQLite takes from the log, by number."""
        return self._newest_pages(frame for frame in self.frames if frame.valid)

    def salvaged(self, stored: Stored) -> tuple[dict[int, bytes], dict[int, bytes]]:
        """The newest version of each page of a damaged log that is as it was written.

        Also the pages of frames that are not, as they are now; both by number.
        """
        good, bad = list[Frame](), dict[int, bytes]()
        index, sums = 0, self.begin
        for frame in self.frames:
            # Behind a gap, what a frame states is the checksum of what is lost.
            known = sums if frame.index == index + 1 else None
            index, sums = frame.index, frame.stated
            was = known and _as_written(frame, self.order, known, stored)
            if was:
                good.append(was)
            else:
                bad[frame.number] = frame.page
        return self._newest_pages(good), bad

    def _newest_pages(self, frames: Iterable[Frame]) -> dict[int, bytes]:
        pages: dict[int, bytes] = {}
        pending: dict[int, bytes] = {}
        for frame in frames:
            pending[frame.number] = frame.page
            if frame.commits or frame.index <= self.counted:
                pages |= pending
                pending.clear()
        return pages


def log_of(path: Path) -> Path:
    """Where SQLite keeps the log of a database."""
    return path.with_name(f"{path.name}-wal")


def open_index(path: Path) -> BinaryIO:
    """SQLite's index of the log of a database, to be closed after the database.

    Closing any handle of this file ends all POSIX locks that this process has on it, SQLite's too:
    another program that opens the database then takes it for closed, and cuts the index that is
    mapped here (https://www.sqlite.org/howtocorrupt.html, 2.2).
    """
    return open_to_read(path.with_name(f"{path.name}-shm"))


def _read_index(path: Path, index: bool | BinaryIO) -> bytes:
    size = 2 * _INDEX.size
    with suppress(OSError):
        if not isinstance(index, bool):
            return system.read_at(index.fileno(), size, 0)
        if index:
            with open_index(path) as file:
                return file.read(size)
    return b""


def _read_patiently(file: BinaryIO) -> bytes:
    """All of a file; of a page that cannot be read, after a few tries, the bytes are zero."""
    try:
        return file.read()
    except OSError:
        size = os.fstat(file.fileno()).st_size
        pages = (page_at(file, place).ljust(PAGE, b"\0") for place in range(0, size, PAGE))
        return b"".join(pages)[:size]


def page_at(file: BinaryIO, place: int) -> bytes:
    """What an open file has from a place on, a page at most; empty if that cannot be read.

    A worn card often gives at the next try what it did not at first.
    """
    for _ in range(_TRIES):
        with suppress(OSError):
            return system.read_at(file.fileno(), PAGE, place)
    return b""


def read_log(path: Path, *, index: bool | BinaryIO = False) -> Log:
    """The log of a database's file; an empty one where there is none, or no ordinary file.

    With `index`, what SQLite's index says counts too; nobody may be writing meanwhile. A process
    that has the database open gives the file of `open_index`.

    Raises:
        OSError: it cannot be opened. Of what cannot be read the bytes are zero, as where it is
            damaged.
    """
    data = b""
    with suppress(FileNotFoundError, NotOrdinary), open_to_read(log_of(path)) as file:
        data = _read_patiently(file)
    known = _read_index(path, index)
    return replace(_parse_log(data, known), indexed=_count_committed_frames(known))


def fault_of_log(path: Path, *, index: bool | BinaryIO = False) -> str:
    """What is wrong with the log of a database that others may be writing to; empty if nothing.

    With `index`, as of `read_log`, what SQLite's index says counts too.
    """
    fault = _fault_now(path, index=index)
    # A log that was begun anew while it was being read is a mixture of two.
    return fault and _fault_now(path, index=index)


def _fault_now(path: Path, *, index: bool | BinaryIO) -> str:
    log = read_log(path, index=index)
    # Of a log that is not even the index's own, all is lost that was to be moved into the file.
    lost = "SQLite's log is damaged from its beginning" if log.indexed > log.counted else ""
    return log.fault or lost


def page_of(path: Path, number: int) -> bytes:
    """A page of a database's file, without what is in the log; empty if there is none."""
    with suppress(OSError), open_to_read(path) as file:
        return page_at(file, max(0, number - 1) * PAGE)
    return b""


def _parse_log(data: bytes, known: bytes) -> Log:
    if len(data) < _HEADER + _SIZE:
        return Log()
    magic, version, page = unpack_from(">3I", data)
    order = ">" if magic & 1 else "<"
    stated: Sums = unpack_from(">2I", data, 24)
    summed = _checksum(data[:24], order, (0, 0))
    ours = magic | 1 == _MAGIC | 1 and version == _VERSION and summed == stated
    if ours and page != PAGE:
        # Somebody has given it pages of another size.
        return Log()
    if ours:
        salts = data[16:24]
        frames = tuple(_iterate_frames(data, salts, order, stated, sound=True))
        return Log(frames, stated, order, counted=_count_committed_frames(known, salts))
    # Either the checksum of the header is damaged, or something else in it, if not more.
    begins = [(order, begin) for order in "<>" for begin in (stated, summed)]
    linked = next((b for b in begins if _first_is_linked(data, *b)), None)
    order, begin = linked or ("<", stated)
    salts = data[_HEADER + 8 : _HEADER + 16] if linked else _newest_salts(data, known)
    frames = tuple(_iterate_frames(data, salts, order, begin, sound=False))
    return Log(
        frames, begin, order, sound_header=False, counted=_count_committed_frames(known, salts)
    )


def _first_is_linked(data: bytes, order: str, begin: Sums) -> bool:
    salts = data[_HEADER + 8 : _HEADER + 16]
    return next(_iterate_frames(data, salts, order, begin, sound=False)).linked


def _newest_salts(data: bytes, known: bytes) -> bytes:
    """The salts of a log whose beginning is damaged: those of its newest generation of frames.

    That is the index's own, if it is of this log. SQLite adds one to the first salt for each
    generation.
    """
    starts = range(_HEADER, len(data) - _SIZE + 1, _SIZE)
    found = Counter(data[at + 8 : at + 16] for at in starts)
    indexed = next((salts for salts in found if _count_committed_frames(known, salts)), None)
    if indexed is not None:
        return indexed
    often = [salts for salts, count in found.items() if count > 1]
    return max(often, default=data[_HEADER + 8 : _HEADER + 16])


def _iterate_frames(
    data: bytes, salts: bytes, order: str, begin: Sums, *, sound: bool
) -> Iterator[Frame]:
    before: Sums | None = begin
    valid = sound
    for index, at in enumerate(range(_HEADER, len(data) - _SIZE + 1, _SIZE), start=1):
        found = data[at + 8 : at + 16]
        # The salts of other generations are random, and differ in many bits.
        if _count_different_bits(found, salts) > 1:
            before, valid = None, False
            continue
        head, page = data[at : at + 8], data[at + _FRAME.size : at + _SIZE]
        stated: Sums = unpack_from(">2I", data, at + 16)
        linked = (
            found == salts
            and before is not None
            and _checksum(head + page, order, before) == stated
        )
        valid = valid and linked
        yield Frame(index, head, page, stated, valid, linked)
        before = stated


def _as_written(frame: Frame, order: str, before: Sums, stored: Stored) -> Frame | None:
    """A frame as it was written; None if that cannot be told.

    However much of its page changed, that is the database's if a checkpoint had copied it there.

    Args:
        frame: as it is now.
        order: of bytes for checksums.
        before: the checksum of the log before it.
        stored: the pages of the database.
    """
    for page in (frame.page, stored(frame.number)):
        if len(page) == PAGE and _checksum(frame.head + page, order, before) == frame.stated:
            return replace(frame, page=page)
    return None


def _count_different_bits(one: bytes, two: bytes) -> int:
    """How many bits are different."""
    return (int.from_bytes(one, "big") ^ int.from_bytes(two, "big")).bit_count()


def _count_committed_frames(known: bytes, salts: bytes | None = None) -> int:
    """How many frames of the log with these salts, or of any, an index counts as committed."""
    if len(known) < 2 * _INDEX.size or known[: _INDEX.size] != known[_INDEX.size :]:
        return 0
    version, _, _, ready, _, _, frames, _, _, _, found, *stated = _INDEX.unpack_from(known)
    # Unlike those of the log, these are made of numbers in the machine's own order.
    sums = _checksum(known[:_INDEX_SUMMED], "=", (0, 0))
    same = salts is None or found == salts
    ours = version == _VERSION and ready and same and tuple(stated) == sums
    return int(frames) if ours else 0


def _checksum(data: bytes, order: str, sums: Sums) -> Sums:
    """The checksum of a log up to here, from the one before; of a multiple of eight bytes."""
    one, two = sums
    for first, second in iter_unpack(f"{order}2I", data):
        one = (one + first + two) & _WORD
        two = (two + second + one) & _WORD
    return one, two
