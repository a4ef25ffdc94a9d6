"""Measures carefully what was asked for, and adds it to the draft."""

import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from calibration.build import build_calibration
from calibration.calibration import Calibration
from calibration.errors import RefusedError
from calibration.markers.aruco import find_rim_markers
from calibration.markers.bundle import RimHeight
from calibration.markers.charuco import CharucoCorners, find_charuco
from calibration.markers.lens import MODULE_3_SIGHT, assumed_lens
from calibration.problems import Problem, Verdict
from calibration.quality.die_size import die_edge
from calibration.readers import CalibratedReader
from calibration.rim.corners import calibrate_by_corners, doubt_of_corners
from calibration.rim.rim import FLOOR_BY_RIM_DOUBT_MM, find_floor
from calibration.wizard.lone import lone_patch
from calibration.wizard.seeing import dice_beside_tray, verdict_of_refusal
from calibration.wizard.stages import WizardStage, WizardStep
from calibration.wizard.state import Refused, Took, Wizard
from calibration.wizard.turning import why_not_turned
from vision.errors import FaceRefused, TooManySpots, VisionError
from vision.frame import Frame, Image
from vision.geometry.profile import PowerFace, Profile
from vision.geometry.sight import Sight
from vision.image.arrays import FloatArray
from vision.learning import colours_from_set
from vision.power_die.faces import LearnedFaces, learn

RULER_SPREAD_MM = 0.3
"""Of the height of the rim as entered: a ruler, half millimetres."""
GUESSED_RIM_SPREAD_MM = 6.0
"""The same where nobody has entered it: trays differ by so much from a usual one."""
MIN_SAME_FACE_LIKENESS = 0.55
"""Two pictures of one face are at least this alike, turned or not."""
_HOLDER_MARGIN_MM = 6.0  # around the dice in the holder


def take_stage(
    wizard: Wizard, frames: Sequence[Frame], darker: Sequence[Image] = ()
) -> Took | Refused:
    """Measures what the present stage asks for.

    Args:
        wizard: says what is asked for and what is known so far.
        frames: the last ones, at least one, with nothing moving in them.
        darker: darker pictures of the same scene, as `see` takes them.
    """
    stage = wizard.stage
    try:
        return Took(stage, _measured_draft(wizard, frames, darker))
    except RefusedError as error:
        return Refused(stage, Verdict(0.3, error.problem, error.detail))
    except FaceRefused as refusal:
        return Refused(stage, verdict_of_refusal(refusal))
    except TooManySpots as error:
        return Refused(stage, Verdict(0.0, Problem.TOO_MANY_SPOTS, str(error)))
    except VisionError as error:
        return Refused(stage, Verdict(0.0, Problem.BAD_FIT, str(error)))


def _measured_draft(
    wizard: Wizard, frames: Sequence[Frame], darker: Sequence[Image]
) -> Calibration:
    stage, draft = wizard.stage, wizard.draft
    rim = RimHeight(wizard.rim_mm, RULER_SPREAD_MM if wizard.rim_set else GUESSED_RIM_SPREAD_MM)
    if stage.step is WizardStep.TRAY:
        if wizard.by_rim:
            return calibrate_by_rim(frames[-1].image, wizard.floor, wizard.sight)
        if wizard.given:
            return wizard.given
        # How exact places are depends on the next step.
        return calibrate_by_markers(frames, rim, sight=wizard.sight, most_doubt_mm=math.inf)
    if draft is None:
        raise RefusedError(Problem.BAD_FIT, "expected a tray that was found; begin again")
    image = frames[-1].image
    profile = draft.profile
    match stage.step:
        case WizardStep.RIM if draft.layout is not None:
            boards = _find_boards(image)
            # A rim that was not measured is not claimed to be: places are as unsure as they are
            # said to be.
            most = None if boards or wizard.rim_set else math.inf
            return calibrate_by_markers(frames, rim, boards, sight=wizard.sight, most_doubt_mm=most)
        case WizardStep.EMPTY:
            empty = median_picture([frame.image for frame in frames])
            return replace(draft, profile=replace(profile, empty=empty))
        case WizardStep.DICE:
            reading = CalibratedReader(draft).read(image, darker).unless_crowded()
            edge = die_edge(image, profile, reading.dice)
            sized = profile if edge is None else replace(profile, die_edge_mm=edge)
            # Shining dice show no colour, but they were counted before OK was possible.
            colours = tuple(
                replace(colour, count=wizard.dice.counts.get(colour.kind, colour.count))
                for colour in colours_from_set(image, sized, darker)
            )
            return replace(draft, profile=replace(sized, colours=colours))
        case WizardStep.POWER:
            patch = lone_patch(stage.face, image, profile, darker)
            faces = _with_learnt_face(stage, patch, profile)
            return replace(draft, profile=replace(profile, power_faces=faces))
        case WizardStep.HOLDER:
            return replace(draft, holders=_holder_zone(image, draft))
        case _:
            return draft


def calibrate_by_markers(
    frames: Sequence[Frame],
    rim: RimHeight,
    boards: Sequence[CharucoCorners] = (),
    *,
    sight: Sight | None = MODULE_3_SIGHT,
    most_doubt_mm: float | None = None,
) -> Calibration:
    """Camera and tray from the four markers, averaged over the frames.

    Raises:
        RefusedError: they are not all seen, or do not fit.
    """
    height, width = frames[-1].image.shape[:2]
    takes = [find_rim_markers(frame.image) for frame in frames]
    # Where a board measures the height, the value entered need not be right.
    rim_used = None if boards else rim
    return build_calibration(
        takes,
        (width, height),
        boards=boards,
        rim=rim_used,
        sight=sight,
        most_doubt_mm=most_doubt_mm,
    )


def calibrate_by_rim(
    image: Image, floor_mm: tuple[float, float], sight: Sight | None = MODULE_3_SIGHT
) -> Calibration:
    """Camera and tray from the floor's own edges, where there are no markers.

    Raises:
        RefusedError: they are not found with confidence.
    """
    height, width = image.shape[:2]
    lens, _ = assumed_lens((width, height), sight)
    corners = [(float(x), float(y)) for x, y in find_floor(image, lens, floor_mm).corners]
    doubt_mm = doubt_of_corners(sight, FLOOR_BY_RIM_DOUBT_MM)
    return calibrate_by_corners(lens, corners, floor_mm, doubt_mm)


def median_picture(images: Sequence[Image]) -> Image:
    """The median of pictures of one scene: less noise, and nothing that passed by."""
    return np.asarray(np.median(np.stack(images), axis=0), np.uint8)


def _find_boards(image: Image) -> tuple[CharucoCorners, ...]:
    try:
        return (find_charuco(image),)
    except RefusedError:
        return ()


def _with_learnt_face(stage: WizardStage, patch: Image, profile: Profile) -> tuple[PowerFace, ...]:
    learnt = profile.power_faces
    same = LearnedFaces(tuple((f.value, f.patch) for f in learnt if f.value == stage.face))
    if same.prints:
        likeness = same.likenesses(patch)[stage.face]
        if likeness < MIN_SAME_FACE_LIKENESS:
            raise RefusedError(
                Problem.OTHER_FACE,
                f"expected the face {stage.face} again, found one that is not like it "
                f"(likeness {likeness:.2f}); show the same face, turned a little",
            )
    if why := why_not_turned(stage.face, patch, learnt):
        raise RefusedError(Problem.NOT_TURNED, why)
    before = LearnedFaces(tuple((face.value, face.patch) for face in learnt))
    value, taken = learn([(stage.face, patch)], before).prints[-1]
    return (*learnt, PowerFace(value, taken))


def _holder_zone(image: Image, draft: Calibration) -> FloatArray:
    """The zone that the dice in the holder take up, (4, 2) millimetres clockwise.

    Raises:
        RefusedError: no die lies beside the tray.
    """
    places = [die.mm for die in dice_beside_tray(image, draft) if die.mm]
    if not places:
        raise RefusedError(Problem.NO_DICE, "expected dice in the holder, found none")
    reach = draft.profile.die_edge_mm / 2 + _HOLDER_MARGIN_MM
    rect = cv2.minAreaRect(np.array(places, np.float32))
    grown = (rect[0], (rect[1][0] + 2 * reach, rect[1][1] + 2 * reach), rect[2])
    return np.asarray(cv2.boxPoints(grown), np.float64)
