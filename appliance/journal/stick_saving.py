"""Saves a tray's games on a stick: what is new is written and read back, then the old goes.

A file with games goes only once all of them are elsewhere in the folder, or were deleted.
"""

from collections.abc import Container, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from appliance.errors import JournalError
from appliance.journal.files import Files
from appliance.journal.going import games_going, read_going
from appliance.journal.journal import Journal
from appliance.journal.lacking import Held
from appliance.journal.packed import Packs
from appliance.journal.packs import PACKS, Head, Pack, PackedGame, lines_of, packed, read_head
from appliance.journal.saved_game import kept_texts, saved_game
from appliance.journal.stick_copies import UNPACKED, games_in, scan_file
from appliance.journal.stick_files import StickFiles
from appliance.journal.sums import encode, read_lines
from appliance.journal.tray import known_tray, this_machine, tray_texts
from calibration import store
from calibration.errors import StoreError

_PIECE = 1 << 20
_TAIL = 1 << 16
"""Packs only grow at their end: what has the same end, so far, is the same."""

_GOING = "going"


def save(journal: Journal, stick: Path, profile: Path) -> int:
    """Saves games, settings, marks of deleted games, and calibration; returns how many games.

    JournalError if not all of it is on the stick afterwards.
    """
    try:
        if not stick.is_dir():
            raise FileNotFoundError(2, "the stick is gone", str(stick))
        return _save(journal, stick, profile)
    except OSError as error:
        if isinstance(error, JournalError):
            raise
        raise JournalError(f"{stick}: no copy: {error}", "try another stick") from error


def _save(journal: Journal, stick: Path, profile: Path) -> int:
    tray = known_tray(journal.files, this_machine())
    files = StickFiles(stick, tray.identity)
    # Games move from their own files into packs, so those come first.
    going = list(_games_in_no_pack(journal.files))
    saved = {game.identity for game, _ in going}
    current: set[str] = set()
    for pack in Packs(journal.files).all():
        saved |= {game.identity for game in pack.games}
        current.add(_put_pack(files, journal.files, pack))
    if going:
        data = b"".join(packed(going, Head(UNPACKED, tray.identity)))
        same = (name for name in files.generations(_GOING, ".pack") if files.read(name) == data)
        current.add(next(same, None) or files.put(_GOING, (data,), ".pack"))
    deleted = {*journal.deleted(), *read_lines(files.newest("deleted")).texts}
    files.keep("deleted", encode(sorted(deleted))[0])
    files.keep("settings", encode(journal.settings_texts())[0])
    files.keep("tray", encode(tray_texts(tray))[0])
    files.keep("profile", _profile(profile))
    others = [name for name in files.packs() if name not in current]
    held = Held(journal) if others else None
    for name in others:
        if held and _is_superseded(held, files, name, deleted):
            files.remove(name)
    return len(saved)


def _games_in_no_pack(files: Files) -> Iterator[tuple[PackedGame, Sequence[str]]]:
    """The games that have files of their own, and their lines."""
    for going in games_going(files):
        if not going.deleted:
            with suppress(JournalError, FileNotFoundError):
                lines = read_going(files, going)
                saved = saved_game(going.number, lines)
                game = PackedGame(going.number, going.opened, saved.identity, None)
                yield game, kept_texts(lines)


def _put_pack(files: StickFiles, home: Files, pack: Pack) -> str:
    """Brings a pack on the stick up to date; returns its name there."""
    stem = pack.name.removeprefix(f"{PACKS}/").removesuffix(".pack")
    older: list[str] = []
    for name in files.generations(stem, ".pack"):
        size = files.size(name) or 0
        if size <= pack.end and _begins(files, name, home, pack, size):
            if size == pack.end:
                return name
            older.append(name)
    name = files.put(stem, _pieces(home, pack), ".pack")
    for old in older:
        files.remove(old)
    return name


def _begins(files: StickFiles, name: str, home: Files, pack: Pack, size: int) -> bool:
    """Whether a file on the stick is the beginning of a pack, of `size` bytes."""
    start = max(0, size - _TAIL)
    tail = files.read(name, start, _TAIL)
    return read_head(files, name) == pack.head and tail == home.read(pack.name, start, len(tail))


def _pieces(home: Files, pack: Pack) -> Iterator[bytes]:
    """The bytes of a pack, mended where its places differ."""
    starts = range(0, pack.end, _PIECE)
    if pack.whole and pack.copied == pack.end:
        yield from (home.read(pack.name, at, min(_PIECE, pack.end - at)) for at in starts)
    else:
        head = pack.head or Head(UNPACKED, "")
        yield from packed(((game, kept_texts(lines_of(home, game))) for game in pack.games), head)


def _profile(path: Path) -> bytes:
    """The bytes of the calibration, or of the one before it; none if neither is whole."""
    for file in (path, store.previous_of(path)):
        with suppress(StoreError):
            return store.encode(store.load(file))
    return b""


def _is_superseded(held: Held, files: StickFiles, name: str, deleted: Container[str]) -> bool:
    """Whether all games of a file are here as they are there, or further, or were deleted."""
    scanned = scan_file(files, name)
    games = [game for game in games_in(files, "", name, scanned) if game.identity not in deleted]
    present, _ = held.known.get(held.present, (0, b""))
    further = any(game.identity == held.present and game.lines > present for game in games)
    return scanned.whole and not further and not held.count(games)
