"""Counts starts that fail, so that a service that cannot start goes into a safe mode.

In safe mode there is no camera, no profile and no game to resume, nor any phase of the start in
which the starts before ended: what is left is the menu, with which games can be saved and another
version installed. If that fails as often, buttons and games are left alone, too: what is left is a
board that says so.

A start counts as failed from its first moment until a minute after READY. Before, only systemd
knows how it ended: the unit's ExecStopPost removes the record after an end in order (`success`),
and else adds to it what happened (`timeout`, `watchdog`, `signal`, `exit-code` and so on).

The record is in a folder that outlives the program but not the machine's next start, and is that of
one version. Its first line has the number of starts and the version; each other the phase that one
of the last starts has reached, `running` after the last, and how it ended:

    3 /opt/dicetray/versions/1.0.0
    voice timeout
    voice timeout
    voice timeout
"""

import logging
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from appliance.service.phase import LEFT_OUT_WHEN_SAFE, LEFT_OUT_WHEN_SAFEST, Phase
from vision.files.atomic import write_atomically
from vision.files.ordinary import open_to_read, remove_file

log = logging.getLogger(__name__)

FAILED_STARTS = 3
"""After so many the next one is in safe mode; after twice as many it leaves out all it can."""

HEALTHY_AFTER_S = 60.0
"""How long a program must have run for its start not to have failed."""

STARTS_FILE = "failed-starts"
RUNNING = "running"
"""The record's word in place of a phase once the first prompt is there."""
END_UNKNOWN = "end unknown"
"""The log's words where systemd has not told how a start ended."""
HANGS = frozenset({"timeout", "watchdog"})
"""Systemd's words for the end of a service that hung (`$SERVICE_RESULT`, systemd.exec(5))."""
_MAX_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Failed:
    """A start that failed: the phase that it had reached, and how systemd says it ended."""

    phase: str
    result: str = ""

    @property
    def hung(self) -> bool:
        """True if it hung, and did not end by itself."""
        return self.result in HANGS


def suspects(failed: Sequence[Failed]) -> dict[Phase, Failed]:
    """The phases that starts have ended in, with the last such start.

    The first of them does not say: it opens the camera while it does the rest.
    """
    found = {Phase.of(one.phase): one for one in failed[1:]}
    return {phase: one for phase, one in found.items() if phase is not None}


class Starts:
    """The starts of a version since one did not fail.

    Args:
        folder: where they are counted; None counts nothing.
        version: the version's name, such as the folder where it is installed.

    Attributes:
        safe: whether this start is to be in safe mode; known after `begin`, as are the others.
        careful: whether one has failed, so that this one does one thing after the other.
        suspects: in safe mode the phases that hung or failed, with the last such start.
        left_out: the phases to leave out.
    """

    def __init__(self, folder: Path | None = None, version: str = "") -> None:
        self._file = None if folder is None else folder / STARTS_FILE
        self._version = version
        self._failed = 0
        self._before: tuple[Failed, ...] = ()
        self._since_s: float | None = None
        self.safe = self.careful = False
        self.suspects: Mapping[Phase, Failed] = {}
        self.left_out = frozenset[Phase]()

    @classmethod
    def of_service(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """Those of the service; outside systemd nothing is counted."""
        folder = environment.get("RUNTIME_DIRECTORY") if "NOTIFY_SOCKET" in environment else None
        return cls(Path(folder) if folder else None, str(Path(sys.prefix).resolve()))

    @property
    def pages(self) -> tuple[tuple[str, str], ...]:
        """In safe mode, pages for the board that say which phases no start has got past."""
        return tuple(
            ("START HANGS:" if failed.hung else "START FAILED:", phase.word)
            for phase, failed in self.suspects.items()
        )

    def begin(self) -> None:
        """Reads how the starts before ended; the first phase counts this one."""
        if self._file is None:
            return
        self._failed, self._before = self._read(self._file)
        self.careful = self._failed > 0
        self.safe = self._failed >= FAILED_STARTS
        if not self.safe:
            return
        self.suspects = suspects(self._before)
        safest = self._failed >= 2 * FAILED_STARTS
        self.left_out = LEFT_OUT_WHEN_SAFEST if safest else LEFT_OUT_WHEN_SAFE
        self.left_out |= self.suspects.keys()
        if Phase.GAMES in self.left_out:
            # Without buttons no game can begin that would not be kept.
            self.left_out |= {Phase.BUTTONS}
        ends = ", ".join(f"{one.phase} ({one.result or END_UNKNOWN})" for one in self._before)
        without = ", ".join(phase.key for phase in Phase if phase in self.left_out)
        log.error("%d starts have failed: %s; safe mode, without %s", self._failed, ends, without)

    def enter(self, phase: str) -> None:
        """Notes that this start has reached a phase, and counts it as one that fails there."""
        if self._file is None:
            return
        last = (*self._before, Failed(phase))[-2 * FAILED_STARTS :]
        head = f"{self._failed + 1} {self._version}"
        lines = (head, *(f"{one.phase} {one.result}".strip() for one in last))
        with suppress(OSError):
            write_atomically(self._file, "\n".join(lines).encode())

    def alive(self, now_s: float) -> None:
        """The main loop has completed another round; `now_s` is monotonic."""
        if self._since_s is None:
            self._since_s = now_s
        if now_s - self._since_s >= HEALTHY_AFTER_S and not self.safe:
            self.forget()
            self._file = None

    def forget(self) -> None:
        """This start, and those before, have not failed: it runs, or says what is wrong.

        A safe mode that runs proves nothing of what it leaves out.
        """
        if self._file is not None and not self.safe:
            self._failed, self._before = 0, ()
            with suppress(OSError):
                remove_file(self._file)

    def _read(self, file: Path) -> tuple[int, tuple[Failed, ...]]:
        try:
            with open_to_read(file) as opened:
                head, *lines = opened.read(_MAX_BYTES).decode().splitlines()
            count, _, version = head.partition(" ")
            if version != self._version:
                return 0, ()
            return int(count), tuple(Failed(*line.split(" ", 1)) for line in lines if line)
        except (OSError, ValueError):
            return 0, ()
