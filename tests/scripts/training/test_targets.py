"""Heat maps that scenes should give."""

import numpy as np
import pytest

from scripts.training.targets import targets
from vision.detect.tops import CELL_PX, USUAL_EDGE_PX


def tops(*rows: tuple[float, float, float, float]) -> np.ndarray:
    return np.array(rows, np.float32).reshape(-1, 4)


def test_the_cell_of_a_middle_is_hot_and_knows_where_and_how_large_the_top_is() -> None:
    wanted = targets([tops((41.0, 70.0, 15.0, 0.0))])
    row, column = np.unravel_index(wanted.heat[0].argmax(), wanted.heat[0].shape)
    assert wanted.heat[0, row, column] == 1
    across, down, size = wanted.pose[0, :, row, column]
    assert (column + 0.5 + across) * CELL_PX - 0.5 == pytest.approx(41.0, abs=1e-4)
    assert (row + 0.5 + down) * CELL_PX - 0.5 == pytest.approx(70.0, abs=1e-4)
    assert USUAL_EDGE_PX * np.exp(size) == pytest.approx(15.0)
    assert (wanted.heat[0] == 1).sum() == 1
    assert wanted.near[0].sum() >= 1


@pytest.mark.parametrize(
    ("edge", "is_open", "taught"),
    [
        (15.0, 0.0, True),
        (60.0, 0.0, True),
        (5.0, 0.0, True),
        (30.0, 0.0, False),
        (15.0, 1.0, False),
    ],
)
def test_what_may_be_a_top_or_not_teaches_nothing(
    edge: float, is_open: float, taught: bool
) -> None:
    wanted = targets([tops((64.0, 64.0, edge, is_open))])
    assert bool(wanted.taught[0, 16, 16]) is taught
    assert (wanted.heat[0] == 1).any() == (edge == 15.0 and not is_open)
