"""The size of dice from one picture, for various rendered trays, lamps and makes of dice."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from appliance.simulator.render.dice_model import flat_die
from appliance.simulator.render.renderer import render
from appliance.simulator.render.scene import LIVE_QUALITY, camera_parameters
from appliance.simulator.scenes.installations import Installation, random_installation
from calibration.quality.die_size import die_edge
from vision.frame import Image
from vision.geometry.profile import Profile
from vision.reader import Reader
from vision.reading import Kind

SIZE = (1280, 720)
SET = (*5 * [Kind.BLACK], Kind.RED, Kind.POWER)


@lru_cache(maxsize=1)
def set_up(seed: int) -> tuple[Installation, Profile]:
    """A set-up, and what is known about it before the dice are shown."""
    where = random_installation(seed, SIZE)
    empty = render(where.scene, None, np.random.default_rng(99), LIVE_QUALITY)
    return where, replace(camera_parameters(where.scene, SIZE), empty=empty)


def picture(where: Installation, edge: float, kinds: tuple[Kind, ...], layout: int) -> Image:
    rng = np.random.default_rng(layout)
    dice = tuple(
        flat_die(
            kind,
            "double" if kind is Kind.POWER else 1 + k % 6,
            (32.0 * (k % 4) - 48 + rng.uniform(-5, 5), 42.0 * (k // 4) - 21 + rng.uniform(-7, 7)),
            float(rng.uniform(0, 1.57)),
            where.styles[kind],
            edge,
        )
        for k, kind in enumerate(kinds)
    )
    return render(replace(where.scene, dice=dice), None, rng, LIVE_QUALITY)


@pytest.mark.parametrize(("seed", "edge"), [(1, 14.0), (1, 16.0), (1, 18.0), (4, 16.0), (4, 18.0)])
def test_the_size_of_a_set_is_found(seed: int, edge: float) -> None:
    where, profile = set_up(seed)
    image = picture(where, edge, SET, seed)
    assert die_edge(image, profile, Reader(profile).read(image).dice) == edge


def test_dark_dice_that_look_like_shadow_on_a_dark_floor_give_no_size() -> None:
    where, profile = set_up(4)
    image = picture(where, 16.0, 5 * (Kind.BLACK,), 1)
    dice = Reader(profile).read(image).dice
    assert len(dice) == 5
    assert die_edge(image, profile, dice) is None


def test_the_dark_rim_of_tops_that_shine_is_not_taken_for_shadow() -> None:
    where, profile = set_up(10)
    image = picture(where, 16.0, SET, 1)
    assert die_edge(image, profile, Reader(profile).read(image).dice) in (None, 16.0)
