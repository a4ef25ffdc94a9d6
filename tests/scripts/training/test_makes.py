"""Dice drawn for training are as varied as those that makers sell."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from scripts.training.drawn import patches
from scripts.training.drawn.floors import TEXTURES, draw_floor
from scripts.training.drawn.makes import PATTERNS, body_pattern
from scripts.training.drawn.patches import NONE, SIDE, make_patch
from scripts.training.drawn.styles import PLAIN, Style, make_style
from scripts.training.drawn.textures import texture
from vision.image.arrays import Float32Array, FloatArray

WHITE = Style(
    kind=2,
    body=np.full(3, 0.9),
    pip=np.full(3, 0.05),
    radius=0.08,
    spread=0.25,
    corner=0.1,
    translucent=0.0,
    gloss=0.0,
    print_strength=0.0,
)


def pips(face: Float32Array) -> FloatArray:
    """Centres and areas of the dark spots of a white face, in edges, (n, 3)."""
    dark = (face[..., :3].mean(axis=2) < 0.45).astype(np.uint8)
    _, _, stats, centres = cv2.connectedComponentsWithStats(dark)
    side = face.shape[0]
    areas = stats[1:, cv2.CC_STAT_AREA] / side**2
    found = np.column_stack([centres[1:] / side, areas])
    return np.asarray(found[areas > 0.003], np.float64)


def rows_of(face: Float32Array) -> tuple[float, float]:
    """Distance of a 6's rows and length of a row, in edges."""
    width, height = np.ptp(pips(face)[:, :2], axis=0)
    return float(min(width, height)), float(max(width, height))


@pytest.mark.parametrize("rows", [0.55, 0.8, 1.0])
def test_the_rows_of_a_six_lie_as_close_as_its_maker_puts_them(rows: float) -> None:
    style = replace(WHITE, make=replace(PLAIN, rows=rows))
    for seed in range(4):
        apart, length = rows_of(texture(np.random.default_rng(seed), style, 6))
        assert apart / length == pytest.approx(rows, abs=0.06)


def test_other_values_keep_their_square() -> None:
    style = replace(WHITE, make=replace(PLAIN, rows=0.5))
    for value in (4, 5):
        apart, length = rows_of(texture(np.random.default_rng(1), style, value))
        assert apart / length == pytest.approx(1.0, abs=0.06)


def test_rows_as_close_as_can_be_never_touch() -> None:
    style = replace(WHITE, radius=0.1, make=replace(PLAIN, rows=0.45))
    assert len(pips(texture(np.random.default_rng(2), style, 6))) == 6


def test_a_one_may_be_larger_and_red() -> None:
    red = np.array((0.1, 0.1, 0.8))
    make = replace(PLAIN, one_radius=1.8, odd_colour=red, odd_faces=(1,))
    plain, odd = (
        texture(np.random.default_rng(3), replace(WHITE, make=one), 1) for one in (PLAIN, make)
    )
    middle = odd[32, 32, :3]
    assert middle[2] > 3 * middle[0]
    assert pips(odd)[0, 2] == pytest.approx(1.8**2 * pips(plain)[0, 2], rel=0.15)


def test_what_makers_do_is_drawn_over_its_whole_range() -> None:
    styles = [make_style(np.random.default_rng(seed), 2) for seed in range(600)]
    rows = np.array([one.make.rows for one in styles])
    assert rows.min() < 0.5
    assert (rows == 1).mean() > 0.4
    across = np.array([2 * one.radius for one in styles])
    assert across.min() < 0.1
    assert across.max() > 0.25
    assert {one.make.pattern for one in styles} == {"plain", *PATTERNS}
    for does in (
        [one.make.one_radius > 1 for one in styles],
        [one.make.odd_colour is not None for one in styles],
        [one.make.rim > 0 for one in styles],
        [one.make.hollow > 0 for one in styles],
        [one.make.engraved > 0 for one in styles],
    ):
        assert 0 < np.mean(does) < 0.6


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_pattern_mixes_two_colours(pattern: str) -> None:
    mask = body_pattern(np.random.default_rng(4), pattern, 64)  # type: ignore[arg-type]
    assert mask.shape == (64, 64)
    assert mask.min() >= 0
    assert mask.max() <= 1
    assert mask.std() > 0.05


def test_floors_have_a_texture_that_is_not_too_strong() -> None:
    for texture_of in dict.fromkeys(TEXTURES):
        factor = texture_of(np.random.default_rng(5), 96)
        assert factor.shape == (96, 96)
        assert 0.005 < factor.std() < 0.6
        assert factor.mean() == pytest.approx(1.0, abs=0.3)
    floor = draw_floor(np.random.default_rng(6), 96)
    assert floor.shape == (96, 96, 3)
    assert floor.min() >= 0
    assert floor.max() <= 1


def test_the_same_seed_draws_the_same_patches() -> None:
    first, again = (
        [make_patch(rng) for _ in range(12)] for rng in map(np.random.default_rng, (7, 7))
    )
    for one, other in zip(first, again, strict=True):
        assert one.label == other.label
        assert (one.picture == other.picture).all()


def test_a_pip_as_large_as_a_die_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patches, "PIP_AS_DIE_SHARE", 1.0)
    monkeypatch.setattr(patches, "make_style", lambda _: WHITE)
    rng = np.random.default_rng(8)
    drawn = [make_patch(rng) for _ in range(60)]
    traps = [one for one in drawn if one.label == NONE and np.exp(one.pose[2]) > 1.8]
    assert len(traps) > 5
    middle = slice(SIDE // 2 - 2, SIDE // 2 + 2)
    # Light and noise vary, but a black pip of a white die is darker than what is round it.
    darker = [one.picture[middle, middle].mean() < one.picture.mean() for one in traps]
    assert np.mean(darker) > 0.7
