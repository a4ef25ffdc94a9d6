"""The cross that points at a corner of the floor is seen on every picture."""

import numpy as np
import pytest

from appliance.service.pointing import with_cross
from calibration.wizard.pointing import Pointing


@pytest.mark.parametrize("corners", [(), ((0, 0),)])
def test_the_cross_takes_as_much_of_a_large_picture_as_of_a_small_one(
    corners: tuple[tuple[int, int], ...],
) -> None:
    """A page or a window shows both in the same place."""
    shares = []
    for width, height in ((640, 360), (2560, 1440)):
        image = np.zeros((height, width, 3), np.uint8)
        marked, _ = with_cross(image, Pointing((width, height), (width // 2, height // 2), corners))
        shares.append(float(np.mean(marked.any(axis=2))))
    assert shares[1] == pytest.approx(shares[0], rel=0.4)
