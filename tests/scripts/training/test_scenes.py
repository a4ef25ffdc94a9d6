"""Scenes that the heat map learns from."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from scripts.training import making
from scripts.training.drawn import scenes
from scripts.training.drawn.scenes import (
    LARGER_EDGES,
    SCENE_SIDE,
    SMALLER_EDGES,
    TOP_EDGES,
    DrawnScene,
    make_scene,
)
from scripts.training.drawn.styles import Style, make_style
from vision.image.arrays import Float32Array

SHARES = ("ASIDE_SHARE", "COVERED_SHARE", "LARGER_SHARE", "SMALLER_SHARE", "TILTED_SHARE")


@pytest.fixture(scope="module")
def drawn() -> list[DrawnScene]:
    return [make_scene(np.random.default_rng(seed)) for seed in range(60)]


def all_tops(some: list[DrawnScene]) -> Float32Array:
    return np.concatenate([one.tops for one in some])


def test_the_same_seed_draws_the_same_scene(drawn: list[DrawnScene]) -> None:
    again = make_scene(np.random.default_rng(7))
    np.testing.assert_array_equal(again.picture, drawn[7].picture)
    np.testing.assert_array_equal(again.tops, drawn[7].tops)
    assert not np.array_equal(again.picture, drawn[8].picture)


def test_a_scene_is_a_picture_and_a_row_for_each_top(drawn: list[DrawnScene]) -> None:
    for one in drawn:
        assert one.picture.shape == (SCENE_SIDE, SCENE_SIDE, 3)
        assert one.picture.dtype == np.uint8
        assert one.tops.shape[1:] == (4,)
        assert one.tops.dtype == np.float32
        assert set(one.tops[:, 3]) <= {0, 1}


def test_scenes_are_empty_or_hold_dice_of_all_sizes(drawn: list[DrawnScene]) -> None:
    counts = [len(one.tops) for one in drawn]
    assert min(counts) == 0
    assert max(counts) > 5
    edges = all_tops(drawn)[:, 2]
    assert ((edges > TOP_EDGES[0]) & (edges < TOP_EDGES[1])).sum() > 60
    assert (edges > LARGER_EDGES[0]).any()
    assert (edges < SMALLER_EDGES[1]).any()


def test_most_tops_lie_inside_the_picture(drawn: list[DrawnScene]) -> None:
    middles = all_tops(drawn)[:, :2]
    inside = ((middles > -0.5) & (middles < SCENE_SIDE - 0.5)).all(axis=1)
    assert 0.75 < inside.mean() < 1


def plainly(monkeypatch: pytest.MonkeyPatch, **shares: float) -> None:
    """Draws scenes with only these shares of what is special."""
    for name in SHARES:
        monkeypatch.setattr(scenes, name, shares.get(name, 0.0))


def test_the_tops_are_where_the_dice_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    def white(rng: np.random.Generator) -> Style:
        style = make_style(rng, 2)
        return Style(2, np.ones(3), np.ones(3), style.radius, style.spread, 0.05, 0.0, 0.0, 0.0)

    def small(_: object, canvas: Float32Array, size: int, __: bool) -> np.ndarray:
        grey = np.clip(canvas * 255, 0, 255).astype(np.uint8)
        return cv2.resize(grey, (size, size), interpolation=cv2.INTER_AREA)

    plainly(monkeypatch)
    monkeypatch.setattr(scenes, "make_style", white)
    monkeypatch.setattr(scenes, "draw_floor", lambda _, side: np.zeros((side, side, 3), np.float32))
    monkeypatch.setattr(scenes, "add_clutter", lambda *_: None)
    monkeypatch.setattr(scenes, "develop", small)
    seen = 0
    for seed in range(12):
        scene = make_scene(np.random.default_rng(seed))
        shown = np.zeros((SCENE_SIDE, SCENE_SIDE), bool)
        for x, y, edge, _ in scene.tops:
            across, down = np.meshgrid(np.arange(SCENE_SIDE) - x, np.arange(SCENE_SIDE) - y)
            away = np.hypot(across, down)
            assert (scene.picture[away < 0.25 * edge] > 100).all()
            shown |= away < 2 * edge
            seen += bool((away < 0.25 * edge).any())
        assert scene.picture[~shown].max(initial=0) < 40
    assert seen > 12


def test_what_is_partly_covered_or_leans_far_is_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    for share, low, high in (("COVERED_SHARE", 1, 1), ("TILTED_SHARE", 0.2, 0.8), (None, 0, 0)):
        plainly(monkeypatch, **({share: 1.0} if share else {}))
        some = [make_scene(np.random.default_rng(seed)) for seed in range(12)]
        assert low <= all_tops(some)[:, 3].mean() <= high


def test_a_file_holds_all_tops_one_after_the_other(tmp_path: Path) -> None:
    for name in ("one", "again"):
        making.scene_shard((3, 4, tmp_path / f"{name}.npz"))
    one, again = (np.load(tmp_path / f"{name}.npz") for name in ("one", "again"))
    for array in ("x", "n", "t"):
        np.testing.assert_array_equal(one[array], again[array])
    assert one["x"].shape == (4, SCENE_SIDE, SCENE_SIDE, 3)
    assert one["t"].shape == (one["n"].sum(), 4)
    rng = np.random.default_rng((3, 8))
    first = make_scene(rng)
    np.testing.assert_array_equal(one["x"][0], first.picture)
    np.testing.assert_array_equal(one["t"][: one["n"][0]], first.tops)
