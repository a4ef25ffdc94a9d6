"""Small files of a journal, in two places: settings, which tray this is, what was deleted."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from appliance.journal.files import Files, NotSynced
from appliance.journal.sums import Lines, encode, read_lines
from appliance.journal.twin import SECOND, read_places, write_places

SETTINGS = "settings"
"""The settings remembered from the last time."""

DELETED = "deleted"
"""The identities of games that were deleted."""


def read_kept(files: Files, name: str) -> Lines:
    """The lines of a small file, from both of its places; none if there is neither.

    Raises:
        OSError: the disk fails.
    """
    try:
        first, second = read_places(files, name)
    except FileNotFoundError:
        return read_lines(b"")
    lines, alone, other = read_lines(first, second), read_lines(first), read_lines(second)
    if lines.mended:
        # Where it was written anew, a power cut leaves the second place as it was before.
        if not (alone.mended or alone.torn) and len(alone.texts) >= len(other.texts):
            return replace(alone, mended=True)
        if not (other.mended or other.torn) and len(other.texts) >= len(lines.texts):
            return replace(other, size=0, copied=len(second), mended=True)
    return lines


def write_kept(files: Files, name: str, texts: Sequence[str]) -> None:
    """Writes both places of a small file anew, one after the other; OSError if the disk refuses."""
    write_places(files, name, encode(texts)[0])


def write_first(files: Files, name: str, texts: Sequence[str]) -> None:
    """Writes the first place of a small file anew, which `even_out_kept` has to follow soon.

    A power cut until then leaves what was there before. Raises OSError if the disk refuses.
    """
    files.replace(name, (encode(texts)[0],), sync=False, named=False)


def add_kept(files: Files, name: str, texts: Iterable[str], *, sync: bool = True) -> None:
    """Appends lines to both places of a small file; OSError if the disk refuses."""
    there = read_kept(files, name)
    data, _ = encode(texts, there.last_sum)
    whole = encode(there.texts)[0] + data
    for place in (name, SECOND + name):
        try:
            # A place that is not as it should be is written anew.
            if there.mended or files.size(place) != there.size:
                raise FileNotFoundError
            files.append(place, data, at=there.size, sync=sync)
        except (FileNotFoundError, NotSynced):
            files.replace(place, (whole,))


def even_out_kept(files: Files, name: str) -> bool:
    """Writes both places of a small file anew if one is not as the other; whether it did."""
    if files.size(name) is None and files.size(SECOND + name) is None:
        return False
    first, second = read_places(files, name)
    if first == second:
        return False
    write_kept(files, name, read_kept(files, name).texts)
    return True
