"""What was found damaged or gone, and mended: kept on the disk until people have seen it."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from appliance.journal.journal import MEMORY, Damage, Journal
from appliance.journal.origin import Origin
from appliance.journal.saved_game import SavedGame
from appliance.journal.taking_in import Progress, TakenIn, take_in_old

log = logging.getLogger(__name__)

PATIENCE_S = 0.2
"""Seconds that the appliance waits for another program; then it carries on, and retries later."""


@dataclass(frozen=True, slots=True)
class Mended:
    """What was done about a damage.

    Attributes:
        sentence: for the log.
        pages: for the board, two lines each.
    """

    sentence: str
    pages: tuple[tuple[str, str], ...]


def open_and_mend(
    path: Path | str,
    origin: Origin = Origin.APPLIANCE,
    *,
    patience_s: float = PATIENCE_S,
    progress: Progress | None = None,
) -> tuple[Journal, Mended | None]:
    """Opens a journal to play with; what is damaged in the present game is mended, and told.

    The games of an earlier version are taken in first; `progress` is told how far that is.

    Raises:
        StrangeJournal: it is of a later version, of another program, or no ordinary file.
        JournalError: it can be neither opened nor mended, as on a full or read-only disk.
    """
    taken_in = None if str(path) == MEMORY else take_in_old(Path(path), progress)
    journal = Journal(path, origin=origin, patience_s=patience_s)
    try:
        journal.finish_what_was_cut()
        found = journal.mend_last()
        mended = _told(found) if found else None
        if taken_in is not None and (taken_in.wrong or taken_in.united.apart):
            mended = _told_of_old(taken_in)
        if mended is not None:
            log.error("%s", mended.sentence)
        return journal, mended
    except BaseException:
        journal.close()
        raise


def _told(damage: Damage) -> Mended:
    game = f"game {damage.number}"
    if not damage.lost:
        return Mended(
            f"{game} was damaged in one place, and is mended from the other: no line is lost",
            (("A GAME WAS", "DAMAGED:"), ("ALL OF IT", "IS SAVED")),
        )
    return Mended(
        f"{game} was damaged: {damage.lost} lines do not count any more, {damage.kept} are left; "
        f"the damaged file is kept as {damage.file}",
        (
            (f"GAME {damage.number}", "WAS DAMAGED"),
            (f"{min(damage.lost, 9999)} STEPS", "ARE LOST"),
            ("CHECK", "THE POINTS"),
        ),
    )


def _told_of_old(taken_in: TakenIn) -> Mended:
    games = taken_in.games
    if not taken_in.wrong:
        apart = len(taken_in.united.apart)
        return Mended(
            f"{apart} games went on differently in an earlier version: both are kept",
            ((f"{min(apart, 9999)} GAMES", "ARE HERE"), ("TWICE: THEY", "DIFFER")),
        )
    number = taken_in.kept.name.rpartition("-")[2]
    return Mended(
        f"the games of an earlier version were damaged ({taken_in.wrong[0]}); {games} were saved, "
        f"{taken_in.uncounted} lines of them do not count any more; the damaged file is kept as "
        f"{taken_in.kept}",
        (
            ("GAMES WERE", "DAMAGED"),
            (f"{min(games, 9999)} SAVED", "GO ON"),
            ("FILE KEPT:", f"DAMAGED-{number}"),
        ),
    )


def mend(
    journal: Journal, game: SavedGame | None, settings: Mapping[str, str]
) -> tuple[int | None, Mended | None]:
    """Writes anew what a running program knows of a journal that was found damaged or gone.

    Args:
        journal: the journal.
        game: the present game with all its lines; None if there is none.
        settings: what is remembered, by name.

    Returns:
        The number that the game has now, and what was done; None if nothing had to be.

    Raises:
        JournalError: the disk refuses; call again.
    """
    for name, text in settings.items():
        if journal.remembered(name) is None:
            journal.remember(name, text)
    if game is None:
        return None, None
    number, written = journal.put(game)
    if not written:
        return number, None
    return number, Mended(
        f"game {number} with {len(game.lines)} lines was gone or damaged, and is saved anew",
        (("THE GAME WAS", "DAMAGED:"), ("ALL OF IT", "IS SAVED")),
    )
