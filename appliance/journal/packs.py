"""Ended games, many to a file: packs, each in two places.

A pack begins with a line that says whose games it has. Each game is a line with its number, and
then its own lines:

    dicetray pack 1 5f3a09c1d2e4b687 tray 0b1d2e4b6875f3a0 written 1  #5d0a3f7e
    == game 12 opened 17 bytes 7312 identity 5f3a09c1d2e4b6875f3a09c1d2e4b687  #91c2e804
    [Identity "5f3a09c1d2e4b6875f3a09c1d2e4b687"]  #…

Games are only appended. A pack is written anew, in one step, where a game is deleted or a damage
mended; `written` counts that, so that whoever remembers places in a pack sees it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from appliance.journal.files import Files, read_places
from appliance.journal.sums import Lines, encode, next_sum, read_lines

PACKS = "packs"
SECOND = "second/"
"""Where the second place of each file is."""

OWN_LINES = (b"dicetray pack ", b"== game ")
"""How the lines of a pack itself begin; none of a game does."""

MOST_GAMES = 1000
"""Games in a pack: a hundred packs for a lifetime of games, each some 7 MB."""

MOST_BYTES = 8_000_000
"""No game is appended to a pack with more, so that each can be read and copied whole."""

_HEAD = re.compile(
    r"dicetray pack 1 (?P<pack>[0-9a-f]{16}) tray (?P<tray>[0-9a-f]*) written (?P<written>\d+)"
)
_GAME = re.compile(
    r"== game (?P<number>\d+) opened (?P<opened>\d+) bytes (?P<size>\d+)"
    r" identity (?P<identity>\S+)"
)
_LONGEST_LINE = 400
"""Bytes: more than any of a pack's own lines has."""


@dataclass(frozen=True, slots=True)
class Head:
    """What a pack says of itself.

    Attributes:
        pack: the pack's own identity.
        tray: the identity of the tray on which its games were played; empty if nobody knows.
        written: how often it was written anew.
    """

    pack: str
    tray: str
    written: int = 1

    @property
    def text(self) -> str:
        """The pack's first line."""
        return f"dicetray pack 1 {self.pack} tray {self.tray} written {self.written}"

    @property
    def size(self) -> int:
        """How many bytes that line has: the first game stands behind it."""
        return len(_own_line(self.text))


@dataclass(frozen=True, slots=True)
class Place:
    """Where the lines of a game are: the file, its first byte there, how many bytes."""

    name: str
    start: int
    size: int


@dataclass(frozen=True, slots=True)
class PackedGame:
    """A game in a pack.

    Attributes:
        number: counts the games of this journal.
        opened: the greater, the later it was begun or resumed.
        identity: the same on every tray and stick.
        first: its lines in the first place of the pack; None if they are not found there.
        second: those in the second place.
        lines: how many lines its log has.
        last: the end of its last line, the checksum of them all.
    """

    number: int
    opened: int
    identity: str
    first: Place | None
    second: Place | None = None
    lines: int = 0
    last: bytes = b""


def differ_in_size(files: Files, name: str) -> bool:
    """Whether one place of a file is longer than the other, or alone; OSError if the disk fails."""
    return files.size(name) != files.size(SECOND + name)


def _own_line(text: str) -> bytes:
    return encode((text,))[0]


def entry_bytes(number: int, opened: int, identity: str, lines: bytes) -> bytes:
    """A game as it stands in a pack."""
    head = f"== game {number} opened {opened} bytes {len(lines)} identity {identity}"
    return _own_line(head) + lines


def _own_line_at(data: bytes, at: int) -> tuple[str, int] | None:
    """A line of the pack itself and where it ends; None if none stands there as it was written."""
    end = data.find(b"\n", at, at + _LONGEST_LINE) + 1
    text, _, stored = data[at : max(at, end - 1)].decode("utf-8", "replace").rpartition("  #")
    return (text, end) if end and f"{next_sum(0, text):08x}" == stored else None


def read_head(files: Files, name: str) -> Head | None:
    """The first line of one place of a pack; None if it cannot be read."""
    try:
        return _head_of(files.read(name, 0, _LONGEST_LINE))
    except FileNotFoundError:
        return None


def _head_of(data: bytes) -> Head | None:
    line = _own_line_at(data, 0)
    found = _HEAD.fullmatch(line[0]) if line else None
    return found and Head(found["pack"], found["tray"], int(found["written"]))


@dataclass(frozen=True, slots=True)
class Scanned:
    """One place of a pack.

    Attributes:
        games: those that are found there.
        end: where the last of them ends.
        whole: whether nothing else is before that.
    """

    games: tuple[PackedGame, ...]
    end: int
    whole: bool


def scan(name: str, data: bytes, most: int | None = None) -> Scanned:
    """Finds the games in one place of a pack, in its bytes, and no more than `most`."""
    games: list[PackedGame] = []
    head = _own_line_at(data, 0)
    whole = sound = head is not None and bool(_HEAD.fullmatch(head[0]))
    at = end = head[1] if head is not None and sound else 0
    while at < len(data):
        if len(games) == most:
            whole = False
            break
        found = _game_at(data, at)
        if found is None or found[1] + int(found[0]["size"]) > len(data):
            # A power cut leaves part of a game at the end; elsewhere it is damage.
            sound = False
            at = _next_game(data, at + 1)
            continue
        line, begins = found
        place = Place(name, begins, int(line["size"]))
        at = end = begins + place.size
        whole = sound
        tags = data.count(b"\n[", begins - 1, at)
        game = PackedGame(int(line["number"]), int(line["opened"]), line["identity"], place)
        lines = data.count(b"\n", begins, at) - tags
        games.append(replace(game, lines=lines, last=data[at - 9 : at]))
    return Scanned(tuple(games), end, whole)


def _game_at(data: bytes, at: int) -> tuple[re.Match[str], int] | None:
    """The line that begins a game, if it stands there, and where the game's own lines begin."""
    line = _own_line_at(data, at)
    found = line and _GAME.fullmatch(line[0])
    return (found, line[1]) if line and found else None


def game_standing_at(files: Files, name: str, at: int) -> PackedGame | None:
    """The game that stands at a byte of a pack; None if none stands there in whole.

    Its second place is given where that is as far behind the beginning.

    Raises:
        OSError: the disk fails.
    """
    found = _game_at(files.read(name, at, _LONGEST_LINE), 0)
    if found is None:
        return None
    line, begins = found
    place = Place(name, at + begins, int(line["size"]))
    if place.start + place.size > (files.size(name) or 0):
        return None
    second: Place | None = replace(place, name=SECOND + name)
    try:
        there = _game_at(files.read(SECOND + name, at, _LONGEST_LINE), 0)
    except FileNotFoundError:
        there = None
    if there is None or there[0][0] != line[0]:
        second = None
    return PackedGame(int(line["number"]), int(line["opened"]), line["identity"], place, second)


def _next_game(data: bytes, at: int) -> int:
    """Where the next line that begins a game stands, from a place on; the end if there is none."""
    while (at := data.find(b"\n== game ", max(0, at - 1)) + 1) > 0:
        if _game_at(data, at) is not None:
            return at
        at += 2
    return len(data)


@dataclass(frozen=True, slots=True)
class Pack:
    """A pack as both of its places have it.

    Attributes:
        name: its first place.
        head: what it says of itself; None if neither place does.
        games: its games, oldest first.
        end: where the last game ends in the first place.
        copied: how many bytes of the second place are as in the first; -1 if anything else is
            there.
        whole: whether the first place has all these games, and nothing else before its `end`.
    """

    name: str
    head: Head | None
    games: tuple[PackedGame, ...]
    end: int
    copied: int
    whole: bool


def read_pack(files: Files, name: str) -> Pack:
    """Finds the games of a pack in both of its places.

    Raises:
        FileNotFoundError: neither place is there.
        OSError: the disk fails.
    """
    datas = read_places(files, name, SECOND + name)
    first, second = (
        scan(place, data) for place, data in zip((name, SECOND + name), datas, strict=True)
    )
    games = {game.identity: game for game in first.games}
    for game in second.games:
        known = games.get(game.identity)
        games[game.identity] = (
            replace(game, first=None, second=game.first)
            if known is None
            else replace(known, second=game.first)
        )
    heads = [_head_of(data) for data in datas]
    return Pack(
        name,
        heads[0] or heads[1],
        tuple(games.values()),
        first.end,
        len(datas[1]) if datas[0][: first.end].startswith(datas[1]) else -1,
        first.whole and len(first.games) == len(games),
    )


def lines_of(files: Files, game: PackedGame) -> Lines:
    """The lines of a game in a pack, from both of its places.

    Raises:
        OSError: the disk fails.
    """
    found, errors = [b"", b""], []
    for which, place in enumerate((game.first, game.second)):
        if place is not None:
            try:
                found[which] = files.read(place.name, place.start, place.size)
            except OSError as error:
                errors.append(error)
    if errors and not any(found):
        raise errors[0]
    return read_lines(*found)


def packed(games: Iterable[tuple[PackedGame, Sequence[str]]], head: Head) -> Iterator[bytes]:
    """The bytes of a whole pack, piece by piece, from its games and their lines."""
    yield _own_line(head.text)
    for game, texts in games:
        yield entry_bytes(game.number, game.opened, game.identity, encode(texts)[0])
