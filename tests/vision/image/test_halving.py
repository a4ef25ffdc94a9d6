"""Pictures at half their size."""

import numpy as np
import pytest

from vision.image.numeric import halved


@pytest.mark.parametrize("size", [(10, 8), (11, 8), (10, 9), (11, 9), (2, 3)])
def test_each_pixel_is_the_mean_of_four(size: tuple[int, int]) -> None:
    image = np.random.default_rng(1).integers(0, 256, (*size, 3), np.uint8)
    small = halved(image)
    rows, columns = size[0] // 2, size[1] // 2
    assert small.shape == (rows, columns, 3)
    fours = image[: 2 * rows, : 2 * columns].reshape(rows, 2, columns, 2, 3)
    assert np.abs(small - fours.mean(axis=(1, 3))).max() <= 0.5
