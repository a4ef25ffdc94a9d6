"""Kinds are claimed only where the colours measured on the face bear them out."""

import numpy as np
import pytest

from vision.classify.colours import checked_kind
from vision.reading import Kind

WHITE_PIPS = np.array((250.0, 248.0, 245.0))

# Light and bodies as shares of blue, green, red; a body's gloss adds a little of the light.
LIGHTS = {
    "white": (1.0, 1.0, 1.0),
    "daylight": (1.0, 0.9, 0.8),
    "cold": (1.0, 0.82, 0.62),
    "colder": (1.0, 0.75, 0.48),
    "warm": (0.6, 0.82, 1.0),
    "warmer": (0.42, 0.72, 1.0),
}
FOREIGN = {
    "blue": (0.35, 0.10, 0.03),
    "navy": (0.16, 0.035, 0.02),
    "green": (0.03, 0.16, 0.03),
    "dark green": (0.012, 0.05, 0.012),
    "violet": (0.14, 0.03, 0.10),
    "brown": (0.015, 0.05, 0.14),
    "red": (0.02, 0.02, 0.30),
}
GLOSS = 0.006


def seen(reflects: tuple[float, ...], light: tuple[float, ...], exposure: float) -> np.ndarray:
    """A colour as a camera shows it, in grey levels, clipped where the sensor saturates."""
    share = np.clip((np.array(reflects) + GLOSS) * np.array(light) * exposure, 0, 1)
    curve = np.where(share <= 0.0031308, share * 12.92, 1.055 * share ** (1 / 2.4) - 0.055)
    return np.asarray(curve * 255)


@pytest.mark.parametrize("exposure", [0.6, 1.0, 1.4])
@pytest.mark.parametrize("light", LIGHTS)
@pytest.mark.parametrize("tone", [(0.011, 0.011, 0.011), (0.014, 0.011, 0.010), (0.02, 0.02, 0.02)])
def test_a_black_die_is_black_in_any_light(
    tone: tuple[float, ...], light: str, exposure: float
) -> None:
    body = seen(tone, LIGHTS[light], exposure)
    pips = seen((0.75, 0.75, 0.75), LIGHTS[light], exposure)
    assert checked_kind(Kind.BLACK, body, pips) is Kind.BLACK


@pytest.mark.parametrize("exposure", [0.6, 1.0, 1.4])
@pytest.mark.parametrize("light", LIGHTS)
@pytest.mark.parametrize("make", FOREIGN)
def test_a_coloured_die_is_black_in_no_light(make: str, light: str, exposure: float) -> None:
    body = seen(FOREIGN[make], LIGHTS[light], exposure)
    pips = seen((0.75, 0.75, 0.75), LIGHTS[light], exposure)
    assert checked_kind(Kind.BLACK, body, pips) is Kind.OTHER


@pytest.mark.parametrize("exposure", [0.6, 1.0, 1.4])
def test_a_violet_die_is_not_black_even_if_it_is_nearly(exposure: float) -> None:
    body = seen((0.050, 0.030, 0.042), LIGHTS["white"], exposure)
    pips = seen((0.75, 0.75, 0.75), LIGHTS["white"], exposure)
    assert checked_kind(Kind.BLACK, body, pips) is Kind.OTHER


@pytest.mark.parametrize("light", LIGHTS)
def test_a_black_die_with_red_pips_is_not_ours_in_any_light(light: str) -> None:
    body = seen((0.012, 0.012, 0.012), LIGHTS[light], 1.0)
    pips = seen((0.03, 0.02, 0.5), LIGHTS[light], 1.0)
    assert checked_kind(Kind.BLACK, body, pips) is Kind.OTHER


def test_the_black_die_of_a_bluish_room_is_black() -> None:
    body, pips = np.array((47.0, 38.0, 29.0)), np.array((255.0, 248.0, 214.0))
    assert checked_kind(Kind.BLACK, body, pips) is Kind.BLACK
    # Without that tint in its pips it would be a blue one.
    assert checked_kind(Kind.BLACK, body, WHITE_PIPS) is Kind.OTHER


def test_violet_pips_are_no_light() -> None:
    body, pips = np.array((66.0, 50.0, 66.0)), np.array((230.0, 190.0, 230.0))
    assert checked_kind(Kind.BLACK, body, pips) is Kind.OTHER


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
