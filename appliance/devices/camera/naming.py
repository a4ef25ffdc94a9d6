"""Which camera a text names, with its options; opens nothing."""

import re
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from appliance.devices.camera.address import spoken
from appliance.devices.camera.kinds import CameraKind, find_kind
from appliance.devices.camera.spec import Spec
from appliance.errors import CameraError

VIEW_RANGE_DEGREES = (30.0, 130.0)
"""Angles of view that can be given; a lens that sees more is a fisheye."""
LENS_RANGE_MM = (2.0, 50.0)
"""Focal lengths that can be given."""
_CAMERA = re.compile("[0-9]|[a-z][a-z0-9_]{1,31}")


def parse_spec(text: str) -> Spec:
    """Reads a camera's name, such as `dir:frames?fps=15`, `v4l2:0?view=78` or `pi`.

    Raises:
        CameraError: there is no such kind, or an option is unknown or out of range.
    """
    return parse_spec_of(find_kind(text), text)


def parse_spec_of(found: CameraKind, text: str) -> Spec:
    """Reads the name of a camera whose kind was found.

    Raises:
        CameraError: an option is unknown or out of range.
    """
    kind, colon, where = text.partition(":")
    if found.address:
        # What follows a question mark is the stream's own; ours follow a #, which is never sent.
        return _stream_spec(text, kind)
    if "?" in kind:
        kind, where = text.split("?", 1)[0], "?" + text.split("?", 1)[1]
    where, options = _split_options(where, is_file=found.film)
    if found.alone:
        if where:
            raise CameraError(
                f"camera {spoken(text)!r}: expected just {kind}, found {where!r} after it"
            )
    elif not colon or not where:
        raise CameraError(
            f"camera {spoken(text)!r}: expected {kind}: and what to open, found nothing"
        )
    unknown = set(options) - found.options
    if unknown:
        raise CameraError(
            f"camera {spoken(text)!r}: expected the options {', '.join(sorted(found.options))}, "
            f"found {', '.join(sorted(unknown))}"
        )
    fps = _number_option(text, options, "fps", 0.1, 240.0)
    hold = _number_option(text, options, "hold", 1, 100_000)
    return Spec(
        kind,
        where,
        fps=fps,
        hold=None if hold is None else int(hold),
        size=_size_option(text, options),
        view=_number_option(text, options, "view", *VIEW_RANGE_DEGREES),
        lens_mm=_number_option(text, options, "lens", *LENS_RANGE_MM, unit="mm"),
        camera=_camera_option(text, options),
    )


def _camera_option(text: str, options: dict[str, str]) -> str:
    found = options.get("camera", "")
    if "camera" in options and not _CAMERA.fullmatch(found):
        raise CameraError(
            f"camera {spoken(text)!r}: expected camera as 0, 1 or a sensor's name such as imx708, "
            f"found {found!r}"
        )
    return found


def _stream_spec(text: str, kind: str) -> Spec:
    try:
        host = urlsplit(text).hostname
    except ValueError:
        host = None
    if not host:
        raise CameraError(
            f"camera {spoken(text)!r}: expected an address as in {kind}://HOST:PORT/video"
        )
    address, _, options = text.partition("#")
    if not options:
        return Spec(kind, text)
    view = _number_option(text, dict(parse_qsl(options)), "view", *VIEW_RANGE_DEGREES)
    # Other words after the sign stay in the address.
    return Spec(kind, text if view is None else address, view=view)


def _split_options(where: str, *, is_file: bool) -> tuple[str, dict[str, str]]:
    """Splits `PATH?a=b` unless that is the name of an existing file."""
    path, mark, query = where.rpartition("?")
    if not mark or (is_file and Path(where).exists()):
        return where, {}
    return path, dict(parse_qsl(query, keep_blank_values=True))


def _number_option(
    text: str, options: dict[str, str], name: str, least: float, most: float, unit: str = ""
) -> float | None:
    if name not in options:
        return None
    try:
        value = float(options[name].lower().removesuffix(unit))
    except ValueError:
        value = float("nan")
    if not least <= value <= most:
        raise CameraError(
            f"camera {spoken(text)!r}: expected {name} from {least:g} to {most:g}{unit}, "
            f"found {options[name]!r}"
        )
    return value


def _size_option(text: str, options: dict[str, str]) -> tuple[int, int] | None:
    if "size" not in options:
        return None
    parts = options["size"].lower().split("x")
    if len(parts) == 2 and all(part.isdecimal() for part in parts):
        width, height = (int(part) for part in parts)
        if width % 2 or height % 2:
            # Colour is stored only for every other pixel.
            raise CameraError(
                f"camera {spoken(text)!r}: expected even numbers as in 1280x720, "
                f"found {options['size']!r}"
            )
        if 160 <= width <= 8000 and 120 <= height <= 8000:
            return width, height
    raise CameraError(
        f"camera {spoken(text)!r}: expected size as in 1280x720, from 160x120 to 8000x8000, "
        f"found {options['size']!r}"
    )
