"""A tray with markers on its rim, read before anybody has calibrated it."""

from dataclasses import replace

import numpy as np

from calibration.readers import UncalibratedReader
from simulator.render.dice_model import flat_die
from simulator.render.scene import LIVE_QUALITY
from simulator.scenes.installations import marked_scene
from tests.rigs.rendering.pictures import drawn
from vision.frame import Image
from vision.reader import Reader
from vision.reading import Kind, TrayState

SCENE = marked_scene()
SIZE = (1280, 720)


def picture(*faces: int) -> Image:
    dice = tuple(
        flat_die(Kind.BLACK, face, (40.0 * k - 60, 15.0 * (-1) ** k), 0.5 * k)
        for k, face in enumerate(faces)
    )
    scene = replace(SCENE, dice=dice, camera=SCENE.camera.resized(SIZE))
    return drawn(scene, np.random.default_rng(1), LIVE_QUALITY)


def test_markers_are_not_dice() -> None:
    empty = picture()
    # Otherwise this would prove nothing.
    assert Reader().read(empty).dice
    assert UncalibratedReader().read(empty).dice == ()
    assert UncalibratedReader().read(empty).tray is TrayState.EMPTY


def test_dice_among_markers_are_read() -> None:
    reading = UncalibratedReader().read(picture(1, 2, 5, 6))
    assert sorted(str(die.value) for die in reading.dice if die.sure) == ["1", "2", "5", "6"]
    assert len(reading.dice) == 4


def test_a_die_that_lies_on_a_marker_is_no_die_in_the_tray_and_no_two() -> None:
    x, y = (half - 8.5 for half in SCENE.tray.half)
    inside = tuple(
        flat_die(Kind.BLACK, face, place, 0.0)
        for face, place in zip((2, 3, 4, 5), ((-x, -y), (x, -y), (x, y), (-x, y)), strict=True)
    )
    for plate in SCENE.prints:
        on_it = flat_die(Kind.BLACK, 6, plate.place, 0.6, floor=plate.height)
        scene = replace(SCENE, dice=(*inside, on_it), camera=SCENE.camera.resized(SIZE))
        reading = UncalibratedReader().read(drawn(scene, np.random.default_rng(1), LIVE_QUALITY))
        assert sorted(str(die.value) for die in reading.dice) == ["2", "3", "4", "5"]
