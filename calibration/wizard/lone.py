"""Finds the only die in the tray, even if the reader sees none, by what differs from before.

Prints of Power dice vary more than any network has seen. Where exactly one die was asked for and
the empty tray is known, whatever has the size of a die and was not there before is that die.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.errors import NoDie
from vision.frame import Image
from vision.geometry.profile import Profile
from vision.learning import clear_patch, face_patch
from vision.reading import Kind

_VIEW_PX_PER_MM = 2.0  # in the view of the tray from above
_MIN_DIFFERENCE = 60.0  # sum over the channels, grey levels
_DIE_AREA_RANGE_TOPS = (0.6, 2.2)  # a side face may be seen, too
_MIN_PIECE_AREA_TOPS = 0.25  # smaller pieces are noise or print


def lone_patch(value: str, image: Image, profile: Profile, darker: Sequence[Image] = ()) -> Image:
    """The face of the one die in the tray as seen from straight above, as `face_patch`.

    Raises:
        NoDie: there is none, or more than one.
    """
    try:
        return face_patch(value, image, profile, darker)
    except NoDie as error:
        if error.count or profile.empty is None:
            raise
    pieces = _pieces_not_in_empty_tray(image, profile)
    if len(pieces) != 1:
        raise NoDie(value, len(pieces))
    middle = _top_middle(pieces[0], profile)
    if middle is None:
        raise NoDie(value, 0)
    center = profile.to_pixels(np.array([(*middle, -profile.die_edge_mm)]))
    return clear_patch((image, *darker), center[0], profile.axes(center)[0])


def _pieces_not_in_empty_tray(image: Image, profile: Profile) -> list[np.ndarray]:
    """What differs from the empty tray, as convex outlines (n, 2) millimetres at the tops."""
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
        cv2.GaussianBlur(cv2.warpPerspective(picture, turn, (width, height)), (0, 0), 1.0)
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


def _top_middle(hull: np.ndarray, profile: Profile) -> tuple[float, float] | None:
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
