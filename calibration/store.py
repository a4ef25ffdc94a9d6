r"""The profile's file: one file, versioned and checksummed, written whole or not at all.

The first line is `dicetray-profile VERSION sha256=HEX bytes=N`; N bytes of JSON follow, pictures in
it as PNG in base 64. The checksum covers everything but itself: the rest of the line and the
JSON. A file that is damaged anywhere, truncated or added to is refused, and the previous one, kept
beside it as `NAME.previous`, is offered.
"""

import errno
import hashlib
import json
import math
import re
from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from calibration.accuracy import Check
from calibration.calibration import Calibration, Difference, Hanging, Look
from calibration.errors import StoreError
from calibration.markers.lens import Lens, LensDoubt, MeasuredLens
from calibration.own_dice import own_dice_data, own_dice_from_data
from vision.errors import ProfileError
from vision.files.atomic import write_atomically
from vision.files.bounded import read_bounded
from vision.geometry.profile import Profile
from vision.geometry.profile_file import (
    faces_data,
    faces_from_data,
    parse_sight,
    profile_data,
    profile_from_data,
)

FORMAT_VERSION = 2
MAX_PROFILE_BYTES = 32_000_000
"""Larger files are not ours; they are refused before they are read."""

_FIRST_LINE = re.compile(
    rb"dicetray-profile ([0-9]{1,6}) sha256=([0-9a-f]{64}) bytes=([0-9]{1,9})\n"
)
_CALIBRATE_AGAIN = "calibrate again with `dicetray calibrate`"


class DamagedError(StoreError):
    """A profile that cannot be used, and the previous one if that is intact.

    Attributes:
        previous: the file of the previous profile, where it can be used.
    """

    def __init__(self, message: str, previous: Path | None) -> None:
        super().__init__(
            message, f"the one before it is whole: {previous}" if previous else _CALIBRATE_AGAIN
        )
        self.previous = previous


def previous_of(path: Path) -> Path:
    """Where the previous profile is kept."""
    return path.parent / f"{path.name}.previous"


def profile_exists(path: Path) -> bool:
    """True if there is a profile or a previous one, intact or not."""
    return path.exists() or previous_of(path).exists()


def save(path: Path, calibration: Calibration) -> None:
    """Writes a calibration; the previous one is kept beside it, if it is intact.

    After a power cut at any instant there is a complete file under the name, the old or the new.

    Raises:
        StoreError: the file cannot be written.
    """
    data = encode(calibration)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, data, keep=previous_of(path) if _is_intact(path) else None)
    except OSError as error:
        raise StoreError(f"{path}: cannot be written: {error.strerror or error}") from error


def load(path: Path) -> Calibration:
    """Reads a calibration.

    Raises:
        DamagedError: it is missing, damaged, or newer than this program.
    """
    try:
        return _load_intact(path)
    except StoreError as error:
        earlier = previous_of(path)
        raise DamagedError(str(error), earlier if _is_intact(earlier) else None) from error


def load_profile(path: Path) -> Profile:
    """Reads the part of a calibration that vision needs, of any version.

    Raises:
        ProfileError: it is missing, damaged, or newer than this program.
    """
    try:
        return load(path).profile
    except StoreError as error:
        raise ProfileError(error.found, error.advice) from error


def encode(calibration: Calibration) -> bytes:
    """The bytes of the file."""
    look = calibration.look
    body = json.dumps(
        {
            "profile": profile_data(calibration.profile),
            "layout": None if calibration.layout is None else calibration.layout.tolist(),
            "look": None if look is None else asdict(look),
            "rim_mm": calibration.rim_mm,
            "rim_known": calibration.rim_known,
            "rim_learnt": calibration.rim_learnt,
            "print_scale": calibration.print_scale,
            "print_known": calibration.print_known,
            "doubt_mm": calibration.doubt_mm,
            "lens_source": calibration.lens_source,
            "controls": dict(sorted(calibration.controls.items())),
            "holders": None if calibration.holders is None else calibration.holders.tolist(),
            "holder_learnt": calibration.holder_learnt,
            "check": asdict(calibration.check),
            "size_known": calibration.size_known,
            "sizes_denied": list(calibration.sizes_denied),
            "lens": None if calibration.lens is None else _lens_values(calibration.lens),
            "answers": faces_data(calibration.answers),
            "own_dice": own_dice_data(calibration.own_dice),
            "hung": None if calibration.hung is None else asdict(calibration.hung),
            "since": None if calibration.since is None else asdict(calibration.since),
        },
        allow_nan=False,
        indent=1,
    ).encode()
    checksum = _checksum(FORMAT_VERSION, body)
    head = f"dicetray-profile {FORMAT_VERSION} sha256={checksum} bytes={len(body)}\n"
    return head.encode() + body


def decode(data: bytes) -> Calibration:
    """The calibration in the bytes of a file.

    Raises:
        StoreError: they are not a complete profile of a version that can be read.
    """
    if data.lstrip()[:1] == b"{":
        return _calibration_from_values(_migrate(1, _parse_values(data)))
    head = _FIRST_LINE.match(data)
    if head is None:
        raise StoreError("is not a profile of a tray, or its first line is damaged")
    version, checksum, length = int(head[1]), head[2].decode(), int(head[3])
    body = data[head.end() :]
    # Leading zeros in the numbers would be another spelling of the same line.
    canonical = f"dicetray-profile {version} sha256={checksum} bytes={length}\n".encode()
    if canonical != head[0] or len(body) != length:
        raise StoreError(f"is damaged: expected {length} bytes of values, found {len(body)}")
    if _checksum(version, body) != checksum:
        raise StoreError("is damaged: its checksum is wrong")
    return _calibration_from_values(_migrate(version, _parse_values(body)))


def _checksum(version: int, body: bytes) -> str:
    return hashlib.sha256(f"{version} {len(body)}\n".encode() + body).hexdigest()


def _parse_values(body: bytes) -> dict[str, Any]:
    try:
        values = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise StoreError("is damaged: its values are not JSON") from error
    if not isinstance(values, dict):
        raise StoreError("is damaged: expected named values")
    return values


def _migrate_from_1(values: dict[str, Any]) -> dict[str, Any]:
    """Version 1 was vision's part alone, as plain JSON without a checksum."""
    if values.get("dicetray_profile") != 1:
        raise StoreError("is not a profile of a tray")
    profile = {name: value for name, value in values.items() if name != "dicetray_profile"}
    return {
        "profile": profile,
        "layout": None,
        "look": None,
        "rim_mm": None,
        "doubt_mm": None,
        "lens_source": "",
        "controls": {},
        "holders": None,
        "check": {"dice": 0, "wrong": 0},
    }


def _migrate(version: int, values: dict[str, Any]) -> dict[str, Any]:
    if not 1 <= version <= FORMAT_VERSION:
        raise StoreError(
            f"is a profile of version {version}; this dicetray reads versions 1 to "
            f"{FORMAT_VERSION}: update dicetray"
        )
    return _migrate_from_1(values) if version == 1 else values


def _calibration_from_values(values: Mapping[str, Any]) -> Calibration:
    try:
        look = values["look"]
        return Calibration(
            profile=profile_from_data(values["profile"]),
            layout=_optional_array(values["layout"]),
            look=None
            if look is None
            else Look(
                _four_numbers(look["white"]),
                _four_numbers(look["black"]),
                _four_numbers(look["width_mm"]),
            ),
            rim_mm=_optional_number(values["rim_mm"]),
            # Profiles from before trays were measured without asking do not say.
            rim_known=bool(values.get("rim_known", True)),
            # In those from before it was learnt from dice it was not.
            rim_learnt=bool(values.get("rim_learnt", False)),
            # Those from before prints were measured take them to be as they should be.
            print_scale=_print_scale(values.get("print_scale", 1.0)),
            print_known=bool(values.get("print_known", False)),
            doubt_mm=_optional_number(values["doubt_mm"]),
            lens_source=str(values["lens_source"]),
            controls={str(name): _number(value) for name, value in values["controls"].items()},
            holders=_optional_array(values["holders"]),
            # In profiles from before holders were learnt each was shown.
            holder_learnt=bool(values.get("holder_learnt", False)),
            # Profiles of earlier versions did not count what was not read.
            check=Check(
                *(int(values["check"].get(name, 0)) for name in ("dice", "wrong", "unread"))
            ),
            # Those made before dice were learnt in play do not say.
            size_known=bool(values.get("size_known", False)),
            sizes_denied=tuple(float(edge) for edge in values.get("sizes_denied", ())),
            # Profiles from before lenses were measured have none.
            lens=_optional_lens(values.get("lens")),
            answers=faces_from_data(values.get("answers", ())),
            own_dice=own_dice_from_data(values.get("own_dice", {})),
            # Those from before calibrations were compared have neither.
            hung=_optional_numbers(Hanging, values.get("hung")),
            since=_optional_numbers(Difference, values.get("since")),
        )
    except ProfileError as error:
        raise StoreError(f"is damaged: {error}") from error
    except KeyError as error:
        raise StoreError(f"is damaged: {error} is missing") from error
    except (TypeError, ValueError, AttributeError, OverflowError) as error:
        raise StoreError(f"is damaged: {error}") from error


def _lens_values(measured: MeasuredLens) -> dict[str, Any]:
    lens = measured.lens
    return {
        "size": list(lens.size),
        "matrix": lens.matrix.tolist(),
        "distortion": lens.distortion.tolist(),
        "source": lens.source,
        "doubt": asdict(measured.doubt),
        "sight": None if lens.sight is None else asdict(lens.sight),
    }


def _optional_lens(raw: Any) -> MeasuredLens | None:
    if raw is None:
        return None
    width, height = (int(v) for v in raw["size"])
    matrix, distortion = (np.array(raw[name], np.float64) for name in ("matrix", "distortion"))
    if matrix.shape != (3, 3) or distortion.shape != (4,):
        raise ValueError("expected a lens of 3 x 3 and 4 numbers")
    if not (np.isfinite(matrix).all() and np.isfinite(distortion).all() and matrix[0, 0] > 0):
        raise ValueError("expected a lens of finite numbers")
    doubts = [float(raw["doubt"][name]) for name in ("focal", "centre", "k1", "k2")]
    if not all(math.isfinite(doubt) and doubt > 0 for doubt in doubts):
        raise ValueError(f"expected doubts above zero, found {doubts}")
    sight = parse_sight(raw["sight"])
    lens = Lens((width, height), matrix, distortion, str(raw["source"]), sight=sight)
    return MeasuredLens(lens, LensDoubt(*doubts))


def _optional_array(raw: Any) -> np.ndarray[Any, np.dtype[np.float64]] | None:
    return None if raw is None else np.array(raw, dtype=np.float64)


_Numbers = TypeVar("_Numbers", Hanging, Difference)


def _optional_numbers(of: type[_Numbers], raw: Any) -> _Numbers | None:
    """A value whose fields are all numbers."""
    if raw is None:
        return None
    return of(*(_number(raw[each.name]) for each in fields(of)))


def _optional_number(raw: Any) -> float | None:
    return None if raw is None else _number(raw)


def _number(raw: Any) -> float:
    value = float(raw)
    if not math.isfinite(value):
        raise ValueError(f"expected a finite number, found {raw}")
    return value


def _print_scale(raw: Any) -> float:
    value = _number(raw)
    if not 0.5 <= value <= 1.5:
        raise ValueError(f"expected a print of half to one and a half times its size, found {raw}")
    return value


def _four_numbers(raw: Any) -> tuple[float, float, float, float]:
    a, b, c, d = map(_number, raw)
    return (a, b, c, d)


def _load_intact(path: Path) -> Calibration:
    try:
        data = read_bounded(path, MAX_PROFILE_BYTES)
    except FileNotFoundError:
        raise StoreError(f"{path}: there is no such profile") from None
    except OSError as error:
        if error.errno == errno.EFBIG:
            raise StoreError(f"{path}: too large for a profile; is it the right file?") from error
        raise StoreError(f"{path}: cannot be read: {error.strerror}") from error
    try:
        return decode(data)
    except StoreError as error:
        raise StoreError(f"{path}: {error}") from error


def _is_intact(path: Path) -> bool:
    try:
        _load_intact(path)
    except StoreError:
        return False
    return True
