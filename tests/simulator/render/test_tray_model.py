"""The shape of a tray: walls, and a moulding along their foot."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.training.close_views import against_wall
from simulator.render.dice_model import flat_die
from simulator.render.die_cast import cube_corners
from simulator.render.tray_model import (
    FLOOR,
    RIM,
    TRIM,
    WALL,
    TrayModel,
    trace_rays,
    wall_setback,
)
from simulator.scenes.random_setup import random_tray
from tests.rigs.rendering.random_scene import finished
from vision.reading import Kind

BARE = TrayModel(half=(100.0, 70.0), wall_height=22.0, slope=0.08)
TRIMMED = replace(BARE, trim=5.0)
EYE = np.array((0.0, 0.0, -400.0), np.float32)


def towards(points: list[tuple[float, float, float]]) -> np.ndarray:
    ways = np.array(points, np.float32) - EYE
    return np.asarray(ways / np.linalg.norm(ways, axis=1, keepdims=True), np.float32)


def test_rays_meet_the_moulding_between_floor_and_wall() -> None:
    # The foot of the wall is 105 mm from the centre. Floor, moulding twice, wall 7 and 15 mm up.
    rays = towards([(99.9, 0, 0), (101, 0, -3), (104, 0, -4.9), (105.6, 0, -7), (106.2, 0, -15)])
    seen = trace_rays(TRIMMED, EYE, rays)
    assert seen.part.tolist() == [FLOOR, TRIM, TRIM, WALL, WALL]
    hits = EYE + rays * seen.depth[:, None]
    on_it = hits[1:3]
    assert np.hypot(on_it[:, 0] - 105, on_it[:, 2]) == pytest.approx(5.0, abs=0.01)
    # It faces inwards and up.
    assert (seen.normals[1:3, 0] < 0).all()
    assert (seen.normals[1:3, 2] < 0).all()
    assert np.linalg.norm(seen.normals, axis=1) == pytest.approx(1.0, abs=1e-5)


def test_it_runs_round_all_four_sides() -> None:
    rays = towards([(102, 20, -3), (-102, 20, -3), (20, 72, -3), (20, -72, -3)])
    assert trace_rays(TRIMMED, EYE, rays).part.tolist() == [TRIM] * 4
    assert TRIM not in trace_rays(BARE, EYE, rays).part


def test_the_rim_stands_back_by_as_much() -> None:
    assert np.subtract(TRIMMED.rim_inner, BARE.rim_inner) == pytest.approx([5.0, 5.0])
    edge = TRIMMED.rim_inner[0]
    rays = towards([(edge - 0.2, 0, -22), (edge + 0.2, 0, -22)])
    assert trace_rays(TRIMMED, EYE, rays).part.tolist() == [WALL, RIM]


@given(st.floats(0.0, 40.0), st.just(0.0) | st.floats(0.5, 8.0), st.floats(0.0, 0.2))
def test_the_way_to_the_wall_grows_with_the_height(high: float, trim: float, slope: float) -> None:
    tray = replace(BARE, trim=trim, slope=slope)
    here, above = wall_setback(tray, np.array((high, high + 1.0)))
    assert 0 <= here <= above
    assert here <= trim + slope * high + 1e-6
    if high >= trim:
        assert here == pytest.approx(trim + slope * high)


def test_a_flat_die_stops_at_the_foot_of_the_moulding() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        yaw = float(rng.uniform(-3, 3))
        die = against_wall(rng, flat_die(Kind.BLACK, 3, (0.0, 0.0), yaw), TRIMMED)
        reach = np.abs(cube_corners(die)[:, :2]) - np.array(TRIMMED.half)
        assert -6.5 < reach.max() < 0.01


def test_finishing_a_tray_leaves_what_else_is_drawn_as_it_is() -> None:
    one, other = np.random.default_rng(5), np.random.default_rng(5)
    bare = random_tray(one, "hard")
    made = finished(other, random_tray(other, "hard"), "hard")
    assert replace(made, lined=False, trim=0.0, moulding=bare.moulding) == bare
    assert one.random() == other.random()


def test_some_trays_have_a_moulding_and_easy_ones_have_none() -> None:
    def made(level: str, seed: int) -> TrayModel:
        return finished(np.random.default_rng(seed), BARE, level)  # type: ignore[arg-type]

    assert not any(made("easy", seed).trim for seed in range(30))
    hard = [made("hard", seed) for seed in range(30)]
    assert 5 < sum(tray.trim > 0 for tray in hard) < 25
    assert 5 < sum(tray.lined for tray in hard) < 25
