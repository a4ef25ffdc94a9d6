"""Pictures at half their size."""

import numpy as np
import pytest

from vision.image.numeric import halved, halved_towards


@pytest.mark.parametrize("size", [(10, 8), (11, 8), (10, 9), (11, 9), (2, 3)])
def test_each_pixel_is_the_mean_of_four(size: tuple[int, int]) -> None:
    image = np.random.default_rng(1).integers(0, 256, (*size, 3), np.uint8)
    small = halved(image)
    rows, columns = size[0] // 2, size[1] // 2
    assert small.shape == (rows, columns, 3)
    fours = image[: 2 * rows, : 2 * columns].reshape(rows, 2, columns, 2, 3)
    assert np.abs(small - fours.mean(axis=(1, 3))).max() <= 0.5


@pytest.mark.parametrize(
    ("size", "wanted", "found"),
    [
        ((100, 60), (100, 60), (100, 60)),
        ((100, 60), (25, 15), (25, 15)),
        ((100, 60), (20, 20), (50, 30)),
        ((101, 61), (25, 15), (25, 15)),
        ((99, 60), (25, 15), (49, 30)),
        ((3, 3), (2, 2), (3, 3)),
    ],
)
def test_a_picture_is_halved_towards_a_size(
    size: tuple[int, int], wanted: tuple[int, int], found: tuple[int, int]
) -> None:
    picture = np.zeros((*size[::-1], 3), np.uint8)
    assert halved_towards(picture, wanted).shape[1::-1] == found
