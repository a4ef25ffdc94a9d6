"""The heat map finds tops of any size, and says how hot each is."""

import cv2
import numpy as np
import pytest

from scripts.training.drawn.trays import EDGE, GRID, draw_tray
from vision.classify.face import Pyramid
from vision.detect import tops
from vision.detect.tops import Tops, find_tops
from vision.frame import Image
from vision.image.arrays import FloatArray

KINDS = ("black", "red", "white", "yellow", "power", "other")
PLACES = np.array(GRID, np.float64)


@pytest.fixture(scope="module")
def tray() -> Image:
    return draw_tray((1, 2, 3, 4, 5, 6), KINDS)


def scaled(picture: Image, factor: float) -> Image:
    how = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(picture, None, fx=factor, fy=factor, interpolation=how), np.uint8)


def hottest_at(found: Tops, place: FloatArray, reach: float) -> int:
    """The hottest top within so many pixels; the hottest come first."""
    return int(np.flatnonzero(np.hypot(*(found.centers - place).T) < reach)[0])


@pytest.mark.parametrize("factor", [0.45, 0.7, 1.0, 1.7, 3.0, 6.0])
def test_dice_of_any_size_are_found_where_they_lie(tray: Image, factor: float) -> None:
    found = find_tops(Pyramid(scaled(tray, factor)))
    for place in (PLACES + 0.5) * factor - 0.5:
        one = hottest_at(found, place, 0.12 * EDGE * factor)
        assert found.edges[one] == pytest.approx(EDGE * factor, rel=0.25)
        assert found.heats[one] > 0.4


@pytest.mark.parametrize("factor", [0.6, 1.0, 2.0, 4.0])
def test_where_the_size_is_known_one_level_is_enough(
    tray: Image, factor: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[tuple[int, ...]] = []
    asked = tops._asked

    def noted(picture: Image) -> FloatArray:
        looked.append(picture.shape)
        return asked(picture)

    monkeypatch.setattr(tops, "_asked", noted)
    found = find_tops(Pyramid(scaled(tray, factor)), EDGE * factor)
    assert len(looked) == 1
    for place in (PLACES + 0.5) * factor - 0.5:
        assert found.heat_at(place, 0.3 * EDGE * factor) > 0.4


def test_the_hottest_come_first_and_no_top_twice(tray: Image) -> None:
    found = find_tops(Pyramid(tray))
    assert (np.diff(found.heats) <= 0).all()
    gaps = np.hypot(*np.moveaxis(found.centers[:, None] - found.centers[None], 2, 0))
    sizes = np.abs(np.subtract.outer(np.log(found.edges), np.log(found.edges)))
    twins = (gaps < tops.MIN_TWIN_DISTANCE_EDGES * found.edges) & (sizes < tops.MAX_TWIN_LOG_SIZE)
    assert not np.triu(twins.T, 1).any()


@pytest.mark.parametrize("tone", [(20, 20, 20), (60, 110, 40), (230, 230, 230)])
def test_nothing_lies_on_a_plain_floor(tone: tuple[int, int, int]) -> None:
    floor = np.full((480, 640, 3), tone, np.float64)
    noisy = floor + np.random.default_rng(1).normal(0, 4, floor.shape)
    found = find_tops(Pyramid(np.clip(noisy, 0, 255).astype(np.uint8)))
    assert found.heats.max(initial=0.0) < 0.3


def test_no_heat_is_where_no_top_was_found() -> None:
    one = Tops(np.array([(10.0, 10.0), (12.0, 10.0)]), np.array([9.0, 9.0]), np.array([0.3, 0.6]))
    assert one.heat_at(np.array([10.0, 10.0]), 1.0) == 0.3
    assert one.heat_at(np.array([10.0, 10.0]), 3.0) == 0.6
    assert one.heat_at(np.array([50.0, 10.0]), 3.0) == 0.0


@pytest.mark.parametrize("size", [(8, 8), (9, 31), (64, 57), (65, 130)])
def test_pictures_of_any_size_have_a_cell_for_each_part(size: tuple[int, int]) -> None:
    width, height = size
    picture = np.full((height, width, 3), 90, np.uint8)
    (window,) = tops._windows(Pyramid(picture), 0, None)
    said = tops._asked(window.cut(picture))
    assert said.shape[0] == 4
    assert tops._heat(said[0], picture, window).shape == (-(-height // 4), -(-width // 4))


def around(place: FloatArray, edges: float) -> tuple[slice, slice]:
    """So many edges on each side of a place."""
    (x, y), reach = place.tolist(), edges * EDGE
    return slice(int(y - reach), int(y + reach)), slice(int(x - reach), int(x + reach))


@pytest.mark.parametrize("factor", [1.0, 2.0])
def test_parts_show_the_tops_that_have_their_middles_there_and_no_others(
    tray: Image, factor: float
) -> None:
    pyramid, edge = Pyramid(scaled(tray, factor)), EDGE * factor
    whole = find_tops(pyramid, edge)
    middles = (PLACES + 0.5) * factor - 0.5
    for chosen in ([0], [1, 4], [0, 5], list(range(len(PLACES)))):
        parts = [around((PLACES[k] * factor), 0.4 * factor) for k in chosen]
        found = find_tops(pyramid, edge, parts)
        for k, place in enumerate(middles):
            if k in chosen:
                one, same = (hottest_at(some, place, 0.3 * edge) for some in (found, whole))
                assert np.hypot(*(found.centers[one] - whole.centers[same])) < 0.06 * edge
                assert found.edges[one] == pytest.approx(whole.edges[same], rel=0.1)
                assert found.heats[one] > 0.4
            elif len(chosen) == 1:
                assert found.heat_at(place, 0.3 * edge) == 0.0


def test_parts_cost_less_than_the_whole_and_no_part_nothing(tray: Image) -> None:
    def work(parts: list[tuple[slice, slice]] | None) -> float:
        pyramid = Pyramid(tray)
        before = pyramid.looks_left
        find_tops(pyramid, EDGE, parts)
        return before - pyramid.looks_left

    one = around(PLACES[0], 0.4)
    assert work([]) == 0
    assert len(find_tops(Pyramid(tray), EDGE, []).heats) == 0
    assert 0 < work([one]) < 0.3 * work(None)
    assert work([one, one]) == work([one]), "the same part is looked at once"
    assert work([one, around(PLACES[5], 0.4)]) == pytest.approx(2 * work([one]), rel=0.3)


def test_the_work_is_accounted_for(tray: Image) -> None:
    pyramid = Pyramid(tray)
    before = pyramid.looks_left
    find_tops(pyramid)
    assert 5 < before - pyramid.looks_left < 100
