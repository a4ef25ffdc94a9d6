"""A change is weighed only where something changed, with the same result as everywhere."""

import cv2
import numpy as np
import pytest

from vision.image.arrays import Mask
from vision.watch import motion
from vision.watch.motion import Small, changed_pixels, shrink

SIZE = (320, 180)


def weighed_everywhere(before: Small, after: Small) -> Mask:
    """A slow `changed_pixels`, without skipping what cannot matter."""
    edges = cv2.max(before.edges, after.edges)
    forgiven = cv2.convertScaleAbs(edges, alpha=motion._FORGIVEN_EDGE_SHARE)
    left = cv2.subtract(cv2.absdiff(before.detail, after.detail), forgiven)
    calm = cv2.blur(np.asarray(left).max(axis=2), (3, 3))
    steepness = cv2.LUT(cv2.min(before.bright, after.bright), motion._STEEPNESS_TABLE)
    unit = motion._STEEPNESS_UNIT * motion._STEEPNESS_UNIT
    of_light = cv2.blur(cv2.divide(calm, steepness, scale=unit), motion._NOISE_WINDOW_PX)
    weighed = cv2.multiply(of_light, steepness, scale=motion._NOISE_FACTOR / unit)
    plain = cv2.blur(cv2.convertScaleAbs(calm, alpha=motion._NOISE_FACTOR), motion._NOISE_WINDOW_PX)
    mask = cv2.compare(calm, cv2.LUT(cv2.max(plain, weighed), motion._THRESHOLD_TABLE), cv2.CMP_GT)
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, motion._SPECK_KERNEL), np.uint8)


def frames(seed: int, noise: float) -> tuple[Small, Small]:
    """Two pictures of a floor, the second with some squares on it, one at the border."""
    rng = np.random.default_rng(seed)
    floor = cv2.GaussianBlur(rng.normal(90, 60, (SIZE[1], SIZE[0], 3)), (0, 0), 4)
    full = floor.copy()
    places = rng.uniform(0, SIZE, (3, 2)).astype(int).tolist()
    for x, y in [*places, (0, int(rng.uniform(0, SIZE[1])))]:
        cv2.rectangle(full, (x, y), (x + 14, y + 14), rng.uniform(0, 255, 3).tolist(), -1)
    noisy = (one + rng.normal(0, noise, one.shape) for one in (floor, full))
    before, after = (shrink(np.clip(one, 0, 255).astype(np.uint8)) for one in noisy)
    return before, after


@pytest.mark.parametrize("seed", range(20))
def test_a_small_faint_change_is_weighed_with_all_that_is_around_it(seed: int) -> None:
    rng = np.random.default_rng(seed)
    before = np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)
    after = before.copy()
    x, y = rng.integers(0, SIZE).tolist()
    after[y : y + 5, x : x + 5] += np.uint8(rng.integers(10, 40))
    one, other = shrink(before), shrink(after)
    np.testing.assert_array_equal(changed_pixels(one, other), weighed_everywhere(one, other))


@pytest.mark.parametrize("noise", [0.0, 1.0, 6.0])
@pytest.mark.parametrize("seed", range(4))
def test_nothing_is_lost_by_weighing_a_change_only_where_it_is(seed: int, noise: float) -> None:
    before, after = frames(seed, noise)
    found = changed_pixels(before, after)
    assert found.any()
    np.testing.assert_array_equal(found, weighed_everywhere(before, after))


def test_between_pictures_that_hardly_differ_nothing_changed() -> None:
    before, _ = frames(1, 0.0)
    assert not changed_pixels(before, before).any()
    lighter = shrink(np.clip(before.color + np.float32(2), 0, 255).astype(np.uint8))
    assert not changed_pixels(before, lighter).any()
