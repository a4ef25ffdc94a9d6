"""Signals: as flags that a program in a terminal checks between frames, or as Ctrl-C.

A signal that raised an error could do so in the middle of anything, such as a callback whose errors
Python prints; one that only sets a flag does no harm. A second Ctrl-C raises the error all the
same. A service has no such callbacks and is ended by the error.
"""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager


def _those_there(*names: str) -> tuple[signal.Signals, ...]:
    """The signals of these names that this system has."""
    return tuple(signal.Signals[name] for name in names if name in signal.Signals.__members__)


_INTERRUPTS = _those_there("SIGINT", "SIGQUIT", "SIGBREAK")
"""Signals of keys: Ctrl-C, Ctrl-\\, on Windows Ctrl-Break."""
_STOP_SIGNALS = (*_INTERRUPTS, *_those_there("SIGTERM", "SIGHUP"))
_PAUSE_SIGNALS = _those_there("SIGTSTP")
"""Ctrl-Z; Windows has no such thing."""


class StopRequests:
    """What signals have asked for.

    To `stop` (Ctrl-C, SIGTERM, a terminal that was closed), or to `pause` (Ctrl-Z).
    """

    def __init__(self) -> None:
        self.stop = self.pause = False

    def _stop(self, number: int, _: object) -> None:
        if self.stop and number in _INTERRUPTS:
            raise KeyboardInterrupt
        self.stop = True

    def _pause(self, *_: object) -> None:
        self.pause = True

    @contextmanager
    def caught(self) -> Iterator["StopRequests"]:
        """Signals set these flags until the end of the block."""
        before = {number: signal.signal(number, self._stop) for number in _STOP_SIGNALS}
        before |= {number: signal.signal(number, self._pause) for number in _PAUSE_SIGNALS}
        try:
            yield self
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def suspend(self) -> None:
        """Suspends the program until it is continued."""
        self.pause = False
        for number in _PAUSE_SIGNALS:
            handler = signal.signal(number, signal.SIG_DFL)
            try:
                os.kill(os.getpid(), number)
            finally:
                signal.signal(number, handler)


@contextmanager
def stopping_on_signals() -> Iterator[None]:
    """Turns SIGTERM into the same orderly end as Ctrl-C."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    previous = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, previous)
