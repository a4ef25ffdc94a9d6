"""Files that are whole or not there: after a power cut the old file stands, or the new one."""

import errno
import os
from pathlib import Path


def write_atomically(path: Path, data: bytes, keep: Path | None = None) -> None:
    """Writes a file so that its name leads to all of the old bytes or all of the new ones.

    A copy of the old file goes to `keep` once the new one is safely on the disk.

    Raises:
        OSError: it cannot be written; the old file stays.
    """
    if path.exists() and not path.is_file():
        # A device would be gone.
        raise OSError(errno.EINVAL, "No ordinary file", str(path))
    part = path.with_name(path.name + ".part")
    with part.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    if keep is not None:
        write_atomically(keep, path.read_bytes())
    part.replace(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Makes new names in a folder last through a power cut.

    Raises:
        OSError: it is no folder, or the disk fails.
    """
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
