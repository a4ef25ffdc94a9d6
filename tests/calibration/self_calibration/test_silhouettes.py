"""Dice are measured by their silhouettes, however much they are rounded."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.calibration import Calibration
from calibration.readers import CalibratedReader
from calibration.self_calibration.dice import outlined_edge
from calibration.self_calibration.silhouettes import Silhouettes, silhouettes_of
from simulator.render.dice_model import STANDARD_STYLES, flat_die
from simulator.render.scene import Scene, camera_parameters
from simulator.scenes.installations import INSTALLATION_QUALITY
from tests.appliance.service.test_finding import empty_tray
from tests.rigs.rendering.pictures import drawn
from tests.rigs.unknown_rims import of_size
from vision.reading import Kind

KINDS = (Kind.BLACK, Kind.WHITE)
PLACES = ((-70.0, -40.0), (65.0, -45.0), (0.0, 5.0), (-60.0, 42.0), (72.0, 38.0))


def with_dice(edge: float, rounding: float, kind: Kind, count: int = 5) -> Scene:
    style = of_size(replace(STANDARD_STYLES[kind], edge_radius=16.0 * rounding), edge)
    dice = [flat_die(kind, k + 1, PLACES[k], 0.4 * k, style, edge) for k in range(count)]
    return replace(empty_tray(), dice=tuple(dice))


def silhouettes(scene: Scene) -> tuple[Silhouettes, float]:
    """With the true camera; and the edge that outlines of tops show, millimetres."""
    image = drawn(scene, np.random.default_rng(1), INSTALLATION_QUALITY)
    profile = camera_parameters(scene)
    dice = CalibratedReader(Calibration(profile)).read(image).dice
    edge = outlined_edge(profile, dice)
    assert edge is not None
    return silhouettes_of(image, profile.pinhole, dice, edge), edge


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("edge", [12.0, 18.0])
def test_an_edge_is_found_to_a_fortieth_whatever_it_is_rounded_by(edge: float, kind: Kind) -> None:
    for rounding in (0.07, 0.16):
        found = silhouettes(with_dice(edge, rounding, kind))[0].best_edge()
        assert found is not None
        assert found[0] == pytest.approx(edge, rel=0.025)


def test_what_is_assumed_of_the_edge_hardly_matters() -> None:
    scene = with_dice(16.0, 0.1, Kind.WHITE)
    image = drawn(scene, np.random.default_rng(1), INSTALLATION_QUALITY)
    profile = camera_parameters(scene)
    dice = CalibratedReader(Calibration(profile)).read(image).dice
    for assumed in (15.5, 16.5):
        found = silhouettes_of(image, profile.pinhole, dice, assumed).best_edge()
        assert found is not None
        assert found[0] == pytest.approx(16.0, rel=0.02)


def test_two_dice_say_nothing() -> None:
    found, edge = silhouettes(with_dice(16.0, 0.1, Kind.WHITE))
    assert Silhouettes(edge, found.widths[:4]).best_edge() is None
    assert Silhouettes(edge, ()).best_edge() is None
