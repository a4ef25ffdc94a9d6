"""A throw of glossy dice under a lamp, read through darker frames of the simulated camera."""

from collections.abc import Iterator

import numpy as np
import pytest

from simulator.camera import EXPOSURE_DELAY_FRAMES, SimulatedCamera
from simulator.motion.perfect_profile import learn_profile
from simulator.motion.simulated_tray import SimulatedTray
from simulator.render.scene import GLANCE_QUALITY
from tests.rigs.rendering.glare import GLOSSY, glaring_scene
from vision.events import Roll
from vision.frame import Frame
from vision.reader import Reader
from vision.reading import Kind
from vision.watch.watcher import watcher_for

pytestmark = pytest.mark.slow

FULL, SMALL, FPS = (960, 540), (240, 135), 30.0
KINDS = {0: Kind.BLACK, 1: Kind.BLACK, 2: Kind.RED}


def glossy_tray() -> SimulatedTray:
    return SimulatedTray(5, KINDS, glaring_scene(FULL), GLOSSY)


def frames(tray: SimulatedTray, camera: SimulatedCamera) -> Iterator[Frame]:
    while True:
        yield camera.take()
        tray.advance(1 / FPS)


def test_less_exposure_shows_eight_frames_later_in_both_pictures_and_ends_so() -> None:
    tray = SimulatedTray()
    camera = SimulatedCamera(tray, SMALL, SMALL, GLANCE_QUALITY)
    seen = frames(tray, camera)
    usual = next(seen)
    camera.darken(1 / 8)
    late = [next(seen) for _ in range(EXPOSURE_DELAY_FRAMES + 1)]
    camera.brighten()
    after = [next(seen) for _ in range(EXPOSURE_DELAY_FRAMES + 1)]
    assert [f.exposure for f in late] == [1.0] * EXPOSURE_DELAY_FRAMES + [0.125]
    assert [f.exposure for f in after] == [0.125] * EXPOSURE_DELAY_FRAMES + [1.0]
    dark = late[-1]
    assert dark.small is not None
    assert usual.small is not None
    for one, other in ((dark.image, usual.image), (dark.small, usual.small)):
        assert one.mean() < 0.5 * other.mean()
    assert abs(float(np.mean(after[-1].image)) - float(np.mean(usual.image))) < 1.0


def test_a_throw_in_glare_is_read_through_darker_frames_in_time() -> None:
    tray = glossy_tray()
    camera = SimulatedCamera(tray, SMALL, FULL, GLANCE_QUALITY)
    profile = learn_profile(tray, FULL)
    watcher = watcher_for(Reader(profile), profile, camera)
    tray.throw({0: 3, 1: 3, 2: 2})
    dark, rolls = 0, list[Roll]()
    for frame in frames(tray, camera):
        dark += frame.exposure < 1.0
        rolls += [event for event in watcher.feed(frame) if isinstance(event, Roll)]
        if frame.time_s > 6.0 or (
            rolls and frame.index > rolls[0].frame + 2 * EXPOSURE_DELAY_FRAMES
        ):
            break
    (roll,) = rolls
    assert sorted(str(d.reading.value) for d in roll.dice) == ["2", "3", "3"]
    assert roll.sure
    assert 0 < dark <= 2 * EXPOSURE_DELAY_FRAMES
    assert (roll.frame - roll.rest_frame) / FPS <= 0.6
    assert frame.exposure == 1.0
