"""Files from users, checked for kind and size before they are read."""

import errno
import os
from pathlib import Path

from vision.files.ordinary import open_to_read


def read_bounded(path: Path, most: int) -> bytes:
    """Reads a whole file.

    Anything but an ordinary file is refused, as is a file of more than `most` bytes.

    Raises:
        OSError: it cannot be read, is not an ordinary file, or is larger; `strerror` says which.
    """
    with open_to_read(path) as file:
        if os.fstat(file.fileno()).st_size > most:
            raise OSError(errno.EFBIG, f"Larger than {most} bytes", str(path))
        return file.read(most)
