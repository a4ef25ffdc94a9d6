"""Checks whether the four markers on the rim are where they were, and as bright and sharp."""

import math
from collections.abc import Sequence

import numpy as np

from calibration.calibration import Look
from calibration.drift.look import PoseEstimate, Unseen, light_or_lens_problem
from calibration.markers.aruco import Marker, find_markers
from calibration.markers.bundle import MAX_TILT_DEG
from calibration.markers.edges import light_of
from calibration.markers.pose import lens_of, pose_from
from calibration.markers.printed import MARKER_MM
from calibration.problems import Problem
from calibration.quality.light import MAX_PAPER_LEVEL, MIN_PAPER_LEVEL, exposure_change
from vision.frame import Image
from vision.geometry.profile import Profile
from vision.image.arrays import FloatArray

_MAX_MISFIT_PX = 1.5
_MOVED_FAR_SIDES = 0.3
"""A marker found near its place, but off by so much of its side, shows that all have moved."""


def look_of_markers(markers: Sequence[Marker]) -> Look:
    """How the four markers look now, to compare with later."""
    if len(markers) != 4:
        raise ValueError(f"expected four markers, found {len(markers)}")
    return Look(
        tuple(m.square.white for m in markers),
        tuple(m.square.black for m in markers),
        tuple(m.square.width * MARKER_MM / m.side for m in markers),
    )


class MarkerInspector:
    """Finds the markers near where they were, so that a look costs a few milliseconds.

    Args:
        layout: corners of the four markers, (4, 4, 3) millimetres.
        look: how they looked when all was well.
    """

    def __init__(self, layout: FloatArray, look: Look) -> None:
        self._layout = layout
        self._look = look

    def see(self, image: Image, profile: Profile) -> PoseEstimate | Unseen:
        """Looks at a picture of a tray in which nothing moves."""
        markers = self._find_markers(image, profile)
        if len(markers) < 3:
            return Unseen(
                Problem.HIDDEN,
                f"only {len(markers)} of four markers have been seen for a while; clear the rim, "
                "or calibrate again",
            )
        order = sorted(markers)
        pixels = np.concatenate([markers[k].corners for k in order])
        lens = lens_of(profile)
        rotation, translation, misfit = pose_from(lens, self._layout[order].reshape(-1, 3), pixels)
        if misfit > _MAX_MISFIT_PX:
            return PoseEstimate(
                rotation,
                translation,
                Problem.MOVED,
                f"the markers no longer fit one another ({misfit:.1f} pixels, expected "
                f"{_MAX_MISFIT_PX}); was one moved?",
            )
        level = rotation[2, 2] >= np.cos(np.radians(MAX_TILT_DEG))
        certain = len(markers) == 4 and bool(level)
        exposure = exposure_change(image, [markers[k] for k in order])
        return PoseEstimate(
            rotation, translation, *self._light_and_lens(markers), certain, exposure
        )

    def _find_markers(self, image: Image, profile: Profile) -> dict[int, Marker]:
        """The markers near where they were, else anywhere."""
        height, width = image.shape[:2]
        found: dict[int, Marker] = {}
        far = 0.0
        for k in range(4):
            corners = profile.to_pixels(self._layout[k])
            middle = corners.mean(axis=0)
            reach = float(np.linalg.norm(corners - middle, axis=1).max()) * 1.9
            left, top = (max(0, int(v)) for v in middle - reach)
            right = min(width, int(middle[0] + reach) + 1)
            bottom = min(height, int(middle[1] + reach) + 1)
            if right - left > 16 and bottom - top > 16:
                near = find_markers(image, (slice(top, bottom), slice(left, right)))
                if k in near:
                    found[k] = near[k]
                    off = np.linalg.norm(near[k].corners - corners, axis=1).max()
                    far = max(far, float(off) / near[k].side)
        # One of four may be hidden; if the others have moved far, it may be beyond its reach.
        enough = len(found) == 4 or (len(found) == 3 and far < _MOVED_FAR_SIDES)
        return found if enough else find_markers(image)

    def _light_and_lens(self, markers: dict[int, Marker]) -> tuple[Problem | None, str]:
        def light(level: float) -> float:
            return float(light_of(np.array([round(level)], np.uint8))[0])

        look = self._look
        squares = [(k, markers[k].square) for k in sorted(markers)]
        veils = [
            light(s.black) / light(s.white) - light(look.black[k]) / light(look.white[k])
            for k, s in squares
        ]
        softer = [
            s.width * MARKER_MM / markers[k].side / max(look.width_mm[k], 0.3) for k, s in squares
        ]
        whites = [s.white for _, s in squares]
        if max(whites) > MAX_PAPER_LEVEL:
            return (
                Problem.TOO_BRIGHT,
                f"the markers' paper has level {math.ceil(max(whites))} of 255, expected at most "
                f"{MAX_PAPER_LEVEL:.0f}; less light",
            )
        if min(whites) < MIN_PAPER_LEVEL:
            return (
                Problem.TOO_DARK,
                f"the markers' paper has level {int(min(whites))} of 255, expected at least "
                f"{MIN_PAPER_LEVEL:.0f}; more light",
            )
        soft, veil = (float(np.median(one)) for one in (softer, veils))
        return light_or_lens_problem(1.0, soft, veil)
