"""The console as it is on disk: whatever happens is in the journal before anybody can see it."""

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Protocol

from appliance.errors import JournalError
from appliance.inputs import Pressed
from appliance.journal.library import Library
from appliance.service.event_announcer import EventAnnouncer
from appliance.service.requests import Requests
from appliance.service.tray_watch import TrayWatch
from appliance.table.menu import requests as menu
from appliance.table.menu.console import Console, Waited
from appliance.table.menu.step import Happening, advance
from appliance.table.session import session as sessions
from appliance.table.session.hinting import wants_advice, wants_hint
from appliance.table.session.listing import ranked_choices
from games.strategy import advice
from games.values import Draw


class Showing(Protocol):
    """Where the console is shown."""

    def show(self, console: Console) -> None:
        """Shows what is due now."""

    def may_answer(self, console: Console, press: Pressed) -> bool:
        """True if a press can have meant this console, which may not have been shown yet."""

    def refuse_press(self) -> None:
        """Lets people hear that a press was not taken."""

    def without_unseen_notice(self, console: Console) -> Console:
        """The console without a notice that came up after a press, which cannot have meant it."""


class SavedConsole:
    """The present game with everything that is on top of it, as far as it is on disk.

    Every method that takes something in may raise a JournalError, which leaves undone what was not
    saved.

    Args:
        chance: draws lots, such as the cards of a deck that the appliance shuffles.
        takes: whether what this console tells was up for long enough to be taken away by a press.

    Attributes:
        console: what may be shown.
        ended: whether the players have switched the appliance off.
        asked: what the menu asked for and has not got yet.
    """

    def __init__(
        self,
        console: Console,
        library: Library,
        requests: Requests,
        chance: Random,
        tray: TrayWatch,
        announcer: EventAnnouncer,
        display: Showing,
        takes: Callable[[Console, Pressed], bool],
    ) -> None:
        self._library = library
        self._requests = requests
        self._chance = chance
        self._tray = tray
        self._announcer = announcer
        self._display = display
        self._takes = takes
        self.console = console
        self.ended = False
        self.asked: deque[menu.Request] = deque()

    def may_answer(self, press: Pressed) -> bool:
        """True if a press can have meant this console, which may not have been shown yet.

        Otherwise people hear that it was not taken.
        """
        may = self._display.may_answer(self.console, press)
        if not may:
            self._display.refuse_press()
        return may

    def take(self, happened: Happening) -> None:
        """Takes in one thing, without what follows from it."""
        happens = iter((happened,))
        self.take_all(lambda _: next(happens, None))

    def take_all(self, pull: Callable[[Console], Happening | None]) -> int:
        """Takes in one thing after another, all in one write, until `pull` returns None.

        Stops before what begins a game, which gets a write of its own, and after what makes
        requests. Returns how many were taken; after a JournalError nothing has changed.
        """
        console = self.console
        requests = tuple[menu.Request, ...]()
        taken: list[tuple[Happening, sessions.Session | None, sessions.Session | None]] = []
        begins = refused = False
        while not begins and not requests and (happened := pull(console)) is not None:
            if isinstance(happened, Pressed):
                console = self._display.without_unseen_notice(console)
                refused = refused or not self._display.may_answer(console, happened)
                refused = refused or not self._takes(console, happened)
                if refused:
                    # Nobody has seen yet what it, or what follows it, would do.
                    self._display.refuse_press()
                    taken.append((happened, console.session, console.session))
                    continue
            after, asked = advance(console, happened)
            begins = _game_serial(after) != _game_serial(console)
            if begins and taken:
                # It needs a write of its own.
                break
            taken.append((happened, console.session, after.session))
            console = after
            requests = asked
        if not taken:
            return 0
        self.console = self._library.write(self.console.session, console)
        # From here on the lines are on disk; a request that is refused is retried later.
        self.asked.extend(requests)
        with suppress(JournalError):
            self._answer_requests()
        taken[-1] = (*taken[-1][:2], self.console.session)
        for happened, before, now in taken:
            self._announcer.announce(happened, before, now)
        if menu.ShutDown() in requests:
            self._shut_down()
        return len(taken)

    def take_consequences(self) -> None:
        """Takes in what follows from what was just taken in: requests, lots, a hint."""
        if self.asked:
            self._answer_requests()
            session = self.console.session
            self._announcer.announce(Waited(), session, session)
        while self.take_all(self._next_lot):
            pass
        session = self.console.session
        if session is not None and wants_hint(session):
            self.take(sessions.Hinted(advice.hint(session.record.rules, session.record.state)))
        if session is not None and _begins_list_of_beginner(self.console):
            listed = ranked_choices(session)
            best = advice.best_of(session.record.rules, session.record.state, listed)
            self.take(sessions.Advised(best))
        self._remember_winners()

    def _remember_winners(self) -> None:
        """Who has won once is no beginner any more."""
        session, settings = self.console.session, self.console.settings
        if session is None or not self.console.over:
            return
        outcome = session.record.rules.outcome(session.record.state)
        names = [session.record.setup.players[seat] for seat in outcome.winners] if outcome else []
        after = settings.with_winners(names)
        if after != settings:
            self._library.remember(after)
            self.console = replace(self.console, settings=after)

    def _next_lot(self, console: Console) -> sessions.Drawn | sessions.Seeded | None:
        """The lot that the game asks for, or a seed before the first; None if it asks for none."""
        session = console.session
        if session is None:
            return None
        ask = session.record.ask
        if not session.record.log and (isinstance(ask, Draw) or sessions.hides_dice(session)):
            return sessions.Seeded(f"{self._chance.getrandbits(64):016x}")
        if not isinstance(ask, Draw):
            return None
        # A game from an older version has no seed.
        return sessions.Drawn(sessions.next_lot(session) or self._chance.choice(ask.lots))

    def _answer_requests(self) -> None:
        """Carries out what the console asked for, in order, as far as the disk allows."""
        try:
            while self.asked:
                self.console = self._requests.carry_out(self.console, self.asked[0])
                self.asked.popleft()
        finally:
            self._tray.expect_dice(self.console)

    def _shut_down(self) -> None:
        # The machine may be off before the next round.
        self._display.show(self.console)
        self.console, self.ended = self._requests.shut_down(self.console)

    def awaits_appliance(self, console: Console) -> bool:
        """True if a console, later than the saved one, needs an answer of the appliance first."""
        session = console.session
        if session is None or console is self.console:
            return False
        awaits = isinstance(session.record.ask, Draw) or wants_hint(session)
        return awaits or _begins_list_of_beginner(console)


def _begins_list_of_beginner(console: Console) -> bool:
    """True if somebody who has never won looks at a list, and should see the best of it first."""
    session = console.session
    if session is None or not console.equipment.advises or not wants_advice(session):
        return False
    ask, players = session.record.ask, session.record.setup.players
    return ask is not None and players[ask.seat] not in console.settings.winners


def _game_serial(console: Console) -> int | None:
    return None if console.session is None else console.session.record.serial
