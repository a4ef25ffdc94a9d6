"""Damage and loss kept on the disk until people have seen what they are told of it.

It is written before anything is mended, so that a power cut leaves either the damage or the word of
it.
"""

import json
from collections.abc import Callable, Collection
from dataclasses import asdict, dataclass
from itertools import count

from appliance.journal.files import Files
from appliance.journal.kept import add_kept, read_kept, write_kept

UNTOLD = "untold"

DAMAGED = "damaged"
"""The folder of files whose lines are lost, as they were found."""


@dataclass(frozen=True, slots=True)
class Damage:
    """A game that was damaged or gone.

    Attributes:
        number: its number; 0 for several games, or for a file that has none.
        kept: how many lines of its log are left.
        lost: how many lines behind them do not count any more.
        file: where the damaged file is kept; empty if nothing is lost.
        gone: whether its file was gone.
        games: how many games it is about.
        sentence: what to say in the log instead; empty if that follows from the rest.
        pages: what to say on the board instead.
    """

    number: int
    kept: int = 0
    lost: int = 0
    file: str = ""
    gone: bool = False
    games: int = 1
    sentence: str = ""
    pages: tuple[tuple[str, str], ...] = ()


NoteDamage = Callable[[Damage], None]
"""Notes that people must be told of a damage; may raise OSError."""


def read_untold(files: Files) -> tuple[Damage, ...]:
    """The damage that nobody has been told of yet, oldest first; OSError if the disk fails."""
    return tuple(map(_damage, read_kept(files, UNTOLD).texts))


def _damage(text: str) -> Damage:
    values = json.loads(text)
    pages = tuple((above, below) for above, below in values.pop("pages"))
    return Damage(**values, pages=pages)


def note_untold(files: Files, damage: Damage) -> None:
    """Keeps in mind that people must be told; on the disk when it returns, or OSError."""
    if damage not in read_untold(files):
        add_kept(files, UNTOLD, (json.dumps(asdict(damage)),))


def forget_untold(files: Files, told: Collection[Damage]) -> None:
    """Forgets what people have been told of; raises OSError if the disk refuses."""
    left = [damage for damage in read_untold(files) if damage not in told]
    write_kept(files, UNTOLD, [json.dumps(asdict(damage)) for damage in left])


def keep_damaged(files: Files, name: str, data: bytes) -> str:
    """Keeps damaged bytes under a new name, once; returns that name.

    Raises:
        OSError: the disk refuses.
    """
    there = set(files.names(DAMAGED))
    for n in count(1):
        kept = f"{DAMAGED}/{name.rpartition('/')[2]}.damaged-{n}"
        if kept not in there:
            files.replace(kept, (data,))
            return kept
        if files.read(kept) == data:
            # The power was cut before it was mended.
            return kept
    raise AssertionError
