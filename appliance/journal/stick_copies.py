"""What a stick has for this tray and others: games, calibration, settings; any number of copies.

What a tray saves lies in a folder of its own (`appliance.journal.stick_files`). Earlier versions
wrote `dicetray-games-0001.sqlite3` and so on, which name no tray: one that shares a game with this
tray is its own, as is each where this tray has no games.
"""

import json
import logging
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from appliance.errors import JournalError
from appliance.journal.journal import Journal
from appliance.journal.lacking import MOST, Found, Held, read, unite
from appliance.journal.library import SETTINGS
from appliance.journal.old_journal import OldJournal, identities_when_shorter
from appliance.journal.packs import MOST_GAMES, PackedGame, Scanned, lines_of, read_head, scan
from appliance.journal.saved_game import SavedGame, saved_game
from appliance.journal.stick_files import StickFiles, names_in, tray_folders
from appliance.journal.sums import read_lines
from appliance.journal.tray import Tray, known_tray, this_machine, tray_here, tray_of, write_tray
from appliance.journal.union import United
from appliance.table.menu.settings import number_of_unnamed
from calibration import store
from calibration.errors import StoreError

log = logging.getLogger(__name__)

UNPACKED = "0" * 16
"""The identity of a pack on a stick with the games that are in no pack at home."""

_MOST_GAME_BYTES = 2_000_000
"""A larger game is not brought in: an evening's has some 20 kB."""

_MOST_GAMES = 2 * MOST_GAMES
"""Games in a file; a pack of ours has half as many at most."""

_MOST_IDENTITIES = 100_000
"""Games that are remembered to tell whose old copies are: as many as are played in a lifetime."""

_MOST_SETTINGS = 100_000
_MOST_PROFILE_BYTES = 8_000_000
_OLD = re.compile(r"dicetray-games-[0-9]{4}\.(?P<kind>sqlite3|profile)")
_IDENTITY = re.compile(r"[0-9a-f]{32}(-[0-9a-f]{16})?")
_TRAY = re.compile(r"[0-9a-f]{16}")
_NOBODY_KNOWS = "0" * 16
"""The tray of old copies that are another's."""


@dataclass(frozen=True, slots=True)
class TrayOnStick:
    """A tray to choose: who played there most lately, and how many games it has."""

    identity: str
    names: tuple[str, ...]
    games: int


@dataclass(slots=True)
class Compared:
    """What a stick has that this card lacks.

    Attributes:
        tray: the tray that this one is.
        held: the games here.
        own: games of this tray that may be lacking here.
        others: those of other trays.
        is_new: whether there are neither games nor a calibration here.
        which: other trays; if several are known, a new card has to be told which of them it is.
        profile: this tray's calibration; None if the stick has none.
        old_profile: the newest of copies that name no tray.
        settings: what is remembered of the last time.
        deleted: identities of games that were deleted.
    """

    tray: Tray
    held: Held
    is_new: bool
    own: list[Found] = field(default_factory=list)
    others: list[Found] = field(default_factory=list)
    which: tuple[TrayOnStick, ...] = ()
    profile: bytes | None = None
    old_profile: bytes | None = None
    settings: str | None = None
    deleted: frozenset[str] = frozenset()


def compare(journal: Journal, stick: Path, *, calibrated: bool, chosen: str = "") -> Compared:
    """What a stick has that this card may lack; nothing is written.

    Args:
        journal: the games here.
        stick: where it is mounted.
        calibrated: whether there is a calibration here.
        chosen: a tray of the stick that this one is, or was on another card.

    Raises:
        JournalError, OSError: the games here cannot be read.
    """
    folders, held = tray_folders(stick), Held(journal)
    machine = this_machine()
    here = tray_here(journal.files, machine)
    found = Compared(here, held, not held.known and not calibrated)
    same = [t for t, files in folders.items() if machine and _tray_in(files).machine == machine]
    if found.is_new and found.tray.identity not in folders:
        # Without doubt it is the only tray there, or the one that was in this machine.
        chosen = chosen or next(iter(folders if len(folders) == 1 else same), "")
        found.tray = Tray(chosen, former=_tray_in(folders[chosen]).former if chosen else ())
    same += [chosen] if chosen else []
    former = (*found.tray.former, *(tray for tray in same if tray != found.tray.identity))
    found.tray = replace(found.tray, former=tuple(dict.fromkeys(former)))
    which = (_tray_on_stick(t, files) for t, files in folders.items() if t not in found.tray.all)
    found.which = tuple(sorted(which, key=lambda one: -one.games))
    if found.is_new and len(folders) > 1 and not found.tray.all:
        return found
    for tray in dict.fromkeys((found.tray.identity, *same)):
        if tray in folders:
            _take_small_files(found, folders[tray])
    found.held.deleted |= found.deleted
    _sort_games(found, folders, stick)
    old = sorted(_old_files(stick, "profile"), reverse=True)
    found.old_profile = next(filter(None, map(_whole_profile, old)), None)
    return found


def restore(journal: Journal, found: Compared) -> United:
    """Brings in the games of this tray, and what is remembered where nothing is.

    Raises:
        JournalError, OSError: the disk refuses.
    """
    tray = replace(found.tray, machine=this_machine())
    if not tray.identity:
        tray = replace(tray, identity=known_tray(journal.files, tray.machine).identity)
    write_tray(journal.files, tray)
    here = {i: n for i, n in journal.identities().items() if i in found.deleted}
    # The one that people may be at stays.
    here.pop(found.held.present, None)
    if here:
        journal.delete(*here.values())
    journal.bar(found.deleted - {found.held.present})
    if found.settings is not None and journal.remembered(SETTINGS) is None:
        journal.remember(SETTINGS, found.settings)
    return unite(journal, found.own, tray.identity)


def _tray_in(files: StickFiles) -> Tray:
    """What a tray's folder says of it; nothing where that cannot be read."""
    with suppress(OSError):
        return tray_of(read_lines(files.newest("tray")).texts)
    return Tray()


def _take_small_files(found: Compared, files: StickFiles) -> None:
    """Adds calibration, settings and deleted games of this tray."""
    with suppress(OSError):
        texts = read_lines(files.newest("deleted")).texts
        found.deleted |= {text for text in texts if _IDENTITY.fullmatch(text)}
    if found.settings is None:
        with suppress(OSError, ValueError):
            pairs = (text.partition(" ") for text in read_lines(files.newest("settings")).texts)
            found.settings = _bounded({name: json.loads(value) for name, _, value in pairs})
    for name in files.generations("profile"):
        found.profile = found.profile or _whole_profile(files.folder / name)


def _bounded(settings: Mapping[str, object]) -> str | None:
    text = settings.get(SETTINGS)
    return text if isinstance(text, str) and len(text) < _MOST_SETTINGS else None


def _whole_profile(path: Path) -> bytes | None:
    """The bytes of a calibration; None if it is not whole, or too large to be one."""
    with suppress(StoreError, OSError):
        if path.stat().st_size <= _MOST_PROFILE_BYTES:
            return store.encode(store.load(path))
    return None


def _sort_games(found: Compared, folders: Mapping[str, StickFiles], stick: Path) -> None:
    """Finds the games on a stick that may be lacking here, and tells whose they are."""
    ours, shared = found.tray.all, set(found.held.known)
    for tray, files in folders.items():
        for game in _games_of(files, tray):
            is_own = game.tray in ours
            if is_own and len(shared) < _MOST_IDENTITIES:
                shared.add(game.identity)
            games = found.own if is_own else found.others
            if len(games) < MOST and found.held.lacks(game):
                games.append(game)
    for copy, is_own in _old_copies(found.held, shared, stick):
        if is_own:
            found.own += copy.games
            found.settings = found.settings or copy.settings
        else:
            found.others += (replace(game, tray=_NOBODY_KNOWS) for game in copy.games)
    own_identities = {game.identity for game in found.own}
    found.others = [game for game in found.others if game.identity not in own_identities]


def _games_of(files: StickFiles, tray: str) -> Iterator[Found]:
    """The games in the folder of a tray; a file that cannot be read is left out."""
    for name in files.packs():
        try:
            yield from games_in(files, tray, name, scan_file(files, name))
        except OSError as error:
            log.warning("%s on a stick cannot be read: %s", name, error)


def scan_file(files: StickFiles, name: str) -> Scanned:
    """What is in a file with games; raises OSError if it cannot be read."""
    return scan(name, files.read(name), _MOST_GAMES)


def games_in(files: StickFiles, tray: str, name: str, scanned: Scanned) -> Iterator[Found]:
    """The games in a file in the folder of a tray; raises OSError if it cannot be read."""
    head = read_head(files, name)
    for game in scanned.games:
        size = game.first.size if game.first else 0
        if not 0 < size <= _MOST_GAME_BYTES or not _IDENTITY.fullmatch(game.identity):
            continue
        known = (game.identity, game.number, game.opened)
        found = Found(*known, tray, game.lines, game.last, partial(_load, files, game))
        of = head.tray if head and head.pack != UNPACKED else ""
        if head and head.pack == UNPACKED and (saved := read(found)):
            of = saved.tray
        yield replace(found, tray=of) if _TRAY.fullmatch(of) else found


def _load(files: StickFiles, game: PackedGame) -> SavedGame:
    return saved_game(game.number, lines_of(files, game))


def _tray_on_stick(tray: str, files: StickFiles) -> TrayOnStick:
    identities: set[str] = set()
    latest: list[Found] = []
    for game in _games_of(files, tray):
        if len(identities) < _MOST_IDENTITIES and game.identity not in identities:
            identities.add(game.identity)
            latest = sorted([*latest, game], key=lambda game: -game.opened)[:20]
    names: Counter[str] = Counter()
    for saved in filter(None, map(read, latest)):
        names.update(name for name in saved.players if number_of_unnamed(name) is None)
    return TrayOnStick(tray, tuple(name for name, _ in names.most_common(3)), len(identities))


@dataclass(slots=True)
class _OldCopy:
    """What a copy of an earlier version has: games that may be lacking here, and settings.

    `is_own` says whether it shares a game with this tray.
    """

    games: list[Found] = field(default_factory=list)
    settings: str | None = None
    is_own: bool = False


def _old_files(stick: Path, kind: str) -> Iterator[Path]:
    for name in names_in(stick):
        found = _OLD.fullmatch(name)
        if found and found["kind"] == kind:
            yield stick / name


def _old_copies(held: Held, shared: set[str], stick: Path) -> Iterator[tuple[_OldCopy, bool]]:
    """The copies of earlier versions, newest first, each with whether it is this tray's.

    Args:
        held: the games here.
        shared: the identities of this tray's games, here and on the stick.
        stick: where they are.
    """
    copies: list[_OldCopy] = []
    # Copies that share games are of one tray: for each, the number of the first of them.
    group: list[int] = []
    first: dict[str, int] = {}
    begun: set[str] = set()
    seen: set[tuple[str, int]] = set()
    left = MOST
    for path in sorted(_old_files(stick, "sqlite3"), reverse=True):
        this = len(copies)
        copies.append(_OldCopy())
        group.append(this)
        try:
            for game, saved in _games_in_old(path, copies[this]):
                if game.identity in first or len(first) < _MOST_IDENTITIES:
                    other = group[first.setdefault(game.identity, this)]
                    group = [other if one == this else one for one in group]
                copies[this].is_own |= game.identity in shared
                key = (game.identity, game.lines)
                known = key in seen or game.identity in begun
                if left and not known and held.lacks(game):
                    left -= 1
                    copies[this].games.append(game)
                    begun.update(identities_when_shorter(saved)[:-1])
                    seen.add(key)
        except (JournalError, OSError) as error:
            log.warning("%s on a stick cannot be read: %s", path.name, error)
    own = {group[n] for n, copy in enumerate(copies) if copy.is_own or not shared}
    yield from ((copy, group[n] in own) for n, copy in enumerate(copies))


def _games_in_old(path: Path, copy: _OldCopy) -> Iterator[tuple[Found, SavedGame]]:
    """The games of a copy, but for those in which nothing had happened; sets its settings."""
    with OldJournal(path, alone=True) as old:
        copy.settings = _bounded(old.settings())
        for opened, saved in old.games(old.numbers()):
            load = partial(_load_old, path, saved.id)
            if saved.lines:
                known = (saved.identity, saved.id, opened, "", len(saved.lines), b"", load)
                yield Found(*known), saved


def _load_old(path: Path, number: int) -> SavedGame:
    with OldJournal(path, alone=True) as old:
        found = old.game(number)
    if found is None:
        raise JournalError(f"{path}: game {number} cannot be read", "another copy may have it")
    return found[1]
