"""Wires the parts together: frames and presses in, journal, then the board."""

import logging
import math
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from random import Random, SystemRandom

from appliance.alerts import BLIND, Alert
from appliance.devices.buzzer import Silence, Sound, Sounds
from appliance.devices.stick import ANSWER_FILE, OFFER_FILE, StickFolder
from appliance.errors import ApplianceError, JournalError
from appliance.inputs import Button, Chord, Pressed, Typed
from appliance.journal.database import Journal
from appliance.journal.library import Library
from appliance.journal.recovery import Rescue, Salvage
from appliance.picture import Picture
from appliance.rules.game import Draw, OptionValue
from appliance.rules.registry import GAMES
from appliance.service.backlog import Backlog
from appliance.service.past_games import Row, review
from appliance.service.ports import Activity, Happened, Keys, PictureBoard, Power, Watching
from appliance.service.presenter import Presenter
from appliance.service.steady import SteadyButtons
from appliance.strategy import advice, computer
from appliance.table.menu import requests as menu
from appliance.table.menu.console import Console, Notice, Waited, refused, welcome, with_about
from appliance.table.menu.main_menu import Off, Records, Review, with_stick
from appliance.table.menu.new_game import RollOff, Typing
from appliance.table.menu.prompting import ConsolePrompt, console_prompt
from appliance.table.menu.settings import Settings
from appliance.table.menu.step import Happening, advance
from appliance.table.session import session as sessions
from appliance.table.session.by_hand import enters_throw
from appliance.table.session.hinting import wants_hint
from appliance.table.session.modes import Playing
from appliance.words import speak
from vision.frame import Frame

log = logging.getLogger(__name__)

FRAME_RATE_FRAMES = 60
"""How many frames the frame rate is measured over."""

MAX_ROUND_S = 1.0
"""After this a round of the loop, which must feed the watchdog, begins nothing more."""

MAX_BACKGROUND_S = 0.05
"""After this a round counts no more records and reviews no more decisions."""

OPEN_MENU = Pressed(Button.OK, long=True)
"""Opens the menu over the game."""

FILE_CHECK_INTERVAL_S = 2.0
"""How often to check whether the file with the games is still there, and a stick plugged in."""


@dataclass(frozen=True, slots=True)
class Environment:
    """What the menu can do besides the games. Whatever is None cannot be done here.

    Attributes:
        settings: the settings to use while the journal has none.
        house: the house rules, for every new game that has them.
        brightness: of the board at the start, where none is remembered.
        language: the language to use, whatever is remembered; None for the remembered one.
        dim: sets the board's brightness, 0 to 15.
        power: switches the machine off; without it only the program ends.
        health: lines about versions and the state of everything.
        calibrate: begins the calibration; it gets all frames and presses until it is done.
        watch: makes a new watcher afterwards, with the new calibration.
        dim_after_s: seconds without a press or a movement in the tray until the board dims.
        dark_after_s: the same until it goes dark.
        network: a new PIN for the score page, and lines about the network that it is on.
        page: whether there is a score page if nobody has chosen at the board.
    """

    games: tuple[str, ...] = tuple(GAMES)
    settings: Settings = field(default_factory=Settings)
    house: Mapping[str, OptionValue] = field(default_factory=dict)
    brightness: int = 3
    language: str | None = None
    dim: Callable[[int], None] | None = None
    power: Power | None = None
    health: Callable[[], tuple[tuple[str, str], ...]] | None = None
    calibrate: Callable[[], Activity] | None = None
    watch: Callable[[], Watching] | None = None
    sounds: Sounds = field(default_factory=Silence)
    dim_after_s: float = math.inf
    dark_after_s: float = math.inf
    stick: StickFolder | None = None
    network: Callable[[], tuple[tuple[str, str], ...]] = tuple
    page: bool = False


class Appliance:
    """The loop's body: what happens with each frame and each press.

    Every line is in the journal before the board can show it. Times are those of the frames.

    Args:
        session: the game to resume; None begins with the menu.
        journal: where every line is written before it is shown.
        keys: the buttons; None if there are none.
        listen: called with everything that happens.
        chance: draws lots, such as the cards of a deck that the appliance shuffles.
        clock: seconds, for ending rounds that a slow disk makes long; by default none is ended.

    Attributes:
        console: the present game with everything that is on top of it.
        activity: gets all frames and presses, such as the calibration; None while the game does.
        ended: whether the players have switched the appliance off.
    """

    def __init__(
        self,
        session: sessions.Session | None,
        journal: Journal,
        watcher: Watching,
        board: PictureBoard,
        keys: Keys | None = None,
        listen: Callable[[Happened], None] | None = None,
        chance: Random | None = None,
        environment: Environment | None = None,
        clock: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self._library = Library(journal)
        self._watcher = watcher
        self._keys = keys
        self._listen = listen
        self._chance = chance or SystemRandom()
        self._environment = environment or Environment()
        self._presenter = Presenter(board, self._environment.sounds)
        self._backlog = Backlog()
        self._clock = clock
        self._round_s = 0.0
        self._heard: deque[Happening] = deque()
        self._steady = SteadyButtons()
        self._asked: deque[menu.Request] = deque()
        self._review: Iterator[tuple[Row, ...] | None] | None = None
        self.activity: Activity | None = None
        self._alert: Alert | None = None
        self._blind = False
        self._awake_s = 0.0
        self._rests = (False, False)
        self._shown: Console | None = None
        self._mended: Salvage | Rescue | None = None
        self._looked_s = 0.0
        self._index = 0
        self._time_s = 0.0
        self._times_s: deque[float] = deque(maxlen=FRAME_RATE_FRAMES)
        self.console = self._first_console(session)
        self.ended = False

    def _first_console(self, session: sessions.Session | None) -> Console:
        environment = self._environment
        settings = self._library.settings(environment.settings)
        language = environment.language or settings.language
        if language is not None:
            speak(language)
        if session is not None and not session.log:
            # Players named on the command line are offered again.
            last, setup = settings.last(session.setup.game), session.setup
            if last is None or last.players != setup.players:
                settings = settings.begun(setup)
                with suppress(JournalError):
                    self._library.remember(settings)
        network = environment.network()
        if environment.page and network and settings.pin is None:
            settings = replace(settings, pin=network[0][1])
            with suppress(JournalError):
                self._library.remember(settings)
        level = settings.brightness
        console = Console(
            session=session,
            settings=settings,
            games=environment.games,
            can_calibrate=environment.calibrate is not None,
            network=network,
            brightness=environment.brightness if level is None else level,
        )
        return self._library.with_aside(console)

    @property
    def session(self) -> sessions.Session:
        """The present game; LookupError if there is none yet."""
        if self.console.session is None:
            raise LookupError("expected a game, found the menu; start one first")
        return self.console.session

    @property
    def prompt(self) -> ConsolePrompt:
        """What the board has to say now."""
        return console_prompt(self.console)

    @property
    def picture(self) -> Picture | None:
        """What the board shows; None before the first picture."""
        return self._presenter.picture

    @property
    def disk(self) -> Alert | None:
        """Why the last thing that happened is not on disk; None while everything is saved."""
        return self._backlog.fault

    @property
    def alert(self) -> Alert | None:
        """The most urgent of what else is wrong."""
        return self._alert

    @property
    def stuck(self) -> frozenset[Alert]:
        """The alert for a button that does what no finger can, if any does."""
        return frozenset({Alert.BUTTON_STUCK} if self._steady.stuck else ())

    @property
    def frames_s(self) -> float | None:
        """Frames a second, over the last few; None before there are two."""
        times_s = self._times_s
        took_s = times_s[-1] - times_s[0] if times_s else 0.0
        return (len(times_s) - 1) / took_s if took_s > 0 else None

    @property
    def idle_s(self) -> float:
        """Seconds since anybody pressed a button, or something moved in the tray."""
        return self._time_s - self._awake_s

    def start(self, time_s: float = 0.0) -> None:
        """Shows the first prompt, before the first frame; `time_s` is on the frames' clock."""
        self._time_s = self._awake_s = time_s
        if self._environment.dim is not None:
            self._environment.dim(self.console.brightness)
        session = self.console.session
        if session is not None and session.log and session.rules.ask(session.state) is not None:
            self.console = replace(self.console, notice=welcome(session, "WELCOME BACK"))
        self._watcher.expect(_dice_due(self.console))
        self._take_consequences()
        self._show()

    def finish(self) -> None:
        """Takes in what the last frames still show; for films, which end."""
        for event in self._watcher.finish():
            self.happen(event)
        self._show()

    def feed(self, frame: Frame) -> None:
        """Takes in one frame and the presses so far, and shows the result."""
        self._round_s = self._clock()
        self._index, self._time_s = frame.index, frame.time_s
        self._times_s.append(frame.time_s)
        if self.activity is not None:
            self.activity.feed(frame)
            self._awake_s = frame.time_s
        else:
            events = self._watcher.feed(frame)
            self._awake_s = frame.time_s if events else self._awake_s
            self._take_when_possible(*events)
        self._end_round()

    def tick(self, time_s: float) -> None:
        """Carries on without a frame: presses, the board, and what waits for the disk."""
        self._round_s = self._clock()
        self._time_s = max(self._time_s, time_s)
        self._end_round()

    def _end_round(self) -> None:
        if self.activity is None and self._presenter.notice_is_over(self._time_s):
            self._take_when_possible(Waited())
        elif self._computer_is_due() and self._presenter.was_shown(self._time_s):
            self._take_when_possible(self._computer_decision())
        if not isinstance(self.console.page, Off):
            # What waits was not meant as an answer to that question.
            self._retry_disk()
        self._check_file()
        self._count_records()
        self._review_decisions()
        if self._mended is not None and self.disk is None:
            # Not earlier: presses that waited would answer this.
            self.console = replace(self.console, notice=Notice(self._mended.pages))
            self._mended = None
        self.presses()

    def _check_file(self) -> None:
        """Checks now and then whether the file with the games is still there."""
        if self.disk is not None or self._time_s - self._looked_s < FILE_CHECK_INTERVAL_S:
            return
        self._looked_s = self._time_s
        try:
            self._library.look()
            self._handle_stick()
        except JournalError as error:
            self._backlog.refused(error, self._time_s)
            self._presenter.begin_alert(self._time_s)

    def _count_records(self) -> None:
        """Counts the records while their page is open, as many games as a round has time for."""
        console = self.console
        if self.disk is None and isinstance(console.page, Records) and console.records is None:
            try:
                self.console = self._library.with_records(
                    console, lambda: self._clock() - self._round_s >= MAX_BACKGROUND_S
                )
            except JournalError as error:
                self._backlog.refused(error, self._time_s)

    def _review_decisions(self) -> None:
        """Reviews the game while the review is open, as much of it as a round has time for."""
        looked_at = isinstance(self.console.page, Review)
        self._review = (self._review or review(self.session)) if looked_at else None
        while self._review and self.console.review is None:
            self.console = replace(self.console, review=next(self._review))
            if self._clock() - self._round_s >= MAX_BACKGROUND_S:
                break

    def _handle_stick(self) -> None:
        """Offers a stick that was plugged in, says what was done with it, or asks for one."""
        stick = self._environment.stick
        if stick is None:
            return
        self.console = with_stick(self.console, stick.lines(OFFER_FILE))
        said = stick.lines(ANSWER_FILE, take=True)
        if said:
            settings = self._library.settings(self.console.settings)
            self.console = self._library.with_aside(replace(self.console, settings=settings))
        elif self.console.over and stick.reminds():
            said = "NO COPY OF", "THE GAMES", "PLUG IN A", "USB STICK"
        if said:
            pages = tuple(zip(said[::2], said[1::2], strict=False))
            self.console = replace(self.console, notice=Notice(pages))

    def warn(self, alert: Alert | None, *, blind: bool = False) -> None:
        """Says on the board that something is wrong, alternating with the prompt; None ends that.

        `blind` says whether throws cannot be read meanwhile.
        """
        if blind is not self._blind:
            self._blind = blind
            session = self.console.session
            entered = session is not None and (session.by_hand or enters_throw(session))
            if entered and not blind:
                # Dice that were entered by hand lie there: they were found, not thrown.
                self._make_watcher()
            self._take_when_possible(sessions.Sight(blind))
        if alert is self._alert:
            return
        self._alert = alert
        if alert is not None:
            self._presenter.begin_alert(self._time_s, Sound.WRONG)

    def say(self, *pages: tuple[str, str]) -> None:
        """Shows pages of two lines in passing."""
        self.console = replace(self.console, notice=Notice(pages))
        self._show()

    @property
    def naming(self) -> bool:
        """Whether a new name is asked for."""
        return isinstance(self.console.page, Typing)

    def type(self, letters: str) -> None:
        """Takes in letters of the name that is asked for, from a keyboard."""
        self._take_when_possible(Typed(letters))

    def presses(self) -> None:
        """Takes in the presses so far, and shows the result."""
        self._environment.sounds.tick(self._time_s)
        presses = () if self._keys is None else self._keys.poll()
        heard: list[Happening] = []
        asleep = self._rests[0]
        for press in self._steady.sieve(presses, self._time_s):
            covered = self._presenter.answer_press(self._time_s)
            self._awake_s = self._time_s
            # The menu is opened over whatever is shown, and acts on nothing.
            menu = press == OPEN_MENU and self.activity is None and self.console.page is None
            if isinstance(press, Pressed) and (asleep or (covered and not menu)):
                # Nobody could see what it would have done: it only wakes or uncovers the board.
                asleep = False
            elif press == Pressed(Button.OK) and self._computer_is_due():
                # A player who does not want to wait hurries the computer.
                heard.append(self._computer_decision())
            elif self.activity is not None and isinstance(press, Pressed):
                self.activity.press(press)
            else:
                # Shutting down is possible whatever is going on.
                self.activity = None
                heard.append(press)
        self._take_when_possible(*heard)
        self._show()

    def _computer_is_due(self) -> bool:
        """Whether a computer player is to decide, with the question already on the board."""
        console, session = self.console, self.console.session
        if session is None or console is not self._shown or self.disk or self.activity:
            return False
        if console.notice is not None:
            return False
        waits = sessions.computing(session) and not sessions.has_decided(session)
        return console.page is None and isinstance(session.mode, Playing) and waits

    def _computer_decision(self) -> sessions.Decided:
        session = self.session
        event = computer.decision(session.setup.game, session.state, session.seed)
        return sessions.Decided(event)

    def _take_when_possible(self, *happened: Happening) -> None:
        """Takes in what has happened, as far as time and the disk allow; the rest waits."""
        was = self.disk
        self._heard.extend(happened)
        while self._heard:
            if self.disk is not None:
                self._take_without_disk(self._heard.popleft())
            elif self._clock() - self._round_s < MAX_ROUND_S:
                self._take_waiting()
            else:
                break
        if self.disk is not None and self.disk is not was:
            self._presenter.begin_alert(self._time_s)

    def _take_without_disk(self, happened: Happening) -> None:
        asked = isinstance(self.console.page, Off)
        if isinstance(happened, Chord) or (asked and isinstance(happened, Pressed)):
            # None of it is written, so it need not wait for a disk that may stay as it is.
            self._take_one(happened)
        else:
            self._backlog.add(happened)

    def _take_waiting(self) -> None:
        """Takes in what was heard, up to where the game needs an answer from the appliance."""
        waiting = iter(self._heard)

        def pull(console: Console) -> Happening | None:
            due = console is not self.console and _answer_is_due(console)
            return None if due else next(waiting, None)

        try:
            for _ in range(self._take_all(pull)):
                self._heard.popleft()
        except JournalError as error:
            self._backlog.add(self._heard.popleft())
            self._backlog.refused(error, self._time_s)
        else:
            self._take_consequences()

    def _take_consequences(self) -> None:
        """Takes in what follows from what was just taken in."""
        try:
            self._write_consequences()
        except JournalError as error:
            self._backlog.refused(error, self._time_s)
        else:
            self._backlog.accepted()

    def _retry_disk(self) -> None:
        """Tries to write what waits for the disk, when it is time to."""
        backlog = self._backlog
        if not backlog.due(self._time_s):
            return
        if backlog.damaged:
            try:
                self.console, done = self._library.mend(self.console)
            except JournalError as error:
                backlog.refused(error, self._time_s)
                return
            if done is not None:
                self._mended = done
                log.error("%s", done.sentence)
            backlog.mended(self._time_s)
        self._heard.extendleft(reversed(backlog.release()))
        self._take_consequences()
        # If one is refused again, the others queue up behind it.
        self._take_when_possible()
        backlog.tried()

    def happen(self, happened: Happening) -> None:
        """Takes in one thing that happened; a JournalError leaves what was not saved undone."""
        self._take_one(happened)
        self._write_consequences()

    def _write_consequences(self) -> None:
        if self._asked:
            self._answer_requests()
            self._notify_listener(Waited(), self.console.session)
        while self._take_all(self._next_lot):
            pass
        session = self.console.session
        if session is not None and wants_hint(session):
            self._take_one(sessions.Hinted(advice.hint(session.setup.game, session.state)))

    def _next_lot(self, console: Console) -> sessions.Drawn | sessions.Seeded | None:
        """The lot that the game asks for, or a seed before the first; None if it asks for none."""
        session = console.session
        ask = None if session is None else session.rules.ask(session.state)
        if session is None:
            return None
        if not session.log and (isinstance(ask, Draw) or sessions.hides_dice(session)):
            return sessions.Seeded(f"{self._chance.getrandbits(64):016x}")
        if not isinstance(ask, Draw):
            return None
        # A game from an older version has no seed.
        return sessions.Drawn(sessions.next_lot(session) or self._chance.choice(ask.lots))

    def _take_one(self, happened: Happening) -> None:
        happens = iter((happened,))
        self._take_all(lambda _: next(happens, None))

    def _take_all(self, pull: Callable[[Console], Happening | None]) -> int:
        """Takes in one thing after another, all in one write, until `pull` returns None.

        Stops before what begins a game, which gets a write of its own, and after what makes
        requests. Returns how many were taken; after a JournalError nothing has changed.
        """
        console, requests = self.console, tuple[menu.Request, ...]()
        taken: list[tuple[Happening, sessions.Session | None, sessions.Session | None]] = []
        begins = False
        while not begins and not requests and (happened := pull(console)) is not None:
            if isinstance(happened, Pressed):
                console = self._without_unseen_notice(console)
            after, asked = advance(console, happened)
            begins = _game_serial(after) != _game_serial(console)
            if begins and taken:
                # It needs a write of its own.
                break
            taken.append((happened, console.session, after.session))
            console, requests = after, asked
        if not taken:
            return 0
        self.console = self._library.write(self.console.session, console)
        # From here on the lines are on disk; a request that is refused is retried later.
        self._asked.extend(requests)
        with suppress(JournalError):
            self._answer_requests()
        taken[-1] = (*taken[-1][:2], self.console.session)
        for happened, before, now in taken:
            self._presenter.hear(before, now, self._time_s)
            self._notify_listener(happened, now)
        if menu.ShutDown() in requests:
            self._shut_down()
        return len(taken)

    def _without_unseen_notice(self, console: Console) -> Console:
        """The console without a notice that came up after the press, which cannot have meant it."""
        seen = None if self._shown is None else self._shown.notice
        return console if console.notice is seen else replace(console, notice=None)

    def _answer_requests(self) -> None:
        """Carries out what the console asked for, in order, as far as the disk allows."""
        try:
            while self._asked:
                self.console = self._carry_out(self.console, self._asked[0])
                self._asked.popleft()
        finally:
            self._watcher.expect(_dice_due(self.console))

    def _notify_listener(self, happened: Happening, session: sessions.Session | None) -> None:
        if self._listen is not None:
            self._listen(Happened(self._index, self._time_s, happened, session))

    def _carry_out(self, console: Console, request: menu.Request) -> Console:
        environment = self._environment
        match request:
            case menu.BeginGame(setup, after):
                house = setup.under(environment.house)
                return self._library.begin(replace(console, ended=after), house)
            case menu.OpenGame(number):
                return self._library.open(console, number)
            case menu.Remember(settings):
                self._library.remember(settings)
                if settings.language is not None:
                    speak(settings.language)
            case menu.SetBrightness(level) if environment.dim is not None:
                environment.dim(level)
            case menu.ShowAbout() if environment.health is not None:
                console = replace(console, network=environment.network())
                return with_about(console, environment.health())
            case menu.UseStick(word) if environment.stick is not None:
                try:
                    environment.stick.ask(word)
                except ApplianceError as error:
                    log.warning("%s", error)
                    return refused(console, word, "NOT DONE")
                pages = (word, "PLEASE WAIT"), ("LEAVE THE", "STICK IN")
                return replace(console, notice=Notice(pages))
            case menu.Calibrate() if environment.calibrate is not None:
                try:
                    self.activity = environment.calibrate()
                except ApplianceError as error:
                    log.warning("calibration does not start: %s", error)
                    return refused(console, "CALIBRATE", "NOT POSSIBLE")
        return console

    def _shut_down(self) -> None:
        self._show()
        try:
            if self._environment.power is not None:
                self._environment.power.off()
        except ApplianceError as error:
            log.error("%s", error)
            self.console = refused(self.console, "CANNOT", "SHUT DOWN")
            return
        self.ended = True

    def _show(self) -> None:
        if self.activity is not None and self.activity.done:
            self.activity = self._shown = None
            self._make_watcher()
        instead = None
        if self.activity is not None:
            instead = self.activity.picture(self._time_s)
        elif self._shown is not self.console:
            # A console is looked at once, not at every frame that shows it.
            self._shown = self.console
            self._light_hold_lamps()
            self._presenter.look(self.prompt, self._time_s)
        session = self.console.session
        entering = session is not None and enters_throw(session) and self._alert in BLIND
        alert = self.disk or (None if entering else self._alert)
        if self._dim_or_wake():
            instead, alert = Picture(), None
        self._presenter.show(self._time_s, alert, instead)

    def _dim_or_wake(self) -> bool:
        """Dims the board when nobody is playing, or wakes it; returns whether it is to be dark."""
        environment, idle_s = self._environment, self.idle_s
        dark, dimmed = idle_s >= environment.dark_after_s, idle_s >= environment.dim_after_s
        if (dark, dimmed) != self._rests:
            self._rests = dark, dimmed
            self._light_hold_lamps()
            if environment.dim is not None:
                environment.dim(self.console.brightness // (4 if dimmed else 1))
        return dark

    def _make_watcher(self) -> None:
        if self._environment.watch is not None:
            self._watcher = self._environment.watch()
            self._watcher.expect(_dice_due(self.console))

    def _light_hold_lamps(self) -> None:
        if self._keys is None:
            return
        session = self.console.session if self.console.page is None else None
        dark = self._rests[0]
        lit = frozenset() if session is None or dark else sessions.held(session)
        self._keys.light(lit)


def _game_serial(console: Console) -> int | None:
    return None if console.session is None else console.session.serial


def _answer_is_due(console: Console) -> bool:
    """Whether the game asks the appliance, and not the players."""
    session = console.session
    return session is not None and (
        isinstance(session.rules.ask(session.state), Draw) or wants_hint(session)
    )


def _dice_due(console: Console) -> int | None:
    """How many dice should lie in the tray after the next throw; None if it does not matter."""
    if console.session is None or isinstance(console.page, RollOff):
        return None
    return sessions.dice_needed(console.session)
