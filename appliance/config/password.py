"""Passwords of brokers and cameras: in files of their own that nobody else may read."""

import os
import stat
import sys
from pathlib import Path

from vision.files.bounded import read_bounded

MAX_PASSWORD_BYTES = 4096
_RIGHTS_OF_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def read_password(credential: str, file: str) -> str | None:
    """The text of systemd's credential of this name, or else of the file; None without either.

    Raises:
        OSError: it cannot be read.
        ValueError: it is not text, or others may read the file.
    """
    from_systemd = Path(os.environ.get("CREDENTIALS_DIRECTORY", "/nonexistent"), credential)
    path = from_systemd if from_systemd.exists() else Path(file)
    if path == Path():
        return None
    rights = stat.S_IMODE(path.stat().st_mode)
    # What systemd hands over is out of others' reach, whatever its permissions look like; those
    # of Windows say nothing.
    if path != from_systemd and rights & _RIGHTS_OF_OTHERS and sys.platform != "win32":
        raise ValueError(f"{path} with rights {rights:04o}; chmod 600 {path}")
    return read_bounded(path, MAX_PASSWORD_BYTES).decode().rstrip("\r\n")
