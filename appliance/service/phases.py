"""A start, one phase after the other: told to systemd, recorded, and named on the board if slow.

Nothing in the program can end a call into a driver that hangs, so systemd ends the program. A
thread beside the start asks for more time whenever the start's own thread has read or written
something: a slow card, a salvage or a migration is no hang. A driver that holds Python's lock stops
that thread, too, and is ended just so.
"""

import logging
import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Self

from appliance.errors import ApplianceError
from appliance.service.phase import LIMIT_S, SLOW_S, Phase
from appliance.service.starts import RUNNING, Starts
from appliance.service.systemd import Notifier
from appliance.words import say

if TYPE_CHECKING:
    from appliance.service.ports import PictureBoard

log = logging.getLogger(__name__)

LOOK_INTERVAL_S = 1.0
FAULT_NAMED_S = 90.0
"""How long a start may say on the board what is wrong, and not be ready, until systemd tries anew:
an installer waits for this before it goes back to the version before."""

OpenBoard = Callable[[ExitStack], "PictureBoard"]
"""Opens the scoreboard; what it needs is closed with the stack."""


def process_age_s() -> float:
    """Seconds since this process was started; 0 where the system does not say."""
    if sys.platform != "linux":
        return 0.0
    try:
        # Field 22 of proc(5)'s stat, counted from the end of the name, which may hold anything.
        fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
        started_s = int(fields[19]) / os.sysconf("SC_CLK_TCK")
        return time.clock_gettime(time.CLOCK_BOOTTIME) - started_s
    except (OSError, ValueError, IndexError):
        return 0.0


PROC = Path("/proc")


def progress_of_main_thread(proc: Path = PROC) -> int:
    """A number that changes while the main thread reads or writes, or a disk writes for it.

    That is what it has read and written in bytes and calls, pages of programs that were fetched
    from a disk included (proc(5), /proc/pid/io; CONFIG_TASK_IO_ACCOUNTING, which the kernels of
    Debian and Raspberry Pi have). A sync on a slow card is one long call: while the thread waits
    for a device (state D), sectors that disks have written count, too (/proc/diskstats). 0 where
    the kernel says nothing.
    """
    task = proc / f"self/task/{threading.main_thread().native_id}"
    try:
        done = sum(int(line.rpartition(" ")[2]) for line in (task / "io").read_text().splitlines())
        if (task / "stat").read_text().rpartition(")")[2].split()[0] == "D":
            disks = (proc / "diskstats").read_text().splitlines()
            done += sum(int(disk.split()[9]) for disk in disks)
    except (OSError, ValueError, IndexError):
        return 0
    return done


class Phases:
    """The phases of a start; systemd grants more time for each, and while it gets on.

    Args:
        notifier: systemd.
        starts: notes what was reached, and knows what to leave out.
        age_s: returns the seconds since the process began.
        progress: returns a number that changes whenever the start gets on.

    Attributes:
        starts: the same.
        notifier: the same.
        taken: the name and seconds of each phase that is over.
    """

    def __init__(
        self,
        notifier: Notifier,
        starts: Starts | None = None,
        age_s: Callable[[], float] = process_age_s,
        progress: Callable[[], int] = progress_of_main_thread,
    ) -> None:
        self.notifier, self.starts = notifier, starts or Starts()
        self._age_s, self._progress = age_s, progress
        self._phase: Phase | None = None
        self._since_s = 0.0
        self._done: int | None = None
        self._named = self._faulty = False
        self._open: OpenBoard | None = None
        self._board: PictureBoard | None = None
        self._opened = ExitStack()
        self._has_frame = False
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self.taken: list[tuple[str, float]] = []

    @classmethod
    def of_service(cls) -> Self:
        """Those of a start by systemd; elsewhere nobody hears of them, and nothing is recorded."""
        starts = Starts.of_service()
        starts.begin()
        return cls(Notifier.from_environment(), starts)

    def watch(self, open_board: OpenBoard) -> None:
        """Watches from now on; a phase that is slow before there is a board opens it this way."""
        # Here, and not in the thread: two threads must not import the same at the same time.
        import_module("appliance.screens.drawing")

        self._open = open_board
        if self._thread is None and self.notifier.listened_to:
            self._thread = threading.Thread(target=self._keep_looking, name="start", daemon=True)
            self._thread.start()

    def begin(self, phase: Phase) -> None:
        """The next phase, recorded before anything of it is done."""
        with self._lock:
            self._end()
            self._phase, self._done = phase, None
            self._named = self._faulty = False
            self.starts.enter(phase.key)
            self.notifier.status(phase.sentence)
            self.notifier.extend(LIMIT_S)

    def leaves_out(self, phase: Phase) -> bool:
        """True if the start does without what this phase brings."""
        return phase in self.starts.left_out

    def show_on(self, board: "PictureBoard") -> None:
        """Slow phases are named on this board from now on."""
        with self._lock:
            self._board = board

    def release_board(self) -> None:
        """Closes the board that was opened to name a slow phase, as the start opens it now."""
        with self._lock:
            self._open = None
            self._opened.close()
            self._board = None

    def name_fault(self, sentence: str, *, ready: bool) -> None:
        """The board says what is wrong, so this is no start that fails; it may count as `ready`."""
        with self._lock:
            self._faulty = True
            self.starts.forget()
            if ready:
                self.notifier.ready()
            self.notifier.status(sentence)
            self.notifier.alive()
            if self._age_s() < FAULT_NAMED_S:
                self.notifier.extend(LIMIT_S)

    def try_again(self) -> None:
        """Notes that the phase's work is done again: what was wrong may be over."""
        with self._lock:
            if self._phase is not None:
                self.starts.enter(self._phase.key)

    def look(self) -> None:
        """Asks for more time if the phase has got on, names it if it is slow."""
        with self._lock:
            if self._phase is None or self._faulty:
                return
            before, self._done = self._done, self._progress()
            if before not in (None, self._done):
                self.notifier.extend(LIMIT_S)
            if not self._named and self._age_s() - self._since_s >= SLOW_S:
                self._named = True
                self._name(self._phase)

    def ready(self) -> None:
        """The first prompt is on the board."""
        with self._lock:
            self._end()
            self.starts.enter(RUNNING)
            self.notifier.ready()
        self.close()
        took = ", ".join(f"{name} {seconds:.2f}" for name, seconds in self.taken)
        log.info("first prompt after %.2f s: %s", self._since_s, took)

    def close(self) -> None:
        """Ends the watching."""
        self._over.set()
        if self._thread is not None:
            self._thread.join(timeout=LOOK_INTERVAL_S)
            self._thread = None
        self._opened.close()

    def note_first_frame(self) -> None:
        """A picture has come; the first is logged."""
        if not self._has_frame:
            self._has_frame = True
            log.info("first picture from the camera after %.2f s", self._age_s())

    def _end(self) -> None:
        now_s = self._age_s()
        name = "starts Python" if self._phase is None else self._phase.sentence
        self.taken.append((name, now_s - self._since_s))
        self._since_s, self._phase = now_s, None

    def _name(self, phase: Phase) -> None:
        log.warning("the start has not got past a phase for %.0f s: %s", SLOW_S, phase.sentence)
        from appliance.screens.drawing import two_lines

        with suppress(ApplianceError):
            if self._board is None and self._open is not None and phase is not Phase.BOARD:
                self._board = self._open(self._opened)
            if self._board is not None:
                self._board.show(two_lines(say("STARTING..."), say(phase.word)))

    def _keep_looking(self) -> None:
        while not self._over.wait(LOOK_INTERVAL_S):
            with suppress(OSError):
                self.look()
