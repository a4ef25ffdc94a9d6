"""Desk and journal: every line on disk before it counts, games begun, opened and put aside."""

import logging
from dataclasses import replace

from appliance.errors import JournalError
from appliance.journal.database import Journal
from appliance.journal.log import line_to_text
from appliance.journal.recovery import Known, Salvage, mend
from appliance.journal.saved import as_saved, begun, resumed
from appliance.rules.registry import GAMES
from appliance.table.menu.console import Aside, Desk, opened, refused, welcome
from appliance.table.menu.settings import Settings, from_text
from appliance.table.session.session import Session, Setup, new_session

log = logging.getLogger(__name__)

SETTINGS = "desk"
"""The name under which the journal keeps what is remembered."""


class Books:
    """Keeps the desk's games in a journal. Every method may raise JournalError.

    Args:
        journal: the games on disk.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._remembered: dict[str, str] = {}

    def settings(self, default: Settings) -> Settings:
        """What is remembered."""
        text = self._journal.remembered(SETTINGS)
        if text is None:
            return default
        self._remembered[SETTINGS] = text
        return from_text(text)

    def remember(self, settings: Settings) -> None:
        """Keeps this for the next start."""
        self._remembered[SETTINGS] = settings.text
        self._journal.remember(SETTINGS, settings.text)

    def mend(self, desk: Desk) -> tuple[Desk, Salvage | None]:
        """Salvages a journal that was found damaged, with all that the desk knows of it.

        Returns:
            The desk with the games that are still there, and what was done, if anything.
        """
        game = None if desk.session is None else as_saved(desk.session)
        salvage = mend(self._journal, Known(game, self._remembered))
        return self.with_aside(desk), salvage

    def with_aside(self, desk: Desk) -> Desk:
        """The desk with the games that can go on, all but the present one."""
        present = desk.session.serial if desk.session is not None else None
        saved = [g for g in self._journal.unfinished() if g.id != present and g.game in GAMES]
        return replace(desk, aside=tuple(Aside(g.id, g.game, g.players) for g in saved))

    def write(self, before: Session | None, after: Desk) -> Desk:
        """Writes what is new in the desk's log; the desk, with the number of a game that began."""
        session = after.session
        if session is None or before is None:
            return after
        if session.serial != before.serial:
            return self.with_aside(replace(after, session=begun(self._journal, session)))
        done = len(before.log)
        if len(session.log) > done:
            texts = [line_to_text(session.setup, line) for line in session.log[done:]]
            ended = session.rules.outcome(session.state) is not None
            self._journal.append(session.serial, done, texts, ended=ended)
        return after

    def begin(self, desk: Desk, setup: Setup) -> Desk:
        """Begins a game."""
        desk = replace(desk, settings=desk.settings.begun(setup))
        # First: were the game there already, a second try would begin another.
        self.remember(desk.settings)
        session = begun(self._journal, new_session(setup))
        return self.with_aside(opened(desk, session))

    def open(self, desk: Desk, number: int) -> Desk:
        """Goes on with a game that was put aside."""
        try:
            session = resumed(self._journal.load(number))
        except JournalError as error:
            if error.damaged:
                raise
            # Nobody at the table can mend it; what was written stays where it is.
            log.warning("%s", error)
            return refused(desk, f"GAME {number}", "IS DAMAGED")
        self._journal.open(number)
        return self.with_aside(opened(desk, session, welcome(session, "GOES ON")))
