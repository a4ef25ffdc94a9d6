"""The kinds of cameras as one table: what each is called, takes, and is opened by.

A package of somebody else brings a kind of its own by an entry point:

    [project.entry-points."dicetray.cameras"]
    my-camera = "my_package.camera:KIND"

`KIND` is a `CameraKind`, and `my-camera:WHERE?fps=0.5` opens it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from appliance.alerts import Alert
from appliance.devices.camera.address import spoken
from appliance.devices.camera.spec import Spec
from appliance.errors import CameraError
from games.plugins import load_once

if TYPE_CHECKING:
    from appliance.devices.camera.base import Camera
    from appliance.devices.camera.connectors import Connectors
    from appliance.devices.camera.phone import PhoneLink

CAMERAS_GROUP = "dicetray.cameras"
"""The group of entry points that name kinds of cameras."""
USUAL_SILENCE_S = 1.2
"""Seconds without a frame after which a live camera counts as gone, or as hanging."""
_SILENT_FRAMES = 3
"""So many frames of a slow camera may be missed before it counts as silent."""
_USUAL_FPS = 30.0
_FILE_OPTIONS = frozenset({"fps", "hold", "view"})
_PI_OPTIONS = frozenset({"camera", "fps", "lens", "size"})
_USB_OPTIONS = frozenset({"fps", "size", "view"})


@dataclass(frozen=True, slots=True)
class Opening:
    """All that is known when a camera is opened.

    Attributes:
        locked: the values that calibration found, by control name; a camera ignores unknown names.
        serve_phone: serves the page that takes a phone's pictures; None where no page can be.
        connectors: which of a Pi's own cameras was chosen at the board; None where nobody can.
    """

    locked: Mapping[str, float] | None = None
    serve_phone: "Callable[[], PhoneLink] | None" = None
    connectors: "Connectors | None" = None


@dataclass(frozen=True, slots=True)
class CameraKind:
    """A kind of camera.

    Attributes:
        name: the word before the colon.
        form: how it is named, as help and errors show it.
        open: opens one; raises CameraError.
        options: what may follow a question mark.
        alone: whether nothing follows the name.
        address: whether the whole text is an address, whose question marks are its own.
        film: whether it ends by itself, and waits until each frame has been looked at.
        silence_s: seconds without a frame after which it counts as gone.
        gone: what the board says when it has failed.
        hangs: what it says when it is there, but gives nothing.
    """

    name: str
    form: str
    open: "Callable[[Spec, Opening], Camera]"
    options: frozenset[str] = field(default_factory=frozenset)
    alone: bool = False
    address: bool = False
    film: bool = False
    silence_s: float = USUAL_SILENCE_S
    gone: Alert = Alert.CAMERA_GONE
    hangs: Alert = Alert.CAMERA_HANGS


def kinds() -> Mapping[str, CameraKind]:
    """All kinds, those of packages last."""
    load_once(CAMERAS_GROUP, add_kind)
    return dict(_KINDS)


def find_kind(text: str) -> CameraKind:
    """The kind of camera that a text names.

    Raises:
        CameraError: there is no such kind; names those there are.
    """
    name = text.partition(":")[0].partition("?")[0]
    # Packages are only looked for where ours do not serve: that takes a moment on a Pi.
    kind = _KINDS.get(name) or kinds().get(name)
    if kind is None:
        said = spoken(text)
        # A user without a scheme reads like a kind.
        found = "an address without one of these" if said == "..." else f"the kind {name!r}"
        *forms, last = dict.fromkeys(kind.form for kind in _KINDS.values())
        raise CameraError(f"camera {said!r}: expected {', '.join(forms)} or {last}, found {found}")
    return kind


def is_film(text: str) -> bool:
    """True if a text names a film or pictures; they set the time, and they end."""
    try:
        return find_kind(text).film
    except CameraError:
        return False


def add_kind(kind: CameraKind) -> None:
    """Adds a kind that another package brings.

    Raises:
        CameraError: it is no `CameraKind`, or its name is taken.
    """
    if not isinstance(kind, CameraKind):
        raise CameraError(f"expected a CameraKind, found {kind!r}")
    if _KINDS.setdefault(kind.name, kind) is not kind:
        raise CameraError(f"expected a name that no other kind has, found {kind.name!r}")


def max_silence_s(spec: Spec) -> float:
    """Seconds for which this camera may give no frame, by its kind and how often it gives one."""
    usual = find_kind(spec.kind).silence_s
    return usual if spec.fps is None else max(usual, _SILENT_FRAMES / spec.fps)


# Imported when one is opened: the service must not wait for what it does not use.


def _open_pi(spec: Spec, opening: Opening) -> "Camera":
    from appliance.devices.camera.pi import PiCamera

    return PiCamera(
        spec.size,
        spec.fps or _USUAL_FPS,
        opening.locked,
        lens_mm=spec.lens_mm,
        camera=spec.camera,
        connectors=opening.connectors,
    )


def _open_usb(spec: Spec, opening: Opening) -> "Camera":
    from appliance.devices.camera.mains import mains_hz
    from appliance.devices.camera.usb import V4L2Camera

    return V4L2Camera(
        spec.where,
        spec.size or (1280, 720),
        spec.fps or _USUAL_FPS,
        locked=opening.locked,
        mains=mains_hz(),
        view=spec.view,
    )


def _open_stream(spec: Spec, opening: Opening) -> "Camera":
    from appliance.devices.camera.network import NetworkCamera

    return NetworkCamera(spec.where, view=spec.view)


def _open_phone(spec: Spec, opening: Opening) -> "Camera":
    from appliance.devices.camera.phone import PhoneCamera

    if opening.serve_phone is None:
        raise CameraError("camera phone: expected a command that serves a page for it")
    return PhoneCamera(opening.serve_phone())


def _open_folder(spec: Spec, opening: Opening) -> "Camera":
    from appliance.devices.camera.files import PictureFolder

    path, fps = Path(spec.where).expanduser(), spec.fps or _USUAL_FPS
    return PictureFolder(path, fps=fps, hold=spec.hold or 1, view=spec.view)


def _open_file(spec: Spec, opening: Opening) -> "Camera":
    from appliance.devices.camera.files import PICTURES, PictureFile, VideoFile

    path, fps = Path(spec.where).expanduser(), spec.fps or _USUAL_FPS
    if path.suffix.lower() in PICTURES:
        return PictureFile(path, hold=spec.hold or 60, fps=fps, view=spec.view)
    return VideoFile(path, spec.view)


def _table(*found: CameraKind) -> dict[str, CameraKind]:
    return {kind.name: kind for kind in found}


def _streams(names: Iterable[str], form: str) -> tuple[CameraKind, ...]:
    gone = Alert.STREAM_GONE
    return tuple(
        CameraKind(name, form, _open_stream, address=True, gone=gone, hangs=gone) for name in names
    )


PHONE = "phone"
"""The kind that is a phone's browser."""
_KINDS = _table(
    CameraKind("file", "file:PATH", _open_file, _FILE_OPTIONS, film=True),
    CameraKind("dir", "dir:PATH", _open_folder, _FILE_OPTIONS, film=True),
    CameraKind("usb", "usb:N", _open_usb, _USB_OPTIONS),
    CameraKind("v4l2", "v4l2:/dev/videoN", _open_usb, _USB_OPTIONS),
    *_streams(("http", "https"), "http://..."),
    *_streams(("rtsp", "rtsps"), "rtsp://..."),
    CameraKind(
        *(PHONE, "phone", _open_phone), alone=True, gone=Alert.PHONE_GONE, hangs=Alert.PHONE_GONE
    ),
    CameraKind("pi", "pi", _open_pi, _PI_OPTIONS, alone=True, gone=Alert.RIBBON_LOOSE),
)
OWN_KINDS = frozenset(_KINDS)
"""The names of the kinds that no other package brings."""
