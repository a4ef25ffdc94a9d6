"""Stand-ins for what an appliance lacks here: tray, camera, Pico, buttons and somebody to play.

Everything above the ports is real: the watcher sees frames, the session runs, the journal is
written, the link carries pictures over a pty to the firmware.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from threading import Event
from typing import TYPE_CHECKING, Self

import numpy as np

from appliance.devices.camera.health import NothingAmiss
from appliance.devices.scoreboard import SerialScoreboard
from appliance.devices.supervised import supervised
from appliance.devices.voice import Mute, Voice
from appliance.diagnostics.about import about
from appliance.inputs import Button, Pressed
from appliance.journal.journal import Journal
from appliance.picture import Picture
from appliance.service.appliance import Appliance
from appliance.service.calibration import Calibrating
from appliance.service.devices import Tray
from appliance.service.environment import Environment
from appliance.service.installation import CalibratedTray
from appliance.service.loop import Loop, say_what_came_up
from appliance.service.ports import Activity, Happened
from appliance.service.systemd import Notifier
from appliance.service.view import View, Viewer
from appliance.simulator.devices import open_board, open_devices
from appliance.simulator.people.at_keys import AtKeys
from appliance.simulator.people.calibrator import Calibrator
from appliance.simulator.people.person import Person
from appliance.simulator.people.player import SimulatedPlayer
from appliance.simulator.people.ports import kinds_of_dice_in
from appliance.table.menu.main_menu import MENU_ENTRIES
from appliance.table.menu.prompting import ListPrompt, NoticePrompt
from appliance.table.prompts.turn import DicePrompt
from appliance.table.session.session import Session
from appliance.words import say
from calibration.wizard.state import Wizard
from simulator.camera import FULL_SIZE_PX as FULL_SIZE_PX
from simulator.camera import SMALL_SIZE_PX, SimulatedCamera
from simulator.clock import SimulatedClock
from simulator.motion.learnt_tray import LearntTray
from simulator.motion.watched_tray import WatchedTray
from simulator.render.scene import GLANCE_QUALITY, LIVE_QUALITY, Quality
from simulator.scenes.installations import marked_scene
from vision.frame import Frame
from vision.geometry.profile import Profile
from vision.watch.watching import Watching

if TYPE_CHECKING:
    from simulator.pico.board import SimulatedBoard


@dataclass(frozen=True, slots=True)
class StreamSettings:
    """The pictures that a simulated camera delivers.

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
    """A simulated appliance with its surroundings; `with` starts it and shuts it down.

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
        tray: the rendered tray, which the player sees too.
        player: the one who plays.
        mock_buttons: presses the buttons.
        viewer: makes views for whoever shows or publishes them.
        hear: gets everything that happens from the start on.
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
        self._clock = SimulatedClock(stream.fps)
        self.hear: Callable[[Happened], object] = lambda _: None
        self._stack = ExitStack()
        self._calibrated, self._finds_tray = calibrated, finds_tray
        self._calibrating: Calibrating | None = None
        with ExitStack() as stack:
            self._board = open_board(stack)
            devices, self.mock_buttons = open_devices(stack, self._board.board, pins, lights)
            self._game = session.record.setup.game if session is not None else ""
            kinds = kinds_of_dice_in(self._game)
            scene = None if calibrated is None else marked_scene()
            self.tray = WatchedTray(int(rng.integers(2**31)), kinds, scene, size=stream.full)
            self._camera = SimulatedCamera(self.tray, stream.small, stream.full, stream.quality)
            if calibrated is not None:
                calibrated.shutter = self._camera
            self._learnt = LearntTray(
                self.tray, stream.full, self._camera, folder, waits=waits_for_tray
            )
            self.player: Person | SimulatedPlayer = (
                Person(self.tray, rng, clumsy=clumsy)
                if person
                else SimulatedPlayer(self.tray, self.mock_buttons, rng, clumsy=clumsy)
            )
            self._calibrator = Calibrator(self.tray, self.mock_buttons, rng, stream.full)
            self.viewer = Viewer(self._present_profile, hands=True)
            devices = replace(
                devices,
                voice=voice or Mute(),
                chance=Random(int(rng.integers(2**31))),
                clock=lambda: self.time_s,
            )
            self.appliance = Appliance(
                devices,
                self._watched(),
                journal,
                replace(environment or Environment(), health=self._health, guided=person),
                session=session,
                listen=self._on_happened,
            )
            self._at_keys = AtKeys(self)
            if session is not None:
                self._lay_dice_of_unfinished_turn(session)
            # What is learnt of a rendered tray is right, so nothing is watched over.
            self._loop = Loop(
                devices,
                self.appliance,
                Notifier(),
                self.viewer.look,
                tidy=lambda: None,
                health=NothingAmiss(),
            )
            self._stack = stack.pop_all()

    def start(self) -> None:
        """Shows the first prompt."""
        self.appliance.start()

    def wait_for_lights(self) -> None:
        """Waits until the lights show what the appliance has shown last, but not for long."""
        board = self._board.board
        if isinstance(board, SerialScoreboard):
            with suppress(TimeoutError):
                board.wait(lambda status: status.shown > 0, 1.0)

    def _watched(self) -> Tray:
        """The tray as the appliance has it."""
        watched = Tray(self._make_watcher(), self._make_watcher)
        tray = self._calibrated
        if tray is None:
            return watched
        return replace(
            watched,
            calibrate=self._begin_calibration,
            answer_dice=tray.new_dice.answer,
            judge_face=tray.learning.judge_face,
        )

    def _health(self) -> tuple[tuple[str, str], ...]:
        of_tray = () if self._calibrated is None else self._calibrated.about()
        return (*of_tray, *about(self._board.board.status, self.appliance.frame_rate, None))

    def _make_watcher(self) -> Watching:
        """A watcher that reads with the tray's calibration."""
        tray = self._calibrated
        if tray is not None and (self._finds_tray or tray.calibration is not None):
            return tray.guard.watcher()
        return self._learnt.watcher()

    def _present_profile(self) -> Profile | None:
        return (self._calibrated and self._calibrated.profile()) or self._learnt.profile

    @property
    def pico(self) -> "SimulatedBoard":
        """The simulated scoreboard; LookupError but on Linux."""
        if self._board.pico is None:
            raise LookupError("expected a simulated Pico; there is one on Linux only")
        return self._board.pico

    @property
    def firmware(self) -> str:
        """The interpreter of the scoreboard's firmware, in a sentence."""
        return self._board.firmware

    @property
    def lights(self) -> Picture:
        """The picture on the board's lights, decoded from what came over the SPI pins."""
        return self._board.lights()

    @property
    def frames(self) -> int:
        """Frames taken so far."""
        return self._clock.frames

    @property
    def time_s(self) -> float:
        """Simulated seconds since the start."""
        return self._clock.time_s

    @property
    def paced_s(self) -> float:
        """Seconds that somebody has watched, at normal speed: a computer's turn passes quickly."""
        return self._clock.paced_s

    @property
    def is_ready(self) -> bool:
        """True once throws can be read: what is to be known of the tray was learnt."""
        return self._learnt.is_ready

    @property
    def throws(self) -> bool:
        """True while dice are being thrown by a key, and were not read yet."""
        return self._at_keys.throws

    def _on_happened(self, happened: Happened) -> None:
        self.viewer.hear(happened)
        self.hear(happened)
        self._at_keys.hear(happened)
        self.player.notice(happened)
        if self._calibrated is not None:
            self._calibrated.learning.learn_from(happened)

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
        faces = session.record.dice
        lying = {slot: face for slot, face in enumerate(faces) if face is not None}
        if lying and isinstance(self.appliance.prompt, DicePrompt):
            self.tray.throw(lying)
            while self.tray.busy:
                self.tray.advance(0.1)

    @property
    def over(self) -> bool:
        """True once the game is over and the player has seen its end, or all is shut down."""
        seen = isinstance(self.player, SimulatedPlayer) and self.player.done
        return seen or self.appliance.ended

    @property
    def has_unfinished_game(self) -> bool:
        """True while there is a game that is not over."""
        session = self.appliance.console.session
        return session is not None and session.record.rules.outcome(session.record.state) is None

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
        lesson = self._learnt.lesson

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
        self._clock.frames += 1
        self._at_keys.begin_frame()
        self.mock_buttons.release_held()
        self._loop.take(frame)
        if self._calibrated is not None:
            say_what_came_up(self._calibrated, self.appliance, notices=self._finds_tray)
        self._lay_dice_of_another_game()
        self._at_keys.end_frame()
        self.tray.advance(self._clock.step_s(hastens=self._at_keys.hastens))

    def _lay_dice_of_another_game(self) -> None:
        """Takes other dice for another game, and the game's own after a calibration."""
        session = self.appliance.console.session
        if self._calibrating is not None and self.wizard is None:
            self._calibrating = None
            # What was laid for the calibration is taken away; the game's own dice are used again.
            self.tray.clear()
            self.tray.lay_sheets(())
            self.tray.play_with(kinds_of_dice_in(self._game))
        if session is not None and session.record.setup.game != self._game:
            self._game = session.record.setup.game
            self.tray.play_with(kinds_of_dice_in(self._game))

    def lay_out(self) -> None:
        """Lays out what the calibration asks for."""
        if self.wizard is not None:
            self._calibrator.lay_out(self.wizard)

    def let_play(self) -> None:
        """Lets the simulated player do the next thing."""
        if self.wizard is not None:
            self._calibrator.act(self.wizard, self.time_s)
            return
        if isinstance(self.player, SimulatedPlayer) and self.is_ready:
            self.player.act(self.appliance.prompt, self.time_s)

    def view(self) -> View:
        """The view to draw: the board as its lights show it, and the answer to the last key."""
        return replace(self._at_keys.view(), board=self.lights)

    def obey(self, actions: Sequence[str], seen: int | None = None) -> bool:
        """Does what a person typed; False if they want to leave.

        Actions count at the `View.occasion` that they name, or else at the one `seen`: what was
        pressed when that was over is answered, and does nothing.
        """
        return self._at_keys.obey(actions, seen)

    def summary(self) -> str:
        """The scores in a line, and whether the game is over."""
        session = self.appliance.console.session
        if session is None:
            return say("no game started")
        scores = session.record.rules.scores(session.record.state)
        names = session.record.setup.players
        standing = ", ".join(f"{n} {s}" for n, s in zip(names, scores, strict=True))
        over = session.record.rules.outcome(session.record.state) is not None
        hands = self.player.hands
        counted = {name: getattr(hands, name) for name in ("throws", "read", "doubted", "misread")}
        read = "{throws} throws, {read} dice read, {doubted} unsure, {misread} misread"
        ends = say("game over" if over else "unfinished")
        return f"{ends}: {standing}\n{say(read, **counted)}"

    def close(self) -> None:
        """Shuts everything down."""
        if self._calibrated is not None:
            self._calibrated.learning.finish()
        self._stack.close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
