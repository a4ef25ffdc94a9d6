"""Files from users, checked for kind and size before they are read."""

import errno
import os
import stat
from pathlib import Path


def read_bounded(path: Path, most: int) -> bytes:
    """Reads a whole file.

    A pipe or device, which may never end, is refused, as is a file of more than `most` bytes.

    Raises:
        OSError: it cannot be read, is not an ordinary file, or is larger; `strerror` says which.
    """
    # Without O_NONBLOCK, opening a pipe would wait for a writer.
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(handle, "rb") as file:
        kind = os.fstat(handle)
        if stat.S_ISDIR(kind.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(kind.st_mode):
            raise OSError(errno.EINVAL, "No ordinary file", str(path))
        if kind.st_size > most:
            raise OSError(errno.EFBIG, f"Larger than {most} bytes", str(path))
        return file.read(most)
