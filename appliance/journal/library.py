"""Games and settings in the journal: begun, resumed, put aside; on disk before they count."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import replace

from appliance.errors import JournalError, NoSuchGame
from appliance.journal.best_scores import records_in_steps
from appliance.journal.going import Going
from appliance.journal.journal import Journal
from appliance.journal.log import line_to_text
from appliance.journal.mending import Mended, mend, what_to_tell
from appliance.journal.sessions import begin_session, saved_game_of
from appliance.journal.summary import resume_saved
from appliance.table.menu.console import Aside, Console, open_session, resume_notice, with_refusal
from appliance.table.menu.final_scores import FinalScore
from appliance.table.menu.settings import Settings, from_text
from appliance.table.session.recording import with_player_named
from appliance.table.session.session import Session, Setup, new_session
from games.registry import GAMES
from games.values import Throw

log = logging.getLogger(__name__)

SETTINGS = "desk"
"""The name under which the journal keeps what is remembered."""

MOST_READ = 8
"""Games put aside that are read in one go, some milliseconds each."""


def _is_between_turns(session: Session) -> bool:
    """True while no turn is going on, as what the game waits for begins one, or it is over."""
    ask = session.record.ask
    return ask is None or (isinstance(ask, Throw) and ask.roll == 1)


class Library:
    """Keeps the console's games in a journal. Every method may raise JournalError.

    Attributes:
        knows_aside: whether all games that were put aside are known; see `with_aside`.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._remembered: dict[str, str] = {}
        self._records: Iterator[tuple[FinalScore, ...] | None] | None = None
        self._indexing: Iterator[None] | None = journal.indexing()
        # What is known of games that were put aside, which do not change; None for no such game.
        self._known: dict[Going, Aside | None] = {}
        self.knows_aside = True
        # A game that was begun or resumed before this is in the log too.
        self._turn_is_over = True

    def settings(self, default: Settings) -> Settings:
        """The settings that are remembered."""
        text = self._journal.remembered(SETTINGS)
        if text is None:
            return default
        self._remembered[SETTINGS] = text
        return from_text(text)

    def remember(self, settings: Settings) -> None:
        """Keeps these settings for the next start."""
        self._remember(settings, sync=True)

    def _remember(self, settings: Settings, *, sync: bool) -> None:
        self._remembered[SETTINGS] = settings.text
        self._journal.remember(SETTINGS, settings.text, sync=sync)

    def copy(self) -> None:
        """Writes what was shown to its second place."""
        self._journal.copy()

    def look(self) -> None:
        """Checks that the present game is still where it was written, and tidies up.

        After the end of a turn its second place is synced, and its lines are read back.
        """
        self._journal.look()
        if self._turn_is_over:
            self._journal.copy(sync=True)
            self._turn_is_over = False
            self._journal.verify()
            # Enough for one round on a slow card.
            return
        if self._journal.tidy() and self._indexing is None:
            self._indexing = self._journal.indexing()

    def index(self, enough: Callable[[], bool]) -> None:
        """Indexes a few games that are not yet; `enough` says whether to stop for now.

        Nothing is raised: an old game that cannot be read is no reason not to play.
        """
        try:
            while self._indexing is not None and not enough():
                if next(self._indexing, self) is self:
                    self._indexing = None
        except JournalError as error:
            log.warning("not all games are indexed: %s", error)
            self._indexing = None

    def mend(self, console: Console) -> tuple[Console, Mended | None]:
        """Mends a journal that was found damaged or gone, with everything the console knows of it.

        Returns the console with the games that are still there, and what was done, if anything.
        """
        session = console.session
        game = None if session is None else saved_game_of(session, self._journal.origin)
        number, done = mend(self._journal, game, self._remembered)
        if session is not None and number is not None:
            console = replace(console, session=session.numbered(number))
        return self.with_aside(console), done

    def untold(self) -> Mended | None:
        """The damage or loss that nobody has been told of yet; None if none was found."""
        return what_to_tell(self._journal.untold())

    def note_told(self, mended: Mended) -> None:
        """Notes that people have been told of this."""
        self._journal.forget_untold(mended.damages)

    def scrub(self, time_s: float) -> None:
        """Reads and compares a little of all that is kept; `time_s` only grows."""
        self._journal.scrub(time_s)

    def with_aside(self, console: Console) -> Console:
        """The console with the games that can be resumed, all but the present one.

        Of many that it does not know yet, it reads the latest; `knows_aside` says whether it is
        to be called again.
        """
        present = console.session.record.serial if console.session is not None else None
        going = [one for one in self._journal.going() if one.number != present]
        for one in [one for one in going if one not in self._known][:MOST_READ]:
            self._known[one] = self._aside(one)
        self.knows_aside = all(one in self._known for one in going)
        aside = tuple(filter(None, map(self._known.get, going)))
        # The present game is read again when another takes its place.
        self._known = {one: known for one, known in self._known.items() if one in going}
        if self._indexing is None:
            # Other programs may have brought in games, or deleted some.
            self._indexing = self._journal.indexing()
        kept = replace(console.kept, aside=aside, finished=self._journal.has_finished())
        return replace(console, kept=kept)

    def _aside(self, going: Going) -> Aside | None:
        saved = self._journal.resumable(going)
        if saved is None or saved.game not in GAMES:
            return None
        return Aside(saved.id, saved.game, saved.players)

    def with_records(self, console: Console, enough: Callable[[], bool]) -> Console:
        """The console with everybody's best scores, or unchanged while there is more to count.

        `enough` says whether to stop counting for now; at least one step is always made.
        """
        if self._records is None:
            self._records = records_in_steps(self._journal)
        try:
            for found in self._records:
                if found is not None:
                    console = replace(console, kept=replace(console.kept, records=found))
                    break
                if enough():
                    return console
        except JournalError:
            self._records = None
            raise
        self._records = None
        return console

    def write(self, before: Session | None, after: Console) -> Console:
        """Writes what is new in the log; returns the console, with the number of a new game."""
        session = after.session
        if session is None or before is None:
            return after
        if session.record.serial != before.record.serial:
            fresh = begin_session(self._journal, session)
            self._turn_is_over = True
            # A game that somebody has joined begins with what was played without them.
            self._append_new_lines(fresh, 0)
            return self.with_aside(replace(after, session=fresh))
        self._append_new_lines(session, len(before.record.log))
        return after

    def _append_new_lines(self, session: Session, done: int) -> None:
        if len(session.record.log) > done:
            texts = [line_to_text(session.record.setup, line) for line in session.record.log[done:]]
            ended = session.record.rules.outcome(session.record.state) is not None
            self._journal.append(session.record.serial, done, texts, ended=ended)
            self._records = None
            self._turn_is_over |= _is_between_turns(session)

    def begin(self, console: Console, setup: Setup) -> Console:
        """Begins a game."""
        console = replace(console, settings=console.settings.with_game_begun(setup))
        # Settings first: were the game there already, a second try would begin another.
        self._remember(console.settings, sync=False)
        session = begin_session(self._journal, new_session(setup))
        self._turn_is_over = True
        return self.with_aside(open_session(console, session))

    def name_player(self, console: Console, seat: int, name: str) -> Console:
        """Calls a player of the present game otherwise, in all that is on disk of it."""
        if console.session is None:
            return console
        session = with_player_named(console.session, seat, name)
        console = replace(console, settings=console.settings.with_game_begun(session.record.setup))
        self.remember(console.settings)
        self._journal.name_players(session.record.serial, session.record.setup.players)
        return replace(console, session=session)

    def open(self, console: Console, number: int) -> Console:
        """Resumes a game that was put aside."""
        try:
            session = resume_saved(self._journal.load(number))
        except NoSuchGame:
            return with_refusal(self.with_aside(console), f"GAME {number}", "IS GONE")
        except JournalError as error:
            if error.damaged:
                raise
            # Nobody at the table can mend it; what was written stays where it is.
            log.warning("%s", error)
            return with_refusal(console, f"GAME {number}", "IS DAMAGED")
        saved = self._journal.open(number)
        if len(saved.lines) > len(session.record.log):
            # A stick has brought more of it meanwhile.
            session = resume_saved(saved)
        return self.with_aside(open_session(console, session, resume_notice(session, "GOES ON")))
