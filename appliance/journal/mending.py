"""What was found damaged or gone, and mended: kept on the disk until people have seen it."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from appliance.journal.journal import Damage, Journal
from appliance.journal.origin import Origin
from appliance.journal.saved_game import SavedGame

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
    path: Path | str, origin: Origin = Origin.APPLIANCE, *, patience_s: float = PATIENCE_S
) -> tuple[Journal, Mended | None]:
    """Opens a journal to play with; what is damaged in the present game is mended, and told.

    Raises:
        StrangeJournal: it is of a later version, of another program, or no ordinary file.
        JournalError: it can be neither opened nor mended, as on a full or read-only disk.
    """
    journal = Journal(path, origin=origin, patience_s=patience_s)
    try:
        journal.finish_what_was_cut()
        found = journal.mend_last()
        mended = _told(found) if found else None
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
