"""Kinds are claimed only where the colours measured on the face bear them out."""

import numpy as np
import pytest

from vision.kinds import checked_kind
from vision.reading import Kind

WHITE_PIPS = np.array((250.0, 248.0, 245.0))


@pytest.mark.parametrize("body", [(93.0, 80.0, 72.0), (55.0, 47.0, 39.0), (40.0, 48.0, 55.0)])
def test_a_black_die_may_be_tinted_by_cold_or_warm_light(body: tuple[float, ...]) -> None:
    assert checked_kind(Kind.BLACK, np.array(body), WHITE_PIPS) is Kind.BLACK


@pytest.mark.parametrize(
    "body", [(69.0, 51.0, 68.0), (52.0, 34.0, 49.0), (40.0, 66.0, 44.0), (120.0, 70.0, 40.0)]
)
def test_violet_green_and_blue_dice_are_not_black(body: tuple[float, ...]) -> None:
    assert checked_kind(Kind.BLACK, np.array(body), WHITE_PIPS) is Kind.OTHER


def test_a_black_die_with_red_pips_is_not_ours() -> None:
    body, pips = np.array((40.0, 40.0, 42.0)), np.array((30.0, 25.0, 200.0))
    assert checked_kind(Kind.BLACK, body, pips) is Kind.OTHER
