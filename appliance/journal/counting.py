"""Goes through all games of a journal: what is indexed is not counted again, the rest is now."""

import logging
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import suppress

from appliance.errors import JournalError
from appliance.journal.files import Files
from appliance.journal.going import GOING, Going, games_going, read_going
from appliance.journal.index import Growing, Index, Span
from appliance.journal.packed import Packs
from appliance.journal.packs import (
    Head,
    PackedGame,
    game_standing_at,
    lines_of,
    read_head,
    read_pack,
)
from appliance.journal.saved_game import saved_game
from appliance.journal.summary import Counted, Summary, count_in_steps
from appliance.journal.sums import Lines

log = logging.getLogger(__name__)

_TAIL = 100
"""Bytes, more than are read to find the checksum of a file's last line."""


def is_indexed(files: Files, index: Index, name: str) -> bool:
    """Whether all games of a pack are in the index."""
    head = _head_of(files, name)
    at = head.size if head is not None else -1
    for span in index.spans(name, games=False):
        if head is not None and (span.written, span.start) == (head.written, at):
            at = span.end
    return at == files.size(name)


def _head_of(files: Files, name: str) -> Head | None:
    """What the first place of a pack says of itself; None if that cannot be read."""
    try:
        return read_head(files, name)
    except OSError as error:
        log.warning("%s is looked for in its other place: %s", name, error)
        return None


class Counting:
    """Counts the games of a journal, step by step, newest packs first.

    Args:
        files: where they are.
        index: what was counted before, and where it is kept now; None for none.
        deleted: identities of games that do not count.
        games: whether all about each game is asked for, not only what they add up to.
        skipped: packs that are left out, as `counted` had them.

    Attributes:
        done: bytes that were gone through.
        all: bytes that there are.
        counted: packs of which all games are in the index now, and how far.
    """

    def __init__(
        self,
        files: Files,
        index: Index | None,
        deleted: Iterable[str] = (),
        *,
        games: bool = True,
        skipped: Mapping[str, tuple[int, int]] | None = None,
    ) -> None:
        self._files = files
        self._index = index
        self._games = games
        self._skipped = skipped or {}
        self._excluded = set(deleted)
        self.done = 0
        self.all = 0
        self.counted: dict[str, tuple[int, int]] = {}

    def __iter__(self) -> Iterator[Span | None]:
        """What is counted; None after each step that takes time.

        A game is in one span only, also if it is in two files just now.

        Raises:
            OSError: the disk fails.
        """
        going = games_going(self._files)
        names = Packs(self._files).names()
        sizes = {name: self._files.size(name) or 0 for name in names}
        self.all = sum(sizes.values())
        indexed = {} if self._index is None else self._index.spans_below(GOING, games=self._games)
        for one in (one for one in going if not one.deleted):
            with suppress(FileNotFoundError):
                yield from self._count_going(one, indexed.get(one.name), one == going[-1])
                self._excluded.add(str(one.number))
        for name in reversed(names):
            before, seen = self.done, list[str]()
            for span in self._count_pack(name, sizes[name]):
                if span is None or not span.has_any(self._excluded):
                    yield span
                else:
                    yield from self._without_excluded(span)
                if span is not None:
                    seen += span.keys.split(" ")[1::2]
            # A game that went on is in an older pack, too, until that is written anew.
            self._excluded.update(seen)
            self.done = before + sizes[name]

    def _count_going(
        self, going: Going, indexed: Span | None, present: bool
    ) -> Iterator[Span | None]:
        """A game with a file of its own; the present one changes all the time."""
        name, size = going.name, self._files.size(going.name) or 0
        tail = self._files.read(name, max(0, size - _TAIL)).rstrip(b"\n")[-8:]
        try:
            written = int(tail, 16)
        except ValueError:
            written = -1
        known = (indexed.written, indexed.end) == (written, size) if indexed else False
        if indexed and known and not present:
            yield indexed
            return
        growing = Growing(name, written, 0, 0)
        lines = read_going(self._files, going)
        growing.add((yield from _counted(going.number, going.opened, lines)), size)
        if self._index is not None and not present and written >= 0:
            self._index.write(growing.span)
        yield growing.span

    def _count_pack(self, name: str, size: int) -> Iterator[Span | None]:
        head = _head_of(self._files, name)
        if head is not None and self._skipped.get(name) == (head.written, size):
            self.counted[name] = head.written, size
            yield None
            return
        seen, at = set[str](), 0
        if head is not None and self._files.size(name) is not None:
            at = head.size
            for span in self._walk(name, head, size):
                if span is not None:
                    at = span.end
                    seen.update(span.keys.split(" ")[1::2])
                yield span
        if at < size or head is None:
            # Only part of it is legible, or part is in its second place alone.
            pack = read_pack(self._files, name)
            rest = [game for game in pack.games if game.identity not in seen]
            yield from self._count_all(name, rest)
            at = at if rest else size
        if head is not None and at == size:
            self.counted[name] = head.written, size

    def _walk(self, name: str, head: Head, size: int) -> Iterator[Span | None]:
        """The games of a pack from its first on, as far as one stands behind the other."""
        known = self._indexed(name, head, size)
        base, at = self.done, head.size
        last = max((span.end for span in known.values()), default=0)
        growing: Growing | None = None
        grown = False
        while at < size:
            span = known.get(at)
            if span is None:
                game = self._game_at(name, at)
                if game is None or game.first is None:
                    break
                growing = growing or Growing(name, head.written, at, at)
                at = game.first.start + game.first.size
                growing.add((yield from self._count_packed(name, game)), at)
                grown = True
                yield None
            if growing is not None and (span is not None or growing.full):
                yield self._kept(growing) if grown else growing.span
                growing, grown = None, False
            if span is not None:
                at = span.end
                if at == last < size and not Growing.of(span).full:
                    growing = Growing.of(span)
                else:
                    yield span
            self.done = base + at
        if growing is not None:
            yield self._kept(growing) if grown else growing.span

    def _game_at(self, name: str, at: int) -> PackedGame | None:
        try:
            return game_standing_at(self._files, name, at)
        except OSError as error:
            log.warning("%s is looked for in its other place: %s", name, error)
            return None

    def _indexed(self, name: str, head: Head, size: int) -> dict[int, Span]:
        """What is indexed of a pack, by the first byte."""
        if self._index is None:
            return {}
        found = self._index.spans(name, games=self._games)
        return {s.start: s for s in found if s.written == head.written and s.end <= size}

    def _kept(self, growing: Growing) -> Span:
        if self._index is not None:
            self._index.write(growing.span)
        return growing.span

    def _without_excluded(self, span: Span) -> Iterator[Span | None]:
        """Some of the games of a span, counted again."""
        pack = read_pack(self._files, span.file)
        keys = set(span.keys.split(" ")[1::2])
        yield from self._count_all(
            span.file,
            [
                game
                for game in pack.games
                if game.identity in keys and not {game.identity, str(game.number)} & self._excluded
            ],
        )

    def _count_all(self, name: str, games: list[PackedGame]) -> Iterator[Span | None]:
        """Games that are counted, and not kept in the index."""
        growing = Growing(name, -1, 0, 0)
        for game in games:
            growing.add((yield from self._count_packed(name, game)), 0)
            yield None
        if games:
            yield growing.span

    def _count_packed(self, name: str, game: PackedGame) -> Generator[None, None, Counted]:
        try:
            lines = lines_of(self._files, game)
            whole = not lines.mended and not lines.damaged
        except OSError as error:
            log.warning("%s is looked for in its other place: %s", name, error)
            whole = False
        if not whole:
            # Its second place may be elsewhere.
            both = (g for g in read_pack(self._files, name).games if g.identity == game.identity)
            lines = lines_of(self._files, next(both, game))
        return (yield from _counted(game.number, game.opened, lines, game.identity))


def _counted(
    number: int, opened: int, lines: Lines, identity: str = ""
) -> Generator[None, None, Counted]:
    try:
        return (yield from count_in_steps(saved_game(number, lines), opened))
    except JournalError as error:
        return Summary(number, identity, "", opened, "", "", False, fault=str(error)), Counter()
