"""Camera and tray from frames that show the four markers, with what is unknown in the doubt.

The rim's height above the floor cannot be seen from above. Unless the printed board lies in the
tray, or somebody has entered it, it is taken as that of most trays, give or take what trays differ.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

from calibration.build import build_calibration
from calibration.calibration import Calibration
from calibration.errors import RefusedError
from calibration.markers.bundle import RimHeight
from calibration.markers.charuco import CharucoCorners, find_charuco
from calibration.markers.lens import MODULE_3_SIGHT, MeasuredLens
from calibration.markers.rim import find_rim_markers
from vision.frame import Frame, Image
from vision.geometry.sight import Sight

GUESSED_RIM = RimHeight(22.0, 20.0)
"""The guess at a rim before dice have shown it (`scale`): that of the tray in `docs/building.md`.
With this doubt what is stated holds for mats without a rim as for boxes of 60 mm."""
RIM_RANGE_MM = (5.0, 60.0)
"""Heights of the rim that can be entered."""
_RULER_SPREAD_MM = 0.3


def entered_rim(mm: float) -> RimHeight:
    """A rim's height that somebody has measured with a ruler."""
    return RimHeight(mm, _RULER_SPREAD_MM)


def calibration_from_frames(
    frames: Sequence[Frame],
    *,
    sight: Sight | None = MODULE_3_SIGHT,
    rim: RimHeight | None = None,
    lens: MeasuredLens | None = None,
) -> Calibration:
    """Camera and tray as the four markers show them; `doubt_mm` says how sure that is.

    Dice, hands and a printed board may lie in the tray, but nothing on the rim. A board that does
    not fit the markers, because it leans, is not used.

    Args:
        frames: of a tray and a camera at rest, at least one.
        sight: what they show of which camera's sensor; None where that is not known.
        rim: its height as it was entered; by default `GUESSED_RIM`. Where the board lies in the
            tray it measures the height, and this does not count.
        lens: the camera's, where it was measured.

    Raises:
        RefusedError: a marker is not seen, or they do not fit one another.
    """
    height, width = frames[-1].image.shape[:2]
    takes = [find_rim_markers(frame.image) for frame in frames]

    def build(boards: Sequence[CharucoCorners]) -> Calibration:
        height_of_rim = None if boards else rim or GUESSED_RIM
        found = build_calibration(
            *(takes, (width, height)),
            boards=boards,
            rim=height_of_rim,
            sight=sight,
            most_doubt_mm=math.inf,
            measured=lens,
        )
        return replace(found, rim_known=height_of_rim is not GUESSED_RIM)

    boards = find_boards(frames[-1].image)
    if boards:
        try:
            return build(boards)
        except RefusedError:
            pass
    return build(())


def find_boards(image: Image) -> tuple[CharucoCorners, ...]:
    """The printed board, if it is seen."""
    try:
        return (find_charuco(image),)
    except RefusedError:
        return ()
