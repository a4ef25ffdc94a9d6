"""A local socket where other processes learn what happens; the appliance never waits for them.

Lines of JSON, each `{"v": 1, "<kind>": ...}`; nothing is read from listeners. First come `hello`,
the present `snapshot`, all `event`s of the present game, and the last `picture`; then each as it
happens, and `board` when only the lights have changed. A broker also gets the last finished games,
as `ended`. What they hold is described in docs/formats.md.
"""

import errno
import json
import logging
import reprlib
import socket
import struct
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

log = logging.getLogger(__name__)

NO_STREAM = "Windows has no sockets by which programs follow a game"

STREAM_VERSION = 1
"""Of the lines; raised when older readers would not understand them."""

# In the appliance's runtime folder.
SOCKET_FILE = "board"
PAGE_WANTED_FILE = "page"
"""Is there while a page is wanted."""

MAX_ENDED_GAMES = 16
"""Finished games that are published, and stay with a broker."""
OBJECT_KINDS = frozenset({"hello", "snapshot", "event", "picture", "ended"})
"""Kinds of lines whose value is an object."""
MAX_LINE_BYTES = 1_000_000
_MAX_WAITING_BYTES = 2_000_000
"""For a reader; a slower one is dropped."""
_MAX_READERS = 8


class Broadcast:
    """The appliance's end of the socket, which is created here; OSError if that fails.

    A newcomer first gets what `welcome` returns for its user ID; None turns it away.
    """

    def __init__(self, path: Path, welcome: Callable[[int], Iterable[bytes] | None]) -> None:
        self._path = path
        self._welcome = welcome
        self._readers: dict[socket.socket, bytearray] = {}
        self._new: list[socket.socket] = []
        self._socket = _local_socket()
        try:
            self._socket.setblocking(False)
            path.unlink(missing_ok=True)
            self._socket.bind(str(path))
            # The kernel says who connects; file permissions would need groups that all share.
            path.chmod(0o666)
            self._socket.listen(_MAX_READERS)
        except BaseException:
            self._socket.close()
            raise

    def send(self, line: bytes) -> None:
        """Queues a line for all listeners."""
        for reader, waiting in tuple(self._readers.items()):
            waiting += line
            if len(waiting) > _MAX_WAITING_BYTES:
                self._drop(reader, "too slow")

    def has_readers(self) -> bool:
        """True if anybody listens or has just connected: newcomers get their lines from `serve`."""
        with suppress(OSError):
            self._new.append(self._socket.accept()[0])
        return bool(self._readers or self._new)

    def serve(self) -> None:
        """Lets newcomers in, and sends what readers take at once."""
        self.has_readers()
        if self._new:
            self._drop_gone()
        while self._new:
            self._admit_reader(self._new.pop())
        for reader, waiting in tuple(self._readers.items()):
            try:
                while waiting:
                    del waiting[: reader.send(waiting)]
            except BlockingIOError:
                pass
            except OSError as error:
                self._drop(reader, str(error.strerror))

    def _admit_reader(self, reader: socket.socket) -> None:
        reader.setblocking(False)
        user = _user_at(reader)
        lines = self._welcome(user) if len(self._readers) < _MAX_READERS else None
        if lines is None:
            log.warning("user %d may not listen, or there are too many listeners", user)
            reader.close()
        else:
            self._readers[reader] = bytearray(b"".join(lines))

    def _drop_gone(self) -> None:
        """Makes room: while nothing is sent, nobody notices that a reader has gone."""
        for reader in tuple(self._readers):
            try:
                gone = not reader.recv(1, socket.MSG_PEEK)
            except OSError as error:
                gone = not isinstance(error, BlockingIOError)
            if gone:
                self._drop(reader, "the reader has gone")

    def _drop(self, reader: socket.socket, why: str) -> None:
        log.info("the event stream has failed: %s", why)
        del self._readers[reader]
        reader.close()

    def close(self) -> None:
        """Closes the socket and removes it."""
        for end in (self._socket, *self._new, *self._readers):
            end.close()
        self._path.unlink(missing_ok=True)


def _local_socket() -> socket.socket:
    """A socket with a name among the files; OSError on Windows, where Python has none."""
    if sys.platform == "win32":
        raise OSError(errno.EAFNOSUPPORT, NO_STREAM)
    return socket.socket(socket.AF_UNIX)


def _user_at(end: socket.socket) -> int:
    """The user ID of who is at the other end of a connection."""
    if sys.platform == "win32":
        raise OSError(errno.EAFNOSUPPORT, NO_STREAM)
    if sys.platform == "darwin":
        # The start of `struct xucred` (unix(4)): SOL_LOCAL is 0, LOCAL_PEERCRED 1 (<sys/un.h>).
        sent = end.getsockopt(0, 1, struct.calcsize("2i"))
        user = struct.unpack("2i", sent)[1]
    else:
        sent = end.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
        user = struct.unpack("3i", sent)[1]
    return int(user)


def listen(path: Path) -> Iterator[dict[str, Any]]:
    """Objects published at a socket, until the appliance ends; may raise OSError or ValueError."""
    with _local_socket() as end:
        end.connect(str(path))
        with end.makefile("rb") as lines:
            while line := lines.readline(MAX_LINE_BYTES):
                yield parse_line(line)


def parse_line(line: bytes) -> dict[str, Any]:
    """The object in a line; ValueError if it is not of this version of the stream."""
    try:
        found: dict[str, Any] = json.loads(line)
    except RecursionError as error:
        raise ValueError("expected lines of JSON, found one nested too deeply") from error
    if not isinstance(found, dict) or found.get("v") != STREAM_VERSION:
        raise ValueError(f"expected version {STREAM_VERSION} of the event stream, found another")
    for kind in OBJECT_KINDS & found.keys():
        if not isinstance(found[kind], dict):
            raise ValueError(f"expected an object as {kind}, found {reprlib.repr(found[kind])}")
    if "event" in found and type(found["event"].get("number")) is not int:
        raise ValueError("expected an event with its number, found one without")
    return found
