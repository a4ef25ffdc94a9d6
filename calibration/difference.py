"""How a fresh calibration differs from the one before, in words.

Both are looked at through the lens of the one before: a lens that is not known makes heights
uncertain by a third, but hardly what has changed between two pictures.
"""

from dataclasses import replace

import numpy as np

from calibration.calibration import Calibration, Difference, Hanging
from calibration.markers.pose import lens_of, pose_from
from vision.geometry.profile import Profile
from vision.image.arrays import FloatArray

MIN_HEIGHT_MM = 6.0
"""Smaller changes are not told. In 100 set-ups that were measured twice, unchanged, heights were
3.2 mm apart at most, leans 0.6 degrees, what markers span 1.3 mm, and places 8 mm."""
MIN_LEAN_DEG = 2.0
MIN_SPAN_MM = 4.0
MIN_ASIDE_MM = 12.0


def measured_after(before: Calibration | None, now: Calibration) -> Calibration:
    """The tray measured again: what was learnt of it before, and what is different.

    Args:
        before: the calibration before; None where there was none.
        now: as it is measured.
    """
    if before is None:
        return now
    return replace(before.measured_anew(now), since=_difference(before, now))


def hanging_of(calibration: Calibration) -> Hanging:
    """How the camera hung when the tray was measured, whatever was followed since."""
    profile, layout = calibration.profile, _marks(calibration)
    if calibration.hung is not None:
        return calibration.hung
    return _hanging(layout, profile.rotation, profile.translation)


def lines_of(since: Difference) -> tuple[tuple[str, str], ...]:
    """Pages of two lines on what is different, the plainest first; none where nothing is."""
    found: list[tuple[str, str]] = []
    if abs(since.height_mm) >= MIN_HEIGHT_MM:
        way = "HIGHER" if since.height_mm > 0 else "LOWER"
        found.append(("CAMERA SITS", f"{abs(since.height_mm):.0f} MM {way}"))
    if abs(since.lean_deg) >= MIN_LEAN_DEG:
        way = "MORE" if since.lean_deg > 0 else "LESS"
        found.append(("CAMERA LEANS", f"{abs(since.lean_deg):.0f} DEG {way}"))
    for mm, more, less in (
        (since.width_mm, "WIDER", "NARROWER"),
        (since.depth_mm, "DEEPER", "SHALLOWER"),
    ):
        if abs(mm) >= MIN_SPAN_MM:
            found.append(("TRAY IS", f"{abs(mm):.0f} MM {more if mm > 0 else less}"))
    if since.aside_mm >= MIN_ASIDE_MM:
        found.append(("TRAY LIES", f"{since.aside_mm:.0f} MM ASIDE"))
    return tuple(found)


def _difference(before: Calibration, now: Calibration) -> Difference | None:
    """None where the two have nothing in common to be compared by."""
    old, new = before.profile, now.profile
    same_marks = (before.layout is None) == (now.layout is None)
    if old.size != new.size or not same_marks or not _same_sight(old, new):
        return None
    marks = _marks(now)
    rotation, translation, _ = pose_from(lens_of(old), marks, new.to_pixels(marks))
    was, hangs = hanging_of(before), _hanging(marks, rotation, translation)
    return Difference(
        hangs.height_mm - was.height_mm,
        hangs.lean_deg - was.lean_deg,
        hangs.width_mm - was.width_mm,
        hangs.depth_mm - was.depth_mm,
        float(np.hypot(hangs.x_mm - was.x_mm, hangs.y_mm - was.y_mm)),
    )


def _same_sight(old: Profile, new: Profile) -> bool:
    return old.sight is None or new.sight is None or old.sight.matches(new.sight, new.size)


def _marks(calibration: Calibration) -> FloatArray:
    """Places at one height, (n, 3) millimetres: corners of the markers, or those of the floor."""
    if calibration.layout is not None:
        return calibration.layout.reshape(-1, 3)
    tray = calibration.profile.tray
    return np.column_stack([tray, np.zeros(len(tray))])


def _hanging(marks: FloatArray, rotation: FloatArray, translation: FloatArray) -> Hanging:
    """The camera above the plane of the marks, seen from their middle."""
    eye = -rotation.T @ translation
    middle = marks.mean(axis=0)
    width, depth = np.ptp(marks[:, :2], axis=0).tolist()
    x, y, z = (eye - middle).tolist()
    lean = float(np.degrees(np.arccos(np.clip(rotation[2, 2], -1, 1))))
    return Hanging(-z, lean, x, y, width, depth)
