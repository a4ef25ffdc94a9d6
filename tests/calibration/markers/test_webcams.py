"""The lens assumed for a webcam, by its numbers or by the angle that somebody gives."""

from math import atan, degrees, hypot

import numpy as np
import pytest

from calibration.markers.assumed import assumed_lens, is_lens_known
from calibration.markers.lens import UNKNOWN_LENS_DOUBT, Lens
from calibration.markers.webcams import (
    MEASURED_WEBCAM_DOUBT,
    PUBLISHED_VIEW_DOUBT,
    SWITCHED_VIEW_DOUBT,
    WEBCAMS,
    WIDE_VIEW_DOUBT,
)
from vision.geometry.sight import webcam_sight

HD, VGA = (1280, 720), (640, 480)
C920, C270, BRIO = "046d:082d", "046d:0825", "046d:085e"


def seen_across(lens: Lens) -> float:
    """Angle across the diagonal, degrees, without distortion."""
    return 2 * degrees(atan(hypot(*lens.size) / 2 / float(lens.matrix[0, 0])))


@pytest.mark.parametrize(
    ("usb_id", "size", "expected"),
    [
        (C920, HD, 77.0),
        (C920, VGA, 65.5),
        ("046d:08e5", HD, 77.0),
        (C270, HD, 54.3),
        (C270, VGA, 51.9),
    ],
)
def test_a_webcam_that_was_measured_is_taken_for_what_it_is(
    usb_id: str, size: tuple[int, int], expected: float
) -> None:
    sight = webcam_sight(usb_id, size)
    lens, doubt = assumed_lens(size, sight)
    assert seen_across(lens) == pytest.approx(expected, abs=0.1)
    assert doubt == MEASURED_WEBCAM_DOUBT
    assert lens.sight == sight
    assert "measured" in lens.source
    assert is_lens_known(sight)


def test_what_a_program_can_switch_is_hardly_known() -> None:
    lens, doubt = assumed_lens(HD, webcam_sight(BRIO, HD))
    assert doubt == SWITCHED_VIEW_DOUBT
    assert seen_across(lens) == pytest.approx(90, abs=4)


def test_pictures_of_an_unmeasured_shape_are_known_less() -> None:
    sight = webcam_sight("046d:085c", VGA)
    lens, doubt = assumed_lens(VGA, sight)
    assert doubt.focal > PUBLISHED_VIEW_DOUBT.focal
    assert seen_across(lens) < 72, "its sides are cut off"


def test_what_somebody_gives_comes_first() -> None:
    for usb_id in ("", C920, "1234:5678"):
        lens, doubt = assumed_lens(HD, webcam_sight(usb_id, HD, 70.0))
        assert seen_across(lens) == pytest.approx(70.0)
        assert doubt == PUBLISHED_VIEW_DOUBT


def test_a_wide_angle_may_count_its_distortion_or_not() -> None:
    lens, doubt = assumed_lens(HD, webcam_sight("", HD, 100.0))
    assert doubt == WIDE_VIEW_DOUBT
    corner = np.array([(1279.0, 719.0)])
    x, y = lens.undistort(corner)[0]
    # The angle of the corner's ray, and that without distortion, lie to either side of 100.
    assert seen_across(lens) < 100.0 < 2 * degrees(atan(hypot(x, y)))


def test_other_webcams_are_not_known() -> None:
    for sight in (None, webcam_sight("1234:5678", HD)):
        lens, doubt = assumed_lens(HD, sight)
        assert doubt == UNKNOWN_LENS_DOUBT
        assert "not known" in lens.source
        assert not is_lens_known(sight)
    assert webcam_sight("", HD) is None


def test_each_number_is_that_of_one_webcam() -> None:
    numbers = [number for webcam in WEBCAMS for number in webcam.usb_ids]
    assert len(numbers) == len(set(numbers))
    assert all(len(number) == 9 and number == number.lower() for number in numbers)
