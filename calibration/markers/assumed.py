"""The lens that is taken for a camera's before anything is measured, and how far it may be off."""

from dataclasses import replace

from calibration.markers.lens import (
    UNKNOWN_LENS_DOUBT,
    Lens,
    LensDoubt,
    camera_module_3,
    known_camera,
)
from calibration.markers.webcams import lens_of_view, webcam_of
from vision.geometry.sight import Sight, Size


def assumed_lens(size: Size, sight: Sight | None) -> tuple[Lens, LensDoubt]:
    """The lens that is assumed before anything is measured, and how far it may be off.

    What somebody has given as the angle of view comes first, then what is known of the camera.

    Args:
        size: width and height of the pictures, pixels.
        sight: what they show of which camera's sensor; None where that is not known.
    """
    lens, doubt = _lens_of(size, sight)
    return replace(lens, sight=sight), doubt


def _lens_of(size: Size, sight: Sight | None) -> tuple[Lens, LensDoubt]:
    if sight is not None and sight.degrees is not None:
        return lens_of_view(size, sight.degrees)
    camera, webcam = known_camera(sight), webcam_of(sight)
    if camera is not None and sight is not None:
        return camera.lens(size, sight.part), camera.doubt
    if webcam is not None:
        return webcam.lens(size)
    who = f" of {sight.model}" if sight is not None and sight.model else ""
    source = f"lens{who} not known, taken for a Camera Module 3"
    return replace(camera_module_3(size), source=source), UNKNOWN_LENS_DOUBT


def is_lens_known(sight: Sight | None) -> bool:
    """True if more is known of a camera's lens than that it has one."""
    given = sight is not None and sight.degrees is not None
    return given or known_camera(sight) is not None or webcam_of(sight) is not None
