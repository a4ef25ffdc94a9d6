"""Opens a camera by name: a word, a colon and what that kind of camera needs."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from appliance.devices.camera.base import Camera
from appliance.devices.camera.connectors import Connectors
from appliance.devices.camera.kinds import Opening, find_kind
from appliance.devices.camera.naming import parse_spec_of

if TYPE_CHECKING:
    from appliance.devices.camera.phone import PhoneLink


def open_camera(
    spec: str,
    locked: Mapping[str, float] | None = None,
    serve_phone: "Callable[[], PhoneLink] | None" = None,
    connectors: Connectors | None = None,
) -> Camera:
    """Opens the camera that a text such as `file:throw.mp4` or `v4l2:0` names.

    It is locked to the values that calibration found, by control name; unknown names are ignored.
    For a phone, `serve_phone` serves the page that takes its pictures. `connectors` has which of a
    Pi's own cameras was chosen at the board.

    Raises:
        CameraError: the text names no camera, or the camera cannot be opened.
    """
    kind = find_kind(spec)
    return kind.open(parse_spec_of(kind, spec), Opening(locked, serve_phone, connectors))
