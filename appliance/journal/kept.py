"""Small files of a journal, in two places: settings, which tray this is, what was deleted."""

from collections.abc import Iterable, Sequence

from appliance.journal.files import Files, NotSynced
from appliance.journal.packs import SECOND
from appliance.journal.sums import Lines, encode, read_lines


def read_kept(files: Files, name: str) -> Lines:
    """The lines of a small file, from both of its places; none if there is neither.

    Raises:
        OSError: the disk fails.
    """
    first, second = (_read(files, place) for place in (name, SECOND + name))
    if not first or not second:
        return read_lines(first or second)
    # It is written in one step, the first place first.
    lines = read_lines(first)
    return read_lines(second) if lines.damaged or not lines.texts else lines


def _read(files: Files, name: str) -> bytes:
    return b"" if files.size(name) is None else files.read(name)


def write_kept(files: Files, name: str, texts: Sequence[str]) -> None:
    """Writes both places of a small file anew, one after the other; OSError if the disk refuses."""
    data, _ = encode(texts)
    for place in (name, SECOND + name):
        files.replace(place, (data,))


def add_kept(files: Files, name: str, texts: Iterable[str]) -> None:
    """Appends lines to both places of a small file; OSError if the disk refuses."""
    there = read_kept(files, name)
    data, _ = encode(texts, there.last_sum)
    for place in (name, SECOND + name):
        try:
            if there.mended or files.size(place) != there.size:
                raise FileNotFoundError
            files.append(place, data, at=there.size)
        except (FileNotFoundError, NotSynced):
            files.replace(place, (encode(there.texts)[0], data))
