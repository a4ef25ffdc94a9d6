"""Counts starts that fail, so that a service that cannot start goes into a safe mode.

In safe mode there is no camera, no profile and no game to resume: what is left is the menu, with
which games can be saved and another version installed. If that fails as often, buttons and games
are left alone, too: what is left is a board that says so. A start has failed if the program ended
before it had run for a minute, other than by being told to. The count is in a folder that outlives
the program but not the machine's next start, and is that of one version.
"""

import logging
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Self

from vision.ordinary import open_to_read, remove_file, write_all

log = logging.getLogger(__name__)

FAILED_STARTS = 3
"""After so many the next one is in safe mode; after twice as many also without buttons, games."""

HEALTHY_AFTER_S = 60.0
"""How long a program must have run for its start not to have failed."""

STARTS_FILE = "failed-starts"
_MAX_BYTES = 4096


class Starts:
    """The starts of a version since one did not fail.

    Args:
        folder: where they are counted; None counts nothing.
        version: the version's name, such as the folder where it is installed.

    Attributes:
        safe: whether this start is to be in safe mode; known after `begin`.
        safest: whether it is also to leave buttons and games alone.
    """

    def __init__(self, folder: Path | None = None, version: str = "") -> None:
        self._file = None if folder is None else folder / STARTS_FILE
        self._version = version
        self._since_s: float | None = None
        self.safe = self.safest = False

    @classmethod
    def of_service(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """Those of the service; outside systemd nothing is counted."""
        folder = environment.get("RUNTIME_DIRECTORY") if "NOTIFY_SOCKET" in environment else None
        return cls(Path(folder) if folder else None, str(Path(sys.prefix).resolve()))

    def begin(self) -> None:
        """Counts this start as one that fails, until it is known not to."""
        if self._file is None:
            return
        failed = self._failed(self._file)
        self.safe = failed >= FAILED_STARTS
        self.safest = failed >= 2 * FAILED_STARTS
        with suppress(OSError):
            write_all(self._file, f"{failed + 1} {self._version}".encode())
        if self.safe:
            left_out = "camera, game, buttons and saved games" if self.safest else "camera and game"
            log.error("%d starts have failed: safe mode, without %s", failed, left_out)

    def alive(self, now_s: float) -> None:
        """The main loop has completed another round; `now_s` is monotonic.

        A safe mode that runs proves nothing of what it leaves out.
        """
        if self._since_s is None:
            self._since_s = now_s
        if not self.safe and now_s - self._since_s >= HEALTHY_AFTER_S:
            self.succeed()

    def succeed(self) -> None:
        """This start has not failed: it ran for long enough, or was told to end."""
        if self._file is not None:
            with suppress(OSError):
                remove_file(self._file)
            self._file = None

    def _failed(self, file: Path) -> int:
        try:
            with open_to_read(file) as opened:
                count, _, version = opened.read(_MAX_BYTES).decode().partition(" ")
            return int(count) if version == self._version else 0
        except (OSError, ValueError):
            return 0
