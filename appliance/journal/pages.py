"""Rows from the pages of a damaged journal, whatever became of the tree that holds them.

SQLite finds a row from the head of the file down a tree of pages, and returns nothing where a page
on that path is gone. The leaves themselves say what they hold:
https://www.sqlite.org/fileformat.html. `.recover` in SQLite's own program does the same, but Debian
12 builds that without what it needs (`SQLITE_ENABLE_DBPAGE_VTAB`). docs/reliability.md says
what this saves that copies would not.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from struct import unpack_from
from typing import BinaryIO

from appliance.journal.wal import PAGE, page_at, read_log

Value = int | str | None
Row = tuple[int | None, tuple[Value, ...]]
"""A row's number, None where its table has none, and its values."""

_TABLE_LEAF = 13
_INDEX_LEAF = 10
_INDEX_NODE = 2
_FILE_HEADER_BYTES = 100
"""They stand before the first page's own header."""

_MIN_LOCAL_BYTES = (PAGE - 12) * 32 // 255 - 23
_MAX_LOCAL_BYTES = {
    _TABLE_LEAF: PAGE - 35,
    _INDEX_LEAF: (PAGE - 12) * 64 // 255 - 23,
    _INDEX_NODE: (PAGE - 12) * 64 // 255 - 23,
}
"""Bytes of a row that stay on the page itself before the rest goes to others."""

_INTEGER_BYTES = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""Bytes of integers by the type that the row states."""
_CONSTANT_VALUES: dict[int, Value] = {0: None, 8: 0, 9: 1}
"""The types that need none."""

_MAX_ROW_BYTES = 1_000_000
"""More means damage."""

_MAX_PAGES = 4000
"""Pages that are examined, some 1,500 games: more would take too much memory and time."""


class _Unreadable(Exception):
    """Bytes that are not a row."""


class Pages(Mapping[int, bytes]):
    """The pages of an open file by number; those in SQLite's log beside it replace the older ones.

    A file may be cut off anywhere. Of a very large file only the last pages are listed; of a worn
    card those that cannot be read are missing. Each is read when it is asked for: this takes less
    memory, and whoever watches a slow start sees that it gets on.
    """

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self._file = file
        self._log = read_log(path).pages()
        count = -(-os.fstat(file.fileno()).st_size // PAGE)
        numbers = range(1 + max(0, count - _MAX_PAGES), count + 1)
        self._numbers = tuple(dict.fromkeys((*numbers, *self._log)))

    def __getitem__(self, number: int) -> bytes:
        page = self._log.get(number)
        if page is None and number > 0:
            page = page_at(self._file, (number - 1) * PAGE)
        if not page:
            raise KeyError(number)
        return page.ljust(PAGE, b"\0")

    def __iter__(self) -> Iterator[int]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)


def rows_on(pages: Mapping[int, bytes]) -> Iterator[Row]:
    """Every row that is complete on these pages."""
    for number in pages:
        page = pages.get(number)
        if page is None:
            continue
        start = _FILE_HEADER_BYTES if number == 1 else 0
        kind = page[start]
        if kind not in _MAX_LOCAL_BYTES:
            continue
        (cells,) = unpack_from(">H", page, start + 3)
        pointers = start + (12 if kind == _INDEX_NODE else 8)
        for cell in range(min(cells, (PAGE - pointers) // 2)):
            (at,) = unpack_from(">H", page, pointers + 2 * cell)
            with suppress(_Unreadable, IndexError, UnicodeDecodeError):
                yield _read_row(pages, page, kind, at)


def _read_row(pages: Mapping[int, bytes], page: bytes, kind: int, at: int) -> Row:
    if kind == _INDEX_NODE:
        at += 4  # the number of a page below
    size, at = _read_varint(page, at)
    number = None
    if kind == _TABLE_LEAF:
        number, at = _read_varint(page, at)
    most = _MAX_LOCAL_BYTES[kind]
    local = size
    if size > most:
        local = _MIN_LOCAL_BYTES + (size - _MIN_LOCAL_BYTES) % (PAGE - 4)
        local = local if local <= most else _MIN_LOCAL_BYTES
    data = page[at : at + local]
    following = page[at + local : at + local + 4]
    while len(data) < size <= _MAX_ROW_BYTES:
        rest = pages.get(int.from_bytes(following, "big"), b"")
        if not rest:
            raise _Unreadable
        following = rest[:4]
        data += rest[4 : 4 + size - len(data)]
    return number, _read_values(data)


def _read_values(data: bytes) -> tuple[Value, ...]:
    values: list[Value] = []
    body, at = _read_varint(data, 0)
    head = body
    while at < head:
        kind, at = _read_varint(data, at)
        size = _INTEGER_BYTES.get(kind, 0) if kind < 12 else (kind - 12) // 2
        part = data[body : body + size]
        body += size
        if kind in _INTEGER_BYTES:
            values.append(int.from_bytes(part, "big", signed=True))
        elif kind in _CONSTANT_VALUES:
            values.append(_CONSTANT_VALUES[kind])
        elif kind >= 13 and kind % 2:
            values.append(part.decode())
        else:
            raise _Unreadable
    if body != len(data):
        raise _Unreadable
    return tuple(values)


def _read_varint(data: bytes, at: int) -> tuple[int, int]:
    """A number of one to nine bytes, and where it ends."""
    value = 0
    for place in range(at, at + 8):
        byte = data[place]
        value = value << 7 | byte & 127
        if byte < 128:
            return value, place + 1
    return value << 8 | data[at + 8], at + 9
