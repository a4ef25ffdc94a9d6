"""Rendered hands over rendered dice: one that has gone is never taken for one at rest."""

from collections.abc import Callable

import numpy as np
import pytest

from simulator.motion.placing import Place, draw_free_place
from simulator.motion.simulated_tray import SimulatedTray
from simulator.motion.watched_tray import geometry_of_tray
from simulator.render.dice_model import flat_die
from simulator.render.scene import GLANCE_QUALITY, Scene
from tests.rigs.rendering.truth import truth_in
from vision.events import PickedUp, TrayEvent
from vision.frame import Image
from vision.reading import DieReading, DieState, Kind, TrayReading, TrayState
from vision.watch.watcher import Timing, Watcher

SIZE = (320, 180)
REST_FPS = 12.0


class TruthReader:
    """A reader that knows the ground truth of the tray."""

    def __init__(self, tray: SimulatedTray) -> None:
        self._tray = tray

    def read(self, image: Image) -> TrayReading:
        truth = truth_in(self._tray, SIZE).values()
        dice = tuple(
            DieReading(Kind.BLACK, die.face, DieState.OK, (), 0.9, die.centre_px, die.outline_px)
            for die in truth
        )
        return TrayReading(TrayState.STILL if dice else TrayState.EMPTY, dice)


class Watched:
    """Five dice on one side of a tray, and its watcher."""

    def __init__(self, seed: int, timing: Timing | None = None) -> None:
        rng = np.random.default_rng(seed)
        half = Scene().tray.half
        taken: list[Place] = []
        while len(taken) < 5:
            place = draw_free_place(rng, half, taken)
            if abs(place[0]) > 0.35 * half[0] and (place[0] < 0) == bool(seed % 2):
                taken.append(place)
        dice = {k: flat_die(Kind.BLACK, k + 1, at[:2], at[2]) for k, at in enumerate(taken)}
        self.tray = SimulatedTray(seed, dice=dice)
        corners = geometry_of_tray(self.tray, SIZE).tray_pixels()
        self.watcher = Watcher(TruthReader(self.tray), corners, timing)

    def watch(self, goes_on: Callable[[], bool], fps: float) -> list[TrayEvent]:
        events: list[TrayEvent] = []
        while goes_on():
            events += self.watcher.feed(self.tray.frame(SIZE, GLANCE_QUALITY))
            self.tray.advance(1 / fps)
        return events

    def rest(self, seconds: float) -> list[TrayEvent]:
        end_s = self.tray.time_s + seconds
        return self.watch(lambda: self.tray.time_s < end_s, REST_FPS)

    def act(self, fps: float) -> list[TrayEvent]:
        return self.watch(lambda: self.tray.busy, fps)


# Each of these hands was once absorbed into the reference on its way out: its outline was softer
# than the dice and walls it passed over.
@pytest.mark.parametrize(("seed", "fps"), [(8, 5.0), (47, 5.0), (56, 5.0), (1, 30.0), (4, 30.0)])
def test_a_hand_that_takes_the_dice_away_is_gone_when_it_has_gone(seed: int, fps: float) -> None:
    watched = Watched(seed)
    watched.rest(0.8)
    assert len(watched.watcher.dice) == 5
    watched.tray.pick_up(range(5))
    events = watched.act(fps) + watched.rest(1.0)
    assert any(isinstance(event, PickedUp) for event in events)
    assert watched.watcher.trace.state is TrayState.EMPTY


@pytest.mark.parametrize("before_s", [0.0, 0.8])
def test_a_hand_that_became_part_of_the_scene_may_leave(before_s: float) -> None:
    watched = Watched(3, Timing(obstacle=2.0))
    if before_s:
        # A hand that came and went: from then on the reference is taken to be sound.
        watched.rest(before_s)
        watched.tray.rest_hand()
        watched.act(12.0)
        watched.rest(before_s)
    watched.tray.rest_hand(5.0)
    watched.act(12.0)
    watched.rest(1.0)
    assert watched.watcher.trace.state is TrayState.STILL
    assert len(watched.watcher.dice) == 5


def test_dice_thrown_beside_what_stayed_do_not_make_it_stay_for_ever() -> None:
    watched = Watched(5, Timing(obstacle=2.0))
    watched.rest(0.8)
    watched.tray.rest_hand(4.0)
    watched.act(12.0)
    watched.tray.throw({0: 6})
    watched.act(30.0)
    watched.rest(1.0)
    assert watched.watcher.trace.state is TrayState.STILL
