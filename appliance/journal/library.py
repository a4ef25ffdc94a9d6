"""Games and settings in the journal: begun, resumed, put aside; on disk before they count."""

import logging
from collections.abc import Callable
from dataclasses import replace

from appliance.errors import JournalError, NoSuchGame
from appliance.journal.database import GameEntry, Journal, SavedGame
from appliance.journal.log import line_to_text, lines_from_text
from appliance.journal.origin import Origin, origin_of, written_by
from appliance.journal.recovery import Known, Rescue, Salvage, mend
from appliance.rules.game import RulesError, Throw
from appliance.rules.registry import GAMES
from appliance.table.menu.console import Aside, Console, opened, refused, welcome
from appliance.table.menu.main_menu import FinalScore, best
from appliance.table.menu.settings import Settings, from_text
from appliance.table.session.session import Session, Setup, new_session, resume


def load_session(journal: Journal, setup: Setup | None, *, fresh: bool = False) -> Session:
    """The session to play: the last game if it is not over, else a new one.

    Args:
        journal: where games are kept.
        setup: what a new game is started with; a saved game is resumed if it has this setup. None
            resumes whatever game was last.
        fresh: always begin a new game.

    Raises:
        JournalError: the saved game cannot be replayed, or there is none and no setup.
        RulesError: the game cannot be started with this setup.
    """
    saved = journal.last()
    if saved is not None and not saved.ended and not fresh:
        found = Setup(saved.game, saved.players, saved.options)
        if setup is None or found == setup:
            return resumed(saved)
    if setup is None:
        raise JournalError(
            "expected a saved game to go on with, found none", "name game and players"
        )
    return begun(journal, new_session(setup))


def resumed(saved: SavedGame) -> Session:
    """The session of a saved game, where it left off; JournalError if its lines do not replay."""
    setup = Setup(saved.game, saved.players, saved.options)
    try:
        return resume(setup, lines_from_text(setup, saved.lines), saved.id)
    except (RulesError, IndexError) as error:
        raise JournalError(
            f"game {saved.id}: expected lines that replay, found {error}",
            f"begin a new game; this one, written by dicetray {saved.version}, is kept",
        ) from error


def as_saved(session: Session, origin: Origin = Origin.APPLIANCE) -> SavedGame:
    """A session as the journal should have it."""
    setup = session.setup
    return SavedGame(
        id=session.serial,
        game=setup.game,
        edition=setup.rules.EDITION,
        players=setup.players,
        options=setup.options,
        version=written_by(origin),
        ended=session.rules.outcome(session.state) is not None,
        lines=tuple(line_to_text(setup, line) for line in session.log),
    )


def begun(journal: Journal, session: Session) -> Session:
    """Begins a new game in the journal; returns the session with the number that it has there."""
    setup = session.setup
    number = journal.begin(
        setup.game, setup.rules.EDITION, setup.players, setup.options, written_by(journal.origin)
    )
    return replace(session, serial=number)


def _begins_turn(session: Session) -> bool:
    """Whether no turn is going on, as what the game waits for begins one, or it is over."""
    ask = session.rules.ask(session.state)
    return ask is None or (isinstance(ask, Throw) and ask.roll == 1)


log = logging.getLogger(__name__)

SETTINGS = "desk"
"""The name under which the journal keeps what is remembered."""


class Library:
    """Keeps the console's games in a journal. Every method may raise JournalError."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._remembered: dict[str, str] = {}
        self._scores: dict[tuple[int, int, int], tuple[FinalScore, ...]] = {}
        # A game that was begun or resumed before this is in the log too.
        self._turn_is_over = True

    def settings(self, default: Settings) -> Settings:
        """What is remembered."""
        text = self._journal.remembered(SETTINGS)
        if text is None:
            return default
        self._remembered[SETTINGS] = text
        return from_text(text)

    def remember(self, settings: Settings) -> None:
        """Keeps these settings for the next start."""
        self._remembered[SETTINGS] = settings.text
        self._journal.remember(SETTINGS, settings.text)

    def look(self) -> None:
        """Checks that the journal is still where it was opened.

        After the end of a turn its lines are moved out of SQLite's log, where they are the only
        copy.
        """
        self._journal.look()
        if not self._turn_is_over:
            return
        try:
            self._turn_is_over = not self._journal.checkpoint()
        except JournalError as error:
            # All lines are on disk. A disk that refuses more is reported with the next one.
            if error.damaged:
                raise

    def mend(self, console: Console) -> tuple[Console, Salvage | Rescue | None]:
        """Mends a journal that was found damaged or gone, with everything the console knows of it.

        Returns the console with the games that are still there, and what was done, if anything.
        """
        session = console.session
        game = None if session is None else as_saved(session, self._journal.origin)
        number, done = mend(self._journal, Known(game, self._remembered))
        if session is not None and number is not None:
            console = replace(console, session=replace(session, serial=number))
        return self.with_aside(console), done

    def with_aside(self, console: Console) -> Console:
        """The console with the games that can be resumed, all but the present one."""
        present = console.session.serial if console.session is not None else None
        saved = [g for g in self._journal.unfinished() if g.id != present and g.game in GAMES]
        aside = tuple(Aside(g.id, g.game, g.players) for g in saved)
        return replace(console, aside=aside, finished=bool(self.finished()))

    def finished(self) -> list[GameEntry]:
        """The games played to their end by those who play now."""
        journal = self._journal
        return [
            entry
            for entry in journal.entries()
            if entry.ended and entry.game in GAMES and origin_of(entry.version) is journal.origin
        ]

    def with_records(self, console: Console, enough: Callable[[], bool]) -> Console:
        """The console with everybody's best scores, or unchanged while there is more to count.

        `enough` says whether to stop counting for now; at least one game is always counted.
        """
        present = console.session
        scores: list[FinalScore] = []
        stop = False
        for entry in self.finished():
            # Only the present game can change.
            lines = len(present.log) if present is not None and present.serial == entry.id else 0
            key = entry.id, entry.opened, lines
            if key not in self._scores:
                if stop:
                    return console
                self._scores[key] = self._scores_of(entry.id)
                stop = enough()
            scores += self._scores[key]
        return replace(console, records=best(scores))

    def _scores_of(self, number: int) -> tuple[FinalScore, ...]:
        """How everybody fared; nothing for a game that can no longer be read."""
        try:
            session = resumed(self._journal.load(number))
        except JournalError:
            return ()
        names, points = session.setup.players, session.rules.scores(session.state)
        game, seats = session.setup.game, zip(names, points, strict=True)
        return tuple(FinalScore(game, name, scored) for name, scored in seats)

    def write(self, before: Session | None, after: Console) -> Console:
        """Writes what is new in the log; returns the console, with the number of a new game."""
        session = after.session
        if session is None or before is None:
            return after
        if session.serial != before.serial:
            fresh = begun(self._journal, session)
            self._turn_is_over = True
            # A game that somebody has joined begins with what was played without them.
            self._append(fresh, 0)
            return self.with_aside(replace(after, session=fresh))
        self._append(session, len(before.log))
        return after

    def _append(self, session: Session, done: int) -> None:
        if len(session.log) > done:
            texts = [line_to_text(session.setup, line) for line in session.log[done:]]
            ended = session.rules.outcome(session.state) is not None
            self._journal.append(session.serial, done, texts, ended=ended)
            self._turn_is_over |= _begins_turn(session)

    def begin(self, console: Console, setup: Setup) -> Console:
        """Begins a game."""
        console = replace(console, settings=console.settings.begun(setup))
        # Settings first: were the game there already, a second try would begin another.
        self.remember(console.settings)
        session = begun(self._journal, new_session(setup))
        self._turn_is_over = True
        return self.with_aside(opened(console, session))

    def open(self, console: Console, number: int) -> Console:
        """Resumes a game that was put aside."""
        try:
            session = resumed(self._journal.load(number))
        except NoSuchGame:
            return refused(self.with_aside(console), f"GAME {number}", "IS GONE")
        except JournalError as error:
            if error.damaged:
                raise
            # Nobody at the table can mend it; what was written stays where it is.
            log.warning("%s", error)
            return refused(console, f"GAME {number}", "IS DAMAGED")
        self._journal.open(number)
        return self.with_aside(opened(console, session, welcome(session, "GOES ON")))
