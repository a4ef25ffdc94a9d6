"""The pips of each value are compared with a top: a witness that learnt nothing."""

from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.render import artwork, renderer
from simulator.render.dice_model import STANDARD_STYLES, flat_die
from simulator.render.scene import LIVE_QUALITY, Scene, camera_parameters
from tests.vision.decide.detected import found, plain
from vision.classify.face import Pyramid
from vision.decide.evidence import MIN_FIT, MIN_LEAD, fits_plainly, lead_of
from vision.detect.pip_fit import fits_of, with_fits
from vision.frame import Image
from vision.image.arrays import FloatArray
from vision.reader import Reader
from vision.reading import Kind

SIDE = 64
GRIDS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, 1), (-1, 1), (1, -1)],
    5: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}


def top(pips: FloatArray, radius: float = 0.1, body: int = 40, pip: int = 230) -> Image:
    """A top that fills its patch, with pips at places in edges from its middle."""
    drawn = np.full((SIDE, SIDE, 3), body, np.uint8)
    for x, y in (pips + 0.5) * SIDE:
        middle = (round(x * 16), round(y * 16))
        cv2.circle(drawn, middle, round(radius * SIDE * 16), (pip,) * 3, -1, cv2.LINE_AA, 4)
    return drawn


def judged(picture: Image) -> tuple[int, bool]:
    """The value whose pips fit best, and whether they fit plainly."""
    (fits,) = fits_of(picture[None])
    value = int(fits.argmax()) + 1
    return value, fits_plainly(replace(plain(found(0, 0, 1.0, value)), fits=fits), value)


@pytest.mark.parametrize("value", GRIDS)
@given(
    spacing=st.floats(0.23, 0.3),
    radius=st.floats(0.065, 0.1),
    off=st.floats(-0.05, 0.05),
    quarter=st.booleans(),
    dark=st.booleans(),
)
def test_every_makers_pips_fit_their_value_best(
    value: int, spacing: float, radius: float, off: float, quarter: bool, dark: bool
) -> None:
    pips = spacing * np.array(GRIDS[value], float)
    pips = (pips[:, ::-1] * (-1, 1) if quarter else pips) + off
    levels = (220, 30) if dark else (40, 230)
    (fits,) = fits_of(top(pips, radius, *levels)[None])
    one = replace(plain(found(0, 0, 1.0, value)), fits=fits)
    assert fits[value - 1] > MIN_FIT
    assert lead_of(one, value) > MIN_LEAD


@given(st.integers(0, 2**32 - 1))
def test_a_mirror_image_fits_as_well(seed: int) -> None:
    noise = np.random.default_rng(seed).integers(0, 256, (SIDE, SIDE, 3), np.uint8)
    images = [noise, noise[::-1], noise[:, ::-1], noise.transpose(1, 0, 2)]
    fits = fits_of(np.array(images))
    np.testing.assert_allclose(fits, np.tile(fits[0], (len(images), 1)), atol=1e-5)


@pytest.mark.parametrize("value", GRIDS)
@pytest.mark.parametrize("spacing", [0.24, 0.27, 0.3])
@pytest.mark.parametrize("radius", [0.075, 0.085, 0.095])
def test_usual_pips_fit_plainly(value: int, spacing: float, radius: float) -> None:
    assert judged(top(spacing * np.array(GRIDS[value], float), radius)) == (value, True)


@pytest.mark.parametrize("distance", [0.5, 0.6, 0.7, 0.8, 0.9, 1.0])
def test_rows_of_a_six_may_be_close(distance: float) -> None:
    pips = 0.27 * np.array(GRIDS[6], float) * (distance, 1.0)
    assert judged(top(pips, 0.075)) == (6, True)


def test_a_lamp_that_grows_towards_one_side_hides_no_pips() -> None:
    lit = top(0.27 * np.array(GRIDS[3], float)).astype(np.int64)
    lit[..., :] += np.linspace(-30, 25, SIDE, dtype=np.int64)[:, None]
    assert judged(lit.astype(np.uint8)) == (3, True)


def test_pips_of_another_colour_are_seen_though_they_are_as_bright() -> None:
    drawn = top(0.27 * np.array(GRIDS[4], float), 0.1, 0, 255)[..., 0] > 127
    picture = np.where(drawn[..., None], (40, 60, 200), (200, 90, 40)).astype(np.uint8)
    assert judged(picture) == (4, True)


@pytest.mark.parametrize(
    "pips",
    [
        [(0.3 * np.cos(k), 0.3 * np.sin(k)) for k in np.arange(7) * 2 * np.pi / 7],
        [(0.0, -0.3), (0.0, 0.3)],
        [(-0.3, 0.3), (0.1, 0.25), (0.2, -0.3)],
        [(0.3, 0.3)],
        [(x, y) for x in (-0.3, 0.0, 0.3) for y in (-0.3, 0.0, 0.3)],
    ],
    ids=["a ring", "a domino", "crumbs", "a speck", "nine"],
)
def test_other_spots_fit_nothing_plainly(pips: list[tuple[float, float]]) -> None:
    assert not judged(top(np.array(pips)))[1]


def test_nothing_fits_an_even_top() -> None:
    assert fits_of(np.full((1, SIDE, SIDE, 3), 128, np.uint8)).max() < 0.01


def test_only_tops_whose_pips_were_not_found_are_compared_unless_all_are_to_be() -> None:
    picture = np.full((200, 200, 3), 90, np.uint8)
    picture[20:84, 20:84] = top(0.27 * np.array(GRIDS[5], float))
    one = replace(
        found(5, 5, 1.0, 5),
        center=np.array([51.5, 51.5]),
        axes=64 * np.eye(2),
        faces=np.eye(10)[5],
        plain_pips=np.zeros((5, 2)),
    )
    (seen,) = with_fits(Pyramid(picture), [one], all_of_them=True)
    assert fits_plainly(seen, 5)
    assert lead_of(seen, 5) > 0.9
    lost = replace(one, plain_pips=np.zeros((3, 2)))
    doubted = replace(one, faces=0.97 * np.eye(10)[5])
    some = with_fits(Pyramid(picture), [one, lost, doubted], all_of_them=False)
    assert [one.fits.any() for one in some] == [False, True, True]
    assert with_fits(Pyramid(picture), [], all_of_them=True) == []


PLACES = ((-60.0, -40.0), (0.0, -45.0), (60.0, -40.0), (-60.0, 40.0), (0.0, 35.0), (60.0, 45.0))
KINDS = (Kind.BLACK, Kind.RED, Kind.WHITE, Kind.YELLOW, Kind.BLACK, Kind.WHITE)


@pytest.fixture
def narrow_sixes(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Image, Scene]]:
    """A tray with six sixes whose rows are 0.6 as far apart as they are long."""
    spread = 4.6 / STANDARD_STYLES[Kind.BLACK].pip_spread
    grid = tuple((0.6 * spread * x, spread * y) for x in (-1, 1) for y in (-1, 0, 1))
    monkeypatch.setitem(artwork.PIP_PLACES, 6, grid)
    caches = (artwork.face_atlas, renderer._resting_die, renderer._render_linear_cached)
    for cached in caches:
        cached.cache_clear()
    dice = tuple(
        flat_die(kind, 6, place, 50.0 * number, STANDARD_STYLES[kind])
        for number, (kind, place) in enumerate(zip(KINDS, PLACES, strict=True))
    )
    scene = replace(Scene(), dice=dice)
    yield renderer.render(scene, rng=np.random.default_rng(5), quality=LIVE_QUALITY), scene
    for cached in caches:
        cached.cache_clear()


def test_sixes_with_close_rows_are_read(narrow_sixes: tuple[Image, Scene]) -> None:
    image, scene = narrow_sixes
    for profile in (camera_parameters(scene), None):
        reading = Reader(profile).read(image)
        assert len(reading.dice) == 6
        assert {die.value for die in reading.dice if die.sure} == {6}
        assert sum(die.sure for die in reading.dice) >= 4
