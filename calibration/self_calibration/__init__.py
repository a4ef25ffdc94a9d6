"""A calibration that nobody is asked for: from four markers in view of a quiet tray.

For example:

    from calibration.self_calibration import calibration_from_frames

    calibration = calibration_from_frames(frames, sight=frames[-1].sight)
    print(calibration.profile, calibration.off_mm)
"""

from calibration.self_calibration.answers import with_answer
from calibration.self_calibration.dice import CONFIRMING_THROWS, Size, ThrownDice
from calibration.self_calibration.empty import EmptyTray
from calibration.self_calibration.looking import Brighter, SelfCalibration
from calibration.self_calibration.scale import with_rim_learnt
from calibration.self_calibration.solving import (
    GUESSED_RIM,
    at_print,
    calibration_from_frames,
    entered_rim,
    known_print_scale,
)

__all__ = [
    "CONFIRMING_THROWS",
    "GUESSED_RIM",
    "Brighter",
    "EmptyTray",
    "SelfCalibration",
    "Size",
    "ThrownDice",
    "at_print",
    "calibration_from_frames",
    "entered_rim",
    "known_print_scale",
    "with_answer",
    "with_rim_learnt",
]
