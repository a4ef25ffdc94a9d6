"""Which games a journal holds, by their identities: each file is read once, and when it changed."""

from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple, Self

from appliance.journal.counting import key_of
from appliance.journal.files import Files
from appliance.journal.going import game_of, games_going
from appliance.journal.packs import Pack, PackedGame, Packs


class _Known(NamedTuple):
    """The facts about a game that are known without reading it again.

    The checksum is that of its last line in a pack, and so of all of them.
    """

    number: int
    lines: int
    checksum: bytes


def _known(game: PackedGame) -> _Known:
    data = game.first or game.second
    tags = data.count(b"\n[") + data.startswith(b"[")
    return _Known(game.number, game.size - tags, data[-9:-1])


class Held:
    """The games of a journal, as far as they were read.

    Args:
        files: where they are.

    Attributes:
        read: size and last checksum of the files that they were read from, by their names.
        brought: names of games going on that were brought in since.
    """

    def __init__(self, files: Files) -> None:
        self._files = files
        self._games: dict[str, _Known] = {}
        self.read: dict[str, tuple[int, int]] = {}
        self.brought: set[str] = set()

    def look(self) -> Self:
        """Reads what has changed; a game that is gone by now stays. OSError if the disk fails."""
        going = tuple(games_in_no_pack(self._files, self.read))
        for name in Packs(self._files).names():
            key = key_of(self._files, name)
            if self.read.get(name) != key:
                with suppress(FileNotFoundError):
                    self.add(*Pack.read(self._files, name).games)
                    self.read[name] = key
        # A game that went on may be in a pack, too.
        self.add(*going)
        return self

    def add(self, *games: PackedGame) -> None:
        """Takes note of games."""
        self._games.update((game.identity, _known(game)) for game in games)

    def has(self, game: PackedGame, *, old: bool = False) -> bool:
        """True if a game is here just so: all of it, or if it is an old one, so many lines."""
        here, there = self._games.get(game.identity), _known(game)
        if here is None:
            return False
        return here.lines == there.lines if old else here.checksum == there.checksum

    def numbers(self) -> dict[str, int]:
        """The number of each game, by its identity."""
        return {identity: known.number for identity, known in self._games.items()}


def games_in_no_pack(
    files: Files, read: dict[str, tuple[int, int]] | None = None
) -> Iterator[PackedGame]:
    """The games that have files of their own, as they would stand in a pack.

    Games move from their own files into packs, so whoever looks for all has to begin with these.

    Args:
        files: where they are.
        read: size and last checksum of files that are left out; what is read is noted there.
    """
    read = {} if read is None else read
    for going in games_going(files):
        key = key_of(files, going.name)
        saved = None if read.get(going.name) == key else game_of(files, going)
        if saved is not None:
            read[going.name] = key
            yield PackedGame.of(saved, going.opened)
