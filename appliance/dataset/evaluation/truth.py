"""The geometry of a rendered picture from its truth file, as a calibrated appliance knows it."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from appliance.dataset.index import MOST_BYTES
from vision.errors import PictureError
from vision.files.bounded import read_bounded
from vision.geometry.profile import Profile

# The truth's world has y to the back and z up; a profile's has y to the front and z down.
_FLIP = np.diag([1.0, -1.0, -1.0])
MM = 1000.0


def profile_of(path: Path) -> Profile:
    """Makes a profile from the camera and tray in a truth file.

    Raises:
        PictureError: the file cannot be read or holds no camera and tray.
    """
    try:
        raw: dict[str, Any] = json.loads(read_bounded(path, MOST_BYTES))
        camera = raw["camera"]
        rotation = np.array(camera["R_world_to_cam"], dtype=np.float64)
        center = np.array(camera["centre_m"], dtype=np.float64) * MM
        corners = np.array(raw["tray"]["floor_corners_m"], dtype=np.float64) * MM
        width, height = (int(v) for v in raw["size"])
        return Profile(
            size=(width, height),
            camera=np.array(camera["K"], dtype=np.float64),
            distortion=np.array(camera["dist"], dtype=np.float64),
            rotation=rotation @ _FLIP,
            translation=-rotation @ center,
            tray=corners[:, :2] * [1.0, -1.0],
        )
    except OSError as error:
        raise PictureError(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise PictureError(f"{path}: holds no geometry of a picture: {error}") from error
