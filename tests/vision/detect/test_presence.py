"""Heat, face, size and pips must speak for a die."""

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.classify.face import FACE_CLASSES, NO_ESTIMATES, SYMBOL, FaceEstimates, Pyramid
from vision.detect.detection import MIN_EDGE_OF_LARGE_PIPS_PX, Detection
from vision.detect.pips import Pips
from vision.detect.presence import (
    MAX_CHANCE_PIPS,
    MAX_SIZE_RATIO,
    MIN_TWINS,
    NO_VALUE,
    hold_smaller_dice,
    of_one_size,
    presence,
    those_there,
    with_its_pips,
    with_prominence,
)
from vision.detect.tops import Tops


def top(center: tuple[float, float], edge: float, value: int, none: float = 0.0) -> Detection:
    """A top that both networks take for a value, with this probability of no face."""
    shown = np.eye(FACE_CLASSES)[value] * (1 - none) + np.eye(FACE_CLASSES)[0] * none
    return Detection(
        center=np.array(center),
        axes=edge * np.eye(2),
        turn=0.0,
        faces=shown,
        kinds=np.zeros(6),
        lattice=None,
        count=0,
        across=False,
        values=np.eye(FACE_CLASSES)[value][:8],
    )


def heat_of(heat: float, center: tuple[float, float] = (100.0, 100.0)) -> Tops:
    return Tops(np.array([center]), np.array([40.0]), np.array([heat]))


def test_presence_is_the_log_odds_of_both_networks() -> None:
    one = top((100.0, 100.0), 40.0, 4, none=0.5)
    assert presence(one, heat_of(0.5)) == pytest.approx(0.0)
    assert presence(one, heat_of(0.9)) == pytest.approx(2 * math.log(9))
    assert presence(replace(one, faces=top((0.0, 0.0), 1.0, 4, 0.1).faces), heat_of(0.5)) == (
        pytest.approx(math.log(9))
    )
    assert presence(one, heat_of(0.9, (115.0, 100.0))) < -20
    assert math.isfinite(presence(top((100.0, 100.0), 40.0, 4, none=0.0), heat_of(0.0)))


def test_who_has_too_little_presence_is_not_there() -> None:
    cold, hot = top((500.0, 100.0), 40.0, 3, none=0.1), top((100.0, 100.0), 40.0, 4, none=0.1)
    assert those_there([cold, hot], heat_of(0.6), 1.0) == [hot]


def test_what_is_not_plainly_a_die_must_have_the_size_of_those_that_are() -> None:
    dice = [top((100.0 * k, 100.0), 40.0, k) for k in (1, 2, 3)]
    alike = top((500.0, 50.0), 40.0 * MAX_SIZE_RATIO - 1, 5, none=0.2)
    speck = top((500.0, 80.0), 40.0 / MAX_SIZE_RATIO - 1, 1, none=0.2)
    board = top((500.0, 400.0), 40.0 * MAX_SIZE_RATIO + 1, 4, none=0.2)
    assert of_one_size([*dice, alike, speck, board]) == [*dice, alike]
    assert of_one_size([alike, speck, board]) == [alike, speck, board]
    assert of_one_size([]) == []


def test_a_plain_die_of_another_size_is_not_left_out() -> None:
    dice = [top((100.0 * k, 100.0), 40.0, k) for k in (1, 2, 3)]
    jumbo = top((500.0, 400.0), 100.0, 4)
    assert of_one_size([*dice, jumbo]) == [*dice, jumbo]


def spots_of(contrast: float, *places: tuple[float, float]) -> Pips:
    """Bright spots of the size of a 40-pixel die's pips, far ones included."""
    far = [(300.0 + 12 * (k % 20), 12.0 * (k // 20)) for k in range(60)]
    xy = np.array([*places, *far])
    size = np.full(len(xy), 4.0)
    levels = np.full(len(xy), 60.0)
    levels[: len(places)] = contrast
    return Pips(xy, size, size, levels, True)


NONE = Pips(np.zeros((0, 2)), np.zeros(0), np.zeros(0), np.zeros(0), False)


def prominence_of(one: Detection, bright: Pips, crowded: bool) -> float:
    (seen,) = with_prominence([one], (bright, NONE), crowded)
    return seen.prominence


def test_in_a_crowd_pips_must_stand_out_and_be_among_the_spots_at_all() -> None:
    one = replace(top((100.0, 100.0), 40.0, 1), plain_pips=np.zeros((1, 2)))
    assert prominence_of(one, spots_of(120.0, (100.0, 100.0)), True) == pytest.approx(2.0)
    assert prominence_of(one, spots_of(60.0, (100.0, 100.0)), True) == pytest.approx(1.0)
    without = replace(one, plain_pips=np.zeros((0, 2)))
    assert prominence_of(without, spots_of(60.0), True) == 0.0
    large = replace(without, axes=MIN_EDGE_OF_LARGE_PIPS_PX * np.eye(2))
    assert prominence_of(large, spots_of(60.0), True) == math.inf


def test_pips_with_many_twins_on_the_floor_are_part_of_its_pattern() -> None:
    one = replace(top((100.0, 100.0), 40.0, 1), plain_pips=np.zeros((1, 2)))
    alike, stronger = spots_of(60.0, (100.0, 100.0)), spots_of(90.0, (100.0, 100.0))
    assert prominence_of(one, alike, False) == 1.0
    assert prominence_of(one, stronger, False) == math.inf
    few = alike.take(np.arange(len(alike)) < MIN_TWINS)
    assert prominence_of(one, few, False) == math.inf
    longish = replace(alike, minor=np.where(np.arange(len(alike)) == 0, 4.0, 3.0))
    assert prominence_of(one, longish, False) == math.inf


def test_pips_of_other_dice_are_no_twins() -> None:
    dice = [top((300.0 + 40 * k, 60.0), 40.0, 6) for k in range(8)]
    places = [(x + a, 60.0 + b) for x in range(300, 620, 40) for a in (-9, 0, 9) for b in (-9, 9)]
    xy = np.array(places, np.float64)
    size = np.full(len(xy), 4.0)
    pips = Pips(xy, size, size, np.full(len(xy), 60.0), True)
    seen = with_prominence(dice, (pips, NONE), False)
    assert [one.prominence for one in seen] == [math.inf] * 8


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
    one = with_its_pips(spotted(*places), top((400.0, 300.0), 400.0, value))
    assert (one.values.tolist() == NO_VALUE.tolist()) is not true
    if true and value <= MAX_CHANCE_PIPS:
        assert len(one.plain_pips) == value


@pytest.mark.parametrize("inner", [0, 1, 2, 5])
def test_the_pip_of_a_one_that_has_pips_itself_is_a_die_in_a_dish(inner: int) -> None:
    picture = spotted((0.0, 0.0)).level(0)
    for k in range(inner):
        middle = (400 + 26 * (k % 3 - 1), 300 + 26 * (k // 3 - (inner > 3)))
        cv2.circle(picture, middle, 6, (20, 20, 20), -1, cv2.LINE_AA)
    one = with_its_pips(Pyramid(picture), top((400.0, 300.0), 400.0, 1))
    assert (one.values.tolist() == NO_VALUE.tolist()) is (inner > 1)


def test_the_pips_of_a_smaller_die_are_not_asked_for() -> None:
    one = top((400.0, 300.0), MIN_EDGE_OF_LARGE_PIPS_PX - 1, 4)
    assert with_its_pips(spotted(), one) is one


@pytest.mark.parametrize(
    ("outer", "value", "share", "edge", "beside", "is_none"),
    [
        (1, 4, 0.99, 60.0, 30.0, True),
        (3, 2, 0.99, 60.0, 0.0, True),
        # A single pip, a doubtful look, something of about its size, a die beside it.
        (1, 1, 0.99, 60.0, 0.0, False),
        (1, 4, 0.97, 60.0, 0.0, False),
        (1, 4, 0.99, 180.0, 0.0, False),
        (1, 4, 0.99, 60.0, 160.0, False),
        # Four pips are no chance.
        (4, 3, 0.99, 60.0, 0.0, False),
        (1, SYMBOL, 0.91, 30.0, 20.0, True),  # a tray with the Power die
        (1, SYMBOL, 0.89, 30.0, 20.0, False),
    ],
)
def test_what_holds_a_smaller_die_is_a_dish(
    outer: int, value: int, share: float, edge: float, beside: float, is_none: bool
) -> None:
    faces = np.zeros((2, FACE_CLASSES))
    faces[[0, 1], [outer, value]] = 0.999, share
    seen = FaceEstimates(
        faces,
        np.full((2, 6), 1 / 6),
        np.array([(200.0, 200.0), (200.0 + beside, 200.0)]),
        np.array([300.0, edge])[:, None, None] * np.eye(2),
        np.zeros(2),
    )
    assert hold_smaller_dice(seen).tolist() == [is_none, False]
    assert not hold_smaller_dice(NO_ESTIMATES).any()
