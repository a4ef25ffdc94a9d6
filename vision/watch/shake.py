"""The camera's own shake: the shift, turn and zoom that the whole small copy shares.

Lucas and Kanade's (1981) equations for a similarity, summed in blocks, so that what moves in the
tray can be told from the rest: blocks that the similarity does not explain are left out, and the
others must span much of the picture. The movement of a single die is never taken for the
camera's. Phones and autofocus lenses zoom a little all the time; a mounted camera is bumped.
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.image.arrays import BoolArray, Float32Array, FloatArray
from vision.image.warping import warped
from vision.watch.motion import Small

_VOTING_BLOCKS = (12, 8)  # along the longer and the shorter side
_MIN_BLOCK_TEXTURE = 4.0  # mean squared gradient of a block that can vote
_MIN_VOTER_SPREAD = 0.5  # share of the picture's width or height that the voters span
_MAX_SHAKE_PX = 2.0  # beyond, the equations do not hold
_MIN_SHAKE_PX = 0.05  # less changes nothing


@dataclass(frozen=True, slots=True)
class Shake:
    """How the picture moved between two small copies of one size.

    Attributes:
        matrix: (2, 3), takes a point (x, y, 1) of the earlier small copy to the later one.
    """

    matrix: tuple[tuple[float, float, float], tuple[float, float, float]]

    def shift_at(self, x: float, y: float) -> FloatArray:
        """The shift (dx, dy) at a point of the small copy, pixels."""
        matrix = np.asarray(self.matrix)
        return np.asarray(matrix @ np.array([x, y, 1.0]) - np.array([x, y]), np.float64)


NO_SHAKE = Shake(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)))


def camera_shake(before: Small, after: Small) -> Shake:
    """The movement of the picture as a whole between small copies of one size, or `NO_SHAKE`."""
    height, width = after.log.shape[:2]
    total = np.zeros(4)
    moved, found = before, NO_SHAKE
    for _ in range(2):
        step = _estimate_similarity(moved, after)
        if step is None:
            return NO_SHAKE
        total = total + step
        found = _shake_from_values(total, width, height)
        corners = [found.shift_at(x, y) for x in (0, width) for y in (0, height)]
        reach = max(float(np.hypot(*corner)) for corner in corners)
        if reach > _MAX_SHAKE_PX or reach < _MIN_SHAKE_PX:
            return NO_SHAKE
        moved = shift_with_camera(before, found)
        if float(np.abs(step).max()) < _MIN_SHAKE_PX:
            break
    return found


def shift_with_camera(picture: Small, by: Shake) -> Small:
    """Moves a small copy as the camera did; the border is replicated."""
    height, width = picture.log.shape[:2]
    matrix = np.asarray(by.matrix)

    def move(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return warped(image, matrix, (width, height), replicated=True)

    return picture.made_with(move)


def _shake_from_values(values: FloatArray, width: int, height: int) -> Shake:
    """Turns (shift x, shift y, zoom, turn) about the middle into a matrix."""
    tx, ty, zoom, turn = (float(v) for v in values)
    half = max(width, height) / 2
    a, b, cx, cy = zoom / half, turn / half, width / 2, height / 2
    return Shake(((1 + a, -b, tx - a * cx + b * cy), (b, 1 + a, ty - b * cx - a * cy)))


def _estimate_similarity(before: Small, after: Small) -> FloatArray | None:
    """One step: shift x and y, zoom and turn at the longer border, pixels; None if not shared."""
    a = cv2.GaussianBlur(cv2.cvtColor(before.log, cv2.COLOR_BGR2GRAY), (3, 3), 0)
    b = cv2.GaussianBlur(cv2.cvtColor(after.log, cv2.COLOR_BGR2GRAY), (3, 3), 0)
    mean = cv2.addWeighted(a, 0.5, b, 0.5, 0.0, dtype=cv2.CV_32F)
    gx = cv2.Sobel(mean, cv2.CV_32F, 1, 0, scale=1 / 8)
    gy = cv2.Sobel(mean, cv2.CV_32F, 0, 1, scale=1 / 8)
    dt = cv2.subtract(b, a, dtype=cv2.CV_32F)
    dt = cv2.subtract(dt, cv2.blur(dt, (15, 15)))
    height, width = a.shape[:2]
    columns, rows = _VOTING_BLOCKS if width >= height else _VOTING_BLOCKS[::-1]
    products = (gx * gx, gx * gy, gy * gy, gx * dt, gy * dt, dt * dt)
    xx, xy, yy, xt, yt, tt = (_block_means(product, columns, rows) for product in products)
    agree = voters = xx + yy > _MIN_BLOCK_TEXTURE
    if np.count_nonzero(voters) < 4:
        return None
    ways = _block_motion_basis(width, height, columns, rows)
    values: FloatArray | None = None
    for _ in range(4):
        values = _solve_least_squares(ways, (xx, xy, yy, xt, yt), agree)
        if values is None:
            return None
        u, v = ways @ values
        left = tt + u * u * xx + v * v * yy + 2 * (u * v * xy + u * xt + v * yt)
        # Explained by the movement, or changed too little to object.
        agree = voters & (left < np.maximum(0.5 * tt, 1.0 + 0.01 * (xx + yy)))
        if np.count_nonzero(agree) < 4:
            return None
    if np.count_nonzero(agree) < 0.5 * np.count_nonzero(voters):
        return None
    rows_in, columns_in = np.nonzero(agree)
    wide = (
        np.ptp(columns_in) + 1 >= _MIN_VOTER_SPREAD * columns
        or np.ptp(rows_in) + 1 >= _MIN_VOTER_SPREAD * rows
    )
    return values if wide else None


def _block_means(values: Float32Array, columns: int, rows: int) -> FloatArray:
    """Means over blocks; two steps take half the time of one."""
    lines = cv2.resize(values, (values.shape[1], rows), interpolation=cv2.INTER_AREA)
    return cv2.resize(lines, (columns, rows), interpolation=cv2.INTER_AREA).astype(np.float64)


@lru_cache(maxsize=8)
def _block_motion_basis(width: int, height: int, columns: int, rows: int) -> FloatArray:
    """How each block moves with (shift x, shift y, zoom, turn), (2, rows, columns, 4)."""
    half = max(width, height) / 2
    x = ((np.arange(columns) + 0.5) * width / columns - width / 2)[None, :] / half
    y = ((np.arange(rows) + 0.5) * height / rows - height / 2)[:, None] / half
    ways = np.zeros((2, rows, columns, 4))
    ways[0, ..., 0] = ways[1, ..., 1] = 1.0
    ways[0, ..., 2] = ways[1, ..., 3] = x
    ways[0, ..., 3], ways[1, ..., 2] = -y, y
    return ways


def _solve_least_squares(
    ways: FloatArray, sums: tuple[FloatArray, ...], where: BoolArray
) -> FloatArray | None:
    """Least squares over some blocks for (shift x, shift y, zoom, turn)."""
    across, down = ways.reshape(2, -1, 4)
    xx, xy, yy, xt, yt = ((where * m).reshape(-1, 1) for m in sums)
    mixed = across.T @ (down * xy)
    normal = across.T @ (across * xx) + down.T @ (down * yy) + mixed + mixed.T
    right = -(across.T @ xt + down.T @ yt)[:, 0]
    # Zoom and turn are kept small unless the picture clearly shows them.
    weight = 0.02 * max(1.0, float(np.trace(normal)) / 4)
    normal[2, 2] += weight
    normal[3, 3] += weight
    if np.linalg.cond(normal) > 1e5:
        return None
    return np.asarray(np.linalg.solve(normal, right), np.float64)
