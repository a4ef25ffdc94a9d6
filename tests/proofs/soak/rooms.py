"""Where the soaked appliance stands: a rendered tray, or one that reports what lies in it."""

from collections.abc import Collection, Mapping, Sequence
from copy import copy
from itertools import cycle
from random import Random
from typing import Protocol

import numpy as np

from appliance.devices.camera.threaded import Shot
from appliance.simulator.people.ports import Tray, kinds_of_dice_in
from simulator.motion.perfect_profile import learn_profile
from simulator.motion.watched_tray import WatchedTray
from simulator.render.scene import GLANCE_QUALITY, LIVE_QUALITY
from tests.proofs.soak.camera import LazyShot
from tests.proofs.soak.render_process import RenderProcess
from tests.rigs.proof.unpictured_tray import UnpicturedTray
from vision.events import Found, TrayChanged, TrayEvent
from vision.frame import Frame, LazyFrame
from vision.reader import Reader
from vision.reading import Kind, TrayState
from vision.watch.tracker import Tracker
from vision.watch.watcher import watcher_for
from vision.watch.watching import Watching

FULL_SIZE = (960, 540)
"""Of the pictures that are read."""
SMALL_SIZE = (320, 180)
"""Of those that are only watched."""

MOVING_FRAMES_TO_DROP_PICTURES = 3
"""Frames of movement after which the watcher has dropped the pictures of the previous rest."""

REST_FRAME_INTERVAL_S = 1 / 12
BUSY_FRAME_INTERVAL_S = 1 / 8
"""While a hand or dice move."""

UNPICTURED_FRAME_INTERVAL_S = 1 / 4
"""Where nothing is watched for movement: a third of the frames of a tray at rest."""

_NOISY = 16
"""Pictures of a tray where nothing is watched for movement: no two in a row are the same."""


class Room(Protocol):
    """A tray with a camera over it."""

    @property
    def tray(self) -> Tray:
        """As the players see it."""

    def shot(self, time_s: float) -> Shot:
        """A picture of it now."""

    def watcher(self) -> Watching:
        """The watcher that turns such pictures into events."""

    def play_with(self, game: str) -> None:
        """The players take another game's dice."""

    def advance(self) -> float:
        """Lets time pass until the next frame; returns how much, in seconds."""

    def go_on_unseen(self) -> None:
        """Lets time pass while the camera delivers nothing."""

    @property
    def comparable(self) -> bool:
        """True while the watcher keeps no more pictures than at any other such moment.

        While dice rest it keeps up to ten, 15 MB, which would look like growth, or hide it.
        """


class DrawnRoom:
    """A rendered tray, watched and read as on the real appliance.

    Args:
        seed: random seed.
        renderer: draws its pictures.
    """

    def __init__(self, seed: int, renderer: RenderProcess) -> None:
        kinds = kinds_of_dice_in("")
        self._renderer = renderer
        self._pictures = self._moves = 0
        self._tray = WatchedTray(seed, kinds, size=FULL_SIZE)
        self._profile = learn_profile(
            self._tray, FULL_SIZE, lambda scene: renderer.draw(scene, 0, LIVE_QUALITY)
        )

    @property
    def tray(self) -> Tray:
        """As the players see it."""
        return self._tray

    def shot(self, time_s: float) -> Shot:
        """A picture of it now; the full one is drawn only when somebody looks at it."""
        self._pictures += 1
        seed, draw = self._pictures, self._renderer.draw
        small = draw(self._tray.scene(SMALL_SIZE), seed, GLANCE_QUALITY)
        scene = self._tray.scene(FULL_SIZE)

        def make(time_s: float, index: int) -> Frame:
            return LazyFrame(Frame(small, time_s, index), lambda: draw(scene, seed, LIVE_QUALITY))

        return LazyShot(small, time_s, make)

    def watcher(self) -> Watching:
        """The real watcher, reading with what calibration would know of this tray."""
        return watcher_for(Reader(self._profile), self._profile)

    def play_with(self, game: str) -> None:
        """The players take another game's dice."""
        self._tray.play_with(kinds_of_dice_in(game))

    def advance(self) -> float:
        """Lets time pass until the next frame; returns how much, in seconds."""
        busy = self._tray.busy
        self._moves = self._moves + 1 if busy else 0
        seconds = BUSY_FRAME_INTERVAL_S if busy else REST_FRAME_INTERVAL_S
        self._tray.advance(seconds)
        return seconds

    def go_on_unseen(self) -> None:
        """Leaves the dice where they are in the air until there is a frame to draw."""

    @property
    def comparable(self) -> bool:
        """While hand or dice have been moving for a moment."""
        return self._moves > MOVING_FRAMES_TO_DROP_PICTURES


class UnpicturedRoom:
    """A tray that reports what lies in it, without pictures, for playing thousands of games."""

    def __init__(self, seed: int) -> None:
        self._tray = _Changing(Random(seed), kinds_of_dice_in(""), doubt=0.05)
        noise = np.random.default_rng(seed)
        picture = np.full((90, 160, 3), 60, np.uint8)
        picture[20:70, 30:120] = 180
        self._pictures = cycle(
            [picture + noise.integers(0, 3, picture.shape, np.uint8) for _ in range(_NOISY)]
        )

    @property
    def tray(self) -> Tray:
        """As the players see it."""
        return self._tray

    def shot(self, time_s: float) -> Shot:
        """A picture of some tray, with noise."""
        return Shot(next(self._pictures), time_s)

    def watcher(self) -> Watching:
        """Passes on what the tray reports from now on."""
        self._tray.begin_watching()
        return _Listener(self._tray)

    def play_with(self, game: str) -> None:
        """The players take another game's dice."""
        self._tray.play_with(game)

    def advance(self) -> float:
        """Lets time pass until the next frame; returns how much, in seconds."""
        self.go_on_unseen()
        return UNPICTURED_FRAME_INTERVAL_S

    def go_on_unseen(self) -> None:
        """Begins a new moment: what is done from now on is later than everything before."""
        self._tray.moment += 1

    @property
    def comparable(self) -> bool:
        """Always: there are no pictures."""
        return True


class _Changing(UnpicturedTray):
    """An unpictured tray that can change its dice, under a camera that may miss what is done.

    Attributes:
        moment: counts the moments at which something can be done.
    """

    def __init__(self, rng: Random, kinds: Mapping[int, Kind], doubt: float) -> None:
        super().__init__(rng, kinds, doubt)
        self.moment = self._done_at = 0
        self._seen = copy(self._tracker)
        self._unseen = False

    def events(self) -> list[TrayEvent]:
        """The events since the last call."""
        self._seen = copy(self._tracker)
        self._unseen = False
        return super().events()

    def begin_watching(self) -> None:
        """Forgets all there was, as a watcher does that begins: it finds what lies there now."""
        self._seen, self._unseen = Tracker(), False
        self._tracker = Tracker()
        self._events.clear()
        if found := self._tracker.found(self._readings()):
            self._events += [Found(0, 0.0, found), TrayChanged(0, 0.0, TrayState.STILL)]

    def _rest(self, rolled: Collection[int] = ()) -> None:
        self._unseen |= bool(self._events) and self.moment != self._done_at
        self._done_at = self.moment
        if self._unseen:
            # Nobody saw what lay there in between, nor how the dice got there.
            self._tracker = copy(self._seen)
            self._events.clear()
            rolled = ()
        super()._rest(rolled)

    def play_with(self, game: str) -> None:
        """Takes another game's dice; the old ones are put away."""
        self.pick_up(list(self.lying()))
        self._kinds = kinds_of_dice_in(game)


class _Listener:
    def __init__(self, tray: UnpicturedTray) -> None:
        self._tray = tray

    def feed(self, frame: Frame) -> Sequence[TrayEvent]:
        """The events in the tray."""
        return self._tray.events()

    def finish(self) -> Sequence[TrayEvent]:
        """The events in the tray, at the end."""
        return self._tray.events()

    def expect(self, count: int | None) -> None:
        """Ignores what is expected."""
