from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from scripts.training.drawn.trays import EDGE, GRID, draw_tray
from vision.errors import ProfileError, TooManySpots
from vision.frame import Image
from vision.geometry.profile import Profile
from vision.reader import MAX_SIZE_RATIO_ON_CROWDED_FLOOR, Reader, _leave_out_specks
from vision.reading import DieReading, DieState, Kind, TrayState

VALUES = (1, 2, 3, 4, 5, 6)
BLACKS = ("black",) * 6


def values(image: Image) -> list[int]:
    """All values, of which four or more must be claimed."""
    dice = Reader().read(image).dice
    assert sum(d.sure for d in dice) >= 4
    return sorted(int(d.value) for d in dice if d.value is not None)


@pytest.fixture(scope="module")
def tray() -> Image:
    return draw_tray(VALUES, BLACKS)


def nearest(dice: tuple[DieReading, ...], x: float, y: float) -> DieReading:
    return min(dice, key=lambda d: float(np.hypot(d.center[0] - x, d.center[1] - y)))


def test_all_dice_are_found_where_they_are(tray: Image) -> None:
    dice = Reader().read(tray).dice
    assert len(dice) == 6
    for (x, y), value in zip(GRID, VALUES, strict=True):
        die = nearest(dice, x, y)
        assert np.hypot(die.center[0] - x, die.center[1] - y) < 0.12 * EDGE
        assert die.sure
        assert die.value == value
        assert die.kind is Kind.BLACK


@pytest.mark.parametrize("kind", ["red", "white", "yellow", "black"])
def test_kinds_are_told_apart(kind: str) -> None:
    dice = Reader().read(draw_tray((6, 5, 4, 3, 2, 1), (kind,) * 6, seed=5)).dice
    assert [d.kind.value for d in dice if d.sure].count(kind) >= 5
    assert all(d.kind.value == kind for d in dice if d.sure)


def test_the_outline_is_the_top_face(tray: Image) -> None:
    for die in Reader().read(tray).dice:
        corners = np.array(die.outline)
        assert corners.shape == (4, 2)
        sides = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
        np.testing.assert_allclose(sides, EDGE, rtol=0.15)
        np.testing.assert_allclose(corners.mean(axis=0), die.center, atol=1.0)
        after = np.roll(corners, -1, axis=0)
        area = float((corners[:, 0] * after[:, 1] - corners[:, 1] * after[:, 0]).sum())
        assert area > 0, "clockwise as seen in the picture"


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_turning_the_picture_does_not_change_values(tray: Image, turns: int) -> None:
    turned: NDArray[np.uint8] = np.ascontiguousarray(np.rot90(tray, turns))
    assert values(turned) == values(tray)


def test_mirroring_the_picture_does_not_change_values(tray: Image) -> None:
    assert values(np.ascontiguousarray(tray[:, ::-1])) == values(tray)


@pytest.mark.parametrize("order", [(6, 1, 5, 2, 4, 3), (3, 6, 2, 4, 1, 5)])
def test_dice_that_change_places_keep_their_values(order: tuple[int, ...]) -> None:
    dice = Reader().read(draw_tray(order, BLACKS)).dice
    assert len(dice) == 6
    for (x, y), value in zip(GRID, order, strict=True):
        die = nearest(dice, x, y)
        assert die.value == value or not die.sure
    assert sum(die.sure for die in dice) >= 4


@pytest.mark.parametrize("gain", [0.6, 0.8, 1.15])
def test_scaling_the_light_does_not_change_values(tray: Image, gain: float) -> None:
    light = np.clip(tray.astype(float) * gain, 0, 255).astype(np.uint8)
    assert values(light) == values(tray)


def test_the_reader_keeps_nothing_between_pictures(tray: Image) -> None:
    reader = Reader()
    first = reader.read(tray)
    reader.read(draw_tray((6, 6), ("red", "red"), seed=9))
    assert reader.read(tray) == first


def test_the_picture_is_not_changed(tray: Image) -> None:
    before = tray.copy()
    Reader().read(tray)
    np.testing.assert_array_equal(tray, before)


@pytest.mark.parametrize("level", [0, 90, 255])
def test_a_plain_picture_is_empty(level: int) -> None:
    reading = Reader().read(np.full((480, 640, 3), level, dtype=np.uint8))
    assert reading.tray is TrayState.EMPTY
    assert reading.dice == ()


def test_what_has_another_size_than_the_dice_is_not_claimed() -> None:
    small = draw_tray((2, 4, 6, 5, 3, 6), BLACKS)
    large = cv2.resize(draw_tray((5,), BLACKS[:1]), None, fx=2.5, fy=2.5)
    canvas = np.full((1150, 1150, 3), small[0, 0], dtype=np.uint8)
    # The small ones are drawn as seen from above: in the middle, where a camera sees them so.
    canvas[100:580, 255:895] = small
    canvas[600:, 275:875] = large[50:600, :600]
    dice = Reader().read(canvas).dice
    sides = {die.center: np.hypot(*np.subtract(die.outline[1], die.outline[0])) for die in dice}
    assert sum(die.sure for die in dice) >= 4
    assert max(sides.values()) > 1.7 * EDGE
    assert all(sides[die.center] < 1.7 * EDGE for die in dice if die.sure)


def test_noise_holds_no_die_that_is_claimed() -> None:
    rng = np.random.default_rng(2)
    for _ in range(3):
        noise = rng.integers(0, 256, (300, 400, 3), dtype=np.uint8)
        # With this many lookalikes of pips, nothing is taken to be said.
        with pytest.raises(TooManySpots):
            Reader().read(noise).unless_crowded()
        for sigma in (1, 2, 4):
            soft = np.asarray(cv2.GaussianBlur(noise, (0, 0), sigma), np.float64)
            soft = ((soft - soft.min()) * (255 / (soft.max() - soft.min()))).astype(np.uint8)
            assert not [d for d in Reader().read(soft).dice if d.sure]


@pytest.mark.parametrize("shape", [(16, 16), (17, 400), (400, 17), (2, 2), (1, 1)])
def test_odd_sizes_are_read_without_error(shape: tuple[int, int]) -> None:
    Reader().read(np.full((*shape, 3), 128, dtype=np.uint8))


def test_millimetres_come_from_the_plane_of_the_tops(
    make_profile: Callable[..., Profile], tray: Image
) -> None:
    profile = replace(make_profile(0.0), size=(640, 480))
    for die in Reader(profile).read(tray).dice:
        assert die.mm is not None
        pixels = profile.to_pixels(np.array([(*die.mm, -profile.die_edge_mm)]))[0]
        np.testing.assert_allclose(pixels, die.center, atol=0.01)


def test_a_profile_of_another_size_is_refused(
    make_profile: Callable[..., Profile], tray: Image
) -> None:
    with pytest.raises(ProfileError, match=r"1536x864.*640x480"):
        Reader(make_profile()).read(tray)


def test_beside_claimed_dice_on_a_crowded_floor_only_things_of_their_size_are_asked_about() -> None:
    asked = DieReading(
        Kind.OTHER, 4, DieState.UNSURE, (), 0.3, (0.0, 0.0), ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0))
    )
    sure = replace(asked, state=DieState.OK)
    ratio = MAX_SIZE_RATIO_ON_CROWDED_FLOOR
    edges = [40.0, 42.0, 44.0, 42.0 / ratio - 1, 42.0 / ratio + 1, 42 * ratio + 1, 42 * ratio - 1]
    dice = [sure, sure, sure, asked, asked, asked, asked]
    kept = _leave_out_specks(dice, edges)
    assert len(kept) == 5
    assert _leave_out_specks(dice[3:], edges[3:]) == dice[3:]
