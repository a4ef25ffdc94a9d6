"""A camera whose driver never comes back: only a restart of the machine helps, once.

A thread that waits in the kernel (state D of proc(5)) hears no signal, SIGKILL neither: systemd
ends nothing that has one, and the next start finds the camera in use. So the machine restarts
itself. A mark beside the games keeps it from doing so again and again: it goes away once the
camera has worked for an hour.
"""

import logging
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from appliance.errors import PowerError
from appliance.service.phases import PROC
from vision.files.atomic import write_atomically
from vision.files.ordinary import open_to_read, remove_file

log = logging.getLogger(__name__)

RESTARTED_FILE = "restarted-for-camera"
"""The mark, in the folder of the games."""
PAGES = (("RESTARTED:", "CAMERA HUNG"),)
"""Said after the restart."""
WORKS_AFTER_S = 3600.0
"""How long a camera must have given pictures until the machine may restart for it again."""
LOOK_INTERVAL_S = 10.0
"""How often threads are looked at while the camera hangs."""
_RESTARTED, _SAID = "restarted", "restarted, said"


class Restarts(Protocol):
    """The port to the machine's restart."""

    def restart(self) -> None:
        """Begins to restart the machine; PowerError if it cannot be."""


def threads_in_kernel(proc: Path = PROC) -> frozenset[int]:
    """The numbers of this process's threads that wait in the kernel and hear no signal."""
    found = set()
    for task in proc.glob("self/task/[0-9]*"):
        with suppress(OSError, IndexError):  # threads end
            if (task / "stat").read_text().rpartition(")")[2].split()[0] == "D":
                found.add(int(task.name))
    return frozenset(found)


class StuckCamera:
    """Restarts the machine, once, where a camera hangs in the kernel for as long as that is told.

    Args:
        power: restarts it.
        mark: the file that says it has.
        threads: the threads that wait in the kernel now.
    """

    def __init__(
        self,
        power: Restarts,
        mark: Path,
        threads: Callable[[], frozenset[int]] = threads_in_kernel,
    ) -> None:
        self._power, self._mark, self._threads = power, mark, threads
        self._stuck: frozenset[int] | None = None
        self._looked_s = 0.0
        self._works_since_s: float | None = None
        self._marked = mark.exists()

    def pages(self) -> tuple[tuple[str, str], ...]:
        """Pages for the board after a restart, once."""
        try:
            with open_to_read(self._mark) as file:
                said = file.read(64).decode(errors="replace").strip() != _RESTARTED
        except OSError:
            return ()
        if not said:
            self._write(_SAID)
        return () if said else PAGES

    def works(self, now_s: float) -> None:
        """The camera gives pictures; `now_s` is monotonic."""
        self._stuck = None
        if self._works_since_s is None:
            self._works_since_s = now_s
        if self._marked and now_s - self._works_since_s >= WORKS_AFTER_S:
            self._marked = False
            with suppress(OSError):
                remove_file(self._mark)

    def hangs(self, now_s: float) -> None:
        """The camera gives none: notes which threads have waited in the kernel all the time."""
        self._works_since_s = None
        if self._stuck is None or now_s - self._looked_s >= LOOK_INTERVAL_S:
            found = self._threads()
            self._stuck = found if self._stuck is None else self._stuck & found
            self._looked_s = now_s

    def restart_machine(self) -> bool:
        """Restarts the machine if only that helps and it has not been tried; whether it has."""
        if not self._stuck or self._marked:
            return False
        self._marked = True
        # First the mark: without one this might go on for ever.
        if not self._write(_RESTARTED):
            return False
        log.error("the camera's driver hangs in the kernel: the machine restarts")
        try:
            self._power.restart()
        except PowerError as error:
            log.error("%s", error)
            with suppress(OSError):
                remove_file(self._mark)
            return False
        return True

    def _write(self, text: str) -> bool:
        try:
            write_atomically(self._mark, f"{text}\n".encode())
        except OSError as error:
            log.error("%s: %s", self._mark, error)
            return False
        return True
