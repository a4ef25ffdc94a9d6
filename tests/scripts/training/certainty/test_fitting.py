"""Weights fitted to evidence of known worth."""

import numpy as np
import pytest

from scripts.training.certainty.fitting import fit
from vision.image.arrays import BoolArray, FloatArray


def drawn(count: int = 4000) -> tuple[FloatArray, BoolArray, FloatArray]:
    """Dice that are likelier to be right the greater their first number; nothing else counts."""
    rng = np.random.default_rng(5)
    seen = rng.uniform(-4, 6, (count, 3))
    odds = 0.9 * seen[:, 0] - 1.0
    return seen, rng.random(count) < 1 / (1 + np.exp(-odds)), np.ones(count)


def test_the_weights_are_those_of_the_dice_that_were_drawn() -> None:
    weights = fit(*drawn())
    assert weights == pytest.approx([0.9, 0.0, 0.0, -1.0], abs=0.1)


def test_what_speaks_against_is_not_taken_for_evidence() -> None:
    seen, good, ones = drawn()
    weights = fit(-seen, good, ones)
    assert (weights[:-1] >= 0).all()
    assert weights[0] == 0


def test_dice_count_as_much_as_is_wanted() -> None:
    seen, good, ones = drawn()
    twice = np.concatenate([seen, seen[::2]]), np.concatenate([good, good[::2]])
    weight = ones.copy()
    weight[::2] = 2
    assert fit(seen, good, weight) == pytest.approx(fit(*twice, np.ones(len(twice[1]))), abs=1e-3)
