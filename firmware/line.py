"""The bytes of the link: standard input and output, which on a Pico are its USB port."""

import select
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

# This many bytes are taken before the lights and the clock get their turn: a flood must not stop
# them. Three pictures fit, so that the newest of a few wins without the older ones being drawn.
MAX_TAKEN_BYTES = 420


def take_into(
    data: bytearray,
    size: int,
    poll: "Callable[[int], Sequence[object]]",
    readinto: "Callable[[bytearray], int | None]",
    byte: bytearray,
    wait_ms: int,
) -> int:
    """Takes what has arrived, at most `size` bytes; returns how many, or -1 if the line has ended.

    Byte by byte, because MicroPython's stream on the Pico blocks until everything asked for has
    arrived, and does not say how much there is.
    """
    count = 0
    while count < size:
        for _ in poll(wait_ms):
            break
        else:
            return count
        wait_ms = 0
        if not readinto(byte):
            return count or -1
        data[count] = byte[0]
        count += 1
    return count


_take_into = take_into
if sys.implementation.name == "micropython":
    # A SyntaxError means that this MicroPython cannot emit machine code.
    try:
        import fast  # type: ignore[import-not-found, unused-ignore]

        _take_into = fast.take_into
    except (ImportError, SyntaxError):
        pass


class Line:
    """Standard input and output without buffering or allocation.

    Attributes:
        data: what `take` has taken.
    """

    def __init__(self) -> None:
        self._in = sys.stdin.buffer
        self._out = sys.stdout.buffer
        poll = select.poll()
        poll.register(self._in, select.POLLIN)
        # ipoll returns the same as poll without making a list; CPython has only poll.
        self._poll = getattr(poll, "ipoll", poll.poll)
        self._readinto = self._in.readinto  # type: ignore[union-attr]
        self._byte = bytearray(1)
        self.data = bytearray(MAX_TAKEN_BYTES)

    def take(self, wait_ms: int) -> int:
        """Takes what has arrived into `data`, after waiting at most `wait_ms` for it.

        Returns:
            how many bytes; -1 if the line has ended, which happens only on a PC.
        """
        return _take_into(
            self.data, MAX_TAKEN_BYTES, self._poll, self._readinto, self._byte, wait_ms
        )

    def write(self, data: bytearray) -> None:
        """Sends all of `data`; what the host does not take is lost."""
        self._out.write(data)
