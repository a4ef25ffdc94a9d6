"""Camera and tray from frames that show the four markers, with what is unknown in the doubt.

The rim's height above the floor cannot be seen from above. Unless the printed board lies in the
tray, or somebody has entered it, it is taken as that of most trays, give or take what trays differ.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.build import build_calibration
from calibration.calibration import Calibration
from calibration.errors import RefusedError
from calibration.markers.bundle import RimHeight
from calibration.markers.charuco import CharucoCorners, find_charuco
from calibration.markers.known_sizes import print_of_paper
from calibration.markers.lens import MODULE_3_SIGHT, MeasuredLens
from calibration.markers.printed import SHEET_SPANS_MM
from calibration.markers.rim import find_rim_markers
from calibration.problems import Problem
from calibration.self_calibration.scale import at_scale, doubt_with_rim
from vision.frame import Frame, Image
from vision.geometry.sight import Sight

GUESSED_RIM = RimHeight(22.0, 20.0)
"""The guess at a rim before dice have shown it (`scale`): that of the tray in `docs/building.md`.
With this doubt what is stated holds for mats without a rim as for boxes of 60 mm."""
_RULER_SPREAD_MM = 0.3
WRONG_PRINT = 0.03
"""A print that is off by so much is named."""
PROBLEMS_OF_PRINT = (Problem.UNCUT, Problem.PRINT_SMALL, Problem.PRINT_LARGE)
_SAME_SPAN = 0.02  # in logarithms, to which plates are as far apart as on the sheet


def entered_rim(mm: float) -> RimHeight:
    """A rim's height that somebody has measured with a ruler."""
    return RimHeight(mm, _RULER_SPREAD_MM)


def calibration_from_frames(
    frames: Sequence[Frame],
    *,
    sight: Sight | None = MODULE_3_SIGHT,
    rim: RimHeight | None = None,
    lens: MeasuredLens | None = None,
    print_scale: float | None = None,
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
        print_scale: size of the print, 1 as it should be, where it was measured.

    Raises:
        RefusedError: a marker is not seen, they do not fit one another, or are not cut out yet.
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
        _check_cut_out(frames[-1].image, found)
        found = replace(found, rim_known=height_of_rim is not GUESSED_RIM)
        return found if print_scale is None else at_print(found, print_scale)

    boards = find_boards(frames[-1].image)
    if boards:
        try:
            return build(boards)
        except RefusedError as error:
            if error.problem in PROBLEMS_OF_PRINT:
                raise
    return build(())


def _check_cut_out(image: Image, found: Calibration) -> None:
    """Checks that the markers are not still on the sheet, whose edges tell whether it is right."""
    profile, layout = found.profile, found.layout
    if layout is None or found.rim_mm is None:
        return
    plates = layout[..., :2].mean(axis=1)
    across = (plates[1] - plates[0] + plates[2] - plates[3]) / 2
    down = (plates[3] - plates[0] + plates[2] - plates[1]) / 2
    spans = np.linalg.norm((across, down), axis=1)
    if np.abs(np.log(spans / SHEET_SPANS_MM)).max() > _SAME_SPAN:
        return
    scale = print_of_paper(image, profile.pinhole, found.rim_mm)
    if scale is None or abs(scale - 1) < WRONG_PRINT:
        raise RefusedError(
            Problem.UNCUT,
            "the four markers are still on one sheet"
            + ("" if scale is None else ", printed as it should be"),
        )
    raise RefusedError(
        Problem.PRINT_SMALL if scale < 1 else Problem.PRINT_LARGE,
        f"by the edges of the paper it was printed at {scale:.0%}; print it at 100 %",
    )


def at_print(found: Calibration, print_scale: float) -> Calibration:
    """The tray by a print whose size was measured, 1 as it should be."""
    edge = found.profile.die_edge_mm
    if found.rim_known:
        # A ruler may have measured the rim, which does not shrink.
        return replace(at_scale(found, found.rim_mm or 0.0, print_scale, edge), print_known=True)
    guessed = at_scale(found, GUESSED_RIM.mm, print_scale, edge)
    doubt = doubt_with_rim(guessed, GUESSED_RIM.doubt)
    return replace(guessed, print_known=True, rim_learnt=False, doubt_mm=doubt or found.doubt_mm)


def known_print_scale(known: Calibration | None) -> float | None:
    """The size of the print, where it was measured."""
    return known.print_scale if known is not None and known.print_known else None


def find_boards(image: Image) -> tuple[CharucoCorners, ...]:
    """The printed board, if it is seen."""
    try:
        return (find_charuco(image),)
    except RefusedError:
        return ()
