"""Looks in the last frames for what a stage asks for: cheap enough to do twice a second.

Dice that shine too much for their kind to be claimed are recognised by the rest of the set. Gloss
adds the light's own colour to a body, and white pips show that colour: a die whose body is that of
another plus some of this light is of the same kind.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.calibration import SPREADS_OF_WORST_PLACE, Calibration
from calibration.errors import RefusedError
from calibration.markers.aruco import find_markers
from calibration.markers.charuco import find_charuco
from calibration.markers.lens import assumed_lens
from calibration.problems import Problem, Verdict, combined_verdict, quality_between
from calibration.quality import focus, light, quality
from calibration.readers import CalibratedReader
from calibration.rim.corners import doubt_of_corners
from calibration.rim.rim import FLOOR_BY_RIM_DOUBT_MM, find_floor
from calibration.wizard.lone import lone_patch
from calibration.wizard.stages import DiceSet, WizardStage, WizardStep
from calibration.wizard.state import Seen, Wizard
from calibration.wizard.turning import why_not_turned
from vision.errors import ASIDE, Blurred, FaceRefused, NoDie, NoPrint, TooAlike, WhitedOut
from vision.exposures import may_be_in_glare
from vision.frame import Frame, Image
from vision.geometry.profile import MAX_HOLDER_DISTANCE_MM, Profile
from vision.geometry.sight import Sight
from vision.learning import MAX_CLEAR_GLARE_SHARE, die_colours
from vision.power_die import print as power_print
from vision.reading import DieReading, Kind, TrayReading

MAX_LIGHT_SHARE = 0.5
"""Of the pips' light; more leaves nothing of the body's colour."""
MAX_SHADE_SHARE = 0.03
"""Of light by which a die may be darker than the other."""
MAX_KIN_RESIDUAL = 15.0
"""Between two bodies of one kind, grey levels, root of the sum of squares."""


def with_kinds_of_shining_dice(reading: TrayReading, image: Image) -> TrayReading:
    """The reading with the kind of shining dice inferred from the others.

    Args:
        reading: of a set whose dice lie apart.
        image: the picture that was read.
    """
    seen = [(die, *die_colours(image, die)) for die in reading.dice]
    coloured = [
        (die.kind, body, pip) for die, body, pip in seen if die.kind in (Kind.BLACK, Kind.RED)
    ]
    dice = []
    for die, body, _ in seen:
        if die.kind is Kind.OTHER:
            near = [(_body_residual(body, other, pip), kind) for kind, other, pip in coloured]
            best = min(near, default=(np.inf, Kind.OTHER))
            die = replace(die, kind=best[1]) if best[0] < MAX_KIN_RESIDUAL else die
        dice.append(die)
    return replace(reading, dice=tuple(dice))


def _body_residual(body: np.ndarray, other: np.ndarray, light: np.ndarray) -> float:
    """The residual between two bodies after the best-fitting amount of a light is added."""
    off = body - other
    share = float(off @ light) / max(float(light @ light), 1.0)
    share = min(max(share, -MAX_SHADE_SHARE), MAX_LIGHT_SHARE)
    return float(np.linalg.norm(off - share * light))


WATCHED_FRAMES = 5
"""How many frames are checked for movement and flicker."""

_PROBLEMS_OF_PLACE = (
    Problem.CUT_OFF,
    Problem.HIDDEN,
    Problem.NO_MARKERS,
    Problem.MARKERS_MIXED,
    Problem.TILTED,
    Problem.TOO_FAR,
    Problem.TOO_NEAR,
)
"""Problems left to the step after the light."""


_PROBLEMS_FROM_SHINE = (
    Problem.GLARE_DIE,
    Problem.NO_PRINT,
    Problem.NO_DICE,
    Problem.ONE_DIE,
    Problem.DICE_MISSING,
    Problem.WRONG_DICE,
)
"""Problems that the reflection of a lamp in dice may cause."""


def see_stage(wizard: Wizard, frames: Sequence[Frame], darker: Sequence[Image] = ()) -> Seen:
    """Measures what the present stage asks for; the check is fed by a watcher instead.

    Args:
        wizard: says what is asked for and what is known so far.
        frames: the last ones, at least one.
        darker: darker pictures of the same scene, as the reader takes them.
    """
    stage, draft, dice = wizard.stage, wizard.draft, wizard.dice
    image = frames[-1].image
    match stage.step:
        case WizardStep.LIGHT:
            return Seen(stage, _see_light(frames))
        case WizardStep.TRAY if wizard.given is not None:
            return Seen(stage, focus.steadiness(frames))
        case WizardStep.TRAY if wizard.by_rim:
            return _see_floor(stage, frames, wizard.floor, wizard.sight)
        case WizardStep.TRAY:
            sight = quality.judge_frames(frames)
            return Seen(stage, sight.verdict, 0 if sight.markers is None else len(sight.markers))
        case WizardStep.RIM:
            return _see_rim_board(stage, frames)
        case WizardStep.EMPTY if draft is not None:
            verdicts = (
                _see_shine(image, draft),
                quality.judge_emptiness(CalibratedReader(draft).read(image).unless_crowded()),
            )
            return Seen(stage, combined_verdict((*verdicts, focus.steadiness(frames))))
        case WizardStep.DICE if draft is not None:
            # The picture of the empty tray tells dice from what is printed on its floor.
            reading = CalibratedReader(draft).read(image, darker).unless_crowded()
            reading = with_kinds_of_shining_dice(reading, image)
            verdict = quality.judge_dice(reading, dice.counts)
            shines = verdict.problem in _PROBLEMS_FROM_SHINE
            if shines and _hidden_by_glare(reading, dice, (image, *darker)[-1]):
                verdict = Verdict(verdict.quality, Problem.GLARE_DIE, f"{verdict.detail}; {ASIDE}")
            verdict = combined_verdict((verdict, focus.steadiness(frames)))
            return Seen(stage, verdict, len(reading.dice), shines=shines)
        case WizardStep.POWER if draft is not None:
            return _see_power_face(stage, image, draft.profile, darker)
        case WizardStep.HOLDER if draft is not None:
            found = len(dice_beside_tray(image, draft))
            empty = Verdict(0.0, Problem.NO_DICE, "expected dice in the holder, found none")
            return Seen(stage, Verdict(1.0) if found else empty, found)
        case _:
            return Seen(stage, Verdict(1.0))


def _see_floor(
    stage: WizardStage,
    frames: Sequence[Frame],
    floor_mm: tuple[float, float],
    sight: Sight | None,
) -> Seen:
    """Finds a tray without markers by its rim; its outline is for a person to look at."""
    height, width = frames[-1].image.shape[:2]
    steady = focus.steadiness(frames)
    try:
        lens, _ = assumed_lens((width, height), sight)
        found = find_floor(frames[-1].image, lens, floor_mm)
    except RefusedError as error:
        return Seen(stage, combined_verdict([steady, Verdict(0.2, error.problem, error.detail)]))
    outline = tuple((float(x) / width, float(y) / height) for x, y in found.corners)
    good = combined_verdict([steady, Verdict(quality_between(found.seen, 0.6, 1.0))])
    off_mm = SPREADS_OF_WORST_PLACE * doubt_of_corners(sight, FLOOR_BY_RIM_DOUBT_MM)
    return Seen(stage, good, 1, outline, off_mm)


def dice_beside_tray(image: Image, draft: Calibration) -> list[DieReading]:
    """Dice that lie beside the tray, on any side."""
    anywhere = replace(draft, holders=draft.profile.around(MAX_HOLDER_DISTANCE_MM))
    return [die for die in CalibratedReader(anywhere).read(image).dice if die.held]


def _see_light(frames: Sequence[Frame]) -> Verdict:
    """Light and focus alone: where the tray lies is left to the next step."""
    sight = quality.judge_frames(frames)
    if sight.verdict.problem not in _PROBLEMS_OF_PLACE:
        return sight.verdict
    image = frames[-1].image
    markers = tuple(find_markers(image).values())
    near = (light.paper(markers), focus.sharpness(markers)) if markers else ()
    far = () if markers else (focus.whole_picture(image),)
    moving = (light.flicker(frames), focus.steadiness(frames))
    return combined_verdict((light.whole_picture(image), *near, *far, *moving))


def exposure_factor(frames: Sequence[Frame]) -> float:
    """The factor by which exposure should change; 1 is right."""
    image = frames[-1].image
    return light.exposure_change(image, tuple(find_markers(image).values()))


def _see_rim_board(stage: WizardStage, frames: Sequence[Frame]) -> Seen:
    """The board measures the rim; without a board its height is entered, so both are fine."""
    try:
        corners = len(find_charuco(frames[-1].image).pixels)
    except RefusedError:
        return Seen(stage, focus.steadiness(frames))
    verdict = Verdict(quality_between(corners, 0, 32))
    return Seen(stage, combined_verdict((verdict, focus.steadiness(frames))), corners)


def _see_shine(image: Image, draft: Calibration) -> Verdict:
    if draft.layout is None:
        profile = draft.profile
        floor = profile.to_pixels(np.column_stack([profile.tray, np.zeros(len(profile.tray))]))
        return combined_verdict([light.whole_picture(image), light.floor_glare(image, floor)])
    return quality.judge_picture(image).verdict


def _hidden_by_glare(reading: TrayReading, dice: DiceSet, image: Image) -> bool:
    """Whether a lamp washes out a die that seems to be of no kind in the set."""
    strange = (die for die in reading.dice if die.kind not in dice.counts)
    return any(may_be_in_glare(image, die) for die in strange)


def _see_power_face(
    stage: WizardStage, image: Image, profile: Profile, darker: Sequence[Image]
) -> Seen:
    try:
        patch = lone_patch(stage.face, image, profile, darker)
        power_print.check(stage.face, patch)
    except FaceRefused as refusal:
        verdict = verdict_of_refusal(refusal)
        return Seen(stage, verdict, shines=verdict.problem in _PROBLEMS_FROM_SHINE)
    shines = power_print.whited_out(patch) >= MAX_CLEAR_GLARE_SHARE
    if why := why_not_turned(stage.face, patch, profile.power_faces):
        return Seen(stage, Verdict(0.4, Problem.NOT_TURNED, why), 1, shines=shines)
    return Seen(stage, Verdict(1.0), 1, shines=shines)


_PROBLEM_OF_REFUSAL: dict[type[FaceRefused], Problem] = {
    WhitedOut: Problem.GLARE_DIE,
    Blurred: Problem.BLURRED,
    TooAlike: Problem.TOO_ALIKE,
    NoPrint: Problem.NO_PRINT,
}


def verdict_of_refusal(refusal: FaceRefused) -> Verdict:
    """A face that cannot be learnt, in the board's words."""
    problem = _PROBLEM_OF_REFUSAL.get(type(refusal), Problem.OTHER_FACE)
    if isinstance(refusal, NoDie):
        problem = Problem.ONE_DIE if refusal.count else Problem.NO_DICE
    return Verdict(0.3, problem, str(refusal))
