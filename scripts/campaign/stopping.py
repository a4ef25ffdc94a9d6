"""Long work that is stopped, by Ctrl+C or by `kill`, ends in a sentence and leaves no process."""

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
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return main() or 0
    except KeyboardInterrupt:
        print("stopped; what is finished is kept where it went to a file", file=sys.stderr)
        return STOPPED
