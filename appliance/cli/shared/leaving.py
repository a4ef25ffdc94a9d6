"""The only place where the process ends, and how."""

import atexit
import os
import signal
import sys
import threading
import time
from contextlib import suppress
from typing import NoReturn

from appliance.cli.shared.stopping import STOP_SIGNALS

THREADS_HAVE_S = 0.5
"""Seconds that threads have to end by themselves, once everything is saved and said.

Whatever they hold was closed before, with limits of its own.
"""


def leave(status: int) -> NoReturn:
    """Ends the process, also while a thread hangs or is in the middle of native code.

    When the interpreter ends, it ends such a thread by an exception that C++ may not let through:
    `std::terminate` aborts the process (https://github.com/python/cpython/issues/87135).
    """
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    until_s = time.monotonic() + THREADS_HAVE_S
    others = [thread for thread in threading.enumerate() if thread is not threading.main_thread()]
    for thread in others:
        thread.join(max(0.0, until_s - time.monotonic()))
    if not any(thread.is_alive() for thread in others):
        sys.exit(status)
    # What the interpreter would do at its end, such as remove temporary folders; it may hang, too.
    last = threading.Thread(target=atexit._run_exitfuncs, daemon=True)
    last.start()
    last.join(THREADS_HAVE_S)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(status)
