"""Wires the rooms together: frames and presses in, journal, then the board."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from random import Random, SystemRandom
from typing import Protocol

from appliance.errors import JournalError
from appliance.journal import Journal, SavedGame
from appliance.picture import Picture
from appliance.rules.game import Draw, RulesError
from appliance.screens.draw import film
from appliance.screens.film import Film
from appliance.strategy import advice
from appliance.table.hinting import wants_hint
from appliance.table.inputs import Chord, Drawn, Hinted, Pressed
from appliance.table.log import line_to_text, lines_from_text
from appliance.table.prompts import Prompt, prompt
from appliance.table.session import Session, Setup, dice_needed, new_session, resume
from appliance.table.step import Input, step
from vision.events import TrayEvent
from vision.frame import Frame


class Watching(Protocol):
    """The seam to vision."""

    def feed(self, frame: Frame) -> Sequence[TrayEvent]:
        """What is new in the tray with this frame."""

    def finish(self) -> Sequence[TrayEvent]:
        """What can still be told when no frame follows, as at the end of a film."""

    def expect(self, count: int | None) -> None:
        """How many dice the game needs in the tray; None if it does not matter."""


class Board(Protocol):
    """The seam to a scoreboard."""

    def show(self, picture: Picture) -> None:
        """Shows a picture as soon as it can; never waits."""


class Keys(Protocol):
    """The seam to the buttons."""

    def poll(self) -> tuple[Pressed | Chord, ...]:
        """The presses and chords since the last call, oldest first; never waits."""

    def light(self, slots: frozenset[int]) -> None:
        """Lights the lamps of these hold slots."""


@dataclass(frozen=True, slots=True)
class Happened:
    """Something that happened, for whoever listens: a log, a test, a simulated player.

    Attributes:
        frame: index of the frame in which it was noticed.
        time_s: that frame's time in seconds.
        input: what came in.
        session: the session after it.
    """

    frame: int
    time_s: float
    input: Input
    session: Session


def load_session(journal: Journal, setup: Setup | None, *, fresh: bool = False) -> Session:
    """The session to go on with: the last game if it is not over, else a new one.

    Args:
        journal: where games are kept.
        setup: what a new game is started with; a saved game goes on if it is of this setup. None
            goes on with whatever game was last.
        fresh: begin a new game in any case.

    Raises:
        JournalError: the saved game cannot be replayed, or there is none and no setup.
        RulesError: the game cannot be started with this setup.
    """
    saved = journal.last()
    if saved is not None and not saved.ended and not fresh:
        found = Setup(saved.game, saved.players, saved.options)
        if setup is None or found == setup:
            return _resume(saved, found)
    if setup is None:
        raise JournalError("expected a saved game to go on with, found none; name game and players")
    return _begin(journal, new_session(setup))


def _resume(saved: SavedGame, setup: Setup) -> Session:
    try:
        return resume(setup, lines_from_text(setup, saved.lines), saved.id)
    except (RulesError, IndexError) as error:
        raise JournalError(
            f"game {saved.id}: expected lines that replay, found {error}; "
            "begin a new game (the old lines are kept)"
        ) from error


def _begin(journal: Journal, session: Session) -> Session:
    """Begins a new game in the journal; the session with the number that it has there."""
    setup = session.setup
    number = journal.begin(
        setup.game, setup.rules.EDITION, setup.players, setup.options, version("dicetray")
    )
    return replace(session, serial=number)


class Appliance:
    """The loop's body: what happens with each frame and each press.

    Every line is in the journal before the board can show it. Time is that of the frames.

    Args:
        session: what to go on with.
        journal: where every line is written before it is shown.
        watcher: turns frames into events.
        board: shows pictures.
        keys: the buttons; None without.
        listen: is told of everything that happens.
        chance: draws lots, such as the cards of a deck that the appliance shuffles.
    """

    def __init__(
        self,
        session: Session,
        journal: Journal,
        watcher: Watching,
        board: Board,
        keys: Keys | None = None,
        listen: Callable[[Happened], None] | None = None,
        chance: Random | None = None,
    ) -> None:
        self.session = session
        self._journal = journal
        self._watcher = watcher
        self._board = board
        self._keys = keys
        self._listen = listen
        self._chance = chance or SystemRandom()
        self._shown: Session | None = None
        self._prompt: Prompt | None = None
        self._film: Film | None = None
        self._since_s = 0.0
        self._index = 0
        self._time_s = 0.0
        self.picture: Picture | None = None

    @property
    def prompt(self) -> Prompt:
        """What the board has to say now."""
        return prompt(self.session)

    def start(self) -> None:
        """Shows the first prompt, before the first frame."""
        self._watcher.expect(dice_needed(self.session))
        self._draw_lots()
        self._show()

    def finish(self) -> None:
        """Takes in what the last frames still tell; for films, which end."""
        for event in self._watcher.finish():
            self.happen(event)
        self._show()

    def feed(self, frame: Frame) -> None:
        """Takes in one frame and the presses until now, and shows what follows."""
        self._index, self._time_s = frame.index, frame.time_s
        for event in self._watcher.feed(frame):
            self.happen(event)
        self.presses()

    def presses(self) -> None:
        """Takes in the presses until now, and shows what follows."""
        if self._keys is not None:
            for press in self._keys.poll():
                if isinstance(press, Pressed):
                    self.happen(press)
        self._show()

    def happen(self, happened: Input) -> None:
        """One thing that happened. The session is as before if the journal refuses.

        Raises:
            JournalError: the line could not be written; the session has not changed.
        """
        self._take(happened)
        self._draw_lots()
        if wants_hint(self.session):
            session = self.session
            self._take(Hinted(advice.hint(session.setup.game, session.state)))

    def _draw_lots(self) -> None:
        session = self.session
        while isinstance(ask := session.rules.ask(session.state), Draw):
            self._take(Drawn(self._chance.choice(ask.lots)))
            session = self.session

    def _take(self, happened: Input) -> None:
        after = step(self.session, happened)
        self.session = self._write(after)
        self._watcher.expect(dice_needed(self.session))
        if self._listen is not None:
            self._listen(Happened(self._index, self._time_s, happened, self.session))

    def _write(self, after: Session) -> Session:
        if after.serial != self.session.serial:
            return _begin(self._journal, after)
        done = len(self.session.log)
        if len(after.log) > done:
            texts = [line_to_text(after.setup, line) for line in after.log[done:]]
            ended = after.rules.outcome(after.state) is not None
            self._journal.append(after.serial, done, texts, ended=ended)
        return after

    def _show(self) -> None:
        if self._shown is not self.session:
            self._look_at_session()
        if self._film is None:
            return
        picture = self._film.at(self._time_s - self._since_s)
        if picture != self.picture:
            self.picture = picture
            self._board.show(picture)

    def _look_at_session(self) -> None:
        """Draws what a new session has to show once, not with every frame that shows it."""
        self._shown = self.session
        if self._keys is not None:
            self._keys.light(self.session.holds)
        shown = self.prompt
        if shown != self._prompt:
            self._prompt = shown
            drawn = film(shown)
            # What looks the same goes on: a page is not cut short by what it does not tell.
            if drawn != self._film:
                self._film = drawn
                self._since_s = self._time_s
