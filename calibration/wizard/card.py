"""Finds a card that was laid on the rim, by the picture from before."""

import cv2
import numpy as np

from calibration.calibration import Calibration
from calibration.errors import RefusedError
from calibration.markers.known_sizes import CARD_MM, print_of_rectangle
from calibration.problems import Problem
from vision.frame import Image
from vision.image.arrays import FloatArray
from vision.image.warping import sampled

_AROUND_MM = 60.0  # the markers
_STEP_MM = 1.0
_MIN_CHANGE = 0.16  # of the light at a place, beyond what all places share
_THIN_MM = 11  # what is thinner is a shadow, or a tray that was touched
_MIN_AREA_MM2 = 1200.0
_MAT_MM = 2.0
"""A rim that is no higher is one with its floor."""

Place = tuple[FloatArray, float]
"""Middle in the plane of the markers, millimetres, and the way of the longer side, radians."""


def something_new(before: Image, image: Image, known: Calibration) -> Place | None:
    """Where something of a card's size or larger lies that did not before; None if nothing does."""
    origin, seen = _plan(image, known)
    _, was = _plan(before, known)
    change = np.log(seen + 12.0) - np.log(was + 12.0)
    # Another light is on all of it.
    change -= np.median(change, axis=(0, 1))
    mask = (np.abs(change).max(axis=2) > _MIN_CHANGE).astype(np.uint8)
    closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8))
    opened = cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((_THIN_MM, _THIN_MM), np.uint8))
    outlines, _ = cv2.findContours(opened, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    largest = max(outlines, key=cv2.contourArea, default=None)
    if largest is None or cv2.contourArea(largest) * _STEP_MM**2 < _MIN_AREA_MM2:
        return None
    middle, (width, height), degrees = cv2.minAreaRect(largest)
    yaw = float(np.radians(degrees)) + (0.0 if width >= height else np.pi / 2)
    return origin + np.array(middle) * _STEP_MM, yaw


def card_on_rim(image: Image, known: Calibration, where: Place) -> float:
    """The size of the print by a card, 1 as it should be.

    Args:
        image: with the card.
        known: the tray.
        where: the card is, about.

    Raises:
        RefusedError: no card is seen there, or it does not lie across the edge of the opening.
    """
    middle, yaw = where
    rim, camera = known.rim_mm or 0.0, known.profile.pinhole
    change = print_of_rectangle(image, camera, rim, middle, yaw, CARD_MM)
    if change is None:
        raise RefusedError(
            Problem.NO_CARD,
            "what lies there is no card of 85.6 x 54 mm; lay it flat on the rim, across a corner",
        )
    along = np.array((np.cos(yaw), np.sin(yaw))) * CARD_MM[0] / change / 2
    down = np.array((-np.sin(yaw), np.cos(yaw))) * CARD_MM[1] / change / 2
    corners = middle + np.array((along + down, along - down, -along - down, down - along))
    tray = known.profile.tray.astype(np.float32)
    inside = [cv2.pointPolygonTest(tray, tuple(map(float, one)), True) > 0 for one in corners]
    # On the floor it looks like a larger print, beside the tray like any.
    if rim > _MAT_MM and (all(inside) or not any(inside)):
        raise RefusedError(
            Problem.CARD_LOW,
            "only on the rim a card tells how large the print is: elsewhere the height of the rim "
            "does as much",
        )
    return known.print_scale * change


def _plan(image: Image, known: Calibration) -> tuple[FloatArray, FloatArray]:
    """The plane of the markers from straight above, and where its first pixel is."""
    layout, rim = known.layout, known.rim_mm or 0.0
    assert layout is not None
    flat = layout[..., :2].reshape(-1, 2)
    first, last = flat.min(axis=0) - _AROUND_MM, flat.max(axis=0) + _AROUND_MM
    x, y = (np.arange(a, b, _STEP_MM) for a, b in zip(first, last, strict=True))
    places = np.stack(np.meshgrid(x, y), -1)
    world = np.column_stack([places.reshape(-1, 2), np.full(places[..., 0].size, -rim)])
    pixels = known.profile.pinhole.to_pixels(world).reshape(places.shape)
    # A pixel of the plan covers several of the picture.
    calm = cv2.blur(image, (3, 3))
    return first, np.asarray(sampled(calm, pixels, replicated=True), np.float64)
