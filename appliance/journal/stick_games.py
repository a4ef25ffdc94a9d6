"""The games on a stick, in the folders of trays and in copies of earlier versions.

Each comes as it would stand in a pack, one file after the other: however many there are, only one
file of them is in memory.
"""

import logging
import re
from collections.abc import Container, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from types import MappingProxyType

from appliance.errors import JournalError
from appliance.journal.counting import key_of
from appliance.journal.held import Held
from appliance.journal.old_journal import OPENING, OldJournal, identities_when_shorter
from appliance.journal.packs import PACKS, PackedGame
from appliance.journal.saved_game import SavedGame, saved_game
from appliance.journal.stick_files import StickFiles, names_in, plugged_in
from appliance.journal.sums import read_lines
from appliance.journal.union import Found

log = logging.getLogger(__name__)

_MOST_GAME_BYTES = 2_000_000
"""A larger game is not brought in: an evening's has some 20 kB."""

_OPENING_BYTES = 4096
"""The tags at the beginning of a game are fewer."""

_MOST_GAMES = 100_000
"""Games of a tray that are looked at: as many as are played in a lifetime."""

IDENTITY = re.compile(r"[0-9a-f]{32}(-[0-9a-f]{16})?")
_OLD = re.compile(r"dicetray-games-[0-9]{4}\.(?P<kind>sqlite3|profile)")
_NOBODY_KNOWS = "0" * 16
"""The tray of old copies that are another's."""


def games_of(
    files: StickFiles, known: Mapping[str, tuple[int, int]] = MappingProxyType({})
) -> Iterator[PackedGame]:
    """The games in the folder of a tray; a file that cannot be read is left out.

    Args:
        files: the folder.
        known: size and last checksum of packs here: those that are the same are left out.
    """
    return islice(_all_games_of(files, known), _MOST_GAMES)


def _all_games_of(files: StickFiles, known: Mapping[str, tuple[int, int]]) -> Iterator[PackedGame]:
    for name in files.packs():
        stem = name.rpartition("/")[2].partition("~")[0]
        try:
            if key_of(files, name) != known.get(f"{PACKS}/{stem}.pack"):
                yield from filter(is_ours, files.pack(name).games)
        except OSError as error:
            log.warning("%s on a stick cannot be read: %s", name, error)


def is_ours(game: PackedGame) -> bool:
    """True if a game can be one that dicetray has saved."""
    return bool(IDENTITY.fullmatch(game.identity)) and len(game.first) <= _MOST_GAME_BYTES


def opening(game: PackedGame) -> SavedGame:
    """A game without most of its lines; JournalError if its first lines are lost."""
    return saved_game(game.number, read_lines(game.first[:_OPENING_BYTES]))


def found_in(files: StickFiles, tray: str, ours: Container[str], held: Held) -> Iterator[Found]:
    """The games in the folder of a tray that are not here just so.

    Args:
        files: the folder.
        tray: where games were played that do not say so.
        ours: the identities of trays whose games are this tray's.
        held: the games here.
    """
    for game in games_of(files, held.read):
        if not held.has(game):
            with suppress(JournalError):
                of = opening(game).tray or tray
                yield Found(game, of, of in ours)


def old_files(stick: Path, kind: str) -> list[Path]:
    """The files of earlier versions of a kind, `sqlite3` or `profile`, newest first."""
    found = (_OLD.fullmatch(name) for name in names_in(stick))
    return sorted((stick / m[0] for m in found if m and m["kind"] == kind), reverse=True)


@dataclass(frozen=True, slots=True)
class OldCopies:
    """The copies of earlier versions.

    Attributes:
        own: their paths, newest first, each with whether it is this tray's.
        short: the identities of games with so few lines that they had others with more.
    """

    own: Mapping[Path, bool] = field(default_factory=dict)
    short: frozenset[str] = frozenset()

    @classmethod
    def on(cls, stick: Path, shared: Container[str]) -> "OldCopies":
        """Those on a stick.

        They name no tray: copies that share games are of one, and if that shares games with
        `shared`, it is this one.
        """
        paths = old_files(stick, "sqlite3")
        # For each copy, the first of those that it shares games with.
        group = list(range(len(paths)))
        first: dict[str, int] = {}
        short: set[str] = set()
        own: set[int] = set()
        for this, path in enumerate(paths):
            for _, saved in _games_in_old(path):
                if saved.identity in first or len(first) < _MOST_GAMES:
                    other = group[first.setdefault(saved.identity, this)]
                    group = [other if one == group[this] else one for one in group]
                    if len(saved.lines) < OPENING:
                        short.add(saved.identity)
                if saved.identity in shared:
                    own.add(this)
        of_own = {group[this] for this in own}
        whose = {path: group[this] in of_own for this, path in enumerate(paths)}
        return cls(whose, frozenset(short))


def found_in_old(copies: OldCopies, held: Held) -> Iterator[Found]:
    """The games in copies of earlier versions that are not here just so."""
    begun: set[str] = set()
    for path, own in copies.own.items():
        shorter: set[str] = set()
        for opened, saved in _games_in_old(path):
            game = PackedGame.of(saved, opened)
            if saved.identity not in begun and not held.has(game, old=True):
                shorter |= copies.short & {*identities_when_shorter(saved)[:-1]}
                yield Found(game, "" if own else _NOBODY_KNOWS, own, old=True)
        # An older copy may have them with fewer lines.
        begun |= shorter


def _games_in_old(path: Path) -> Iterator[tuple[int, SavedGame]]:
    """The games of a copy, but for those in which nothing had happened."""
    try:
        with OldJournal(path, alone=True) as old:
            for opened, saved in islice(old.games(old.numbers()), _MOST_GAMES):
                if saved.lines:
                    yield opened, saved
    except (JournalError, OSError) as error:
        with plugged_in(path.parent):
            log.warning("%s on a stick cannot be read: %s", path.name, error)
