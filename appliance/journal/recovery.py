"""A damaged journal: what can still be read goes into a new one, the damaged file is kept.

Each step leaves the disk in a state from which the next start goes on: first the new journal is
written whole beside the damaged one, then the damaged one is renamed, then the new one takes its
name.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from appliance.errors import JournalError
from appliance.journal.damaged import fault_of, readable
from appliance.journal.database import Journal, SavedGame

_NEW = ".salvaged"
_DAMAGED = ".damaged"
_BESIDE = ("-wal", "-shm")


@dataclass(frozen=True, slots=True)
class Salvage:
    """What was done about a damaged journal.

    Attributes:
        fault: what was wrong with it.
        kept: where the damaged file lies now.
        games: how many games were saved.
        lines: how many lines of those games were saved.
    """

    fault: str
    kept: Path
    games: int
    lines: int

    @property
    def sentence(self) -> str:
        """For the log."""
        return (
            f"the journal was damaged ({self.fault}); {self.games} games with {self.lines} lines "
            f"were saved, the damaged file is kept as {self.kept}"
        )

    @property
    def pages(self) -> tuple[tuple[str, str], ...]:
        """For the board."""
        number = self.kept.name.rpartition("-")[2]
        return (
            ("GAMES WERE", "DAMAGED"),
            (f"{min(self.games, 9999)} SAVED", "GO ON"),
            ("FILE KEPT:", f"DAMAGED-{number}"),
        )


@dataclass(frozen=True, slots=True)
class Known:
    """What a running program knows of a journal, whatever became of the file.

    Attributes:
        game: the present game with all its lines; None if there is none.
        settings: texts by name.
    """

    game: SavedGame | None = None
    settings: Mapping[str, str] = field(default_factory=dict)


def open_or_salvage(path: Path) -> tuple[Journal, Salvage | None]:
    """Opens a journal; a damaged one is replaced by what can be read of it.

    Raises:
        JournalError: it can be neither opened nor salvaged, as on a full or read-only disk, or it
            is of a later version.
    """
    _finish(path)
    fault = fault_of(path)
    if not fault:
        return Journal(path), None
    salvage = _salvage(path, fault, Known())
    return Journal(path), salvage


def mend(journal: Journal, known: Known) -> Salvage | None:
    """Replaces the file of an open journal if it is damaged, and opens it anew.

    What is known is in the new file before that takes the damaged one's name.

    Args:
        journal: is closed meanwhile, and stays so after an error: then call again.
        known: what has been shown, and must be saved whatever can be read.

    Returns:
        What was done; None if the file is not damaged after all.

    Raises:
        JournalError: it cannot be salvaged now, as on a full or read-only disk.
    """
    # SQLite must not have a file open that is renamed.
    journal.close()
    path = journal.path
    _finish(path)
    fault = fault_of(path)
    salvage = _salvage(path, fault, known) if fault else None
    journal.reopen()
    return salvage


def _finish(path: Path) -> None:
    """Goes on where a power cut ended a salvage."""
    new = _beside(path, _NEW)
    if new.exists():
        if path.exists():
            # It was not finished, or the damaged file was not put aside: begin again.
            _remove(new)
        else:
            _rename(new, path)


def _salvage(path: Path, fault: str, known: Known) -> Salvage:
    new = _beside(path, _NEW)
    try:
        found = readable(path)
        games = _with(found.games, known.game)
        with Journal(new) as journal:
            journal.restore(games, {**found.settings, **known.settings})
        kept = _free_name(path)
        for suffix in _BESIDE:
            beside = _beside(path, suffix)
            if beside.exists():
                _rename(beside, _beside(kept, suffix))
        _rename(path, kept)
        _rename(new, path)
    except OSError as error:
        raise JournalError(
            f"{path}: is damaged ({fault}) and could not be salvaged: {error}; "
            "check the disk, or move the file away to begin a new one"
        ) from error
    return Salvage(fault, kept, len(games), sum(len(saved.lines) for saved in games))


def _with(games: Sequence[SavedGame], present: SavedGame | None) -> list[SavedGame]:
    """What could be read, with the present game as it is known, opened last."""
    if present is None:
        return list(games)
    for saved in games:
        if saved.id == present.id:
            present = replace(present, version=saved.version)
    return [*(saved for saved in games if saved.id != present.id), present]


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _free_name(path: Path) -> Path:
    number = 1
    while (name := _beside(path, f"{_DAMAGED}-{number}")).exists():
        number += 1
    return name


def _remove(path: Path) -> None:
    for suffix in ("", *_BESIDE):
        _beside(path, suffix).unlink(missing_ok=True)
    _sync_folder(path.parent)


def _rename(old: Path, new: Path) -> None:
    old.rename(new)
    _sync_folder(new.parent)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
