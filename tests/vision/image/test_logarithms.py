"""Logarithms of grey levels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.image.numeric import log_levels


@given(st.floats(0, 255), st.floats(0, 255), st.floats(1, 50))
def test_of_two_grey_levels_the_brighter_has_the_larger_logarithm(
    one: float, other: float, dark: float
) -> None:
    less, more = sorted((one, other))
    assert log_levels(less, dark) <= log_levels(more, dark)


def test_noise_in_the_dark_counts_for_less_the_more_is_added() -> None:
    black, noise = np.zeros(3, np.uint8), np.full(3, 2, np.uint8)
    little, much = (log_levels(noise, dark) - log_levels(black, dark) for dark in (1.0, 16.0))
    assert (much < little / 5).all()
    assert log_levels(255, 10.0) == pytest.approx(np.log(265.0))
