"""Everything of an appliance that is not there: tray, camera, Pico, buttons and somebody to play.

Above the seams all is real: the watcher sees frames, the session runs, the journal is written, the
link carries pictures over a pty to the firmware.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from random import Random
from typing import Self

import numpy as np
from gpiozero.pins.mock import MockFactory

from appliance.buttons import Buttons
from appliance.health import about
from appliance.journal import Journal
from appliance.picture import Picture
from appliance.rules.game import Face
from appliance.scoreboard import SerialScoreboard
from appliance.service import Appliance, Around, Happened
from appliance.simulator.board import SimulatedBoard
from appliance.simulator.dice_sets import dice_of
from appliance.simulator.fingers import Fingers
from appliance.simulator.keyboard import LONG, QUIT, SHUT_DOWN_KEY, THROW
from appliance.simulator.player import SimulatedPlayer
from appliance.simulator.renderer import LIVE, render
from appliance.simulator.tray import DieThrow, Mishap, SimulatedTray
from appliance.table.inputs import SHUT_DOWN, Button
from appliance.table.prompts import DicePrompt
from appliance.table.session import Session
from vision.frame import Frame, Image
from vision.profile import Profile
from vision.reader import Reader
from vision.reading import Kind
from vision.watch import Watcher

SIZE = (1280, 720)
"""Width and height of the camera's full picture, pixels."""

SMALL = (640, 360)
"""Width and height of the small picture that the watcher follows."""


class LazyFrame(Frame):
    """A frame whose full picture is rendered when somebody looks at it.

    The watcher follows the small picture and reads the full one only when the tray is still.
    """

    __slots__ = ("_full", "_make")

    _make: Callable[[], Image]
    _full: Image | None

    def __init__(self, small: Frame, make: Callable[[], Image]) -> None:
        object.__setattr__(self, "time_s", small.time_s)
        object.__setattr__(self, "index", small.index)
        object.__setattr__(self, "small", small.image)
        object.__setattr__(self, "_make", make)
        object.__setattr__(self, "_full", None)

    @property
    def image(self) -> Image:
        """The full picture."""
        full = self._full
        if full is None:
            full = self._make()
            object.__setattr__(self, "_full", full)
        return full


def take_picture(tray: SimulatedTray) -> Frame:
    """A frame of the tray as it is now."""
    small = tray.frame(SMALL)
    scene = tray.scene(SIZE)

    def full() -> Image:
        return render(scene, None, np.random.default_rng(small.index), LIVE)

    return LazyFrame(small, full)


class WatchedTray:
    """The simulated tray as a player sees it.

    Args:
        tray: the tray.
        kinds: which die each number is.
    """

    def __init__(self, tray: SimulatedTray, kinds: Mapping[int, Kind]) -> None:
        self._tray = tray
        self._kinds = kinds
        self._places: dict[int, tuple[float, float]] = {}

    @property
    def busy(self) -> bool:
        """Whether the hand is at work or dice roll."""
        return self._tray.busy

    def play_with(self, kinds: Mapping[int, Kind]) -> None:
        """Takes the dice of another game, from the next throw on."""
        self._kinds = kinds
        self._tray.play_with(kinds)

    def kind(self, die: int) -> Kind:
        """Which kind of die this is."""
        return self._kinds[die]

    def throw(self, faces: Mapping[int, Face], mishaps: Mapping[int, Mishap]) -> None:
        """Takes these dice, throws them, and they show these faces, unless something goes wrong."""
        self._tray.throw([DieThrow(d, face, mishaps.get(d)) for d, face in sorted(faces.items())])

    def rest_hand(self) -> None:
        """Lets a hand rest in the tray for a while."""
        self._tray.rest_hand()

    def knock(self, die: int) -> None:
        """Pushes a die aside where there is room; its face stays up."""
        with suppress(ValueError):
            self._tray.knock(die)

    def turn(self, die: int, face: Face) -> None:
        """Turns a die where it lies, so that it shows another face."""
        self._tray.turn(die, face)

    def set_aside(self, dice: Sequence[int]) -> None:
        """Puts dice into the holder beside the tray, as they lie."""
        self._tray.set_aside(dice)

    def pick_up(self, dice: Sequence[int]) -> None:
        """Takes these dice out of the tray."""
        self._tray.pick_up(dice)

    def lying(self) -> dict[int, tuple[tuple[float, float], Face | None]]:
        """Dice in the tray: middle of the top face in pixels, and its face; None if it leans."""
        found = {slot: (die.centre_px, die.value) for slot, die in self._tray.truth(SIZE).items()}
        self._places |= {slot: place for slot, (place, _) in found.items()}
        return found

    def places(self) -> dict[int, tuple[float, float]]:
        """Where each die lies, or lay before it was picked up, in pixels."""
        self.lying()
        return self._places


def profile_of(tray: SimulatedTray) -> Profile:
    """What calibration would find out about the simulated camera."""
    known = tray.camera_parameters(SIZE)
    return Profile(
        size=SIZE,
        camera=known.matrix,
        distortion=known.distortion,
        rotation=known.rotation,
        translation=known.translation,
        tray=known.tray,
    )


class House:
    """A simulated appliance with its surroundings.

    Args:
        session: the game to play; None begins with the menu.
        journal: where it is kept.
        pins: BCM pin of each button.
        lights: BCM pins of the lights beside the hold buttons.
        seed: chance; None takes another each time.
        fps: frames a second of simulated time.
        clumsy: share of the player's throws and holds in which something goes wrong.
        around: what the menu can do; the board's brightness is set by this house.

    Attributes:
        appliance: what is being tried.
        pico: the simulated scoreboard.
        tray: the rendered tray.
        watched: the same as the player sees it.
        player: who throws and presses.
        frames: frames taken so far.
        view: the small picture of the last frame.
    """

    def __init__(
        self,
        session: Session | None,
        journal: Journal,
        pins: Mapping[Button, int],
        lights: Sequence[int],
        *,
        seed: int | None = None,
        fps: float = 15.0,
        clumsy: float = 0.0,
        around: Around | None = None,
    ) -> None:
        rng = np.random.default_rng(seed)
        self._fps = fps
        self._news: list[Happened] = []
        self.frames = 0
        self.view: Image | None = None
        self._stack = ExitStack()
        with ExitStack() as stack:
            self.pico = stack.enter_context(SimulatedBoard())
            board = SerialScoreboard(self.pico.device)
            stack.callback(board.close)
            factory = MockFactory()
            buttons = stack.enter_context(Buttons(pins, lights, pin_factory=factory, bounce_s=None))
            stack.callback(factory.reset)
            self.fingers = Fingers(factory, pins)
            self._game = session.setup.game if session is not None else ""
            kinds = dice_of(self._game)
            self.tray = SimulatedTray(int(rng.integers(2**31)), kinds)
            self.watched = WatchedTray(self.tray, kinds)
            self.player = SimulatedPlayer(self.watched, self.fingers, rng, clumsy=clumsy)
            profile = profile_of(self.tray)
            watcher = Watcher(Reader(profile), profile.tray_pixels())
            self.appliance = Appliance(
                session,
                journal,
                watcher,
                board,
                buttons,
                self._listen,
                Random(int(rng.integers(2**31))),
                replace(
                    around or Around(),
                    dim=board.set_brightness,
                    health=lambda: about(board.status, self.appliance.frames_s, None),
                ),
            )
            if session is not None:
                self._put_back(session)
            self.appliance.start()
            self._stack = stack.pop_all()

    def _put_back(self, session: Session) -> None:
        """Dice of a turn that goes on still lie in the tray, as they would after a power cut."""
        faces = session.rules.dice(session.state)
        lying = {slot: face for slot, face in enumerate(faces) if face is not None}
        if lying and isinstance(self.appliance.prompt, DicePrompt):
            self.tray.throw(lying)
            while self.tray.busy:
                self.tray.advance(0.1)

    def _listen(self, happened: Happened) -> None:
        self._news.append(happened)
        self.player.notice(happened)

    def news(self) -> list[Happened]:
        """What happened since the last call."""
        news, self._news = self._news, []
        return news

    @property
    def firmware(self) -> str:
        """What runs the firmware, in a sentence."""
        return self.pico.interpreter.sentence

    @property
    def lights(self) -> Picture:
        """What the board's lights show, decoded from what came over the SPI pins."""
        return self.pico.lights().picture

    @property
    def time_s(self) -> float:
        """Simulated seconds since the start."""
        return self.frames / self._fps

    @property
    def over(self) -> bool:
        """Whether the game is over and its end was seen by the player, or all is shut down."""
        return self.player.done or self.appliance.ended

    def step(self) -> None:
        """One frame: the camera looks, the appliance does its work, the tray moves on."""
        self.take_in(self.look())

    def look(self) -> Frame:
        """A frame of the tray as it is now."""
        return take_picture(self.tray)

    def take_in(self, frame: Frame) -> None:
        """Lets the appliance work on a frame, and moves the tray on."""
        self.view = frame.small
        self.frames += 1
        self.fingers.move()
        self.appliance.feed(frame)
        session = self.appliance.desk.session
        if session is not None and session.setup.game != self._game:
            self._game = session.setup.game
            self.watched.play_with(dice_of(self._game))
        self.tray.advance(1 / self._fps)

    def let_play(self) -> None:
        """Lets the simulated player do the next thing."""
        self.player.act(self.appliance.prompt, self.time_s)

    def obey(self, actions: Sequence[str]) -> bool:
        """Does what a person typed; False when they want to leave."""
        for action in actions:
            if action == QUIT:
                return False
            if action == THROW:
                if not self.tray.busy:
                    self.player.throw_asked(self.appliance.prompt)
            elif action == SHUT_DOWN_KEY:
                for button in SHUT_DOWN.buttons:
                    self.fingers.hold(button)
            elif action.startswith(LONG):
                self.fingers.hold(Button(action.removeprefix(LONG)))
            else:
                self.fingers.press(Button(action))
        return True

    def summary(self) -> str:
        """The scores in a line, and whether the game is over."""
        session = self.appliance.desk.session
        if session is None:
            return "no game was begun"
        scores = session.rules.scores(session.state)
        names = session.setup.players
        told = ", ".join(f"{n} {s}" for n, s in zip(names, scores, strict=True))
        over = session.rules.outcome(session.state) is not None
        player = self.player
        return (
            f"{'game over' if over else 'to be continued'}: {told}\n"
            f"{player.throws} throws, {player.read} dice read, "
            f"{player.doubted} asked about, {player.misread} misread"
        )

    def close(self) -> None:
        """Takes everything down."""
        self._stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
