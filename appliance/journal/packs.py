"""Ended games, many to a file: packs, each in two places.

Each game is a line that says which it is, and then the lines of its own file:

    [Packed 12 17 213 5f3a09c1d2e4b6875f3a09c1d2e4b687]  #91c2e804
    [Identity "5f3a09c1d2e4b6875f3a09c1d2e4b687"]  #…

is game 12, opened as the 17th, of 213 lines. The checksums of each game begin anew, so that damage
to one leaves the others. Games are only appended; a pack is written anew, in one step, where a game
is deleted or a damage mended.
"""

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from secrets import token_hex

from appliance.journal.files import Files
from appliance.journal.going import games_going, names_going
from appliance.journal.saved_game import SavedGame, kept_texts, log_lines, saved_game, texts_of
from appliance.journal.sums import Lines, encode, read_lines
from appliance.journal.twin import (
    SECOND,
    Twin,
    differ_in_size,
    read_places,
    write_places,
)
from appliance.journal.untold import Damage, NoteDamage, keep_damaged

PACKS = "packs"

MOST_BYTES = 1_500_000
"""No game is appended to a pack with more, some 200 games: a pack is read and written whole, which
takes a Pi less than half a second."""

_NAME = re.compile(rf"{PACKS}/(?P<number>\d{{4,9}})-[0-9a-f]{{16}}\.pack")
_INCOMING = f"{PACKS}/incoming-"
"""Begins the names of packs that are not among the others yet."""

_HEAD = re.compile(rb"(\[Packed (\d{1,9}) (\d{1,9}) (\d{1,9}) ([0-9a-f-]{1,64})\])  #[0-9a-f]{8}\n")

_FORMER = re.compile(rb"dicetray pack 1 [^\n]{1,99}\n")
_FORMER_HEAD = re.compile(
    rb"(== game (\d{1,9}) opened (\d{1,9}) bytes (\d{1,9}) identity ([0-9a-f-]{1,64}))"
    rb"  #[0-9a-f]{8}\n"
)
"""How packs of November 2026 begin, and their games: read, and written anew once they change."""


@dataclass(frozen=True, slots=True)
class PackedGame:
    """A game in a pack.

    Attributes:
        number: counts the games of this journal.
        opened: the greater, the later it was begun or resumed.
        size: how many lines it has, tags included.
        identity: the same on every tray and stick.
        first: its lines in the first place of the pack, as far as they are there.
        second: those in the second place.
    """

    number: int
    opened: int
    size: int
    identity: str
    first: bytes = b""
    second: bytes = b""

    @classmethod
    def of(cls, saved: SavedGame, opened: int) -> "PackedGame":
        """A game as it is put into a pack."""
        texts = tuple(texts_of(saved))
        return cls(saved.id, opened, len(texts), saved.identity, encode(texts)[0])

    @property
    def head(self) -> str:
        """The line that says which game this is."""
        return f"[Packed {self.number} {self.opened} {self.size} {self.identity}]"

    @property
    def data(self) -> bytes:
        """All of it, as it stands in a pack."""
        return encode((self.head,))[0] + self.first

    @property
    def lines(self) -> Lines:
        """Its own lines, from both places; `damaged` if not all of them are there."""
        lines = read_lines(self.first, self.second)
        if len(lines.texts) != self.size:
            return replace(lines, damaged=True)
        if not lines.mended:
            return lines
        # What else is there belongs to a game behind it, whose first line is damaged.
        mended = not self.first.startswith(encode(lines.texts)[0])
        return replace(lines, uncounted=(), damaged=False, mended=mended)

    @property
    def has_more(self) -> bool:
        """True if lines that are not its own stand behind it in both places."""
        return all(place.count(b"\n") > self.size for place in (self.first, self.second))

    @property
    def mended(self) -> "PackedGame":
        """The game as it is written anew: what both places have of it, in one."""
        texts = kept_texts(self.lines)
        return replace(self, size=len(texts), first=encode(texts)[0], second=b"")

    @property
    def saved(self) -> SavedGame:
        """The game itself; raises JournalError if its first lines are lost."""
        return saved_game(self.number, self.lines)


def _renewed(*former: bytes) -> Iterator[bytes]:
    """Both places of a pack of November 2026 as they would be written now."""
    places = [_FORMER.sub(b"", place, count=1) for place in former]
    lines: dict[bytes, list[bytes]] = {}
    for place in places:
        for m in _FORMER_HEAD.finditer(place):
            lines.setdefault(m[0], []).append(place[m.end() : m.end() + int(m[4])])

    def head_now(m: re.Match[bytes]) -> bytes:
        if encode((m[1].decode(),))[0] != m[0]:
            return m[0]
        there = lines[m[0]][:2]
        texts = read_lines(*there).texts
        size = len(texts)
        if len(encode(texts)[0]) < int(m[4]):
            size = max(size + 1, *(place.count(b"\n") for place in there))
        return PackedGame(int(m[2]), int(m[3]), size, m[5].decode()).data

    return (_FORMER_HEAD.sub(head_now, place) for place in places)


def split(data: bytes) -> dict[str, PackedGame]:
    """The games in one place of a pack, by their first lines."""
    heads = [m for m in _HEAD.finditer(data) if encode((m[1].decode(),))[0] == m[0]]
    starts = [*(m.start() for m in heads), len(data)]
    games = (
        PackedGame(int(m[2]), int(m[3]), int(m[4]), m[5].decode(), data[m.end() : end])
        for m, end in zip(heads, starts[1:], strict=True)
    )
    return {game.head: game for game in games}


@dataclass(frozen=True, slots=True)
class Pack:
    """A pack as both of its places have it.

    Attributes:
        name: its first place.
        first: what that has.
        second: what the second place has.
        games: its games, oldest first.
        former: whether it is written as in November 2026.
    """

    name: str
    first: bytes
    second: bytes
    games: tuple[PackedGame, ...]
    former: bool = False

    @classmethod
    def read(cls, files: Files, name: str) -> "Pack":
        """Reads both places; FileNotFoundError if there is neither, OSError if the disk fails."""
        return cls.of(name, *read_places(files, name))

    @classmethod
    def of(cls, name: str, first: bytes, second: bytes) -> "Pack":
        """The games in these two places."""
        former = any(map(_FORMER.match, (first, second)))
        if former:
            first, second = _renewed(first, second)
        games = split(first)
        for head, game in (games if first == second else split(second)).items():
            there = games.get(head, replace(game, first=b""))
            games[head] = replace(there, second=game.first)
        return cls(name, first, second, tuple(games.values()), former)

    @property
    def whole(self) -> bool:
        """True if the first place has all of these games, and nothing else."""
        if self.lacks_games or b"".join(game.data for game in self.games) != self.first:
            return False
        sound = (game.lines for game in self.games)
        return not any(lines.mended or lines.damaged or lines.torn for lines in sound)

    @property
    def lacks_games(self) -> bool:
        """True if there are lines of a game whose first line both places have lost."""
        if not self.first and not self.second:
            return False
        heads = tuple(game.head.encode() for game in self.games)
        begins = self.first.startswith(heads) or self.second.startswith(heads)
        return not begins or any(game.has_more for game in self.games)


class Packs:
    """The packs of a journal. Every method may raise OSError.

    What writes is called only while the journal is locked: other programs delete games and bring
    some in.

    Args:
        files: where they are.
        note: called with what is found damaged, before it is mended.
    """

    def __init__(self, files: Files, note: NoteDamage = lambda _: None) -> None:
        self._files = files
        self._note = note
        # The pack that games are appended to.
        self._last: Twin | None = None
        # Packs whose places differ since before this program; None until they are looked for.
        self._unchecked: list[str] | None = None

    def names(self) -> tuple[str, ...]:
        """The first places of all packs, oldest first, also of those that only have a second."""
        first = self._files.names(PACKS)
        second = (name.removeprefix(SECOND) for name in self._files.names(SECOND + PACKS))
        return tuple(sorted(name for name in {*first, *second} if _NAME.fullmatch(name)))

    def all(self) -> Iterator[Pack]:
        """All packs, newest first."""
        for name in reversed(self.names()):
            yield Pack.read(self._files, name)

    def games(self) -> Iterator[PackedGame]:
        """All games, the newest first; one that went on may come twice."""
        for pack in self.all():
            yield from reversed(pack.games)

    # ---- a game that has ended ---------------------------------------------------------------

    def add(self, game: PackedGame) -> None:
        """Appends a game to the first place of the newest pack; on the disk when it returns."""
        last = self._newest()
        if last is None or len(last.data) > MOST_BYTES:
            last = Twin.written(self._files, self._fresh_name(), game.data)
        else:
            last.append(self._files, game.data)
        self._last = last

    def holds(self, game: PackedGame) -> bool | None:
        """True if both places of the newest pack have just these lines of a game.

        None if they have none of it.
        """
        last = self._newest()
        if last is None or not any(g.identity == game.identity for g in split(last.data).values()):
            return None
        last.copy(self._files)
        if self._second(last.name) != last.data:
            last.copied = -1
            last.copy(self._files)
        return game.data in last.data and self._second(last.name) == last.data

    def _second(self, name: str) -> bytes:
        return read_places(self._files, name)[1]

    def _newest(self) -> Twin | None:
        """The newest pack as it is on the disk, mended; None if there is none."""
        names = self.names()
        last = self._last
        if last is None or last.name not in names[-1:] or not last.is_there(self._files):
            self._last = last = self._twin(names[-1]) if names else None
        return last

    def _twin(self, name: str) -> Twin:
        """A pack, mended as far as its places allow."""
        self.mend(name)
        first, second = read_places(self._files, name)
        return Twin(name, first, len(second) if first.startswith(second) else -1)

    def _fresh_name(self) -> str:
        return f"{PACKS}/{self._next():04}-{token_hex(8)}.pack"

    def _next(self) -> int:
        """The number of the next pack."""
        names = self.names()
        found = _NAME.fullmatch(names[-1]) if names else None
        return int(found["number"]) + 1 if found else 1

    def behind(self) -> bool:
        """True if a second place is not as its first."""
        if self._unchecked is None:
            self._unchecked = [name for name in self.names() if differ_in_size(self._files, name)]
        return bool(self._unchecked) or (self._last is not None and self._last.is_behind)

    def catch_up(self) -> None:
        """Brings a second place up to its first."""
        if not self._unchecked:
            if self._last is not None:
                self._last.copy(self._files)
            return
        # Once: a pack that cannot be read keeps no other one waiting.
        self._twin(self._unchecked.pop()).copy(self._files)

    # ---- games from elsewhere ----------------------------------------------------------------

    def stage(self, games: Iterable[PackedGame]) -> str:
        """Writes a new pack where nobody looks, also while the journal is not locked.

        Returns the name that `admit` wants.
        """
        name = f"{_INCOMING}{token_hex(8)}.pack"
        write_places(self._files, name, b"".join(game.data for game in games))
        return name

    def admit(self, staged: str) -> str:
        """Makes a pack that was staged one of these; returns the name that it has now."""
        name = f"{PACKS}/{self._next():04}-{staged.removeprefix(_INCOMING)}"
        # The first place first: the second one is made anew if the power fails between.
        for place in ("", SECOND):
            self._files.rename(place + staged, place + name)
        return name

    def sweep(self) -> None:
        """Removes what was staged when the power failed."""
        for folder in (PACKS, SECOND + PACKS):
            for name in self._files.names(folder):
                if name.removeprefix(SECOND).startswith(_INCOMING):
                    self._files.remove(name)

    # ---- what is written anew ----------------------------------------------------------------

    def delete(self, identities: Container[str], among: Iterable[str] | None = None) -> None:
        """Writes packs anew that have games of these identities, without those.

        Args:
            identities: of games that go.
            among: the names of packs; None for all.
        """
        for name in self.names() if among is None else among:
            pack = Pack.read(self._files, name)
            if any(game.identity in identities for game in pack.games):
                self._write(pack, [g for g in pack.games if g.identity not in identities])

    def mend(self, name: str) -> None:
        """Mends a pack if it is damaged, which is noted; its second place may lack the end."""
        pack = Pack.read(self._files, name)
        if pack.former or not pack.whole:
            self._write(pack, pack.games)
        elif not pack.first.startswith(pack.second):
            self._note(Damage(0, games=0))
            self._files.replace(SECOND + name, (pack.first,))

    def _write(self, pack: Pack, games: Sequence[PackedGame]) -> None:
        """Writes a pack anew with these games, as far as both places have their lines."""
        # What a power cut left of a game that was being added is in its own file.
        going = {one.number for one in games_going(self._files)}
        kept: list[PackedGame] = []
        mended: list[int] = []
        for game in games:
            lines = game.lines
            if not lines.damaged:
                kept.append(game.mended)
                if lines.mended:
                    mended.append(game.number)
            elif game.number not in going:
                kept.append(game.mended)
                self._note(self._lost(pack, game, lines))
        if mended:
            self._note(Damage(mended[0] if len(mended) == 1 else 0, games=len(mended)))
        if pack.lacks_games:
            kept_as = keep_damaged(self._files, pack.name, pack.first)
            self._note(Damage(0, lost=1, file=kept_as, games=0))
        write_places(self._files, pack.name, b"".join(game.data for game in kept))
        self._last = None

    def _lost(self, pack: Pack, game: PackedGame, lines: Lines) -> Damage:
        file = keep_damaged(self._files, f"{game.number:06}.game", game.first or game.second)
        return Damage(game.number, log_lines(lines.texts), max(1, len(lines.uncounted)), file)


def greatest(files: Files, packs: Packs) -> tuple[int, int]:
    """The greatest number that a game has had, and how often one was opened; OSError."""
    going = names_going(files)
    if going:
        return max(g.top for g in going), going[-1].opened
    packed = [(game.number, game.opened) for game in packs.games()]
    return max((n for n, _ in packed), default=0), max((o for _, o in packed), default=0)
