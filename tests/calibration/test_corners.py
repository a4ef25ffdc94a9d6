import numpy as np
import pytest

from calibration.corners import calibrate_by_corners
from calibration.errors import RefusedError
from calibration.markers.lens import camera_module_3
from vision.geometry.camera import rotation_of

LENS = camera_module_3((1536, 864))


def seen(tilt: float, half: tuple[float, float] = (108.0, 76.0)) -> list[tuple[float, float]]:
    x, y = half
    floor = np.array(((-x, -y, 0.0), (x, -y, 0.0), (x, y, 0.0), (-x, y, 0.0)))
    points = floor @ rotation_of(np.array((tilt, 0.0, 0.03))).T + np.array((3.0, 5.0, 380.0))
    pixels = points @ LENS.matrix.T
    return [(float(a / c), float(b / c)) for a, b, c in pixels]


@pytest.mark.parametrize("tilt", [0.0, 0.1, -0.17])
def test_corners_give_millimetres(tilt: float) -> None:
    profile = calibrate_by_corners(LENS, seen(tilt), (216.0, 152.0)).profile
    corners = np.array(seen(tilt))
    np.testing.assert_allclose(profile.to_mm(corners, 0.0), profile.tray, atol=0.01)
    # Tops lie nearer to the camera: read on the floor they would lie farther out.
    assert np.abs(profile.to_mm(corners, 16.0)).max() < 108


@pytest.mark.parametrize(
    ("corners", "size", "words"),
    [
        (seen(0.0)[::-1], (216.0, 152.0), "clockwise"),
        (seen(0.0), (216.0, 100.0), "off a rectangle"),
        (seen(0.0), (2160.0, 152.0), "60 to 600"),
        (seen(0.0)[:3], (216.0, 152.0), "four corners"),
    ],
)
def test_what_is_no_tray_is_refused(
    corners: list[tuple[float, float]], size: tuple[float, float], words: str
) -> None:
    with pytest.raises(RefusedError, match=words):
        calibrate_by_corners(LENS, corners, size)
