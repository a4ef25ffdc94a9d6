"""Checks, on trays without markers, whether the rim is where it was, and as bright and sharp.

Points on the walls and the rim that are easy to find again are tracked from the picture of the
empty tray to the current picture (Shi and Tomasi 1994; pyramidal Lucas-Kanade, Bouguet 2000), and
what most of them agree on is how the tray has moved in the picture.
"""

import cv2
import numpy as np

from calibration.drift.look import MAX_EDGE_WIDENING, PoseEstimate, Unseen, light_or_lens_problem
from calibration.markers.aruco import to_gray
from calibration.markers.edges import light_of
from calibration.markers.pose import lens_of, pose_from
from calibration.problems import Problem
from vision.frame import Image
from vision.geometry.profile import Profile
from vision.image.arrays import BoolArray, Float32Array, FloatArray, GreyImage

BAND_MM = (-1.0, 22.0)
"""How far beyond the floor walls and rim reach, from and to; the table may stay where it is."""
MIN_POINTS = 12
"""Fewer points on the rim are not enough evidence."""
_MAX_POINTS = 120
_MAX_RETURN_ERROR_PX = 0.7  # how far from its start a point tracked there and back may end
_MAX_REPROJECTION_ERROR_PX = 1.2
_MIN_AGREEING_OF_ALL = 0.25  # share of points
_MIN_AGREEING_OF_TRACKED = 0.6  # points slide along an edge
_MAX_BLUR = 1.35  # how many times less steep edges may be; a marker's are measured better
_FLOW_WINDOW_PX = 25
_FLOW_LEVELS = 4
_EDGE_RADIUS_PX = 4  # pixels round a point in which edges are compared


class RimInspector:
    """Compares with the picture of the empty tray.

    Args:
        profile: holds that picture.

    Raises:
        ValueError: there is no such picture, or nothing on the rim that could be found again.
    """

    def __init__(self, profile: Profile) -> None:
        if profile.empty is None:
            raise ValueError("expected a picture of the empty tray; calibrate again")
        self._before = profile
        self._gray = to_gray(profile.empty)
        self._mask_of_rim = _mask_of_rim(profile)
        points = cv2.goodFeaturesToTrack(
            self._gray, _MAX_POINTS, 0.01, profile.size[0] / 100, mask=self._mask_of_rim
        )
        count = 0 if points is None else len(points)
        if points is None or count < MIN_POINTS:
            raise ValueError(
                f"only {count} places on the rim can be found again, {MIN_POINTS} are needed; "
                "stick the printed markers on"
            )
        self._points: Float32Array = np.asarray(points, np.float32)
        self._level, self._spread = _brightness(self._gray)
        self._light_around = _light_around(self._gray)
        self._steep = _steepness(self._gray)
        self._floor = profile.to_pixels(np.column_stack([profile.tray, np.zeros(4)]))

    def see(self, image: Image, profile: Profile) -> PoseEstimate | Unseen:
        """Looks at a picture of a tray in which nothing moves."""
        gray = to_gray(image)
        level, spread = _brightness(gray)
        gain = self._spread / max(spread, 1e-3)
        evened = np.asarray(
            cv2.convertScaleAbs(gray, alpha=gain, beta=self._level - gain * level), np.uint8
        )
        found = self._follow_points(evened)
        if found is None:
            return self._why_lost(evened)
        moved, kept, here = found
        floor = np.column_stack([self._floor, np.ones(4)]) @ moved.T
        plane = np.column_stack([self._before.tray, np.zeros(4)])
        rotation, translation, _ = pose_from(lens_of(self._before), plane, floor)
        then = np.asarray(self._points.reshape(-1, 2)[kept], np.float64)
        light = float(
            _values_at(_light_around(gray), here).mean()
            / max(_values_at(self._light_around, then).mean(), 1e-4)
        )
        steep = np.maximum(_values_at(_steepness(evened), here), 1e-3)
        softer = float(np.median(_values_at(self._steep, then) / steep))
        return PoseEstimate(
            rotation,
            translation,
            *light_or_lens_problem(light, softer * MAX_EDGE_WIDENING / _MAX_BLUR, 0.0),
        )

    def _why_lost(self, evened: GreyImage) -> Unseen:
        places = np.asarray(self._points.reshape(-1, 2), np.float64)
        sharp = np.percentile(_values_at(self._steep, places), 75)
        if sharp > _MAX_BLUR * np.percentile(_values_at(_steepness(evened), places), 75):
            return Unseen(Problem.LENS_DIRTY, "the rim is too blurred to be found; clean the lens")
        return Unseen(
            Problem.MOVED,
            "the rim is not seen where it was; put the tray back or clear the rim, or calibrate",
        )

    def _follow_points(self, now: GreyImage) -> tuple[FloatArray, BoolArray, FloatArray] | None:
        """How the rim has moved, (2, 3); which points agree on it; where they are now."""
        there, seen = _optical_flow(self._gray, now, self._points)
        back, again = _optical_flow(now, self._gray, there)
        off = np.linalg.norm((back - self._points).reshape(-1, 2), axis=1)
        good = seen & again & (off < _MAX_RETURN_ERROR_PX)
        if int(good.sum()) < MIN_POINTS // 2:
            return None
        moved, agree = cv2.estimateAffinePartial2D(
            self._points[good],
            there[good],
            method=cv2.RANSAC,
            ransacReprojThreshold=_MAX_REPROJECTION_ERROR_PX,
        )
        if moved is None:
            return None
        kept = good.copy()
        kept[good] = agree.ravel() == 1
        if int(kept.sum()) < max(
            MIN_POINTS // 2,
            _MIN_AGREEING_OF_ALL * len(self._points),
            _MIN_AGREEING_OF_TRACKED * int(good.sum()),
        ):
            return None
        return np.asarray(moved, np.float64), kept, np.asarray(there[kept], float).reshape(-1, 2)


def _brightness(gray: GreyImage) -> tuple[float, float]:
    """Mean and spread of the whole picture: those of the rim alone change when it moves."""
    middle, spread = cv2.meanStdDev(gray)
    return float(middle[0, 0]), float(spread[0, 0])


def _optical_flow(
    before: GreyImage, after: GreyImage, points: Float32Array
) -> tuple[Float32Array, BoolArray]:
    """Where points have moved to, (n, 1, 2), and which were found."""
    there, seen, _ = cv2.calcOpticalFlowPyrLK(
        before,
        after,
        points,
        np.empty_like(points),
        winSize=(_FLOW_WINDOW_PX, _FLOW_WINDOW_PX),
        maxLevel=_FLOW_LEVELS,
    )
    return np.asarray(there, np.float32), np.asarray(seen).ravel() == 1


def _mask_of_rim(profile: Profile) -> GreyImage:
    """Mask of where walls and rim are seen, as 255, (height, width)."""
    width, height = profile.size
    band = np.zeros((height, width), np.uint8)
    middle = profile.tray.mean(axis=0)
    for beyond, value in zip(reversed(BAND_MM), (255, 0), strict=True):
        grown = profile.tray + np.sign(profile.tray - middle) * beyond
        # A die's top at the floor's edge hides some wall, but never much of all four walls.
        outline = profile.to_pixels(np.column_stack([grown, np.zeros(len(grown))]))
        cv2.fillPoly(band, [np.round(outline).astype(np.int32)], value)
    return band


def _light_around(gray: GreyImage) -> Float32Array:
    """Light at the average grey level around each pixel."""
    return light_of(np.asarray(cv2.blur(gray, (9, 9)), np.uint8))


def _steepness(gray: GreyImage) -> Float32Array:
    """The steepest change of brightness near each pixel, per pixel."""
    across = cv2.Sobel(gray, cv2.CV_32F, 1, 0, scale=1 / 8)
    down = cv2.Sobel(gray, cv2.CV_32F, 0, 1, scale=1 / 8)
    size = 2 * _EDGE_RADIUS_PX + 1
    most = cv2.dilate(cv2.magnitude(across, down), np.ones((size, size), np.uint8))
    return np.asarray(most, np.float32)


def _values_at(values: Float32Array, points: FloatArray) -> FloatArray:
    """A picture's values at points, or at the nearest pixels within it."""
    x, y = np.clip(np.round(points).astype(int).T, 0, np.array(values.shape)[::-1, None] - 1)
    return np.asarray(values[y, x], np.float64)
