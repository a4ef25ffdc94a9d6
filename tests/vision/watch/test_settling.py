"""Rest, creeping, shake, light: the parts of the cheap step on their own."""

from itertools import pairwise

import cv2
import numpy as np
import pytest

from tests.vision.watch.film import EDGE, FPS, HEIGHT, WIDTH, Die, Film
from vision.watch.hand import find_obstacle
from vision.watch.motion import Small, changed_pixels, shrink
from vision.watch.settling import Settling, dice_that_crept
from vision.watch.shake import NO_SHAKE, Shake, camera_shake, shift_with_camera

DIE_PX = EDGE * 320 / WIDTH


@pytest.fixture
def film() -> Film:
    return Film(seed=11, dice=[Die(150, 100, 5, 20), Die(330, 180, 2, 60)])


def count(mask: np.ndarray) -> int:
    return int(np.count_nonzero(mask))


def test_small_copies_have_one_size_whatever_the_camera() -> None:
    for size in ((864, 1536), (1080, 1920), (2224, 1080), (360, 640), (100, 200)):
        small = shrink(np.zeros((*size, 3), np.uint8))
        assert max(small.color.shape[:2]) == min(320, max(size))
        assert small.scale == pytest.approx(max(small.color.shape[:2]) / max(size))


def test_a_given_small_picture_is_taken() -> None:
    small = shrink(np.full((180, 320, 3), 7, np.uint8), full_side=1536)
    assert small.color.shape == (180, 320, 3)
    assert small.color.max() == 7
    assert small.scale == pytest.approx(320 / 1536)


@pytest.mark.parametrize("gain", [0.6, 0.85, 1.2])
def test_exposure_is_not_matter(film: Film, gain: float) -> None:
    film.show(1)
    film.show(1, gain=gain)
    a, b = (shrink(frame.image) for frame in film.frames)
    assert count(changed_pixels(a, b)) <= 3


def test_a_turned_die_is_matter(film: Film) -> None:
    film.show(1)
    film.dice[0] = Die(150, 100, 4, 20)
    film.show(1)
    a, b = (shrink(frame.image) for frame in film.frames)
    where = changed_pixels(a, b)
    assert count(where) > 0.05 * DIE_PX**2
    y, x = np.nonzero(where)
    assert abs(x.mean() - 100) < DIE_PX
    assert abs(y.mean() - 100 * 320 / WIDTH) < DIE_PX


def test_a_region_limits_where_one_looks(film: Film) -> None:
    film.show(1)
    film.dice[0] = Die(150, 100, 4, 20)
    film.show(1)
    a, b = (shrink(frame.image) for frame in film.frames)
    region = np.zeros(a.log.shape[:2], np.uint8)
    region[:, 160:] = 255
    assert count(changed_pixels(a, b, region)) == 0


def test_rest_is_counted_from_the_last_movement(film: Film) -> None:
    settling = Settling(DIE_PX)
    film.show(4)
    film.dice[0] = Die(170, 100, 5, 50)
    film.show(4)
    rests = [settling.step(frame, shrink(frame.image)) for frame in film.frames]
    assert [rest.frames for rest in rests] == [0, 1, 2, 3, 0, 1, 2, 3]
    assert rests[7].seconds == pytest.approx(3 / FPS)
    assert settling.first is film.frames[4]


def test_a_rest_may_be_made_to_begin_later(film: Film) -> None:
    settling = Settling(DIE_PX)
    film.show(5)
    for frame in film.frames:
        settling.step(frame, shrink(frame.image))
    rest = settling.later(film.frames[-1])
    assert rest.frames == 3
    assert settling.first is film.frames[1]
    for _ in range(9):
        rest = settling.later(film.frames[-1])
    assert rest.frames == 0


def test_a_long_rest_holds_few_frames(film: Film) -> None:
    settling = Settling(DIE_PX)
    film.show(1)
    small = shrink(film.frames[0].image)
    for _ in range(500):
        settling.step(film.frames[0], small)
    assert len(settling._rest) <= 10


def test_a_rest_that_is_reported_holds_no_frame_but_its_first(film: Film) -> None:
    """A full picture from a Pi's camera is 4 MB, and ten were held until something moved."""
    settling = Settling(DIE_PX)
    film.show(5)
    for frame in film.frames:
        settling.step(frame, shrink(frame.image))
    settling.let_go()
    rest = settling.step(film.frames[-1], shrink(film.frames[-1].image))
    assert rest.frames == 5
    assert [frame for _, frame in settling._rest] == [film.frames[0]]


@pytest.mark.parametrize("shift", [(0.6, 0.0), (0.0, -0.7), (0.5, 0.5), (1.5, 0.4)])
def test_a_creeping_die_is_found_and_only_that(film: Film, shift: tuple[float, float]) -> None:
    film.noise = 1.5
    film.show(1)
    film.dice[0] = Die(150 + shift[0], 100 + shift[1], 5, 20)
    film.show(1)
    outlines = [die.corners() for die in film.dice]
    assert dice_that_crept(film.frames[0].image, film.frames[1].image, outlines) == (True, False)


@pytest.mark.parametrize("seed", range(5))
def test_noise_does_not_creep(seed: int) -> None:
    film = Film(seed=seed, noise=5.0, dice=[Die(150, 100, 5, 20), Die(330, 180, 1, 60)])
    film.show(2)
    outlines = [*(die.corners() for die in film.dice), np.array([(5.0, 5), (9, 5), (9, 9)])]
    assert not any(dice_that_crept(film.frames[0].image, film.frames[1].image, outlines))


def test_a_camera_that_moved_does_not_make_dice_creep(film: Film) -> None:
    film.show(1)
    film.show(1, shift=(1.2, -0.8))
    a, b = (shrink(frame.image) for frame in film.frames)
    camera = camera_shake(a, b)
    outlines = [die.corners() for die in film.dice]
    images = film.frames[0].image, film.frames[1].image
    assert dice_that_crept(*images, outlines, camera, a.scale) == (False, False)
    assert dice_that_crept(*images, outlines) == (True, True)


@pytest.mark.parametrize("shift", [(0.9, 0.0), (-0.6, 0.6), (1.5, -0.9)])
def test_the_camera_s_shift_is_measured(film: Film, shift: tuple[float, float]) -> None:
    film.show(1)
    film.show(1, shift=shift)
    a, b = (shrink(frame.image) for frame in film.frames)
    found = camera_shake(a, b).shift_at(160, 90) / a.scale
    assert found == pytest.approx(shift, abs=0.2)
    assert count(changed_pixels(shift_with_camera(a, camera_shake(a, b)), b)) <= 3


def test_the_camera_s_zoom_is_measured(film: Film) -> None:
    film.show(1)
    a = shrink(film.frames[0].image)
    zoom = 1.006
    matrix = np.array([[zoom, 0, (1 - zoom) * 160], [0, zoom, (1 - zoom) * 90]])
    warped = cv2.warpAffine(
        film.frames[0].image,
        np.array([[zoom, 0, (1 - zoom) * WIDTH / 2], [0, zoom, (1 - zoom) * HEIGHT / 2]]),
        (WIDTH, HEIGHT),
        borderMode=cv2.BORDER_REPLICATE,
    )
    found = camera_shake(a, shrink(warped.astype(np.uint8)))
    for x, y in ((20.0, 20.0), (300.0, 160.0)):
        expected = matrix @ np.array([x, y, 1]) - np.array([x, y])
        assert found.shift_at(x, y) == pytest.approx(expected, abs=0.25)


def test_one_moving_die_is_never_the_camera() -> None:
    film = Film(seed=2, dice=[Die(240, 130, 5, 20)])
    film.background[:] = film.floor  # nothing else to hold on to
    film.show(1)
    film.dice[0] = Die(241, 130, 5, 20)
    film.show(1)
    a, b = (shrink(frame.image) for frame in film.frames)
    assert camera_shake(a, b) is NO_SHAKE


def test_no_shake_is_measured_where_one_die_moves(
    film: Film, monkeypatch: pytest.MonkeyPatch
) -> None:
    def measured(before: Small, after: Small) -> Shake:
        raise AssertionError("the camera was looked at")

    monkeypatch.setattr("vision.watch.settling.camera_shake", measured)
    settling = Settling(DIE_PX)
    film.show(2)
    film.dice[0] = Die(158, 104, 5, 35)
    film.show(1)
    rests = [settling.step(frame, shrink(frame.image)) for frame in film.frames]
    assert [rest.frames for rest in rests] == [0, 1, 0]
    film.dice[1] = Die(334, 184, 2, 70)
    film.dice[0] = Die(162, 100, 5, 40)
    film.show(1)
    with pytest.raises(AssertionError):
        settling.step(film.frames[-1], shrink(film.frames[-1].image))


def test_carrying_by_nothing_changes_nothing(film: Film) -> None:
    film.show(1)
    small = shrink(film.frames[0].image)
    same = shift_with_camera(small, Shake(NO_SHAKE.matrix))
    assert np.array_equal(same.log, small.log)


def test_a_hand_is_an_obstacle_and_dice_are_none(film: Film) -> None:
    film.dice = []
    film.show(1)
    film.show(1, hand=(200, 120))
    film.dice = [Die(150 + 19 * k, 100 + 19 * m, 3) for k in range(3) for m in range(2)]
    film.show(1)
    empty, hand, dice = (shrink(frame.image) for frame in film.frames)
    found = find_obstacle(empty, hand, DIE_PX)
    assert found is not None
    assert not found.ghost
    assert 0.05 < found.share < 0.3
    assert find_obstacle(empty, dice, DIE_PX) is None
    assert find_obstacle(empty, empty, DIE_PX) is None


def test_a_hand_that_has_left_is_a_ghost(film: Film) -> None:
    film.show(1, hand=(200, 120))
    film.show(1)
    hand, empty = (shrink(frame.image) for frame in film.frames)
    found = find_obstacle(hand, empty, DIE_PX)
    assert found is not None
    assert found.ghost


def test_a_shadow_is_no_obstacle(film: Film) -> None:
    film.show(1)
    film.show(1, shadow=200.0)
    clear, dark = (shrink(frame.image) for frame in film.frames)
    assert find_obstacle(clear, dark, DIE_PX) is None


def test_a_hand_beside_the_tray_is_ignored(film: Film) -> None:
    film.show(1)
    film.show(1, hand=(440, 200))
    clear, hand = (shrink(frame.image) for frame in film.frames)
    region = np.zeros(clear.log.shape[:2], np.uint8)
    region[:, :200] = 255
    assert find_obstacle(clear, hand, DIE_PX, region) is None
    assert find_obstacle(clear, hand, DIE_PX) is not None


@pytest.mark.parametrize("dark", [2, 5, 12])
def test_the_noise_of_a_dark_wall_beside_a_bright_floor_is_no_movement(dark: int) -> None:
    rng = np.random.default_rng(7)
    still = np.full((180, 320, 3), 120.0)
    still[:, 60:66] = still[100:106] = dark

    def seen(scene: np.ndarray) -> Small:
        # Read noise is the same everywhere; light adds some of its own.
        noise = rng.normal(0.0, np.sqrt(2.0 + 0.01 * scene))
        return shrink(np.clip(np.round(scene + noise), 0, 255).astype(np.uint8))

    shots = [seen(still) for _ in range(20)]
    assert not any(changed_pixels(a, b).any() for a, b in pairwise(shots))
    # A black die pushed by a pixel, on the floor and along the wall, is seen.
    for x in (150, 66):
        before, after = still.copy(), still.copy()
        before[40:51, x : x + 11] = after[41:52, x : x + 11] = 15
        assert np.count_nonzero(changed_pixels(seen(before), seen(after))) > 8


@pytest.mark.parametrize("grain", [0.1, 0.15])
def test_grain_that_bright_spots_share_with_a_dark_floor_is_no_movement(grain: float) -> None:
    rng = np.random.default_rng(7)
    still = np.full((180, 320, 3), 20.0)
    for y in range(50, 130, 20):
        for x in range(60, 260, 20):
            still[y : y + 6, x : x + 6] = 160

    def seen() -> Small:
        noisy = still * (1 + rng.normal(0.0, grain, still.shape))
        return shrink(np.clip(np.round(noisy), 0, 255).astype(np.uint8))

    shots = [seen() for _ in range(20)]
    assert not any(changed_pixels(a, b).any() for a, b in pairwise(shots))
