"""What people would see of a change, and that noise is none."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from appliance.web.change import in_cells, shows_more
from vision.frame import Image

SIZES = st.tuples(st.integers(8, 250), st.integers(8, 350))


def picture(height: int, width: int, noise: float, seed: int) -> Image:
    random = np.random.default_rng(seed)
    tray = 90 + 40 * np.linspace(0, 1, width)[None, :, None] + np.zeros((height, width, 3))
    return np.clip(tray + random.normal(0, noise, tray.shape), 0, 255).astype(np.uint8)


@given(SIZES, st.floats(0, 6), st.integers(0, 99))
def test_noise_is_nothing_to_see(size: tuple[int, int], noise: float, seed: int) -> None:
    """Pixels of the simulated camera differ by 2.6 grey levels, those of webcams by up to 6."""
    before, now = (in_cells(picture(*size, noise, seed + k)) for k in (0, 100))
    assert not shows_more(now, before)


@given(st.integers(0, 200), st.integers(0, 300), st.sampled_from([-40, 40]), st.floats(0, 6))
def test_what_is_as_large_as_a_small_die_is_seen(
    top: int, left: int, contrast: int, noise: float
) -> None:
    before, now = (picture(220, 320, noise, seed) for seed in (1, 2))
    lying = now[top : top + 20, left : left + 20]
    lying[:] = np.clip(lying.astype(int) + contrast, 0, 255)
    assert shows_more(in_cells(now), in_cells(before))


def test_a_picture_of_another_size_is_another() -> None:
    assert shows_more(in_cells(picture(90, 160, 0, 1)), in_cells(picture(45, 80, 0, 1)))
