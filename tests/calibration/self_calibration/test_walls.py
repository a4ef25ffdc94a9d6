"""The walls show about how high the rim stands."""

import numpy as np
import pytest

from calibration.self_calibration import calibration_from_frames
from calibration.self_calibration.walls import HEIGHTS_MM, likely_rims
from simulator.scenes.installations import INSTALLATION_QUALITY
from tests.rigs.any_set_up import any_set_up
from tests.rigs.rendering.pictures import drawn
from vision.frame import Frame


@pytest.mark.parametrize("rim_mm", [0.5, 12.0, 45.0])
def test_the_likeliest_heights_are_about_the_true_one(rim_mm: float) -> None:
    """Where no foot of a wall is seen, as with one of six, hardly anything is said.

    That is why 0.4 is asked of each tray and 0.7 of the better one: a wall of one colour with the
    floor has no foot in the picture, and to claim one would state a height that nobody saw.
    """
    about = []
    for seed in (10, 15):
        set_up = any_set_up(seed, rim_mm=rim_mm)
        image = drawn(set_up.where.scene, np.random.default_rng(seed), INSTALLATION_QUALITY)
        guessed = calibration_from_frames([Frame(image, 0.0, 0)], sight=set_up.sight)
        likely = likely_rims(image, guessed)
        assert likely.sum() == pytest.approx(1.0)
        assert likely.min() > 0, "what is no wall may look like one"
        about.append(likely[np.abs(HEIGHTS_MM - rim_mm) <= 12.0].sum())
    assert min(about) > 0.4
    assert max(about) > 0.7
