"""The tray found automatically where it has no markers: drawn trays, and a rendered one."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from appliance.simulator.render.pinhole import CameraModel, look_down
from calibration.errors import RefusedError
from calibration.markers.lens import Lens, camera_module_3
from calibration.problems import Problem
from calibration.rim.rectangles import fit_rectangle
from calibration.rim.rim import find_floor
from calibration.rim.surround import find_rim
from calibration.wizard.pages import Page
from calibration.wizard.seeing import look
from calibration.wizard.state import Wizard
from tests.calibration.setups import installation, picture
from vision.frame import Frame, Image
from vision.geometry.profile import Profile

SIZE = (960, 540)
FLOOR = (216.0, 152.0)
LENS = camera_module_3(SIZE)
FELT, WALL, RIM, TABLE = (40, 90, 45), (60, 80, 110), (90, 120, 160), (170, 190, 200)


def drawn(
    tilt: tuple[float, float] = (0.0, 0.0),
    turn: float = 0.0,
    height: float = 380.0,
    offset: tuple[float, float] = (0.0, 0.0),
    shade: float = 0.0,
    corner: float = 0.0,
) -> tuple[Image, np.ndarray]:
    """A tray of flat colours seen by the usual lens, and the true corners of its floor, pixels.

    `shade` is the width in millimetres of a dark band along the upper wall; `corner` is the share
    of width and depth that a shadow along the upper and left walls makes as dark as the walls: the
    lit part has the floor's shape.
    """
    camera = look_down(SIZE, height, offset, tilt, turn, 75.2)
    image = np.full((SIZE[1] * 4, SIZE[0] * 4, 3), TABLE, np.uint8)

    def fill(x: float, y: float, z: float, colour: tuple[int, int, int], low: float = -1.0) -> None:
        world = np.array(((-x, -y, z), (x, -y, z), (x, y * -low, z), (-x, y * -low, z)), np.float64)
        pixels = (camera.project(world) + 0.5) * 4 - 0.5
        cv2.fillPoly(image, [np.rint(pixels * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)

    x, y = FLOOR[0] / 2, FLOOR[1] / 2
    fill(x + 7, y + 7, -22.0, RIM)
    fill(x + 2, y + 2, -22.0, WALL)
    fill(x, y, 0.0, FELT)
    if shade:
        fill(x, y, 0.0, (14, 34, 16), 1 - 2 * shade / FLOOR[1])
    if corner:
        dark = (10, 12, 14)
        fill(x + 2, y + 2, -22.0, dark)
        lit = np.array(((2 * corner - 1, 2 * corner - 1), (1, 2 * corner - 1), (1, 1)))
        world = np.column_stack([np.vstack([lit, (2 * corner - 1, 1)]) * (x, y), np.zeros(4)])
        pixels = (camera.project(world) + 0.5) * 4 - 0.5
        cv2.fillPoly(image, [np.rint(pixels * 16).astype(np.int32)], FELT, cv2.LINE_AA, 4)
    small = cv2.resize(image, SIZE, interpolation=cv2.INTER_AREA)
    noise = np.random.default_rng(1).normal(0, 2.0, small.shape)
    corners = np.array(((-x, -y, 0), (x, -y, 0), (x, y, 0), (-x, y, 0)), np.float64)
    return np.clip(small + noise, 0, 255).astype(np.uint8), camera.project(corners)


def bent(image: Image, corners: np.ndarray) -> tuple[Image, np.ndarray, Lens]:
    """A picture as a wide lens gives it, the corners in it, and the lens."""
    lens = replace(LENS, distortion=np.array((-0.3, 0.06, 0.0, 0.0)))
    x, y = np.meshgrid(np.arange(SIZE[0], dtype=float), np.arange(SIZE[1], dtype=float))
    rays = lens.undistort(np.column_stack([x.ravel(), y.ravel()]))
    source = LENS.placed(np.eye(3), np.zeros(3)).to_pixels(np.insert(rays, 2, 1.0, axis=1))
    maps = source.reshape(*x.shape, 2).astype(np.float32)
    there = np.insert(LENS.undistort(corners), 2, 1.0, axis=1)
    seen = lens.placed(np.eye(3), np.zeros(3)).to_pixels(there)
    picture = cv2.remap(
        image, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(picture, np.uint8), seen, lens


def test_a_floor_below_a_wide_lens_is_found_though_its_edges_are_bent() -> None:
    image, corners, lens = bent(*drawn((5.0, -3.0), 2.0, offset=(10.0, -20.0)))
    found = find_floor(image, lens, FLOOR).corners
    assert np.linalg.norm(found - corners, axis=1).max() < 1.5
    with pytest.raises(RefusedError):
        find_floor(image, LENS, FLOOR)


@pytest.mark.parametrize(
    ("tilt", "turn", "offset"),
    [
        ((0.0, 0.0), 0.0, (0.0, 0.0)),
        ((8.0, -4.0), 3.0, (-20.0, -50.0)),
        ((-6.0, 7.0), -5.0, (40.0, 30.0)),
    ],
)
def test_the_floor_is_found_to_a_pixel(
    tilt: tuple[float, float], turn: float, offset: tuple[float, float]
) -> None:
    image, corners = drawn(tilt, turn, offset=offset)
    found = find_floor(image, LENS, FLOOR)
    assert np.abs(found.corners - corners).max() < 1.5
    assert found.tilt_deg == pytest.approx(np.hypot(*tilt), abs=1.5)


def test_a_shadow_on_the_floor_is_not_its_end() -> None:
    image, corners = drawn(shade=9.0)
    assert np.abs(find_floor(image, LENS, FLOOR).corners - corners).max() < 1.5


@pytest.mark.parametrize("share", [0.03, 0.06, 0.1])
def test_what_two_shadows_leave_of_a_floor_is_not_taken_for_it(share: float) -> None:
    image, _ = drawn(corner=share)
    with pytest.raises(RefusedError) as caught:
        find_floor(image, LENS, FLOOR)
    assert caught.value.problem is Problem.NO_RIM


def rim_lines(
    camera: CameraModel, shift: tuple[float, float] = (0.0, 0.0)
) -> tuple[np.ndarray, list[list[np.ndarray]]]:
    """Corners of a floor, shifted if wanted, and the edges of the rim round the true one."""
    x, y = FLOOR[0] / 2, FLOOR[1] / 2
    corners = np.array(((-x, -y, 0), (x, -y, 0), (x, y, 0), (-x, y, 0)), np.float64)
    beyond: list[list[np.ndarray]] = [[] for _ in range(4)]
    for out in (2.0, 8.0):
        rim = corners * ((x + out) / x, (y + out) / y, 1) - (0, 0, 22.0)
        seen = np.column_stack([camera.project(rim), np.ones(4)])
        for k in range(4):
            line = np.cross(seen[k], seen[(k + 1) % 4])
            beyond[k].append(line / np.hypot(line[0], line[1]))
    return camera.project(corners + np.array((*shift, 0.0))), beyond


@pytest.mark.parametrize("tilt", [(0.0, 0.0), (8.0, -4.0)])
def test_the_rim_round_a_floor_is_measured(tilt: tuple[float, float]) -> None:
    camera = look_down(SIZE, 380.0, (-20.0, 30.0), tilt, 2.0, 75.2)
    rim = find_rim(*rim_lines(camera), LENS, FLOOR)
    assert rim is not None
    assert rim.off_mm < 0.1
    assert (rim.height_mm, rim.inner_mm, rim.outer_mm) == pytest.approx((22, 2, 8), abs=0.7)


def test_no_even_rim_lies_round_what_is_beside_the_floor() -> None:
    camera = look_down(SIZE, 380.0, (-20.0, 30.0), (3.0, 2.0), 0.0, 75.2)
    for shift in ((6.0, 0.0), (0.0, -6.0), (4.0, 4.0)):
        rim = find_rim(*rim_lines(camera, shift), LENS, FLOOR)
        assert rim is None or rim.off_mm > 0.9


def test_without_edges_on_one_side_there_is_no_rim() -> None:
    corners, beyond = rim_lines(look_down(SIZE, 380.0, (0.0, 0.0), (0.0, 0.0), 0.0, 75.2))
    beyond[2] = []
    assert find_rim(corners, beyond, LENS, FLOOR) is None


@pytest.mark.parametrize("measured", [(216.0, 140.0), (240.0, 152.0)])
def test_a_floor_of_another_shape_is_not_found(measured: tuple[float, float]) -> None:
    image, _ = drawn()
    with pytest.raises(RefusedError) as caught:
        find_floor(image, LENS, measured)
    assert caught.value.problem is Problem.NO_RIM


def test_a_picture_without_a_tray_is_refused() -> None:
    plain = np.full((SIZE[1], SIZE[0], 3), 120, np.uint8)
    noisy = np.random.default_rng(3).integers(0, 255, plain.shape).astype(np.uint8)
    for image in (plain, noisy):
        with pytest.raises(RefusedError, match="NO RIM SEEN"):
            find_floor(image, LENS, FLOOR)


def test_only_rectangles_seen_from_above_are_taken() -> None:
    _, corners = drawn((4.0, 2.0))
    good = fit_rectangle(corners, LENS)
    assert good is not None
    assert good.ratio == pytest.approx(FLOOR[0] / FLOOR[1], rel=0.002)
    bent = corners.copy()
    bent[2] += (14.0, -9.0)
    odd = fit_rectangle(bent, LENS)
    assert odd is None or odd.misfit_px > max(0.5, 4 * good.misfit_px)
    _, slanted = drawn((20.0, 0.0), offset=(0.0, -130.0))
    assert fit_rectangle(slanted, LENS) is None


def test_the_wizard_shows_where_it_was_found_and_takes_it() -> None:
    scene = replace(installation(3, SIZE), prints=())
    frame = Frame(picture(scene), 0.0, 0)
    half = scene.tray.half
    measured = (float(round(2 * half[0])), float(round(2 * half[1])))
    wizard = Wizard(Page.RIM, floor_mm=measured)
    seen = look(wizard, [frame])
    assert seen.verdict.good, seen.verdict
    assert len(seen.outline) == 4
    draft = seen.draft
    assert draft is not None
    assert draft.layout is None
    profile: Profile = draft.profile
    assert profile.empty is not None, "what later pictures are compared with"
    places = np.stack(np.meshgrid([-0.9, 0.0, 0.9], [-0.9, 0.0, 0.9]), -1).reshape(-1, 2) * (
        np.array(half) - 8
    )
    tops = np.column_stack([places, np.full(len(places), -16.0)])
    off = np.linalg.norm(profile.to_mm(scene.camera.project(tops), 16.0) - places, axis=1)
    assert off.max() < 1.0
    assert off.max() < (draft.off_mm or 0.0)
