"""Which places are looked at."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from appliance.simulator.render.dice_model import flat_die
from appliance.simulator.render.pinhole import look_down
from appliance.simulator.render.renderer import render
from appliance.simulator.render.scene import Scene
from vision.classify.face import COVERED, FACE_CLASSES, LEANING, SYMBOL, FaceEstimates, Pyramid
from vision.detect import detector
from vision.detect.detection import Detection
from vision.detect.detector import (
    MAX_CHANCE_PIPS,
    _add_filling_dice,
    _places_off_dice,
    _with_its_pips,
    detect_dice,
)
from vision.detect.patterns import EDGE_OVER_STEP, Face
from vision.detect.region import whole_view
from vision.frame import Image
from vision.image.arrays import FloatArray
from vision.reader import Reader
from vision.reading import Kind


def seen(klass: int, share: float) -> FaceEstimates:
    """One look at (100, 100), at a die of 40 pixels, with the network's output."""
    faces = np.full((1, FACE_CLASSES), (1 - share) / (FACE_CLASSES - 1))
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
    centers, edges = _places_off_dice((np.array([near, far]), np.full(2, 40.0)), seen(klass, share))
    assert centers.tolist() == [[*near], [*far]][not looked_at :]
    assert len(edges) == len(centers)


def test_no_places_and_no_finds_are_no_matter() -> None:
    nothing = (np.zeros((0, 2)), np.zeros(0))
    assert len(_places_off_dice(nothing, seen(4, 0.99))[1]) == 0
    some = (np.array([(1.0, 2.0)]), np.ones(1))
    assert len(_places_off_dice(some, seen(4, 0.99).take(np.zeros(1, np.bool_)))[1]) == 1


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


def top(center: tuple[float, float], edge: float, value: int, plain: bool = False) -> Detection:
    """A top that both networks take for a value; whether its pips make that value, too."""
    shown = np.eye(FACE_CLASSES)[value]
    step = edge / EDGE_OVER_STEP * np.eye(2)
    pattern = Face(value, center, step, (), 0.0, True, edge / 10, 90.0, 1.0, edge)
    return Detection(
        center=np.array(center),
        axes=edge * np.eye(2),
        turn=0.0,
        faces=shown,
        kinds=np.zeros(6),
        lattice=pattern if plain else None,
        count=0,
        across=False,
        values=shown[:8],
    )


def test_a_die_that_fills_the_picture_is_added_to_those_beside_it() -> None:
    beside, big = top((900.0, 100.0), 60.0, 3, plain=True), top((300.0, 300.0), 400.0, 5)
    assert _add_filling_dice([beside], [big]) == [beside, big]


def test_pips_and_reflections_on_a_die_that_fills_the_picture_go() -> None:
    pip, big = top((350.0, 300.0), 60.0, 1), top((300.0, 300.0), 400.0, 5)
    assert _add_filling_dice([pip], [big]) == [big]


def test_a_dish_never_replaces_the_dice_in_it() -> None:
    die, dish = top((350.0, 300.0), 60.0, 4, plain=True), top((300.0, 300.0), 400.0, 5)
    elsewhere = top((900.0, 800.0), 300.0, 6)
    assert _add_filling_dice([die], [dish, elsewhere]) == [die, elsewhere]


def test_nor_the_dice_in_it_whose_value_networks_do_not_know() -> None:
    """Six sixes with close rows were a 4 that filled the picture: the tray."""
    die, dish = top((350.0, 300.0), 60.0, 4), top((300.0, 300.0), 400.0, 4)
    pips = np.array([(0.3 * column, 0.2 * row) for column in (-1, 0, 1) for row in (-1, 1)])
    seen = replace(die, plain_pips=pips)
    assert _add_filling_dice([seen], [dish]) == [seen]
    none = np.eye(FACE_CLASSES)[0]
    for doubted in (replace(seen, faces=none), replace(seen, values=none[:8])):
        assert _add_filling_dice([doubted], [dish]) == [dish]
    assert _add_filling_dice([replace(die, plain_pips=pips[:1])], [dish]) == [dish]


def spotted(*places: tuple[float, float]) -> Pyramid:
    """A large plain top in the middle of a picture, with pips at these places, in edges."""
    picture = np.full((600, 800, 3), 90, np.uint8)
    cv2.rectangle(picture, (200, 100), (600, 500), (40, 40, 40), -1)
    for right, down in places:
        middle = (round(400 + 400 * right), round(300 + 400 * down))
        cv2.circle(picture, middle, 40, (240, 240, 240), -1, cv2.LINE_AA)
    return Pyramid(picture)


@pytest.mark.parametrize(
    ("value", "places", "true"),
    [
        (1, [(0.0, 0.0)], True),
        (1, [(0.25, 0.1)], False),
        (1, [], False),
        (2, [(0.25, 0.25), (-0.25, -0.25)], True),
        (2, [(0.25, 0.25), (-0.25, 0.25)], False),
        (2, [(0.25, 0.25)], False),
        (3, [(0.25, 0.25), (0.0, 0.0), (-0.25, -0.25)], True),
        (3, [(0.25, 0.25), (0.0, 0.0)], False),
        # A lamp may hide some of four and more.
        (4, [(0.25, 0.25), (-0.25, -0.25), (0.25, -0.25), (-0.25, 0.25)], True),
        (4, [(0.25, 0.25), (-0.25, -0.25), (0.25, -0.25)], True),
        (4, [(0.25, 0.25), (-0.25, -0.25)], False),
        (4, [(0.3, 0.3), (-0.3, -0.3), (0.3, -0.3), (-0.3, 0.3), (0.0, 0.0)], False),
        (4, [], False),
    ],
)
def test_pips_of_a_die_that_fills_the_picture_must_be_where_they_belong(
    value: int, places: list[tuple[float, float]], true: bool
) -> None:
    one = _with_its_pips(spotted(*places), top((400.0, 300.0), 400.0, value))
    assert (one is not None) is true
    if one is not None and value <= MAX_CHANCE_PIPS:
        assert len(one.plain_pips) == value


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
