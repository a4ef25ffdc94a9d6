"""Puts ended games into packs, finds them there, and writes packs anew where that has to be."""

import logging
from collections.abc import Container, Iterator, Sequence
from secrets import token_hex

from appliance.journal.files import Files
from appliance.journal.packs import (
    MOST_GAMES,
    PACKS,
    SECOND,
    Head,
    Pack,
    PackedGame,
    entry_bytes,
    lines_of,
    packed,
    read_pack,
    scan,
)
from appliance.journal.saved_game import SavedGame, texts_of, uncounted_text
from appliance.journal.sums import encode

log = logging.getLogger(__name__)


class Packs:
    """The packs of a journal. Every method may raise OSError.

    Args:
        files: where they are.
    """

    def __init__(self, files: Files) -> None:
        self._files = files
        # The pack that games are appended to, and how many bytes its second place has.
        self._last: Pack | None = None
        self._copied = 0
        # Packs whose places differ since before this program; None until they are looked for.
        self._unchecked: list[str] | None = None

    def names(self) -> tuple[str, ...]:
        """The first places of all packs, oldest first, also of those that only have a second."""
        first = self._files.names(PACKS)
        second = (name.removeprefix(SECOND) for name in self._files.names(SECOND + PACKS))
        return tuple(sorted({*first, *second}))

    def all(self) -> Iterator[Pack]:
        """All packs, newest first."""
        for name in reversed(self.names()):
            yield read_pack(self._files, name)

    def find(self, number: int) -> PackedGame | None:
        """The game with a number; None if no pack has it."""
        found = (game for pack in self.all() for game in pack.games if game.number == number)
        return next(found, None)

    def has(self, identity: str, tray: str) -> bool:
        """Whether the pack that games of a tray are appended to has this one."""
        return any(game.identity == identity for game in self._pack_for(tray).games)

    def add(self, number: int, opened: int, identity: str, tray: str, texts: Sequence[str]) -> None:
        """Appends a game to the first place of a pack; on the disk when it returns."""
        pack = self._pack_for(tray)
        data = entry_bytes(number, opened, identity, encode(texts)[0])
        self._files.append(pack.name, data, at=pack.end)
        game = PackedGame(number, opened, identity, None)
        self._last = Pack(
            pack.name, pack.head, (*pack.games, game), pack.end + len(data), pack.whole
        )

    def _pack_for(self, tray: str) -> Pack:
        """The last pack, if it has room for games of that tray, else a new one."""
        names = self.names()
        if names and (self._last is None or self._last.name != names[-1]):
            self._last = self.mended(names[-1])
            self._copied = scan(self._files, SECOND + names[-1]).end
        last = self._last
        if last and last.head and last.head.tray == tray and len(last.games) < MOST_GAMES:
            return last
        return self.begin(tray)

    def begin(self, tray: str) -> Pack:
        """A new pack, without games yet."""
        names = self.names()
        number = int(names[-1].removeprefix(f"{PACKS}/").split("-")[0]) + 1 if names else 1
        head = Head(token_hex(8), tray)
        name = f"{PACKS}/{number:04}-{head.pack}.pack"
        data = b"".join(packed((), head))
        self._files.replace(name, (data,))
        self._copied = 0
        self._last = Pack(name, head, (), len(data), whole=True)
        return self._last

    def write(self, games: Sequence[tuple[int, SavedGame]], tray: str) -> None:
        """Writes ended games, each with how often one had been opened, into a new pack.

        On the disk when it returns, in both places.
        """
        pack = self.begin(tray)
        assert pack.head is not None
        entries = [
            (PackedGame(saved.id, opened, saved.identity, None), tuple(texts_of(saved)))
            for opened, saved in games
        ]
        for name in (SECOND + pack.name, pack.name):
            self._files.replace(name, packed(entries, pack.head))
        self._last = None

    def mended(self, name: str) -> Pack:
        """A pack that can be appended to: what one place alone has is in the first again."""
        pack = read_pack(self._files, name)
        size, second = self._files.size(name), self._files.size(SECOND + name) or 0
        if pack.whole or (size is not None and pack.end >= second and _all_first(pack)):
            # What a power cut left behind the last game is cut off with the next one.
            return pack
        self.write_anew(pack)
        return read_pack(self._files, name)

    def write_anew(self, pack: Pack, without: Container[str] = ()) -> None:
        """Writes both places of a pack anew, without the games of these identities."""
        head = pack.head or Head(token_hex(8), "")
        head = Head(head.pack, head.tray, head.written + 1)
        games = [game for game in pack.games if game.identity not in without]
        for name in (pack.name, SECOND + pack.name):
            # The second place last: until then it has what the first one lacked.
            pieces = packed(((game, self._texts_of(game)) for game in games), head)
            self._files.replace(name, pieces)
            games = [
                PackedGame(g.number, g.opened, g.identity, g.first)
                for g in read_pack(self._files, pack.name).games
            ]
        self._last = None

    def _texts_of(self, game: PackedGame) -> list[str]:
        lines = lines_of(self._files, game)
        return [*lines.texts, *map(uncounted_text, lines.uncounted)]

    def delete(self, identities: Container[str]) -> None:
        """Writes all packs anew that have games of these identities, without those."""
        for pack in self.all():
            if any(game.identity in identities for game in pack.games):
                self.write_anew(pack, without=identities)

    def copy(self) -> bool:
        """Brings a second place that is behind up to its first; whether there was one."""
        if self._unchecked is None:
            self._unchecked = [name for name in self.names() if self._differ_in_size(name)]
        if self._unchecked:
            name = self._unchecked.pop()
            at, end = scan(self._files, SECOND + name).end, scan(self._files, name).end
        elif self._last is not None and self._copied < self._last.end:
            name, at, end = self._last.name, self._copied, self._last.end
        else:
            return False
        if at < end:
            new = self._files.read(name, at, end - at)
            self._files.append(SECOND + name, new, at=at)
        if self._last is not None and self._last.name == name:
            self._copied = end
        return True

    def _differ_in_size(self, name: str) -> bool:
        first, second = self._files.size(name), self._files.size(SECOND + name)
        return first is not None and first != second


def _all_first(pack: Pack) -> bool:
    return all(game.first is not None for game in pack.games)
