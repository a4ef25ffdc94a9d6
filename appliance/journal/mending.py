"""Damage and loss, found and mended: in sentences for the log, in pages for the board."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from appliance.journal.journal import Journal
from appliance.journal.origin import Origin
from appliance.journal.reader import MEMORY
from appliance.journal.saved_game import SavedGame
from appliance.journal.taking_in import Progress, take_in_old
from appliance.journal.untold import Damage

log = logging.getLogger(__name__)

PATIENCE_S = 0.2
"""Seconds that the appliance waits for another program; then it carries on, and retries later."""

Pages = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Mended:
    """A record of damages, and what was done about them.

    Attributes:
        damages: what was damaged or gone; none if nothing was.
        sentence: for the log.
        pages: for the board, two lines each.
    """

    damages: tuple[Damage, ...]
    sentence: str
    pages: Pages


def open_and_mend(
    path: Path | str,
    origin: Origin = Origin.APPLIANCE,
    *,
    progress: Progress | None = None,
) -> tuple[Journal, Mended | None]:
    """Opens a journal to play with; what is damaged in the present game is mended.

    The games of an earlier version are taken in first; `progress` is told how far that is.

    Returns it with what nobody has been told of yet, now and at earlier starts; None if there is
    nothing.

    Raises:
        StrangeJournal: it is of a later version, of another program, or no ordinary file.
        JournalError: it can be neither opened nor mended, as on a full or read-only disk.
    """
    if str(path) != MEMORY:
        take_in_old(Path(path), progress)
    journal = Journal(path, origin=origin, patience_s=PATIENCE_S)
    try:
        journal.finish_what_was_cut()
        journal.prepare()
        journal.mend_last()
        untold = what_to_tell(journal.untold())
        if untold is not None:
            log.error("%s", untold.sentence)
        return journal, untold
    except BaseException:
        journal.close()
        raise


def what_to_tell(damages: Sequence[Damage]) -> Mended | None:
    """The words in which people are told of damages; None if there are none."""
    if not damages:
        return None
    said = [damage for damage in damages if damage.pages]
    rest = [damage for damage in damages if not damage.pages]
    pages: Pages = tuple(page for damage in said for page in damage.pages)
    sentences = [*(damage.sentence for damage in said), *map(_sentence, rest)]
    return Mended(tuple(damages), "; ".join(sentences), pages + _pages(rest) if rest else pages)


def _pages(damages: Sequence[Damage]) -> Pages:
    lost = [damage for damage in damages if damage.lost and not damage.gone]
    saved = sum(damage.games for damage in damages if not damage.lost and not damage.gone)
    gone = [damage for damage in damages if damage.gone and not damage.lost]
    pages: Pages = ()
    if lost:
        pages += _pages_of_loss(lost)
    if gone:
        pages += _pages_of_gone(sum(damage.games for damage in gone))
    if any(damage.lost and damage.gone for damage in damages):
        pages += (("OTHERS", "ARE LOST"),)
    if saved == 1:
        pages += (("A GAME WAS", "DAMAGED:"), ("ALL OF IT", "IS SAVED"))
    elif saved:
        pages += ((f"{min(saved, 9999)} GAMES", "DAMAGED:"), ("ALL LINES", "ARE SAVED"))
    elif not pages:
        pages = (("A FILE WAS", "DAMAGED:"), ("ALL OF IT", "IS SAVED"))
    return pages


def _pages_of_loss(lost: Sequence[Damage]) -> Pages:
    steps = f"{min(sum(damage.lost for damage in lost), 9999)} STEPS"
    games = [damage for damage in lost if damage.games]
    if not games:
        return ("A FILE WAS", "DAMAGED:"), ("PART OF IT", "IS LOST")
    if len(games) == 1:
        first = (f"GAME {games[0].number}", "WAS DAMAGED")
        return first, (steps, "ARE LOST"), ("LOOK AT", "THE POINTS")
    return (f"{min(len(games), 9999)} GAMES", "DAMAGED:"), (steps, "ARE LOST")


def _pages_of_gone(games: int) -> Pages:
    if not games:
        return ("FILES WERE", "GONE"), ("ALL OF IT", "IS SAVED")
    return ("GAMES WERE", "GONE"), (f"{min(games, 9999)} SAVED", "AGAIN")


def _sentence(damage: Damage) -> str:
    what = f"game {damage.number}" if damage.number else f"{damage.games} games"
    what = what if damage.games else "a file of the journal"
    if damage.gone and damage.lost:
        return "other games: gone, and lost"
    if damage.gone:
        lines = f" with {damage.kept} lines" if damage.kept else ""
        return f"{what}{lines}: gone, and saved anew"
    if not damage.lost:
        return f"{what}: damaged, and mended; no line is lost"
    return (
        f"{what}: damaged; {damage.lost} lines do not count any more, {damage.kept} are left; the "
        f"damaged file is kept as {damage.file}"
    )


def mend(
    journal: Journal, game: SavedGame | None, settings: Mapping[str, str]
) -> tuple[int | None, Mended | None]:
    """Writes anew what a running program knows of a journal that was found damaged or gone.

    What is told of it is on the disk before that.

    Args:
        journal: the journal.
        game: the present game with all its lines; None if there is none.
        settings: what is remembered, by name.

    Returns:
        The number that the game has now, and what was done; None if nothing had to be.

    Raises:
        JournalError: the disk refuses; call again.
    """
    before = journal.untold()
    journal.mend_places()
    for name, text in settings.items():
        if journal.remembered(name) is None:
            journal.note_untold(Damage(0, gone=True, games=0))
            journal.remember(name, text)
    number = None if game is None else journal.put(game)[0]
    return number, what_to_tell([damage for damage in journal.untold() if damage not in before])
