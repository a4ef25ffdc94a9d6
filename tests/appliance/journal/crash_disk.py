"""A disk that forgets: records what SQLite writes and syncs, and yields every state after a crash.

What was synced stays. Of what was written since, any part may have reached the disk, in any order,
and a write may be torn between sectors. A file that was created or deleted may be missing or there
until its folder is synced. That is what POSIX allows; SQLite's own crash tests assume the same
(https://www.sqlite.org/atomiccommit.html, section 2).

A VFS that passes everything on to the default one (https://www.sqlite.org/vfs.html) reports what
SQLite does; `ctypes` registers it in the library that `sqlite3` uses.
"""

import ctypes
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

SECTOR = 512
"""Bytes that a disk writes whole or not at all."""

ALL_SUBSETS = 8
"""Unsynced writes to a file up to which every subset is tried; of more, only some are."""

_RANDOM_SUBSETS = 12


@dataclass(frozen=True, slots=True)
class Write:
    """Bytes were written, not yet synced."""

    file: str
    offset: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Truncate:
    """A file was cut to a size."""

    file: str
    size: int


@dataclass(frozen=True, slots=True)
class Create:
    """A file was created."""

    file: str


@dataclass(frozen=True, slots=True)
class Sync:
    """All of a file so far is on the disk; with `folder`, what was created and deleted, too."""

    file: str
    folder: bool = False


@dataclass(frozen=True, slots=True)
class Delete:
    """A file was deleted, and with `folder` its folder was synced."""

    file: str
    folder: bool = False


Operation = Create | Write | Truncate | Sync | Delete
Files = dict[str, bytes]


@dataclass(slots=True)
class Tape:
    """What happened to the files, in order."""

    operations: list[Operation] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.operations)


@dataclass(frozen=True, slots=True)
class _File:
    """What is certainly in a file, what may be, and whether its name is there.

    Attributes:
        kept: what was synced.
        loose: what was written since.
        named: the name is in the synced folder.
        wanted: the name was there before the crash.
    """

    kept: bytes = b""
    loose: tuple[Write | Truncate, ...] = ()
    named: bool = False
    wanted: bool = False


def _apply(content: bytes, operations: tuple[Write | Truncate, ...]) -> bytes:
    data = bytearray(content)
    for operation in operations:
        if isinstance(operation, Truncate):
            del data[operation.size :]
            data.extend(bytes(operation.size - len(data)))
        else:
            end = operation.offset + len(operation.data)
            data.extend(bytes(max(0, end - len(data))))
            data[operation.offset : end] = operation.data
    return bytes(data)


def crashes(tape: Tape, random: Random | None = None) -> Iterator[tuple[int, Files]]:
    """Every possible crash: how many operations had been issued, and the files it may leave.

    Args:
        tape: what was recorded.
        random: chooses among subsets where there are too many to try all.
    """
    random = random or Random(0)
    files: dict[str, _File] = {}
    for count, operation in enumerate(tape.operations, start=1):
        files[operation.file] = _after(files.get(operation.file, _File()), operation)
        if isinstance(operation, Sync | Delete) and operation.folder:
            files = {name: replace(f, named=f.wanted) for name, f in files.items()}
        variants = [[(name, v) for v in _variants(f, random)] for name, f in files.items()]
        for chosen in product(*variants):
            yield count, {name: data for name, data in chosen if data is not None}


def _after(file: _File, operation: Operation) -> _File:
    match operation:
        case Create():
            return _File(named=file.named, wanted=True)
        case Sync():
            return replace(file, kept=_apply(file.kept, file.loose), loose=())
        case Delete():
            return replace(file, wanted=False)
        case _:
            return replace(file, loose=(*file.loose, operation))


def _variants(file: _File, random: Random) -> list[bytes | None]:
    found: set[bytes | None] = set()
    if file.named or file.wanted:
        found |= {_apply(file.kept, chosen) for chosen in _subsets(file.loose, random)}
    if not (file.named and file.wanted):
        found.add(None)
    return sorted(found, key=lambda data: (data is None, data or b""))


def _subsets(
    loose: tuple[Write | Truncate, ...], random: Random
) -> Iterator[tuple[Write | Truncate, ...]]:
    n = len(loose)
    if n <= ALL_SUBSETS:
        masks: list[tuple[bool, ...]] = list(product((False, True), repeat=n))
    else:
        masks = [tuple(i < k for i in range(n)) for k in range(n + 1)]
        masks += [tuple(i != k for i in range(n)) for k in range(n)]
        masks += [tuple(random.random() < 0.5 for _ in loose) for _ in range(_RANDOM_SUBSETS)]
    for mask in masks:
        yield tuple(op for op, taken in zip(loose, mask, strict=True) if taken)
    for i, torn in enumerate(loose):
        if not isinstance(torn, Write) or len(torn.data) <= SECTOR:
            continue
        for cut in {SECTOR, len(torn.data) // 2 // SECTOR * SECTOR} - {0}:
            head = replace(torn, data=torn.data[:cut])
            tail = Write(torn.file, torn.offset + cut, torn.data[cut:])
            for part in (head, tail):
                yield (*loose[:i], part, *loose[i + 1 :])


def most_loose(tape: Tape) -> int:
    """The largest number of writes to one file that were unsynced at the same time."""
    files: dict[str, _File] = {}
    most = 0
    for operation in tape.operations:
        file = _after(files.get(operation.file, _File()), operation)
        files[operation.file] = file
        most = max(most, len(file.loose))
    return most


def put(files: Files, folder: Path) -> None:
    """Makes a folder hold exactly these files."""
    for old in folder.iterdir():
        old.unlink()
    for name, data in files.items():
        (folder / name).write_bytes(data)


# ---- the recording VFS -----------------------------------------------------------------------

_JOURNALS = 0x00000800 | 0x00004000 | 0x00080000
"""SQLITE_OPEN_MAIN_JOURNAL, _SUPER_JOURNAL and _WAL."""

_INT, _PTR = ctypes.c_int, ctypes.c_void_p
_OPEN = ctypes.CFUNCTYPE(_INT, _PTR, _PTR, _PTR, _INT, _PTR)
_DELETE = ctypes.CFUNCTYPE(_INT, _PTR, ctypes.c_char_p, _INT)
_WRITE = ctypes.CFUNCTYPE(_INT, _PTR, _PTR, _INT, ctypes.c_int64)
_TRUNCATE = ctypes.CFUNCTYPE(_INT, _PTR, ctypes.c_int64)
_SYNC = ctypes.CFUNCTYPE(_INT, _PTR, _INT)


class _Vfs(ctypes.Structure):
    _fields_ = (
        ("version", _INT),
        ("file_bytes", _INT),
        ("longest_path", _INT),
        ("next", _PTR),
        ("name", ctypes.c_char_p),
        ("data", _PTR),
        ("open", _PTR),
        ("delete", _PTR),
        ("others", _PTR * 13),
    )


class _Methods(ctypes.Structure):
    _fields_ = (
        ("version", _INT),
        ("close", _PTR),
        ("read", _PTR),
        ("write", _PTR),
        ("truncate", _PTR),
        ("sync", _PTR),
        ("others", _PTR * 13),
    )


def library() -> Any | None:
    """The SQLite that `sqlite3` uses; None where it cannot be reached."""
    import _sqlite3

    try:
        found = ctypes.CDLL(_sqlite3.__file__)
        found.sqlite3_vfs_find.restype = ctypes.POINTER(_Vfs)
        found.sqlite3_libversion.restype = ctypes.c_char_p
    except (OSError, AttributeError):
        return None
    same = found.sqlite3_libversion().decode() == sqlite3.sqlite_version
    return found if same else None


@contextmanager
def recording() -> Iterator[Tape]:
    """Records what SQLite does to the files of every connection opened meanwhile."""
    sqlite = library()
    assert sqlite is not None
    tape = Tape()
    usual = sqlite.sqlite3_vfs_find(None)
    vfs = _Vfs.from_buffer_copy(usual.contents)
    # The library keeps pointers to these for as long as the VFS is registered.
    alive: list[Any] = []
    hooks = _hooks(tape, alive)
    real_open, real_delete = _OPEN(vfs.open), _DELETE(vfs.delete)

    def open_(self: int, name: int, file: int, flags: int, out: int) -> int:
        text = ctypes.cast(name, ctypes.c_char_p).value if name else None
        path = Path((text or b"").decode())
        new = text is not None and not path.exists()
        status = real_open(self, name, file, flags, out)
        methods = ctypes.cast(file, ctypes.POINTER(_PTR))
        if status == 0 and methods[0] and text is not None:
            if new:
                tape.operations.append(Create(path.name))
            # The default VFS syncs the folder with the first sync of a journal that it created.
            methods[0] = hooks(methods[0], path.name, bool(new and flags & _JOURNALS))
        return int(status)

    def delete(self: int, name: bytes, sync: int) -> int:
        status = real_delete(self, name, sync)
        if status == 0:
            tape.operations.append(Delete(Path(name.decode()).name, bool(sync)))
        return int(status)

    opener, deleter = _OPEN(open_), _DELETE(delete)
    vfs.name = b"recording"
    vfs.open, vfs.delete = ctypes.cast(opener, _PTR), ctypes.cast(deleter, _PTR)
    alive += [opener, deleter, vfs]
    sqlite.sqlite3_vfs_register(ctypes.byref(vfs), 1)
    try:
        yield tape
    finally:
        sqlite.sqlite3_vfs_register(usual, 1)
        sqlite.sqlite3_vfs_unregister(ctypes.byref(vfs))


def _hooks(tape: Tape, alive: list[Any]) -> Callable[[int, str, bool], int]:
    """Makes method tables for opened files, which record each call and pass it on."""

    def patched(methods: int, name: str, fresh_journal: bool) -> int:
        table = _Methods.from_buffer_copy(ctypes.cast(methods, ctypes.POINTER(_Methods)).contents)
        real_write, real_sync = _WRITE(table.write), _SYNC(table.sync)
        real_truncate = _TRUNCATE(table.truncate)

        def write(self: int, data: int, count: int, offset: int) -> int:
            status = real_write(self, data, count, offset)
            if status == 0:
                tape.operations.append(Write(name, offset, ctypes.string_at(data, count)))
            return int(status)

        def truncate(self: int, size: int) -> int:
            status = real_truncate(self, size)
            if status == 0:
                tape.operations.append(Truncate(name, size))
            return int(status)

        def sync(self: int, flags: int) -> int:
            status = real_sync(self, flags)
            nonlocal fresh_journal
            if status == 0:
                tape.operations.append(Sync(name, folder=fresh_journal))
                fresh_journal = False
            return int(status)

        callbacks = _WRITE(write), _TRUNCATE(truncate), _SYNC(sync)
        table.write, table.truncate, table.sync = (ctypes.cast(c, _PTR) for c in callbacks)
        alive.extend((*callbacks, table))
        return ctypes.addressof(table)

    return patched
