"""Signals: as flags that a program in a terminal checks between frames, or as Ctrl-C.

A signal that raised an error could do so in the middle of anything, such as a callback whose errors
Python prints; one that only sets a flag does no harm. A second Ctrl-C raises the error all the
same. A service has no such callbacks and is ended by the error.
"""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

_STOP_SIGNALS = (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP)


class StopRequests:
    """What signals have asked for.

    To `stop` (Ctrl-C, SIGTERM, a terminal that was closed), or to `pause` (Ctrl-Z).
    """

    def __init__(self) -> None:
        self.stop = self.pause = False

    def _stop(self, number: int, _: object) -> None:
        if self.stop and number in (signal.SIGINT, signal.SIGQUIT):
            raise KeyboardInterrupt
        self.stop = True

    def _pause(self, *_: object) -> None:
        self.pause = True

    @contextmanager
    def caught(self) -> Iterator["StopRequests"]:
        """Signals set these flags until the end of the block."""
        before = {number: signal.signal(number, self._stop) for number in _STOP_SIGNALS}
        before[signal.SIGTSTP] = signal.signal(signal.SIGTSTP, self._pause)
        try:
            yield self
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def suspend(self) -> None:
        """Suspends the program until it is continued."""
        self.pause = False
        handler = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        try:
            os.kill(os.getpid(), signal.SIGTSTP)
        finally:
            signal.signal(signal.SIGTSTP, handler)


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
