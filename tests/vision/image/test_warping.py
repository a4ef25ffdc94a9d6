"""Pictures are warped in one place, and patches alike with every version of OpenCV."""

import ast
from hashlib import sha256
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.image import warping
from vision.image.arrays import FloatArray, GreyImage
from vision.image.warping import sampled, warp_square, warped

ROOT = Path(__file__).parents[3]
ROOMS = ("appliance", "calibration", "firmware", "games", "simulator", "vision")
WARPS = {"warpAffine", "warpPerspective", "remap"}

PICTURE = np.random.default_rng(1).integers(0, 256, (120, 150, 3), np.uint8)
MATRICES = np.random.default_rng(2).uniform(-1, 1, (40, 2, 3)) * (
    (1.5, 1.5, 90.0),
    (1.5, 1.5, 90.0),
)


def cut(matrix: FloatArray, side: int = 48) -> GreyImage:
    patch = np.empty((side, side, 3), np.uint8)
    warp_square(PICTURE, matrix, patch)
    return patch


def test_patches_are_what_they_always_were() -> None:
    together = sha256(b"".join(cut(matrix).tobytes() for matrix in MATRICES)).hexdigest()
    assert together[:12] == "113e8cf76b31"


@pytest.mark.skipif(int(cv2.__version__[0]) > 4, reason="OpenCV 5 interpolates otherwise")
def test_what_is_done_in_place_of_opencv_5_gives_the_pixels_of_opencv_4(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    expected = [cut(matrix) for matrix in MATRICES]
    monkeypatch.setattr(warping, "_WARPS_EXACTLY", True)
    for matrix, patch in zip(MATRICES, expected, strict=True):
        np.testing.assert_array_equal(cut(matrix), patch)


def test_nothing_is_warped_elsewhere() -> None:
    sources = [path for room in ROOMS for path in ROOT.glob(f"{room}/**/*.py")]
    texts = {path: path.read_text("utf-8") for path in sources}
    found = {
        (str(path.relative_to(ROOT)), name)
        for path, text in texts.items()
        if any(name in text for name in WARPS)
        for node in ast.walk(ast.parse(text))
        for name in (getattr(node, "attr", None), getattr(node, "name", None))
        if name in WARPS
    }
    # The simulator's textures repeat at their borders.
    textures = ("simulator/render/texture.py", "remap")
    assert found == {("vision/image/warping.py", name) for name in WARPS} | {textures}


@pytest.mark.parametrize("kind", [np.uint8, np.float32])
@pytest.mark.parametrize("replicated", [False, True])
@pytest.mark.parametrize("inverse", [False, True])
@pytest.mark.parametrize("rows", [2, 3])
def test_whole_pixels_are_moved_as_they_are(
    rows: int, inverse: bool, replicated: bool, kind: type[Any]
) -> None:
    grey = PICTURE[..., 0].astype(kind)
    matrix = np.array(((1.0, 0.0, 5.0), (0.0, 1.0, 2.0), (0.0, 0.0, 1.0)))
    filled = np.pad(grey, 5, mode="edge") if replicated else np.pad(grey, 5)
    top, left = (7, 10) if inverse else (3, 0)
    moved = warped(grey, matrix[:rows], (150, 120), inverse=inverse, replicated=replicated)
    assert moved.dtype == kind
    np.testing.assert_array_equal(moved, filled[top : top + 120, left : left + 150])


@pytest.mark.parametrize("kind", [np.uint8, np.float32, np.float64])
@pytest.mark.parametrize("replicated", [False, True])
@pytest.mark.parametrize("cubic", [False, True])
def test_a_picture_is_sampled_where_its_pixels_are(
    cubic: bool, replicated: bool, kind: type[Any]
) -> None:
    grey = PICTURE[..., 0].astype(kind)
    filled = np.pad(grey, 5, mode="edge") if replicated else np.pad(grey, 5)
    places = np.stack(np.meshgrid(np.arange(-5.0, 20), np.arange(-5.0, 30)), axis=2)
    seen = sampled(grey, places, cubic=cubic, replicated=replicated)
    assert seen.dtype == kind
    np.testing.assert_array_equal(seen, filled[:35, :25])


def test_half_way_between_two_pixels_is_their_mean() -> None:
    (seen,) = sampled(np.array([[10, 30]], np.float32), np.array([[(0.5, 0.0), (0.25, 0.0)]]))
    assert seen.tolist() == [20.0, 15.0]
