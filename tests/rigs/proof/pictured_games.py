"""Whole games through rendered pictures and button pins, without a scoreboard's hardware.

Only drawing is economised on: see `tests/rigs/proof/cheap_camera.py`. Reader, watcher, tracker,
table, journal and screens are those of the appliance, and presses go through gpiozero's pins.
"""

import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Self

import cv2
import numpy as np
from gpiozero.pins.mock import MockFactory

from appliance.config import Config
from appliance.devices.buttons import Buttons
from appliance.journal.journal import Journal
from appliance.journal.sessions import load_session
from appliance.picture import Picture
from appliance.service.appliance import Appliance
from appliance.service.devices import Devices, Tray
from appliance.simulator.people.mock_buttons import MockButtons
from appliance.simulator.people.ports import kinds_of_dice_in
from appliance.table.session.session import Setup
from simulator.motion.perfect_profile import learn_profile
from simulator.motion.placing import draw_free_place
from simulator.motion.throwing import DiePath, DieToThrow, place_of_flat_die, plan_path_to
from simulator.motion.watched_tray import WatchedTray
from simulator.render.dice_model import DieBody, flat_die
from simulator.render.pinhole import look_down
from simulator.render.scene import Scene
from simulator.render.sensor import Sensor
from tests.rigs.proof.cheap_camera import SparingCamera, sights
from tests.rigs.proof.games import SETUPS, Played, written
from tests.rigs.proof.referee import RefereeError
from tests.rigs.proof.refereed import RefereedPlayer
from vision.frame import Frame, Image
from vision.geometry.profile import Profile
from vision.reader import Reader
from vision.reading import Kind, TrayReading
from vision.watch.watcher import watcher_for

TUMBLE_S = 0.5
"""How long dice tumble along plain curves, seconds."""
TOUCHING_MM = 0.1
"""Smallest gap left between such dice."""


def plan_tumble(
    rng: np.random.Generator,
    dice: Sequence[DieToThrow],
    lying_already: Sequence[DieBody],
    half: tuple[float, float],
    release: tuple[float, float],
    start_s: float,
) -> list[DiePath]:
    """Dice that tumble along plain curves, each to a place drawn at random from all free ones.

    A hundredth of the work of `plan_throw`, with the same arguments. Some end up touching another.

    Raises:
        ValueError: the tray is too full.
    """
    taken = [place_of_flat_die(die) for die in lying_already]
    paths = []
    for die in dice:
        place = draw_free_place(rng, half, taken, TOUCHING_MM)
        taken.append(place)
        rest = flat_die(die.kind, die.face, place[:2], place[2], die.style)
        paths.append(plan_path_to(rng, rest, release, start_s, lasting_s=TUMBLE_S, rows=12))
    return paths


SIZE = (660, 429)
"""Width and height of the pictures that are read; an edge of a die is about 33 pixels."""

SMALL = (220, 143)
"""The size of pictures that are only watched."""

VIEW_DEG = 57.5
"""Diagonal angle of view: the tray and what lies beside it fill the picture."""

PICTURED: Mapping[str, tuple[Setup, ...]] = {
    name: setups[:1] for name, setups in SETUPS.items()
} | {
    "classic": SETUPS["classic"][:2],
    "power": (*3 * SETUPS["power"][:1], SETUPS["power"][1]),
    "holdem": SETUPS["holdem"][:2],
}
"""The setups played of each game, with few players so that games are not too long."""

REST_FPS = 12.0
"""Frames a second of simulated time while the tray is at rest."""

PATIENCE_S = 400.0
"""Simulated seconds without a new line in the log after which a game is called stuck."""

_TICK_S = 0.1
_EPSILON_S = 1e-6


class _Dark:
    """A board that nobody looks at; the player reads the prompt."""

    def show(self, picture: Picture) -> None:
        """Shows nothing."""


class _Remembering:
    """A reader that does not read the same picture twice in a row."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._last: tuple[Image, TrayReading] | None = None

    def read(self, image: Image) -> TrayReading:
        """Reads a picture."""
        if self._last is None or self._last[0] is not image:
            self._last = (image, self._reader.read(image))
        return self._last[1]

    def read_again(
        self, image: Image, reading: TrayReading, darker: Sequence[Image]
    ) -> TrayReading:
        """Reads darker pictures."""
        return self._reader.read_again(image, reading, darker)


class Wired:
    """Buttons on mock pins; one set serves many games."""

    def __init__(self) -> None:
        with ExitStack() as stack:
            pins = dict(Config().buttons.pins)
            factory = MockFactory()
            stack.callback(factory.reset)
            self.buttons = stack.enter_context(Buttons(pins, pin_factory=factory, bounce_s=None))
            self.mock_buttons = MockButtons(factory, pins)
            self._stack = stack.pop_all()

    def wait(self) -> None:
        """Waits until no button is held down."""
        while self.mock_buttons.busy:
            time.sleep(0.02)
            self.mock_buttons.release_held()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()


def tray_of(seed: int, kinds: Mapping[int, Kind]) -> WatchedTray:
    """The tray that games are played in."""
    scene = Scene(camera=look_down(SIZE, diagonal_view=VIEW_DEG), sensor=Sensor(contrast=0.2))
    return WatchedTray(seed, kinds, scene, size=SIZE, plan=plan_tumble)


@lru_cache(maxsize=1)
def calibrated() -> Profile:
    """The profile that calibration finds for that tray."""
    return learn_profile(tray_of(0, {}), SIZE)


def play_pictures(
    setup: Setup,
    seed: int,
    *,
    clumsy: float = 0.2,
    throws: int | None = None,
    keep: Path | None = None,
    wired: Wired | None = None,
) -> Played:
    """Plays a game: rendered frames in, presses on mock pins, and the journal written.

    Args:
        setup: the game, players and options.
        seed: random seed.
        clumsy: share of acts in which the players slip.
        throws: stop after this many that counted, and compare the scores so far.
        keep: folder for pictures of misread dice.
        wired: the buttons, if they exist already.
    """
    with ExitStack() as stack:
        hands = wired or stack.enter_context(Wired())
        game = _Game(setup, seed, clumsy, hands, stack.enter_context(Journal(":memory:")), keep)
        try:
            game.play(throws)
        except RefereeError as error:
            game.played.fault = str(error)
        hands.wait()
        hands.buttons.poll()
        written(game.played, game.appliance.session, game.player, whole=throws is None)
    return game.played


class _Game:
    def __init__(
        self,
        setup: Setup,
        seed: int,
        clumsy: float,
        hands: Wired,
        journal: Journal,
        keep: Path | None,
    ) -> None:
        rng = np.random.default_rng(seed)
        kinds = kinds_of_dice_in(setup.game)
        profile = calibrated()
        self.played = Played(setup, seed)
        self._keep = keep
        self._hands = hands
        self._tray = tray_of(int(rng.integers(2**31)), kinds)
        self._camera = SparingCamera(self._tray, SIZE, SMALL)
        self._watcher = watcher_for(_Remembering(Reader(profile)), profile)
        self.player = RefereedPlayer(
            self._tray, hands.mock_buttons, rng, think_s=0.0, clumsy=clumsy
        )
        self.appliance = Appliance(
            Devices(_Dark(), hands.buttons, chance=Random(seed)),
            Tray(self._watcher),
            journal,
            session=load_session(journal, setup, fresh=True),
            listen=self.player.notice,
        )

    def play(self, throws: int | None) -> None:
        """Plays until the game is over or stuck, or this many throws have counted."""
        tray, player = self._tray, self.player
        player.begin(self.appliance.session)
        self.appliance.start()
        lines, since_s = 0, 0.0
        while not player.done and player.hands.counted != throws:
            if tray.busy:
                self._look_on()
            elif self._watcher.reported:
                # Nothing will be read before something moves: no frame is needed for a press.
                tray.advance(_TICK_S)
                self._go_on()
            else:
                self._look()
                tray.advance(1 / REST_FPS)
            if len(self.appliance.session.record.log) != lines:
                lines, since_s = len(self.appliance.session.record.log), tray.time_s
            elif tray.time_s - since_s > PATIENCE_S:
                self.played.fault = f"stuck at {self.appliance.prompt}"
                return

    def _look_on(self) -> None:
        """Watches an act while it lasts."""
        tray, act = self._tray, self._tray.act
        if act is None:
            return
        for time_s in sights(act):
            tray.advance(max(0.0, time_s - tray.time_s))
            self._look()
        tray.advance(max(0.0, act.end_s - tray.time_s) + _EPSILON_S)

    def _look(self) -> None:
        frame = self._camera.take()
        misread = self.player.hands.misread
        self.appliance.feed(frame)
        if self._keep is not None and self.player.hands.misread > misread:
            self._put_by(frame)
        self._go_on()

    def _go_on(self) -> None:
        self.player.act(self.appliance.prompt, self._tray.time_s)
        self._hands.wait()
        self.appliance.tick(self._tray.time_s)

    def _put_by(self, frame: Frame) -> None:
        name = f"{self.played.setup.game}-{self.played.seed}-{frame.index}.png"
        cv2.imwrite(str(self._keep / name if self._keep else name), frame.image)
