"""The bytes of the link: standard input and output, which on a Pico are its USB port."""

import select
import sys


class Line:
    """Standard input byte by byte and standard output, without buffering and allocation.

    One byte at a time, because MicroPython's stream on the Pico blocks until all that was asked
    for has come.
    """

    def __init__(self) -> None:
        self._in = sys.stdin.buffer
        self._out = sys.stdout.buffer
        poll = select.poll()
        poll.register(self._in, select.POLLIN)
        # ipoll gives the same answer as poll without making a list; CPython has poll only.
        self._poll = getattr(poll, "ipoll", poll.poll)
        self._byte = bytearray(1)

    def ready(self, wait_ms: int) -> bool:
        """Whether a byte is there, after waiting for it at most `wait_ms`."""
        ready = False
        for _ in self._poll(wait_ms):
            ready = True
        return ready

    def read(self) -> int:
        """The next byte; -1 when the line has ended, which happens only on a PC."""
        if self._in.readinto(self._byte):  # type: ignore[union-attr]
            return self._byte[0]
        return -1

    def write(self, data: bytearray) -> None:
        """Sends all of `data`; what the host does not take is lost."""
        self._out.write(data)
