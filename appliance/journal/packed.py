"""Puts ended games into packs, finds them there, and writes packs anew where that has to be."""

import errno
import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import replace
from secrets import token_hex
from zlib import crc32

from appliance.journal.files import Files, NotSynced
from appliance.journal.packs import (
    MOST_BYTES,
    MOST_GAMES,
    PACKS,
    SECOND,
    Head,
    Pack,
    PackedGame,
    Place,
    differ_in_size,
    entry_bytes,
    lines_of,
    packed,
    read_head,
    read_pack,
)
from appliance.journal.saved_game import SavedGame, kept_texts, log_lines, texts_of
from appliance.journal.sums import Lines
from appliance.journal.untold import Damage, keep_damaged

_NAME = re.compile(rf"{PACKS}/(?P<number>\d{{4,9}})-[0-9a-f]{{16}}\.pack")
_STAGED = f"{PACKS}/incoming-"
"""Begins the names of packs that are not among the others yet."""

_PIECE_BYTES = 1 << 18


class Packs:
    """The packs of a journal. Every method may raise OSError.

    What writes is called only while the journal is locked: other programs delete games and bring
    some in.

    Args:
        files: where they are.
        note: called with what is found damaged, before it is mended.
    """

    def __init__(self, files: Files, note: Callable[[Damage], None] = lambda _: None) -> None:
        self._files = files
        self._note = note
        self._noted = False
        # The pack that games are appended to.
        self._last: Pack | None = None
        # Packs whose places differ since before this program; None until they are looked for.
        self._unchecked: list[str] | None = None
        # Packs that could not be synced: they are written anew.
        self._suspect: set[str] = set()

    def names(self) -> tuple[str, ...]:
        """The first places of all packs, oldest first, also of those that only have a second."""
        first = self._files.names(PACKS)
        second = (name.removeprefix(SECOND) for name in self._files.names(SECOND + PACKS))
        return tuple(sorted(name for name in {*first, *second} if _NAME.fullmatch(name)))

    def all(self) -> Iterator[Pack]:
        """All packs, newest first."""
        for name in reversed(self.names()):
            yield read_pack(self._files, name)

    def find(self, number: int, has_not: Callable[[str], bool]) -> PackedGame | None:
        """The game with a number; None if no pack has it.

        Args:
            number: the number.
            has_not: whether it is known of a pack, by its name, that it has no such game.
        """
        names = (name for name in reversed(self.names()) if not has_not(name))
        games = (game for name in names for game in read_pack(self._files, name).games)
        return next((game for game in games if game.number == number), None)

    def holds(self, identity: str, lines: bytes) -> bool | None:
        """Whether both places of the newest pack have just these lines of a game.

        None if the game is not there at all.
        """
        pack = self._newest()
        game = next((g for g in pack.games if g.identity == identity), None) if pack else None
        if pack is None or game is None:
            return None
        if pack.copied < pack.end:
            self.copy(pack.name)
        places = (game.first, game.first and replace(game.first, name=SECOND + game.first.name))
        return all(p and self._files.read(p.name, p.start, p.size) == lines for p in places)

    def add(self, number: int, opened: int, identity: str, tray: str, lines: bytes) -> None:
        """Appends a game to the first place of a pack; on the disk when it returns."""
        entry = entry_bytes(number, opened, identity, lines)
        pack = self._newest()
        room = pack and len(pack.games) < MOST_GAMES and pack.end < MOST_BYTES
        if not pack or not pack.head or pack.head.tray != tray or not room:
            pack = self._fresh(tray)
            head = b"".join(packed((), pack.head)) if pack.head else b""
            self._files.replace(pack.name, (head, entry))
            pack = replace(pack, end=len(head))
        else:
            # Until it is on the disk nobody knows what is there.
            self._last = None
            try:
                self._files.append(pack.name, entry, at=pack.end)
            except NotSynced:
                self._suspect.add(pack.name)
                raise
        end = pack.end + len(entry)
        place = Place(pack.name, end - len(lines), len(lines))
        games = (*pack.games, PackedGame(number, opened, identity, place))
        self._last = replace(pack, games=games, end=end)

    def _newest(self) -> Pack | None:
        """The newest pack as it is on the disk, mended; None if there is none."""
        names = self.names()
        if not names:
            return None
        last = self._last
        if last is None or last.name != names[-1] or not self._is_as_known(last):
            self._last = last = self.mended(names[-1])
        return last

    def _is_as_known(self, pack: Pack) -> bool:
        return (
            self._files.size(pack.name) == pack.end
            and (self._files.size(SECOND + pack.name) or 0) == pack.copied
            and read_head(self._files, pack.name) == pack.head
        )

    def _fresh(self, tray: str) -> Pack:
        """A new pack, which has a name only."""
        head = Head(token_hex(8), tray)
        return Pack(f"{PACKS}/{self._next():04}-{head.pack}.pack", head, (), 0, 0, whole=True)

    def write(self, games: Sequence[tuple[int, SavedGame]], tray: str) -> None:
        """Writes ended games, each with how often one had been opened, into a new pack.

        On the disk when it returns, in both places.
        """
        self.admit(self.stage(games, tray))

    def stage(self, games: Sequence[tuple[int, SavedGame]], tray: str) -> str:
        """Does the same where nobody looks, also while the journal is not locked.

        Returns the name that `admit` wants.
        """
        head = Head(token_hex(8), tray)
        entries = (
            (PackedGame(saved.id, opened, saved.identity, None), tuple(texts_of(saved)))
            for opened, saved in games
        )
        name = f"{_STAGED}{head.pack}.pack"
        self._write_both(name, packed(entries, head))
        return name

    def admit(self, staged: str) -> None:
        """Makes a pack that was staged one of these."""
        name = f"{PACKS}/{self._next():04}-{staged.removeprefix(_STAGED)}"
        # The first place first: `copy` makes the second one if the power fails between.
        for place in ("", SECOND):
            self._files.rename(place + staged, place + name)

    def sweep(self) -> None:
        """Removes what was staged when the power failed."""
        for folder in (PACKS, SECOND + PACKS):
            for name in self._files.names(folder):
                if name.removeprefix(SECOND).startswith(_STAGED):
                    self._files.remove(name)

    def _next(self) -> int:
        """The number of the next pack."""
        names = self.names()
        return int(_number(names[-1])) + 1 if names else 1

    def mended(self, name: str) -> Pack:
        """A pack that can be appended to, as its places allow: it is written anew if need be."""
        pack = read_pack(self._files, name)
        if pack.whole and pack.copied >= 0 and name not in self._suspect:
            return pack
        self.write_anew(pack)
        return read_pack(self._files, name)

    def write_anew(self, pack: Pack, without: Container[str] = ()) -> bool:
        """Writes both places of a pack anew, without the games of these identities.

        Returns whether games were damaged, which is noted.
        """
        self._noted = False
        head = pack.head or Head(token_hex(8), "")
        head = replace(head, written=head.written + 1)
        games = (game for game in pack.games if game.identity not in without)
        self._write_both(pack.name, packed(self._with_texts(games), head))
        self._suspect.discard(pack.name)
        return self._noted

    def _write_both(self, name: str, pieces: Iterable[bytes]) -> None:
        """Writes a pack's first place, reads it from there, and writes the second.

        Until then the second place has what the first one lacked.
        """
        self._last = None
        size = written = found = 0

        def counted() -> Iterator[bytes]:
            nonlocal size, written
            for piece in pieces:
                size, written = size + len(piece), crc32(piece, written)
                yield piece

        self._files.replace(name, counted())
        for piece in self._pieces(name):
            found, size = crc32(piece, found), size - len(piece)
        if size or found != written:
            raise OSError(errno.EIO, "another pack is read than was written", name)
        self._files.replace(SECOND + name, self._pieces(name))

    def _pieces(self, name: str, start: int = 0) -> Iterator[bytes]:
        while piece := self._files.read(name, start, _PIECE_BYTES):
            yield piece
            start += len(piece)

    def _with_texts(
        self, games: Iterable[PackedGame]
    ) -> Iterator[tuple[PackedGame, Sequence[str]]]:
        """Games with their lines, as both places have them; notes what was damaged."""
        mended: list[int] = []
        for game in games:
            lines = lines_of(self._files, game)
            if lines.damaged:
                self._noted = True
                self._note(self._damage(game, lines))
            elif lines.mended or game.first is None:
                mended.append(game.number)
            yield game, kept_texts(lines)
        if mended:
            self._noted = True
            self._note(Damage(mended[0] if len(mended) == 1 else 0, games=len(mended)))

    def _damage(self, game: PackedGame, lines: Lines) -> Damage:
        place = game.first or game.second
        assert place is not None
        data = self._files.read(place.name, place.start, place.size)
        kept = keep_damaged(self._files, f"{game.number:06}.game", data)
        lost = max(1, len(lines.uncounted))
        return Damage(game.number, log_lines(lines.texts), lost, kept)

    def delete(self, identities: Container[str]) -> None:
        """Writes all packs anew that have games of these identities, without those."""
        for pack in self.all():
            if any(game.identity in identities for game in pack.games):
                self.write_anew(pack, without=identities)

    def behind(self) -> str | None:
        """A pack whose second place is not as its first; None if there is none."""
        if self._unchecked is None:
            self._unchecked = [name for name in self.names() if differ_in_size(self._files, name)]
        if self._unchecked:
            return self._unchecked[-1]
        last = self._last
        return last.name if last is not None and last.copied < last.end else None

    def copy(self, name: str) -> None:
        """Brings the second place of a pack up to its first."""
        if self._unchecked and self._unchecked[-1] == name:
            # Once: a pack that cannot be read keeps no other one waiting.
            self._unchecked.pop()
        known = self._last if self._last and self._last.name == name else None
        pack = known if known and self._is_as_known(known) else self.mended(name)
        second = SECOND + name
        if pack.copied < pack.end:
            try:
                if not pack.copied:
                    raise FileNotFoundError
                new = self._files.read(name, pack.copied, pack.end - pack.copied)
                self._files.append(second, new, at=pack.copied)
            except (FileNotFoundError, NotSynced):
                whole = self._files.read(name, 0, pack.end)
                self._files.replace(second, (whole,))
        if known or (self._last is None and name == self.names()[-1]):
            self._last = replace(pack, copied=pack.end)


def _number(name: str) -> str:
    found = _NAME.fullmatch(name)
    assert found is not None
    return found["number"]
