"""Wires the rooms together: frames and presses in, journal, then the board."""

import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random, SystemRandom

from appliance.alerts import Alert
from appliance.buzzer import Silence, Sound, Sounds
from appliance.errors import ApplianceError, JournalError
from appliance.journal import Journal
from appliance.picture import Picture
from appliance.rules.game import Draw
from appliance.rules.registry import GAMES
from appliance.saved import begun, load_session, resumed
from appliance.screens.draw import film
from appliance.screens.film import Film
from appliance.screens.layout import two_lines
from appliance.seams import Activity, Board, Keys, Power, Watching
from appliance.sounding import sound_of
from appliance.strategy import advice
from appliance.table.desk import Aside, Desk, Notice, Waited, opened, refused, told, welcome
from appliance.table.desk_prompts import DeskPrompt, NoticePrompt, desk_prompt
from appliance.table.desk_step import Happening, advance
from appliance.table.hinting import wants_hint
from appliance.table.inputs import Drawn, Hinted, Pressed
from appliance.table.log import line_to_text
from appliance.table.pages import RollOff
from appliance.table.remembered import Settings, from_text
from appliance.table.requests import (
    BeginGame,
    Calibrate,
    LookAround,
    OpenGame,
    Remember,
    Request,
    SetBrightness,
    ShutDown,
)
from appliance.table.session import Session, dice_needed, new_session
from vision.frame import Frame

__all__ = [
    "Activity",
    "Appliance",
    "Around",
    "Board",
    "Happened",
    "Keys",
    "Power",
    "Watching",
    "load_session",
]

log = logging.getLogger(__name__)

RECENT = 60
"""Frames that the frame rate is told from."""

ALERT_S, PROMPT_S = 2.4, 1.6
"""Seconds that an alert and the prompt under it are up in turn."""

RETRY_S = 1.0
"""Seconds between tries to save what the disk refused."""

SETTINGS = "desk"
"""The name under which the journal keeps what is remembered."""


@dataclass(frozen=True, slots=True)
class Happened:
    """Something that happened, for whoever listens: a log, a test, a simulated player.

    Attributes:
        frame: index of the frame in which it was noticed.
        time_s: that frame's time in seconds.
        input: what came in.
        session: the game after it; None while there is none.
    """

    frame: int
    time_s: float
    input: Happening
    session: Session | None


@dataclass(frozen=True, slots=True)
class Around:
    """What the menu can do beyond the games. What is None cannot be done here.

    Attributes:
        games: the games that are offered.
        settings: what is remembered where the journal has nothing yet.
        brightness: of the board at the start, where none is remembered.
        dim: sets the board's brightness, 0 to 15.
        power: switches the machine off; without it only the program ends.
        health: lines about versions and how everything is.
        calibrate: begins the calibration; it gets all frames and presses until it is done.
        watch: makes the watcher anew after it, with what was found out.
        sounds: what can be heard.
    """

    games: tuple[str, ...] = tuple(GAMES)
    settings: Settings = field(default_factory=Settings)
    brightness: int = 3
    dim: Callable[[int], None] | None = None
    power: Power | None = None
    health: Callable[[], tuple[tuple[str, str], ...]] | None = None
    calibrate: Callable[[], Activity] | None = None
    watch: Callable[[], Watching] | None = None
    sounds: Sounds = field(default_factory=Silence)


class Appliance:
    """The loop's body: what happens with each frame and each press.

    Every line is in the journal before the board can show it. Time is that of the frames.

    Args:
        session: what to go on with; None begins with the menu.
        journal: where every line is written before it is shown.
        watcher: turns frames into events.
        board: shows pictures.
        keys: the buttons; None without.
        listen: is told of everything that happens.
        chance: draws lots, such as the cards of a deck that the appliance shuffles.
        around: what the menu can do.

    Attributes:
        desk: the present game with all that lies over it.
        picture: what the board shows.
        disk: why the last thing that happened is not on disk; None while all is saved.
        ended: whether the players have switched the appliance off.
    """

    def __init__(
        self,
        session: Session | None,
        journal: Journal,
        watcher: Watching,
        board: Board,
        keys: Keys | None = None,
        listen: Callable[[Happened], None] | None = None,
        chance: Random | None = None,
        around: Around | None = None,
    ) -> None:
        self._journal = journal
        self._watcher = watcher
        self._board = board
        self._keys = keys
        self._listen = listen
        self._chance = chance or SystemRandom()
        self._around = around or Around()
        self.desk = self._first_desk(session)
        self._activity: Activity | None = None
        self._shown: Desk | None = None
        self._prompt: DeskPrompt | None = None
        self._film: Film | None = None
        self._since_s = 0.0
        self._index = 0
        self._time_s = 0.0
        self._times_s: deque[float] = deque(maxlen=RECENT)
        self._alert: Alert | None = None
        self._alert_s = 0.0
        self._unsaved: deque[Happening] = deque()
        self._tried_s = 0.0
        self._blamed = ""
        self.disk: Alert | None = None
        self.picture: Picture | None = None
        self.ended = False

    def _first_desk(self, session: Session | None) -> Desk:
        around = self._around
        text = self._journal.remembered(SETTINGS)
        settings = around.settings if text is None else from_text(text)
        level = settings.brightness
        desk = Desk(
            session=session,
            settings=settings,
            games=around.games,
            can_calibrate=around.calibrate is not None,
            brightness=around.brightness if level is None else level,
        )
        return self._with_aside(desk)

    def _with_aside(self, desk: Desk) -> Desk:
        present = desk.session.serial if desk.session is not None else None
        saved = [g for g in self._journal.unfinished() if g.id != present and g.game in GAMES]
        return replace(desk, aside=tuple(Aside(g.id, g.game, g.players) for g in saved))

    @property
    def session(self) -> Session:
        """The present game.

        Raises:
            LookupError: there is none yet.
        """
        if self.desk.session is None:
            raise LookupError("expected a game, found the menu; begin one first")
        return self.desk.session

    def is_saved(self) -> bool:
        """Whether all that has happened is on disk."""
        return self.disk is None

    @property
    def prompt(self) -> DeskPrompt:
        """What the board has to say now."""
        return desk_prompt(self.desk)

    @property
    def frames_s(self) -> float | None:
        """Frames a second, over the last few; None before there are two."""
        times_s = self._times_s
        spans = len(times_s) - 1
        if spans < 1 or times_s[-1] <= times_s[0]:
            return None
        return spans / (times_s[-1] - times_s[0])

    def start(self) -> None:
        """Shows the first prompt, before the first frame."""
        if self._around.dim is not None:
            self._around.dim(self.desk.brightness)
        session = self.desk.session
        if session is not None and session.log and session.rules.ask(session.state) is not None:
            self.desk = replace(self.desk, notice=welcome(session, "WELCOME BACK"))
        self._watcher.expect(_due(self.desk))
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
        self._times_s.append(frame.time_s)
        if self._activity is not None:
            self._activity.feed(frame)
        else:
            for event in self._watcher.feed(frame):
                self._hear(event)
            self._let_notice_pass()
        self._save_again()
        self.presses()

    def tick(self, time_s: float) -> None:
        """Goes on without a frame: presses, the board, and what waits for the disk.

        Args:
            time_s: seconds on the clock of the frames.
        """
        self._time_s = max(self._time_s, time_s)
        self._let_notice_pass()
        self._save_again()
        self.presses()

    def warn(self, alert: Alert | None) -> None:
        """Says on the board that something is wrong, in turn with the prompt; None ends that."""
        if alert is not self._alert:
            self._alert, self._alert_s = alert, self._time_s
            if alert is not None:
                self._around.sounds.play(Sound.WRONG, self._time_s)

    def say(self, *told_pages: tuple[str, str]) -> None:
        """Shows pages of two lines in passing."""
        self.desk = replace(self.desk, notice=Notice(told_pages))
        self._show()

    def presses(self) -> None:
        """Takes in the presses until now, and shows what follows."""
        self._around.sounds.tick(self._time_s)
        for press in self._keys.poll() if self._keys is not None else ():
            # Who presses wants to see what it does, whatever is wrong.
            self._alert_s = self._time_s - ALERT_S
            if self._activity is not None and isinstance(press, Pressed):
                self._activity.press(press)
            else:
                # Shutting down is possible whatever goes on.
                self._activity = None
                self._hear(press)
        self._show()

    def _hear(self, happened: Happening) -> None:
        """One thing that happened; it waits, and all after it, while the disk refuses."""
        if self._unsaved:
            self._unsaved.append(happened)
            return
        try:
            self._take(happened)
        except JournalError as error:
            self._unsaved.append(happened)
            self._blame_disk(error)
        else:
            self._follow_safely()

    def _follow_safely(self) -> None:
        try:
            self._follow()
        except JournalError as error:
            # What follows is drawn again from the desk as it is.
            self._blame_disk(error)
        else:
            self.disk = None

    def _save_again(self) -> None:
        if self._time_s - self._tried_s < RETRY_S or self.is_saved():
            return
        self._tried_s = self._time_s
        waiting, self._unsaved = self._unsaved, deque()
        self._follow_safely()
        for happened in waiting:
            # The first that is refused again has the others queue up behind it.
            self._hear(happened)
        if self.is_saved():
            self._blamed = ""
            log.info("what was not saved is saved now")

    def _blame_disk(self, error: JournalError) -> None:
        if str(error) != self._blamed:
            # Tried again every second, told once.
            self._blamed = str(error)
            log.error("not saved: %s", error)
            self._alert_s = self._time_s
        self.disk, self._tried_s = error.alert, self._time_s

    def _let_notice_pass(self) -> None:
        shown = self._prompt
        if isinstance(shown, NoticePrompt) and shown.passing and self._film is not None:
            lasts_s = sum(still.seconds for still in self._film.loop)
            if self._time_s - self._since_s >= lasts_s:
                self._hear(Waited())

    def happen(self, happened: Happening) -> None:
        """One thing that happened. The desk is as before if the journal refuses.

        Raises:
            JournalError: the line could not be written; nothing has changed.
        """
        self._take(happened)
        self._follow()

    def _follow(self) -> None:
        self._draw_lots()
        session = self.desk.session
        if session is not None and wants_hint(session):
            self._take(Hinted(advice.hint(session.setup.game, session.state)))

    def _draw_lots(self) -> None:
        while (session := self.desk.session) is not None:
            ask = session.rules.ask(session.state)
            if not isinstance(ask, Draw):
                return
            self._take(Drawn(self._chance.choice(ask.lots)))

    def _take(self, happened: Happening) -> None:
        before = self.desk.session
        after, requests = advance(self.desk, happened)
        # From here on the lines are on disk, whatever becomes of the requests.
        self.desk = self._write(after)
        for request in requests:
            try:
                self.desk = self._carry_out(self.desk, request)
            except JournalError as error:
                self._blame_disk(error)
        after = self.desk
        self._watcher.expect(_due(after))
        if (sound := sound_of(before, after.session)) is not None:
            self._around.sounds.play(sound, self._time_s)
        if self._listen is not None:
            told_of = Happened(self._index, self._time_s, happened, after.session)
            self._listen(told_of)
        if ShutDown() in requests:
            self._shut_down()

    def _write(self, after: Desk) -> Desk:
        session, before = after.session, self.desk.session
        if session is None or before is None:
            return after
        if session.serial != before.serial:
            return self._with_aside(replace(after, session=begun(self._journal, session)))
        done = len(before.log)
        if len(session.log) > done:
            texts = [line_to_text(session.setup, line) for line in session.log[done:]]
            ended = session.rules.outcome(session.state) is not None
            self._journal.append(session.serial, done, texts, ended=ended)
        return after

    def _carry_out(self, desk: Desk, request: Request) -> Desk:
        around = self._around
        match request:
            case BeginGame(setup):
                session = begun(self._journal, new_session(setup))
                settings = desk.settings.begun(setup)
                self._journal.remember(SETTINGS, settings.text)
                desk = replace(desk, settings=settings)
                return self._with_aside(opened(desk, session))
            case OpenGame(number):
                return self._open(desk, number)
            case Remember(settings):
                self._journal.remember(SETTINGS, settings.text)
            case SetBrightness(level) if around.dim is not None:
                around.dim(level)
            case LookAround() if around.health is not None:
                return told(desk, around.health())
            case Calibrate() if around.calibrate is not None:
                try:
                    self._activity = around.calibrate()
                except ApplianceError as error:
                    log.warning("the calibration does not begin: %s", error)
                    return refused(desk, "CALIBRATE", "NOT POSSIBLE")
            case _:
                pass
        return desk

    def _open(self, desk: Desk, number: int) -> Desk:
        try:
            session = resumed(self._journal.load(number))
        except JournalError as error:
            # Nobody at the table can mend it; what was written stays where it is.
            log.warning("%s", error)
            return refused(desk, f"GAME {number}", "IS DAMAGED")
        self._journal.open(number)
        return self._with_aside(opened(desk, session, welcome(session, "GOES ON")))

    def _shut_down(self) -> None:
        self._show()
        try:
            if self._around.power is not None:
                self._around.power.off()
        except ApplianceError as error:
            log.error("%s", error)
            self.desk = refused(self.desk, "CANNOT", "SHUT DOWN")
            return
        self.ended = True

    def _show(self) -> None:
        if self._activity is not None and self._activity.done:
            self._activity = None
            self._shown = None
            if self._around.watch is not None:
                self._watcher = self._around.watch()
                self._watcher.expect(_due(self.desk))
        alert = self.disk or self._alert
        if alert is not None and self._alert_is_up():
            self._put(two_lines(*alert.lines))
            return
        if self._activity is not None:
            self._put(self._activity.picture(self._time_s))
            return
        if self._shown is not self.desk:
            self._look_at_desk()
        if self._film is not None:
            self._put(self._film.at(self._time_s - self._since_s))

    def _alert_is_up(self) -> bool:
        return (self._time_s - self._alert_s) % (ALERT_S + PROMPT_S) < ALERT_S

    def _put(self, picture: Picture) -> None:
        if picture != self.picture:
            self.picture = picture
            self._board.show(picture)

    def _look_at_desk(self) -> None:
        """Draws what a new desk has to show once, not with every frame that shows it."""
        self._shown = self.desk
        session = self.desk.session
        if self._keys is not None:
            playing = session is not None and self.desk.page is None
            self._keys.light(session.holds if session is not None and playing else frozenset())
        shown = self.prompt
        if shown != self._prompt:
            self._prompt = shown
            drawn = film(shown)
            # What looks the same goes on: a page is not cut short by what it does not tell.
            if drawn != self._film:
                self._film = drawn
                self._since_s = self._time_s


def _due(desk: Desk) -> int | None:
    """How many dice should lie in the tray after the next throw; None if it does not matter."""
    if desk.session is None or isinstance(desk.page, RollOff):
        return None
    return dice_needed(desk.session)
