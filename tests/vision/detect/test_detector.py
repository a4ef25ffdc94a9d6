"""Which places are looked at."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from simulator.render.dice_model import flat_die
from simulator.render.pinhole import look_down
from simulator.render.renderer import render
from simulator.render.scene import Scene, camera_parameters
from vision.classify import posture
from vision.classify.face import FACE_CLASSES, Pyramid
from vision.detect import detector, unknown_view
from vision.detect.detector import detect_dice
from vision.detect.region import calibrated_view, whole_view
from vision.frame import Image
from vision.image.arrays import FloatArray
from vision.reader import Reader
from vision.reading import Kind


@pytest.mark.parametrize(("plain", "again"), [(0.0, 0), (1.1, 1)])
def test_only_dice_in_doubt_are_looked_at_from_four_sides(
    plain: float, again: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def agreed(_: Pyramid, centers: FloatArray, __: FloatArray) -> FloatArray:
        asked.append(len(centers))
        return np.eye(FACE_CLASSES)[[4] * len(centers)]

    asked: list[int] = []
    monkeypatch.setattr(detector, "agreed_faces", agreed)
    monkeypatch.setattr(detector, "MIN_PLAIN_CLASS", plain)
    scene = Scene(camera=look_down((320, 240), height=120.0))
    image = render(replace(scene, dice=(flat_die(Kind.RED, 5, (0.0, 0.0), 0.4),)))
    (die,) = detect_dice(image, whole_view(320, 240)).dice
    assert asked == [again]
    assert int(die.faces.argmax()) == (4 if again else 5)


def dish(seed: int) -> Image:
    """A dish with a few things in it, on a grainy table."""
    rng = np.random.default_rng(seed)
    picture = np.full((600, 800, 3), rng.integers(20, 220, 3), np.float32)
    grain = rng.normal(0, 1, (600, 800, 1)).astype(np.float32)
    picture += cv2.GaussianBlur(grain, (0, 0), rng.uniform(1, 4))[..., None] * rng.uniform(5, 60)
    middle = (400 + rng.uniform(-60, 60), 300 + rng.uniform(-40, 40))
    radius = rng.uniform(90, 250)
    axes, angle = (radius, radius * rng.uniform(0.7, 1)), rng.uniform(0, 180)
    body = rng.integers(10, 245, 3)
    for ring in range(rng.integers(1, 5)):
        share = 1 - ring * rng.uniform(0.05, 0.25)
        tone = np.clip(body + rng.normal(0, 25) * ring, 0, 255).tolist()
        at, size = (int(middle[0]), int(middle[1])), (int(axes[0] * share), int(axes[1] * share))
        cv2.ellipse(picture, at, size, angle, 0, 360, tone, -1, cv2.LINE_AA)
    for _ in range(rng.integers(0, 6)):
        x, y = (middle[k] + rng.uniform(-0.5, 0.5) * radius for k in (0, 1))
        size_px, tone = int(rng.uniform(0.05, 0.2) * radius), rng.integers(0, 255, 3).tolist()
        cv2.circle(picture, (int(x), int(y)), size_px, tone, -1, cv2.LINE_AA)
    noisy = cv2.GaussianBlur(picture, (0, 0), 1) + rng.normal(0, 3, picture.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("seed", [32, 120, 122])
def test_a_dish_is_not_claimed_as_a_die(seed: int) -> None:
    assert not [die for die in Reader().read(dish(seed)).dice if die.sure]


@pytest.mark.parametrize("known", [False, True])
def test_without_geometry_nothing_is_taken_for_stacked(
    known: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stacked(_: Pyramid, sights: posture.Sights) -> posture.PostureEstimates:
        count = len(sights.centers)
        lies = np.tile([0.1, 0.05, 0.8, 0.05], (count, 1))
        return posture.PostureEstimates(np.full((count, 8), 1 / 8), lies, np.zeros((count, 2)))

    for module in (detector, unknown_view):
        monkeypatch.setattr(module, "classify_postures", stacked)
    scene = replace(
        Scene(camera=look_down((320, 240), height=120.0)),
        dice=(flat_die(Kind.RED, 5, (0.0, 0.0), 0.4),),
    )
    view = calibrated_view(camera_parameters(scene)) if known else whole_view(320, 240)
    (die,) = detect_dice(view.work(render(scene)), view).dice
    expected = [0.1, 0.05, 0.8, 0.05] if known else [0.9, 0.05, 0.0, 0.05]
    assert die.postures.tolist() == pytest.approx(expected)
