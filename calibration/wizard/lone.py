"""Finds the only die in the tray, even if the reader sees none, by what differs from before.

Prints of Power dice vary more than any network has seen. Where exactly one die was asked for and
the empty tray is known, whatever has the size of a die and was not there before is that die.
"""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from calibration.calibration import Calibration
from calibration.readers import CalibratedReader
from vision.errors import NoDie
from vision.frame import Image
from vision.geometry.profile import Profile
from vision.image.warping import warped
from vision.learning import clear_patch
from vision.reading import Kind

Place = tuple[float, float]
_VIEW_PX_PER_MM = 2.0  # in the view of the tray from above
_MIN_DIFFERENCE = 60.0  # sum over the channels, grey levels
_DIE_AREA_RANGE_TOPS = (0.6, 2.2)  # a side face may be seen, too
_MIN_PIECE_AREA_TOPS = 0.25  # smaller pieces are noise or print


def lone_patch(
    value: str, image: Image, calibration: Calibration, darker: Sequence[Image] = ()
) -> tuple[Image, Place]:
    """The face of the one die in the tray as seen from straight above, and where the die lies.

    Args:
        value: of the face, for an error.
        image: the picture.
        calibration: the installation; `profile.empty` is used where it is known.
        darker: darker pictures of the same scene.

    Raises:
        NoDie: there is none, or more than one.
    """
    profile = calibration.profile
    x, y, height = (*_lone_place(value, image, calibration, darker), -profile.die_edge_mm)
    center = profile.to_pixels(np.array([(x, y, height)]))
    patch = clear_patch((image, *darker), center[0], profile.axes(center)[0])
    return patch, (x, y)


def _lone_place(
    value: str, image: Image, calibration: Calibration, darker: Sequence[Image]
) -> Place:
    """Where the one die lies, millimetres; errors as `lone_patch`."""
    profile = replace(calibration.profile, power_faces=())
    reading = CalibratedReader(replace(calibration, profile=profile)).read(image, darker)
    dice = [die for die in reading.dice if not (die.aside or die.held) and die.mm is not None]
    if len(dice) > 1:
        # A die in glare may be seen twice; if only one of them is read as a Power die, it counts.
        power = [die for die in dice if die.kind is Kind.POWER]
        dice = power if len(power) == 1 else dice
    if len(dice) == 1:
        x, y = profile.to_mm(np.array([dice[0].center]), profile.die_edge_mm)[0]
        return float(x), float(y)
    if dice or profile.empty is None:
        raise NoDie(value, len(dice))
    pieces = _pieces_not_in_empty_tray(image, profile)
    middle = _top_middle(pieces[0], profile) if len(pieces) == 1 else None
    if middle is None:
        raise NoDie(value, 0 if len(pieces) == 1 else len(pieces))
    return middle


def _pieces_not_in_empty_tray(image: Image, profile: Profile) -> list[np.ndarray]:
    """Differences from the empty tray, as convex outlines (n, 2) millimetres at the tops."""
    assert profile.empty is not None
    low, high = profile.tray.min(axis=0), profile.tray.max(axis=0)
    width, height = (int(v) for v in np.ceil((high - low) * _VIEW_PX_PER_MM))
    rectangle = np.array(((0, 0), (width, 0), (width, height), (0, height)), np.float64)
    tops = np.column_stack([rectangle / _VIEW_PX_PER_MM + low, np.full(4, -profile.die_edge_mm)])
    # Lens distortion is too small to matter here.
    turn = cv2.getPerspectiveTransform(
        profile.to_pixels(tops).astype(np.float32), rectangle.astype(np.float32)
    )
    now, before = (
        cv2.GaussianBlur(warped(picture, turn, (width, height)), (0, 0), 1.0)
        for picture in (image, profile.empty)
    )
    body = next((c.body for c in profile.colours if c.kind is Kind.POWER), None)
    here, floor = now.astype(np.float64), before.astype(np.float64)
    # A shadow is the floor, darker.
    share = (here * floor).sum(2) / np.maximum((floor * floor).sum(2), 1.0)
    off = np.abs(here - np.clip(share, 0.3, 1.15)[..., None] * floor).sum(2)
    mask = off > _MIN_DIFFERENCE
    if body is not None:
        mask |= np.linalg.norm(here - np.array(body), axis=2) < 0.5 * np.linalg.norm(
            floor - np.array(body), axis=2
        )
    closed = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8))
    outlines, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    found = []
    for outline in outlines:
        hull = cv2.convexHull(outline).reshape(-1, 2).astype(np.float64) / _VIEW_PX_PER_MM + low
        if cv2.contourArea(hull.astype(np.float32)) > _MIN_PIECE_AREA_TOPS * profile.die_edge_mm**2:
            found.append(hull)
    return found


def _top_middle(hull: np.ndarray, profile: Profile) -> Place | None:
    """Middle of the top of what is seen; None if it is not the size of a die."""
    edge = profile.die_edge_mm
    area = float(cv2.contourArea(hull.astype(np.float32))) / edge**2
    if not _DIE_AREA_RANGE_TOPS[0] < area < _DIE_AREA_RANGE_TOPS[1]:
        return None
    moments = cv2.moments(hull.astype(np.float32))
    middle = np.array((moments["m10"], moments["m01"])) / moments["m00"]
    eye = -profile.rotation.T @ profile.translation
    # Its foot appears nearer to the point below the camera; the middle has half of that shift.
    pulled = 1 - edge / (2 * abs(float(eye[2])))
    x, y = (float(v) for v in eye[:2] + (middle - eye[:2]) / pulled)
    return x, y
