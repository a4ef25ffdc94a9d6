"""A stick's copies for this tray and others: games, calibration, settings; any number of copies.

What a tray saves lies in a folder of its own (`appliance.journal.stick_files`). Earlier versions
wrote `dicetray-games-0001.sqlite3` and so on, which name no tray: one that shares a game with this
tray is its own, as is each where this tray has no games.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path

from appliance.errors import JournalError
from appliance.journal.held import Held
from appliance.journal.journal import Journal
from appliance.journal.library import SETTINGS
from appliance.journal.old_journal import OldJournal
from appliance.journal.packs import PackedGame
from appliance.journal.reader import JournalReader
from appliance.journal.stick_files import StickFiles, plugged_in, read_from, tray_folders
from appliance.journal.stick_games import (
    IDENTITY,
    OldCopies,
    found_in,
    found_in_old,
    games_of,
    old_files,
    opening,
)
from appliance.journal.sums import read_lines
from appliance.journal.tray import Tray, known_tray, this_machine, tray_here, tray_of, write_tray
from appliance.journal.union import Found, Union, United
from appliance.table.menu.settings import number_of_unnamed
from calibration import store
from calibration.errors import StoreError

_MOST_SETTINGS = 100_000
_MOST_PROFILE_BYTES = 8_000_000
"""Usual ones have 2 MB. What reads them has 100 MB of memory (`dicetray-stick@.service`), which one
as large as a card may have would take several times over: no game of its stick could be read."""
_LATEST = 20
"""Games of which it is said who played them."""


@dataclass(frozen=True, slots=True)
class TrayOnStick:
    """A tray to choose: who played there most lately, and how many games it has."""

    identity: str
    names: tuple[str, ...]
    games: int


@dataclass(slots=True)
class Compared:
    """The things on a stick that this card may lack.

    Attributes:
        tray: the tray that this one is.
        held: the games here.
        is_new: whether there are neither games nor a calibration here.
        folders: the trays whose games may be taken in.
        old: the copies of earlier versions.
        which: other trays; if several are known, a new card has to be told which of them it is.
        profile: this tray's calibration; None if the stick has none.
        old_profile: the newest of copies that name no tray.
        settings: what is remembered of the last time.
        deleted: identities of games that were deleted.
    """

    tray: Tray
    held: Held
    is_new: bool
    folders: Mapping[str, StickFiles] = field(default_factory=dict)
    old: OldCopies = field(default_factory=OldCopies)
    which: tuple[TrayOnStick, ...] = ()
    profile: bytes | None = None
    old_profile: bytes | None = None
    settings: str | None = None
    deleted: frozenset[str] = frozenset()


def compare(journal: JournalReader, stick: Path, *, calibrated: bool, chosen: str = "") -> Compared:
    """The things on a stick that this card may lack; nothing is written.

    Args:
        journal: the games here.
        stick: where it is mounted.
        calibrated: whether there is a calibration here.
        chosen: a tray of the stick that this one is, or was on another card.

    Raises:
        JournalError, OSError: the games here cannot be read.
        StickGone: the stick was pulled out: what it lists then is nothing.
    """
    folders, held = tray_folders(stick), Held(journal.files).look()
    machine = this_machine()
    here = tray_here(journal.files, machine)
    found = Compared(here, held, not held.numbers() and not calibrated)
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
    found.folders = folders
    for tray in dict.fromkeys((found.tray.identity, *same)):
        if tray in folders:
            _take_small_files(found, folders[tray])
    found.old = OldCopies.on(stick, held.numbers())
    if not held.numbers() and not found.tray.all & folders.keys():
        found.old = replace(found.old, own=dict.fromkeys(found.old.own, True))
    settings = (_settings_in_old(path) for path, own in found.old.own.items() if own)
    found.settings = found.settings or next(filter(None, settings), None)
    profiles = (_whole_profile(stick, path.name) for path in old_files(stick, "profile"))
    found.old_profile = next(filter(None, profiles), None)
    return found


def lacking(journal: JournalReader, found: Compared) -> tuple[int, int]:
    """How many games there would be more, or longer: of this tray, and of others.

    Raises:
        JournalError, OSError: the games here cannot be read.
        StickGone: as `compare`.
    """
    union = Union(journal, held=found.held, spare_last=True, trial=True)
    own = others = 0
    for game in _games_on(found):
        if union.take(game):
            own, others = own + game.own, others + (not game.own)
    return own, others


def restore(journal: Journal, found: Compared) -> United:
    """Brings in the games of this tray, and what is remembered where nothing is.

    Raises:
        JournalError, OSError: the disk refuses; what is in by then stays, the rest can follow.
        StickGone: the same, of a stick that was pulled out.
    """
    tray = _settled_tray(journal, found)
    there = {i: number for i, number in found.held.numbers().items() if i in found.deleted}
    # The one that people may be at stays.
    spared = {identity for identity, number in there.items() if journal.is_last(number)}
    deleted = {number for identity, number in there.items() if identity not in spared}
    if deleted:
        journal.delete(*deleted)
    journal.bar(found.deleted - spared)
    if found.settings is not None and journal.remembered(SETTINGS) is None:
        journal.remember(SETTINGS, found.settings)
    return _unite(journal, found, own=True, tray=tray)


def restore_others(journal: Journal, found: Compared) -> United:
    """Brings in the games of other trays; raises as `restore`.

    Which tray this is, is written before: with theirs alone a new card would be none of the stick.
    """
    _settled_tray(journal, found)
    return _unite(journal, found, own=False)


def _settled_tray(journal: Journal, found: Compared) -> str:
    """The identity of this tray, written down from now on: the one on the stick, or a new one."""
    tray = replace(found.tray, machine=this_machine())
    if not tray.identity:
        tray = replace(tray, identity=known_tray(journal.files, tray.machine).identity)
    write_tray(journal.files, tray)
    return tray.identity


def _unite(journal: Journal, found: Compared, *, own: bool, tray: str = "") -> United:
    union = Union(journal, held=found.held, spare_last=True)
    for game in _games_on(found):
        if game.own == own:
            union.take(game, tray)
    return union.finish()


def _tray_in(files: StickFiles) -> Tray:
    """The tray that a folder belongs to; an empty `Tray` where that cannot be read."""
    with suppress(OSError):
        return tray_of(read_lines(files.newest("tray")).texts)
    return Tray()


def _take_small_files(found: Compared, files: StickFiles) -> None:
    """Adds calibration, settings and deleted games of this tray."""
    with suppress(OSError):
        texts = read_lines(files.newest("deleted")).texts
        found.deleted |= {text for text in texts if IDENTITY.fullmatch(text)}
    if found.settings is None:
        with suppress(OSError, ValueError):
            pairs = (text.partition(" ") for text in read_lines(files.newest("settings")).texts)
            found.settings = _bounded({name: json.loads(value) for name, _, value in pairs})
    for name in files.generations("profile"):
        found.profile = found.profile or _whole_profile(files.folder, name)


def _bounded(settings: Mapping[str, object]) -> str | None:
    text = settings.get(SETTINGS)
    return text if isinstance(text, str) and len(text) < _MOST_SETTINGS else None


def _whole_profile(stick: Path, name: str) -> bytes | None:
    """The bytes of a calibration; None if it is not whole, or too large to be one."""
    with suppress(StoreError, OSError):
        return store.encode(store.decode(read_from(stick, name, _MOST_PROFILE_BYTES)))
    return None


def _games_on(found: Compared) -> Iterator[Found]:
    """The games on a stick that may be lacking here: this tray's first."""
    ours = found.tray.all
    trays = sorted(found.folders, key=lambda tray: tray not in ours)
    in_folders = (found_in(found.folders[tray], tray, ours, found.held) for tray in trays)
    games = chain(chain.from_iterable(in_folders), found_in_old(found.old, found.held))
    return (one for one in games if one.game.identity not in found.deleted)


def _tray_on_stick(tray: str, files: StickFiles) -> TrayOnStick:
    identities: set[str] = set()
    latest: list[PackedGame] = []
    for game in games_of(files):
        if game.identity not in identities:
            identities.add(game.identity)
            latest = sorted((*latest, game), key=lambda game: -game.opened)[:_LATEST]
    names: Counter[str] = Counter()
    for game in latest:
        with suppress(JournalError):
            players = opening(game).players
            names.update(name for name in players if number_of_unnamed(name) is None)
    return TrayOnStick(tray, tuple(name for name, _ in names.most_common(3)), len(identities))


def _settings_in_old(path: Path) -> str | None:
    with (
        plugged_in(path.parent),
        suppress(JournalError, OSError),
        OldJournal(path, alone=True) as old,
    ):
        return _bounded(old.settings())
    return None
