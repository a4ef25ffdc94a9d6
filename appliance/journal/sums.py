"""Checksums of a journal's rows, which see what SQLite does not: a text that is another legal one.

`roll 1 2 3` and `roll 1 3 3` differ in a bit, and SQLite keeps no checksum of what is in its file.
So each row has one of its own: CRC-32 as in zlib, which sees every change within 32 bits
(https://www.zlib.net/manual.html#Checksum). That of a line covers all lines of its game up to it,
so lines that are missing, swapped or from another game are seen too.

Rows that earlier versions wrote have none, and are taken as they are. The first line with one
covers those before it; from there on each line must have one.
"""

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_LOST = "\N{REPLACEMENT CHARACTER}"
"""What a byte that is not text is read as."""


def row_sum(*values: object) -> int:
    """The checksum of a row of the games or settings, from what its columns hold."""
    return zlib.crc32("\0".join(map(str, values)).encode("utf-8", "surrogatepass"))


def first_sum(game: int) -> int:
    """What a game's first line continues."""
    return zlib.crc32(f"game {game}".encode())


def next_sum(before: int, text: str) -> int:
    """The checksum of a line, from that of the line before."""
    return zlib.crc32(f"\n{text}".encode("utf-8", "surrogatepass"), before)


@dataclass(frozen=True, slots=True)
class Checked:
    """A game's lines, as they were written as far as that can be told.

    Attributes:
        texts: the lines up to the first that is not known.
        last_sum: the checksum of the last of them.
        fault: what is wrong with those in the file; empty if nothing is.
    """

    texts: tuple[str, ...]
    last_sum: int
    fault: str = ""


def check_lines(game: int, rows: Sequence[tuple[str, int | None]]) -> Checked:
    """Checks the texts and checksums of a game's lines, oldest first.

    What can be told from the checksums is put right: a checksum that is damaged itself, and a text
    in which one bit or one byte is another.
    """
    texts: list[str] = []
    before, sealed, fault = first_sum(game), False, ""
    for seq, (text, stored) in enumerate(rows):
        found = next_sum(before, text)
        if stored is None and not sealed:
            texts.append(text)
            before = found
            continue
        if found != stored:
            fault = fault or f"line {seq + 1} of game {game} is not what was written"
            following = rows[seq + 1] if seq + 1 < len(rows) else None
            was = _text_as_written(before, text, stored, following, guess=sealed or not seq)
            if was is None:
                break
            text = was
            before = next_sum(before, text) if sealed or not seq else stored or found
        else:
            before = found
        sealed = True
        texts.append(text)
    return Checked(tuple(texts), before, fault)


def _text_as_written(
    before: int,
    text: str,
    stored: int | None,
    following: tuple[str, int | None] | None,
    *,
    guess: bool,
) -> str | None:
    """What a line was; None if that cannot be told.

    With `guess`, the line itself must be at fault, and not one before it that has no checksum.
    """
    found = next_sum(before, text)
    follows = following is not None and following[1] == next_sum(found, following[0])
    # Then its own checksum is damaged, or the byte that says how many bytes that has.
    if follows and _LOST not in text:
        return text
    if stored is None:
        return None
    if following is None and (found ^ stored).bit_count() == 1 and _LOST not in text:
        return text
    if not guess:
        # One of those that earlier versions wrote may be another, and nothing says which.
        return None if _LOST in text else text
    fits = {was for was in _similar_texts(text) if next_sum(before, was) == stored}
    return fits.pop() if len(fits) == 1 else None


def _similar_texts(text: str) -> Iterator[str]:
    """Texts in which one byte that is not text is one again, or else one bit is another."""
    if text.count(_LOST) == 1:
        head, _, tail = text.partition(_LOST)
        yield from (f"{head}{chr(code)}{tail}" for code in range(32, 127))
        return
    if _LOST in text:
        return
    data = text.encode("utf-8", "surrogatepass")
    for place in range(len(data)):
        for bit in range(8):
            changed = bytes((data[place] ^ 1 << bit,))
            was = (data[:place] + changed + data[place + 1 :]).decode(errors="replace")
            if was.isprintable() and _LOST not in was:
                yield was
