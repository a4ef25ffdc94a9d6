"""Checks of the tray's profile."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from appliance.diagnostics.base import Finding, Level
from calibration.errors import StoreError
from vision.errors import ProfileError

if TYPE_CHECKING:
    from vision.geometry.profile import Profile


def check_profile(path: Path, load: Callable[[Path], "Profile"]) -> Iterator[Finding]:
    """Checks that calibration has been done and that its profile can be used."""
    subject = "profile"
    if not path.exists():
        text = f"{path} is not there yet; dice are read without knowledge of the tray"
        advice = "calibrate: hold OK, CALIBRATE; or `dicetray calibrate`"
        yield Finding(subject, Level.NOTE, text, advice)
        return
    try:
        profile = load(path)
    except (ProfileError, StoreError) as error:
        yield Finding(subject, Level.WRONG, error.found, error.advice or "calibrate again")
        return
    faces = len({face.value for face in profile.power_faces})
    width, height = profile.size
    text = f"{path}, for {width:d}x{height:d} pictures, {faces:d} of 6 Power faces learnt"
    yield Finding(subject, Level.OK, text)
