"""Places proposed."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.candidates import propose_windows


@given(
    st.integers(40, 1536),
    st.floats(0.5, 2.0),
    st.floats(0.32, 0.75),
    st.floats(0, 1),
    st.floats(0, 1),
)
def test_a_die_that_fills_a_picture_is_looked_for_wherever_it_lies(
    width: int, shape: float, share: float, across: float, down: float
) -> None:
    size = (width, max(40, round(width * shape)))
    edge = share * min(size)
    middle = np.array([across, down]) * (np.array(size) - edge) + edge / 2 - 0.5
    centers, edges = propose_windows(size)
    near = (np.abs(centers - middle) < 0.2 * edges[:, None]).all(axis=1)
    assert (near & (np.abs(np.log(edges / edge)) < 0.16)).any()


def test_few_places_are_looked_at_for_it() -> None:
    assert len(propose_windows((1536, 864))[1]) < 200
