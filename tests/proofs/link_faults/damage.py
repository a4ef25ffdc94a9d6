"""Damage to the bytes of one frame."""

from collections.abc import Callable, Mapping
from random import Random


def flip(data: bytearray, at: int, chance: Random) -> None:
    """Flips one bit."""
    data[at] ^= 1 << chance.randrange(8)


def drop(data: bytearray, at: int, chance: Random) -> None:
    """Leaves a byte out."""
    del data[at]


def double(data: bytearray, at: int, chance: Random) -> None:
    """Sends a byte twice."""
    data.insert(at, data[at])


def cut(data: bytearray, at: int, chance: Random) -> None:
    """Cuts off the rest."""
    del data[at:]


BYTE_FAULTS: Mapping[str, Callable[[bytearray, int, Random], None]] = {
    "bit flipped": flip,
    "byte dropped": drop,
    "byte doubled": double,
    "frame cut": cut,
}


def damaged(frame: bytes, kind: str, count: int, chance: Random) -> bytes:
    """A frame with this many faults between its two zeros; never the same bytes as before."""
    inner = bytearray(frame[1:-1])
    for _ in range(count):
        if inner:
            BYTE_FAULTS[kind](inner, chance.randrange(len(inner)), chance)
    if bytes(inner) == frame[1:-1]:
        inner[0] ^= 0x80
    return b"\0" + bytes(inner) + b"\0"
