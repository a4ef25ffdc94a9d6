"""The median agrees with NumPy's."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from vision.image.numeric import median


@given(
    arrays(
        np.float32,
        array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=40),
        elements=st.floats(-1e3, 1e3, width=32),
    )
)
def test_it_is_that_of_each_channel(pixels: np.ndarray) -> None:
    np.testing.assert_allclose(median(pixels.T), np.median(pixels, axis=0), rtol=1e-5, atol=1e-3)
    assert median(pixels.T).dtype == np.float32
