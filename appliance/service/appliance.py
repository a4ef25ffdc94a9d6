"""Wires the parts together: frames and presses in, journal, then the board."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from appliance.alerts import Alert, by_urgency
from appliance.inputs import Picked, Typed
from appliance.journal.journal import Journal
from appliance.journal.library import Library
from appliance.picture import Picture
from appliance.service.background import Background
from appliance.service.backlog import Backlog
from appliance.service.cameras import CameraChoice
from appliance.service.computer_turn import computer_decision, deciding_session
from appliance.service.devices import Devices, Tray
from appliance.service.display import Display
from appliance.service.environment import Environment
from appliance.service.event_announcer import EventAnnouncer
from appliance.service.first_console import first_console
from appliance.service.inbox import Inbox
from appliance.service.losses import Losses
from appliance.service.modules import ModuleWatch
from appliance.service.ports import Activity, Happened
from appliance.service.presenter import Presenter
from appliance.service.press_gate import PRESS_AGAIN, PressGate
from appliance.service.presses import Presses
from appliance.service.requests import Requests
from appliance.service.rest import Rest
from appliance.service.saved_console import SavedConsole
from appliance.service.tick import Tick
from appliance.service.tray_watch import TrayWatch
from appliance.service.voice_announcer import VoiceAnnouncer
from appliance.table.menu.asking import console_prompt
from appliance.table.menu.console import Console, Notice, Waited, resume_notice
from appliance.table.menu.new_game import Typing
from appliance.table.menu.step import Happening
from appliance.table.menu.upkeep import OtherColours, OtherDice
from appliance.table.prompts.prompt import Prompt
from appliance.table.session import session as sessions
from appliance.table.session.by_hand import enters_throw
from appliance.table.session.throws import leave_found_dice
from vision.frame import Frame


class Appliance:
    """The loop's body: what happens with each frame and each press.

    Frames become events in the tray watch, presses are sorted by `Presses`; both go through the
    inbox to the saved console, which writes every line to the journal before the display can show
    it. Times are those of the frames.

    Args:
        devices: what it shows on, and is told by.
        tray: what it watches.
        journal: where every line is written before it is shown.
        environment: what is settled before.
        session: the game to resume; None begins with the menu.
        listen: called with everything that happens.
    """

    def __init__(
        self,
        devices: Devices,
        tray: Tray,
        journal: Journal,
        environment: Environment | None = None,
        *,
        session: sessions.Session | None = None,
        listen: Callable[[Happened], None] | None = None,
    ) -> None:
        environment = environment or Environment()
        library = Library(journal)
        backlog = Backlog()
        now = Tick(devices.clock)
        presenter = Presenter(devices.board, devices.sounds)
        watch = TrayWatch(tray.watcher, tray.watch)
        rest = Rest(environment.dim_after_s, environment.dark_after_s, devices.dim)
        keys, voice = devices.keys, VoiceAnnouncer(devices.voice)
        display = Display(presenter, keys, rest, watch, backlog, now, voice)
        presses = Presses(keys, presenter, rest, display, watch, environment.guided)
        losses = Losses(library, display, presses, now)
        saved = SavedConsole(
            first_console(session, library, environment, tray),
            library,
            Requests(library, environment, devices, tray, watch),
            devices.chance,
            watch,
            EventAnnouncer(presenter, listen, now),
            display,
            losses.takes,
        )
        begin_alert = presenter.begin_alert
        self._devices = devices
        self._tick = now
        self._presenter = presenter
        self._tray = watch
        self._rest = rest
        self._display = display
        self._backlog = backlog
        self._saved = saved
        self._presses = presses
        self._losses = losses
        self._gate = PressGate(display.asked)
        self._inbox = Inbox(saved, library, backlog, now, begin_alert)
        self._modules = ModuleWatch(saved, watch, devices.layouts)
        self._cameras = CameraChoice(saved, devices)
        self._background = Background(
            saved, library, backlog, devices.stick, now, begin_alert, rest.idle_s
        )
        self._blind = False

    def start(self, time_s: float = 0.0) -> None:
        """Shows the first prompt, before the first frame; `time_s` is on the frames' clock."""
        saved = self._saved
        self._tick.time_s = time_s
        self._rest.wake(time_s)
        if self._devices.dim is not None:
            self._devices.dim(saved.console.brightness)
        session = saved.console.session
        if session is not None and session.record.log and session.record.ask is not None:
            notice = resume_notice(session, "WELCOME BACK")
            saved.console = replace(saved.console, notice=notice)
        self._tray.expect_dice(saved.console)
        self._inbox.take_consequences()
        self._show()

    def feed(self, frame: Frame) -> None:
        """Takes in one frame and the presses so far, and shows the result."""
        self._tick.begin_with_frame(frame)
        events = self._tray.feed(frame)
        if events or self._tray.activity is not None:
            self._rest.wake(frame.time_s)
        self._inbox.take(*events)
        self._end_tick()

    def take_note_of_what_lies_there(
        self, frames: Iterable[Frame], look: Callable[[Frame], None]
    ) -> None:
        """Takes in frames from before the game: the dice in them were not thrown in it.

        What has been pressed meanwhile waits: it must not answer a question that nobody saw.

        Args:
            frames: in order of time.
            look: called with each.
        """
        for frame in frames:
            look(frame)
            self._tick.begin_with_frame(frame)
            self._inbox.take(*self._tray.feed(frame))
        session = self.console.session
        if session is not None:
            self.console = replace(self.console, session=leave_found_dice(session))
            self._show()

    def tick(self, time_s: float) -> None:
        """Carries on without a frame: presses, the board, and what waits for the disk."""
        self._tick.begin_without_frame(time_s)
        self._end_tick()

    def _end_tick(self) -> None:
        """Ends every round, with a frame or without: all that is due, presses, the board."""
        console = self._saved.console
        time_s = self._tick.time_s
        if self._tray.activity is None and self._presenter.notice_is_over(time_s):
            self._inbox.take(Waited())
        elif self._display.is_up_to_date(console) and self._presenter.was_shown(time_s):
            session = deciding_session(console)
            if session is not None and not self._gate.rolls(console, time_s):
                self._inbox.take(computer_decision(session))
        self._inbox.retry_disk()
        self._background.work()
        self._modules.work()
        self._cameras.work()
        if self.disk is None:
            # Not earlier: presses that waited would answer this.
            self.console = self._losses.work(self.console)
        self.presses()
        self._background.copy_what_was_shown()

    def presses(self) -> None:
        """Takes in the presses so far, and shows the result."""
        time_s = self._tick.time_s
        self._devices.sounds.tick(time_s)
        # Twice: what was pressed while a slow disk wrote was meant for what is still shown.
        for _ in range(2):
            presses = self._presses.for_the_game(self._saved.console, time_s)
            self._take_presses(presses)
            if not presses:
                break
        self._show()

    def _take_presses(self, presses: Sequence[Happening]) -> None:
        """Takes in what was pressed, except for dice that do not lie there any more."""
        time_s = self._tick.time_s
        passed = [
            self._gate.pass_on(self._saved.console, press, time_s) for press in presses or (None,)
        ]
        self._inbox.take(*(press for counts, _ in passed for press in counts))
        session = self.console.session
        if session is not None and any(late for _, late in passed):
            told = replace(session, remark=PRESS_AGAIN)
            self._presenter.play_sound(session, told, time_s)
            self.console = replace(self.console, session=told)

    def _show(self) -> None:
        self._tray.end_finished_activity(self._saved.console)
        self._modules.follow(self._saved.console)
        self._inbox.leave_out_late_presses()
        self._display.show(self._saved.console)
        self._gate.note_shown(self._saved.console)

    def finish(self) -> None:
        """Takes in what the last frames still show; for films, which end."""
        for event in self._tray.watcher.finish():
            self.happen(event)
        self._show()

    def happen(self, happened: Happening) -> None:
        """Takes in one thing that happened; a JournalError leaves what was not saved undone."""
        self._saved.take(happened)
        self._saved.take_consequences()

    def warn(self, *alerts: Alert, blind: bool = False) -> None:
        """Says on the board what is wrong, in turn with the prompt, and nothing else.

        The most urgent comes first; `blind` says whether throws cannot be read meanwhile.
        """
        if blind is not self._blind:
            self._blind = blind
            session = self.console.session
            entered = session is not None and (session.tracked.by_hand or enters_throw(session))
            if entered and not blind:
                # Dice that were entered by hand lie there: they were found, not thrown.
                self._tray.renew_watcher(self.console)
            self._inbox.take(sessions.Sight(blind))
        self._display.warn(*alerts)

    def say(self, *pages: tuple[str, str], stays: bool = False) -> None:
        """Shows pages of two lines in passing, or until something is pressed."""
        self.console = replace(self.console, notice=Notice(pages, passing=not stays))
        self._show()

    def ask_about_dice(self, old_mm: float, new_mm: float) -> None:
        """Asks whether dice that seem to have another size are new ones."""
        self.console = self.console.push(OtherDice(old_mm, new_mm))
        self._show()

    def ask_about_colours(self, old: Sequence[str], new: Sequence[str]) -> None:
        """Asks whether dice of colours that were not seen before are new ones."""
        before, now = (tuple(name.upper() for name in names) for names in (old, new))
        self.console = self.console.push(OtherColours(before, now))
        self._show()

    @property
    def naming(self) -> bool:
        """True while a new name is asked for."""
        return isinstance(self.console.page, Typing)

    def type(self, letters: str) -> None:
        """Takes in letters of the name that is asked for, from a keyboard."""
        self._inbox.take(Typed(letters))

    def pick(self, picked: Picked) -> None:
        """Takes in a choice that was pointed at on a page, where news hide nothing of it."""
        if self.activity is not None:
            return
        self._presenter.answer_press(self._tick.time_s)
        self._rest.wake(self._tick.time_s)
        self._take_presses((picked,))

    @property
    def console(self) -> Console:
        """The present game with everything that is on top of it."""
        return self._saved.console

    @console.setter
    def console(self, console: Console) -> None:
        self._saved.console = console

    @property
    def activity(self) -> Activity | None:
        """The calibration, or what else gets all frames and presses; None while the game does."""
        return self._tray.activity

    @property
    def ended(self) -> bool:
        """True once the players have switched the appliance off."""
        return self._saved.ended

    @property
    def session(self) -> sessions.Session:
        """The present game; LookupError if there is none yet."""
        if self.console.session is None:
            raise LookupError("expected a game, found the menu; start one first")
        return self.console.session

    @property
    def prompt(self) -> Prompt:
        """The prompt for the board now."""
        return console_prompt(self.console)

    @property
    def picture(self) -> Picture | None:
        """The picture on the board; None before the first."""
        return self._presenter.picture

    @property
    def shows_news(self) -> bool:
        """True while the board shows news over the prompt, which the next press only takes away."""
        return self._presenter.shows_news

    @property
    def disk(self) -> Alert | None:
        """Why the last thing that happened is not on disk; None while everything is saved."""
        return self._backlog.fault

    @property
    def alerts(self) -> tuple[Alert, ...]:
        """All that is wrong, the most urgent first."""
        return by_urgency(filter(None, (self.disk, *self._display.alerts)))

    @property
    def stuck(self) -> frozenset[Alert]:
        """The alert for a button that does what no finger can, if any does."""
        return self._presses.stuck

    @property
    def misses_voice(self) -> bool:
        """True if somebody wants to hear a voice that cannot be heard."""
        return bool(self.console.equipment.speaks) and self._devices.voice.silent

    @property
    def frame_rate(self) -> float | None:
        """Frames a second, over the last few; None before there are two."""
        return self._tick.frames_a_second

    @property
    def idle_s(self) -> float:
        """Seconds since anybody pressed a button, or something moved in the tray."""
        return self._rest.idle_s(self._tick.time_s)
