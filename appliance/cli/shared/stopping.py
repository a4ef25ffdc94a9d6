"""Signals that ask the program to end: as flags that its loops look at, or as an error.

A signal that raised an error could do so in the middle of anything, such as a callback whose errors
Python prints; one that only sets a flag does no harm. Where no loop would see a flag, the error
`Told` is raised all the same: while something is set up, and in services.
"""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Self

HURRY_AFTER_S = 3.0
"""Seconds from the first signal until another one raises, whatever is going on.

What ends takes less; an error in the middle of that would leave a child or a terminal behind.
"""


def _those_there(*names: str) -> tuple[signal.Signals, ...]:
    """The signals of these names that this system has."""
    return tuple(signal.Signals[name] for name in names if name in signal.Signals.__members__)


STOP_SIGNALS = _those_there("SIGINT", "SIGQUIT", "SIGBREAK", "SIGTERM", "SIGHUP")
"""Of Ctrl-C, Ctrl-\\, on Windows Ctrl-Break; of systemd; of a terminal that was closed."""
_PAUSE_SIGNALS = _those_there("SIGTSTP")
"""Ctrl-Z; Windows has no such thing."""
_ALL_SIGNALS = (*STOP_SIGNALS, *_PAUSE_SIGNALS)


class Told(KeyboardInterrupt):
    """A signal, of this number, has told the program to end."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


def status_when_told(interrupt: KeyboardInterrupt) -> int:
    """The exit status of what was told to end before it was done: as a shell reports the signal."""
    return 128 + (interrupt.number if isinstance(interrupt, Told) else signal.SIGINT)


class StopRequests:
    """Requests by signals.

    To `stop` (Ctrl-C, SIGTERM, a terminal that was closed), or to `pause` (Ctrl-Z).

    Args:
        clock: monotonic seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.stop = self.pause = False
        self._clock = clock
        self._raises = False
        self._number = 0
        self._asked_s = 0.0

    def _stop(self, number: int, _: object) -> None:
        raises = self._raises
        if self.stop:
            raises = self._clock() - self._asked_s >= HURRY_AFTER_S
        else:
            self.stop, self._number, self._asked_s = True, number, self._clock()
        if raises:
            raise Told(number)

    def _pause(self, *_: object) -> None:
        self.pause = True

    @contextmanager
    def caught(self, *, pausing: bool = True) -> Iterator[Self]:
        """Signals ask for these until the end of the block, but for those that were ignored."""
        # As nohup does it.
        ignored = {n for n in _ALL_SIGNALS if signal.getsignal(n) is signal.SIG_IGN}
        before = {n: signal.signal(n, self._stop) for n in STOP_SIGNALS if n not in ignored}
        if pausing:
            pauses = [n for n in _PAUSE_SIGNALS if n not in ignored]
            before |= {n: signal.signal(n, self._pause) for n in pauses}
        try:
            yield self
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    @contextmanager
    def raising(self) -> Iterator[Self]:
        """Signals raise `Told`, too, until the end of the block: while something is set up.

        One that had come before does so at the end, at the latest: an error that was raised in a
        callback of Python's is lost, and without a terminal other errors follow.
        """
        with self._raising():
            try:
                yield self
            finally:
                if self.stop:
                    raise Told(self._number)

    @contextmanager
    def _raising(self) -> Iterator[None]:
        before, self._raises = self._raises, True
        try:
            yield
        finally:
            self._raises = before

    @classmethod
    @contextmanager
    def all_raise(cls) -> Iterator[None]:
        """Turns signals into the same orderly end as Ctrl-C until the end of the block.

        Only in the main thread: no other may handle signals.
        """
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        requests = cls()
        with requests.caught(pausing=False), requests._raising():
            yield

    def suspend(self) -> None:
        """Suspends the program until it is continued."""
        self.pause = False
        for number in _PAUSE_SIGNALS:
            handler = signal.signal(number, signal.SIG_DFL)
            try:
                os.kill(os.getpid(), number)
            finally:
                signal.signal(number, handler)
