"""The tray's look at the last report, and what differs from it."""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.frame import Image
from vision.image.arrays import Mask
from vision.reading import DieReading
from vision.watch.hand import Obstacle, find_obstacle
from vision.watch.motion import Small, changed_pixels, unlike_places
from vision.watch.shake import NO_SHAKE, camera_shake, shift_with_camera
from vision.watch.tracker import edge_of

_PATTERN_EDGES = 1.2  # side of the places whose pattern is compared


class Reference:
    """The reference picture of the tray.

    A reference taken without a hand, after one had come and gone, shows none. A thing can have left
    the reference only where this does not hold: in what the first frames showed, outside the tray,
    and where something large stayed so long that it became part of the reference.

    Args:
        picture: small copy of the tray as it is known.
        tray: corners of the tray in the full picture, pixels; None for the whole picture.
    """

    def __init__(self, picture: Small, tray: Sequence[tuple[float, float]] | None = None) -> None:
        self.picture = picture
        self.region: Mask | None = None
        self._compared: _Compared | None = None
        self._healed: Mask | None = None
        self._bare: Small | None = None  # the reference without what it has absorbed since
        self._stayed: Mask | None = None  # where that is
        self._renewed = False
        self._met = False  # whether a hand came since the first reference
        self._sound = False
        if tray is not None:
            self.region = np.zeros(picture.log.shape[:2], np.uint8)
            corners = np.asarray(tray, np.float64) * picture.scale
            cv2.fillPoly(self.region, [np.round(corners).astype(np.int32)], 255)

    def renew(self, small: Small, thing: Mask | None = None) -> None:
        """Makes this moment the reference, including a `thing` other than dice if there is one."""
        if self._stayed is not None and self._healed is not None:
            self._stayed = cv2.subtract(self._stayed, self._healed).astype(np.uint8)
        if thing is not None:
            self._bare = self._bare or self.picture
            self._stayed = _join_masks(self._stayed, _grow_mask(thing))
        elif self._stayed is None or not np.any(self._stayed):
            self._bare = self._stayed = None
        self._sound = self._sound or (self._met and thing is None)
        self._renewed = True
        self.picture, self._compared, self._healed = small, None, None

    def different(self, small: Small, die_px: float) -> bool:
        """True if anything that matters differs: matter, not light or the camera's position.

        `die_px` is the edge of a die on the small copy, pixels.
        """
        if self._healed is not None:
            return True
        compared = self._comparison(small)
        where = self._in_tray(compared.where)
        many = int(np.count_nonzero(where)) > max(3.0, 0.05 * die_px**2)
        return many or bool(np.any(self._in_tray(compared.unlike(die_px))))

    def unchanged(self, small: Small, dice: Sequence[DieReading]) -> list[bool]:
        """For each die, in the tray or beside it, whether the picture there is unchanged."""
        compared = self._comparison(small)
        where = compared.where
        if self._healed is not None:
            # What was taken from a later moment says nothing about what was there before.
            where = cv2.bitwise_or(where, self._healed).astype(np.uint8)
        result = []
        for die in dice:
            around = mark_tops(small, [die], 1.2)
            edge_px = edge_of(die) * small.scale
            limit = max(2.0, 0.04 * edge_px**2)
            few = int(np.count_nonzero(cv2.bitwise_and(where, around))) <= limit
            result.append(few and not _is_marked(compared.unlike(edge_px), small, die))
        return result

    def hand(self, small: Small, die_px: float, *, quiet: bool = True) -> Obstacle | None:
        """Finds what is larger than dice in the tray.

        A hand that the reference shows and that has since left is removed from the reference.

        Args:
            small: this moment.
            die_px: edge of a die on the small copy, pixels.
            quiet: whether nothing moves; the outline of a moving hand is too soft to rely on.
        """
        found = find_obstacle(self.picture, small, die_px, self.region)
        if found is not None and quiet and self._has_left(found, small, die_px):
            place = _grow_mask(found.mask)
            self._bare = self._bare or self.picture
            self.picture = _take_place_from(self.picture, small, place)
            self._compared = None
            self._healed = _join_masks(self._healed, place)
            found = find_obstacle(self.picture, small, die_px, self.region)
        self._met = self._met or (self._renewed and found is not None)
        return found

    def _has_left(self, found: Obstacle, small: Small, die_px: float) -> bool:
        """True if what differs is a thing that the reference shows, not one that is there now."""
        if self._bare is not None and find_obstacle(self._bare, small, die_px, self.region) is None:
            return True
        if not found.ghost or not self._sound:
            return found.ghost
        outside = None if self.region is None else cv2.bitwise_not(self.region)
        doubtful = np.zeros_like(found.mask)
        for thing in (outside, self._stayed, self._healed):
            if thing is not None:
                doubtful = cv2.bitwise_or(doubtful, thing).astype(np.uint8)
        inside = np.count_nonzero(cv2.bitwise_and(found.mask, doubtful))
        return bool(2 * inside > np.count_nonzero(found.mask))

    def _in_tray(self, where: Mask) -> Mask:
        return (
            where if self.region is None else cv2.bitwise_and(where, self.region).astype(np.uint8)
        )

    def _comparison(self, small: Small) -> "_Compared":
        """How this moment differs, also outside the tray; cached for further calls."""
        if self._compared is None or self._compared.after is not small:
            before = self.picture
            where = changed_pixels(before, small)
            if np.any(where):
                camera = camera_shake(before, small)
                if camera is not NO_SHAKE:
                    before = shift_with_camera(before, camera)
                    where = changed_pixels(before, small)
            self._compared = _Compared(before, small, where)
        return self._compared


class _Compared:
    """How one moment differs from the reference as the camera would see it now.

    Args:
        before: the reference, moved with the camera.
        after: this moment.
        where: which pixels have changed.
    """

    def __init__(self, before: Small, after: Small, where: Mask) -> None:
        self.before = before
        self.after = after
        self.where = where
        self._unlike: dict[int, Mask] = {}

    def unlike(self, edge_px: float) -> Mask:
        """Marks the middles of places as large as a die that show another pattern.

        `edge_px` is the edge of a die on the small copy, pixels.
        """
        side = max(3, round(_PATTERN_EDGES * edge_px))
        if side not in self._unlike:
            self._unlike[side] = unlike_places(self.before, self.after, side)
        return self._unlike[side]


def _is_marked(mask: Mask, small: Small, die: DieReading) -> bool:
    """True if the mask of a small copy marks the middle of a die."""
    height, width = mask.shape
    x, y = (int(value * small.scale) for value in die.center)
    return bool(mask[min(max(y, 0), height - 1), min(max(x, 0), width - 1)])


def mark_tops(small: Small, dice: Sequence[DieReading], grow: float) -> Mask:
    """Marks the dice's top faces on a small copy, each grown about its middle."""
    mask = np.zeros(small.log.shape[:2], np.uint8)
    for die in dice:
        outline = np.asarray(die.outline, np.float64).reshape(-1, 2)
        if len(outline) >= 3:
            center = np.asarray(die.center)
            corners = np.round((center + (outline - center) * grow) * small.scale)
            cv2.fillPoly(mask, [corners.astype(np.int32)], 255)
    return mask


def is_covered(small: Small, die: DieReading, mask: Mask) -> bool:
    """True if at least a fifth of a die is under a mask of the small copy."""
    place = mark_tops(small, [die], 1.0)
    under = int(np.count_nonzero(cv2.bitwise_and(place, mask)))
    return under >= 0.2 * max(1, int(np.count_nonzero(place)))


def _grow_mask(mask: Mask) -> Mask:
    return cv2.dilate(mask, np.ones((7, 7), np.uint8)).astype(np.uint8)


def _join_masks(one: Mask | None, other: Mask) -> Mask:
    return other if one is None else cv2.bitwise_or(one, other).astype(np.uint8)


def _take_place_from(picture: Small, now: Small, mask: Mask) -> Small:
    """The reference with one place taken from this moment."""
    there = mask > 0

    def mended(old: Image, new: Image) -> Image:
        return np.where(there if old.ndim == 2 else there[:, :, None], new, old)

    return picture.made_with(mended, now)
