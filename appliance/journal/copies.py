"""Copies of games and profile on a stick: whole or absent, restored without losing any."""

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from appliance.errors import JournalError
from appliance.journal.journal import Journal
from appliance.journal.library import SETTINGS
from appliance.journal.reading import reading
from appliance.journal.saved_game import SavedGame
from appliance.table.menu.settings import number_of_unnamed
from calibration import store
from calibration.calibration import Calibration
from calibration.errors import StoreError
from vision import system
from vision.ordinary import open_to_read, remove_file, rename_file

_COPY_PATTERN = f"dicetray-games-{'[0-9]' * 4}"
_PROFILE_SUFFIX = ".profile"


def copies(folder: Path) -> list[Path]:
    """The copies in a folder, newest last; the clock may be wrong, so they are numbered."""
    return sorted(folder.glob(f"{_COPY_PATTERN}.sqlite3"))


def save_copy(path: Path, folder: Path) -> int:
    """Copies all games into a new file; returns how many. JournalError if no whole copy is made.

    The copy is read back from the stick, and gets its name only if it has all games and lines.
    """
    last = copies(folder)[-1:]
    number = int(last[0].stem[-4:]) + 1 if last else 1
    part = folder / "dicetray-games.part"
    try:
        remove_file(part)
        with reading(path) as journal:
            known = len(tuple(journal.summaries())), journal.count_lines()
            with Journal(part) as copy:
                copy.bring_in([(saved.id, saved) for saved in journal.games()])
        with open_to_read(part) as file:
            os.fsync(file.fileno())
            system.forget_cached(file.fileno())
        with Journal(part, read_only=True) as copy:
            found = len(tuple(copy.summaries())), copy.count_lines()
        if found < known:
            raise OSError(0, f"expected {known[0]} games, {known[1]} lines, found {found}")
        rename_file(part, folder / f"dicetray-games-{number:04}.sqlite3")
        system.sync_disks()
    except OSError as error:
        with suppress(OSError):
            remove_file(part)
        raise JournalError(f"{folder}: no copy: {error}", "try another stick") from error
    return known[0]


def games_in(folder: Path) -> tuple[Sequence[SavedGame], str | None]:
    """The games of the newest whole copy, in the order they were opened, and the settings."""
    for path in reversed(copies(folder)):
        with suppress(JournalError), reading(path) as journal:
            entries = sorted(journal.summaries(), key=lambda entry: (entry.opened, entry.id))
            return [journal.load(entry.id) for entry in entries], journal.remembered(SETTINGS)
    return (), None


def restore_copy(path: Path, folder: Path) -> int:
    """Adds the games of the newest whole copy that the journal lacks; returns how many."""
    games, settings = games_in(folder)
    with Journal(path) as journal:
        there, present = list(journal.games()), journal.last()
        missing = [game for game in games if not any(_is_same_game(saved, game) for saved in there)]
        for game in missing:
            journal.put(game)
        if missing and present is not None:
            # It may be on the board: the next start resumes it, and not one of these.
            journal.open(present.id)
        if settings is not None and journal.remembered(SETTINGS) is None:
            journal.remember(SETTINGS, settings)
    return len(missing)


def _is_same_game(saved: SavedGame, game: SavedGame) -> bool:
    """Whether a saved game is this one, perhaps continued since, or its players named."""
    same = (saved.game, saved.options) == (game.game, game.options)
    named = len(saved.players) == len(game.players) and all(
        now == then or number_of_unnamed(then) is not None
        for now, then in zip(saved.players, game.players, strict=True)
    )
    return same and named and saved.lines[: len(game.lines)] == game.lines


def save_profile(path: Path, folder: Path) -> None:
    """Copies the tray's profile, or the one before it, beside the newest copy of the games.

    If neither is whole, nothing is copied. StoreError if no whole copy is made.
    """
    known = _first_intact(path, store.previous_of(path))
    if known is not None:
        copy = copies(folder)[-1].with_suffix(_PROFILE_SUFFIX)
        store.save(copy, known)
        store.load(copy)


def profile_in(folder: Path) -> Calibration | None:
    """The newest whole profile among the copies."""
    return _first_intact(*sorted(folder.glob(f"{_COPY_PATTERN}{_PROFILE_SUFFIX}"), reverse=True))


def restore_profile(path: Path, folder: Path) -> bool:
    """Restores the newest intact profile if none is installed; returns whether it did.

    A damaged one that is installed stays.
    """
    found = None if store.profile_exists(path) else profile_in(folder)
    if found is not None:
        store.save(path, found)
    return found is not None


def _first_intact(*paths: Path) -> Calibration | None:
    for path in paths:
        with suppress(StoreError):
            return store.load(path)
    return None
