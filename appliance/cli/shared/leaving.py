"""The only place where the process ends, and how."""

import atexit
import faulthandler
import os
import signal
import sys
import threading
import time
from contextlib import suppress

from appliance.cli.shared.stopping import STOP_SIGNALS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

THREADS_HAVE_S = 0.5
"""Seconds that threads have to end by themselves, once everything is saved and said.

Whatever they hold was closed before, with limits of its own.
"""
LONGEST_S = 4 * THREADS_HAVE_S
"""After this it ends in any case, with status 1: should even what follows be held up."""


def leave(status: int) -> "NoReturn":
    """Ends the process, also while a thread hangs or is in the middle of native code.

    When the interpreter ends by itself, it ends such a thread by an exception that C++ may not let
    through: `std::terminate` aborts the process (https://github.com/python/cpython/issues/87135).
    """
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    faulthandler.dump_traceback_later(
        LONGEST_S, exit=True, file=os.open(os.devnull, os.O_WRONLY | getattr(os, "O_CLOEXEC", 0))
    )
    until_s = time.monotonic() + THREADS_HAVE_S
    # What the interpreter would do at its end, such as remove temporary folders.
    last = threading.Thread(target=atexit._run_exitfuncs, daemon=True)
    last.start()
    for thread in threading.enumerate():
        if thread is not threading.current_thread():
            # One that another thread is just starting is listed, but cannot be joined yet.
            with suppress(RuntimeError):
                thread.join(max(0.0, until_s - time.monotonic()))
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(status)
