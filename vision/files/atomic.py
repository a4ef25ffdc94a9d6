"""Atomic writes: after a power cut either the old file is there or the new one, and whole."""

import os
from pathlib import Path

from vision.files import system
from vision.files.ordinary import check_ordinary, open_new, read_all, rename_file


def write_atomically(path: Path, data: bytes, keep: Path | None = None) -> None:
    """Writes a file atomically: its name refers to all the old bytes or to all the new ones.

    A copy of the old file goes to `keep` once the new one is safely on the disk. The new one
    belongs to the owner of the old one, also if root writes it.

    Raises:
        NotOrdinary: something other than an ordinary file has that name; it stays.
        OSError: the file cannot be written; the old one stays.
    """
    check_ordinary(path)
    part = path.with_name(path.name + ".part")
    with open_new(part) as file:
        file.write(data)
        file.flush()
        if path.exists():
            system.give_to_owner_of(path, file.fileno())
        os.fsync(file.fileno())
    if keep is not None:
        write_atomically(keep, read_all(path))
    rename_file(part, path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Makes new names in a folder survive a power cut.

    Raises:
        OSError: it is not a folder, or the disk fails.
    """
    system.sync_names(folder)
