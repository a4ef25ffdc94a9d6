"""Stand-ins for what an appliance lacks here: tray, camera, Pico, buttons and somebody to play.

Everything above the ports is real: the watcher sees frames, the session runs, the journal is
written, the link carries pictures over a pty to the firmware.
"""

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from threading import Event
from typing import TYPE_CHECKING, Self

import numpy as np
from gpiozero.pins.mock import MockFactory

from appliance.devices.buttons import Buttons
from appliance.devices.camera.health import NothingAmiss
from appliance.devices.scoreboard import Scoreboard, SerialScoreboard
from appliance.devices.supervised import supervised
from appliance.devices.voice import Mute, Voice
from appliance.diagnostics.about import about
from appliance.inputs import HOLD_BUTTONS, SHUT_DOWN, Button, Pressed
from appliance.journal.journal import Journal
from appliance.picture import Picture
from appliance.rules.game import Keep, Rolled
from appliance.service.appliance import Appliance
from appliance.service.calibration import Calibrating
from appliance.service.devices import Devices, Tray
from appliance.service.environment import Environment
from appliance.service.guide import guidance
from appliance.service.installation import CalibratedTray
from appliance.service.loop import Loop, say_what_came_up
from appliance.service.ports import Activity, Happened, Watching
from appliance.service.systemd import Notifier
from appliance.service.view import View, Viewer
from appliance.simulator.camera import FULL_SIZE_PX as FULL_SIZE_PX
from appliance.simulator.camera import SMALL_SIZE_PX, SimulatedCamera
from appliance.simulator.drawn_board import SENTENCE as DRAWN_SENTENCE
from appliance.simulator.drawn_board import DrawnBoard
from appliance.simulator.motion.learning_watcher import LearningWatcher, Lesson
from appliance.simulator.motion.perfect_profile import (
    cached_profile,
    kept_profile,
    learn_profile,
)
from appliance.simulator.motion.watched_tray import WatchedTray, geometry_of_tray
from appliance.simulator.people.calibrator import Calibrator
from appliance.simulator.people.mock_buttons import MockButtons
from appliance.simulator.people.person import Person
from appliance.simulator.people.player import SimulatedPlayer, must_throw_for_computer
from appliance.simulator.people.ports import kinds_of_dice_in
from appliance.simulator.render.scene import GLANCE_QUALITY, LIVE_QUALITY, Quality
from appliance.simulator.scenes.installations import marked_scene
from appliance.table.menu.console import Waited
from appliance.table.menu.main_menu import MENU_ENTRIES
from appliance.table.menu.prompting import ListPrompt, NoticePrompt
from appliance.table.prompts import DicePrompt
from appliance.table.session.session import Session
from appliance.terminal import keyboard
from appliance.words import Verbatim, say
from calibration.wizard.state import Wizard
from vision.events import Roll
from vision.frame import Frame
from vision.geometry.profile import Profile
from vision.reader import Reader
from vision.reading import TrayState
from vision.watch.watcher import watcher_for

if TYPE_CHECKING:
    from appliance.simulator.pico.board import SimulatedBoard

MESSAGE_DURATION_S = 3.0
"""How long a sentence for the person at the keyboard usually stays, simulated seconds."""
COMPUTER_THROWS_AFTER_S = 0.4
"""Seconds that the board asks for a computer's throw before the computer throws by itself."""
COMPUTER_HASTE = 6.0
"""How much faster time passes for a person who watches a computer throw: a turn takes 3 s."""
LONGEST_STEP_S = 0.2
"""Simulated seconds between two frames, at most: with more, dice come to rest unseen."""
LOOK_AWAY_WARNING_S = 1.0
"""Seconds that everybody else has to look away before a player looks at their own dice."""

TRAY_IS_NOT_DRAWN = "The tray is still being drawn. What you pressed comes right after."
"""While what is to be learnt of the simulated tray is drawn: at the very first start."""
TRAY_IS_BUSY = "A hand is in the tray, or the dice are still rolling."
PRESSED_TOO_LATE = "Something happened meanwhile. Look at the dice, and press again."
"""What was pressed was meant for what was shown before."""

_ACTIONS_ABOUT_DICE = frozenset(
    {
        keyboard.THROW_ACTION,
        keyboard.SHOW_ACTION,
        keyboard.COLLECT_ACTION,
        keyboard.PEEK_ACTION,
        keyboard.PEEK_HELD_ACTION,
    }
)
_BACK_ACTIONS = (Button.BACK, keyboard.LONG_PREFIX + Button.BACK)
_MENU_ACTION = keyboard.LONG_PREFIX + Button.OK


@dataclass(frozen=True, slots=True)
class StreamSettings:
    """What a simulated camera delivers.

    Attributes:
        full: width and height of the pictures that are read.
        small: the same for those that are watched.
        fps: frames a second of simulated time.
        quality: how carefully the small pictures are drawn.
    """

    full: tuple[int, int] = FULL_SIZE_PX
    small: tuple[int, int] = SMALL_SIZE_PX
    fps: float = 15.0
    quality: Quality = LIVE_QUALITY


SHARP_STREAM = StreamSettings()
QUICK_STREAM = StreamSettings((640, 360), (160, 90), 5.0, GLANCE_QUALITY)
"""For slow machines and for tests: dice are read just as well, in a quarter of the time."""


class SimulatedAppliance:
    """A simulated appliance with its surroundings.

    Args:
        session: the game to play; None starts with the menu.
        journal: where the game is kept.
        pins: BCM pin of each button.
        lights: BCM pins of the lights beside the hold buttons.
        seed: for everything random; None takes a new one each time.
        clumsy: share of the player's throws and holds in which something goes wrong.
        environment: what is settled before.
        voice: says what the board shows; None for a mute one.
        stream: what the camera delivers.
        calibrated: the calibration of the simulated tray, which then has markers on its rim and
            can be calibrated; None for the exact profile of the tray as it was made.
        person: whether a person plays, with keys that `obey` acts on, or else a simulated player.
        folder: where to keep what was learnt about the tray, so that the next start is quick; None
            learns it each time.
        waits_for_tray: whether that is learnt before the first prompt, or else while it is shown.
        finds_tray: whether a tray that is not calibrated is found by its markers, as the appliance
            does it, or else is known exactly.

    Attributes:
        appliance: the appliance under test.
        firmware: what runs the scoreboard's firmware, in a sentence.
        pico: the simulated scoreboard; on Linux only.
        tray: the rendered tray, which the player sees too.
        player: the one who plays.
        frames: frames taken so far.
        viewer: makes views for whoever shows or publishes them.
        hear: gets everything that happens.
    """

    def __init__(
        self,
        session: Session | None,
        journal: Journal,
        pins: Mapping[Button, int],
        lights: Sequence[int],
        *,
        seed: int | None = None,
        clumsy: float = 0.0,
        environment: Environment | None = None,
        voice: Voice | None = None,
        stream: StreamSettings = SHARP_STREAM,
        calibrated: CalibratedTray | None = None,
        person: bool = False,
        folder: Path | None = None,
        waits_for_tray: bool = True,
        finds_tray: bool = False,
    ) -> None:
        rng = np.random.default_rng(seed)
        self._fps = stream.fps
        self._unread_events: list[Happened] = []
        self.hear: Callable[[Happened], object] = lambda _: None
        self.frames = 0
        # How much further simulated time, and then the time of whoever watches, is than the frames.
        self._more_s = self._less_s = 0.0
        self._profile: Profile | None = None
        self._stack = ExitStack()
        self._lit: Callable[[], Picture]
        self.pico: SimulatedBoard
        with ExitStack() as stack:
            board = self._make_board(stack)
            factory = MockFactory()
            buttons = stack.enter_context(Buttons(pins, lights, pin_factory=factory, bounce_s=None))
            stack.callback(factory.reset)
            self.mock_buttons = MockButtons(factory, pins)
            self._game = session.setup.game if session is not None else ""
            kinds = kinds_of_dice_in(self._game)
            scene = None if calibrated is None else marked_scene()
            self.tray = WatchedTray(int(rng.integers(2**31)), kinds, scene, size=stream.full)
            self._camera = SimulatedCamera(self.tray, stream.small, stream.full, stream.quality)
            if calibrated is not None:
                calibrated.shutter = self._camera
            self.player: Person | SimulatedPlayer = (
                Person(self.tray, rng, clumsy=clumsy)
                if person
                else SimulatedPlayer(self.tray, self.mock_buttons, rng, clumsy=clumsy)
            )
            self._message = ""
            self._waiting_action = ""
            # From a throw by a key until its dice are read.
            self._thrown = False
            self._message_until_s = 0.0
            self._computer_throws_at_s = 0.0
            self._held_after = (0, 0)
            self._peeking_player = ""
            self._peek_from_s = 0.0
            self._full_size_px = stream.full
            self._calibrated = calibrated
            self._folder = folder
            self._waits_for_tray = waits_for_tray
            self._finds_tray = finds_tray
            self._lesson: Lesson | None = None
            self._calibrator = Calibrator(self.tray, self.mock_buttons, rng, stream.full)
            self._calibrating: Calibrating | None = None
            self.viewer = Viewer(self._present_profile, hands=True)
            watched = Tray(self._make_watcher(), self._make_watcher)
            if calibrated is not None:
                watched = replace(
                    watched,
                    calibrate=self._begin_calibration,
                    answer_dice=calibrated.answer_dice,
                    judge_face=calibrated.judge_face,
                )
            self.appliance = Appliance(
                Devices(
                    board,
                    buttons,
                    dim=board.set_brightness,
                    voice=voice or Mute(),
                    chance=Random(int(rng.integers(2**31))),
                ),
                watched,
                journal,
                replace(
                    environment or Environment(),
                    health=lambda: (
                        *(() if calibrated is None else calibrated.about()),
                        *about(board.status, self.appliance.frame_rate, None),
                    ),
                    guided=isinstance(self.player, Person),
                ),
                session=session,
                listen=self._on_happened,
            )
            if session is not None:
                self._lay_dice_of_unfinished_turn(session)
            self.appliance.start()
            # What is learnt of a rendered tray is right, so nothing is watched over.
            self._loop = Loop(
                *(None, self.appliance, Notifier(), lambda: self.time_s, self.viewer.look),
                tidy=lambda: None,
                health=NothingAmiss(),
            )
            self._stack = stack.pop_all()

    def _make_board(self, stack: ExitStack) -> Scoreboard:
        if sys.platform != "linux":
            drawn = DrawnBoard()
            self._lit, self.firmware = (lambda: drawn.picture), DRAWN_SENTENCE
            return drawn
        # It needs what only Linux has.
        from appliance.simulator.pico.board import SimulatedBoard

        pico = self.pico = stack.enter_context(SimulatedBoard())
        self._lit, self.firmware = (lambda: pico.lights().picture), pico.interpreter.sentence
        return stack.enter_context(closing(SerialScoreboard(pico.device)))

    def _make_watcher(self) -> Watching:
        """A watcher that reads with the tray's calibration."""
        tray = self._calibrated
        if tray is not None and (self._finds_tray or tray.calibration is not None):
            return tray.guard.watcher()
        if self._lesson is None:
            kept = self._folder and kept_profile(self.tray, self._full_size_px, self._folder)
            if kept or self._waits_for_tray:
                return self._watcher_of_learnt_tray(kept or self._learn_tray())
            # How the tray lies is known; how it and its dice look is learnt while people read.
            self._profile = geometry_of_tray(self.tray, self._full_size_px)
            self._lesson = Lesson(self._learn_tray)
        if self._lesson.over:
            return self._watcher_of_learnt_tray(self._lesson.profile())
        return LearningWatcher(self._lesson, self._watcher_of_learnt_tray)

    def _learn_tray(self) -> Profile:
        if self._folder is None:
            return learn_profile(self.tray, self._full_size_px)
        return cached_profile(self.tray, self._full_size_px, self._folder)

    def _watcher_of_learnt_tray(self, profile: Profile) -> Watching:
        self._profile = profile
        return watcher_for(Reader(profile), profile, self._camera)

    @property
    def is_ready(self) -> bool:
        """Whether throws can be read: what is to be known of the tray was learnt."""
        return self._lesson is None or self._lesson.over

    @property
    def throws(self) -> bool:
        """Whether dice are being thrown by a key, and were not read yet."""
        return self.wizard is None and (self._thrown or bool(self._waiting_action))

    @property
    def _tray_is_busy(self) -> bool:
        """Whether dice or a hand move in the tray, or were seen to."""
        seen = self.appliance.console.tray
        return self.tray.busy or seen in (TrayState.HAND, TrayState.MOVING)

    def _present_profile(self) -> Profile | None:
        return (self._calibrated and self._calibrated.profile()) or self._profile

    def _begin_calibration(self) -> Activity:
        assert self._calibrated is not None
        activity = self._calibrated.calibrate()
        self._calibrating = activity if isinstance(activity, Calibrating) else None
        return activity

    @property
    def wizard(self) -> Wizard | None:
        """The calibration in progress; None if there is none."""
        activity = self._calibrating
        if activity is None or activity.done or activity is not self.appliance.activity:
            return None
        return activity.wizard

    def _lay_dice_of_unfinished_turn(self, session: Session) -> None:
        """Puts the dice of an unfinished turn in the tray, as they would lie after a power cut."""
        faces = session.rules.dice(session.state)
        lying = {slot: face for slot, face in enumerate(faces) if face is not None}
        if lying and isinstance(self.appliance.prompt, DicePrompt):
            self.tray.throw(lying)
            while self.tray.busy:
                self.tray.advance(0.1)

    def _on_happened(self, happened: Happened) -> None:
        self._unread_events.append(happened)
        self.viewer.hear(happened)
        self.hear(happened)
        if isinstance(happened.input, Roll) and not self.tray.rolling:
            self._thrown = False
        self.player.notice(happened)
        if self._calibrated is not None:
            self._calibrated.hear(happened)

    def take_news(self) -> list[Happened]:
        """What happened since the last call."""
        unread = self._unread_events
        self._unread_events = []
        return unread

    @property
    def lights(self) -> Picture:
        """What the board's lights show, decoded from what came over the SPI pins."""
        return self._lit()

    @property
    def time_s(self) -> float:
        """Simulated seconds since the start."""
        return self.frames / self._fps + self._more_s

    @property
    def paced_s(self) -> float:
        """Seconds that somebody has watched, at normal speed: a computer's turn passes quickly."""
        return self.frames / self._fps - self._less_s

    @property
    def over(self) -> bool:
        """Whether the game is over and the player has seen its end, or everything is shut down."""
        seen = isinstance(self.player, SimulatedPlayer) and self.player.done
        return seen or self.appliance.ended

    @property
    def has_unfinished_game(self) -> bool:
        """Whether there is a game that is not over."""
        session = self.appliance.console.session
        return session is not None and session.rules.outcome(session.state) is None

    def begin_calibration(self) -> None:
        """Begins to calibrate as somebody does who goes to the menu for it."""
        appliance = self.appliance
        for press in (Pressed(Button.OK, long=True), *[Pressed(Button.RIGHT)] * len(MENU_ENTRIES)):
            # What a press has brought up is shown before the next one.
            appliance.presses()
            match appliance.prompt:
                case ListPrompt(lines=("CALIBRATE",)):
                    appliance.happen(Pressed(Button.OK))
                    return
                case NoticePrompt():
                    appliance.happen(Pressed(Button.OK))
                    appliance.presses()
                    appliance.happen(press)
                case _:
                    appliance.happen(press)

    def prepare(self) -> None:
        """Draws in advance, in a thread, what the first reading would wait for."""
        closed = Event()
        self._stack.callback(closed.set)
        lesson = self._lesson

        def draw() -> None:
            if lesson is not None:
                lesson.profile()  # it draws the same first
            self._camera.prepare()

        supervised("drawing", draw, closed).start()

    def step(self) -> None:
        """One frame: the camera looks, the appliance does its work, the tray moves on."""
        self.process_frame(self.take_frame())

    def take_frame(self) -> Frame:
        """A frame of the tray as it is now."""
        return self._camera.take()

    def process_frame(self, frame: Frame) -> None:
        """Lets the appliance work on a frame, and moves the tray on."""
        self.frames += 1
        if self._peeking_player and self.time_s >= self._message_until_s:
            self._end_peek()
        self.mock_buttons.release_held()
        self._loop.take(frame)
        if self._calibrated is not None:
            say_what_came_up(self._calibrated, self.appliance, notices=self._finds_tray)
        session = self.appliance.console.session
        if isinstance(self.player, Person) and session is not None:
            self._hold_kept_dice(session)
        if self._calibrating is not None and self.wizard is None:
            self._calibrating = None
            # What was laid for the calibration is taken away; the game's own dice are used again.
            self.tray.clear()
            self.tray.lay_sheets(())
            self.tray.play_with(kinds_of_dice_in(self._game))
        if session is not None and session.setup.game != self._game:
            self._game = session.setup.game
            self.tray.play_with(kinds_of_dice_in(self._game))
        if self._waiting_action and self.is_ready and not self._tray_is_busy:
            self._obey_about_dice(self._waiting_action)
        if isinstance(self.player, Person) and self.wizard is None:
            self._throw_for_computer()
        self._thrown = self._thrown and self._tray_is_busy
        frame_s = 1 / self._fps
        step_s = frame_s
        if self._hastens():
            step_s = max(min(COMPUTER_HASTE * frame_s, LONGEST_STEP_S), frame_s)
            self._more_s += step_s - frame_s
            self._less_s += frame_s - step_s / COMPUTER_HASTE
        self.tray.advance(step_s)

    def _hastens(self) -> bool:
        """Whether a person only watches what a computer does."""
        prompt = self.appliance.prompt
        if not isinstance(self.player, Person) or self.wizard is not None:
            return False
        if isinstance(prompt, DicePrompt):
            return prompt.decided is not None
        return self.tray.busy and must_throw_for_computer(prompt)

    def _hold_kept_dice(self, session: Session) -> None:
        """Holds dice kept out of the last throw for the next one too, until they are let go.

        At a real tray they lie aside, and nobody takes them for the others.
        """
        thrown = session.serial, len(session.events)
        if thrown == self._held_after:
            return
        self._held_after = thrown
        prompt = self.appliance.prompt
        if not isinstance(prompt, DicePrompt) or not prompt.may_roll or prompt.decided is not None:
            return
        match session.events[-2:]:
            case (Keep(slots), Rolled()) if len(slots) < len(prompt.dice):
                for slot in slots:
                    if slot not in prompt.held:
                        self.mock_buttons.press(HOLD_BUTTONS[slot])

    def _throw_for_computer(self) -> None:
        """A computer throws its dice itself, once the board has asked for them for a while."""
        prompt, tray = self.appliance.prompt, self.appliance.console.tray
        if (
            not self.is_ready
            or self.tray.busy
            or tray in (TrayState.HAND, TrayState.MOVING)
            or not must_throw_for_computer(prompt)
        ):
            self._computer_throws_at_s = self.time_s + COMPUTER_THROWS_AFTER_S
        elif self.time_s >= self._computer_throws_at_s:
            self._handle_dice_action(keyboard.THROW_ACTION)

    def let_play(self) -> None:
        """Lets the simulated player do the next thing."""
        if self.wizard is not None:
            self._calibrator.act(self.wizard, self.time_s)
            return
        if isinstance(self.player, SimulatedPlayer) and self.is_ready:
            self.player.act(self.appliance.prompt, self.time_s)

    def view(self) -> View:
        """What to draw: the board as its lights show it, and the answer to the last key."""
        said = self._message if self.time_s < self._message_until_s else ""
        secret = ""
        if said and self._peeking_player and self.time_s < self._peek_from_s:
            said = "{player} wants to look at their own dice. All others, look away!"
            said = Verbatim(say(said, player=self._peeking_player))
        elif self._peeking_player:
            secret = said
            said = ""
        shown = replace(self.viewer.view(self.appliance, said, secret), board=self.lights)
        if not self.throws:
            return shown
        can = shown.guidance
        if not must_throw_for_computer(self.appliance.prompt):
            can = guidance(said or "The dice are thrown …", "b|takes the throw back")
        table = shown.table and replace(shown.table, busy=True)
        return replace(shown, guidance=can, table=table, thrown=True)

    def obey(self, actions: Sequence[str], seen: int | None = None) -> bool:
        """Does what a person typed; False if they want to leave.

        Actions count at the `View.occasion` that they name, or else at the one `seen`: what was
        pressed when that was over is answered, and does nothing.
        """
        for action in actions:
            at = action.seen if isinstance(action, keyboard.SeenAction) else seen
            self._end_peek()
            self._message = ""
            if action == keyboard.QUIT_ACTION:
                return False
            if not _acts(action):
                self._obey_aside(action)
            elif at is not None and not self.throws and at < self._counts_since(action):
                self._say(PRESSED_TOO_LATE)
            elif self.throws and self._answers_during_throw(action):
                continue
            elif action in _ACTIONS_ABOUT_DICE:
                # It answers what the board asks after what was typed before it.
                self.appliance.presses()
                self._obey_about_dice(action)
            else:
                self._press(action)
        self.appliance.presses()
        return True

    def _obey_aside(self, action: str) -> None:
        """Does what is possible at any time."""
        if action == keyboard.SHUT_DOWN_ACTION:
            for button in SHUT_DOWN.buttons:
                self.mock_buttons.hold(button)
        elif action.startswith(keyboard.TYPED_PREFIX):
            self.appliance.type(action.removeprefix(keyboard.TYPED_PREFIX))

    def _press(self, action: str) -> None:
        if (pick := keyboard.pick_of(action)) is not None:
            self.appliance.pick(pick)
        elif action.startswith(keyboard.LONG_PREFIX):
            self.mock_buttons.hold(Button(action.removeprefix(keyboard.LONG_PREFIX)))
        else:
            self.mock_buttons.press(Button(action))

    def _answers_during_throw(self, action: str) -> bool:
        """Takes the throw back, or says why not; False if the action does something besides.

        A computer would throw again at once: who presses BACK then wants to undo.
        """
        computers = must_throw_for_computer(self.appliance.prompt)
        if action not in _BACK_ACTIONS and not (computers and action == _MENU_ACTION):
            self._say(TRAY_IS_BUSY)
            return True
        self._waiting_action = ""
        if self._thrown:
            self._thrown = False
            self.tray.take_back(self.player.hands.thrown)
            self.player.hands.take_back()
        return not computers

    def _counts_since(self, action: str) -> int:
        """Since which `View.occasion` an action may have been meant for what is asked now.

        Dice are thrown for whoever is next, also by somebody who has just chosen.
        """
        viewer = self.viewer
        return viewer.read_at if action in _ACTIONS_ABOUT_DICE else viewer.occasion

    def _end_peek(self) -> None:
        """Lets the board stop asking the others to look away."""
        if self._peeking_player:
            self._peeking_player = ""
            self.appliance.happen(Waited())

    def _say(self, message: str) -> None:
        self._message = message
        self._message_until_s = max(self.time_s, self._peek_from_s) + MESSAGE_DURATION_S

    def _obey_about_dice(self, action: str) -> None:
        """Does something with dice, and says what came of it."""
        self._waiting_action = ""
        self._say(self._handle_dice_action(action))
        lasts = action == keyboard.PEEK_HELD_ACTION and self._peeking_player
        if lasts or self._waiting_action:
            self._message_until_s = math.inf

    def _handle_dice_action(self, action: str) -> str:
        """Does something with dice; returns what to say about it."""
        person, console = self.player, self.appliance.console
        if not isinstance(person, Person):
            return ""
        if action in (keyboard.PEEK_ACTION, keyboard.PEEK_HELD_ACTION):
            player, said = person.peek(console)
            if player:
                self._peeking_player = player
                self._peek_from_s = self.time_s + LOOK_AWAY_WARNING_S
                others = Verbatim(say("ALL BUT {player}", player=player))
                one = Verbatim(say("ONLY {player}", player=player))
                self.appliance.say((others, "LOOK AWAY"), (one, "LOOKS"))
            return said
        if not self.is_ready:
            # Whoever pressed it has seen that it was asked for.
            self._waiting_action = action
            return TRAY_IS_NOT_DRAWN
        # Dice that lie still are not thrown again before the appliance has seen what they show.
        if self._tray_is_busy:
            return TRAY_IS_BUSY
        if self.wizard is not None:
            if action == keyboard.THROW_ACTION:
                self._calibrator.lay_out(self.wizard)
            return ""
        if action == keyboard.COLLECT_ACTION:
            return person.collect()
        act = person.throw if action == keyboard.THROW_ACTION else person.show
        said = act(self.appliance.prompt, console)
        self._thrown = self.tray.busy
        return said

    def summary(self) -> str:
        """The scores in a line, and whether the game is over."""
        session = self.appliance.console.session
        if session is None:
            return say("no game started")
        scores = session.rules.scores(session.state)
        names = session.setup.players
        standing = ", ".join(f"{n} {s}" for n, s in zip(names, scores, strict=True))
        over = session.rules.outcome(session.state) is not None
        hands = self.player.hands
        counted = {name: getattr(hands, name) for name in ("throws", "read", "doubted", "misread")}
        read = "{throws} throws, {read} dice read, {doubted} unsure, {misread} misread"
        ends = say("game over" if over else "unfinished")
        return f"{ends}: {standing}\n{say(read, **counted)}"

    def close(self) -> None:
        """Shuts everything down."""
        if self._calibrated is not None:
            self._calibrated.finish()
        self._stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _acts(action: str) -> bool:
    """Whether an action is about the game: a press, a choice, or something with dice."""
    pressed = isinstance(keyboard.press_of(action), Pressed)
    return pressed or action in _ACTIONS_ABOUT_DICE or keyboard.pick_of(action) is not None
