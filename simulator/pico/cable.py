"""A USB serial cable without USB: a pty whose far end a program opens like any serial port."""

import contextlib
import os
import pty
import select
import sys
import tty
from pathlib import Path

# What a port's driver buffers when the program at the far end does not read; the rest is lost,
# as on a Pico.
_DRIVER_BUFFER_BYTES = 4096


class Cable:
    """The near end of a serial port that appears at `path` while it is plugged in.

    Not safe for threads: one thread owns it.

    Attributes:
        path: the device path that a program opens, a symbolic link to the pty.
        master: descriptor of the near end, or -1 while unplugged.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.master = -1
        self._waiting = bytearray()

    def plug(self) -> None:
        """Makes the port appear, on a new pty under the same path."""
        if sys.platform == "win32":
            raise OSError("Windows has no ports that a program can make")
        if self.master >= 0:
            return
        self.master, far = pty.openpty()
        # Raw from the start: a cooked line would echo what the board says before the program
        # at the far end has set it up.
        tty.setraw(far)
        os.set_blocking(self.master, False)
        temporary = self.path.with_suffix(".new")
        temporary.unlink(missing_ok=True)
        temporary.symlink_to(os.ttyname(far))
        temporary.replace(self.path)
        # From now on a hang-up means that nobody has the port open.
        os.close(far)

    def unplug(self) -> None:
        """Makes the port vanish; a program that has it open gets errors."""
        if self.master < 0:
            return
        self.path.unlink(missing_ok=True)
        os.close(self.master)
        self.master = -1
        self._waiting.clear()

    def opened(self) -> bool:
        """True while a program has the port open."""
        if sys.platform == "win32":
            raise OSError("Windows has no ports that a program can make")
        if self.master < 0:
            return False
        poll = select.poll()
        poll.register(self.master, 0)
        if any(event & select.POLLHUP for _, event in poll.poll(0)):
            self._waiting.clear()
            return False
        return True

    def read(self) -> bytes:
        """Data that has come from the far end, possibly none."""
        with contextlib.suppress(OSError):
            return os.read(self.master, 4096)
        return b""

    def send(self, data: bytes) -> None:
        """Sends what fits to the far end; the rest waits for `flush`, and any excess is lost."""
        self._waiting += data[: max(0, _DRIVER_BUFFER_BYTES - len(self._waiting))]
        self.flush()

    @property
    def waiting(self) -> bool:
        """True while data is waiting for the far end to read."""
        return bool(self._waiting)

    def flush(self) -> None:
        """Sends as much of the waiting data as fits now."""
        if self._waiting:
            with contextlib.suppress(OSError):
                del self._waiting[: os.write(self.master, self._waiting)]
