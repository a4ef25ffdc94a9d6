"""Sides of dice, which are no dice."""

from dataclasses import replace

import numpy as np
import pytest

from simulator.render.scene import camera_parameters
from simulator.scenes.installations import INSTALLATION_QUALITY
from tests.rigs.any_set_up import any_set_up
from tests.rigs.rendering.pictures import drawn
from tests.vision.decide.detected import found, place, plain
from vision.classify.face import COVERED, FACE_CLASSES, SYMBOL
from vision.classify.posture import FLAT, LEANING, POSTURE_CLASSES, STACKED
from vision.decide.evidence import TrayPlace
from vision.decide.sides import are_sides
from vision.detect.detection import Detection
from vision.geometry.profile import Profile
from vision.reader import Reader
from vision.reading import Kind

SIZE = (640, 480)
HEIGHT_MM = 400.0
EDGE_MM = 16.0
TOP_MM = (120.0, 0.0)
"""Seen from the left: the camera hangs above the middle."""


def profile() -> Profile:
    return Profile(
        size=SIZE,
        camera=np.array([(500.0, 0, 320), (0, 500, 240), (0, 0, 1)]),
        distortion=np.zeros(4),
        rotation=np.eye(3),
        translation=np.array([0.0, 0.0, HEIGHT_MM]),
        tray=np.array([(-150.0, -100), (150, -100), (150, 100), (-150, 100)]),
        die_edge_mm=EDGE_MM,
    )


def at(x: float, y: float) -> TrayPlace:
    """So many edges from the top, towards the camera's foot and across."""
    return replace(place(), mm=(TOP_MM[0] - x * EDGE_MM, TOP_MM[1] + y * EDGE_MM))


def top(posture: int = FLAT) -> Detection:
    one = plain(found(4, 4, 0.99, 4))
    faces, postures = np.zeros(FACE_CLASSES), np.zeros(POSTURE_CLASSES)
    faces[4], postures[posture] = 0.99, 1.0
    return replace(one, faces=faces, postures=postures)


def side(no_face: float = 0.9, face: float = 0.4, **more: float) -> Detection:
    """A side as both networks see it."""
    one = plain(found(0, 0, no_face, 0))
    faces = np.zeros(FACE_CLASSES)
    faces[2] = face
    faces[COVERED] = more.get("covered", 0.1)
    faces[SYMBOL] = more.get("symbol", 0.0)
    return replace(one, faces=faces)


def is_side(one: Detection, where: TrayPlace, mother: Detection | None = None) -> bool:
    found_dice = [mother or top(), one]
    first, second = are_sides(found_dice, [at(0, 0), where], profile())
    assert not first
    return second


@pytest.mark.parametrize("where", [at(0.8, 0), at(0.9, 0.4), at(1.0, -0.4)])
def test_what_the_camera_sees_beside_a_top_is_its_side(where: TrayPlace) -> None:
    assert is_side(side(), where)


@pytest.mark.parametrize("where", [at(-0.9, 0), at(0.3, 0), at(0.9, 0.6), at(1.2, 0), at(5, 0)])
def test_elsewhere_it_may_be_a_die(where: TrayPlace) -> None:
    assert not is_side(side(), where)


@pytest.mark.parametrize(
    "one",
    [
        side(no_face=0.5),
        side(face=0.7),
        side(covered=0.5),
        side(symbol=0.15),
        replace(side(), count=1),
        replace(side(), plain_pips=np.zeros((1, 2))),
    ],
)
def test_what_may_be_a_face_is_no_side(one: Detection) -> None:
    assert not is_side(one, at(0.9, 0))


@pytest.mark.parametrize("posture", [LEANING, STACKED])
def test_beside_a_die_that_does_not_lie_level_another_may_be_seen(posture: int) -> None:
    assert not is_side(side(), at(0.9, 0), top(posture))


def test_beside_what_is_no_die_there_is_no_side() -> None:
    assert not is_side(side(), at(0.9, 0), side())


def test_straight_below_the_camera_no_side_is_seen() -> None:
    below = replace(place(), mm=(0.0, 0.0))
    beside = replace(place(), mm=(0.9 * EDGE_MM, 0.0))
    assert are_sides([top(), side()], [below, beside], profile()) == [False, False]


def test_a_die_under_a_slanted_lamp_is_one_die() -> None:
    where = any_set_up(33).where
    laid = where.laid(np.random.default_rng((33, 3)), [(Kind.BLACK, None)] * 4 + [(Kind.RED, None)])
    image = drawn(laid, np.random.default_rng(100), INSTALLATION_QUALITY)
    dice = Reader(camera_parameters(laid)).read(image).dice
    assert len([die for die in dice if not (die.aside or die.held)]) == 5
