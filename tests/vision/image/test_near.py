"""Points near each other along one axis are found without comparing all with all."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.image.numeric import near_along

COORDINATES = st.lists(st.floats(-50, 50, width=16), max_size=20)


@given(COORDINATES, COORDINATES, st.floats(0, 30, width=16))
def test_the_pairs_are_those_that_comparing_all_finds(
    first: list[float], second: list[float], reach: float
) -> None:
    one, other = np.array(first, np.float64), np.array(second, np.float64)
    reaches = np.linspace(reach, 2 * reach, len(one))
    found = sorted(zip(*(part.tolist() for part in near_along(one, other, reaches)), strict=True))
    apart = (other[None] >= one[:, None] - reaches[:, None]) & (
        other[None] <= one[:, None] + reaches[:, None]
    )
    assert found == [(int(i), int(j)) for i, j in np.argwhere(apart)]
