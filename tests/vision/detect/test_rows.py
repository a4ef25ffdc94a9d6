"""A 6 is read by its two rows of three pips, however close the rows are."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.render import artwork, renderer
from simulator.render.dice_model import STANDARD_STYLES, flat_die
from simulator.render.scene import LIVE_QUALITY, Scene, camera_parameters
from tests.vision.decide.detected import found, plain
from vision.classify.face import FACE_CLASSES, MAX_LOOKS, Pyramid
from vision.detect import rows
from vision.detect.detection import Detection
from vision.detect.rows import LIKE_SIX, length_of_rows, seen_as_six
from vision.frame import Image
from vision.geometry.axes import turned
from vision.image.arrays import FloatArray
from vision.reader import Reader
from vision.reading import Kind


def rows_of(distance: float, length: float = 0.6, turn: float = 0.0) -> FloatArray:
    """Six pips in edges; `distance` of their rows in lengths of a row, `turn` in radians."""
    grid = [
        (step * length / 2, side * distance * length / 2) for side in (-1, 1) for step in (-1, 0, 1)
    ]
    return np.array(grid) @ turned(np.eye(2), turn).T


@given(
    st.floats(0.45, 1.0),
    st.floats(0.5, 0.8),
    st.floats(-0.15, 0.15),
    st.floats(-0.12, 0.12),
    st.permutations(range(6)),
    st.booleans(),
)
def test_rows_of_every_makers_six_are_seen_as_such(
    distance: float, length: float, turn: float, off: float, order: list[int], upright: bool
) -> None:
    quarter = np.pi / 2 if upright else 0.0
    pips = rows_of(distance, length, turn + quarter)[order] + off
    assert length_of_rows(pips) == pytest.approx(length) or distance > 0.95
    assert length_of_rows(pips) > 0


@given(st.floats(0.45, 0.9), st.integers(0, 5), st.floats(0, 2 * np.pi))
def test_one_pip_elsewhere_makes_no_rows(distance: float, which: int, way: float) -> None:
    pips = rows_of(distance)
    pips[which] += 0.2 * np.array([np.cos(way), np.sin(way)])
    assert length_of_rows(pips) == 0


@pytest.mark.parametrize(
    ("pips", "why"),
    [
        (rows_of(0.6)[:5], "five pips"),
        (np.concatenate([rows_of(0.6), [(0.0, 0.0)]]), "seven pips"),
        (np.zeros((0, 2)), "no pips"),
        (rows_of(0.3), "a double row of ornaments"),
        (rows_of(1.4, 0.5), "rows of two dice"),
        (rows_of(0.6, 0.4), "a small print"),
        (rows_of(0.5, 1.0), "dice in a tray"),
        (rows_of(0.6) + 0.2, "beside the die"),
        (rows_of(0.6, 0.6, np.radians(30)), "askew"),
        (rows_of(0.6) @ np.array([[1.0, 0.0], [0.35, 1.0]]), "a slanted face"),
        (
            np.array([(0.3 * np.cos(k), 0.3 * np.sin(k)) for k in np.arange(6) * np.pi / 3]),
            "a ring",
        ),
    ],
    ids=lambda what: what if isinstance(what, str) else "",
)
def test_other_pips_make_no_rows(pips: FloatArray, why: str) -> None:
    assert length_of_rows(pips) == 0, why


def with_pips(pips: FloatArray) -> Detection:
    return replace(plain(found(4, 4, 0.9, 5)), plain_pips=pips, center=np.array([50.0, 50.0]))


def test_such_a_die_has_the_probabilities_of_four_five_and_six(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked: list[tuple[FloatArray, FloatArray]] = []
    says = np.array([0.01, 0.02, 0.0, 0.0, 0.3, 0.4, 0.2, 0.0, 0.05, 0.02])

    def look(_: Pyramid, centers: FloatArray, axes: FloatArray) -> FloatArray:
        looked.append((centers, axes))
        return says[None]

    monkeypatch.setattr(rows, "agreed_faces", look)
    one = with_pips(rows_of(0.55, 0.72) + np.array([0.05, -0.1]))
    six = seen_as_six(Pyramid(np.zeros((100, 100, 3), np.uint8)), one)
    assert six is not None
    assert six.faces[LIKE_SIX] == pytest.approx([0.0, 0.0, 0.9])
    assert six.values[LIKE_SIX].tolist() == pytest.approx([0.0, 0.0, one.values[LIKE_SIX].sum()])
    assert six.faces.sum() == pytest.approx(says.sum())
    assert len(six.faces) == FACE_CLASSES
    assert (six.count, len(six.plain_pips)) == (6, 6)
    # It looks where the rows are, at a die as large as they tell.
    ((centers, axes),) = looked
    assert centers[0] == pytest.approx(one.center + one.edge * np.array([0.05, -0.1]))
    assert axes[0] == pytest.approx(one.axes * 0.72 / 0.6)


def test_nothing_becomes_a_six_without_rows_or_when_no_look_is_left() -> None:
    blank = Pyramid(np.full((100, 100, 3), 90, np.uint8))
    assert seen_as_six(blank, with_pips(rows_of(0.6)[:4])) is None
    blank.spend(MAX_LOOKS)
    assert seen_as_six(blank, with_pips(rows_of(0.6))) is None


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
