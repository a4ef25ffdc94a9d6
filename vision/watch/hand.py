"""Finds things in the tray that are larger than dice: a hand, an arm, a cup.

A hand at rest changes no pixel, so it is found by what it covers: the small copy is compared with
a reference, the tray as last seen without a hand. Pixels that are only darker or lighter are taken
for shadow or light, by the brightness and colour distortion of Horprasert, Harwood and Davis
(1999), "A statistical approach for real-time robust background subtraction and shadow detection".
What remains is not a die if a disc more than two and a half dice across fits into it, or if it
reaches in from the border of the picture.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.image.arrays import Mask
from vision.image.numeric import median
from vision.watch.motion import Small

_MAX_COLOUR_DISTORTION = 26.0  # of a shadow or a lamp, grey levels
_MIN_SHADOW_LIGHT = 0.30  # share of the light that the deepest shadow leaves
_MAX_LAMP_GAIN = 2.2
_MIN_HAND_THICKNESS_EDGES = 2.6
_MIN_REACHING_AREA_DICE = 1.6  # for what reaches in from the border
_MIN_GHOST_SHARPNESS = 1.5  # of the outline in the reference over that of now


@dataclass(frozen=True, slots=True, eq=False)
class Obstacle:
    """Something that is not dice.

    Attributes:
        mask: where it is, on the small copy.
        share: of the small copy that it covers (0 to 1).
        ghost: True where the thing is in the reference and has since gone.
    """

    mask: Mask
    share: float
    ghost: bool


def find_obstacle(
    reference: Small, now: Small, die_px: float, region: Mask | None = None
) -> Obstacle | None:
    """Finds what is larger than dice and was not in the reference.

    Args:
        reference: the tray without a hand.
        now: the tray at this moment, same size.
        die_px: edge of a die on the small copy, pixels.
        region: the tray; a thing that does not touch it is ignored.
    """
    height, width = now.color.shape[:2]
    half = (max(1, width // 2), max(1, height // 2))
    matter = _mark_matter(
        cv2.resize(reference.color, half, interpolation=cv2.INTER_AREA).astype(np.float32),
        cv2.resize(now.color, half, interpolation=cv2.INTER_AREA).astype(np.float32),
    )
    # Thin lines are edges of a shaken picture; once they are removed, gaps in a hand are closed.
    matter = cv2.morphologyEx(matter, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    matter = cv2.morphologyEx(matter, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    if not cv2.hasNonZero(matter):
        return None
    die = die_px / 2
    across = max(3, round(_MIN_HAND_THICKNESS_EDGES * die))
    # Beyond the border counts as empty: half a hand at the border is only as thick as it looks.
    framed = cv2.copyMakeBorder(matter, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    deep = cv2.distanceTransform(framed, cv2.DIST_L2, 3)[1:-1, 1:-1]
    thick = deep > across / 2
    border = (matter[0], matter[-1], matter[:, 0], matter[:, -1])
    if not thick.any() and not any(line.any() for line in border):
        return None
    count, labels, stats, _ = cv2.connectedComponentsWithStats(matter, connectivity=8)
    region_half = None if region is None else cv2.resize(region, half)
    large = np.zeros(count, np.bool_)
    large[np.unique(labels[thick])] = True
    for label in range(1, count):
        x, y, w, h, area = (int(v) for v in stats[label])
        at_border = x == 0 or y == 0 or x + w == half[0] or y + h == half[1]
        if at_border and area > _MIN_REACHING_AREA_DICE * die * die:
            large[label] = True
        if large[label] and region_half is not None:
            large[label] = bool(np.any(region_half[labels == label]))
    large[0] = False
    if not large.any():
        return None
    found = np.where(large[labels], np.uint8(255), np.uint8(0))
    mask = cv2.resize(found, (width, height), interpolation=cv2.INTER_NEAREST).astype(np.uint8)
    share = float(np.count_nonzero(mask)) / mask.size
    return Obstacle(mask, share, _is_ghost(reference, now, found))


def _mark_matter(reference: cv2.typing.MatLike, now: cv2.typing.MatLike) -> cv2.typing.MatLike:
    """Marks pixels whose change neither a shadow nor a lamp explains."""
    sample = (slice(None, None, 4), slice(None, None, 4))
    ratio = (now[sample] + 8.0) / (reference[sample] + 8.0)
    gain = median(ratio.reshape(-1, 3).T)
    # In the present light the reference would be `gain` times as bright.
    rr, nr, nn = (
        cv2.transform(cv2.multiply(a, b), weights[None])
        for a, b, weights in (
            (reference, reference, gain * gain),
            (now, reference, gain),
            (now, now, np.ones_like(gain)),
        )
    )
    power = rr + 64.0
    light = (nr + 64.0) / power
    # The squared distance from now to the line through black and the reference.
    distance = nn - light * (2.0 * nr - light * rr)
    matter = (light > _MAX_LAMP_GAIN) | (distance > _MAX_COLOUR_DISTORTION**2)
    # How much darker a black floor became says nothing.
    matter |= (light < _MIN_SHADOW_LIGHT) & (power > 3 * 32.0**2)
    return matter.astype(np.uint8) * np.uint8(255)


def _is_ghost(reference: Small, now: Small, found: Mask) -> bool:
    """True if the outline of a thing, at half the size, is an edge of the reference, not of now."""
    kernel = np.ones((3, 3), np.uint8)
    ring = cv2.subtract(
        cv2.dilate(found, kernel),
        cv2.erode(found, kernel, borderType=cv2.BORDER_CONSTANT, borderValue=255),
    )
    height, width = found.shape[:2]
    then, today = (
        sum(cv2.mean(np.ascontiguousarray(small.edges[::2, ::2][:height, :width]), ring)[:3])
        for small in (reference, now)
    )
    return then > _MIN_GHOST_SHARPNESS * today
