"""The profile's file: JSON with pictures as PNG in base 64."""

import base64
import binascii
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import ProfileError
from vision.files.atomic import write_atomically
from vision.files.bounded import read_bounded
from vision.geometry.profile import DieColour, PowerFace, Profile
from vision.geometry.sight import Sight
from vision.image.arrays import FloatArray
from vision.image.extent import Truncated
from vision.image.formats import extent_of, format_of
from vision.reading import POWER_FACES, Kind

PROFILE_VERSION = 1
MAX_PROFILE_BYTES = 8_000_000
MAX_PICTURE_PIXELS = 16_000_000
"""Of a picture in it; no camera module that we know is read at a larger size."""


def profile_data(profile: Profile) -> dict[str, Any]:
    """The profile as plain values for JSON; pictures are PNG in base 64."""
    return {
        "size": list(profile.size),
        "camera": profile.camera.tolist(),
        "distortion": profile.distortion.tolist(),
        "rotation": profile.rotation.tolist(),
        "translation": profile.translation.tolist(),
        "tray": profile.tray.tolist(),
        "die_edge_mm": profile.die_edge_mm,
        "power_faces": faces_data(profile.power_faces),
        "colours": _colours_data(profile.colours),
        "confirmed": _colours_data(profile.confirmed),
        "empty": None if profile.empty is None else encode_picture(profile.empty),
        "sight": None if profile.sight is None else asdict(profile.sight),
    }


def _colours_data(colours: Sequence[DieColour]) -> list[dict[str, Any]]:
    return [{"kind": c.kind.value, "body": c.body, "pip": c.pip, "count": c.count} for c in colours]


def faces_data(faces: Sequence[PowerFace]) -> list[dict[str, str]]:
    """Faces of the Power die as plain values for JSON."""
    return [{"value": face.value, "patch": encode_picture(face.patch)} for face in faces]


def faces_from_data(data: Sequence[Mapping[str, Any]]) -> tuple[PowerFace, ...]:
    """The reverse of `faces_data`.

    Raises:
        ProfileError: a face or its picture is none.
        KeyError, TypeError: these are no such values.
    """
    return tuple(
        PowerFace(_parse_face(raw["value"]), decode_picture(raw["patch"], cv2.IMREAD_GRAYSCALE))
        for raw in data
    )


def save_profile(profile: Profile, path: Path) -> None:
    """Writes the profile as JSON; the file is replaced whole or not at all.

    Raises:
        ProfileError: the file cannot be written.
    """
    data: dict[str, Any] = {"dicetray_profile": PROFILE_VERSION, **profile_data(profile)}
    try:
        write_atomically(path, json.dumps(data, indent=1).encode())
    except OSError as error:
        raise ProfileError(f"{path}: cannot be written: {error.strerror}") from error


def load_profile(path: Path) -> Profile:
    """Reads a profile.

    Raises:
        ProfileError: the file is missing, damaged, or of another version.
    """
    try:
        data = json.loads(read_bounded(path, MAX_PROFILE_BYTES))
    except OSError as error:
        raise ProfileError(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise ProfileError(f"{path}: is not JSON; calibrate again") from error
    if not isinstance(data, dict) or "dicetray_profile" not in data:
        raise ProfileError(f"{path}: is not a profile; make one with `dicetray calibrate`")
    if data["dicetray_profile"] != PROFILE_VERSION:
        raise ProfileError(
            f"{path}: is a profile of version {data['dicetray_profile']!r}, "
            f"expected {PROFILE_VERSION}; calibrate again"
        )
    try:
        return profile_from_data(data)
    except ProfileError as error:
        raise ProfileError(f"{path}: {error}") from error


def profile_from_data(data: Mapping[str, Any]) -> Profile:
    """Builds a profile from the plain values that `profile_data` returns.

    Raises:
        ProfileError: something is missing or wrong.
    """
    try:
        width, height = (int(v) for v in data["size"])
        faces = faces_from_data(data["power_faces"])
        colours = tuple(_parse_colour(raw) for raw in data.get("colours", ()))
        # Profiles from before dice were learnt in play have none.
        confirmed = tuple(_parse_colour(raw) for raw in data.get("confirmed", ()))
        empty = data["empty"]
        return Profile(
            size=(width, height),
            camera=_parse_numbers(data["camera"]),
            distortion=_parse_numbers(data["distortion"]),
            rotation=_parse_numbers(data["rotation"]),
            translation=_parse_numbers(data["translation"]),
            tray=_parse_numbers(data["tray"]),
            die_edge_mm=float(data["die_edge_mm"]),
            power_faces=faces,
            colours=colours,
            confirmed=confirmed,
            empty=None if empty is None else decode_picture(empty, cv2.IMREAD_COLOR),
            sight=parse_sight(data.get("sight")),
        )
    except KeyError as error:
        raise ProfileError(f"{error} is missing; calibrate again") from error
    except (TypeError, ValueError, AttributeError, OverflowError) as error:
        if isinstance(error, ProfileError):
            raise
        raise ProfileError(f"damaged: {error}; calibrate again") from error


def _parse_numbers(raw: Any) -> FloatArray:
    return np.array(raw, dtype=np.float64)


def _parse_colour(raw: Any) -> DieColour:
    body, pip = (tuple(float(v) for v in raw[key]) for key in ("body", "pip"))
    if len(body) != 3 or len(pip) != 3 or not np.isfinite((*body, *pip)).all():
        raise ProfileError("colours: expected three finite numbers for body and pip")
    return DieColour(Kind(raw["kind"]), body, pip, int(raw["count"]))


def parse_sight(raw: Any) -> Sight | None:
    """None where it is not known, as in profiles of earlier versions."""
    if raw is None:
        return None
    width, height = (int(v) for v in raw["array"])
    left, top, wide, high = (int(v) for v in raw["part"])
    if min(width, height, wide, high) < 1:
        raise ProfileError(f"sight: expected a part of a sensor, found {raw!r}; calibrate again")
    # Profiles of earlier versions knew of no angle of view, and of no lens that was bought.
    view, lens_mm = (
        None if raw.get(name) is None else float(raw[name]) for name in ("degrees", "lens_mm")
    )
    return Sight(str(raw["model"]), (width, height), (left, top, wide, high), view, lens_mm)


def _parse_face(raw: Any) -> str:
    if raw not in POWER_FACES:
        raise ProfileError(f"power_faces: expected one of {', '.join(POWER_FACES)}, found {raw!r}")
    return str(raw)


def encode_picture(picture: NDArray[np.uint8]) -> str:
    """A picture as PNG in base 64, for JSON."""
    good, data = cv2.imencode(".png", picture)
    if not good:
        raise ProfileError("a picture of the profile cannot be written as PNG")
    return base64.b64encode(data.tobytes()).decode("ascii")


def decode_picture(raw: str, how: int) -> NDArray[np.uint8]:
    """Decodes what `encode_picture` returns; `how` is one of OpenCV's IMREAD constants.

    Raises:
        ProfileError: it is damaged.
    """
    try:
        data = base64.b64decode(raw, validate=True)
        # OpenCV decodes whatever it is given, JPEG 2000 and OpenEXR as well.
        picture = None
        if format_of(data) == "PNG" and extent_of(data, "PNG").pixels <= MAX_PICTURE_PIXELS:
            picture = cv2.imdecode(np.frombuffer(data, dtype=np.uint8), how)
    except (binascii.Error, Truncated, cv2.error) as error:
        raise ProfileError("a picture in the profile is damaged; calibrate again") from error
    if picture is None:
        raise ProfileError("a picture in the profile is damaged; calibrate again")
    return np.asarray(picture, dtype=np.uint8)
