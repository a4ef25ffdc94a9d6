"""Checks that the camera still stands where it stood, by markers or by the rim.

For example:

    from calibration.drift import DriftWatch

    watch = DriftWatch(calibration)
    for frame in frames:  # of a tray in which nothing moves
        print(watch.feed(frame), watch.trusted)
"""

from calibration.drift.watch import (
    MAX_FOLLOWED_SHIFT_MM,
    DriftEvent,
    DriftWatch,
    Relight,
    Shifted,
    Trouble,
)

__all__ = ["MAX_FOLLOWED_SHIFT_MM", "DriftEvent", "DriftWatch", "Relight", "Shifted", "Trouble"]
