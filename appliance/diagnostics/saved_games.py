"""Checks of the saved games: that they are whole and can go on."""

from collections.abc import Iterator
from pathlib import Path

from appliance.diagnostics.base import Finding, Level
from appliance.errors import JournalError
from appliance.journal.files import folder_of
from appliance.journal.mending import what_to_tell
from appliance.journal.reading import has_games, reading
from appliance.journal.saved_game import saved_game
from appliance.journal.summary import resume_saved
from appliance.journal.sums import Lines
from appliance.journal.taking_in import BEFORE
from appliance.journal.taking_in import DAMAGED as OLD_DAMAGED
from appliance.journal.untold import DAMAGED
from games.registry import GAMES

_MOST_REPLAYED = 200
"""Finished games that are replayed, the latest: a Pi takes some hundredths of a second for each."""

_RESTART = "restart the service: it keeps the damaged file and saves what can be read"

_MOST_BROKEN = 5
"""Games that cannot be replayed that are named; more would say no more."""


def check_journal(path: Path) -> Iterator[Finding]:
    """Checks that games on disk are intact and replayable; names what is kept of damaged ones."""
    try:
        if not has_games(path):
            yield Finding("games", Level.NOTE, f"{path} is not there; the first game makes it")
            return
        kept = _kept_files(path)
        with reading(path) as journal:
            wrong = [
                finding
                for number, lines in journal.newest(_MOST_REPLAYED)
                for finding in _wrong_with(number, lines)
            ]
            untold, games = what_to_tell(journal.untold()), journal.top()
    except JournalError as error:
        advice = error.advice or _RESTART
        yield Finding("games", Level.WRONG, error.found, advice)
        return
    except OSError as error:
        text = f"{path} cannot be read: {error.strerror}"
        advice = "run doctor as the service's user: sudo -u dicetray dicetray doctor"
        yield Finding("games", Level.WRONG, text, advice)
        return
    if wrong:
        yield from wrong[:_MOST_BROKEN]
    else:
        yield Finding("games", Level.OK, f"{path}, {games:d} games, all whole")
    if untold is not None:
        advice = "it is on the board until somebody has read it and pressed a button"
        yield Finding("games", Level.NOTE, untold.sentence, advice)
    if kept:
        text = f"kept of damaged games, and of an earlier version: {', '.join(kept)}"
        yield Finding("games", Level.NOTE, text)


def _kept_files(path: Path) -> list[str]:
    beside = [
        file for way in (OLD_DAMAGED, BEFORE) for file in path.parent.glob(f"{path.name}{way}-*")
    ]
    return sorted(file.name for file in (*beside, *(folder_of(path) / DAMAGED).glob("*")))


def _wrong_with(number: int, lines: Lines) -> Iterator[Finding]:
    """The faults of a game's files, or of the game: one that is not over should go on."""
    if lines.torn:
        text = f"game {number:d}: its last line was cut off, by a power cut or as it was written"
        yield Finding("games", Level.NOTE, text)
    if lines.damaged:
        text = f"game {number:d} is damaged in both places; {len(lines.uncounted):d} lines behind"
        yield Finding("games", Level.WRONG, f"{text} do not count", _RESTART)
    elif lines.mended or lines.copied < 0:
        text = f"game {number:d} is damaged in one place, and whole in the other"
        yield Finding("games", Level.NOTE, text, "nothing is lost: the service mends it")
    try:
        saved = saved_game(number, lines)
        if saved.uncounted and not lines.damaged:
            text = f"game {number:d}: {len(saved.uncounted):d} lines behind a loss do not count"
            yield Finding("games", Level.NOTE, text)
    except JournalError as error:
        yield Finding("games", Level.WRONG, error.found, error.advice)
        return
    try:
        resume_saved(saved)
    except JournalError as error:
        level = Level.NOTE if saved.ended or saved.game not in GAMES else Level.WRONG
        yield Finding("games", level, error.found, error.advice)
