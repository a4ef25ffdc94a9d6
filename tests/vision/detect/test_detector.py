"""Which places are looked at."""

from dataclasses import replace

import numpy as np
import pytest

from appliance.simulator.render.dice_model import lying
from appliance.simulator.render.pinhole import look_down
from appliance.simulator.render.renderer import render
from appliance.simulator.render.scene import Scene
from vision.classify.face import CLASSES, COVERED, LEANING, SYMBOL, FaceEstimates, Pyramid
from vision.detect import detector
from vision.detect.detector import _beside, detect_dice
from vision.detect.region import whole_view
from vision.image.arrays import FloatArray
from vision.reading import Kind


def seen(klass: int, share: float) -> FaceEstimates:
    """One look at (100, 100), at a die of 40 pixels, with the network's output."""
    faces = np.full((1, CLASSES), (1 - share) / (CLASSES - 1))
    faces[0, klass] = share
    return FaceEstimates(
        faces,
        np.full((1, 6), 1 / 6),
        np.array([(100.0, 100.0)]),
        40 * np.eye(2)[None],
        np.zeros(1),
    )


@pytest.mark.parametrize(
    ("klass", "share", "looked_at"),
    [
        (4, 0.99, False),
        (SYMBOL, 0.7, False),
        (4, 0.5, True),
        # A patch off the centre of a die looks like a die that leans or is covered.
        (LEANING, 0.99, True),
        (COVERED, 0.99, True),
        (0, 0.99, True),
    ],
)
def test_only_plain_finds_need_no_rival(klass: int, share: float, looked_at: bool) -> None:
    near, far = (110.0, 100.0), (140.0, 100.0)
    centers, edges = _beside((np.array([near, far]), np.full(2, 40.0)), seen(klass, share))
    assert centers.tolist() == [[*near], [*far]][not looked_at :]
    assert len(edges) == len(centers)


def test_no_places_and_no_finds_are_no_matter() -> None:
    nothing = (np.zeros((0, 2)), np.zeros(0))
    assert len(_beside(nothing, seen(4, 0.99))[1]) == 0
    some = (np.array([(1.0, 2.0)]), np.ones(1))
    assert len(_beside(some, seen(4, 0.99).take(np.zeros(1, np.bool_)))[1]) == 1


@pytest.mark.parametrize(("plain", "again"), [(0.0, 0), (1.1, 1)])
def test_only_dice_in_doubt_are_looked_at_from_four_sides(
    plain: float, again: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def agreed(_: Pyramid, centers: FloatArray, __: FloatArray) -> FloatArray:
        asked.append(len(centers))
        return np.eye(CLASSES)[[4] * len(centers)]

    asked: list[int] = []
    monkeypatch.setattr(detector, "agreed_faces", agreed)
    monkeypatch.setattr(detector, "PLAIN_FACE", plain)
    scene = Scene(camera=look_down((320, 240), height=120.0))
    image = render(replace(scene, dice=(lying(Kind.RED, 5, (0.0, 0.0), 0.4),)))
    (die,) = detect_dice(image, whole_view(320, 240))
    assert asked == [again]
    assert int(die.faces.argmax()) == (4 if again else 5)
