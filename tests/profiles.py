"""A profile for tests that need some known geometry."""

import cv2
import numpy as np

from vision.geometry.profile import Profile


def make_profile(tilt: float = 0.1) -> Profile:
    rotation, _ = cv2.Rodrigues(np.array([tilt, -tilt / 2, 0.05]))
    return Profile(
        size=(1536, 864),
        camera=np.array([[1150.0, 0, 770], [0, 1151, 430], [0, 0, 1]]),
        distortion=np.array([-0.04, 0.006, 0, 0]),
        rotation=np.asarray(rotation, dtype=np.float64),
        translation=np.array([3.0, -4.0, 350.0]),
        tray=np.array([(-106.0, -75), (106, -75), (106, 75), (-106, 75)]),
    )
