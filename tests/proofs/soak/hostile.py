"""A broker that does to whoever comes what none should: on a port, in place of the real one."""

import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random
from threading import Event, Thread

_WELCOME = bytes((0x20, 2, 0, 0))
"""CONNACK (MQTT 3.1.1, 3.2)."""

HUGE_BYTES = 200_000_000
"""Of a packet that is announced; it takes at most 268 MB (MQTT 3.1.1, 2.2.3)."""

_CHUNK = b"x" * 65_536
_PATIENCE_S = 0.2


def length_of(packet_bytes: int) -> bytes:
    """A remaining length as MQTT writes it: seven bits a byte (MQTT 3.1.1, 2.2.3)."""
    length = bytearray()
    while packet_bytes or not length:
        packet_bytes, part = divmod(packet_bytes, 128)
        length.append(part | (128 if packet_bytes else 0))
    return bytes(length)


def published(topic: bytes, payload: bytes) -> bytes:
    """PUBLISH, retained (MQTT 3.1.1, 3.3)."""
    body = len(topic).to_bytes(2, "big") + topic + payload
    return bytes((0x31,)) + length_of(len(body)) + body


def _huge(_: Random) -> Iterator[bytes]:
    yield _WELCOME + bytes((0x30,)) + length_of(HUGE_BYTES) + b"\0\1t"
    yield from [_CHUNK] * (HUGE_BYTES // len(_CHUNK))


def _rubbish(chance: Random) -> Iterator[bytes]:
    yield _WELCOME
    while True:
        yield chance.randbytes(chance.randrange(1, 5000))


def _wrong_topics(chance: Random) -> Iterator[bytes]:
    yield _WELCOME
    while True:
        topic = chance.choice(
            (b"", b"#", b"\xff\xfe", b"homeassistant/status", b"dicetray/tray-1/state", b"a/" * 999)
        )
        yield published(topic, chance.choice((b"online", b"{", chance.randbytes(2000))))


def _refusing(chance: Random) -> Iterator[bytes]:
    yield bytes((0x20, 2, 0, chance.randrange(1, 256)))


def _silent(_: Random) -> Iterator[bytes]:
    while True:
        yield b""


Way = Callable[[Random], Iterator[bytes]]

WAYS: tuple[Way, ...] = (
    _huge,
    _rubbish,
    _wrong_topics,
    _refusing,
    _silent,
)
"""What it sends, one way after another for each that comes."""


class HostileBroker:
    """Listens on a port until it is closed.

    Args:
        port: of 127.0.0.1.
        chance: draws what it sends.
    """

    def __init__(self, port: int, chance: Random) -> None:
        self._chance = Random(chance.random())
        self._ways = self._chance.sample(WAYS, len(WAYS))
        self._closing = Event()
        self._listening = socket.create_server(("127.0.0.1", port))
        self._listening.settimeout(_PATIENCE_S)
        self.met = 0
        """How many have come."""
        self._thread = Thread(target=self._serve, name="hostile broker")
        self._thread.start()

    def close(self) -> None:
        """Ends it, and all that it was connected to."""
        self._closing.set()
        self._thread.join()
        self._listening.close()

    def _serve(self) -> None:
        while not self._closing.is_set():
            with suppress(TimeoutError):
                connection, _ = self._listening.accept()
                with connection, suppress(OSError):
                    connection.settimeout(_PATIENCE_S)
                    self.met += 1
                    self._harm(connection)

    def _harm(self, connection: socket.socket) -> None:
        connection.recv(1000)
        for data in self._ways[self.met % len(WAYS)](self._chance):
            if self._closing.is_set():
                return
            if data:
                connection.sendall(data)
            else:
                self._closing.wait(_PATIENCE_S)
