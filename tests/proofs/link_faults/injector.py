"""Faults in the bytes between host and board."""

from random import Random

from firmware import framing
from tests.proofs.link_faults.damage import BYTE_FAULTS, damaged

LINE_FAULTS = (*BYTE_FAULTS, "delay", "flood", "half frame, silence", "other version")
"""The faults of a line whose ends both work."""

_VERSIONS = {framing.HELLO: framing.HELLO_BYTES, framing.HELLO_REQUEST: 2}


class Injector:
    """Sits between the two ends; `kind` says what happens there; without one, nothing does.

    Attributes:
        kind: one of LINE_FAULTS, or empty.
        counts: injected faults by kind.
    """

    def __init__(self, seed: int) -> None:
        """Takes its random seed."""
        self._chance = Random(seed)
        self._delayed = b""
        self._left: tuple[int | None, int | None] = (None, None)
        self.kind = ""
        self.counts: dict[str, int] = {}

    def count(self, kind: str, faults: int = 1) -> None:
        """Counts faults."""
        self.counts[kind] = self.counts.get(kind, 0) + faults

    def end_after(self, to_board: int, to_host: int) -> None:
        """Lets nothing pass after this many bytes: whoever sends or receives them is gone."""
        self._left = (to_board, to_host)

    def heal(self) -> None:
        """Makes the line whole again."""
        self.kind = ""
        self._left = (None, None)

    def to_board(self, data: bytes) -> bytes:
        """The bytes that arrive at the board."""
        board, host = self._left
        if board is not None:
            data = data[:board]
            self._left = (board - len(data), host)
        kind, chance = self.kind, self._chance
        if kind in BYTE_FAULTS:
            return self._spoil(data, kind)
        if kind == "delay":
            self.count(kind)
            data, self._delayed = self._delayed, data
            return data
        data, self._delayed = self._delayed + data, b""
        if kind == "flood":
            noise = chance.randbytes(chance.randrange(1, 3000))
            self.count(kind)
            return noise + data + noise[::-1]
        if kind == "half frame, silence" and board is None:
            self.count(kind)
            self._left = (0, None)
            frame = self._frame(framing.FRAME)
            return data[: chance.randrange(len(data) + 1)] + frame[: chance.randrange(1, 137)]
        if kind == "other version":
            self.count(kind)
            return self._other_version(framing.HELLO_REQUEST)
        return data

    def to_host(self, data: bytes) -> bytes:
        """The bytes that arrive at the host."""
        board, host = self._left
        if host is not None:
            data = data[:host]
            self._left = (board, host - len(data))
        if self.kind in BYTE_FAULTS:
            poison, faults = self.poison(self.kind, framing.HELLO, 2)
            self.count(self.kind, faults)
            return poison + self._spoil(data, self.kind)
        if self.kind == "other version":
            self.count(self.kind)
            return self._other_version(framing.HELLO)
        return data

    def poison(self, kind: str, message: int, frames: int) -> tuple[bytes, int]:
        """Damaged frames with content that nobody sent, and how many faults are in them."""
        chance = self._chance
        out = []
        faults = 0
        for _ in range(frames):
            count = 1 if kind == "frame cut" else chance.choice((1, 1, 1, 2, 3, 8))
            out.append(damaged(self._frame(message), kind, count, chance))
            faults += count
        return b"".join(out), faults

    def _spoil(self, data: bytes, kind: str) -> bytes:
        if not data or self._chance.random() < 0.5:
            return data
        self.count(kind)
        out = bytearray(data)
        BYTE_FAULTS[kind](out, self._chance.randrange(len(out)), self._chance)
        return bytes(out)

    def _frame(self, message: int) -> bytes:
        size = framing.FRAME_BYTES if message == framing.FRAME else framing.HELLO_BYTES
        sequence = self._chance.randrange(0x10000)
        return framing.encode(message, sequence, self._chance.randbytes(size))

    def _other_version(self, message: int) -> bytes:
        major = self._chance.choice([n for n in range(256) if n != framing.PROTOCOL_MAJOR])
        return framing.encode(message, 1, bytes((major,)) + bytes(_VERSIONS[message] - 1))
