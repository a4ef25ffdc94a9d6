"""Threads that survive a bug of ours: it is reported once, and the work starts again."""

import logging
import threading
from collections.abc import Callable

log = logging.getLogger(__name__)

RESTART_DELAY_S = 1.0
"""Seconds before failed work starts again."""


def supervised(name: str, work: Callable[[], None], stop: threading.Event) -> threading.Thread:
    """A thread, not yet started, that runs until its work returns or it is to stop.

    Args:
        name: for logs and reports.
        work: what to run; what it raises is reported as Python does when a thread dies of it.
        stop: ends the thread.
    """

    def run() -> None:
        reported = ""
        while not stop.is_set():
            try:
                work()
            except BaseException as error:  # also SystemExit, which would end it silently
                if repr(error) != reported:
                    reported = repr(error)
                    log.error("the thread %s has failed and restarts: %s", name, reported)
                    why = (type(error), error, error.__traceback__, threading.current_thread())
                    threading.excepthook(threading.ExceptHookArgs(why))
                stop.wait(RESTART_DELAY_S)
            else:
                return

    return threading.Thread(target=run, name=name, daemon=True)
