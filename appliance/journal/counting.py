"""Goes through all games of a journal: what is indexed is not counted again, the rest is now."""

from collections import Counter
from collections.abc import Container, Generator, Iterable, Iterator
from contextlib import suppress

from appliance.errors import JournalError
from appliance.journal.files import Files
from appliance.journal.going import games_going, read_going
from appliance.journal.index import Index, Row
from appliance.journal.packs import Pack, PackedGame, Packs
from appliance.journal.saved_game import saved_game
from appliance.journal.summary import Counted, Summary, count_in_steps
from appliance.journal.sums import Lines

_CHECKSUM = 9
"""Bytes: the checksum at the end of a line, and the line break."""

_UNKNOWN = -1
"""In place of the checksum of a file that does not end in one."""


def key_of(files: Files, name: str) -> tuple[int, int]:
    """Size of a file and the checksum of its last line, which change with every line.

    OSError if the disk fails; size and checksum of no bytes if there is no such file.
    """
    size = files.size(name) or 0
    return size, _checksum(files, name, size)


def _checksum(files: Files, name: str, size: int) -> int:
    """That of the line that ends after so many bytes."""
    try:
        return int(files.read(name, max(0, size - _CHECKSUM), _CHECKSUM), 16)
    except (ValueError, OSError):
        return _UNKNOWN


class Counting:
    """Counts the games of a journal, step by step, newest packs first.

    Args:
        files: where they are.
        index: what was counted before, and where it is kept now; None for none.
        deleted: identities of games that do not count.
        games: whether all about each game is asked for, not only what they add up to.

    Attributes:
        done: bytes that were gone through.
        all: bytes that there are.
    """

    def __init__(
        self,
        files: Files,
        index: Index | None,
        deleted: Iterable[str] = (),
        *,
        games: bool = True,
    ) -> None:
        self._files = files
        self._index = index
        self._games = games
        self._excluded = set(deleted)
        self.done = 0
        self.all = 0

    def __iter__(self) -> Iterator[Row | None]:
        """The rows counted; None after each step that takes time.

        A game is in one row only, also if it is in two files just now.

        Raises:
            OSError: the disk fails.
        """
        going, names = games_going(self._files), Packs(self._files).names()
        sizes = {name: self._files.size(name) or 0 for name in names}
        self.all = sum(sizes.values())
        indexed = {} if self._index is None else self._index.rows(games=self._games)
        for one in going:
            size, last = key_of(self._files, one.name)
            row = indexed.get(one.name)
            if row is None or (row.size, row.last) != (size, last):
                with suppress(FileNotFoundError):
                    lines = read_going(self._files, one)
                    counted = yield from _counted(one.number, one.opened, lines)
                    row = Row(one.name, size, last).grown(size, last, (counted,))
                    # The present game changes all the time.
                    self._keep(row, only=one != going[-1])
            if row is not None:
                yield row
                self._excluded.add(str(one.number))
        for name in reversed(names):
            with suppress(FileNotFoundError):
                row = yield from self._count_pack(name, indexed.get(name))
                if row.has_any(self._excluded):
                    row = yield from self._count_anew(name, self._excluded)
                yield row
                # A game that went on is in an older pack, too, until that is written anew.
                self._excluded.update(row.keys.split()[1::2])
            self.done += sizes[name]

    def _keep(self, row: Row, *, only: bool = True) -> None:
        if self._index is not None and only and row.last != _UNKNOWN:
            self._index.write(row)

    def _count_pack(self, name: str, row: Row | None) -> Generator[None, None, Row]:
        """The row of a pack: the one that is there, one that has grown, or a new one."""
        size, last = key_of(self._files, name)
        if row is None or row.size > size or _checksum(self._files, name, row.size) != row.last:
            row = yield from self._count_anew(name)
            self._keep(row)
        elif row.size < size:
            if self._index is not None and not self._games:
                full = self._index.rows(file=name).get(name)
            else:
                full = row
            data = self._files.read(name, row.size)
            pack = Pack.of(name, data, data)
            if full is None or not pack.whole:
                return (yield from self._count_anew(name))
            row = full.grown(size, last, (yield from _count_all(pack.games)))
            self._keep(row)
        return row

    def _count_anew(self, name: str, but: Container[str] = ()) -> Generator[None, None, Row]:
        """All games of a pack, but those of these numbers and identities."""
        pack = Pack.read(self._files, name)
        key = (len(pack.first), _checksum(self._files, name, len(pack.first)))
        games = [g for g in pack.games if str(g.number) not in but and g.identity not in but]
        return Row(name, *key).grown(*key, (yield from _count_all(games)))


def _count_all(games: Iterable[PackedGame]) -> Generator[None, None, list[Counted]]:
    found = []
    for game in games:
        found.append((yield from _counted(game.number, game.opened, game.lines, game.identity)))
        yield
    return found


def _counted(
    number: int, opened: int, lines: Lines, identity: str = ""
) -> Generator[None, None, Counted]:
    try:
        return (yield from count_in_steps(saved_game(number, lines), opened))
    except JournalError as error:
        return Summary(number, identity, "", opened, "", "", False, fault=str(error)), Counter()
