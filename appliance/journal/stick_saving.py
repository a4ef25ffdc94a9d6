"""Saves a tray's games on a stick: what is new is written and read back, then the old goes.

A file with games goes only once all of them are elsewhere in the folder, or were deleted.
"""

from collections.abc import Container, Iterable
from contextlib import suppress
from pathlib import Path

from appliance.errors import JournalError
from appliance.journal.bringing import in_packs
from appliance.journal.counting import key_of
from appliance.journal.held import Held, games_in_no_pack
from appliance.journal.journal import Journal
from appliance.journal.packs import PACKS, Pack, PackedGame, Packs
from appliance.journal.stick_files import GOING, StickFiles
from appliance.journal.stick_games import is_ours
from appliance.journal.sums import encode, last_sum, read_lines
from appliance.journal.tray import known_tray, this_machine, tray_texts
from appliance.journal.union import Found, Union
from calibration import store
from calibration.errors import StoreError


def save(journal: Journal, stick: Path, profile: Path) -> int:
    """Saves games, settings, marks of deleted games, and calibration; returns how many games.

    Raises:
        JournalError, StickGone: not all of it is on the stick afterwards.
    """
    try:
        return _save(journal, stick, profile)
    except OSError as error:
        if isinstance(error, JournalError):
            raise
        raise JournalError(f"{stick}: no copy: {error}", "try another stick") from error


def _save(journal: Journal, stick: Path, profile: Path) -> int:
    home = journal.files
    tray = known_tray(home, this_machine())
    files = StickFiles(stick, tray.identity)
    held, current = Held(home), set[str]()
    # Games move from their own files into packs.
    going = tuple(games_in_no_pack(home))
    for name in Packs(home).names():
        pack = Pack.read(home, name)
        stem = name.removeprefix(f"{PACKS}/").removesuffix(".pack")
        known = _find(files, stem, key_of(home, name))
        packed = pack.games if known or pack.whole else tuple(game.mended for game in pack.games)
        if packed:
            current.add(known or _put(files, stem, packed))
            held.add(*packed)
    for games in in_packs(going):
        current.add(_put(files, GOING, games))
    held.add(*going)
    deleted = {*journal.deleted(), *read_lines(files.newest("deleted")).texts}
    files.keep("deleted", encode(sorted(deleted))[0])
    files.keep("settings", encode(journal.settings_texts())[0])
    files.keep("tray", encode(tray_texts(tray))[0])
    files.keep("profile", _profile(profile))
    for name in files.packs():
        if name not in current:
            union = Union(journal, held=held, trial=True)
            if _is_superseded(union, files, name, deleted):
                files.remove(name)
    return len(held.numbers())


def _put(files: StickFiles, stem: str, games: Iterable[PackedGame]) -> str:
    """Writes a file with games, unless it is there; returns its name."""
    data = b"".join(game.data for game in games)
    known = _find(files, stem, (len(data), last_sum(data)))
    return known or files.put(stem, data, ".pack")


def _find(files: StickFiles, stem: str, key: tuple[int, int]) -> str:
    """The file with this size and last checksum; empty if there is none."""
    if key[1] < 0:
        return ""
    names = files.generations(stem, ".pack")
    return next((name for name in names if key_of(files, name) == key), "")


def _profile(path: Path) -> bytes:
    """The bytes of the calibration, or of the one before it; none if neither is whole."""
    for file in (path, store.previous_of(path)):
        with suppress(StoreError):
            return store.encode(store.load(file))
    return b""


def _is_superseded(union: Union, files: StickFiles, name: str, deleted: Container[str]) -> bool:
    """True if all games of a file are here as they are there, or further, or were deleted."""
    with suppress(OSError):
        pack = files.pack(name)
        left = [game for game in pack.games if game.identity not in deleted]
        if pack.whole and all(map(is_ours, left)):
            lacking = any(union.take(Found(game, "", own=True)) for game in left)
            return not (lacking or union.united.unread)
    return False
