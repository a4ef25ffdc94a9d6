"""Looks in the last frames for what a page asks for: cheap enough to do twice a second."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.calibration import Calibration
from calibration.difference import measured_after
from calibration.errors import RefusedError
from calibration.holder import holder_around
from calibration.markers.aruco import Marker, find_markers
from calibration.markers.assumed import assumed_lens
from calibration.markers.bundle import RimHeight
from calibration.markers.charuco import find_charuco
from calibration.markers.lens import UNKNOWN_LENS_DOUBT, known_camera
from calibration.markers.measuring import (
    LEANING_VIEWS,
    is_another_view,
    leans,
    measure_lens,
)
from calibration.problems import Problem, Verdict, combined_verdict
from calibration.quality import focus, light, quality
from calibration.readers import CalibratedReader
from calibration.self_calibration import (
    at_print,
    calibration_from_frames,
    known_print_scale,
    with_rim_learnt,
)
from calibration.wizard import state
from calibration.wizard.card import card_on_rim, something_new, was_taken_away
from calibration.wizard.lone import lone_patch
from calibration.wizard.pages import Page
from calibration.wizard.state import Seen, Wizard
from vision.errors import (
    Blurred,
    FaceRefused,
    NoDie,
    NoPrint,
    TooAlike,
    TooManySpots,
    VisionError,
    WhitedOut,
)
from vision.frame import Frame, Image
from vision.geometry.profile import MAX_HOLDER_DISTANCE_MM, PowerFace
from vision.learning import MAX_CLEAR_GLARE_SHARE
from vision.power_die import print as power_print
from vision.power_die.faces import LearnedFaces, learn
from vision.reading import DieReading

WATCHED_FRAMES = 5
"""How many frames are checked for movement and flicker."""
_MAX_OFF_OF_SURE_RIM_MM = 1.5  # worse than with any rim that was measured
_PROBLEMS_FROM_SHINE = (Problem.GLARE_DIE, Problem.NO_PRINT, Problem.NO_DICE, Problem.ONE_DIE)
"""Problems that the reflection of a lamp in dice may cause."""


def look(wizard: Wizard, frames: Sequence[Frame], darker: Sequence[Image] = ()) -> Seen:
    """Measures what the present page asks for; the check is fed by a watcher instead.

    Args:
        wizard: says what is asked for and what is known so far.
        frames: the last ones, at least one.
        darker: darker pictures of the same scene, as the reader takes them.
    """
    page, known = wizard.page, wizard.known
    try:
        match page:
            case Page.TRAY:
                return _see_markers(frames, wizard)
            case Page.CORNERS if wizard.pointed is not None:
                return _see_pointed(frames, wizard, wizard.pointed)
            case Page.CORNERS:
                return Seen(page, Verdict(1.0), picture=frames[-1].image)
            case Page.POWER if known is not None:
                return _see_power_face(frames, wizard, known, darker)
            case Page.HOLDER if known is not None:
                return _see_holder(frames, known)
            case Page.CARD if known is not None:
                return _see_card(frames, wizard, known)
            case _:
                return Seen(page, Verdict(1.0))
    except RefusedError as error:
        return Seen(page, Verdict(0.3, error.problem, error.detail))
    except TooManySpots as error:
        return Seen(page, Verdict(0.0, Problem.TOO_MANY_SPOTS, str(error)))
    except VisionError as error:
        return Seen(page, Verdict(0.0, Problem.BAD_FIT, str(error)))


def exposure_factor(frames: Sequence[Frame]) -> float:
    """The factor by which exposure should change; 1 is right."""
    image = frames[-1].image
    return light.exposure_change(image, tuple(find_markers(image).values()))


def median_picture(images: Sequence[Image]) -> Image:
    """The median of pictures of one scene: less noise, and nothing that passed by."""
    return np.asarray(np.median(np.stack(images), axis=0), np.uint8)


def dice_beside_tray(image: Image, known: Calibration) -> list[DieReading]:
    """Dice that lie beside the tray, on any side."""
    around = known.profile.around(MAX_HOLDER_DISTANCE_MM)
    anywhere = replace(known, holders=around, holder_learnt=False)
    return [die for die in CalibratedReader(anywhere).read(image).dice if die.held]


def _see_markers(frames: Sequence[Frame], wizard: Wizard) -> Seen:
    """One look at the four markers; what is not as good as it could be is only told."""
    image = frames[-1].image
    sight = quality.judge_picture(image)
    steady = focus.steadiness(frames)
    four = sight.markers
    if four is None:
        hidden = combined_verdict((steady, sight.verdict))
        # The sheet may lie on a marker.
        return (
            _with_view(Seen(Page.TRAY, hidden), image, wizard)
            if steady.good
            else Seen(Page.TRAY, hidden)
        )
    lit = combined_verdict((steady, light.paper(four)))
    if lit.problem is not None and lit.problem is not Problem.UNEVEN:
        return Seen(Page.TRAY, lit)
    rim = _rim_to_use(wizard)
    try:
        found = calibration_from_frames(
            frames[-1:],
            sight=wizard.sight,
            rim=rim,
            lens=wizard.lens,
            print_scale=known_print_scale(wizard.known),
        )
    except RefusedError as error:
        if error.problem is not Problem.OTHER_LENS:
            raise
        other = Seen(Page.TRAY, Verdict(0.3, error.problem, error.detail))
        return _with_view(other, image, wizard) if steady.good else other
    draft = measured_after(wizard.known, with_rim_learnt(found, wizard.known))
    seen = Seen(Page.TRAY, Verdict(1.0), draft=draft, advice=_advice(frames, four, draft))
    return _with_view(seen, image, wizard) if steady.good else seen


def _with_view(seen: Seen, image: Image, wizard: Wizard) -> Seen:
    """A look with the printed board, where that leans so that it tells of an unknown lens."""
    size = (image.shape[1], image.shape[0])
    if wizard.lens is not None and wizard.lens.serves(size, wizard.sight):
        return seen
    problem = seen.verdict.problem
    if not wizard.views:
        # A camera that is known may have another lens.
        known = known_camera(wizard.sight) is not None
        asked = problem is Problem.NO_MARKERS or seen.draft is not None
        if problem is not Problem.OTHER_LENS and (known or not asked):
            return seen
    try:
        board = find_charuco(image)
    except RefusedError:
        return seen
    lens, doubt = assumed_lens(size, wizard.sight)
    if known_camera(wizard.sight) is not None:
        # It has another lens than its maker's.
        doubt = UNKNOWN_LENS_DOUBT
    if seen.draft is not None and not leans(lens, board, seen.draft.profile.rotation):
        return seen
    if not is_another_view(lens, board, wizard.views):
        return seen
    views = (*wizard.views, board)
    if len(views) < LEANING_VIEWS:
        return replace(seen, view=board)
    try:
        measured = measure_lens(views, lens, doubt)
    except RefusedError:
        # One more view may make it fit.
        return replace(seen, view=board)
    return replace(seen, view=board, lens=measured)


def _advice(frames: Sequence[Frame], four: Sequence[Marker], draft: Calibration) -> Problem | None:
    """The problem whose cure would make readings better, though the tray is found."""
    image = frames[-1].image
    verdicts = [
        light.paper(four),
        focus.sharpness(four),
        focus.nearness(four),
        light.flicker(frames),
    ]
    # White dice are brighter than paper in their own right.
    if not CalibratedReader(draft).read(image).dice:
        verdicts.append(light.glare(image, four))
    return combined_verdict(verdicts).problem


def _rim_to_use(wizard: Wizard) -> RimHeight | None:
    """The rim's height as entered, or as it was measured when the tray was found before."""
    known = wizard.known
    if wizard.rim is not None or known is None or known.layout is None or known.rim_mm is None:
        return wizard.rim
    sure = known.rim_known and known.off_mm is not None and known.off_mm < _MAX_OFF_OF_SURE_RIM_MM
    return RimHeight(known.rim_mm) if sure else None


def _see_pointed(frames: Sequence[Frame], wizard: Wizard, found: Calibration) -> Seen:
    """The empty tray where its corners were pointed at, for a person to look at.

    Without markers it is what later pictures are compared with.
    """
    image, profile = frames[-1].image, found.profile
    corners = profile.to_pixels(np.column_stack([profile.tray, np.zeros(4)]))
    outline = tuple((float(x), float(y)) for x, y in corners / profile.size)
    tray = measured_after(wizard.known, found)
    verdict = combined_verdict(
        (
            focus.steadiness(frames),
            light.whole_picture(image),
            quality.judge_emptiness(CalibratedReader(tray).read(image).unless_crowded()),
        )
    )
    draft = None
    if verdict.good:
        empty = median_picture([frame.image for frame in frames])
        draft = replace(tray, profile=replace(tray.profile, empty=empty))
    return Seen(Page.CORNERS, verdict, draft=draft, outline=outline)


def _see_power_face(
    frames: Sequence[Frame], wizard: Wizard, known: Calibration, darker: Sequence[Image]
) -> Seen:
    page, image = Page.POWER, frames[-1].image
    steady = focus.steadiness(frames)
    if not steady.good:
        return Seen(page, steady)
    looked_at = known
    if known.profile.empty is None:
        looked_at = replace(known, profile=replace(known.profile, empty=wizard.bare))
    try:
        patch, place = lone_patch(wizard.face, image, looked_at, darker)
    except NoDie as refusal:
        verdict = verdict_of_refusal(refusal)
        bare = None if refusal.count else image
        places = ((0.0, 0.0),) * refusal.count
        # The first look waits for no darker frame: a die that is put in must differ from it.
        return Seen(page, verdict, places, bare=bare, shines=wizard.first is not None)
    places = (place,)
    try:
        power_print.check(wizard.face, patch)
        faces = _with_face(wizard.faces, wizard.face, patch)
    except FaceRefused as refusal:
        verdict = verdict_of_refusal(refusal)
        shines = verdict.problem in _PROBLEMS_FROM_SHINE
        return Seen(page, verdict, places, patch, shines=shines)
    shines = power_print.whited_out(patch) >= MAX_CLEAR_GLARE_SHARE
    draft = replace(known, profile=replace(known.profile, power_faces=faces))
    return Seen(page, Verdict(1.0), places, patch, draft, shines=shines)


def _with_face(learnt: tuple[PowerFace, ...], face: str, patch: Image) -> tuple[PowerFace, ...]:
    """The faces with one more; `FaceRefused` if it is like one of them."""
    before = LearnedFaces(tuple((one.value, one.patch) for one in learnt))
    value, taken = learn([(face, patch)], before).prints[-1]
    return (*learnt, PowerFace(value, taken))


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


def _see_holder(frames: Sequence[Frame], known: Calibration) -> Seen:
    """The zone that the dice in the holder take up."""
    steady = focus.steadiness(frames)
    if not steady.good:
        return Seen(Page.HOLDER, steady)
    places = [die.mm for die in dice_beside_tray(frames[-1].image, known) if die.mm]
    if not places:
        none = Verdict(0.0, Problem.NO_DICE, "no dice are seen in the holder")
        return Seen(Page.HOLDER, none)
    zone = holder_around(places, known.profile.die_edge_mm)
    draft = replace(known, holders=zone, holder_learnt=False)
    return Seen(Page.HOLDER, Verdict(1.0), tuple(places), draft=draft)


def _see_card(frames: Sequence[Frame], wizard: Wizard, known: Calibration) -> Seen:
    """A card in the markers' plane, and then the tray without it; pictures are not passed on."""
    image, bare = frames[-1].image, wizard.bare
    known.profile.check_view(frames[-1].size, frames[-1].sight)
    steady = focus.steadiness(frames)
    if known.layout is None:
        return Seen(Page.CARD, Verdict(0.0, Problem.NO_MARKERS, "a print is known by its markers"))
    if bare is None:
        none = Verdict(0.0, Problem.NO_CARD, "nothing has been laid there yet")
        return Seen(Page.CARD, none if steady.good else steady, bare=image)
    since = wizard.seen.since if wizard.seen else None
    if not steady.good:
        return Seen(Page.CARD, steady, covered=True, since=since)
    if wizard.measured is not None:
        there = something_new(bare, image, known) is not None
        gone = state.TAKE_CARD if there else Verdict(1.0)
        return Seen(Page.CARD, gone, draft=wizard.measured, covered=there)
    seen = _see_card_laid_on(bare, image, known)
    if seen.draft is None and seen.covered and since is not None:
        # Something else that is new lay there before the card did.
        beside = _see_card_laid_on(since, image, known)
        if beside.draft is not None:
            return beside
    return seen


def _see_card_laid_on(bare: Image, image: Image, known: Calibration) -> Seen:
    """A card that did not lie there in the picture `bare`."""
    where = something_new(bare, image, known)
    if where is None:
        nothing = Verdict(0.0, Problem.NO_CARD, "nothing lies on the rim")
        return Seen(Page.CARD, nothing, since=image)
    if was_taken_away(bare, image, known, where):
        # It lay there when the page came up.
        again = Verdict(0.0, Problem.NO_CARD, "the rim is bare now; lay the card on it")
        return Seen(Page.CARD, again, bare=image)
    try:
        scale = card_on_rim(bare, image, known, where)
    except RefusedError as error:
        no_card = Verdict(0.3, error.problem, error.detail)
        return Seen(Page.CARD, no_card, covered=True, since=image)
    return Seen(Page.CARD, Verdict(1.0), draft=at_print(known, scale), covered=True, bare=bare)
