"""Where something stands out from the floor, without a picture of the empty tray."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.vision.test_holders import profile
from vision.detect.floor import MAX_FLOOR_PLACES, Floor
from vision.detect.region import calibrated_view
from vision.frame import Image

SIZE = (640, 480)
EDGE = 44.0
TRAY = np.array([(40.0, 40.0), (600.0, 40.0), (600.0, 440.0), (40.0, 440.0)])
NOTHING = np.zeros((0, 2))


def tray(base: tuple[float, float, float], slope: float) -> Image:
    """An empty floor in light that falls off to one side."""
    x = np.linspace(-1, 1, SIZE[0])
    light = np.exp(slope * x)[None, :, None] * np.ones((SIZE[1], 1, 1))
    return np.clip(np.array(base) * light, 0, 255).astype(np.uint8)


def die(picture: Image, x: int, y: int, body: tuple[int, int, int]) -> None:
    """A top with a dark rim and four pips."""
    cv2.rectangle(picture, (x - 22, y - 22), (x + 22, y + 22), (20, 20, 20), -1)
    cv2.rectangle(picture, (x - 18, y - 18), (x + 18, y + 18), body, -1)
    for dx in (-9, 9):
        for dy in (-9, 9):
            cv2.circle(picture, (x + dx, y + dy), 5, (250, 250, 250), -1)


@pytest.mark.parametrize(
    "body",
    [(60, 40, 190), (60, 190, 200), (30, 30, 30), (120, 120, 120), (90, 130, 70)],
    ids=["red", "yellow", "black", "mirroring", "as the floor"],
)
def test_dice_of_any_colour_stand_out(body: tuple[int, int, int]) -> None:
    picture = tray((90, 130, 70), 0.4)
    die(picture, 200, 300, body)
    centers, edges = Floor(SIZE, EDGE, TRAY).foreground(picture).places(NOTHING)
    assert np.hypot(*(centers - (200, 300)).T).min() < 0.25 * EDGE
    assert set(edges) == {EDGE}


@given(
    st.tuples(*[st.floats(25, 180)] * 3), st.floats(-0.5, 0.5), st.floats(0.3, 0.8), st.integers(0)
)
def test_an_empty_floor_with_a_shadow_has_nothing_on_it(
    base: tuple[float, float, float], slope: float, dark: float, seed: int
) -> None:
    picture = tray(base, slope).astype(np.float32)
    picture[:, 300:420] *= dark
    noisy = cv2.GaussianBlur(picture, (31, 31), 0) + np.random.default_rng(seed).normal(
        0, 2, picture.shape
    )
    seen = np.clip(noisy, 0, 255).astype(np.uint8)
    assert len(Floor(SIZE, EDGE, TRAY).foreground(seen).places(NOTHING)[1]) == 0


def test_what_is_found_or_beside_the_tray_is_not_given_and_never_more_than_some() -> None:
    picture = tray((90, 130, 70), 0.0)
    spots = [(100 + 110 * i, 100 + 90 * j) for i in range(5) for j in range(4)]
    for x, y in [*spots, (300, 20)]:
        die(picture, x, y, (60, 40, 190))
    seen = Floor(SIZE, EDGE, TRAY).foreground(picture)
    centers, _ = seen.places(NOTHING)
    assert len(centers) == MAX_FLOOR_PLACES
    assert centers[:, 1].min() > 40
    assert len(seen.places(np.array(spots, float))[1]) == 0


def test_a_tray_that_nothing_is_seen_of_has_nothing_on_it() -> None:
    away = TRAY + 5000
    seen = Floor(SIZE, EDGE, away).foreground(tray((90, 130, 70), 0.0))
    centers, edges = seen.places(NOTHING)
    assert centers.shape == (0, 2) and edges.shape == (0,)
    assert not seen.same(np.array([(200.0, 300.0)])).any()


@given(st.floats(70, 570), st.floats(70, 410), st.floats(-0.5, 0.5))
def test_plain_floor_is_told_from_a_die_and_from_what_is_beside_the_tray(
    x: float, y: float, slope: float
) -> None:
    assume(max(abs(x - 320), abs(y - 240)) > EDGE)
    picture = tray((90, 130, 70), slope)
    die(picture, 320, 240, (60, 40, 190))
    seen = Floor(SIZE, EDGE, TRAY).foreground(picture)
    floor, on_die, beside = seen.same(np.array([(x, y), (320.0, 240.0), (20.0, 240.0)]))
    assert floor
    assert not on_die and not beside


def test_a_view_has_a_floor_of_the_size_of_its_working_pictures(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sizes: list[tuple[int, int]] = []
    monkeypatch.setattr("vision.detect.region.Floor", lambda size, edge, tray: sizes.append(size))
    whole = profile()
    camera = whole.camera * np.array([[5.0], [5.0], [1.0]])
    whole = replace(whole, camera=camera, size=(5 * whole.size[0], 5 * whole.size[1]))
    for k in range(60):
        part = whole.cropped(0, 0, whole.size[0] - k, whole.size[1] - k // 2)
        view = calibrated_view(
            replace(part, empty=None, die_edge_mm=part.die_edge_mm * (1 + 0.04 * k))
        )
        picture = np.full((part.size[1], part.size[0], 3), 90, np.uint8)
        height, width = view.work(picture).shape[:2]
        assert sizes[-1] == (width, height)
