"""Stopping long work by Ctrl+C or `kill`: it ends with a message and leaves no process."""

import signal
import sys
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.pool import Pool

import cv2

STOPPED = 130
"""Exit code of a stopped program, as a shell reports it."""


def workers(processes: int) -> Pool:
    """A pool of processes in which OpenCV uses one core.

    They leave Ctrl+C, which reaches every process of a terminal, to their parent.
    Each is spawned: forked from a process in which OpenCV has threads, it would hang for ever.
    """
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # which they inherit
    try:
        return get_context("spawn").Pool(processes, cv2.setNumThreads, (1,))
    finally:
        signal.signal(signal.SIGINT, before)


def run(main: Callable[[], int | None]) -> int:
    """Runs a program that can be stopped and resumed; returns its exit code."""

    def stop(_signal: int, _frame: object) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
    try:
        return main() or 0
    except KeyboardInterrupt:
        print("stopped; what is finished is kept where it went to a file", file=sys.stderr)
        return STOPPED
