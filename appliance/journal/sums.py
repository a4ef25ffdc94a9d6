"""Lines with checksums, which show a text that is another legal one, such as another roll.

A line of a file ends with the checksum of all lines up to it: CRC-32 as in zlib, which sees every
change within 32 bits (https://www.zlib.net/manual.html#Checksum). So lines that are missing,
swapped, or from another file are seen, too:

    [Game "classic"]  #5d0a3f7e
    roll 3 3 3 5 5  #91c2e804

Each file is kept in two places. What is damaged in one of them is taken from the other.
"""

import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

_MARK = "  #"


def next_sum(before: int, text: str) -> int:
    """The checksum of a line, from that of the line before; 0 before the first."""
    return zlib.crc32(f"\n{text}".encode("utf-8", "surrogatepass"), before)


def encode(texts: Iterable[str], before: int = 0) -> tuple[bytes, int]:
    """Lines as they stand in a file, and the checksum of the last.

    Args:
        texts: the lines, without line breaks.
        before: the checksum of the line before them.
    """
    lines = []
    for text in texts:
        before = next_sum(before, text)
        lines.append(f"{text}{_MARK}{before:08x}\n")
    return "".join(lines).encode("utf-8", "surrogatepass"), before


@dataclass(frozen=True, slots=True)
class Lines:
    """What two places have of the same lines.

    Attributes:
        texts: the lines up to the first that neither place has.
        last_sum: the checksum of the last of them.
        size: how many bytes of the first place are these lines.
        uncounted: legible lines behind the first that neither place has.
        torn: whether the first place ends in what a power cut leaves of a line.
        mended: lines that one place alone has, or where they differ otherwise; empty if they agree.
    """

    texts: tuple[str, ...]
    last_sum: int
    size: int
    uncounted: tuple[str, ...] = ()
    torn: bool = False
    mended: bool = False

    @property
    def damaged(self) -> bool:
        """Whether lines are lost in both places."""
        return bool(self.uncounted)


def _pairs(data: bytes) -> Iterator[tuple[str, int | None]]:
    """Text and checksum of each line that ends; None for a checksum that is none."""
    for raw in data.split(b"\n")[:-1]:
        text, mark, stored = raw.decode("utf-8", "replace").rpartition(_MARK)
        found: int | None = None
        if mark and len(stored) == 8:
            try:
                found = int(stored, 16)
            except ValueError:
                found = None
        yield (text if mark else stored), found


def read_lines(first: bytes, second: bytes = b"") -> Lines:
    """The lines of a file, from both of its places.

    What follows the last line break, and zeros there, are what a power cut left: `torn`.

    Args:
        first: the bytes of the first place, which is written first.
        second: those of the second place, which may lack the last lines; empty if there is none.
    """
    whole = _chain(first)
    if whole is not None and (not second or first.startswith(second)):
        return whole
    return _merge(first, second)


def _chain(data: bytes) -> Lines | None:
    """The lines of one place, if all are as they were written."""
    texts, before = [], 0
    for text, stored in _pairs(data):
        before = next_sum(before, text)
        if before != stored:
            return None
        texts.append(text)
    size = data.rfind(b"\n") + 1
    return Lines(tuple(texts), before, size, torn=size < len(data))


def _merge(first: bytes, second: bytes) -> Lines:
    """The lines of two places that differ, each line from whichever place has it."""
    sources = [list(_pairs(first)), list(_pairs(second))]
    texts: list[str] = []
    before = 0
    at = [0, 0]
    while True:
        found = _next_line(sources, at, before)
        if found is None:
            break
        text, before = found
        texts.append(text)
    left = [source[place:] for source, place in zip(sources, at, strict=True)]
    torn = first.rfind(b"\n") + 1 < len(first)
    only_torn = not any(text.strip("\0 ") for text, _ in left[0] + left[1])
    uncounted = () if only_torn else tuple(_legible(left))
    return Lines(tuple(texts), before, 0, uncounted, torn, mended=True)


def _next_line(
    sources: Sequence[Sequence[tuple[str, int | None]]], at: list[int], before: int
) -> tuple[str, int] | None:
    """The line that continues a checksum, looked for where it should be, then further behind."""
    for far in (False, True):
        for which, source in enumerate(sources):
            places = range(at[which], len(source) if far else min(at[which] + 1, len(source)))
            for place in places:
                text, stored = source[place]
                if stored is not None and next_sum(before, text) == stored:
                    _step(sources, at, which, place, stored)
                    return text, stored
    return None


def _step(
    sources: Sequence[Sequence[tuple[str, int | None]]],
    at: list[int],
    which: int,
    place: int,
    stored: int,
) -> None:
    """Moves behind a line that was found, also in the other place, whatever that has of it."""
    other = 1 - which
    if at[other] < len(sources[other]):
        there = sources[other][at[other]][1] == stored
        at[other] += 1 if there or place == at[which] else 0
    at[which] = place + 1


def _legible(left: Sequence[Sequence[tuple[str, int | None]]]) -> Iterator[str]:
    """Lines behind a loss: of the place that has more of them."""
    longest = max(left, key=len)
    for text, _ in longest:
        yield text.replace("\N{REPLACEMENT CHARACTER}", "?")
