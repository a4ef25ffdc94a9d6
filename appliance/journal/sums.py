"""Lines with checksums, which show a text that is another legal one, such as another roll.

A line of a file ends with the checksum of all lines up to it: CRC-32 as in zlib, which sees every
change within 32 bits (https://www.zlib.net/manual.html#Checksum). So lines that are missing,
swapped, or from another file are seen, too:

    [Game "classic"]  #5d0a3f7e
    roll 3 3 3 5 5  #91c2e804

Each file is kept in two places (`appliance.journal.twin`). What is damaged in one of them is taken
from the other.
"""

import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

_MARK = b"  #"

SECTOR_BYTES = 512
"""Bytes that a disk writes whole or not at all."""

_FAR_SEARCHES = 50
"""How often a line is looked for behind the place where it should be: a bound to the work that a
file can make, far above what any damage was seen to need."""

_LONGEST_UNCOUNTED = 200
"""Characters of a line behind a loss that are kept; no line of a game is that long."""


def _raw(text: str) -> bytes:
    # No text has a line break of its own; one that had would be two lines.
    return text.encode("utf-8", "surrogatepass").replace(b"\n", b" ")


def _sum(before: int, raw: bytes) -> int:
    return zlib.crc32(raw, zlib.crc32(b"\n", before))


def encode(texts: Iterable[str], before: int = 0) -> tuple[bytes, int]:
    """Lines as they stand in a file, and the checksum of the last.

    Args:
        texts: the lines, without line breaks.
        before: the checksum of the line before them.
    """
    lines = []
    for text in texts:
        raw = _raw(text)
        before = _sum(before, raw)
        lines.append(b"%b%b%08x\n" % (raw, _MARK, before))
    return b"".join(lines), before


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines that two places keep, as both have them.

    Attributes:
        texts: the lines up to the first that neither place has.
        last_sum: the checksum of the last of them.
        size: how many bytes of the first place are these lines; 0 if it does not have them all.
        copied: how many bytes of the second place are the first of these lines; -1 if anything
            else is there.
        uncounted: legible lines behind the first that neither place has.
        damaged: whether lines are lost in both places.
        torn: whether the first place ends in what a power cut leaves of a line.
        mended: whether the first place alone does not have all these lines.
    """

    texts: tuple[str, ...]
    last_sum: int
    size: int
    copied: int = -1
    uncounted: tuple[str, ...] = ()
    damaged: bool = False
    torn: bool = False
    mended: bool = False


def last_sum(data: bytes) -> int:
    """The checksum of the last line of a file that is whole; 0 for an empty one."""
    return int(data[-9:-1], 16) if data else 0


def read_lines(first: bytes, second: bytes = b"") -> Lines:
    """The lines of a file, from both of its places.

    What follows the last line break, and zeros there, are what a power cut left: `torn`.

    Args:
        first: the bytes of the first place, which is written first.
        second: those of the second place, which may lack the last lines; empty if there is none.
    """
    alone = _chain(first)
    if alone is not None and first[: alone.size].startswith(second):
        return replace(alone, copied=len(second))
    if alone is not None and len(second.rstrip(b"\0")) <= alone.size:
        # It has nothing more, whatever a power cut or a damage left there.
        return alone
    return _without_torn_write(first, second) or _merge(first, second)


def _without_torn_write(first: bytes, second: bytes) -> Lines | None:
    """The lines of the first place before a write that a power cut has torn; None for none.

    Its first sectors never came, and others did: zeros right behind a line, up to where a sector
    ends. It was not synced, so nobody has seen it, nor has the second place anything of it.
    """
    at = first.find(b"\n\0") + 1
    end = at + len(first[at:]) - len(first[at:].lstrip(b"\0"))
    if not at or end % SECTOR_BYTES or len(second.rstrip(b"\0")) > at:
        return None
    whole = _chain(first[:at])
    if whole is None:
        return None
    return replace(whole, torn=True, copied=len(second) if first[:at].startswith(second) else -1)


def _split(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Text and checksum of each line that ends."""
    for raw in data.split(b"\n")[:-1]:
        text, mark, stored = raw.rpartition(_MARK)
        yield (text, stored) if mark else (stored, b"")


def _text(raw: bytes) -> str | None:
    """None for what no program writes, whatever its checksum: on a stick it may be anybody's."""
    try:
        return raw.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return None


def _chain(data: bytes) -> Lines | None:
    """The lines of one place, if all are as they were written."""
    texts, before = list[str](), 0
    for raw, stored in _split(data):
        before = _sum(before, raw)
        if b"%08x" % before != stored or (text := _text(raw)) is None:
            return None
        texts.append(text)
    size = data.rfind(b"\n") + 1
    return Lines(tuple(texts), before, size, torn=size < len(data))


_Found = tuple[str, bytes, bytes]
"""A line: its text, the same as bytes, and its checksum."""


@dataclass(slots=True)
class _Place:
    """The lines of one place, and where the next one should be."""

    lines: Sequence[tuple[bytes, bytes]]
    at: int = 0
    _where: dict[bytes, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._where = {stored: place for place, (_, stored) in enumerate(self.lines)}

    def find(self, before: int, most: int) -> _Found | None:
        """The line that continues a checksum, among so many; the next one is behind it then."""
        for place in range(self.at, min(len(self.lines), self.at + most)):
            raw, stored = self.lines[place]
            if b"%08x" % _sum(before, raw) == stored and (text := _text(raw)) is not None:
                self.at = place + 1
                return text, raw, stored
        return None

    def follow(self, stored: bytes, *, stepped: bool) -> None:
        """Moves behind the line with this checksum, which the other place had."""
        place = self._where.get(stored, -1)
        if place >= self.at:
            self.at = place + 1
        elif stepped:
            self.at += 1


def _merge(first: bytes, second: bytes) -> Lines:
    """The lines of two places that differ, each line from whichever place has it."""
    places = [_Place(tuple(_split(first))), _Place(tuple(_split(second)))]
    texts: list[str] = []
    before, size, searches = 0, 0, _FAR_SEARCHES
    while True:
        found = _next_line(places, before, 1)
        if found is None and searches:
            searches -= 1
            found = _next_line(places, before, max(len(place.lines) for place in places))
        if found is None:
            break
        text, raw, stored = found
        texts.append(text)
        before = int(stored, 16)
        size += len(raw) + len(_MARK) + len(stored) + 1
    # What is left of a place that has no more bytes than that is a damage of lines that are found.
    ends = [data.rfind(b"\n") + 1 for data in (first, second)]
    left: list[Sequence[tuple[bytes, bytes]]] = [
        place.lines[place.at :] if end > size else ()
        for place, end in zip(places, ends, strict=True)
    ]
    return Lines(
        tuple(texts),
        before,
        0,
        uncounted=tuple(_legible(max(left, key=len))),
        damaged=any(left),
        torn=ends[0] < len(first),
        mended=True,
    )


def _next_line(places: Sequence[_Place], before: int, most: int) -> _Found | None:
    """The line that continues a checksum, from the first place that has it."""
    for place, other in (places, places[::-1]):
        at = place.at
        found = place.find(before, most)
        if found is not None:
            other.follow(found[2], stepped=place.at == at + 1)
            return found
    return None


def _legible(left: Sequence[tuple[bytes, bytes]]) -> Iterator[str]:
    """Lines behind a loss, as far as there is text in them."""
    for raw, _ in left:
        text = raw.decode("utf-8", "replace")[:_LONGEST_UNCOUNTED]
        legible = "".join(c if c.isprintable() else "?" for c in text).replace("\ufffd", "?")
        if legible.strip("? "):
            yield legible
