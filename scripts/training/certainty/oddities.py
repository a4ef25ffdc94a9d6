"""Things that occur on tables but in no rendering: printed markers, and dice of another size."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator

from vision.frame import Image
from vision.geometry.profile import Profile
from vision.image.arrays import FloatArray

ASSUMED_SIZE_FACTORS = (0.88, 0.92, 0.96, 1.04, 1.08, 1.13)
"""Edge lengths that the dice are taken to have, as factors of the true one."""
MARKERS = 2
MAX_TRIES_TO_PLACE = 40
MARKER_SIDE_RANGE_EDGES = (0.8, 1.9)
"""Smallest and largest side of a marker, in edges of dice."""
MAX_MARKER_DISTANCE_EDGES = 3.0
"""How far outside the floor markers lie at most, in edges of dice."""
DICTIONARIES = (
    cv2.aruco.DICT_4X4_50,
    cv2.aruco.DICT_5X5_50,
    cv2.aruco.DICT_6X6_50,
    cv2.aruco.DICT_APRILTAG_16h5,
)
PIXELS = 192
FINER = 4
"""Factor by which a pasted marker is oversampled along each side, before it is averaged."""


def other_size(rng: Generator, profile: Profile) -> Profile:
    """The installation calibrated for dice of another size."""
    return replace(
        profile, die_edge_mm=profile.die_edge_mm * float(rng.choice(ASSUMED_SIZE_FACTORS))
    )


def with_markers(
    rng: Generator, image: Image, profile: Profile, dice: Iterable[Mapping[str, Any]]
) -> Image:
    """The picture with printed markers on and beside the tray that cover no die.

    Args:
        rng: chooses markers and places.
        image: (height, width, 3), BGR.
        profile: of the installation.
        dice: the truth about it, as in an index.
    """
    image = image.copy()
    taken = np.array([(die["x"], die["y"]) for die in dice]).reshape(-1, 2)
    edge, height, width = profile.die_edge_mm, *image.shape[:2]
    low, high = profile.tray.min(axis=0), profile.tray.max(axis=0)
    dictionary = cv2.aruco.getPredefinedDictionary(int(rng.choice(DICTIONARIES)))
    left = MARKERS
    for _ in range(MAX_TRIES_TO_PLACE):
        if left == 0:
            break
        middle = rng.uniform(
            low - MAX_MARKER_DISTANCE_EDGES * edge, high + MAX_MARKER_DISTANCE_EDGES * edge
        )
        corners = profile.to_pixels(
            _square(rng, middle, edge * rng.uniform(*MARKER_SIDE_RANGE_EDGES))
        )
        center = corners.mean(axis=0)
        reach = 2.2 * np.hypot(*(corners - center).T).max() + 10
        inside = (corners >= 0).all() and (corners < (width - 1, height - 1)).all()
        if not inside or (np.hypot(*(taken - center).T) < reach).any():
            continue
        marker = np.asarray(
            cv2.aruco.generateImageMarker(dictionary, int(rng.integers(30)), PIXELS), np.uint8
        )
        if rng.random() < 0.5:  # many are printed with a white border
            marker = np.pad(marker, PIXELS // 8, constant_values=255)
        _paste(rng, image, marker, corners)
        taken = np.concatenate([taken, center[None]])
        left -= 1
    return image


def _square(rng: Generator, middle: FloatArray, side: float) -> FloatArray:
    """Corners of a rotated square on the floor, millimetres, (4, 3)."""
    angle = rng.uniform(0, 2 * np.pi)
    turn = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])
    corners = middle + side / 2 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) @ turn.T
    return np.pad(corners, ((0, 0), (0, 1)))


def _paste(rng: Generator, image: Image, marker: Image, corners: FloatArray) -> None:
    """Draws a greyscale marker between four corners of a picture, in random light."""
    left, top = np.floor(corners.min(axis=0)).astype(int)
    right, bottom = np.ceil(corners.max(axis=0)).astype(int) + 1
    part = image[top:bottom, left:right]
    side = float(marker.shape[0])
    ends = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32)
    finer = ((corners - (left, top) + 0.5) * FINER - 0.5).astype(np.float32)
    size = (part.shape[1] * FINER, part.shape[0] * FINER)
    view = cv2.getPerspectiveTransform(ends, finer)

    def seen(what: Image) -> FloatArray:
        large = cv2.warpPerspective(what, view, size)
        small = cv2.resize(large, part.shape[1::-1], interpolation=cv2.INTER_AREA)
        return np.asarray(small, np.float64)[..., None] / 255

    black, white = rng.uniform(10, 45), rng.uniform(120, 245)
    ink = (black + (white - black) * seen(marker)) * rng.uniform(0.9, 1.0, 3)
    blur = float(rng.choice((0.0, 0.6, 1.0)))
    if blur:
        ink = np.asarray(cv2.GaussianBlur(ink, (0, 0), blur), np.float64)
    ink = ink + rng.normal(0, 2, ink.shape)
    share = seen(np.full_like(marker, 255))
    part[:] = np.clip(part * (1 - share) + ink * share, 0, 255).astype(np.uint8)
