"""The pose of a camera that sees known points at one height."""

import cv2
import numpy as np

from calibration.markers.lens import Lens
from vision.geometry.camera import rotation_of
from vision.geometry.profile import Profile
from vision.image.arrays import FloatArray


def lens_of(profile: Profile) -> Lens:
    """The lens of a profile."""
    distortion = np.zeros(4)
    distortion[:] = profile.distortion[:4]
    return Lens(profile.size, profile.camera, distortion, "the profile's")


Pose = tuple[FloatArray, FloatArray, float]
"""Rotation, translation and misfit (pixels)."""


def pose_from(lens: Lens, layout: FloatArray, pixels: FloatArray) -> Pose:
    """The best pose of a camera that sees known points at one height; see `poses_from`."""
    return poses_from(lens, layout, pixels)[0]


def poses_from(lens: Lens, layout: FloatArray, pixels: FloatArray) -> list[Pose]:
    """The poses of a camera that sees known points at one height, the best first.

    The two planar solutions (Collins and Bartoli 2014, OpenCV's IPPE) are refined by the
    Levenberg-Marquardt method and told apart by their misfit.

    Args:
        lens: the camera's.
        layout: world points (n, 3), all at one height.
        pixels: where they are seen, (n, 2).
    """
    height = float(layout[:, 2].mean())
    level = layout.copy()
    level[:, 2] = 0.0
    _, turns, shifts, _ = cv2.solvePnPGeneric(
        level, pixels, lens.matrix, lens.distortion, flags=cv2.SOLVEPNP_IPPE
    )
    if not np.isfinite((turns, shifts)).all():
        # Seen exactly upright, the two are one, and IPPE divides by what tells them apart: 0.
        _, turn, shift = cv2.solvePnP(
            level, pixels, lens.matrix, lens.distortion, flags=cv2.SOLVEPNP_ITERATIVE
        )
        turns, shifts = (turn,), (shift,)
    poses: list[Pose] = []
    for turn, shift in zip(turns, shifts, strict=True):
        fine_turn, fine_shift = cv2.solvePnPRefineLM(
            level, pixels, lens.matrix, lens.distortion, turn.copy(), shift.copy()
        )
        rotation = rotation_of(fine_turn)
        translation = np.asarray(fine_shift, np.float64).ravel()
        off = lens.placed(rotation, translation).to_pixels(level) - pixels
        misfit = float(np.sqrt((off**2).sum(axis=1).mean()))
        # Back from the plane's frame to the world's.
        poses.append((rotation, translation - rotation @ np.array((0.0, 0.0, height)), misfit))
    return sorted(poses, key=lambda pose: pose[2])
