"""Long work that is stopped, by Ctrl+C or by `kill`, ends in a sentence and leaves no process."""

import os
import signal
import sys
from collections.abc import Callable

STOPPED = 130
"""Exit code of what was stopped, as a shell gives it."""


def leave_stopping_to_the_parent() -> None:
    """Makes a worker of a pool ignore Ctrl+C, which reaches all processes of a terminal."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def run(main: Callable[[], int | None]) -> int:
    """Runs a program that can be stopped and gone on with; its exit code."""
    own = os.getpid()

    def stop(_signal: int, _frame: object) -> None:
        if os.getpid() != own:
            # A worker that has just been forked and would take itself for the program.
            os._exit(STOPPED)
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
    try:
        return main() or 0
    except KeyboardInterrupt:
        print("stopped; what is finished is kept where it went to a file", file=sys.stderr)
        return STOPPED
