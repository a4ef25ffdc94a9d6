"""A disk that forgets: records what a journal writes and syncs, and yields what a crash may leave.

What was synced stays. Of what was written since, any part may have reached the disk, in any order,
and a write may be torn between sectors. A file that was created, renamed or deleted may have its
old name, its new one, both or none until its folder is synced; a rename in place of another file is
one step. That is what POSIX allows (https://www.sqlite.org/atomiccommit.html, section 2).
"""

import os
from collections.abc import Iterable, Iterator, Mapping, MutableSequence, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any, BinaryIO, TypeVar

from appliance.journal.files import Files
from appliance.journal.sums import SECTOR_BYTES
from tests.rigs.dropped import closed_when_dropped

T = TypeVar("T")

SECTOR = SECTOR_BYTES
"""Bytes that a disk writes whole or not at all."""

ALL_SUBSETS = 6
"""Unsynced steps of one kind up to which every subset is tried; of more, only some are."""

_RANDOM_SUBSETS = 12


@dataclass(frozen=True, slots=True)
class Write:
    """Bytes were written to a file, which is named by what counts files."""

    file: int
    offset: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Truncate:
    """A file was cut to a size."""

    file: int
    size: int


@dataclass(frozen=True, slots=True)
class Sync:
    """All of a file so far is on the disk."""

    file: int


@dataclass(frozen=True, slots=True)
class Drop:
    """Forgets what was written to a file since its last sync, though reading still shows it.

    That is what Linux may do when a sync fails; the next one succeeds
    (https://wiki.postgresql.org/wiki/Fsync_Errors).
    """

    file: int


@dataclass(frozen=True, slots=True)
class Name:
    """A file or folder got a name, and perhaps lost another one in the same folder."""

    folder: str
    name: str
    file: int
    old: str = ""
    is_folder: bool = False


@dataclass(frozen=True, slots=True)
class Unlink:
    """A name was deleted."""

    folder: str
    name: str


@dataclass(frozen=True, slots=True)
class SyncNames:
    """All names in a folder so far are on the disk."""

    folder: str


Operation = Write | Truncate | Sync | Drop | Name | Unlink | SyncNames
State = dict[str, bytes]
"""The files that a crash leaves, by name."""

_Choice = tuple[str | int, Any]
"""A folder with its names, or a file with its bytes."""
_Way = Sequence[_Choice]


class RecordingFiles(Files):
    """Files whose every step is recorded.

    Args:
        folder: where they are.
        errors: the number of an error (errno) for each step that fails.
    """

    def __init__(self, folder: Path, errors: Mapping[int, int] = MappingProxyType({})) -> None:
        super().__init__(folder, patience_s=0.0)
        closed_when_dropped(self)
        self.tape: MutableSequence[Operation] = []
        self.errors = errors
        self.steps = 0
        self._numbers: dict[str, int] = {}
        self._last = 0

    def begin_tape(self) -> "Disk":
        """Records from now on alone; returns the disk as it is, all of it synced."""
        self.tape, self._numbers, self._last = [], {}, 0
        disk = Disk(folders={"": _Folder()})
        for path in sorted(self.folder.rglob("*")):
            name = path.relative_to(self.folder).as_posix()
            number = self._number(name)
            folder, _, last = name.rpartition("/")
            there = disk.folders[folder]
            disk.folders[folder] = replace(there, kept=(*there.kept, (last, number)))
            if path.is_dir():
                disk.folders[name] = _Folder()
            else:
                disk.files[number] = _File(path.read_bytes())
        return disk

    def _number(self, name: str) -> int:
        """What counts a file; one that was there before is given its number now."""
        if name not in self._numbers:
            self._last += 1
            self._numbers[name] = self._last
        return self._numbers[name]

    def _step(self) -> None:
        self.steps += 1
        if self.steps in self.errors:
            number = self.errors[self.steps]
            raise OSError(number, os.strerror(number))

    def _named(self, name: str, *, is_folder: bool = False) -> None:
        self._last += 1
        self._numbers[name] = self._last
        folder, _, last = name.rpartition("/")
        self.tape.append(Name(folder, last, self._last, is_folder=is_folder))

    def _mkdir(self, folder: str) -> None:
        self._step()
        super()._mkdir(folder)
        if folder:
            self._named(folder, is_folder=True)

    def _create(self, name: str) -> BinaryIO:
        self._step()
        file = super()._create(name)
        self._named(name)
        return file

    def _write(self, name: str, file: BinaryIO, data: bytes, at: int) -> None:
        try:
            self._step()
        except OSError:
            # As much as fits is written.
            data = data[: len(data) // 2]
            self.tape.append(Write(self._number(name), at, bytes(data)))
            super()._write(name, file, data, at)
            raise
        super()._write(name, file, data, at)
        self.tape.append(Write(self._number(name), at, bytes(data)))

    def _truncate(self, name: str, file: BinaryIO, size: int) -> None:
        self._step()
        super()._truncate(name, file, size)
        self.tape.append(Truncate(self._number(name), size))

    def _sync(self, name: str, file: BinaryIO) -> None:
        try:
            self._step()
        except OSError:
            self.tape.append(Drop(self._number(name)))
            raise
        super()._sync(name, file)
        self.tape.append(Sync(self._number(name)))

    def _rename(self, old: str, new: str) -> None:
        self._step()
        super()._rename(old, new)
        number = self._number(old)
        del self._numbers[old]
        self._numbers[new] = number
        folder, _, last = new.rpartition("/")
        self.tape.append(Name(folder, last, number, old.rpartition("/")[2]))

    def _unlink(self, name: str) -> None:
        self._step()
        super()._unlink(name)
        folder, _, last = name.rpartition("/")
        self.tape.append(Unlink(folder, last))

    def _sync_names(self, folder: str) -> None:
        self._step()
        super()._sync_names(folder)
        if folder.endswith("/.."):
            folder = folder.removesuffix("/..").rpartition("/")[0]
        if folder != "..":
            self.tape.append(SyncNames(folder))


@dataclass(frozen=True, slots=True)
class _File:
    """The bytes that are certainly in a file, and the writes that may be."""

    kept: bytes = b""
    loose: tuple[Write | Truncate, ...] = ()


@dataclass(frozen=True, slots=True)
class _Folder:
    """The names that are certainly in a folder, and what may have become of them."""

    kept: tuple[tuple[str, int], ...] = ()
    loose: tuple[Name | Unlink, ...] = ()


@dataclass(slots=True)
class Disk:
    """The content of the disk, certain and possible."""

    files: dict[int, _File] = field(default_factory=dict)
    folders: dict[str, _Folder] = field(default_factory=dict)

    def do(self, operation: Operation) -> None:
        """Goes one step further."""
        match operation:
            case Write() | Truncate():
                file = self.files.get(operation.file, _File())
                self.files[operation.file] = replace(file, loose=(*file.loose, operation))
            case Sync():
                file = self.files.get(operation.file, _File())
                self.files[operation.file] = _File(_content(file.kept, file.loose))
            case Drop():
                file = self.files.get(operation.file, _File())
                self.files[operation.file] = _File(file.kept)
            case Name() | Unlink():
                if isinstance(operation, Name) and operation.is_folder:
                    self.folders[f"{operation.folder}/{operation.name}".lstrip("/")] = _Folder()
                folder = self.folders.get(operation.folder, _Folder())
                self.folders[operation.folder] = replace(folder, loose=(*folder.loose, operation))
            case SyncNames():
                folder = self.folders.get(operation.folder, _Folder())
                self.folders[operation.folder] = _Folder(_names(folder.kept, folder.loose))

    def states(self, most: int, random: Random) -> Iterator[State]:
        """The states that a crash may leave now: everything possible, or so many of them at random.

        The first has nothing that was not synced, the second has everything.
        """
        ways: list[_Way] = [
            [(folder, names) for names in _name_variants(there, random)]
            for folder, there in self.folders.items()
        ]
        ways += [
            [(number, data) for data in _variants(file, random)]
            for number, file in self.files.items()
            if file.loose
        ]
        if prod(len(way) for way in ways) <= most:
            chosen: Iterable[Sequence[_Choice]] = product(*ways)
        else:
            chosen = _some(ways, most, random)
        for choice in chosen:
            yield self._state(dict(choice))

    def _state(self, chosen: Mapping[str | int, Any]) -> State:
        state: State = {}

        def walk(folder: str) -> None:
            for name, number in chosen.get(folder, ()):
                path = f"{folder}/{name}" if folder else name
                if path in self.folders:
                    walk(path)
                elif number in self.files:
                    state[path] = chosen.get(number, self.files[number].kept)
                else:
                    state[path] = b""

        walk("")
        return state


def _some(ways: Sequence[_Way], most: int, random: Random) -> Iterator[Sequence[_Choice]]:
    yield [way[0] for way in ways]
    yield [way[-1] for way in ways]
    for _ in range(most - 2):
        yield [random.choice(way) for way in ways]


def _content(content: bytes, operations: Sequence[Write | Truncate]) -> bytes:
    data = bytearray(content)
    for operation in operations:
        if isinstance(operation, Truncate):
            del data[operation.size :]
            data.extend(bytes(operation.size - len(data)))
        else:
            end = operation.offset + len(operation.data)
            data.extend(bytes(max(0, operation.offset - len(data))))
            data[operation.offset : end] = operation.data
    return bytes(data)


def _names(
    kept: Sequence[tuple[str, int]], operations: Sequence[Name | Unlink]
) -> tuple[tuple[str, int], ...]:
    names = dict(kept)
    for operation in operations:
        if isinstance(operation, Unlink):
            names.pop(operation.name, None)
        else:
            names.pop(operation.old, None)
            names[operation.name] = operation.file
    return tuple(sorted(names.items()))


def _name_variants(folder: _Folder, random: Random) -> list[tuple[tuple[str, int], ...]]:
    found = {_names(folder.kept, chosen): None for chosen in _subsets(folder.loose, random)}
    return list(found)


def _variants(file: _File, random: Random) -> list[bytes]:
    found = {_content(file.kept, chosen): None for chosen in _torn(file.loose)}
    found |= {_content(file.kept, chosen): None for chosen in _subsets(file.loose, random)}
    return [file.kept, *(d for d in found if d != file.kept)]


def _subsets(loose: Sequence[T], random: Random) -> Iterator[tuple[T, ...]]:
    """Some of the steps, in their order: none first, all of them last."""
    n = len(loose)
    if n <= ALL_SUBSETS:
        masks: list[tuple[bool, ...]] = list(product((False, True), repeat=n))
    else:
        masks = [tuple(i < k for i in range(n)) for k in range(n)]
        masks += [tuple(i != k for i in range(n)) for k in range(n)]
        masks += [tuple(random.random() < 0.5 for _ in loose) for _ in range(_RANDOM_SUBSETS)]
        masks += [(True,) * n]
    for mask in masks:
        yield tuple(one for one, taken in zip(loose, mask, strict=True) if taken)


def _torn(loose: Sequence[Write | Truncate]) -> Iterator[tuple[Write | Truncate, ...]]:
    """All steps, of which one is torn where a sector ends, or one that began before it."""
    for i, torn in enumerate(loose):
        if not isinstance(torn, Write):
            continue
        first = SECTOR - torn.offset % SECTOR
        for cut in {first, len(torn.data) // 2 // SECTOR * SECTOR + first}:
            if 0 < cut < len(torn.data):
                head = replace(torn, data=torn.data[:cut])
                tail = Write(torn.file, torn.offset + cut, torn.data[cut:])
                for part in (head, tail):
                    yield (*loose[:i], part, *loose[i + 1 :])
