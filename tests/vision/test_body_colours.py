"""Colours of dice as people call them, and which are one colour in the light of a tray."""

import pytest

from vision.body_colours import MIN_CONFIRMED, ColourName, are_alike, colour_name, known_bodies
from vision.geometry.profile import DieColour
from vision.reading import Kind

Bgr = tuple[float, float, float]

SEEN: tuple[tuple[Bgr, ColourName], ...] = (
    ((30.0, 32.0, 33.0), ColourName.BLACK),
    ((115.0, 118.0, 120.0), ColourName.GREY),
    ((205.0, 215.0, 216.0), ColourName.WHITE),
    ((180.0, 205.0, 215.0), ColourName.WHITE),  # in warm light
    ((35.0, 30.0, 165.0), ColourName.RED),
    ((150.0, 130.0, 235.0), ColourName.PINK),
    ((30.0, 110.0, 230.0), ColourName.ORANGE),
    ((30.0, 60.0, 95.0), ColourName.BROWN),
    ((40.0, 190.0, 215.0), ColourName.YELLOW),
    ((45.0, 120.0, 40.0), ColourName.GREEN),
    ((164.0, 71.0, 27.0), ColourName.BLUE),
    ((120.0, 72.0, 47.0), ColourName.BLUE),
    ((140.0, 40.0, 110.0), ColourName.VIOLET),
)


@pytest.mark.parametrize(("body", "name"), SEEN)
def test_colours_have_the_names_that_people_give_them(body: Bgr, name: ColourName) -> None:
    assert colour_name(body) is name


def test_each_name_is_given() -> None:
    assert {name for _, name in SEEN} == set(ColourName)


def test_reflections_change_a_colour_less_than_another_die_does() -> None:
    blue = (164.0, 71.0, 27.0)
    assert are_alike(blue, (184.0, 100.0, 66.0))
    assert are_alike(blue, (156.0, 72.0, 30.0))
    others = [body for body, name in SEEN if name is not ColourName.BLUE]
    assert not any(are_alike(blue, other) for other in others)
    assert not are_alike((20.0, 20.0, 20.0), (210.0, 210.0, 210.0))


def test_a_colour_is_known_by_some_dice_and_not_beside_a_power_die_of_it() -> None:
    blue = DieColour(Kind.OTHER, (164.0, 71.0, 27.0), (220.0, 220.0, 220.0), MIN_CONFIRMED)
    red = DieColour(Kind.RED, (35.0, 30.0, 165.0), (220.0, 220.0, 220.0), MIN_CONFIRMED - 1)
    power = DieColour(Kind.POWER, (170.0, 80.0, 40.0), (220.0, 220.0, 220.0), 1)
    assert known_bodies((blue, red)) == (blue,)
    assert known_bodies((blue, red, power)) == ()
