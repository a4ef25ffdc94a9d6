"""The profile: what calibration knows of one installation, and its file."""

import base64
import binascii
import json
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import ProfileError
from vision.frame import Image
from vision.reading import POWER_FACES

VERSION = 1
DIE_EDGE_MM = 16.0
"""Edge of the usual small die, in millimetres."""
FACE_SIDE = 48
"""Side of a learnt face's patch, pixels."""
MAX_BYTES = 8_000_000

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class PowerFace:
    """One learnt face of the Power die.

    Attributes:
        value: one of `POWER_FACES`.
        patch: the face seen from straight above, grey, (FACE_SIDE, FACE_SIDE), 8 bits.
    """

    value: str
    patch: NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """One installation: camera, tray and dice.

    World coordinates are millimetres with the origin in the middle of the tray's floor, x to the
    right and y down as seen in the picture, z away from the camera: the floor is z = 0 and the
    top of a flat die z = -`die_edge_mm`.

    Attributes:
        size: width and height of the pictures, pixels.
        camera: camera matrix, (3, 3), pixels, pixel centres at whole numbers.
        distortion: OpenCV's k1, k2, p1, p2[, k3], (4,) or (5,).
        rotation: world to camera, (3, 3).
        translation: world to camera, millimetres, (3,).
        tray: corners of the floor, clockwise in the picture, millimetres, (n, 2), n >= 3.
        die_edge_mm: edge of the dice.
        power_faces: the learnt faces of the Power die; may be none.
        empty: the empty tray, any size, same shape of picture; None where not taken.
    """

    size: tuple[int, int]
    camera: FloatArray
    distortion: FloatArray
    rotation: FloatArray
    translation: FloatArray
    tray: FloatArray
    die_edge_mm: float = DIE_EDGE_MM
    power_faces: tuple[PowerFace, ...] = ()
    empty: Image | None = None

    def __post_init__(self) -> None:
        width, height = self.size
        if width < 16 or height < 16:
            raise ProfileError(f"size: expected at least 16x16 pixels, found {width}x{height}")
        _shape("camera", self.camera, (3, 3))
        _shape("rotation", self.rotation, (3, 3))
        _shape("translation", self.translation, (3,))
        if self.distortion.shape not in ((4,), (5,)) or not np.isfinite(self.distortion).all():
            raise ProfileError("distortion: expected 4 or 5 finite numbers")
        if self.tray.ndim != 2 or self.tray.shape[1] != 2 or len(self.tray) < 3:
            raise ProfileError("tray: expected three or more corners of two numbers")
        if not np.isfinite(self.tray).all():
            raise ProfileError("tray: expected finite numbers")
        if not np.allclose(self.rotation @ self.rotation.T, np.eye(3), atol=1e-3):
            raise ProfileError("rotation: is no rotation; calibrate again")
        if not (math.isfinite(self.die_edge_mm) and 4 <= self.die_edge_mm <= 60):
            raise ProfileError(f"die_edge_mm: expected 4 to 60, found {self.die_edge_mm}")

    def to_pixels(self, points: FloatArray) -> FloatArray:
        """Where world points (n, 3) appear in the picture, (n, 2)."""
        if len(points) == 0:
            return np.zeros((0, 2))
        rotation, _ = cv2.Rodrigues(self.rotation)
        found, _ = cv2.projectPoints(
            np.asarray(points, dtype=np.float64),
            rotation,
            self.translation,
            self.camera,
            self.distortion,
        )
        return np.asarray(found, dtype=np.float64).reshape(-1, 2)

    def tray_pixels(self) -> tuple[tuple[float, float], ...]:
        """The tray's corners in the picture, at the height of the die tops: all that dice cover."""
        tops = np.full((len(self.tray), 1), -self.die_edge_mm)
        return tuple((x, y) for x, y in self.to_pixels(np.hstack([self.tray, tops])).tolist())

    def to_mm(self, pixels: FloatArray, height_mm: float) -> FloatArray:
        """Where the rays of pixels (n, 2) meet the plane `height_mm` above the floor, (n, 2).

        The tops of flat dice lie at `die_edge_mm`.
        """
        if len(pixels) == 0:
            return np.zeros((0, 2))
        flat = cv2.undistortPoints(
            np.asarray(pixels, dtype=np.float64).reshape(-1, 1, 2), self.camera, self.distortion
        ).reshape(-1, 2)
        rays = np.column_stack([flat, np.ones(len(flat))]) @ self.rotation
        eye = -self.rotation.T @ self.translation
        reach = (-height_mm - eye[2]) / rays[:, 2]
        return np.asarray(eye[:2] + reach[:, None] * rays[:, :2], dtype=np.float64)

    def axes(self, centers: FloatArray) -> FloatArray:
        """How flat tops lie in the picture at pixels (n, 2), as (n, 2, 2).

        Columns are the pixels of one die edge along the world's x and y.
        """
        if len(centers) == 0:
            return np.zeros((0, 2, 2))
        half = self.die_edge_mm / 2
        middles = self.to_mm(centers, self.die_edge_mm)
        columns = []
        for step in ((half, 0.0), (0.0, half)):
            ends = [
                self.to_pixels(
                    np.column_stack(
                        [middles + sign * np.array(step), np.full(len(middles), -self.die_edge_mm)]
                    )
                )
                for sign in (-1, 1)
            ]
            columns.append(ends[1] - ends[0])
        return np.stack(columns, axis=2)

    def edge_pixels(self, center: tuple[float, float]) -> float:
        """Edge in pixels of a flat die whose top's middle is seen at `center`."""
        axes = self.axes(np.array([center], dtype=np.float64))
        return math.sqrt(abs(float(np.linalg.det(axes[0]))))

    def save(self, path: Path) -> None:
        """Writes the profile as JSON; the file is whole or not changed at all.

        Raises:
            ProfileError: the file cannot be written.
        """
        data: dict[str, Any] = {
            "dicetray_profile": VERSION,
            "size": list(self.size),
            "camera": self.camera.tolist(),
            "distortion": self.distortion.tolist(),
            "rotation": self.rotation.tolist(),
            "translation": self.translation.tolist(),
            "tray": self.tray.tolist(),
            "die_edge_mm": self.die_edge_mm,
            "power_faces": [
                {"value": face.value, "patch": _encode(face.patch)} for face in self.power_faces
            ],
            "empty": None if self.empty is None else _encode(self.empty),
        }
        part = path.with_name(path.name + ".part")
        try:
            with part.open("w", encoding="utf-8") as file:
                json.dump(data, file, indent=1)
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        except OSError as error:
            raise ProfileError(f"{path}: cannot be written: {error.strerror}") from error


def load_profile(path: Path) -> Profile:
    """Reads a profile.

    Raises:
        ProfileError: the file is missing, damaged, or of another version.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ProfileError(f"{path}: too large for a profile; is it the right file?")
        data = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ProfileError(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise ProfileError(f"{path}: is no JSON; calibrate again") from error
    if not isinstance(data, dict) or "dicetray_profile" not in data:
        raise ProfileError(f"{path}: is no profile; make one with `dicetray calibrate`")
    if data["dicetray_profile"] != VERSION:
        raise ProfileError(
            f"{path}: is a profile of version {data['dicetray_profile']!r}, expected {VERSION}; "
            "calibrate again"
        )
    try:
        return _profile(data)
    except ProfileError as error:
        raise ProfileError(f"{path}: {error}") from error


def _profile(data: Mapping[str, Any]) -> Profile:
    try:
        width, height = (int(v) for v in data["size"])
        faces = tuple(
            PowerFace(_face(raw["value"]), _decode(raw["patch"], cv2.IMREAD_GRAYSCALE))
            for raw in data["power_faces"]
        )
        empty = data["empty"]
        return Profile(
            size=(width, height),
            camera=_numbers(data["camera"]),
            distortion=_numbers(data["distortion"]),
            rotation=_numbers(data["rotation"]),
            translation=_numbers(data["translation"]),
            tray=_numbers(data["tray"]),
            die_edge_mm=float(data["die_edge_mm"]),
            power_faces=faces,
            empty=None if empty is None else _decode(empty, cv2.IMREAD_COLOR),
        )
    except KeyError as error:
        raise ProfileError(f"{error} is missing; calibrate again") from error
    except (TypeError, ValueError, AttributeError) as error:
        if isinstance(error, ProfileError):
            raise
        raise ProfileError(f"damaged: {error}; calibrate again") from error


def _shape(name: str, array: FloatArray, shape: Sequence[int]) -> None:
    if array.shape != tuple(shape) or not np.isfinite(array).all():
        raise ProfileError(f"{name}: expected finite numbers of shape {tuple(shape)}")


def _numbers(raw: Any) -> FloatArray:
    return np.array(raw, dtype=np.float64)


def _face(raw: Any) -> str:
    if raw not in POWER_FACES:
        raise ProfileError(f"power_faces: expected one of {', '.join(POWER_FACES)}, found {raw!r}")
    return str(raw)


def _encode(picture: NDArray[np.uint8]) -> str:
    good, data = cv2.imencode(".png", picture)
    if not good:
        raise ProfileError("a picture of the profile cannot be written as PNG")
    return base64.b64encode(data.tobytes()).decode("ascii")


def _decode(raw: str, how: int) -> NDArray[np.uint8]:
    try:
        data = np.frombuffer(base64.b64decode(raw, validate=True), dtype=np.uint8)
        picture = cv2.imdecode(data, how) if len(data) else None
    except (binascii.Error, cv2.error) as error:
        raise ProfileError("a picture in the profile is damaged; calibrate again") from error
    if picture is None:
        raise ProfileError("a picture in the profile is damaged; calibrate again")
    return np.asarray(picture, dtype=np.uint8)
