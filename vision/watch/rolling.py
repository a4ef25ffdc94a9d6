"""Whether dice roll, and which came to rest by themselves: moved where they lie with no hand near.

A die laid down by a hand moves under the hand until it rests; a thrown die keeps rolling after the
hand has let go. The small copies show this, by what moved and what a hand covered in the last steps
before the rest.
"""

from collections import deque

import cv2
import numpy as np

from vision.image.arrays import Mask

MAX_ROLLING_STEPS = 24
"""Steps with movement or a hand that are remembered: more than a die takes to come to rest."""

_MAX_HOLDING_DISTANCE_EDGES = 1.0  # between a hand and a die that it may be holding
_MIN_ARRIVAL_SHARE = 0.2  # share of a die's place that changes as the die arrives
_MIN_ROLLING_SHARE = 0.3  # share of a die's area that changes as the die rolls
_MAX_ROLLING_EXTENT_EDGES = 3.5  # where a die was and where it is, with its shadow
_CLEAR_OF_EDGE_EDGES = 0.5  # from what reaches in over the tray's edge


def any_die_rolls(where: Mask, region: Mask | None, die_px: float) -> bool:
    """True if something as large as a die moved clear of the tray's edge, over which hands come.

    Args:
        where: what moved, on the small copy.
        region: the tray there; None for the whole picture.
        die_px: edge of a die there, pixels.
    """
    if not cv2.hasNonZero(where):
        return False
    reach = max(1, round(_CLEAR_OF_EDGE_EDGES * die_px))
    grown = cv2.dilate(where, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(grown, connectivity=8)
    clear = np.ones(count, np.bool_)
    for line in (labels[0], labels[-1], labels[:, 0], labels[:, -1]):
        clear[line] = False
    if region is not None:
        clear[labels[region == 0]] = False
    clear[0] = False
    extents = stats[:, (cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT)].max(axis=1) - 2 * reach
    clear &= extents <= _MAX_ROLLING_EXTENT_EDGES * die_px
    if not clear.any():
        return False
    areas = np.bincount(labels[where > 0], minlength=count)
    return bool(np.any(areas[clear] >= _MIN_ROLLING_SHARE * die_px * die_px))


class Rolling:
    """Remembers what moved since the last rest that was reported."""

    def __init__(self) -> None:
        self._steps: deque[tuple[Mask, Mask | None]] = deque(maxlen=MAX_ROLLING_STEPS)
        self._hand = False

    def clear(self) -> None:
        """Forgets what moved: it was reported, and what follows is another throw."""
        self._steps.clear()

    def see(self, where: Mask, hand: Mask | None) -> None:
        """Takes a step: where something moved, and what a hand covers, if there is one."""
        if hand is not None:
            self._hand = True
        if hand is not None or cv2.hasNonZero(where):
            self._steps.append((where, hand))

    def alone(self, place: Mask, die_px: float) -> bool:
        """True if what lies at a place rolled there by itself.

        A hand must have been seen since the start: where hands cannot be told from the floor,
        seeing none proves nothing. `die_px` is the edge of a die on the small copy, pixels.
        """
        area = int(np.count_nonzero(place))
        if not self._hand or area == 0:
            return False
        reach = 2 * round(_MAX_HOLDING_DISTANCE_EDGES * die_px) + 1
        around = cv2.dilate(place, np.ones((reach, reach), np.uint8))
        for where, hand in reversed(self._steps):
            if hand is not None and np.any(cv2.bitwise_and(hand, around)):
                return False
            if np.count_nonzero(cv2.bitwise_and(where, place)) >= _MIN_ARRIVAL_SHARE * area:
                return True
        return False
